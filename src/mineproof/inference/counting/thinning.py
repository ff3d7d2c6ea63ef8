"""What to do when counting is too much work: go on with a random part of the states.

Whenever a layer has more states than the *beam* is wide, some are dropped at random and the
others count for more, so that every sum is right on average (after Fearnhead and Clifford,
2003: heavy states stay as they are, light ones compete). The risks are then estimates and
prove nothing. The only cells that count as proved are those that single clues settle, and
those of a component that was small enough to be counted whole.
"""

from __future__ import annotations

import math

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.inference.counting.budget import Budget
from mineproof.inference.counting.polynomial import unpack
from mineproof.inference.counting.prior import Density, Prior
from mineproof.inference.counting.reference import ReferenceFacts
from mineproof.inference.local import ImpossibleError

BEAM = 500
"""States that go on from each layer."""
ATTEMPTS = 4
"""Beams that are tried, each four times as wide as the one before."""
MANTISSA = 900
"""Bits of a coefficient that are looked at to weigh it: floats end at 2**1024."""


class Beam(Budget):
    """Keeps the number of states in each layer below a limit, by dropping some at random."""

    def __init__(self, beam: int, density: float) -> None:
        """Make a beam.

        Args:
            beam: the most states that a layer may keep.
            density: how likely a mine is, roughly: it decides which states matter.
        """
        super().__init__()
        self.beam = beam
        self.density = density
        self.thinned = False
        self._odds = density / (1 - density)
        self._random = Stream(beam, Purpose.SAMPLE)

    def again(self) -> Beam:
        """Give a fresh beam of the same width."""
        return Beam(self.beam, self.density)

    def allow(self, visited: int) -> int:
        """Allow any number: the beam itself bounds it."""
        return visited + (1 << 30)

    def spare(self, cells: int) -> int:
        """Leave room for states that count for more than they did.

        One thinning at most trebles the weighted sum of all states, and a coefficient of
        x^m is at most that sum times the odds to the power -m.
        """
        return 2 * cells + math.ceil(cells * max(0.0, -math.log2(self._odds)))

    def admit(self, states: dict[int, int], width: int) -> dict[int, int]:
        """Drop states at random if there are too many; the others count for them."""
        self.spent += len(states)
        if len(states) <= self.beam:
            return {}
        self.thinned = True
        weights = self._weigh(states, width)
        bar = _bar(sorted(weights.values(), reverse=True), self.beam)
        times = {}
        share = self._random.fraction()
        for state, weight in weights.items():
            if weight >= bar:
                continue
            factor = int(bar / weight) + 1 if weight * 2.0**60 > bar else 1 << 60
            share += 1 / factor
            if share >= 1:
                share -= 1
                times[state] = factor
            else:
                del states[state]
        return times

    def _weigh(self, states: dict[int, int], width: int) -> dict[int, float]:
        """Weigh each polynomial by how likely its mines are."""
        counts = {state: unpack(value, width) for state, value in states.items()}
        top = max(max(row).bit_length() for row in counts.values())
        shift = max(0, top - MANTISSA)
        weights = {}
        for state, row in counts.items():
            weight = 0.0
            for count in reversed(row):
                weight = weight * self._odds + (count >> shift)
            weights[state] = weight
        return weights


def _bar(weights: list[float], beam: int) -> float:
    """Give the bar below which states compete, so that `beam` are kept on average.

    It solves sum of min(1, weight / bar) = beam; the weights come in falling order.
    """
    rest = math.fsum(weights)
    for heavy, weight in enumerate(weights[:beam]):
        bar = rest / (beam - heavy)
        if weight < bar:
            return bar
        rest -= weight
    return weights[beam - 1]


class SampledFacts(ReferenceFacts):
    """Estimated risks of a position that is too much work to count."""

    exact = False

    @property
    def layouts(self) -> None:  # type: ignore[override]
        """None: the layouts were not counted."""
        return None

    def _proved(self, value: int) -> tuple[int, ...]:
        """Give the cells that hold this value in every layout, as far as it was proved."""
        constraints = self._solution.constraints
        cells = list(constraints.mined if value else constraints.safe)
        for table in self._solution.tables:
            if any(layer.times for layer in table.layers):
                continue
            whole = table.polynomial
            for box, mines in table.expected():
                if mines.trimmed() == whole.times(value * len(box.cells)).trimmed():
                    cells += box.cells
        return tuple(sorted(cells))


def sample_risks(observation: Observation, prior: Prior) -> SampledFacts:
    """Estimate the risks of a position; equal positions give equal estimates.

    Raises:
        ImpossibleError: there is no layout.
        WorkLimitError: not even the widest beam found one.
    """
    density = _rough_density(observation, prior)
    for attempt in range(ATTEMPTS):
        beam = Beam(BEAM * 4**attempt, density)
        try:
            return SampledFacts(observation, prior, beam)
        except ImpossibleError:
            if not beam.thinned:
                raise
    raise WorkLimitError(f"expected a layout among {beam.beam} states a step, got none")


def _rough_density(observation: Observation, prior: Prior) -> float:
    if isinstance(prior, Density):
        return prior.probability
    unopened = max(1, len(observation.unopened))
    left = prior.expected(len(observation.shown)) - observation.hits
    return min(0.9, max(0.02, left / unopened))
