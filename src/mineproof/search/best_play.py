"""The chance of winning under best play, for a position that can be divided into groups.

A region whose number of mines is fixed, by itself or by the other regions, is a separate group. A
group can be played as a separate game. All other regions together form one more group. The chance
of winning the position is the product of the chances of its groups.

A group with several regions has a lower and an upper bound. The lower bound is the value of
finishing one region after the other: the first region is searched, and each of its layouts is
weighted by the value of the other regions with the remaining mines. The upper bound assumes that
the player knows how many mines each region has, and so plays each region as a separate game. If
both bounds are equal, the value is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from mineproof.core.errors import WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.search.endgame import MINE, Endgame
from mineproof.search.layouts import DividedPosition, Region

MOST_VARIED = 8
"""Find the possible numbers of mines of all regions only if there are at most this many regions."""
MOST_REGIONS = 4
"""Search for the best order of regions only in groups with at most this many regions."""


@dataclass(frozen=True)
class ListedRegion:
    """A region with its layouts, by number of mines."""

    region: Region
    rows: dict[int, list[bytes]]


@dataclass(frozen=True)
class RegionsValue:
    """The value of finishing the regions in the best order."""

    won: int
    exact: bool
    cell: int
    """The first move in that order, or -1 if no move is left. The lowest risk breaks ties."""
    risk: float


class JointRegions:
    """Best play in regions that are linked only by their total number of mines.

    A set of regions is an integer, one bit per region.
    """

    def __init__(self, regions: Sequence[ListedRegion], mines: int, budget: Budget) -> None:
        """Set the regions, their total number of mines, and the budget for all searches."""
        self._regions = regions
        self._mines = mines
        self._budget = budget
        self._all = (1 << len(regions)) - 1
        self._separate: dict[tuple[int, int], int] = {}
        self._in_turn: dict[tuple[int, int], int] = {}

    @property
    def layouts(self) -> int:
        """The number of layouts."""
        return self._ways(self._all, self._mines)

    @cached_property
    def best(self) -> RegionsValue:
        """The value of the best order of finishing the regions.

        Raises:
            WorkLimitError: the search exceeds the budget.
        """
        won, chosen, risk = 0, -1, 1.0
        for number, listed in enumerate(self._regions):
            move = self._game(number, self._all ^ 1 << number, self._mines).best()
            danger = 1.0 if move.cell < 0 else self._risk(number, move.cell)
            if move.value > won or (move.value == won and danger < risk):
                cell = move.cell if move.cell < 0 else listed.region.cells[move.cell]
                won, chosen, risk = move.value, cell, danger
        exact = len(self._regions) == 1 or won == self._most(self._all, self._mines)
        return RegionsValue(won, exact, chosen, risk)

    def moves(self) -> Iterator[tuple[int, int]]:
        """Yield (cell, value) for each move whose value is exact.

        Raises:
            WorkLimitError: the search exceeds the budget.
        """
        for number, listed in enumerate(self._regions):
            rest = self._all ^ 1 << number
            moves = self._game(number, rest, self._mines).all()
            most = self._most_by_move(number) if rest else [move.value for move in moves]
            for cell, move in zip(listed.region.cells, moves, strict=True):
                if move.value == most[move.cell]:
                    yield cell, move.value

    def _game(self, first: int, rest: int, mines: int) -> Endgame:
        """Return a region as a game. Layouts are weighted by the value of the other regions."""
        listed = self._regions[first]
        if not rest:
            return Endgame(listed.rows[mines], budget=self._budget)
        rows: list[bytes] = []
        weights: list[int] = []
        for share, found in listed.rows.items():
            left = self._finish(rest, mines - share)
            if left:
                rows += found
                weights += [left] * len(found)
        return Endgame(rows, weights, self._budget)

    def _finish(self, regions: int, mines: int) -> int:
        """Return the value of finishing regions with `mines` mines in the best order."""
        first, rest = _split(regions)
        if not rest:
            return self._separate_value(first, mines)
        if not self._ways(regions, mines):
            return 0
        key = regions, mines
        if key not in self._in_turn:
            self._in_turn[key] = max(
                self._game(number, regions ^ 1 << number, mines).best().value
                for number in range(len(self._regions))
                if regions >> number & 1
            )
        return self._in_turn[key]

    def _separate_value(self, number: int, mines: int) -> int:
        """Return the value of a region, given its number of mines."""
        if mines not in self._regions[number].rows:
            return 0
        key = number, mines
        if key not in self._separate:
            self._separate[key] = self._game(number, 0, mines).best().value
        return self._separate[key]

    def _most(self, regions: int, mines: int) -> int:
        """Return an upper bound on the value, as if each region's number of mines were known."""
        first, rest = _split(regions)
        if not rest:
            return self._separate_value(first, mines)
        return sum(
            self._separate_value(first, share) * others
            for share in self._regions[first].rows
            if (others := self._most(rest, mines - share))
        )

    def _most_by_move(self, number: int) -> list[int]:
        """Return, for each cell of a region, an upper bound on the value of opening it next."""
        listed, rest = self._regions[number], self._all ^ 1 << number
        sums = [0] * len(listed.region.cells)
        for share in listed.rows:
            others = self._most(rest, self._mines - share)
            if others:
                for move in self._game(number, 0, share).all():
                    sums[move.cell] += move.value * others
        return sums

    def _ways(self, regions: int, mines: int) -> int:
        if not regions:
            return int(not mines)
        first, rest = _split(regions)
        region = self._regions[first].region
        return sum(
            region.ways.count(share) * self._ways(rest, mines - share) for share in region.shares
        )

    def _risk(self, number: int, cell: int) -> float:
        rest = self._all ^ 1 << number
        mined = sum(
            sum(row[cell] == MINE for row in rows) * self._ways(rest, self._mines - share)
            for share, rows in self._regions[number].rows.items()
        )
        return mined / self.layouts


