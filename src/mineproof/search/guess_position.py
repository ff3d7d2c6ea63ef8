"""A position without proved safe cells, and the cells worth guessing.

A cell is a candidate if it is nearly as safe as the safest one. In the interior, only corners,
pockets and cells next to the frontier are candidates: a clue anywhere else would not prove anything
soon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts, Known
from mineproof.search.choice import GuessSettings

TIE = 1e-10
"""Safeties that differ by less than this are treated as equal, because of rounding."""
POCKET = 3
"""An interior cell with at most this many unknown neighbours is a corner or a pocket."""


def rounded(value: float) -> int:
    """Return a sort key that is equal for values that differ only by rounding."""
    return round(value * 1e9)


class GuessPosition:
    """A position without proved safe cells. Its proved mines are shown as mines."""

    def __init__(self, facts: Facts) -> None:
        """Set the facts of the position."""
        shown = bytearray(facts.observation.shown)
        for index in facts.mined:
            shown[index] = EXPLODED
        rules = facts.observation.rules
        if isinstance(facts.prior, Known):
            rules = replace(rules, mines=facts.prior.mines)
        self.facts = facts
        self.observation = Observation(rules, bytes(shown))
        self.unknown: Sequence[int] = self.observation.unopened
        self.safety: Mapping[int, float] = {i: 1 - facts.risk[i] for i in self.unknown}

    @cached_property
    def best(self) -> float:
        """The safety of the safest cell."""
        return max(self.safety.values(), default=0.0)

    def safest(self) -> int:
        """Return the safest cell. Ties are broken by the fewest unopened neighbours."""
        shown, neighbours = self.facts.observation.shown, self.observation.grid.neighbours
        cells = [index for index in self.unknown if self.safety[index] >= self.best - TIE]
        return min(cells, key=lambda i: sum(shown[near] == UNOPENED for near in neighbours(i)))

    @cached_property
    def frontier(self) -> set[int]:
        """The unknown cells next to a clue."""
        shown, neighbours = self.observation.shown, self.observation.grid.neighbours
        return {i for i in self.unknown if any(shown[near] < UNOPENED for near in neighbours(i))}

    def unknown_near(self, index: int) -> list[int]:
        """Return the unknown neighbours of a cell."""
        return [i for i in self.observation.grid.neighbours(index) if i in self.safety]

    def candidates(self, settings: GuessSettings) -> list[int]:
        """Return the cells worth comparing, by safety, then by number of unknown neighbours."""
        found = [index for index in self.unknown if self._fits(index, settings)]
        if not found and self.unknown:  # only interior cells far from clues are safe enough
            return [max(self.unknown, key=self.safety.__getitem__)]
        return sorted(found, key=lambda i: (-rounded(self.safety[i]), len(self.unknown_near(i))))

    def _fits(self, index: int, settings: GuessSettings) -> bool:
        least = self.best - TIE
        safety = self.safety[index]
        if safety < least * settings.reach:
            return False
        if index in self.frontier:
            return True
        near = self.unknown_near(index)
        is_close = len(near) <= POCKET or not self.frontier.isdisjoint(near)
        return safety >= least * settings.inner_reach and is_close
