"""All solutions of some clues, listed by plain backtracking with forward checking.

`inference.backtracking` proves cells without visiting most solutions. This module lists all of
them, to count the solutions in which a cell is a mine, and to find the possible numbers of mines.

`count_proofs` adds the mine count, which all components share. Each component can hold certain
numbers of mines, and the cells without a clue can hold any number. A solution counts only if the
other cells can hold the remaining mines. Sets of numbers are stored as bits: bit `k` is set if `k`
mines are possible.

`first_assignment` is the Rutgers report's own search: set each cell to 1 if all clues allow it,
otherwise to 0. It starts at the clue with the largest number and goes from clue to connected clue.
If neither value fits a cell, the last 1 is undone and becomes 0. The search stops at its first
solution, which is one of possibly many, so it proves nothing. The steps can be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from heapq import heappop, heappush
from math import comb, prod
from operator import mul
from typing import NamedTuple

from mineproof.inference.backtracking import DEFAULT_LIMIT, BacktrackProof
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.forward_checking import BoxBounds, Order, clues_of

MOST_STEPS = 10_000
"""The maximum number of steps. A search that needs more is given up."""


@dataclass(frozen=True)
class Listing:
    """Solutions of some constraints, as fills: the number of mines in each box.

    The cells of a box are interchangeable, so one fill stands for several solutions.
    """

    constraints: tuple[Statement, ...]
    boxes: tuple[tuple[int, ...], ...]
    """The cells of each box."""
    fills: tuple[tuple[int, ...], ...]
    """The number of mines in each box, for each fill."""
    complete: bool
    """Whether these are all solutions."""
    steps: int
    """Number of clues checked to list them."""

    @cached_property
    def ways(self) -> list[int]:
        """The number of solutions that each fill represents."""
        sizes = [len(cells) for cells in self.boxes]
        return [prod(map(comb, sizes, fill)) for fill in self.fills]

    @property
    def solutions(self) -> int:
        """The number of solutions."""
        return sum(self.ways)

    @cached_property
    def mines(self) -> list[int]:
        """The number of mines of each fill."""
        return [sum(fill) for fill in self.fills]

    def mined(self) -> dict[int, int]:
        """Return, for each cell, the number of solutions in which it is a mine."""
        counts: dict[int, int] = {}
        if not self.fills:
            return counts
        for cells, column in zip(self.boxes, zip(*self.fills, strict=True), strict=True):
            counts.update(dict.fromkeys(cells, sum(map(mul, self.ways, column)) // len(cells)))
        return counts

    def proofs(self, mines: int | None = None) -> Iterator[BacktrackProof]:
        """Yield the cells that have the same value in all solutions, if all are listed.

        Args:
            mines: the allowed numbers of mines, as bits: bit `k` is set if solutions with `k` mines
                count.
        """
        fills = self.fills
        if mines is not None:
            fills = tuple(f for f, k in zip(fills, self.mines, strict=True) if mines >> k & 1)
        if not self.complete or not fills:
            return
        clues = clues_of(self.constraints, range(len(self.constraints)))
        for cells, column in zip(self.boxes, zip(*fills, strict=True), strict=True):
            if max(column) == 0 or min(column) == len(cells):
                yield BacktrackProof(cells, column[0] > 0, clues)


def list_solutions(
    constraints: Sequence[Statement],
    order: Order = "largest",
    most: int = 10_000,
    limit: int = DEFAULT_LIMIT,
) -> Listing:
    """List the solutions to some constraints.

    Args:
        constraints: the clues, at least one.
        order: whether to start with the largest or the smallest clue.
        most: the maximum number of fills to list.
        limit: the limit on steps.
    """
    state = BoxBounds(constraints, order)
    fills: list[tuple[int, ...]] = []
    complete = True
    for fill in _fills(state):
        complete = state.steps <= limit and (fill is None or len(fills) < most)
        if not complete:
            break
        if fill is not None:
            fills.append(fill)
    return Listing(state.constraints, tuple(state.boxes), tuple(fills), complete, state.steps)


def _fills(state: BoxBounds) -> Iterator[tuple[int, ...] | None]:
    """Try all values of each box in turn. Yield each complete fill, and None at each dead end."""
    path, bounds = search_path(state), state.bounds
    choices: list[tuple[int, int, list[int]]] = []
    step, consistent = 0, True
    while True:
        if consistent:
            step = _next_open(state, path, step)
            if step == len(path):
                yield tuple(bounds[0::2])
            else:
                box = path[step]
                values = list(range(bounds[2 * box], bounds[2 * box + 1] + 1))
                choices.append((len(state.trail), step, values))
        else:
            yield None
        while choices and not choices[-1][2]:
            choices.pop()
        if not choices:
            return
        mark, step, values = choices[-1]
        state.undo(mark)
        state.fix(path[step], values.pop(), ~0)
        consistent = state.propagate() is None


def _next_open(state: BoxBounds, path: list[int], step: int) -> int:
    """Return the first step of the path, starting at `step`, whose box is not fixed."""
    bounds = state.bounds
    while step < len(path) and bounds[2 * path[step]] == bounds[2 * path[step] + 1]:
        step += 1
    return step


def search_path(state: BoxBounds) -> list[int]:
    """Return the boxes in an order that leads from clue to connected clue, by clue order."""
    path: dict[int, None] = {}
    seen: set[int] = set()
    for start in range(len(state.constraints)):
        ranks = [start]
        while ranks:
            rank = heappop(ranks)
            if rank in seen:
                continue
            seen.add(rank)
            for box in state.members[state.ranking[rank]]:
                if box not in path:
                    path[box] = None
                    for other in state.touching[box]:
                        heappush(ranks, state.rank[other])
    return list(path)


def count_proofs(
    listings: Sequence[Listing], interior: tuple[int, ...], mines: int
) -> Iterator[BacktrackProof]:
    """Prove cells from the solutions of all components and the number of mines.

    Args:
        listings: the solutions of each component. An incomplete list proves nothing, and its
            component may hold any number of mines.
        interior: the unknown cells that no clue touches.
        mines: the number of mines left.
    """
    possible = [_possible(listing) for listing in listings]
    anywhere = (1 << len(interior) + 1) - 1
    for number, listing in enumerate(listings):
        others = [*possible[:number], *possible[number + 1 :], anywhere]
        rest = reduce(_sums, others)
        fitting = sum(1 << k for k in range(mines + 1) if rest >> mines - k & 1)
        for proof in listing.proofs(fitting):
            yield _with_count(proof, listings)
    if interior:
        taken = reduce(_sums, possible, 1)
        left = [k for k in range(len(interior) + 1) if mines >= k and taken >> mines - k & 1]
        if left and (max(left) == 0 or min(left) == len(interior)):
            yield _with_count(BacktrackProof(interior, left[0] > 0, ()), listings)


def _possible(listing: Listing) -> int:
    """Return the numbers of mines that a component can hold, as bits."""
    if not listing.complete:
        return (1 << sum(map(len, listing.boxes)) + 1) - 1
    return sum(1 << mines for mines in set(listing.mines))


def _sums(first: int, second: int) -> int:
    """Return all sums of two numbers, one from each set. Sets are stored as bits."""
    sums = 0
    while second:
        lowest = second & -second
        sums |= first * lowest
        second ^= lowest
    return sums


def _with_count(proof: BacktrackProof, listings: Sequence[Listing]) -> BacktrackProof:
    """Return a proof that also uses the mine count and the clues of all components."""
    clues = sorted(one.clue for listing in listings for one in listing.constraints)
    return BacktrackProof(proof.cells, proof.mined, (MINE_COUNT, *clues))


class AssignmentStep(NamedTuple):
    """A cell gets a value, or loses it."""

    cell: int
    mined: bool | None
    """True for 1, False for 0, None if the value is undone."""
    clue: int | None
    """The clue that rules out the other value, or that makes the undo necessary."""


class Assignment(NamedTuple):
    """The steps of a search, and its solution."""

    steps: tuple[AssignmentStep, ...]
    values: dict[int, bool] | None
    """The value of each cell; None if there is no solution or the search was given up."""


def first_assignment(
    constraints: Sequence[Statement], order: Order = "largest", most: int = MOST_STEPS
) -> Assignment:
    """Search for the first solution of some connected clues, one cell after the other."""
    bounds = BoxBounds(constraints, order)
    cells = [cell for box in search_path(bounds) for cell in bounds.boxes[box]]
    touching = {cell: [one for one in constraints if cell in one.cells] for cell in cells}
    values: dict[int, bool] = {}
    steps: list[AssignmentStep] = []
    refused: int | None = None
    while len(values) < len(cells):
        cell = cells[len(values)]
        for mined in (True, False) if refused is None else (False,):
            values[cell] = mined
            failed = _failing(touching[cell], values)
            if failed is None:
                steps.append(AssignmentStep(cell, mined, refused))
                refused = None
                break
            refused = failed
        else:
            del values[cell]
            if not _undo(values, steps, refused):
                return Assignment(tuple(steps), None)
        if len(steps) > most:
            return Assignment(tuple(steps), None)
    return Assignment(tuple(steps), values)


def _failing(constraints: Sequence[Statement], values: dict[int, bool]) -> int | None:
    """Return the first clue that has too many mines, or too few cells left for its mines."""
    for one in constraints:
        mines = sum(values.get(cell, False) for cell in one.cells)
        free = sum(cell not in values for cell in one.cells)
        if not (mines <= one.most and one.least <= mines + free):
            return one.clue
    return None


def _undo(values: dict[int, bool], steps: list[AssignmentStep], clue: int | None) -> bool:
    """Undo values up to the last 1; return False if there is none."""
    while values:
        cell, mined = values.popitem()
        steps.append(AssignmentStep(cell, None, clue))
        if mined:
            return True
    return False
