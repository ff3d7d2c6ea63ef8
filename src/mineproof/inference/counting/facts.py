"""Facts: all that follows exactly from a position. Both backends answer with this type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component, read_constraints
from mineproof.inference.counting.prior import Prior


class Facts(ABC):
    """What is known of the cells of a position.

    Cells are indices in row order. Nothing here is rounded but the risks, each once.
    """

    observation: Observation
    prior: Prior
    """What was known of the number of mines before any clue."""
    exact: bool
    """False where risks are estimates, because counting was too much work."""
    nodes: int
    """The work done: states visited."""
    solved: Any = None
    """The native core's `SolvedPosition`, where the core counted: further questions go there."""

    @property
    def error(self) -> float | None:
        """By how much estimated risks may be off, on average; None where they are exact."""
        return None

    @cached_property
    def layouts(self) -> int | None:
        """The number of layouts of positive weight; None if risks are estimates."""
        return self.count_layouts(Budget())

    @abstractmethod
    def count_layouts(self, budget: Budget) -> int | None:
        """Count the layouts of positive weight; None if risks are estimates.

        Raises:
            WorkLimitError: the budget is spent.
        """

    @property
    @abstractmethod
    def risk(self) -> array[float]:
        """The probability of a mine for each cell; NaN where it is not unopened."""

    @property
    @abstractmethod
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are mined in no layout, in increasing order."""

    @property
    @abstractmethod
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are mined in every layout, in increasing order."""

    @abstractmethod
    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Return the chances that a cell is safe and has 0, 1, ... 8 mined neighbours.

        The count is the true one, whatever the clue would show; the sum is 1 - risk.
        """

    @abstractmethod
    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte per cell, 1 for a mine. Equal seeds, equal layouts."""

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
        """The number of mines; None where it is not known."""
        return self.observation.rules.mines

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The components, less what single clues prove, for inspection and display."""
        seen = self.observation
        return read_constraints(seen.shown, seen.grid, seen.rules.clues).components

    def check_unopened(self, index: int) -> None:
        """Reject a cell that is not unopened.

        Raises:
            InputError: the cell is open, or off the board.
        """
        shown = self.observation.shown
        if not 0 <= index < len(shown):
            raise InputError(f"expected a cell from 0 to {len(shown) - 1}, got {index}")
        if shown[index] != UNOPENED:
            cell = self.observation.grid.cell(index)
            raise InputError(f"expected an unopened cell, got {cell}")


def lay(observation: Observation, mined: Iterable[int]) -> bytes:
    """Return a layout, one byte per cell: the mines that are shown, and these."""
    layout = bytearray(code == EXPLODED for code in observation.shown)
    for cell in mined:
        layout[cell] = 1
    return bytes(layout)


def assume(observation: Observation, index: int, code: int = EXPLODED) -> Observation:
    """Return the position with one more fact: a cell is a mine, or with another code opened."""
    shown = bytearray(observation.shown)
    shown[index] = code
    return Observation(observation.rules, bytes(shown), observation.marks)
