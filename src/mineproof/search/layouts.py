"""Divides a position into regions, and lists their layouts.

Two unopened neighbours are connected if one of them can be a mine, because the other may show it.
All cells around a clue are connected too. A *region* is a set of connected cells. Opening cells in
a region says nothing about other regions except how many mines are left for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb

from mineproof.core.clues import EXPLODED
from mineproof.core.grid import Grid
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Constraints, read_constraints
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.inference.counting.reference import count_components
from mineproof.inference.counting.table import CountTable
from mineproof.inference.local import ImpossibleError
from mineproof.search.endgame import MINE

LARGE = 900
"""Do not count regions with more than this many cells that can be mines."""
ENDLESS = 1 << 2 * LARGE
"""The number of layouts assumed for such a region, for any number of mines. It is too large to
list."""

Supports = list[dict[int, int]]
"""For each state of each layer of a component, the possible numbers of further mines."""


@dataclass(frozen=True)
class Region:
    """Unopened cells whose clues do not depend on cells outside the region."""

    cells: tuple[int, ...]
    """The unopened cells that are not proved mines, in increasing order."""
    tables: tuple[CountTable, ...]
    """The counted components of the region."""
    inside: tuple[int, ...]
    """The cells that can be mines and have no clue next to them."""
    ways: Polynomial
    """The number of layouts by number of mines."""

    @property
    def is_fixed(self) -> bool:
        """Whether only one number of mines is possible."""
        return len(self.ways.counts) == 1

    @property
    def is_endless(self) -> bool:
        """Whether the region is too large to be counted."""
        return self.ways.counts[0] == ENDLESS

    @cached_property
    def layouts(self) -> int:
        """The number of layouts."""
        return sum(self.ways.counts)

    @property
    def shares(self) -> list[int]:
        """The possible numbers of mines."""
        return [mines for mines, count in enumerate(self.ways.counts, self.ways.least) if count]

    def join(self, other: Region) -> Region:
        """Return the union of both regions."""
        return Region(
            tuple(sorted(self.cells + other.cells)),
            self.tables + other.tables,
            self.inside + other.inside,
            self.ways * other.ways,
        )

    def narrow(self, around: Polynomial, mines: int) -> Region:
        """Return the region without the numbers of mines that the other regions rule out."""
        counts = [
            count if around.count(mines - share) else 0
            for share, count in enumerate(self.ways.counts, self.ways.least)
        ]
        return replace(self, ways=Polynomial(self.ways.least, counts).trimmed())


class DividedPosition:
    """A position with exact clues, divided into regions."""

    def __init__(self, observation: Observation, budget: Budget | None = None) -> None:
        """Read and count a position.

        Raises:
            ImpossibleError: no layout fits the position.
            WorkLimitError: the components have too many states.
        """
        grid = observation.grid
        found = read_constraints(observation.shown, grid, observation.rules.clues)
        shown = (index for index, code in enumerate(observation.shown) if code == EXPLODED)
        known = (*found.mined, *shown)
        assert observation.rules.mines is not None
        self.mines = observation.rules.mines - len(known)
        """The number of mines that have not been located."""
        self._near = {cell: _bits(grid.neighbours(cell)) for cell in _unopened(found)}
        self._known = _bits(known)
        work = (budget or Budget()).counting()
        tables = count_components(found.components, observation.rules.columns, work)
        self.regions = _regions(found, tables, grid)
        """The regions, in the order of their lowest cells."""
        if not any(region.is_endless for region in self.regions) and not self.whole().layouts:
            raise ImpossibleError

    def whole(self) -> Region:
        """Return all cells as one region, with the number of mines left."""
        whole = Region((), (), (), ONE)
        for region in self.regions:
            whole = whole.join(region)
        return whole.narrow(ONE, self.mines)

    def rows(self, region: Region, limit: int) -> dict[int, list[bytes]] | None:
        """Return the layouts of a region by number of mines; None if there are more than `limit`.

        A layout lists what each cell would show, or `MINE`.
        """
        if region.layouts > limit:
            return None
        return {
            mines: [self._row(region, layout) for layout in list_layouts(region, mines)]
            for mines in region.shares
        }

    def _row(self, region: Region, layout: int) -> bytes:
        mined = layout | self._known
        return bytes(
            MINE if layout >> cell & 1 else (self._near[cell] & mined).bit_count()
            for cell in region.cells
        )


def list_layouts(region: Region, mines: int) -> Iterator[int]:
    """Yield all layouts of a region with this many mines, as integers with one bit per mine."""
    after = (1 << len(region.inside) + 1) - 1  # possible numbers of mines, one bit each
    supports: list[Supports] = []
    for table in reversed(region.tables):
        supports.append(_supports(table, after))
        after = supports[-1][0][0]
    if after >> mines & 1:
        yield from _walk(region, supports[::-1], 0, mines)


def _walk(region: Region, supports: Sequence[Supports], number: int, mines: int) -> Iterator[int]:
    """Place mines in the components from `number` on, and then in the interior."""
    if number == len(region.tables):
        for chosen in combinations(region.inside, mines):
            yield _bits(chosen)
        return
    for here, layout in _fills(region.tables[number], supports[number], 0, 0, mines):
        for rest in _walk(region, supports, number + 1, mines - here):
            yield layout | rest


def _supports(table: CountTable, after: int) -> Supports:
    """Return, for each state, the numbers of mines that can still be placed, one bit per number.

    `after` holds these bits for everything after the component.
    """
    supports = [dict.fromkeys(table.layers[-1].states, after)]
    for step, layer in zip(reversed(table.steps), reversed(table.layers[:-1]), strict=True):
        following = supports[-1]
        here = {}
        for state in layer.states:
            numbers = 0
            for way in step.known[state & step.mask]:
                numbers |= following.get((state + way.add) & step.keep, 0) << way.mines
            here[state] = numbers
        supports.append(here)
    return supports[::-1]


def _fills(
    table: CountTable, supports: Supports, number: int, state: int, left: int
) -> Iterator[tuple[int, int]]:
    """Yield (mines, layout) for each way to fill the boxes of a component from `number` on.

    Only ways that leave a possible number of mines for the rest are included.
    """
    if number == len(table.steps):
        yield 0, 0
        return
    step = table.steps[number]
    for way in step.known[state & step.mask]:
        target = (state + way.add) & step.keep
        if way.mines > left or not supports[number + 1].get(target, 0) >> left - way.mines & 1:
            continue
        rests = list(_fills(table, supports, number + 1, target, left - way.mines))
        for chosen in combinations(step.box.cells, way.mines):
            layout = _bits(chosen)
            for mines, rest in rests:
                yield mines + way.mines, rest | layout


def _regions(found: Constraints, tables: Sequence[CountTable], grid: Grid) -> list[Region]:
    """Return the regions of connected cells, in the order of their lowest cells."""
    together = [component.cells for component in found.components]
    component_of = {cell: number for number, cells in enumerate(together) for cell in cells}
    inside, safe, left = set(found.interior), set(found.safe), set(_unopened(found))
    regions = []
    for start in sorted(left):
        if start not in left:
            continue
        left.remove(start)
        cells, components = [start], set()
        for cell in cells:
            linked = [i for i in grid.neighbours(cell) if not (cell in safe and i in safe)]
            number = component_of.get(cell)
            if number is not None and number not in components:
                components.add(number)
                linked += together[number]
            new = left.intersection(linked)
            left -= new
            cells += new
        cells.sort()
        counted = tuple(tables[number] for number in sorted(components))
        regions.append(_region(tuple(cells), counted, tuple(i for i in cells if i in inside)))
    return regions


def _region(
    cells: tuple[int, ...], tables: tuple[CountTable, ...], inside: tuple[int, ...]
) -> Region:
    if len(inside) + sum(len(step.box.cells) for table in tables for step in table.steps) > LARGE:
        return Region(cells, tables, inside, Polynomial(0, [ENDLESS, ENDLESS]))
    ways = Polynomial(0, [comb(len(inside), mines) for mines in range(len(inside) + 1)])
    for table in tables:
        ways *= table.polynomial
    return Region(cells, tables, inside, ways.trimmed())


def _unopened(found: Constraints) -> list[int]:
    """Return the unopened cells that are not proved mines, in increasing order."""
    frontier = [cell for component in found.components for cell in component.cells]
    return sorted([*frontier, *found.interior, *found.safe])


def _bits(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)
