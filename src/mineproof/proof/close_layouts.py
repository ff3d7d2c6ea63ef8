"""Layouts that fit a few statements and are close to a known layout.

First the cells of these statements are filled, starting the search at the known layout. Then that
layout, which violates no clue, is changed to match the filling. Finally other cells are changed as
long as that reduces the number of violated clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.inference.backtracking import Search
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.proof.statements import Reading

STEPS = 20_000
"""Maximum number of steps of the search for a filling."""
ROUNDS = 30
"""Maximum number of improvements to a layout."""
SPARE = 12
"""Maximum number of other cells to swap a mine with, if the mine count must hold."""
Score = tuple[int, int]
"""The number of violated clues, and the total number of mines by which they are wrong."""


Filling = list[tuple[tuple[int, ...], int]]
"""Groups of cells that are in the same statements, each with how many mines to add.

The cells that only the mine count mentions are an empty group."""


def fill(
    reading: Reading, clues: Sequence[int], base: bytes, target: int, mined: bool
) -> Filling | None:
    """Fill the cells of some statements so that all are true and the target has a given value.

    Args:
        reading: the position.
        clues: the clues whose statements must hold; `MINE_COUNT`, if present, is last.
        base: a layout to stay close to.
        target: the cell whose value is given.
        mined: that value.

    Returns:
        None if there is no such filling.

    Raises:
        WorkLimitError: the search takes too many steps.
    """
    if not clues:
        return []
    given = Statement(target, (target,), mined, mined)
    search = Search([*map(reading.statement, clues), given], limit=STEPS)
    state = search.state
    old = [sum(map(base.__getitem__, cells)) for cells in state.boxes]
    state.prefer(old)
    if search.find() is not None:
        return None
    counted = (len(clues) - 1,) if clues and clues[-1] == MINE_COUNT else None
    return [
        (() if touching == counted else cells, new - before)
        for cells, touching, new, before in zip(
            state.boxes, state.touching, state.values, old, strict=True
        )
        if cells != (target,)
    ]


class Repair:
    """A layout close to a known one, and the clues that it violates."""

    def __init__(self, reading: Reading, base: bytes, clues: Sequence[int], target: int) -> None:
        """Start with the known layout.

        Args:
            reading: the position.
            base: a layout that violates no clue.
            clues: the clues that must hold; `MINE_COUNT`, if present, is last.
            target: the cell whose value is given.
        """
        self.reading = reading
        self.base = base
        self.target = target
        self.changed: set[int] = set()
        self._found: dict[int, tuple[int, int]] = {}
        """For each clue, its mines minus the most that it allows, and minus the fewest."""
        self.over: dict[int, int] = {}
        self._keeps_count = bool(clues) and clues[-1] == MINE_COUNT
        self._group: dict[int, int] = {}
        self._members: list[Sequence[int]] = []

    def run(self, filling: Filling, mined: bool) -> frozenset[int]:
        """Change the layout to match a filling; return the clues that it violates."""
        if self.base[self.target] != mined:
            self._flip(self.target)
        self._members = [cells for cells, _ in filling]
        for number, cells in enumerate(self._members):
            self._group.update(dict.fromkeys(cells, number))
        for number, (_, more) in enumerate(filling):
            self._adjust(number, more)
        for _ in range(ROUNDS):
            if not self.over or not self._improve():
                break
        return frozenset(self.over)

    def _mined(self, cell: int) -> bool:
        return bool(self.base[cell]) != (cell in self.changed)

    def _adjust(self, number: int, more: int) -> None:
        """Add mines to a group, or remove some, choosing cells that violate the fewest clues."""
        for _ in range(abs(more)):
            cells = self._members[number] or self._elsewhere(more < 0)
            options = [cell for cell in cells if self._mined(cell) == (more < 0)]
            self._flip(min(options, key=lambda cell: (self._cost((cell,)), cell)))

    def _elsewhere(self, mined: bool) -> list[int]:
        """Return a cell outside the filling with this value and no clues, or else several cells."""
        spare: list[int] = []
        for cell in self.reading.observation.unopened:
            if cell not in self._group and cell != self.target and self._mined(cell) == mined:
                if not self.reading.near(cell):
                    return [cell]
                spare.append(cell)
        return spare[:SPARE]

    def _improve(self) -> bool:
        """Make the change that helps most; return False if none helps."""
        best: tuple[Score, tuple[int, ...]] = ((0, 0), ())
        for cells in self._changes():
            score = self._cost(cells)
            if score < best[0]:
                best = score, cells
        for cell in best[1]:
            self._flip(cell)
        return bool(best[1])

    def _changes(self) -> Iterator[tuple[int, ...]]:
        """Yield changes that bring a violated clue closer to its number and keep the filling."""
        seen: set[int] = set()
        for clue, over in list(self.over.items()):
            for cell in self.reading.statement(clue).cells:
                if cell not in seen and cell != self.target and self._mined(cell) == (over > 0):
                    seen.add(cell)
                    yield from self._changes_of(cell)

    def _changes_of(self, cell: int) -> Iterator[tuple[int, ...]]:
        number = self._group.get(cell)
        if number is not None:
            others: Sequence[int] = self._members[number]
        elif self._keeps_count:
            others = self._elsewhere(not self._mined(cell))
        else:
            yield (cell,)
            return
        value = self._mined(cell)
        yield from ((cell, other) for other in others if self._mined(other) != value)

    def _cost(self, cells: tuple[int, ...]) -> Score:
        """Return how a change would affect the violation of the clues around it."""
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
        """Return the surplus of mines around a clue after a change; negative if too few."""
        found = self._found.get(clue)
        if found is None:
            statement = self.reading.statement(clue)
            mines = sum(map(self.base.__getitem__, statement.cells))
            found = self._found[clue] = mines - statement.most, mines - statement.least
        over, under = found[0] + step, found[1] + step
        return over if over > 0 else under if under < 0 else 0

    def _flip(self, cell: int) -> None:
        step = -1 if self._mined(cell) else 1
        for clue in self.reading.near(cell):
            excess = self._excess(clue, step)
            over, under = self._found[clue]
            self._found[clue] = over + step, under + step
            if excess:
                self.over[clue] = excess
            else:
                self.over.pop(clue, None)
        self.changed ^= {cell}
