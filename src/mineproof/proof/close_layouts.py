"""Layouts that agree with a few statements and are close to a known layout.

First the cells of these statements are filled: cells that occur in the same statements are
interchangeable, so the search is over how many mines each such group holds. Then the known layout,
which breaks no clue, is changed as the filling wants, and other cells are changed as long as that
breaks fewer clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.constraints import group_by_clues
from mineproof.proof.statements import Reading

NODES = 20_000
"""Groups that one search may try to fill."""
ROUNDS = 30
"""Improvements at most."""
SPARE = 12
"""Cells elsewhere that are tried to make up for a mine, where the mine count is given."""
Score = tuple[int, int]
"""How many clues are broken, and by how many mines."""


class Group(NamedTuple):
    """Cells that occur in the same statements."""

    cells: list[int]
    inside: tuple[int, ...]
    """The places of these statements."""
    size: int
    mines: int
    """How many of them the known layout has mined."""


class Filling(NamedTuple):
    """How many mines each group holds."""

    groups: list[Group]
    counts: list[int]


def fill(
    reading: Reading, clues: Sequence[int], base: bytes, target: int, mined: bool
) -> Filling | None:
    """Fill the cells of some statements so that all are true and the target is as told.

    Args:
        reading: the position.
        clues: whose statements; the mine count comes last if it takes part.
        base: a layout to stay close to.
        target: a cell whose value is given.
        mined: that value.

    Returns:
        None if there is no such filling.

    Raises:
        WorkLimitError: the search takes too long.
    """
    statements = [reading.statement(clue) for clue in clues]
    groups = make_groups(statements, base, target)
    least = [s.least for s in statements]
    most = [s.most for s in statements]
    for place, statement in enumerate(statements):
        if mined and (statement.clue == MINE_COUNT or target in statement.cells):
            least[place] -= 1
            most[place] -= 1
    counts = _Search(groups, least, most).run()
    return None if counts is None else Filling(groups, counts)


def make_groups(statements: Sequence[Statement], base: bytes, target: int) -> list[Group]:
    """Group the cells of statements; with the mine count, all other cells are one group more."""
    places: dict[int, list[int]] = {}
    for place, statement in enumerate(statements):
        if statement.clue != MINE_COUNT:
            for cell in statement.cells:
                places.setdefault(cell, []).append(place)
    places.pop(target, None)
    total = len(statements) - 1 if statements and statements[-1].clue == MINE_COUNT else None
    extra = () if total is None else (total,)
    groups = [
        Group(cells, key + extra, len(cells), sum(base[cell] for cell in cells))
        for key, cells in group_by_clues(places).items()
    ]
    if total is not None:
        whole = statements[total]
        taken = sum(group.mines for group in groups) + base[target]
        size = len(whole.cells) - sum(group.size for group in groups) - 1
        groups.append(Group([], extra, size, whole.most - taken))
    return groups


class _Search:
    """Fills group after group, and turns back where a statement cannot come true."""

    def __init__(self, groups: list[Group], least: list[int], most: list[int]) -> None:
        self.groups = groups
        self.least = least
        self.most = most
        self.room = [0] * len(least)
        for group in groups:
            for place in group.inside:
                self.room[place] += group.size
        self.counts = [0] * len(groups)
        self.left = NODES

    def run(self) -> list[int] | None:
        rows = zip(self.least, self.most, self.room, strict=True)
        if any(most < 0 or least > room for least, most, room in rows):
            return None
        waiting: list[Iterator[int]] = []  # what is still to be tried, for each group begun
        while len(waiting) < len(self.groups):
            waiting.append(self._enter(len(waiting)))
            while not self._advance(len(waiting) - 1, waiting[-1]):
                waiting.pop()
                if not waiting:
                    return None
                self._take(self.groups[len(waiting) - 1], -self.counts[len(waiting) - 1])
        return self.counts

    def _enter(self, number: int) -> Iterator[int]:
        """Begin to fill a group; give the counts that are possible, the known layout's first."""
        self.left -= 1
        if self.left < 0:
            raise WorkLimitError("expected a layout after fewer steps, got none")
        group = self.groups[number]
        least, most, room = self.least, self.most, self.room
        low = max(0, *(least[p] - room[p] + group.size for p in group.inside))
        high = min(group.size, *(most[p] for p in group.inside))
        for place in group.inside:
            room[place] -= group.size
        return iter(sorted(range(low, high + 1), key=lambda count: abs(count - group.mines)))

    def _advance(self, number: int, options: Iterator[int]) -> bool:
        """Fill a group with the next count; if there is none, leave it and say so."""
        group = self.groups[number]
        count = next(options, None)
        if count is None:
            for place in group.inside:
                self.room[place] += group.size
            return False
        self.counts[number] = count
        self._take(group, count)
        return True

    def _take(self, group: Group, count: int) -> None:
        for place in group.inside:
            self.least[place] -= count
            self.most[place] -= count


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
