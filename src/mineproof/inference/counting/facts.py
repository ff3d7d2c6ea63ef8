"""Facts: everything that follows from a position. Both engines return this type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component, read_constraints
from mineproof.inference.counting.prior import Prior

FORGET_CLUES = bytes(WITHHELD if code < UNOPENED else code for code in range(256))
"""A table for `bytes.translate` that hides the clues of all opened cells."""


class Facts(ABC):
    """Everything that follows from a position: risks, proved cells and layouts.

    Cells are indices in row order. Only the risks are rounded, each of them once.
    """

    observation: Observation
    prior: Prior
    """The prior over the number of mines."""
    exact: bool
    """Whether the risks are exact. They are estimates if counting was too much work."""
    nodes: int
    """Number of states visited."""
    solved: Any = None
    """The native core's `SolvedPosition`, which can answer further questions; None without it."""

    @property
    def error(self) -> float | None:
        """A bound on the mean error of estimated risks; None if they are exact."""
        return None

    @cached_property
    def layouts(self) -> int | None:
        """The number of layouts with positive weight; None if risks are estimates."""
        return self.count_layouts(Budget())

    @abstractmethod
    def count_layouts(self, budget: Budget) -> int | None:
        """Return the number of layouts with positive weight; None if risks are estimates.

        Raises:
            WorkLimitError: the budget is spent.
        """

    @property
    @abstractmethod
    def risk(self) -> array[float]:
        """The risk of each unopened cell; NaN for the others."""

    @property
    @abstractmethod
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are proved safe, in increasing order."""

    @property
    @abstractmethod
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are proved to be mines, in increasing order."""

    @cached_property
    def proved(self) -> dict[int, bool]:
        """The values of all proved cells (True for a mine), safe cells first."""
        return {**dict.fromkeys(self.safe, False), **dict.fromkeys(self.mined, True)}

    @abstractmethod
    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Return the probabilities that a cell is safe with 0, 1, ... 8 mines around it.

        This is the true number of mines, even if clues are unreliable. The probabilities add up to
        1 - risk.
        """

    @abstractmethod
    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight, using the seed. It has one byte per cell, 1 for a mine."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.observation.rules.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.observation.rules.columns

    @property
    def mines(self) -> int | None:
        """The number of mines; None if it is unknown."""
        return self.observation.rules.mines

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The components for display, without the cells that single clues prove."""
        seen = self.observation
        return read_constraints(seen.shown, seen.grid, seen.rules.clues).components

    def check_unopened(self, index: int) -> None:
        """Raise `InputError` if a cell is open or not on the board."""
        shown = self.observation.shown
        if not 0 <= index < len(shown):
            raise InputError(f"expected a cell from 0 to {len(shown) - 1}, got {index}")
        if shown[index] != UNOPENED:
            cell = self.observation.grid.cell(index)
            raise InputError(f"expected an unopened cell, got {cell}")


def with_clues(observation: Observation, clues: Iterable[int]) -> Observation:
    """Return a position with only these clues; all other opened cells show no clue."""
    shown = bytearray(observation.shown.translate(FORGET_CLUES))
    for clue in clues:
        shown[clue] = observation.shown[clue]
    return Observation(observation.rules, bytes(shown))


def assume(observation: Observation, index: int, code: int = EXPLODED) -> Observation:
    """Return the position with another code for a cell: by default, a shown mine."""
    shown = bytearray(observation.shown)
    shown[index] = code
    return Observation(observation.rules, bytes(shown), observation.marks)
