"""The chance of winning under best play, for a position that falls into parts.

A region whose number of mines is fixed, by itself or by what the others can hold, is a part:
a game of its own. All other regions together are one more part. The chances of parts multiply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mineproof.core.errors import WorkLimitError
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.search.endgame import Work
from mineproof.search.layouts import Ground, Region
from mineproof.search.turns import MOST_REGIONS, ListedRegion, Turns, Value

MOST_VARIED = 8
"""So many regions are put together at most."""


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
class Solved:
    """A part and its value."""

    turns: Turns
    best: Value


def solve_parts(ground: Ground, limit: int, moves: bool, work: Work) -> Winning:
    """Solve a position part by part.

    Args:
        ground: the position.
        limit: how many layouts to list at a time at most.
        moves: whether to give all moves.
        work: where it ends, what was found so far is given.
    """
    answer = Winning()
    solved: list[Solved] = []
    try:
        for part in divide(ground.regions, ground.mines):
            # Joined, all moves get a value; apart it is less work.
            found = _solve_part(ground, part.joined(limit) if moves else part, limit, work)
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
            region.narrow(_product(varied[:place] + varied[place + 1 :]), mines)
            for place, region in enumerate(varied)
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


def _solve_part(ground: Ground, part: Part, limit: int, work: Work) -> Solved | None:
    """Solve a part; its regions are joined only if they have to be."""
    found = _attempt(ground, part, limit, work)
    joined = part.joined(limit)
    if (found and found.best.exact) or len(joined.regions) == len(part.regions):
        return found
    return _attempt(ground, joined, limit, work) or found


def _attempt(ground: Ground, part: Part, limit: int, work: Work) -> Solved | None:
    if len(part.regions) > MOST_REGIONS:
        return None
    listed = []
    for region in part.regions:
        rows = ground.rows(region, limit)
        if rows is None:
            return None
        listed.append(ListedRegion(region, rows))
    turns = Turns(listed, part.mines, work)
    return Solved(turns, turns.best())


def _take(solved: Solved | None, answer: Winning) -> None:
    """Multiply the chance by that of a part."""
    if solved is None:
        answer.win = None
        return
    best = solved.best
    if answer.win is not None:
        answer.win *= Fraction(best.won, solved.turns.layouts)
    answer.exact = answer.exact and best.exact
    safer = answer.cell < 0 or (best.risk, best.cell) < (answer.risk, answer.cell)
    if best.exact and best.cell >= 0 and safer:
        answer.cell, answer.risk = best.cell, best.risk


def _moves(solved: Sequence[Solved], win: Fraction) -> dict[int, Fraction]:
    """Give all moves of all parts, or none if the work ends."""
    moves = {}
    try:
        for part in solved:
            for cell, won in part.turns.moves():
                moves[cell] = win * won / part.best.won
    except WorkLimitError:
        return {}
    return dict(sorted(moves.items()))
