"""A position in which nothing is proved safe, and the cells worth a guess.

A cell is a candidate if it is nearly as safe as the safest. Of the interior only corners and
pockets are, and cells with a neighbour on the frontier: anywhere else a clue would say nothing
soon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.constraints import group_by_clues
from mineproof.inference.counting import Facts, Known
from mineproof.search.choice import GuessSettings

TIE = 1e-10
"""Safeties closer than this are equal but for rounding."""
POCKET = 3
"""An interior cell with no more unknown neighbours is a corner or a pocket."""


def level(value: float) -> int:
    """Give a number to sort by: equal where values differ by rounding alone."""
    return round(value * 1e9)


class Survey:
    """What holds for a whole position; its proved mines count as shown ones."""

    def __init__(self, facts: Facts) -> None:
        """Take in the facts of a position in which nothing is proved safe."""
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
        """Give the safest cell; of equal ones that with the fewest unopened neighbours."""
        shown, neighbours = self.facts.observation.shown, self.observation.grid.neighbours
        cells = [index for index in self.unknown if self.safety[index] >= self.best - TIE]
        return min(cells, key=lambda i: sum(shown[near] == UNOPENED for near in neighbours(i)))

    @cached_property
    def touching(self) -> dict[int, tuple[int, ...]]:
        """The clues that each unknown cell touches: none in the interior."""
        shown, neighbours = self.observation.shown, self.observation.grid.neighbours
        return {
            index: tuple(near for near in neighbours(index) if shown[near] < UNOPENED)
            for index in self.unknown
        }

    def unknown_near(self, index: int) -> list[int]:
        """List the unknown neighbours of a cell."""
        return [i for i in self.observation.grid.neighbours(index) if i in self.safety]

    @cached_property
    def component_of(self) -> dict[int, int]:
        """The component of each frontier cell, named by one of its clues."""
        leader: dict[int, int] = {}

        def find(clue: int) -> int:
            while leader.setdefault(clue, clue) != clue:
                clue = leader[clue]
            return clue

        frontier = {index: clues for index, clues in self.touching.items() if clues}
        for first, *others in frontier.values():  # boxes hang together through shared clues
            find(first)
            for other in others:
                leader[find(other)] = find(first)
        return {index: find(clues[0]) for index, clues in frontier.items()}

    def region(self, index: int) -> set[int]:
        """Give the unknown cells of its component and around it, without the cell itself."""
        home = self.component_of.get(index)
        near = set(self.unknown_near(index))
        if home is not None:
            near.update(i for i, component in self.component_of.items() if component == home)
        return near - {index}

    def boxes(self, opened: int | None = None) -> dict[tuple[int, ...], list[int]]:
        """Gather the unknown cells by the clues they touch; `opened` shows one more clue."""
        near = set() if opened is None else set(self.observation.grid.neighbours(opened))
        touching = {
            index: (*clues, opened) if opened is not None and index in near else clues
            for index, clues in self.touching.items()
            if index != opened
        }
        return group_by_clues(touching)

    def candidates(self, settings: GuessSettings) -> list[int]:
        """List the cells worth a look, the safest first, then those with few unknown around."""
        found = [index for index in self.unknown if self._fits(index, settings)]
        if not found and self.unknown:  # only the open interior is that safe
            return [max(self.unknown, key=self.safety.__getitem__)]
        return sorted(found, key=lambda i: (-level(self.safety[i]), len(self.unknown_near(i))))

    def _fits(self, index: int, settings: GuessSettings) -> bool:
        least = self.best - TIE
        safety = self.safety[index]
        if safety < least * settings.reach:
            return False
        if self.touching[index]:
            return True
        near = self.unknown_near(index)
        is_close = len(near) <= POCKET or any(self.touching[other] for other in near)
        return safety >= least * settings.inner_reach and is_close
