"""From a filling of a few cells to a layout of the whole board that breaks few clues.

The layout starts as a known one, which breaks no clue. What the filling wants differently is
changed, and then other cells are changed as long as that breaks fewer clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from mineproof.proof.solving import Filling
from mineproof.proof.statements import MINE_COUNT, Reading

ROUNDS = 30
"""Improvements at most."""
SPARE = 12
"""Cells elsewhere that are tried to make up for a mine, where the mine count is given."""

Score = tuple[int, int]
"""How many clues are broken, and by how many mines."""


class Repair:
    """A layout close to a known one, and the clues that it breaks."""

    def __init__(self, reading: Reading, base: bytes, clues: Sequence[int], target: int) -> None:
        """Begin with the known layout.

        Args:
            reading: the position.
            base: a layout that breaks no clue.
            clues: those that must not be broken, perhaps the mine count too.
            target: the cell whose value is given.
        """
        self.reading = reading
        self.base = base
        self.clues = clues
        self.target = target
        self.changed: set[int] = set()
        self.found: dict[int, int] = {}
        self.over: dict[int, int] = {}
        self._keeps_count = bool(clues) and clues[-1] == MINE_COUNT
        self._group: dict[int, int] = {}
        self._members: list[list[int]] = []

    def run(self, filling: Filling, mined: bool) -> frozenset[int]:
        """Make the layout and give the clues that it breaks."""
        if self.base[self.target] != mined:
            self._flip(self.target)
        self._members = [group.cells for group in filling.groups]
        for number, group in enumerate(filling.groups):
            for cell in group.cells:
                self._group[cell] = number
        for number, count in enumerate(filling.counts):
            self._adjust(number, count - filling.groups[number].mines)
        for _ in range(ROUNDS):
            if not self.over or not self._improve():
                break
        return frozenset(self.over)

    def _mined(self, cell: int) -> bool:
        return bool(self.base[cell]) != (cell in self.changed)

    def _adjust(self, number: int, more: int) -> None:
        """Change so many cells of a group, each time the one that breaks the fewest clues."""
        for _ in range(abs(more)):
            cells = self._members[number] or self._elsewhere(more < 0)
            options = [cell for cell in cells if self._mined(cell) == (more < 0)]
            self._flip(min(options, key=self._cost))

    def _elsewhere(self, mined: bool) -> list[int]:
        """Give some cells outside the filling with a value, those without clues first."""
        unopened = self.reading.observation.unopened
        some = (cell for cell in unopened if self._is_spare(cell, mined))
        free = list(islice((cell for cell in some if not self.reading.near(cell)), 1))
        if free:
            return free
        return list(islice((c for c in unopened if self._is_spare(c, mined)), SPARE))

    def _is_spare(self, cell: int, mined: bool) -> bool:
        return cell not in self._group and cell != self.target and self._mined(cell) == mined

    def _improve(self) -> bool:
        """Make the change that helps most; False if none does."""
        best: tuple[Score, tuple[int, ...]] = ((0, 0), ())
        for cells in self._changes():
            score = self._cost_of(cells)
            if score < best[0]:
                best = score, cells
        for cell in best[1]:
            self._flip(cell)
        return bool(best[1])

    def _changes(self) -> Iterator[tuple[int, ...]]:
        """List the changes that bring a broken clue closer and keep the filling."""
        seen: set[int] = set()
        for clue, over in list(self.over.items()):
            for cell in self.reading.statement(clue).cells:
                if cell not in seen and cell != self.target and self._mined(cell) == (over > 0):
                    seen.add(cell)
                    yield from self._changes_of(cell)

    def _changes_of(self, cell: int) -> Iterator[tuple[int, ...]]:
        number = self._group.get(cell)
        if number is not None:
            others = self._members[number]
        elif self._keeps_count:
            others = self._elsewhere(not self._mined(cell))
        else:
            yield (cell,)
            return
        value = self._mined(cell)
        yield from ((cell, other) for other in others if self._mined(other) != value)

    def _cost(self, cell: int) -> tuple[Score, int]:
        return self._cost_of((cell,)), cell

    def _cost_of(self, cells: tuple[int, ...]) -> Score:
        """Give how many clues more would be broken after a change, and by how many mines."""
        moved: dict[int, int] = {}
        for cell in cells:
            step = -1 if self._mined(cell) else 1
            for clue in self.reading.near(cell):
                moved[clue] = moved.get(clue, 0) + step
        broken = mines = 0
        for clue, step in moved.items():
            before, after = self.over.get(clue, 0), self._excess(clue, step)
            broken += (after != 0) - (before != 0)
            mines += abs(after) - abs(before)
        return broken, mines

    def _excess(self, clue: int, step: int) -> int:
        """Give how many mines a clue has too many (or too few, negative) after a change."""
        statement = self.reading.statement(clue)
        found = self.found.get(clue)
        if found is None:
            found = sum(self.base[cell] for cell in statement.cells)
            self.found[clue] = found
        found += step
        return max(found - statement.most, 0) or min(found - statement.least, 0)

    def _flip(self, cell: int) -> None:
        step = -1 if self._mined(cell) else 1
        for clue in self.reading.near(cell):
            excess = self._excess(clue, step)
            self.found[clue] += step
            if excess:
                self.over[clue] = excess
            else:
                self.over.pop(clue, None)
        self.changed ^= {cell}
