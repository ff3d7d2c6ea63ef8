"""The smallest set of clues that proves a cell.

A set of clues proves a cell if no layout that gives the cell the other value fits all of them. Each
such layout violates some clues. These clues are a *correction*. So the set must have a clue in
common with every correction (see `inference.hitting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from mineproof.core.errors import WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.inference.counting import Density, Known, count
from mineproof.inference.counting.facts import with_clues
from mineproof.inference.hitting import NEVER, HittingSearch, drop_needless
from mineproof.proof.close_layouts import Repair, fill
from mineproof.proof.statements import Reading

LAYOUTS = 1_500
"""Maximum number of layouts that one search looks for. It is lower on huge boards."""
STEPS = 20_000
"""Maximum number of sets of clues that one search considers."""
WHOLE = 2_500
"""On boards with more cells than this, the other limits are lower."""
TRIALS = 2_000
"""Maximum number of sets to try when removing unneeded clues. It is lower on huge boards."""


@dataclass(frozen=True)
class ProvingSet:
    """Clues that prove a cell."""

    clues: tuple[int, ...]
    """The clues, in row order."""
    uses_mine_count: bool
    smallest: bool
    """Whether it is the smallest set; see `Explanation.smallest`."""


@dataclass(eq=False)
class Prover:
    """Finds proofs for one cell of a position."""

    reading: Reading
    """The position."""
    base: bytes | None
    """A layout that fits the position; without one, no set is called smallest."""
    target: int
    """The cell."""
    mined: bool
    """Its value, which must be the same in all layouts."""
    _: KW_ONLY
    budget: Budget = field(default_factory=Budget)
    enough: Sequence[int] = ()
    """Clues that are known to prove the cell, to use if time runs out."""

    def __post_init__(self) -> None:
        """Derive the other limits."""
        size = max(WHOLE, self.reading.grid.size)
        self._trials = self.budget.fork(2 + TRIALS * WHOLE // size)
        self._layouts = 2 + LAYOUTS * WHOLE // size if LAYOUTS else 0

    def prove(self, uses_mine_count: bool) -> ProvingSet | None:
        """Return the smallest set of clues that proves the cell, alone or with the mine count.

        Ties are broken by the smallest rectangle around the clues, then by row order. If the search
        takes too much work, return a set in which every clue is needed. Return None if the clues do
        not prove the cell.
        """
        if self.base is None:
            return self._around(uses_mine_count)
        layouts = self.budget.fork(self._layouts)

        def ask(chosen: tuple[int, ...]) -> frozenset[int] | None:
            layouts.spend()
            return self._correction(chosen, uses_mine_count)

        steps = self.budget.fork(STEPS)
        columns = self.reading.grid.columns
        search = HittingSearch(ask, steps.spend, lambda chosen: area(chosen, columns))
        try:
            found = search.run()
        except WorkLimitError:
            return self._irreducible(uses_mine_count)
        return None if found is None else ProvingSet(found, uses_mine_count, True)

    def reduce(self, clues: Sequence[int], uses_mine_count: bool) -> ProvingSet:
        """Remove unneeded clues from a set that proves the cell, the farthest first."""
        far = sorted(clues, key=self._distance, reverse=True)
        kept = drop_needless(far, lambda some: self._proves(some, uses_mine_count))
        return ProvingSet(tuple(sorted(kept)), uses_mine_count, False)

    def _correction(self, clues: Sequence[int], uses_mine_count: bool) -> frozenset[int] | None:
        """Return the clues violated by a layout that fits `clues`; None if there is no such layout.

        In the layout, the target has the other value.
        """
        assert self.base is not None
        asked = [*clues, MINE_COUNT] if uses_mine_count else list(clues)
        filling = fill(self.reading, asked, self.base, self.target, not self.mined)
        if filling is None:
            return None
        repair = Repair(self.reading, self.base, asked, self.target)
        return repair.run(filling, not self.mined)

    def _around(self, uses_mine_count: bool) -> ProvingSet:
        """Collect clues from the cell outwards until they prove it, then remove unneeded ones."""
        clues = self._clues()
        for radius in (1, 2, 3, 5, 8, NEVER):
            near = [clue for clue in clues if self._distance(clue)[0] <= radius]
            if radius == NEVER or self._trials.is_late or self._proves(near, uses_mine_count):
                break
        if self._trials.is_late:
            near = list(self.enough) or clues
        return self.reduce(near, uses_mine_count)

    def _irreducible(self, uses_mine_count: bool) -> ProvingSet | None:
        """Collect clues from corrections until they prove the cell, then remove unneeded ones."""
        if self.budget.is_late and self.enough:
            return ProvingSet(tuple(sorted(self.enough)), uses_mine_count, False)
        kept: list[int] = []
        budget = self.budget.fork(self._layouts + 100)
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
        """Return whether clues prove the cell, according to the counting engine.

        Raises:
            WorkLimitError: the limit on trials is reached.
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


def area(clues: Sequence[int], columns: int) -> int:
    """Return the area of the smallest rectangle around some cells."""
    if not clues:
        return 0
    rows, across = zip(*(divmod(clue, columns) for clue in clues), strict=True)
    return int((max(rows) - min(rows) + 1) * (max(across) - min(across) + 1))
