"""What each clue of a position says: how many mines are among its unopened neighbours.

A statement is about all unopened neighbours of a clue, also about those that other clues
prove: a proof gets nothing for nothing. Only mines that are shown are taken off.
"""

from __future__ import annotations

from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.clue_graph import MINE_COUNT, Statement, read_clue


class Reading:
    """The statements of a position, read when they are asked for."""

    def __init__(self, observation: Observation) -> None:
        """Prepare to read a position."""
        self.observation = observation
        self.grid = observation.grid
        self._statements: dict[int, Statement] = {}
        self._near: dict[int, tuple[int, ...]] = {}

    def statement(self, clue: int) -> Statement:
        """Give what a clue says, or what the mine count says of all unopened cells."""
        found = self._statements.get(clue)
        if found is None:
            found = self._mine_count() if clue == MINE_COUNT else self._read(clue)
            self._statements[clue] = found
        return found

    def near(self, cell: int) -> tuple[int, ...]:
        """Give the clues next to an unopened cell, in row order."""
        found = self._near.get(cell)
        if found is None:
            shown = self.observation.shown
            found = tuple(i for i in self.grid.neighbours(cell) if shown[i] < UNOPENED)
            self._near[cell] = found
        return found

    def knows_mines(self) -> bool:
        """Say whether the number of mines is known."""
        return self.observation.rules.mines is not None

    def is_true_in(self, layout: bytes) -> bool:
        """Say whether a layout agrees with every clue and with the mine count."""
        shown = self.observation.shown
        clues = [index for index, code in enumerate(shown) if code < UNOPENED]
        asked = [*clues, MINE_COUNT] if self.knows_mines() else clues
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
