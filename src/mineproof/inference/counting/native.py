"""The native core's answers as `Facts`.

The core reads a position, solves it and gives back flat bytes: a double and a verdict for each
cell. Python objects are made of these when they are asked for. Questions that need more than
risks go to a `Posterior`, which solves the position once more and keeps its layouts.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.backend import native
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.random import check_seed
from mineproof.inference.counting.budget import NODES
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.inference.counting.prior import Density, Known, Outside, Prior, Range

if TYPE_CHECKING:
    from mineproof.core.observation import Observation

AVAILABLE = hasattr(native, "solve_text")
"""Whether there is a native core that can count."""
MOST_MINES = 1_000_000
"""No board has more cells."""
_core: Any = native

_SOLVED, _CONTRADICTION, _LIMIT = range(3)
_IS_SAFE = bytes(verdict == 1 for verdict in range(256))
_IS_MINED = bytes(verdict == 2 for verdict in range(256))


class Solved(NamedTuple):
    """A position that the core solved: what it was asked, and its answer."""

    rows: int
    columns: int
    shown: bytes
    clues: str
    prior: tuple[str, float, float]
    risks: bytes
    """A double for each cell."""
    verdicts: bytes
    """For each cell 0, or 1 if it is proved safe, or 2 if it is proved to be a mine."""
    nodes: int


class NativeFacts(Facts):
    """The facts of a position that the native core solved."""

    exact = True

    def __init__(
        self, solved: Solved, prior: Prior, mines: int | None, source: Observation | str
    ) -> None:
        """Keep what the core answered; `source` is the position, or the text it came from."""
        self._solved = solved
        self.prior = prior
        self._mines = mines
        self._source = source
        self.nodes = solved.nodes

    @cached_property
    def observation(self) -> Observation:  # type: ignore[override]
        """The position."""
        if not isinstance(self._source, str):
            return self._source
        from mineproof.notation.position import parse_position

        return parse_position(self._source)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._solved.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self._solved.columns

    @property
    def mines(self) -> int | None:
        """The number of mines; None where it is not known."""
        return self._mines

    @cached_property
    def risk(self) -> array[float]:
        """The probability of a mine for each cell; NaN where it is not unopened."""
        return array("d", self._solved.risks)

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are mined in no layout, in increasing order."""
        return self._where(_IS_SAFE)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are mined in every layout, in increasing order."""
        return self._where(_IS_MINED)

    @cached_property
    def layouts(self) -> int:
        """The number of layouts of positive weight."""
        posterior = self._posterior
        parts = [Polynomial(least, counts) for least, counts in posterior.polynomials()]
        outside = Outside(len(self._solved.shown), posterior.fixed, posterior.interior)
        return _count_layouts(_product(parts), self.prior, outside)

    def values(self, index: int) -> tuple[float, ...]:
        """Give the chances that a cell is safe and has 0, 1, ... 8 mined neighbours."""
        self.check_unopened(index)
        try:
            return self._posterior.values(index)  # type: ignore[no-any-return]
        except _core.WorkLimit:
            raise _limit(self._most_nodes, None, self._most_nodes) from None

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte a cell, 1 for a mine."""
        return self._posterior.sample(check_seed(seed))  # type: ignore[no-any-return]

    def check_unopened(self, index: int) -> None:
        """Refuse a cell that is not unopened.

        Raises:
            InputError: the cell is open, or off the board.
        """
        shown = self._solved.shown
        if not (0 <= index < len(shown) and shown[index] == UNOPENED):
            super().check_unopened(index)

    @cached_property
    def _posterior(self) -> Any:
        rows, columns, shown, clues, prior, *_ = self._solved
        return _core.Posterior(rows, columns, shown, clues, *prior, self._most_nodes, None)

    @property
    def _most_nodes(self) -> int:
        return max(self.nodes, NODES)

    def _where(self, table: bytes) -> tuple[int, ...]:
        verdicts = self._solved.verdicts
        return tuple(compress(range(len(verdicts)), verdicts.translate(table)))


def count(
    observation: Observation, prior: Prior, nodes: int = NODES, seconds: float | None = None
) -> Facts:
    """Work out the facts of a position; see `mineproof.inference.counting.count`."""
    rules, shown = observation.rules, observation.shown
    plain = plain_prior(prior)
    if plain is None:
        raise _contradiction(observation, prior)
    clues = rules.clues.kind.value
    status, *answer = _core.solve(rules.rows, rules.columns, shown, clues, *plain, nodes, seconds)
    if status == _CONTRADICTION:
        raise _contradiction(observation, prior)
    if status == _LIMIT:
        raise _limit(nodes, seconds, answer[-1])
    solved = Solved(rules.rows, rules.columns, shown, clues, plain, *answer)
    return NativeFacts(solved, prior, rules.mines, observation)


def count_text(text: str) -> Facts | None:
    """Solve one plain position; None if Python has to read the text."""
    answer = _core.solve_text(text, NODES)
    if answer is None:
        return None
    rows, columns, mines, shown, status, risks, verdicts, nodes = answer
    if status == _LIMIT:
        raise _limit(NODES, None, nodes)
    if status == _CONTRADICTION:
        from mineproof.notation.position import parse_position

        raise _contradiction(parse_position(text), Known(mines))
    plain = ("known", mines, mines)
    solved = Solved(rows, columns, shown, "exact", plain, risks, verdicts, nodes)
    return NativeFacts(solved, Known(mines), mines, text)


def _product(parts: Sequence[Polynomial]) -> Polynomial:
    """Multiply polynomials, short ones first, which keeps the numbers small."""
    if len(parts) < 2:
        return parts[0] if parts else ONE
    half = len(parts) // 2
    return _product(parts[:half]) * _product(parts[half:])


def _count_layouts(whole: Polynomial, prior: Prior, outside: Outside) -> int:
    """Count the layouts of components and interior together."""
    if not isinstance(prior, Known):
        return sum(
            count * prior.layouts(whole.least + extra, outside)
            for extra, count in enumerate(whole.counts)
        )
    # C(interior, left) for one mine less each time: on a large board a single one is costly.
    left = prior.mines - outside.fixed - whole.least
    skipped = max(0, left - outside.interior)
    left -= skipped
    if left < 0:
        return 0
    ways, layouts = math.comb(outside.interior, left), 0
    for count in whole.counts[skipped : skipped + left + 1]:
        layouts += count * ways
        ways = ways * left // (outside.interior - left + 1)
        left -= 1
    return layouts


def plain_prior(prior: Prior) -> tuple[str, float, float] | None:
    """Write a prior as the core reads it; None if no board fits it."""
    if isinstance(prior, Density):
        return "density", prior.probability, prior.probability
    if isinstance(prior, Range):
        least, most = prior.least, min(prior.most, MOST_MINES)
        return ("range", least, most) if least <= most else None
    return ("known", prior.mines, prior.mines) if 0 <= prior.mines <= MOST_MINES else None


def _contradiction(observation: Observation, prior: Prior) -> InputError:
    from mineproof.inference.contradiction import explain_contradiction

    return explain_contradiction(observation, prior)


def _limit(nodes: int, seconds: float | None, used: int) -> WorkLimitError:
    if seconds is not None and used <= nodes:
        return WorkLimitError(f"expected an answer within {seconds:g} s, got none")
    return WorkLimitError(f"expected at most {nodes} states to count, got more")
