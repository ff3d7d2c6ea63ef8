"""Observations: positions as the player sees them, without access to the board."""

from __future__ import annotations

import importlib
import itertools
from functools import cached_property
from typing import Any

from mineproof.core.board_text import HasPicture, board_text
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell, Grid
from mineproof.core.rules import PublicRules

_serials = itertools.count(1)
_CODES = bytes(range(EXPLODED + 1))
_IS_UNOPENED = bytes(code == UNOPENED for code in range(256))


def _notation() -> Any:
    # The core must not import `notation` directly, so it imports it by name when text is wanted.
    return importlib.import_module("mineproof.notation.position_text")


class Observation(HasPicture):
    """A position: size, mine count, open cells with their clues, and flags.

    `shown` has one byte per cell in row order: 0 to 8 for a clue, `UNOPENED`, `WITHHELD` (open
    without a clue) or `EXPLODED` (an exploded mine). `marks` has 1 for each flag that the player
    placed; flags may be wrong. Both are immutable.

    Each observation has a unique `serial`. `follows` is the serial of the game's previous
    observation, and `changes` lists the indices at which `shown` differs from it. If `follows` is
    not the last serial that an agent saw, the agent must ignore `changes` and read the whole
    position.
    """

    __slots__ = ("__dict__", "changes", "follows", "marks", "rules", "serial", "shown")

    def __init__(
        self,
        rules: PublicRules,
        shown: bytes,
        marks: bytes | None = None,
        changes: tuple[int, ...] = (),
        follows: int | None = None,
    ) -> None:
        """Create a position; without `marks`, it has no flags.

        Raises:
            InputError: the bytes do not match the size of the board, or hold an unknown code.
        """
        size = rules.rows * rules.columns
        marks = bytes(size) if marks is None else marks
        if len(shown) != size or len(marks) != size:
            raise InputError(
                f"expected {size} cells and {size} marks, got {len(shown)} and {len(marks)}"
            )
        if shown.translate(None, _CODES):  # ten times as fast as max(shown)
            raise InputError(f"expected codes from 0 to {EXPLODED}, got {max(shown)}")
        self.rules = rules
        self.shown = bytes(shown)
        self.marks = bytes(marks)
        self.changes = changes
        self.follows = follows
        self.serial = next(_serials)

    @classmethod
    def from_text(cls, text: str, **how: Any) -> Observation:
        """Read a position from `.mine` text, with the options of `parse_position`."""
        found: Observation = _notation().parse_position(text, **how)
        return found

    def to_text(self) -> str:
        """Return the position as `.mine` text, which `from_text` reads."""
        text: str = _notation().format_position(self)
        return text

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return self.rules.grid

    def __getitem__(self, cell: tuple[int, int]) -> int:
        """Return the code that a cell shows."""
        return self.shown[self.grid.index(cell)]

    def clue(self, cell: tuple[int, int]) -> int | None:
        """Return the clue of an open cell, or None if it shows none."""
        code = self[cell]
        return code if code < UNOPENED else None

    def is_unopened(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is unopened."""
        return self[cell] == UNOPENED

    def is_marked(self, cell: tuple[int, int]) -> bool:
        """Return whether the player flagged a cell."""
        return bool(self.marks[self.grid.index(cell)])

    @cached_property
    def unopened(self) -> tuple[int, ...]:
        """The indices of all unopened cells, in increasing order."""
        flags = self.shown.translate(_IS_UNOPENED)
        return tuple(itertools.compress(range(len(flags)), flags))

    @cached_property
    def opened(self) -> tuple[int, ...]:
        """The indices of all open cells, exploded mines included, in increasing order."""
        return tuple(index for index, code in enumerate(self.shown) if code != UNOPENED)

    @cached_property
    def marked(self) -> frozenset[Cell]:
        """The flagged cells."""
        return frozenset(self.grid.cell(index) for index, mark in enumerate(self.marks) if mark)

    @cached_property
    def hits(self) -> int:
        """The number of exploded mines."""
        return self.shown.count(EXPLODED)

    @property
    def is_new(self) -> bool:
        """Whether no cell is open yet."""
        return self.shown.count(UNOPENED) == len(self.shown)

    def with_marks_as_mines(self) -> Observation:
        """Return a position in which every flagged cell counts as an exploded mine."""
        pairs = zip(self.shown, self.marks, strict=True)
        shown = bytes(EXPLODED if mark and code == UNOPENED else code for code, mark in pairs)
        return Observation(self.rules, shown)

    @property
    def mines_left(self) -> int | None:
        """The number of mines not yet exploded or flagged; None if the mine count is unknown."""
        if self.rules.mines is None:
            return None
        return self.rules.mines - self.hits - self.marks.count(1)

    def __eq__(self, other: object) -> bool:
        """Compare what the player sees, ignoring the serial and the changes."""
        if not isinstance(other, Observation):
            return NotImplemented
        return (self.rules, self.shown, self.marks) == (other.rules, other.shown, other.marks)

    def __hash__(self) -> int:
        return hash((self.rules, self.shown, self.marks))

    def __repr__(self) -> str:
        mines = "?" if self.rules.mines is None else self.rules.mines
        return (
            f"<Observation {self.rules.rows}x{self.rules.columns}/{mines}, "
            f"{self.shown.count(UNOPENED)} unopened>"
        )

    def __str__(self) -> str:
        """Return the position as text."""
        rules, left = self.rules, self.mines_left
        size = f"{rules.rows}x{rules.columns}"
        mines = "mines unknown" if left is None else f"{left} of {rules.mines} mines left"
        closed = self.shown.count(UNOPENED)
        return (
            f"{board_text(self.grid, self.shown, self.marks)}\n{size}, {closed} unopened, {mines}"
        )
