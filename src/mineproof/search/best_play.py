"""The chance of winning under best play, for a position that falls into parts.

A region whose number of mines is fixed, by itself or by what the others can hold, is a part:
a game of its own. All other regions together are one more part. The chances of parts multiply.

In such a part a player who finishes one region after the other wins what a search finds in which
each layout of the first region weighs as much as is won in the others with the mines that it
leaves to them. One who is told how the mines are shared out plays a game of its own in each
region, and no player wins more. Where the two meet, the value is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mineproof.core.errors import WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.search.endgame import MINE, Endgame
from mineproof.search.layouts import DividedPosition, Region

MOST_VARIED = 8
"""So many regions are put together at most."""
MOST_REGIONS = 4
"""So many regions are finished in turn at most."""


@dataclass(frozen=True)
class ListedRegion:
    """A region with its layouts, by their mines."""

    region: Region
    rows: dict[int, list[bytes]]


@dataclass(frozen=True)
class RegionsValue:
    """What is won by the best order of finishing."""

    won: int
    exact: bool
    cell: int
    """The move that begins so, of equal ones that with the least risk; -1: none is left."""
    risk: float


class JointRegions:
    """Best play in some regions that meet in their number of mines alone.

    A set of regions is an integer, one bit per region.
    """

    def __init__(self, regions: Sequence[ListedRegion], mines: int, budget: Budget) -> None:
        """Take regions that hold `mines` together; the searches share the budget."""
        self._regions = regions
        self._mines = mines
        self._budget = budget
        self._all = (1 << len(regions)) - 1
        self._separate: dict[tuple[int, int], int] = {}
        self._in_turn: dict[tuple[int, int], int] = {}

    @property
    def layouts(self) -> int:
        """How many layouts there are."""
        return self._ways(self._all, self._mines)

    def best(self) -> RegionsValue:
        """Find the best order in which to finish the regions.

        Raises:
            WorkLimitError: it takes more work than allowed.
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
        """Yield (cell, won) for each move whose value is exact.

        Raises:
            WorkLimitError: it takes more work than allowed.
        """
        for number, listed in enumerate(self._regions):
            rest = self._all ^ 1 << number
            moves = self._game(number, rest, self._mines).all()
            most = self._most_by_move(number) if rest else [move.value for move in moves]
            for cell, move in zip(listed.region.cells, moves, strict=True):
                if move.value == most[move.cell]:
                    yield cell, move.value

    def _game(self, first: int, rest: int, mines: int) -> Endgame:
        """Make a game of a region, each layout with the weight of what it leaves to the rest."""
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
        """Return what is won by finishing regions in the best order, if they hold so many mines."""
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
        """Return what is won in a region if its number of mines is told."""
        if mines not in self._regions[number].rows:
            return 0
        key = number, mines
        if key not in self._separate:
            self._separate[key] = self._game(number, 0, mines).best().value
        return self._separate[key]

    def _most(self, regions: int, mines: int) -> int:
        """Return what is won at most: all numbers of mines are told."""
        first, rest = _split(regions)
        if not rest:
            return self._separate_value(first, mines)
        return sum(
            self._separate_value(first, share) * others
            for share in self._regions[first].rows
            if (others := self._most(rest, mines - share))
        )

    def _most_by_move(self, number: int) -> list[int]:
        """Return for each cell of a region what is won at most if it is opened next."""
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
    """Best play from a position on."""

    win: Fraction | None = Fraction(1)
    """The chance of winning. If it is not exact, some policy reaches it; None: unknown."""
    exact: bool = True
    cell: int = -1
    """A best move, where one is known; -1: none is."""
    risk: float = 1.0
    """The risk of that move."""
    moves: dict[int, Fraction] = field(default_factory=dict)
    """The chance of winning with each move for which it is exact."""


@dataclass(frozen=True)
class Part:
    """Regions that hold a known number of mines together."""

    regions: list[Region]
    mines: int

    def joined(self, limit: int) -> Part:
        """Join the two smallest regions as long as their layouts can be listed."""
        regions = self.regions
        while len(regions) > 1 and _can_join(regions):
            regions = sorted(regions, key=lambda region: region.layouts)
            first, second, *others = regions
            both = first.join(second).narrow(_product(others), self.mines)
            if both.layouts > limit:
                break
            regions = [both, *others]
        return Part(regions, self.mines)


