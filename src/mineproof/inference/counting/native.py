"""An adapter that returns the native core's answers as `Facts`.

The core reads a position, solves it once and keeps it as a `SolvedPosition`. Its answers are packed
bytes, such as a double and a verdict for each cell. They become Python objects when they are first
used. The search for the best guess uses the same `SolvedPosition`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import Any

from mineproof.backend import native
from mineproof.core.clues import BUILT_IN
from mineproof.core.observation import Observation
from mineproof.core.random import check_seed
from mineproof.core.rules import PublicRules
from mineproof.inference.budget import NEVER, NODES, Budget
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.inference.counting.prior import Density, Known, Outside, Prior, Range
from mineproof.inference.local import ImpossibleError

AVAILABLE = hasattr(native, "solve_text")
"""Whether there is a native core that can count."""
CLUE_RULES = frozenset(BUILT_IN)
"""The names of the clue rules that the core supports."""
MOST_MINES = 1_000_000
"""Maximum number of cells of a board, and so of mines."""
MOST_MEMORY = 1 << 34
"""The largest memory limit that the core accepts, in bytes."""
KARATSUBA = 1.585
"""The exponent e if multiplying two numbers of n digits (30 bits each) takes about n**e steps."""
PRODUCT = 6e-9
"""Seconds per step of a multiplication."""
COMB = 2e-7
"""Seconds per step of computing a binomial coefficient, with the same exponent."""
LONGEST = 10.0
"""Maximum seconds for one operation on long numbers if there is no time limit."""
PRODUCT_COPIES = 4
"""The memory that a product needs while it is computed, as a multiple of its own size."""
_core: Any = native

_CONTRADICTION, _LIMIT = 1, 2
_IS_SAFE = bytes(verdict == 1 for verdict in range(256))
_IS_MINED = bytes(verdict == 2 for verdict in range(256))


class NativeFacts(Facts):
    """The facts of a position that the native core has solved."""

    exact = True

    def __init__(
        self, solved: Any, prior: Prior, mines: int | None, source: Observation | str
    ) -> None:
        """Store the solved position; `source` is the position, or the text it was read from."""
        self.solved = solved
        self.prior = prior
        self._mines = mines
        self._source = source
        self.nodes = solved.nodes

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the position; the core solves it again."""
        return count, (self.observation, self.prior, Budget(nodes=max(self.nodes, NODES)))

    @cached_property
    def observation(self) -> Observation:  # type: ignore[override]
        """The position."""
        if not isinstance(self._source, str):
            return self._source
        if "F" in self._source:
            from mineproof.notation.position_text import parse_position

            return parse_position(self._source)
        rules = PublicRules(self.rows, self.columns, self._mines)  # the core has read the text
        return Observation(rules, self.solved.shown)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.solved.rows)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return int(self.solved.columns)

    @property
    def mines(self) -> int | None:
        """The number of mines; None if it is unknown."""
        return self._mines

    @cached_property
    def risk(self) -> array[float]:
        """The risk of each unopened cell; NaN for the others."""
        return array("d", self.solved.risks)

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are proved safe, in increasing order."""
        return self._where(_IS_SAFE)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are proved to be mines, in increasing order."""
        return self._where(_IS_MINED)

    def count_layouts(self, budget: Budget) -> int:
        """Return the number of layouts with positive weight."""
        work = budget.fork(max(self.nodes, NODES))
        with CoreQuestion(work) as limits:
            fixed, interior, components = self.solved.layouts(limits)
        factors = [Polynomial(least, counts) for least, counts in components]
        outside = Outside(self.rows * self.columns, fixed, interior)
        return _count_layouts(_product(factors, work), self.prior, outside, work)

    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Return the probabilities that a cell is safe with 0, 1, ... 8 mines around it."""
        self.check_unopened(index)
        work = (budget or Budget()).fork(max(self.nodes, NODES))
        with CoreQuestion(work) as limits:
            return self.solved.values(index, limits)  # type: ignore[no-any-return]

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte per cell, 1 for a mine."""
        return self.solved.sample(check_seed(seed))  # type: ignore[no-any-return]

    def _where(self, table: bytes) -> tuple[int, ...]:
        verdicts = self.solved.verdicts
        return tuple(compress(range(len(verdicts)), verdicts.translate(table)))