@dataclass
class Winning:
    """The result of a search for best play."""

    win: Fraction | None = Fraction(1)
    """The chance of winning; None if unknown. A value that is not exact is a lower bound."""
    exact: bool = True
    cell: int = -1
    """A best move if the search found one, otherwise -1."""
    risk: float = 1.0
    """The risk of that move."""
    moves: dict[int, Fraction] = field(default_factory=dict)
    """The chance of winning with each move whose chance is exact."""


@dataclass(frozen=True)
class RegionGroup:
    """Regions with a known total number of mines."""

    regions: list[Region]
    mines: int

    def joined(self, limit: int) -> RegionGroup:
        """Return the group with small regions joined, as long as their layouts can be listed."""
        regions = self.regions
        while len(regions) > 1 and _can_join(regions):
            regions = sorted(regions, key=lambda region: region.layouts)
            first, second, *others = regions
            both = first.join(second).narrow(_product(others), self.mines)
            if both.layouts > limit:
                break
            regions = [both, *others]
        return RegionGroup(regions, self.mines)


def solve_groups(position: DividedPosition, limit: int, moves: bool, budget: Budget) -> Winning:
    """Return best play for a position, solved group by group.

    Args:
        position: the position.
        limit: the maximum number of layouts to list at a time.
        moves: whether to return all moves.
        budget: the limit on the work. If it is reached, the results so far are returned.
    """
    answer = Winning()
    solved: list[JointRegions] = []
    try:
        for group in divide(position.regions, position.mines):
            # Joined regions give every move a value. Separate regions take less work.
            found = _solve_group(position, group.joined(limit) if moves else group, limit, budget)
            _multiply(found, answer)
            solved += [found] if found else []
    except WorkLimitError:
        answer.win = None
    answer.exact = answer.exact and answer.win is not None
    if moves and answer.exact:
        answer.moves = _moves(solved, answer.win or Fraction(0))
    return answer


def divide(regions: Sequence[Region], mines: int) -> list[RegionGroup]:
    """Divide a position into groups."""
    groups = [RegionGroup([region], region.ways.least) for region in regions if region.is_fixed]
    varied = [region for region in regions if not region.is_fixed]
    mines -= sum(group.mines for group in groups)
    if _can_join(varied):
        varied = [
            region.narrow(_product(varied[:number] + varied[number + 1 :]), mines)
            for number, region in enumerate(varied)
        ]
        fixed = [RegionGroup([region], region.ways.least) for region in varied if region.is_fixed]
        varied = [region for region in varied if not region.is_fixed]
        mines -= sum(group.mines for group in fixed)
        groups += fixed
    return [*groups, RegionGroup(varied, mines)] if varied else groups


def _can_join(regions: Sequence[Region]) -> bool:
    return len(regions) <= MOST_VARIED and not any(region.is_endless for region in regions)


def _product(regions: Sequence[Region]) -> Polynomial:
    product = ONE
    for region in regions:
        product *= region.ways
    return product


def _solve_group(
    position: DividedPosition, group: RegionGroup, limit: int, budget: Budget
) -> JointRegions | None:
    """Solve a group, joining its regions only if necessary."""
    found = _attempt(position, group, limit, budget)
    joined = group.joined(limit)
    if (found and found.best.exact) or len(joined.regions) == len(group.regions):
        return found
    return _attempt(position, joined, limit, budget) or found


def _attempt(
    position: DividedPosition, group: RegionGroup, limit: int, budget: Budget
) -> JointRegions | None:
    if len(group.regions) > MOST_REGIONS:
        return None
    listed = []
    for region in group.regions:
        rows = position.rows(region, limit)
        if rows is None:
            return None
        listed.append(ListedRegion(region, rows))
    return JointRegions(listed, group.mines, budget)


def _multiply(solved: JointRegions | None, answer: Winning) -> None:
    """Multiply the chance of winning by the chance of winning a group."""
    if solved is None:
        answer.win = None
        return
    best = solved.best
    if answer.win is not None:
        answer.win *= Fraction(best.won, solved.layouts)
    answer.exact = answer.exact and best.exact
    safer = answer.cell < 0 or (best.risk, best.cell) < (answer.risk, answer.cell)
    if best.exact and best.cell >= 0 and safer:
        answer.cell, answer.risk = best.cell, best.risk


def _moves(solved: Sequence[JointRegions], win: Fraction) -> dict[int, Fraction]:
    """Return all moves of all groups, or none if the budget is exceeded."""
    moves = {}
    try:
        for group in solved:
            for cell, won in group.moves():
                moves[cell] = win * won / group.best.won
    except WorkLimitError:
        return {}
    return dict(sorted(moves.items()))


def _split(regions: int) -> tuple[int, int]:
    """Split a set of regions into the number of its first region and the remaining set."""
    return (regions & -regions).bit_length() - 1, regions & regions - 1