@dataclass(frozen=True)
class SolvedPart:
    """A part and its value."""

    joint: JointRegions
    best: RegionsValue


def solve_parts(position: DividedPosition, limit: int, moves: bool, budget: Budget) -> Winning:
    """Solve a position part by part.

    Args:
        position: the position.
        limit: how many layouts to list at a time at most.
        moves: whether to give all moves.
        budget: where it ends, what was found so far is returned.
    """
    answer = Winning()
    solved: list[SolvedPart] = []
    try:
        for part in divide(position.regions, position.mines):
            # Joined, all moves get a value; apart it is less work.
            found = _solve_part(position, part.joined(limit) if moves else part, limit, budget)
            _take(found, answer)
            solved += [found] if found else []
    except WorkLimitError:
        answer.win = None
    answer.exact = answer.exact and answer.win is not None
    if moves and answer.exact:
        answer.moves = _moves(solved, answer.win or Fraction(0))
    return answer


def divide(regions: Sequence[Region], mines: int) -> list[Part]:
    """Cut a position into parts."""
    parts = [Part([region], region.ways.least) for region in regions if region.is_fixed]
    varied = [region for region in regions if not region.is_fixed]
    mines -= sum(part.mines for part in parts)
    if _can_join(varied):
        varied = [
            region.narrow(_product(varied[:number] + varied[number + 1 :]), mines)
            for number, region in enumerate(varied)
        ]
        fixed = [Part([region], region.ways.least) for region in varied if region.is_fixed]
        varied = [region for region in varied if not region.is_fixed]
        mines -= sum(part.mines for part in fixed)
        parts += fixed
    return [*parts, Part(varied, mines)] if varied else parts


def _can_join(regions: Sequence[Region]) -> bool:
    return len(regions) <= MOST_VARIED and not any(region.is_endless for region in regions)


def _product(regions: Sequence[Region]) -> Polynomial:
    product = ONE
    for region in regions:
        product *= region.ways
    return product


def _solve_part(
    position: DividedPosition, part: Part, limit: int, budget: Budget
) -> SolvedPart | None:
    """Solve a part; its regions are joined only if they have to be."""
    found = _attempt(position, part, limit, budget)
    joined = part.joined(limit)
    if (found and found.best.exact) or len(joined.regions) == len(part.regions):
        return found
    return _attempt(position, joined, limit, budget) or found


def _attempt(
    position: DividedPosition, part: Part, limit: int, budget: Budget
) -> SolvedPart | None:
    if len(part.regions) > MOST_REGIONS:
        return None
    listed = []
    for region in part.regions:
        rows = position.rows(region, limit)
        if rows is None:
            return None
        listed.append(ListedRegion(region, rows))
    joint = JointRegions(listed, part.mines, budget)
    return SolvedPart(joint, joint.best())


def _take(solved: SolvedPart | None, answer: Winning) -> None:
    """Multiply the chance by that of a part."""
    if solved is None:
        answer.win = None
        return
    best = solved.best
    if answer.win is not None:
        answer.win *= Fraction(best.won, solved.joint.layouts)
    answer.exact = answer.exact and best.exact
    safer = answer.cell < 0 or (best.risk, best.cell) < (answer.risk, answer.cell)
    if best.exact and best.cell >= 0 and safer:
        answer.cell, answer.risk = best.cell, best.risk


def _moves(solved: Sequence[SolvedPart], win: Fraction) -> dict[int, Fraction]:
    """Return all moves of all parts, or none if the work ends."""
    moves = {}
    try:
        for part in solved:
            for cell, won in part.joint.moves():
                moves[cell] = win * won / part.best.won
    except WorkLimitError:
        return {}
    return dict(sorted(moves.items()))


def _split(regions: int) -> tuple[int, int]:
    """Take the first region out of a set: its number, and the rest."""
    return (regions & -regions).bit_length() - 1, regions & regions - 1
