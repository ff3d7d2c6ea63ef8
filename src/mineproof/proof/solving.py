"""A layout that agrees with a few statements, as close to a known layout as it comes.

Cells that occur in the same statements are interchangeable, so the search is over how many
mines each such group holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError
from mineproof.inference.constraints import group_by_clues
from mineproof.proof.statements import MINE_COUNT, Reading, Statement

NODES = 20_000
"""Groups that one search may try to fill."""


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
        return self.counts if self._fill(0) else None

    def _fill(self, number: int) -> bool:
        if number == len(self.groups):
            return True
        self.left -= 1
        if self.left < 0:
            raise WorkLimitError("expected a layout after fewer steps, got none")
        group = self.groups[number]
        least, most, room = self.least, self.most, self.room
        low = max(0, *(least[p] - room[p] + group.size for p in group.inside))
        high = min(group.size, *(most[p] for p in group.inside))
        for place in group.inside:
            room[place] -= group.size
        for count in sorted(range(low, high + 1), key=lambda count: abs(count - group.mines)):
            self._take(group, count)
            if self._fill(number + 1):
                self.counts[number] = count
                return True
            self._take(group, -count)
        for place in group.inside:
            room[place] += group.size
        return False

    def _take(self, group: Group, count: int) -> None:
        for place in group.inside:
            self.least[place] -= count
            self.most[place] -= count