class CoreQuestion:
    """A context for a question to the native core. It provides the limits and translates errors."""

    __slots__ = ("_budget",)

    def __init__(self, budget: Budget) -> None:
        """Store the budget."""
        self._budget = budget

    def __enter__(self) -> Any:
        """Return the limits in the form that the core expects."""
        budget = self._budget
        nodes = NODES if budget.nodes is None else budget.nodes
        seconds = None if budget.deadline == NEVER else budget.left
        return _core.Limits(nodes, seconds, min(budget.free, MOST_MEMORY))

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Replace the core's error for a reached limit by the error of the budget."""
        if isinstance(error, _core.WorkLimit):
            raise self._budget.reached(str(error)) from None


def count(observation: Observation, prior: Prior, budget: Budget) -> Facts:
    """Return the facts of a position; see `mineproof.inference.counting.count`.

    Raises:
        ImpossibleError: no layout fits the clues.
        WorkLimitError: the budget is spent.
    """
    rules, shown = observation.rules, observation.shown
    plain = plain_prior(prior)
    if plain is None:
        raise ImpossibleError
    with CoreQuestion(budget) as limits:
        solved = _core.SolvedPosition(
            rules.rows, rules.columns, shown, rules.clues.name, plain, limits
        )
    _check_status(solved, budget)
    return NativeFacts(solved, prior, rules.mines, observation)


def count_text(text: str, budget: Budget) -> Facts | None:
    """Return the facts of a single position; None if the text must be parsed in Python."""
    with CoreQuestion(budget) as limits:
        solved = _core.solve_text(text, limits)
    if solved is None:
        return None
    _check_status(solved, budget)
    return NativeFacts(solved, Known(solved.mines), solved.mines, text)


def _check_status(solved: Any, budget: Budget) -> None:
    if solved.status == _LIMIT:
        raise budget.reached(solved.bound)
    if solved.status == _CONTRADICTION:
        raise ImpossibleError


def _product(factors: Sequence[Polynomial], budget: Budget) -> Polynomial:
    """Multiply polynomials in pairs, then the products in pairs, which keeps the numbers small."""
    if len(factors) < 2:
        return factors[0] if factors else ONE
    half = len(factors) // 2
    first, second = _product(factors[:half], budget), _product(factors[half:], budget)
    size = max(max(first.counts).bit_length() + max(second.counts).bit_length(), 1)
    short, long = sorted((size * len(first.counts), size * len(second.counts)))
    seconds = PRODUCT * (long / short) * (short / 30) ** KARATSUBA
    _check_cost(seconds, (short + long) // 8, budget)
    return first * second


def _count_layouts(whole: Polynomial, prior: Prior, outside: Outside, budget: Budget) -> int:
    """Return the number of layouts of all components and the interior together."""
    if not isinstance(prior, Known):
        return sum(
            count * prior.layouts(whole.least + extra, outside)
            for extra, count in enumerate(whole.counts)
        )
    # Each C(interior, left) is derived from the one before it. On a large board, computing a single
    # one from scratch is slow.
    left = prior.mines - outside.fixed - whole.least
    skipped = max(0, left - outside.interior)
    left -= skipped
    if left < 0:
        return 0
    bits = _comb_bits(outside.interior, left)
    _check_cost(COMB * (bits / 30) ** KARATSUBA, int(bits) // 8, budget)
    ways, layouts = math.comb(outside.interior, left), 0
    for count in whole.counts[skipped : skipped + left + 1]:
        budget.check_time()
        layouts += count * ways
        ways = ways * left // (outside.interior - left + 1)
        left -= 1
    return layouts


def _comb_bits(size: int, count: int) -> float:
    """Return the length of C(size, count) in bits."""
    logarithm = math.lgamma(size + 1) - math.lgamma(count + 1) - math.lgamma(size - count + 1)
    return max(1.0, logarithm / math.log(2))


def _check_cost(seconds: float, size: int, budget: Budget) -> None:
    """Raise an error if an operation on long numbers, which cannot be interrupted, is too large."""
    if seconds > min(budget.left, LONGEST):
        raise budget.fork(seconds=LONGEST).reached("time")
    if PRODUCT_COPIES * size > budget.free:
        raise budget.reached("memory")


def plain_prior(prior: Prior) -> tuple[str, float, float] | None:
    """Return a prior in the form that the core expects; None if no board fits it."""
    if isinstance(prior, Density):
        return "density", prior.probability, prior.probability
    if isinstance(prior, Range):
        least, most = prior.least, min(prior.most, MOST_MINES)
        return ("range", least, most) if least <= most else None
    return ("known", prior.mines, prior.mines) if 0 <= prior.mines <= MOST_MINES else None
