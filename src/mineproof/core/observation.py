"""What a player may know of a game: a position. It holds no way back to the board."""

from __future__ import annotations

import itertools
from functools import cached_property

from mineproof.core.board_text import HasPicture, board_text
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell, Grid
from mineproof.core.rules import PublicRules

_serials = itertools.count(1)
_CODES = bytes(range(EXPLODED + 1))
_IS_UNOPENED = bytes(code == UNOPENED for code in range(256))


class Observation(HasPicture):
    """A position: size, mines, opened cells with what they show, and marks.

    `shown` has one byte per cell in row order: 0 to 8 for a clue, `UNOPENED`, `WITHHELD`
    (opened without a clue) or `EXPLODED` (a mine that is shown). `marks` has 1 where the
    player put a mark: notes, not facts. Both are plain bytes and never change.

    Each observation has a `serial` of its own. `follows` is the serial of the one that a
    game gave before it, and `changes` lists the indices of `shown` that differ from that.
    An agent that last saw another serial cannot use `changes` and looks at the whole.
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
        """Make a position; without `marks`, nothing is marked.

        Raises:
            InputError: the bytes do not fit the board, or hold an unknown code.
        """
        size = rules.rows * rules.columns
        marks = bytes(size) if marks is None else marks
        if len(shown) != size or len(marks) != size:
            raise InputError(f"expected {size} cells, got {len(shown)} and {len(marks)} marks")
        if shown.translate(None, _CODES):  # ten times as fast as to look for the largest
            raise InputError(f"expected codes from 0 to {EXPLODED}, got {max(shown)}")
        self.rules = rules
        self.shown = bytes(shown)
        self.marks = bytes(marks)
        self.changes = changes
        self.follows = follows
        self.serial = next(_serials)

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return self.rules.grid

    def __getitem__(self, cell: tuple[int, int]) -> int:
        """Return the code that a cell shows."""
        return self.shown[self.grid.index(cell)]

    def clue(self, cell: tuple[int, int]) -> int | None:
        """Return the clue of an opened cell, or None where none is shown."""
        code = self[cell]
        return code if code < UNOPENED else None

    def is_unopened(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is still unopened."""
        return self[cell] == UNOPENED

    def is_marked(self, cell: tuple[int, int]) -> bool:
        """Return whether the player marked a cell."""
        return bool(self.marks[self.grid.index(cell)])

    @cached_property
    def unopened(self) -> tuple[int, ...]:
        """The indices of all unopened cells, in increasing order."""
        flags = self.shown.translate(_IS_UNOPENED)
        return tuple(itertools.compress(range(len(flags)), flags))

    @cached_property
    def opened(self) -> tuple[int, ...]:
        """The indices of all opened cells, shown mines among them, in increasing order."""
        return tuple(index for index, code in enumerate(self.shown) if code != UNOPENED)

    @cached_property
    def marked(self) -> frozenset[Cell]:
        """The marked cells."""
        return frozenset(self.grid.cell(index) for index, mark in enumerate(self.marks) if mark)

    @cached_property
    def hits(self) -> int:
        """How many mines are shown."""
        return self.shown.count(EXPLODED)

    @property
    def is_new(self) -> bool:
        """Whether nothing is open yet."""
        return self.shown.count(UNOPENED) == len(self.shown)

    def with_marks_as_mines(self) -> Observation:
        """Return the position with every marked cell as a mine that is shown."""
        pairs = zip(self.shown, self.marks, strict=True)
        shown = bytes(EXPLODED if mark and code == UNOPENED else code for code, mark in pairs)
        return Observation(self.rules, shown)

    @property
    def mines_left(self) -> int | None:
        """The mines neither shown nor marked, for display; None where the count is unknown."""
        if self.rules.mines is None:
            return None
        return self.rules.mines - self.hits - self.marks.count(1)

    def __eq__(self, other: object) -> bool:
        """Compare what can be seen; the serial and the changes do not count."""
        if not isinstance(other, Observation):
            return NotImplemented
        return (self.rules, self.shown, self.marks) == (other.rules, other.shown, other.marks)

    def __hash__(self) -> int:
        """Hash what can be seen."""
        return hash((self.rules, self.shown, self.marks))

    def __repr__(self) -> str:
        """Name the size and how much is open."""
        mines = "?" if self.rules.mines is None else self.rules.mines
        return (
            f"<Observation {self.rules.rows}x{self.rules.columns}/{mines}, "
            f"{self.shown.count(UNOPENED)} unopened>"
        )

    def __str__(self) -> str:
        """Draw the position as text."""
        rules, left = self.rules, self.mines_left
        size = f"{rules.rows}x{rules.columns}"
        mines = "mines unknown" if left is None else f"{left} of {rules.mines} mines left"
        closed = self.shown.count(UNOPENED)
        return (
            f"{board_text(self.grid, self.shown, self.marks)}\n{size}, {closed} unopened, {mines}"
        )
