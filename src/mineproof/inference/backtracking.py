"""Constraint search: solutions of clues by backtracking, and proofs by showing there are none.

A solution says of every unknown cell whether it is a mine, so that all clues hold. A cell is
proved when it has the same value in all solutions. To prove one, the opposite is assumed and
a solution is looked for. The search repairs the solution found last: it takes a clue that is
violated (the one with the largest number first), sets a box of it, checks forward, and goes
back when a clue fails. A solution that is found shows for all boxes in which it differs that
they are not proved either, so few searches are needed.

When a branch fails, the clues that made it fail are collected. A choice that had no part in
the failure is not tried again (conflict-directed backjumping; Prosser, 1993), and the clues of
a whole failed search are a reason that can be shown.

The worst case is exponential in the size of a component. A limit on the steps bounds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError
from mineproof.inference.clue_graph import Statement
from mineproof.inference.forward_checking import BoxBounds, DeadEnd, Order, clues_of

DEFAULT_LIMIT = 100_000
"""Steps (clues checked) that the searches of one component may take: under a second."""


class BacktrackProof(NamedTuple):
    """Cells that have the same value in all solutions, and the clues that prove it."""

    cells: tuple[int, ...]
    mined: bool
    clues: tuple[int, ...]
    """The clues that no solution with another value satisfies; `MINE_COUNT` may be among them."""


@dataclass
class _Choice:
    """A box whose values are tried one after the other, and why those tried so far failed."""

    box: int
    values: list[int]
    """What is left to try, best last."""
    mark: int
    """The length of the trail before it."""
    failure: DeadEnd = field(default_factory=lambda: DeadEnd(set(), set()))


class Search:
    """A search for solutions of some constraints: one component, or several together."""

    def __init__(
        self,
        constraints: Sequence[Statement],
        order: Order = "largest",
        limit: int = DEFAULT_LIMIT,
    ) -> None:
        """Prepare a search.

        Args:
            constraints: the clues, at least one.
            order: whether the clue with the largest or the smallest number goes first.
            limit: the most steps that all searches of this object may take together.
        """
        self._state = BoxBounds(constraints, order)
        self._limit = limit
        self._choices: list[_Choice] = []
        boxes = len(self._state.boxes)
        self._seen_safe = [False] * boxes
        self._seen_mined = [False] * boxes
        self.solved = False
        """Whether a solution is known."""
        self.fewest_mines = sum(len(cells) for cells in self._state.boxes)
        self.most_mines = 0
        """How few and how many mines the solutions found so far have."""

    @property
    def boxes(self) -> list[tuple[int, ...]]:
        """The cells of each box, in row order."""
        return self._state.boxes

    @property
    def steps(self) -> int:
        """How many clues were checked."""
        return self._state.steps

    def find(self, box: int | None = None, *, mined: bool = False) -> tuple[int, ...] | None:
        """Look for a solution; None if one is found, else clues that have no solution.

        Args:
            box: demand of this box that some cell of it is mined, or safe.
            mined: which of the two.

        Raises:
            WorkLimitError: the limit was reached first.
        """
        state = self._state
        if box is not None:
            slot, bound = (2 * box, 1) if mined else (2 * box + 1, len(state.boxes[box]) - 1)
            state.narrow(slot, bound, ~0)
        try:
            return self._search()
        finally:
            self._choices.clear()
            state.undo(0)

    def proofs(self) -> Iterator[BacktrackProof]:
        """Prove cells, box by box in row order; `find` must have found a solution before.

        Raises:
            WorkLimitError: the limit was reached; what was proved before holds.
        """
        for box, cells in enumerate(self._state.boxes):
            for mined, seen in ((True, self._seen_safe), (False, self._seen_mined)):
                if seen[box]:
                    continue
                clues = self.find(box, mined=not mined)
                if clues is not None:
                    yield BacktrackProof(cells, mined, clues)

    def _search(self) -> tuple[int, ...] | None:
        """Repair the candidate until no clue is violated, or until nothing is left to try."""
        state = self._state
        while True:
            if state.steps > self._limit:
                raise WorkLimitError(f"expected at most {self._limit} steps, got no end")
            failed = state.propagate()
            if failed is not None:
                failure = self._go_back(state.explain(failed))
                if failure is not None:
                    return clues_of(state.constraints, failure.constraints)
                continue
            violated = state.violated()
            if violated is None:
                self._note_solution()
                return None
            self._choose(violated)

    def _choose(self, violated: int) -> None:
        """Pick a box of a violated clue and try first the value that satisfies the clue best."""
        state = self._state
        gap = state.gap(violated)
        box = min(
            (box for box in state.members[violated] if self._can_move(box, gap)),
            key=lambda box: len(state.touching[box]),
        )
        low, high = state.bounds[2 * box], state.bounds[2 * box + 1]
        target = state.values[box] + gap
        values = sorted(range(low, high + 1), key=lambda value: -abs(value - target))
        self._choices.append(_Choice(box, values, len(state.trail)))
        self._try_next()

    def _can_move(self, box: int, gap: int) -> bool:
        state = self._state
        return state.values[box] != state.bounds[2 * box + (gap > 0)]

    def _try_next(self) -> None:
        """Set the box of the last choice to the next value."""
        choice = self._choices[-1]
        self._state.fix(choice.box, choice.values.pop(), ~len(self._choices))

    def _go_back(self, failure: DeadEnd) -> DeadEnd | None:
        """Undo choices up to one that had a part in a failure and has a value left to try.

        Gives the failure of the whole search if there is no such choice.
        """
        while self._choices:
            level, choice = len(self._choices), self._choices[-1]
            self._state.undo(choice.mark)
            if level in failure.choices:
                choice.failure.constraints.update(failure.constraints)
                choice.failure.choices.update(failure.choices)
                if choice.values:
                    self._try_next()
                    return None
                failure = choice.failure
                failure.choices.discard(level)
            self._choices.pop()
        return failure

    def _note_solution(self) -> None:
        """Remember the candidate, which is a solution, and which values it shows to be possible."""
        state = self._state
        changed = (
            {slot >> 1 for slot, _, _ in state.trail} if self.solved else range(len(state.boxes))
        )
        for box in changed:
            self._seen_safe[box] |= state.values[box] < len(state.boxes[box])
            self._seen_mined[box] |= state.values[box] > 0
        state.prefer_candidate()
        self.solved = True
        self.fewest_mines = min(self.fewest_mines, state.mines)
        self.most_mines = max(self.most_mines, state.mines)
