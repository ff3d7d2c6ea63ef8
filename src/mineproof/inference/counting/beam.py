"""The layouts of one component, estimated: as in `table`, but with a bounded number of states.

The number of mines is not followed: each mine has the same odds instead. When a layer has
more states than the *beam* is wide, some are dropped at random and the others count for
more, so that every sum stays right on average (after Fearnhead and Clifford, 2003: heavy
states stay as they are, light ones compete).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mineproof.core.random import Purpose, Stream
from mineproof.inference.constraints import Box, Component
from mineproof.inference.counting.table import BoxStep, plan
from mineproof.inference.counting.work import WorkBudget
from mineproof.inference.local import ImpossibleError


class BeamTable:
    """Partial layouts of a component by state, some of them standing for others too."""

    def __init__(  # noqa: PLR0913  (what to weigh, how, and two rare wishes)
        self,
        component: Component,
        order: Sequence[int],
        odds: float,
        beam: int,
        *,
        watched: int | None = None,
        budget: WorkBudget | None = None,
    ) -> None:
        """Weigh the layouts.

        Args:
            component: what is weighed.
            order: the positions of its boxes in the order in which they are filled.
            odds: the odds of a mine in a cell that no clue touches.
            beam: how many states go on from each layer.
            watched: the cell of a clue whose count is kept to the end (see `by_count`).
            budget: how much work it may take; by default as much as it needs.

        Raises:
            DeadEndError: all states that were kept turned out to be impossible.
            ImpossibleError: there is no layout; no state was dropped.
            WorkLimitError: the budget is spent.
        """
        self.steps, self._slot = plan(component, order, 0, watched)
        self.nodes = 0
        self._odds = odds
        self._beam = beam
        self._random = Stream(beam, Purpose.SAMPLE)
        self._layers: list[dict[int, float]] = [{0: 1.0}]
        self._times: list[dict[int, float]] = [{}]
        for step in self.steps:
            self._advance(step)
            if budget is not None:
                budget.spend(len(self._layers[-1]))

    def by_count(self) -> dict[int, float]:
        """Give the weight for each number of mines around the watched clue."""
        return {state >> self._slot: weight for state, weight in self._layers[-1].items()}

    def expected(self) -> list[tuple[Box, float]]:
        """Give the expected mines of each box, by one pass backwards."""
        rest = dict.fromkeys(self._layers[-1], 1.0)
        found = []
        for place in range(len(self.steps) - 1, -1, -1):
            rest, mines = self._retreat(place, rest)
            found.append((self.steps[place].box, mines))
        return found

    def draw(self, stream: Stream) -> list[int]:
        """Draw a layout by weight and give its mined cells."""
        chosen: list[int] = []
        state = 0
        for place in range(len(self.steps) - 1, -1, -1):
            step = self.steps[place]
            options = [
                (before, way.mines, weight * way.factor * self._odds**way.mines)
                for before, weight in self._layers[place].items()
                for way in step.known[before & step.mask]
                if (before + way.add) & step.keep == state
            ]
            state, mines = _draw(options, stream)
            chosen += stream.choose(list(step.box.cells), mines)
        return chosen

    def _advance(self, step: BoxStep) -> None:
        """Fill one box in all possible ways, then drop states if there are too many."""
        powers = [self._odds**mines for mines in range(9)]
        after: dict[int, float] = {}
        for state, weight in self._layers[-1].items():
            part = state & step.mask
            ways = step.known.get(part)
            if ways is None:
                ways = step.ways(part)
            for add, mines, _, factor in ways:
                target = (state + add) & step.keep
                after[target] = after.get(target, 0.0) + weight * factor * powers[mines]
        self.nodes += len(after)
        whole = math.fsum(after.values())
        if not whole:
            place = step.box.cells[0]
            raise DeadEndError(place) if any(self._times) else ImpossibleError(place)
        self._times.append(_thin(after, self._beam, self._random))
        self._layers.append({state: weight / whole for state, weight in after.items()})

    def _retreat(self, place: int, rest: dict[int, float]) -> tuple[dict[int, float], float]:
        """Weigh the continuations of each state before a box; give its expected mines too."""
        step = self.steps[place]
        powers = [self._odds**mines for mines in range(9)]
        before: dict[int, float] = {}
        whole = expected = 0.0
        for state, weight in self._layers[place].items():
            total = mined = 0.0
            for add, mines, _, factor in step.known[state & step.mask]:
                term = rest.get((state + add) & step.keep, 0.0) * factor * powers[mines]
                total += term
                mined += term * mines
            if total:
                before[state] = total
                whole += weight * total
                expected += weight * mined
        times = self._times[place]
        scale = max(before.values())
        before = {state: total / scale * times.get(state, 1.0) for state, total in before.items()}
        return before, expected / whole


class DeadEndError(ImpossibleError):
    """The states that were kept came to nothing; others might not have."""


def _thin(states: dict[int, float], beam: int, random: Stream) -> dict[int, float]:
    """Drop states at random and raise the weight of others; give by what factor.

    With the right bar, `beam` states are kept: all above it, and of the others each with a
    chance of its share of the bar.
    """
    if len(states) <= beam:
        return {}
    bar = _bar(sorted(states.values(), reverse=True), beam)
    times = {}
    share = random.fraction()
    for state, weight in list(states.items()):
        if weight >= bar:
            continue
        share += weight / bar
        if share >= 1:
            share -= 1
            times[state] = bar / weight
            states[state] = bar
        else:
            del states[state]
    return times


def _bar(weights: Sequence[float], beam: int) -> float:
    """Solve sum of min(1, weight / bar) = beam for the bar; the weights fall."""
    rest = math.fsum(weights)
    for heavy, weight in enumerate(weights[:beam]):
        bar = rest / (beam - heavy)
        if weight < bar:
            return bar
        rest -= weight
    return weights[beam - 1]


def _draw(options: Sequence[tuple[int, int, float]], stream: Stream) -> tuple[int, int]:
    """Draw a state and its mines by weight."""
    value = stream.fraction() * math.fsum(weight for *_, weight in options)
    for state, mines, weight in options:
        value -= weight
        if value < 0:
            return state, mines
    state, mines, _ = options[-1]
    return state, mines
