"""Finds the easiest proof of a cell, or of any safe cell. Easier kinds of reasoning come first.

Conclusions from one, two and several clues are drawn for the whole position, but only as far as
needed. They are stored, so that the proof of one cell helps to find the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial

from mineproof.core.clues import UNOPENED
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.inference.counting import Density, count
from mineproof.proof.cases import easiest_by_cases, prove_by_cases
from mineproof.proof.closure import Closure
from mineproof.proof.kinds import Proof, ReasoningKind
from mineproof.proof.statements import Reading

WORK = 20_000
"""Maximum number of conclusions to draw for one proof by cases."""
SHORT = 3
"""First search near the cell for a proof with at most this many steps."""
NEAR = 2 * SHORT - 1
"""The maximum distance, in king's moves, between a cell and the clues of such a short proof."""
PLAIN = (ReasoningKind.ONE_CLUE, ReasoningKind.TWO_CLUES, ReasoningKind.SEVERAL_CLUES)


class EasiestProofs:
    """Finds the easiest proofs in a position, without using the mine count."""

    def __init__(self, reading: Reading, budget: Budget, work: int = WORK) -> None:
        """Prepare for a position.

        Args:
            reading: the statements of its clues.
            budget: the time limit.
            work: the maximum number of conclusions to draw for one proof by cases.
        """
        self.reading = reading
        self.work = work
        self.budget = budget
        self._closures: dict[ReasoningKind, Closure] = {}

    def find(self, target: int) -> Proof | None:
        """Return the easiest proof of a cell; None if the clues alone do not prove it.

        Raises:
            WorkLimitError: the clues prove it, or may prove it, but no step-by-step proof was
                found.
        """
        found = None if self._closures else self._find_near(target)
        if found is not None:
            return found
        for kind in PLAIN:
            closure = self._closure(kind)
            if target not in closure.known:
                closure.run(lambda cell, _: cell == target)
            if target in closure.known:
                return closure.needed([target])
        if target not in self.proved:
            return None
        closure = self._closure(ReasoningKind.SEVERAL_CLUES)
        closure.budget = self.budget.fork(self.work)
        return prove_by_cases(closure, self.statements, target, self._near(target))

    def find_any(self, near: int | None = None) -> int | None:
        """Return the safe cell with the easiest proof; None if the clues alone prove no cell safe.

        If one, two or several clues prove more than one cell in equally few steps, return the one
        nearest to `near`.

        Raises:
            WorkLimitError: the clues prove a cell, or may prove one, but no step-by-step proof was
                found.
        """
        for kind in PLAIN:
            found = self._first_safe(kind, near)
            if found is not None:
                return found
        safe = [cell for cell, mined in self.proved.items() if not mined]
        if not safe:
            return None
        closure = self._closure(ReasoningKind.SEVERAL_CLUES)
        closure.budget = self.budget.fork(self.work)
        found = easiest_by_cases(closure, self.proved)
        return safe[0] if found is None else found

    @cached_property
    def statements(self) -> list[Statement]:
        """The statements of all clues with unopened neighbours.

        Raises:
            WorkLimitError: the time limit is reached.
        """
        return self._read(self.reading.clues)

    @cached_property
    def proved(self) -> dict[int, bool]:
        """The values of all cells that the clues alone prove.

        Raises:
            WorkLimitError: counting takes too much work.
        """
        seen = self.reading.observation
        return count(seen, prior=Density(0.5), budget=self.budget.fork()).proved

    def _find_near(self, target: int) -> Proof | None:
        """Return the easiest proof of a cell if a few steps with single clues prove it.

        A step uses clues next to its cells, so the clues of such a short proof are close.
        """
        grid, shown = self.reading.grid, self.reading.observation.shown
        clues = [
            index
            for line in grid.window(target, NEAR)
            for index, code in enumerate(shown[line], line.start)
            if code < UNOPENED
        ]
        closure = Closure(self._read(clues), ReasoningKind.ONE_CLUE, self.budget.fork())
        found = closure.run(lambda cell, _: cell == target)
        return None if found is None or closure.cost[found] > SHORT else closure.needed([found])

    def _read(self, clues: Iterable[int]) -> list[Statement]:
        found = []
        for clue in clues:
            self.budget.check_time()
            statement = self.reading.statement(clue)
            if statement.cells:
                found.append(statement)
        return found

    def _near(self, target: int) -> dict[int, bool]:
        """Return the values of all proved cells, those nearest to the target first."""
        order = sorted(self.proved, key=partial(self.reading.grid.distance, target))
        return {cell: self.proved[cell] for cell in order}

    def _closure(self, kind: ReasoningKind) -> Closure:
        found = self._closures.get(kind)
        if found is None:
            found = self._closures[kind] = Closure(self.statements, kind, self.budget.fork())
        return found

    def _first_safe(self, kind: ReasoningKind, near: int | None) -> int | None:
        """Return the safe cell that a kind of reasoning finds first. The nearest one wins a tie."""
        closure = self._closure(kind)
        first = next((cell for cell, mined in closure.known.items() if not mined), None)
        if first is None:
            first = closure.run(lambda _, mined: not mined)
        if first is None or near is None:
            return first
        cost = closure.cost[first]
        while (found := closure.run(lambda _, mined: not mined)) is not None:
            if closure.cost[found] > cost:
                break
        equal = (cell for cell, mined in closure.known.items() if not mined)
        distance = partial(self.reading.grid.distance, near)
        return min((cell for cell in equal if closure.cost[cell] <= cost), key=distance)
