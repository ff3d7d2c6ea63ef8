"""What each clue of a position says: how many mines are among its unopened neighbours.

A statement is about all unopened neighbours of a clue, also about those that other clues
prove. Only mines that are shown are taken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.clue_graph import MINE_COUNT, Statement, read_clue


def without_known(statement: Statement, known: Mapping[int, bool]) -> Statement:
    """Return what a statement says of the cells that are not known."""
    cells = tuple(cell for cell in statement.cells if cell not in known)
    mines = sum(1 for cell in statement.cells if known.get(cell))
    return Statement(statement.clue, cells, statement.least - mines, statement.most - mines)


class Reading:
    """The statements of a position, read when they are asked for."""

    def __init__(self, observation: Observation) -> None:
        """Prepare to read a position."""
        self.observation = observation
        self.grid = observation.grid
        self._statements: dict[int, Statement] = {}
        self._near: dict[int, tuple[int, ...]] = {}

    def statement(self, clue: int) -> Statement:
        """Return what a clue says, or what the mine count says of all unopened cells."""
        found = self._statements.get(clue)
        if found is None:
            found = self._mine_count() if clue == MINE_COUNT else self._read(clue)
            self._statements[clue] = found
        return found

    def near(self, cell: int) -> tuple[int, ...]:
        """Return the clues next to an unopened cell, in row order."""
        found = self._near.get(cell)
        if found is None:
            shown = self.observation.shown
            found = tuple(i for i in self.grid.neighbours(cell) if shown[i] < UNOPENED)
            self._near[cell] = found
        return found

    def knows_mines(self) -> bool:
        """Return whether the number of mines is known."""
        return self.observation.rules.mines is not None

    @cached_property
    def clues(self) -> list[int]:
        """All clues, in row order."""
        return [index for index, code in enumerate(self.observation.shown) if code < UNOPENED]

    def mines_shown(self, clue: int) -> int:
        """Count the mines that are shown around a clue."""
        shown = self.observation.shown
        return sum(shown[index] == EXPLODED for index in self.grid.neighbours(clue))

    def is_true_in(self, layout: bytes) -> bool:
        """Return whether a layout fits every clue and the mine count."""
        asked = [*self.clues, MINE_COUNT] if self.knows_mines() else self.clues
        for statement in map(self.statement, asked):
            mines = sum(layout[cell] for cell in statement.cells)
            if not statement.least <= mines <= statement.most:
                return False
        return True

    def _read(self, clue: int) -> Statement:
        seen = self.observation
        return read_clue(seen.rules.clues, seen.shown, clue, self.grid.neighbours(clue))

    def _mine_count(self) -> Statement:
        mines = self.observation.rules.mines
        assert mines is not None
        left = mines - self.observation.hits
        return Statement(MINE_COUNT, self.observation.unopened, left, left)
