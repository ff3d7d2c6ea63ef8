"""Boxes of cells under clues: what each can hold, forward checking, undo, and why.

Cells that touch exactly the same clues are interchangeable: a *box*. What is unknown is how
many mines it holds. After each step every clue touched must satisfy

    mines set <= clue <= mines set + free cells

and bounds what the boxes around it can still hold, until nothing more follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.constraints import group_by_clues

Order = Literal["largest", "smallest"]


class DeadEnd(NamedTuple):
    """Why something cannot be: the constraints that forbid it, given some earlier choices."""

    constraints: set[int]
    choices: set[int]


class BoxBounds:
    """How many mines each box can hold: bounds that are narrowed step by step and undone.

    The bounds of box `b` are in two slots, `2*b` the least and `2*b + 1` the most. Each change
    is put on the trail with its reason: a constraint, or `~n` for choice number `n`. Beside
    the bounds there is a candidate, one value per box: the preferred one, pressed into the
    bounds. It is a solution when no constraint is violated.
    """

    def __init__(self, constraints: Sequence[Statement], order: Order) -> None:
        """Form the boxes; everything is open, and the candidate has no mines."""
        self.constraints = tuple(constraints)
        self.boxes, self.touching = _boxes(self.constraints)
        self.members: list[list[int]] = [[] for _ in self.constraints]
        for box, touching in enumerate(self.touching):
            for one in touching:
                self.members[one].append(box)
        self.bounds = [bound for cells in self.boxes for bound in (0, len(cells))]
        self.values = [0] * len(self.boxes)
        self.mines = 0
        """How many mines the candidate has."""
        self.trail: list[tuple[int, int, int]] = []
        self.steps = 0
        self._needed = [(one.least, one.most) for one in self.constraints]
        self._biggest = [max(len(self.boxes[box]) for box in boxes) for boxes in self.members]
        self._lowest = [0] * len(self.constraints)
        self._highest = [len(one.cells) for one in self.constraints]
        self._totals = [0] * len(self.constraints)
        self._preferred = list(self.values)
        self._queue: set[int] = set()
        self.ranking = _ranking(self.constraints, order)
        self.rank = {one: rank for rank, one in enumerate(self.ranking)}
        self._violated = [self.rank[i] for i, (least, _) in enumerate(self._needed) if least]
        self._violated.sort()

    def narrow(self, slot: int, bound: int, why: int) -> None:
        """Change a bound of a box, and remember the clues that must be checked for it."""
        self.trail.append((slot, self.bounds[slot], why))
        self._set(slot, bound)
        self._queue.update(self.touching[slot >> 1])

    def fix(self, box: int, value: int, why: int) -> None:
        """Set how many mines a box holds."""
        for slot in (2 * box, 2 * box + 1):
            if self.bounds[slot] != value:
                self.narrow(slot, value, why)

    def propagate(self) -> int | None:
        """Forward checking: narrow bounds as far as follows; give a constraint that fails."""
        queue, bounds = self._queue, self.bounds
        while queue:
            one = queue.pop()
            self.steps += 1
            least, most = self._needed[one]
            room = most - self._lowest[one]
            spare = self._highest[one] - least
            if room < 0 or spare < 0:
                queue.clear()
                return one
            if room >= self._biggest[one] and spare >= self._biggest[one]:
                continue
            for box in self.members[one]:
                low, high = bounds[2 * box], bounds[2 * box + 1]
                if high - low > room:
                    self.narrow(2 * box + 1, low + room, one)
                if high - low > spare:
                    self.narrow(2 * box, high - spare, one)
        return None

    def explain(self, one: int) -> DeadEnd:
        """Return why a constraint fails: which constraints and choices led to it.

        Going back along the trail, each bound that matters is replaced by what it came from:
        where too many mines are set, the least of each box matters, else the most.
        """
        too_many = self._lowest[one] > self._needed[one][1]
        wanted = {2 * box + (not too_many) for box in self.members[one]}
        failure = DeadEnd({one}, set())
        for slot, _, why in reversed(self.trail):
            if slot not in wanted:
                continue
            wanted.discard(slot)
            if why < 0:
                failure.choices.add(~why)
            else:
                failure.constraints.add(why)
                others = (box for box in self.members[why] if box != slot >> 1)
                wanted.update(2 * box + 1 - (slot & 1) for box in others)
        return failure

    def undo(self, mark: int) -> None:
        """Take back all changes since the trail had this length."""
        trail = self.trail
        while len(trail) > mark:
            slot, bound, _ = trail.pop()
            self._set(slot, bound)
        self._queue.clear()

    def prefer_candidate(self) -> None:
        """Prefer the values of the present candidate from now on."""
        self._preferred = list(self.values)

    def violated(self) -> int | None:
        """Return the first constraint, by its number, that the candidate violates."""
        heap = self._violated
        while heap:
            one = self.ranking[heap[0]]
            least, most = self._needed[one]
            if not least <= self._totals[one] <= most:
                return one
            heappop(heap)
        return None

    def gap(self, one: int) -> int:
        """Return the mines that the candidate lacks for a violated constraint; negative: excess."""
        least, most = self._needed[one]
        total = self._totals[one]
        return least - total if total < least else most - total

    def _set(self, slot: int, bound: int) -> None:
        box = slot >> 1
        touching = self.touching[box]
        change = bound - self.bounds[slot]
        self.bounds[slot] = bound
        sums = self._highest if slot & 1 else self._lowest
        for one in touching:
            sums[one] += change
        low, high = self.bounds[2 * box], self.bounds[2 * box + 1]
        value = min(max(self._preferred[box], low), high)
        if value != self.values[box]:
            self._move(box, value - self.values[box])

    def _move(self, box: int, change: int) -> None:
        """Change the candidate, and note what it violates."""
        self.values[box] += change
        self.mines += change
        totals = self._totals
        for one in self.touching[box]:
            totals[one] += change
            least, most = self._needed[one]
            if not least <= totals[one] <= most:
                heappush(self._violated, self.rank[one])


def _boxes(
    constraints: Sequence[Statement],
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the cells of each box, and the constraints that it touches, in row order of boxes."""
    touching: dict[int, list[int]] = {}
    for number, one in enumerate(constraints):
        for cell in one.cells:
            touching.setdefault(cell, []).append(number)
    boxes = group_by_clues(dict(sorted(touching.items())))
    return [tuple(cells) for cells in boxes.values()], list(boxes)


def _ranking(constraints: Sequence[Statement], order: Order) -> list[int]:
    """Order constraints by their number; the mine count, which all cells share, comes last."""
    sign = -1 if order == "largest" else 1

    def key(number: int) -> tuple[bool, int]:
        one = constraints[number]
        return one.clue == MINE_COUNT, sign * (one.least or one.most)

    return sorted(range(len(constraints)), key=key)


def clues_of(constraints: Sequence[Statement], numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the cells whose clues some constraints are, in increasing order."""
    return tuple(sorted(constraints[number].clue for number in numbers))
