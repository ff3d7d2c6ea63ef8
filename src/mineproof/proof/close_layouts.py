"""Layouts that fit a few statements and are close to a known layout.

First the cells of these statements are filled. Cells in the same statements are interchangeable, so
the search is over the number of mines in each such group. Then the known layout, which violates no
clue, is changed to match the filling. Finally other cells are changed as long as that reduces the
number of violated clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import gt
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.constraints import group_by_clues
from mineproof.proof.statements import Reading

NODES = 20_000
"""Maximum number of groups that one search fills."""
ROUNDS = 30
"""Maximum number of improvements to a layout."""
SPARE = 12
"""Maximum number of other cells to swap a mine with, if the mine count must hold."""
Score = tuple[int, int]
"""The number of violated clues, and the total number of mines by which they are wrong."""


class Group(NamedTuple):
    """Cells that are in the same statements."""

    cells: list[int]
    statements: tuple[int, ...]
    """The indices of these statements."""
    size: int
    mines: int
    """Number of mines that the known layout has among the cells."""


Filling = list[tuple[Group, int]]
"""Groups, each with its number of mines."""


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
    statements = [reading.statement(clue) for clue in clues]
    groups = _make_groups(statements, base, target)
    least = [s.least for s in statements]
    most = [s.most for s in statements]
    for index, statement in enumerate(statements):
        if mined and (statement.clue == MINE_COUNT or target in statement.cells):
            least[index] -= 1
            most[index] -= 1
    counts = _find_counts(groups, least, most)
    return None if counts is None else list(zip(groups, counts, strict=True))


def _make_groups(statements: Sequence[Statement], base: bytes, target: int) -> list[Group]:
    """Group the cells of statements.

    If the mine count is used, all other cells form one more group.
    """
    found: dict[int, list[int]] = {}
    for index, statement in enumerate(statements):
        if statement.clue != MINE_COUNT:
            for cell in statement.cells:
                found.setdefault(cell, []).append(index)
    found.pop(target, None)
    total = len(statements) - 1 if statements and statements[-1].clue == MINE_COUNT else None
    extra = () if total is None else (total,)
    groups = [
        Group(cells, key + extra, len(cells), sum(base[cell] for cell in cells))
        for key, cells in group_by_clues(found).items()
    ]
    if total is not None:
        whole = statements[total]
        taken = sum(group.mines for group in groups) + base[target]
        size = len(whole.cells) - sum(group.size for group in groups) - 1
        groups.append(Group([], extra, size, whole.most - taken))
    return groups


def _find_counts(groups: list[Group], least: list[int], most: list[int]) -> list[int] | None:
    """Fill the groups one by one, and backtrack if a statement can no longer be true.

    Args:
        groups: the groups.
        least: the number of mines that each statement still needs.
        most: the number of mines that each statement still allows.
    """
    later = _room_later(groups, least, most)
    if later is None:
        return None
    counts: list[int] = []
    options: list[Iterator[int]] = []  # numbers not tried yet, per filled group
    left = NODES
    while len(counts) < len(groups):
        if len(options) == len(counts):
            left -= 1
            if left < 0:
                raise WorkLimitError(f"no layout found within {NODES} steps")
            options.append(_options(groups[len(counts)], later[len(counts)], least, most))
        count = next(options[-1], None)
        if count is not None:
            counts.append(count)
        else:
            options.pop()
            if not options:
                return None
            count = -counts.pop()
        for statement in groups[len(options) - 1].statements:
            least[statement] -= count
            most[statement] -= count
    return counts


def _room_later(
    groups: list[Group], least: list[int], most: list[int]
) -> list[tuple[int, ...]] | None:
    """Return, for each statement of each group, its number of cells in later groups.

    Return None if some statement cannot be true at all.
    """
    room = [0] * len(least)
    later = []
    for group in reversed(groups):
        later.append(tuple(room[statement] for statement in group.statements))
        for statement in group.statements:
            room[statement] += group.size
    if min(most, default=0) < 0 or any(map(gt, least, room)):
        return None
    return later[::-1]


def _options(
    group: Group, later: tuple[int, ...], least: list[int], most: list[int]
) -> Iterator[int]:
    """Return the possible numbers of mines in a group, those closest to the known layout first."""
    needed = (least[one] - room for one, room in zip(group.statements, later, strict=True))
    low = max(0, *needed)
    high = min(group.size, *(most[one] for one in group.statements))
    return iter(sorted(range(low, high + 1), key=lambda count: abs(count - group.mines)))


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
        self.found: dict[int, int] = {}
        self.over: dict[int, int] = {}
        self._keeps_count = bool(clues) and clues[-1] == MINE_COUNT
        self._group: dict[int, int] = {}
        self._members: list[list[int]] = []

    def run(self, filling: Filling, mined: bool) -> frozenset[int]:
        """Change the layout to match a filling; return the clues that it violates."""
        if self.base[self.target] != mined:
            self._flip(self.target)
        self._members = [group.cells for group, _ in filling]
        for number, cells in enumerate(self._members):
            self._group.update(dict.fromkeys(cells, number))
        for number, (group, count) in enumerate(filling):
            self._adjust(number, count - group.mines)
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
            others = self._members[number]
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
