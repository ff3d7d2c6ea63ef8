"""A position in which nothing is proved safe, and the cells worth a guess.

A cell is a candidate if it is nearly as safe as the safest. Of the interior only corners and
pockets are, and cells with a neighbour on the frontier: anywhere else a clue would prove nothing
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
"""Safeties closer than this are equal but for rounding."""
POCKET = 3
"""An interior cell with no more unknown neighbours is a corner or a pocket."""


def rounded(value: float) -> int:
    """Return a number to sort by: equal if values differ by rounding alone."""
    return round(value * 1e9)


class GuessPosition:
    """A position in which nothing is proved safe; its proved mines count as shown ones."""

    def __init__(self, facts: Facts) -> None:
        """Take the facts of the position."""
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
        """Return the safest cell; of equal ones that with the fewest unopened neighbours."""
        shown, neighbours = self.facts.observation.shown, self.observation.grid.neighbours
        cells = [index for index in self.unknown if self.safety[index] >= self.best - TIE]
        return min(cells, key=lambda i: sum(shown[near] == UNOPENED for near in neighbours(i)))

    @cached_property
    def frontier(self) -> set[int]:
        """The unknown cells next to a clue."""
        shown, neighbours = self.observation.shown, self.observation.grid.neighbours
        return {i for i in self.unknown if any(shown[near] < UNOPENED for near in neighbours(i))}

    def unknown_near(self, index: int) -> list[int]:
        """List the unknown neighbours of a cell."""
        return [i for i in self.observation.grid.neighbours(index) if i in self.safety]

    def candidates(self, settings: GuessSettings) -> list[int]:
        """List the cells worth a look, the safest first, then those with few unknown around."""
        found = [index for index in self.unknown if self._fits(index, settings)]
        if not found and self.unknown:  # only the open interior is that safe
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
