"""Estimated risks, for positions that are too much work to count.

Each component is weighed with a bounded number of states (`beam`), and the number of mines is
not fixed but right on average: each mine has the same odds, chosen so that the expected
number fits. Estimates prove nothing. The only cells that count as proved are those that
single clues settle, and those of components that are small enough to be counted whole.
"""

from __future__ import annotations

import math
import sys
from array import array
from functools import cached_property

from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream, check_seed
from mineproof.inference.constraints import Box, read_constraints
from mineproof.inference.counting.beam import BeamTable, DeadEndError
from mineproof.inference.counting.facts import Facts, assume, lay
from mineproof.inference.counting.order import find_order
from mineproof.inference.counting.prior import Density, Prior
from mineproof.inference.counting.table import CountTable
from mineproof.inference.counting.work import WorkBudget
from mineproof.inference.local import ImpossibleError

BEAM = 2_000
"""States that go on from each layer, at most."""
STATES = 2_000_000
"""States that go on from all layers together: on large boards the beam is narrower."""
NARROW = 30
"""States that go on from each layer, at least."""
SCOUT = 300
"""The same while the odds are searched for."""
ROUNDS = 4
"""Times that the odds are corrected."""
ATTEMPTS = 5
"""Beams that are tried when all states come to nothing, each four times as wide."""
WIDEST = 32_000
"""States that go on from each layer in the last attempts."""
WHOLE = 20_000
"""States for which a component is counted whole."""
DRAWS = 100
"""Layouts that are drawn until one has the right number of mines."""


