"""Constraint search: solve clues by backtracking, and prove cells by refuting the opposite.

A solution assigns a value to every unknown cell so that all clues hold. A cell is proved if it has
the same value in all solutions. To prove it, the search assumes the opposite and looks for a
solution. It repairs the last solution found: it picks a violated clue (largest number first), sets
a box of that clue, checks forward, and backtracks when a clue fails. Every solution also shows that
the boxes in which it differs from earlier solutions are not proved, so few searches are needed.

When a branch fails, the clues that caused the failure are collected. Choices that did not
contribute are skipped (conflict-directed backjumping; Prosser, 1993), and the clues of a failed
search are the reason that is shown.

The worst case is exponential in the size of a component, so the number of steps is limited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError
from mineproof.inference.clue_graph import Statement
from mineproof.inference.forward_checking import BoxBounds, DeadEnd, Order, clues_of

DEFAULT_LIMIT = 100_000
"""The default limit on steps (clues checked) per component. It is reached in under a second."""


class BacktrackProof(NamedTuple):
    """Cells that have the same value in all solutions, and the clues that prove it."""

    cells: tuple[int, ...]
    mined: bool
    clues: tuple[int, ...]
    """The clues that rule out the other value; `MINE_COUNT` may be among them."""


@dataclass
class _Choice:
    """A box whose values are tried one after another, and the reasons why earlier values failed."""

    box: int
    values: list[int]
    """The values left to try. The best value is last."""
    mark: int
    """The length of the trail before the choice."""
    failure: DeadEnd = field(default_factory=lambda: DeadEnd(set(), set()))


class Search:
    """A search for solutions to the constraints of one or more components."""

    def __init__(
        self, constraints: Sequence[Statement], order: Order = "largest", limit: int = DEFAULT_LIMIT
    ) -> None:
        """Prepare a search.

        Args:
            constraints: the clues, at least one.
            order: whether to start with the largest or the smallest clue.
            limit: the total limit on steps for all searches by this object.
        """
        self.state = BoxBounds(constraints, order)
        """The boxes, their bounds and the number of steps so far."""
        self._limit = limit
        self._choices: list[_Choice] = []
        boxes = len(self.state.boxes)
        self._seen_safe = [False] * boxes
        self._seen_mined = [False] * boxes
        self.solved = False
        """Whether a solution is known."""
        self.fewest_mines = sum(len(cells) for cells in self.state.boxes)
        """The smallest number of mines in a solution found so far."""
        self.most_mines = 0
        """The largest number of mines in a solution found so far."""

    def find(self, box: int | None = None, *, mined: bool = False) -> tuple[int, ...] | None:
        """Search for a solution. Return None if one exists, otherwise the clues that rule it out.

        Args:
            box: a box that must have a mine, or a safe cell; by default there is no such box.
            mined: whether the box must have a mine. Otherwise it must have a safe cell.

        Raises:
            WorkLimitError: the step limit is reached.
        """
        state = self.state
        if box is not None:
            slot, bound = (2 * box, 1) if mined else (2 * box + 1, len(state.boxes[box]) - 1)
            state.narrow(slot, bound, ~0)
        try:
            return self._search()
        finally:
            self._choices.clear()
            state.undo(0)

    def proofs(self) -> Iterator[BacktrackProof]:
        """Prove cells, box by box in row order. `find` must have found a solution before.

        Raises:
            WorkLimitError: the step limit is reached. Proofs found before the error remain valid.
        """
        for box, cells in enumerate(self.state.boxes):
            for mined, seen in ((True, self._seen_safe), (False, self._seen_mined)):
                if seen[box]:
                    continue
                clues = self.find(box, mined=not mined)
                if clues is not None:
                    yield BacktrackProof(cells, mined, clues)

    def _search(self) -> tuple[int, ...] | None:
        """Repair the candidate until no clue is violated or nothing is left to try."""
        state = self.state
        while True:
            if state.steps > self._limit:
                raise WorkLimitError(f"the search takes more than {self._limit} steps")
            failed = state.propagate()
            if failed is not None:
                failure = self._backtrack(state.explain(failed))
                if failure is not None:
                    return clues_of(state.constraints, failure.constraints)
                continue
            violated = state.violated()
            if violated is None:
                self._note_solution()
                return None
            self._choose(violated)

    def _choose(self, violated: int) -> None:
        """Pick a box of a violated clue; first try the value closest to satisfying the clue."""
        state = self.state
        gap = state.gap(violated)
        movable = (
            box
            for box in state.members[violated]
            if state.values[box] != state.bounds[2 * box + (gap > 0)]
        )
        box = min(movable, key=lambda box: len(state.touching[box]))
        low, high = state.bounds[2 * box], state.bounds[2 * box + 1]
        target = state.values[box] + gap
        values = sorted(range(low, high + 1), key=lambda value: -abs(value - target))
        self._choices.append(_Choice(box, values, len(state.trail)))
        self._try_next()

    def _try_next(self) -> None:
        """Set the box of the last choice to the next value."""
        choice = self._choices[-1]
        self.state.fix(choice.box, choice.values.pop(), ~len(self._choices))

    def _backtrack(self, failure: DeadEnd) -> DeadEnd | None:
        """Undo choices back to one that contributed to a failure and has a value left to try.

        If there is no such choice, return the failure of the whole search.
        """
        while self._choices:
            depth, choice = len(self._choices), self._choices[-1]
            self.state.undo(choice.mark)
            if depth in failure.choices:
                choice.failure.constraints.update(failure.constraints)
                choice.failure.choices.update(failure.choices)
                if choice.values:
                    self._try_next()
                    return None
                failure = choice.failure
                failure.choices.discard(depth)
            self._choices.pop()
        return failure

    def _note_solution(self) -> None:
        """Record the values of the candidate as possible, because it is a solution."""
        state = self.state
        changed = {slot >> 1 for slot, _, _ in state.trail}
        for box in changed if self.solved else range(len(state.boxes)):
            self._seen_safe[box] |= state.values[box] < len(state.boxes[box])
            self._seen_mined[box] |= state.values[box] > 0
        state.prefer_candidate()
        self.solved = True
        self.fewest_mines = min(self.fewest_mines, state.mines)
        self.most_mines = max(self.most_mines, state.mines)
