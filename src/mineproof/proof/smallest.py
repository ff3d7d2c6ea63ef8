"""The smallest set of clues that proves a cell.

A set of clues proves a cell if no layout with the other value agrees with all of them. So it is a
smallest set that hits every correction: the clues that some layout with the other value breaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.inference.counting import Density, Known, count
from mineproof.inference.hitting import NEVER, HittingSearch, drop_needless
from mineproof.proof.close_layouts import Repair, fill
from mineproof.proof.statements import Reading

LAYOUTS = 1_500
"""Layouts that one search may look for, and fewer on huge boards."""
STEPS = 20_000
"""Sets that one search may look at."""
WHOLE = 2_500
"""Cells of a board up to which that much work is done."""
TRIALS = 2_000
"""Sets that are tried to leave out what is not needed, and fewer on huge boards."""


@dataclass(frozen=True)
class ProvingSet:
    """Clues that prove a cell."""

    clues: tuple[int, ...]
    """In row order."""
    uses_mine_count: bool
    smallest: bool
    """Whether it is the smallest set; otherwise one that no clue can be left out of, or, where
    even that takes too long, one that proves the cell."""


class Prover:
    """Finds proofs for one cell of a position."""

    def __init__(  # noqa: PLR0913  (two that few need)
        self,
        reading: Reading,
        base: bytes | None,
        target: int,
        mined: bool,
        *,
        budget: Budget | None = None,
        enough: Sequence[int] = (),
    ) -> None:
        """Prepare to prove a cell.

        Args:
            reading: the position.
            base: a layout that agrees with the position; without one no set is smallest.
            target: the cell.
            mined: its value, which must be the same in all layouts.
            budget: until when to work.
            enough: clues that are known to prove it, to fall back on when time is over.
        """
        self.reading = reading
        self.base = base
        self.target = target
        self.mined = mined
        self._budget = budget or Budget()
        self._enough = enough
        size = max(WHOLE, reading.grid.size)
        self._trials = self._budget.fork(2 + TRIALS * WHOLE // size)
        self._layouts = 2 + LAYOUTS * WHOLE // size if LAYOUTS else 0

    def prove(self, uses_mine_count: bool) -> ProvingSet | None:
        """Return the smallest set of clues that proves the cell, alone or with the mine count.

        Fewest clues first, then the smallest area of the rectangle around them, then row order.
        Where that is too much work, no clue of the set can be left out. None if the clues do not
        prove it.
        """
        if self.base is None:
            return self._around(uses_mine_count)
        layouts = self._budget.fork(self._layouts)

        def ask(chosen: tuple[int, ...]) -> frozenset[int] | None:
            layouts.spend()
            return self._correction(chosen, uses_mine_count)

        steps = self._budget.fork(STEPS)
        columns = self.reading.grid.columns
        search = HittingSearch(ask, steps.spend, lambda chosen: area(chosen, columns))
        try:
            found = search.run()
        except WorkLimitError:
            return self._irreducible(uses_mine_count)
        return None if found is None else ProvingSet(found, uses_mine_count, True)

    def reduce(self, clues: Sequence[int], uses_mine_count: bool) -> ProvingSet:
        """Leave out clues of a set that proves the cell, the farthest first."""
        far = sorted(clues, key=self._distance, reverse=True)
        kept = drop_needless(far, lambda some: self._proves(some, uses_mine_count))
        return ProvingSet(tuple(sorted(kept)), uses_mine_count, False)

    def _correction(self, clues: Sequence[int], uses_mine_count: bool) -> frozenset[int] | None:
        """Return the clues that some layout breaks which agrees with `clues`; None if none agrees.

        The layout has the other value in the target.
        """
        assert self.base is not None
        asked = [*clues, MINE_COUNT] if uses_mine_count else list(clues)
        filling = fill(self.reading, asked, self.base, self.target, not self.mined)
        if filling is None:
            return None
        repair = Repair(self.reading, self.base, asked, self.target)
        return repair.run(filling, not self.mined)

    def _around(self, uses_mine_count: bool) -> ProvingSet:
        """Take the clues around the cell, farther and farther out, until they prove it."""
        clues = self._clues()
        for radius in (1, 2, 3, 5, 8, NEVER):
            near = [clue for clue in clues if self._distance(clue)[0] <= radius]
            if radius == NEVER or self._trials.is_late or self._proves(near, uses_mine_count):
                break
        if self._trials.is_late:
            near = list(self._enough) or clues
        return self.reduce(near, uses_mine_count)

    def _irreducible(self, uses_mine_count: bool) -> ProvingSet | None:
        """Collect clues until they prove the cell, then drop what is not needed."""
        if self._budget.is_late and self._enough:
            return ProvingSet(tuple(sorted(self._enough)), uses_mine_count, False)
        kept: list[int] = []
        budget = self._budget.fork(self._layouts + 100)
        try:
            while (broken := self._correction(kept, uses_mine_count)) is not None:
                if not broken:
                    return None
                budget.spend()
                kept += sorted(broken, key=self._distance)
        except WorkLimitError:
            kept = self._clues()
        return self.reduce(kept, uses_mine_count)

    def _clues(self) -> list[int]:
        return [clue for clue in self.reading.clues if self.reading.statement(clue).cells]

    def _proves(self, clues: Sequence[int], uses_mine_count: bool) -> bool:
        """Ask the counting engine, which never gets lost, whether clues prove the cell.

        Raises:
            WorkLimitError: enough was asked.
        """
        self._trials.spend()
        observation = self.reading.observation
        mines = observation.rules.mines
        prior = Known(mines) if uses_mine_count and mines is not None else Density(0.5)
        try:
            only = with_clues(observation, clues)
            facts = count(only, prior=prior, budget=self._trials.fork())
        except WorkLimitError:
            return False
        return self.target in (facts.mined if self.mined else facts.safe)

    def _distance(self, clue: int) -> tuple[int, int]:
        return self.reading.grid.distance(clue, self.target), clue


def with_clues(observation: Observation, clues: Sequence[int]) -> Observation:
    """Return a position with these clues alone; the other opened cells show none."""
    kept = set(clues)
    shown = bytes(
        WITHHELD if code < UNOPENED and index not in kept else code
        for index, code in enumerate(observation.shown)
    )
    return Observation(observation.rules, shown)


def area(clues: Sequence[int], columns: int) -> int:
    """Return the area of the rectangle around some cells."""
    if not clues:
        return 0
    rows, across = zip(*(divmod(clue, columns) for clue in clues), strict=True)
    return int((max(rows) - min(rows) + 1) * (max(across) - min(across) + 1))
