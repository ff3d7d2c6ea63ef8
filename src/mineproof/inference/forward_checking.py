"""Forward checking: bounds on the mines of each box, with undo and explanations.

Cells that touch exactly the same clues are interchangeable. They form a *box*, and the unknown is
its number of mines. After each step, every affected clue must satisfy

    mines set <= clue <= mines set + free cells

and it narrows the bounds of the boxes around it, until nothing more follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.constraints import group_by_clues

Order = Literal["largest", "smallest"]


class DeadEnd(NamedTuple):
    """Why a branch fails: the constraints that rule it out, and the choices they depend on."""

    constraints: set[int]
    choices: set[int]


class BoxBounds:
    """Bounds on the number of mines in each box. They are narrowed step by step, and can be undone.

    The bounds of box `b` are in two slots: `2*b` for the minimum number of mines and `2*b + 1` for
    the maximum. Each change is recorded on the trail with its reason: a constraint, or `~n` for
    choice number `n`. There is also a candidate with one value per box: the preferred value,
    clipped to the bounds. It is a solution when no constraint is violated.
    """

    def __init__(self, constraints: Sequence[Statement], order: Order) -> None:
        """Form the boxes. Their bounds are as wide as possible, and the candidate has no mines."""
        self.constraints = tuple(constraints)
        self.boxes, self.touching = _boxes(self.constraints)
        self.members: list[list[int]] = [[] for _ in self.constraints]
        for box, touching in enumerate(self.touching):
            for one in touching:
                self.members[one].append(box)
        self.bounds = [bound for cells in self.boxes for bound in (0, len(cells))]
        self.values = [0] * len(self.boxes)
        self.mines = 0
        """Number of mines in the candidate."""
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
        """Change a bound of a box, and queue the clues that must be checked."""
        self.trail.append((slot, self.bounds[slot], why))
        self._set(slot, bound)
        self._queue.update(self.touching[slot >> 1])

    def fix(self, box: int, value: int, why: int) -> None:
        """Set the number of mines in a box."""
        for slot in (2 * box, 2 * box + 1):
            if self.bounds[slot] != value:
                self.narrow(slot, value, why)

    def propagate(self) -> int | None:
        """Narrow bounds until nothing more follows; return a constraint that fails, if any."""
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
        """Return the constraints and choices that led to the failure of a constraint.

        Go back along the trail and replace each relevant bound by the bounds it came from. If too
        many mines are set, the lower bounds of the boxes are relevant, otherwise the upper ones.
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
        """Undo all changes since the trail had this length."""
        trail = self.trail
        while len(trail) > mark:
            slot, bound, _ = trail.pop()
            self._set(slot, bound)
        self._queue.clear()

    def prefer_candidate(self) -> None:
        """Prefer the values of the current candidate from now on."""
        self._preferred = list(self.values)

    def prefer(self, values: Sequence[int]) -> None:
        """Make these values, which fit the bounds, the candidate, and prefer them from now on."""
        for box, value in enumerate(values):
            self._move(box, value - self.values[box])
        self.prefer_candidate()

    def violated(self) -> int | None:
        """Return the first constraint that the candidate violates, in order of the clues."""
        heap = self._violated
        while heap:
            one = self.ranking[heap[0]]
            least, most = self._needed[one]
            if not least <= self._totals[one] <= most:
                return one
            heappop(heap)
        return None

    def gap(self, one: int) -> int:
        """Return how many mines the candidate lacks for a constraint (negative: too many)."""
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
        """Change the candidate, and record the constraints it violates."""
        self.values[box] += change
        self.mines += change
        totals = self._totals
        for one in self.touching[box]:
            totals[one] += change
            least, most = self._needed[one]
            if not least <= totals[one] <= most:
                heappush(self._violated, self.rank[one])


def _boxes(constraints: Sequence[Statement]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the cells of each box and the constraints it touches. Boxes are in row order."""
    touching: dict[int, list[int]] = {}
    for number, one in enumerate(constraints):
        for cell in one.cells:
            touching.setdefault(cell, []).append(number)
    boxes = group_by_clues(dict(sorted(touching.items())))
    return [tuple(cells) for cells in boxes.values()], list(boxes)


def _ranking(constraints: Sequence[Statement], order: Order) -> list[int]:
    """Return the constraints in order of their clues. The mine count comes last."""
    sign = -1 if order == "largest" else 1

    def key(number: int) -> tuple[bool, int]:
        one = constraints[number]
        return one.clue == MINE_COUNT, sign * (one.least or one.most)

    return sorted(range(len(constraints)), key=key)


def clues_of(constraints: Sequence[Statement], numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the cells that show the clues of some constraints, in increasing order."""
    return tuple(sorted(constraints[number].clue for number in numbers))
