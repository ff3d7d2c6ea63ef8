"""The smallest set of clues that proves a cell.

A set of clues proves a cell if no layout with the other value agrees with all of them. So it
has a clue in common with every *correction*: the clues that some layout with the other value
breaks. The search looks for smallest sets that hit all corrections, and finds corrections on
the way: if some layout agrees with a set, the clues it breaks are one more (Reiter's tree of
hitting sets, with the sets made when they are missed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.counting import Density, Known, count
from mineproof.proof.repair import Repair
from mineproof.proof.solving import fill
from mineproof.proof.statements import MINE_COUNT, Reading

LAYOUTS = 1_500
"""Layouts that one search may look for."""
STEPS = 20_000
"""Sets that one search may look at."""
QUICK = 2
"""Clues up to which a proof is looked for before it is asked whether one needs the mine count."""
NEVER = 1 << 30


@dataclass(frozen=True)
class ProvingSet:
    """Clues that prove a cell."""

    clues: tuple[int, ...]
    """In row order."""
    uses_mine_count: bool
    smallest: bool
    """Whether it is the smallest set; otherwise it is one that no clue can be left out of."""


class Prover:
    """Finds proofs for one cell of a position."""

    def __init__(self, reading: Reading, base: bytes | None, target: int, mined: bool) -> None:
        """Prepare to prove a cell.

        Args:
            reading: the position.
            base: a layout that agrees with the position; without one no set is smallest.
            target: the cell.
            mined: its value, which must be the same in all layouts.
        """
        self.reading = reading
        self.base = base
        self.target = target
        self.mined = mined

    def correction(self, clues: Sequence[int], uses_mine_count: bool) -> frozenset[int] | None:
        """Give the clues that some layout breaks which agrees with `clues`; None if none agrees.

        The layout has the other value in the target.
        """
        assert self.base is not None
        asked = [*clues, MINE_COUNT] if uses_mine_count else list(clues)
        filling = fill(self.reading, asked, self.base, self.target, not self.mined)
        if filling is None:
            return None
        repair = Repair(self.reading, self.base, asked, self.target)
        return repair.run(filling, not self.mined)

    def needs_mine_count(self) -> bool:
        """Say whether the clues alone do not prove the cell; if that is too much work, no."""
        if not self.reading.knows_mines():
            return False
        try:
            facts = count(self.reading.observation, prior=Density(0.5))
        except WorkLimitError:
            return False
        return self.target not in (facts.mined if self.mined else facts.safe)

    def prove(self) -> ProvingSet:
        """Give the smallest set of clues that proves the cell, without the mine count if possible.

        Fewest clues first, then the smallest area of the rectangle around them, then row order.
        """
        if self.base is None:
            return self._around()
        hunt = _Hunt(self, False)
        try:
            clues = hunt.run(most=QUICK)
        except WorkLimitError:
            clues = None
        if clues is not None:
            return ProvingSet(clues, False, True)
        found = None if self.needs_mine_count() else self._search(hunt)
        return found or self._search(_Hunt(self, True)) or self._around()

    def _search(self, hunt: _Hunt) -> ProvingSet | None:
        """Let a search come to its end, or take what it has; None if there is no proof."""
        uses_mine_count = hunt.uses_mine_count
        if uses_mine_count and not self.reading.knows_mines():
            return None
        try:
            found, smallest = hunt.run(), True
        except WorkLimitError:
            found, smallest = self._irreducible(uses_mine_count), False
        return None if found is None else ProvingSet(found, uses_mine_count, smallest)

    def _around(self) -> ProvingSet:
        """Take the clues around the cell, farther and farther out, until they prove it."""
        clues = [i for i, code in enumerate(self.reading.observation.shown) if code < UNOPENED]
        for radius in (1, 2, 3, 5, 8, NEVER):
            near = [clue for clue in clues if self._distance(clue)[0] <= radius]
            if self._proves(near, False):
                break
        uses_mine_count = not self._proves(near, False)
        return ProvingSet(self._reduced(near, uses_mine_count), uses_mine_count, False)

    def _irreducible(self, uses_mine_count: bool) -> tuple[int, ...] | None:
        """Collect clues until they prove the cell, then drop what is not needed."""
        kept: list[int] = []
        try:
            while (broken := self.correction(kept, uses_mine_count)) is not None:
                if not broken:
                    return None
                kept += sorted(broken, key=self._distance)
        except WorkLimitError:
            shown = enumerate(self.reading.observation.shown)
            kept = [i for i, code in shown if code < UNOPENED and self.reading.statement(i).cells]
        return self._reduced(kept, uses_mine_count)

    def _reduced(self, kept: list[int], uses_mine_count: bool) -> tuple[int, ...]:
        """Drop clues, the farthest first, as long as the others prove the cell."""
        for clue in sorted(kept, key=self._distance, reverse=True):
            rest = [other for other in kept if other != clue]
            if self._proves(rest, uses_mine_count):
                kept = rest
        return tuple(sorted(kept))

    def _proves(self, clues: Sequence[int], uses_mine_count: bool) -> bool:
        """Ask the counting engine, which never gets lost, whether clues prove the cell."""
        observation = self.reading.observation
        kept = set(clues)
        shown = bytes(
            WITHHELD if code < UNOPENED and i not in kept else code
            for i, code in enumerate(observation.shown)
        )
        mines = observation.rules.mines
        prior = Known(mines) if uses_mine_count and mines is not None else Density(0.5)
        try:
            facts = count(Observation(observation.rules, shown), prior=prior)
        except WorkLimitError:
            return False
        return self.target in (facts.mined if self.mined else facts.safe)

    def _distance(self, clue: int) -> tuple[int, int]:
        columns = self.reading.grid.columns
        row, column = divmod(clue, columns)
        at_row, at_column = divmod(self.target, columns)
        return max(abs(row - at_row), abs(column - at_column)), clue


class _Hunt:
    """Searches for the smallest set that hits all corrections. Sets of clues are bits."""

    def __init__(self, prover: Prover, uses_mine_count: bool) -> None:
        self.prover = prover
        self.uses_mine_count = uses_mine_count
        self.clues: list[int] = []
        self.bits: dict[int, int] = {}
        self.corrections: list[int] = []
        self.size = 0
        self.best: tuple[int, tuple[int, ...]] | None = None
        self.layouts = LAYOUTS
        self.steps = STEPS

    def run(self, most: int = NEVER) -> tuple[int, ...] | None:
        """Give the smallest set; None if it has more than `most` clues, or there is none."""
        while self.size <= most:
            self._extend((), 0, 0)
            if self.best is not None:
                return self.best[1]
            bound = self._missing(0, 0)
            if bound >= NEVER:
                return None
            self.size = max(self.size + 1, bound)
        return None

    def _extend(self, chosen: tuple[int, ...], mask: int, banned: int) -> None:
        """Look at all sets with `chosen` and without what is banned, of the size looked for."""
        self.steps -= 1
        if self.steps < 0:
            raise WorkLimitError("expected a smallest set of clues sooner, got none")
        if self.best is not None and self._area(chosen) > self.best[0]:
            return
        correction = self._missed(mask, banned)
        if correction is None:
            correction = self._ask(chosen)
            if correction is None:
                self._keep(chosen)
                return
        if len(chosen) + self._missing(mask, banned) > self.size:
            return
        free = correction & ~banned
        while free:
            bit = free & -free
            free ^= bit
            self._extend((*chosen, self.clues[bit.bit_length() - 1]), mask | bit, banned)
            banned |= bit

    def _ask(self, chosen: tuple[int, ...]) -> int | None:
        """Look for a layout that agrees with a set; None if there is none."""
        self.layouts -= 1
        if self.layouts < 0:
            raise WorkLimitError("expected a smallest set of clues sooner, got none")
        broken = self.prover.correction(chosen, self.uses_mine_count)
        if broken is None:
            return None
        correction = 0
        for clue in sorted(broken):
            if clue not in self.bits:
                self.bits[clue] = 1 << len(self.clues)
                self.clues.append(clue)
            correction |= self.bits[clue]
        self.corrections.append(correction)
        self.corrections.sort(key=int.bit_count)
        return correction

    def _missed(self, mask: int, banned: int) -> int | None:
        """Give a known correction that a set does not hit, with the fewest clues to choose from."""
        missed = [c for c in self.corrections if not c & mask]
        return min(missed, key=lambda c: (c & ~banned).bit_count()) if missed else None

    def _missing(self, mask: int, banned: int) -> int:
        """Give a number of clues that a set lacks at least: corrections that share none."""
        seen = missing = 0
        for correction in self.corrections:
            if not correction & mask:
                free = correction & ~banned
                if not free:
                    return NEVER
                if not free & seen:
                    seen |= free
                    missing += 1
        return missing

    def _keep(self, chosen: tuple[int, ...]) -> None:
        found = self._area(chosen), tuple(sorted(chosen))
        if self.best is None or found < self.best:
            self.best = found

    def _area(self, clues: tuple[int, ...]) -> int:
        return area(clues, self.prover.reading.grid.columns)


def area(clues: Sequence[int], columns: int) -> int:
    """Give the area of the rectangle around some cells."""
    if not clues:
        return 0
    rows = [clue // columns for clue in clues]
    places = [clue % columns for clue in clues]
    return (max(rows) - min(rows) + 1) * (max(places) - min(places) + 1)