class SampledFacts(Facts):
    """Estimated risks of a position."""

    exact = False
    layouts = None

    def __init__(
        self, observation: Observation, prior: Prior, seconds: float | None = None
    ) -> None:
        """Estimate the risks; equal positions give equal estimates.

        Raises:
            ImpossibleError: there is no layout.
            WorkLimitError: not even the widest beam found one, or not in time.
        """
        self.observation = observation
        self.prior = prior
        self._seconds = seconds
        self._budget = WorkBudget(sys.maxsize, seconds)
        seen = observation
        self._constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
        self._orders = [
            find_order(component, seen.rules.columns) for component in self._constraints.components
        ]
        boxes = sum(len(order) for order in self._orders)
        self._beam = min(BEAM, max(NARROW, STATES // max(1, boxes)))
        self._odds = self._find_odds()
        self._tables = self._weigh(self._beam)
        self.nodes = sum(table.nodes for table in self._tables)

    @cached_property
    def risk(self) -> array[float]:
        """The estimated probability of a mine for each cell; NaN where it is not unopened."""
        risk = array("d", [math.nan]) * len(self.observation.shown)
        interior = self._odds / (1 + self._odds)
        for cell in self._constraints.interior:
            risk[cell] = interior
        for box, mines in self._expected(self._tables):
            for cell in box.cells:
                risk[cell] = min(1.0, mines / len(box.cells))
        for cell in self.safe:
            risk[cell] = 0.0
        for cell in self.mined:
            risk[cell] = 1.0
        return risk

    @property
    def safe(self) -> tuple[int, ...]:
        """Cells that are mined in no layout; not always all of them."""
        return self._proved[0]

    @property
    def mined(self) -> tuple[int, ...]:
        """Cells that are mined in every layout; not always all of them."""
        return self._proved[1]

    def values(self, index: int) -> tuple[float, ...]:
        """Estimate the chances that a cell is safe and has 0, 1, ... 8 mined neighbours."""
        self.check_unopened(index)
        try:
            weights = self._by_value(index)
        except DeadEndError:
            raise WorkLimitError("expected a layout in which the cell is safe, got none") from None
        except ImpossibleError:
            return (0.0,) * 9
        scale = (1 - self.risk[index]) / math.fsum(weights)
        return tuple(scale * weight for weight in weights)

    def _by_value(self, index: int) -> list[float]:
        """Weigh the layouts in which a cell is safe by how many mines it has around it."""
        opened = assume(self.observation, index, WITHHELD)
        grid, shown = opened.grid, opened.shown
        constraints = read_constraints(shown, grid, opened.rules.clues, watched=index)
        settled = set(constraints.mined)
        near = grid.neighbours(index)
        found = sum(1 for cell in near if shown[cell] == EXPLODED or cell in settled)
        weights = [0.0] * 9
        weights[found] = 1.0
        for component in constraints.components:
            if any(clue.cell == index for clue in component.clues):
                order = find_order(component, grid.columns)
                table = BeamTable(component, order, self._odds, self._beam, watched=index)
                weights[found] = 0.0
                for count, weight in table.by_count().items():
                    weights[found + count] = weight
        return weights

    def sample(self, seed: int) -> bytes:
        """Draw a layout, roughly by weight; the number of mines is right.

        Raises:
            WorkLimitError: no layout with that number was met.
        """
        stream = Stream(check_seed(seed), Purpose.SAMPLE)
        interior = list(self._constraints.interior)
        for _ in range(DRAWS):
            mined = list(self._constraints.mined)
            for table in self._tables:
                mined += table.draw(stream)
            left = self._left(self.observation.hits + len(mined), stream)
            if 0 <= left <= len(interior):
                mined += stream.choose(interior, left)
                return lay(self.observation, mined)
        raise WorkLimitError(f"expected a layout with {self.prior} in {DRAWS} draws, got none")

    def _left(self, mines: int, stream: Stream) -> int:
        """Give the number of interior mines when so many lie elsewhere."""
        target = self.prior.target(len(self.observation.shown))
        if target is not None:
            return round(target) - mines
        chance = self._odds / (1 + self._odds)
        return sum(stream.fraction() < chance for _ in self._constraints.interior)

    @cached_property
    def _proved(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        safe, mined = list(self._constraints.safe), list(self._constraints.mined)
        for component, order in zip(self._constraints.components, self._orders, strict=True):
            try:
                table = CountTable(component, order, WorkBudget(WHOLE, self._seconds))
            except WorkLimitError:
                continue
            whole = table.polynomial
            for box, mines in table.expected():
                if not any(mines.counts):
                    safe += box.cells
                elif mines.trimmed() == whole.times(len(box.cells)).trimmed():
                    mined += box.cells
        return tuple(sorted(safe)), tuple(sorted(mined))

    def _find_odds(self) -> float:
        """Find the odds of a mine at which the expected number of mines fits the prior."""
        cells = len(self.observation.shown)
        if isinstance(self.prior, Density):
            return self.prior.probability / (1 - self.prior.probability)
        fixed = self.observation.hits + len(self._constraints.mined)
        interior = len(self._constraints.interior)
        wanted = max(0.5, (self.prior.target(cells) or 0) - fixed)
        free = interior + sum(component.size for component in self._constraints.components)
        odds = wanted / max(0.5, free - wanted)
        for _ in range(ROUNDS):
            self._odds = odds
            tables = self._weigh(min(SCOUT, self._beam))
            frontier = math.fsum(mines for _, mines in self._expected(tables))
            expected = frontier + interior * odds / (1 + odds)
            odds = min(100.0, max(0.001, odds * wanted / expected)) if expected else odds
        return odds

    def _weigh(self, beam: int) -> list[BeamTable]:
        components = self._constraints.components
        for attempt in range(ATTEMPTS):
            width = min(beam * 4**attempt, WIDEST)
            try:
                return [
                    BeamTable(component, order, self._odds, width, budget=self._budget)
                    for component, order in zip(components, self._orders, strict=True)
                ]
            except DeadEndError:
                continue
        raise WorkLimitError(f"expected a layout among {width} states a box, got none")

    @staticmethod
    def _expected(tables: list[BeamTable]) -> list[tuple[Box, float]]:
        return [item for table in tables for item in table.expected()]
