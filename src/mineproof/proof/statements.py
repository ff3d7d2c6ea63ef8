"""Statements: how many unopened neighbours of each clue are mines.

A statement includes the cells that other clues prove. Only mines that are shown are subtracted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.clue_graph import MINE_COUNT, Statement, read_clue


def without_known(statement: Statement, known: Mapping[int, bool]) -> Statement:
    """Return what a statement says about its unknown cells."""
    cells = tuple(cell for cell in statement.cells if cell not in known)
    mines = sum(1 for cell in statement.cells if known.get(cell))
    return Statement(statement.clue, cells, statement.least - mines, statement.most - mines)


class Reading:
    """The statements of a position. Each is read when it is first needed."""

    def __init__(self, observation: Observation) -> None:
        """Prepare to read a position."""
        self.observation = observation
        self.grid = observation.grid
        self._statements: dict[int, Statement] = {}
        self._near: dict[int, tuple[int, ...]] = {}

    def statement(self, clue: int) -> Statement:
        """Return the statement of a clue, or of the mine count about all unopened cells."""
        found = self._statements.get(clue)
        if found is None:
            found = self._statements[clue] = self._read(clue)
        return found

    def near(self, cell: int) -> tuple[int, ...]:
        """Return the clues next to a cell, in row order."""
        found = self._near.get(cell)
        if found is None:
            shown = self.observation.shown
            found = tuple(i for i in self.grid.neighbours(cell) if shown[i] < UNOPENED)
            self._near[cell] = found
        return found

    @property
    def knows_mines(self) -> bool:
        """Whether the number of mines is known."""
        return self.observation.rules.mines is not None

    @cached_property
    def clues(self) -> list[int]:
        """All clues, in row order."""
        return [index for index, code in enumerate(self.observation.shown) if code < UNOPENED]

    def mines_shown(self, clue: int) -> int:
        """Return the number of mines that are shown around a clue."""
        shown = self.observation.shown
        return sum(shown[index] == EXPLODED for index in self.grid.neighbours(clue))

    def fits(self, layout: bytes) -> bool:
        """Return whether a layout fits every clue and the mine count."""
        clues = [*self.clues, MINE_COUNT] if self.knows_mines else self.clues
        return all(
            one.least <= sum(layout[cell] for cell in one.cells) <= one.most
            for one in map(self.statement, clues)
        )

    def _read(self, clue: int) -> Statement:
        seen = self.observation
        if clue != MINE_COUNT:
            return read_clue(seen.rules.clues, seen.shown, clue, self.grid.neighbours(clue))
        assert seen.rules.mines is not None
        left = seen.rules.mines - seen.hits
        return Statement(MINE_COUNT, seen.unopened, left, left)
