"""Clue rules: what an opened cell shows, and what that says about the true number.

A clue rule is one class. Everything that depends on how clues are shown asks it: the game, the
engines, the proofs, the agents and the page. `register_clue_rule` adds a rule of your own.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import mul
from typing import Any, ClassVar, NamedTuple, TypeVar

from mineproof.core.errors import RulesError, did_you_mean
from mineproof.core.random import Purpose, Stream
from mineproof.core.user_code import announce, load, load_announced, source_of

UNOPENED = 9
"""Code of a cell that is not opened."""
WITHHELD = 10
"""Code of an opened cell that shows no clue."""
EXPLODED = 11
"""Code of a mine that is shown."""
MOST = 8
"""The highest clue, and the most neighbours that a cell can have."""
Weights = tuple[int, ...]
"""The weight of a shown number for each true number, from 0 to the number of neighbours."""
Chances = Mapping[int, Fraction | float]
"""The probability of each code that a cell can show."""


class Bounds(NamedTuple):
    """The least and the most mines that a set of cells can hold; equal if the number is known."""

    least: int
    most: int


class ClueRule:
    """A clue rule: subclass it, state the names and words, and write `chances`.

    The rest follows from the chances. Rules are equal if their texts are.
    """

    name: ClassVar[str]
    """The name in commands, records and game ids: lower-case words joined by hyphens."""
    parameter_name: ClassVar[str] = ""
    """The placeholder of a rule with a parameter: the P of `withheld:P`."""
    parameter_words: ClassVar[str] = ""
    """What a form calls the parameter."""
    parameter_default: ClassVar[str] = ""
    """What a form suggests for it."""
    words: ClassVar[str]
    """What clues do, to complete a sentence that begins with "Clues"."""
    floods: ClassVar[bool] = False
    """Whether opening a shown 0 opens its neighbours; then only a true 0 may show 0."""

    @classmethod
    def from_parameter(cls, text: str) -> ClueRule:
        """Read what stands after the colon of `name:parameter`.

        Raises:
            RulesError: there is no such parameter.
        """
        raise RulesError(f"expected {cls.name} without a parameter, got {text!r}")

    @property
    def parameter(self) -> str:
        """What stands after the colon; empty for a rule without a parameter."""
        return ""

    def chances(self, truth: int, degree: int) -> Chances:
        """Return what a cell can show, each code with its probability.

        A code is a number from 0 to 8, or `WITHHELD`, whose probability must not depend on the
        truth: a cell without a clue says nothing.

        Args:
            truth: how many of its neighbours are mines.
            degree: how many neighbours it has.
        """
        raise NotImplementedError

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the code that the cell shows when opened: a pure function of the arguments.

        Args:
            seed: the game's seed.
            index: the cell.
            truth: how many of its neighbours are mines.
            degree: how many neighbours it has.
        """
        left = Fraction(Stream(seed, Purpose.CLUE, index).next(), 1 << 64)
        chances = self.chances(truth, degree)
        for shown, chance in chances.items():
            left -= Fraction(chance)
            if left < 0:
                return shown
        return max(chances, key=chances.__getitem__)  # chances that add up to less by rounding

    def weight(self, shown: int, truth: int, degree: int) -> Fraction | float:
        """Return the likelihood of a shown number, up to a factor that no truth depends on."""
        return self.chances(truth, degree).get(shown, 0)

    def weights(self, shown: int, degree: int) -> Weights:
        """Return the weight of a shown number for each truth from 0 to `degree`.

        They are whole numbers, as small as possible, so that counting with them is exact.
        """
        return self._table[degree][shown]

    def bounds(self, shown: int, degree: int) -> Bounds:
        """Return the smallest and the largest truth that a shown number allows."""
        return self._bounds[degree][shown]

    @cached_property
    def trusted(self) -> bool:
        """Whether every number that is shown is the true one."""
        return all(
            truth == shown or not weight
            for table in self._table
            for shown, weights in enumerate(table)
            for truth, weight in enumerate(weights)
        )

    def estimate(self, shown: int, degree: int) -> float:
        """Estimate the truth from a shown number; the mean over many cells is about right.

        The mean number shown is taken to grow evenly with the truth.
        """
        low, high = self._mean(0, degree), self._mean(degree, degree)
        return float(degree * (shown - low) / (high - low) if high > low else shown)

    def _mean(self, truth: int, degree: int) -> Fraction:
        """Return the mean of the numbers that are shown for a truth."""
        chances = {code: Fraction(c) for code, c in self.chances(truth, degree).items()}
        total = 1 - chances.pop(WITHHELD, Fraction(0))
        return sum(map(mul, chances, chances.values())) / total if total else Fraction(truth)

    @cached_property
    def _table(self) -> tuple[tuple[Weights, ...], ...]:
        """The weights by degree and shown number."""
        for degree in range(MOST + 1):
            _check_chances(self, degree)
        return tuple(
            tuple(self._whole_weights(shown, degree) for shown in range(MOST + 1))
            for degree in range(MOST + 1)
        )

    def _whole_weights(self, shown: int, degree: int) -> Weights:
        # No clue exceeds the number of neighbours, whatever the rule.
        if shown > degree:
            return (0,) * (degree + 1)
        found = [Fraction(self.weight(shown, truth, degree)) for truth in range(degree + 1)]
        scale = math.lcm(*(weight.denominator for weight in found))
        whole = [int(weight * scale) for weight in found]
        divisor = math.gcd(*whole) or 1
        return tuple(weight // divisor for weight in whole)

    @cached_property
    def _bounds(self) -> tuple[tuple[Bounds, ...], ...]:
        if self.trusted:
            return (tuple(Bounds(shown, shown) for shown in range(MOST + 1)),) * (MOST + 1)
        return tuple(tuple(map(_support, table)) for table in self._table)

    def __str__(self) -> str:
        """Write the rule as `ClueRule.parse` reads it."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name

    def __repr__(self) -> str:
        """Show the text of the rule."""
        return f"<clue rule {self}>"

    def __eq__(self, other: object) -> bool:
        """Compare the texts."""
        return self is other or (isinstance(other, ClueRule) and str(self) == str(other))

    def __hash__(self) -> int:
        """Hash the text."""
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text, and where the rule is defined, for a process that does not know it."""
        return _restore, (str(self), source_of(type(self)))

    @staticmethod
    @lru_cache(maxsize=256)
    def parse(text: str) -> ClueRule:
        """Read the text of a registered rule, such as `exact` or `withheld:0.8`.

        Raises:
            RulesError: no rule has this text.
        """
        name, colon, parameter = text.strip().lower().partition(":")
        if name not in _RULES:
            load_announced()
        found = _RULES.get(name)
        if found is None or (colon and not found.parameter_name):
            *others, last = map(form_of, _RULES.values())
            raise RulesError(
                f"expected clues {', '.join(others)} or {last}, got {text!r}"
                f"{did_you_mean(name, _RULES)}"
            )
        return found.from_parameter(parameter) if found.parameter_name else found()

    def __getattr__(self, name: str) -> Any:
        """Return what an attribute of version 0.2 stands for now."""
        if name != "kind":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        warnings.warn("use ClueRule.name instead of kind", DeprecationWarning, stacklevel=2)
        return self.name


Rule = TypeVar("Rule", bound=type[ClueRule])


class Exact(ClueRule):
    """Cells show the true number."""

    name = "exact"
    words = "tell the truth"
    floods = True

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the truth."""
        return {truth: 1.0}

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the truth."""
        return truth


class Withheld(ClueRule):
    """Cells show the true number with a probability, and otherwise no number."""

    name = "withheld"
    parameter_name = "P"
    parameter_words = "Share of clues that are shown"
    parameter_default = "0.8"
    words = "are sometimes not shown"
    floods = True

    def __init__(self, probability: float) -> None:
        """Keep the probability that a cell shows its number."""
        if not 0 <= probability <= 1:
            raise RulesError(f"expected a probability from 0 to 1, got {probability!r}")
        self.probability = probability

    @classmethod
    def from_parameter(cls, text: str) -> Withheld:
        """Read the probability."""
        try:
            return cls(float(text))
        except ValueError:  # a RulesError is one too
            raise RulesError(
                f"expected withheld:P with a probability P from 0 to 1, got 'withheld:{text}'"
            ) from None

    @property
    def parameter(self) -> str:
        """The probability."""
        return repr(self.probability)

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the truth or nothing."""
        return {truth: self.probability, WITHHELD: 1 - Fraction(self.probability)}

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the truth or nothing."""
        stream = Stream(seed, Purpose.CLUE, index)
        return truth if stream.fraction() < self.probability else WITHHELD

    def weight(self, shown: int, truth: int, degree: int) -> float:
        """Return 1 for the truth: the probability is the same for every truth, and may be 0."""
        return float(shown in (truth, WITHHELD))


class Optimistic(ClueRule):
    """Cells show any number up to the true one, all equally likely."""

    name = "optimistic"
    words = "are at most the truth"

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the numbers up to the truth."""
        return dict.fromkeys(range(truth + 1), Fraction(1, truth + 1))

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Draw a number up to the truth."""
        return Stream(seed, Purpose.CLUE, index).below(truth + 1)


class Cautious(ClueRule):
    """Cells show any number from the true one to that of their neighbours, all equally likely."""

    name = "cautious"
    words = "are at least the truth"

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the numbers from the truth on."""
        return dict.fromkeys(range(truth, degree + 1), Fraction(1, degree - truth + 1))

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Draw a number from the truth on."""
        return truth + Stream(seed, Purpose.CLUE, index).below(degree - truth + 1)


BUILT_IN: dict[str, type[ClueRule]] = {
    rule.name: rule for rule in (Exact, Withheld, Optimistic, Cautious)
}
"""The rules that need no registration; the native core knows all of them."""
_RULES = dict(BUILT_IN)
EXACT = Exact()


def register_clue_rule(rule: Rule) -> Rule:
    """Register a clue rule, so that its text is read everywhere; usable as a decorator.

    Worker processes import the module that defines the class when they meet the rule. A rule
    of the same name that was registered before is replaced.

    Args:
        rule: a subclass of `ClueRule`.

    Raises:
        RulesError: the class contradicts itself, or has the name of a built-in rule.
    """
    if not (isinstance(rule, type) and issubclass(rule, ClueRule)):
        raise RulesError(f"expected a subclass of ClueRule, got {rule!r}")
    name = getattr(rule, "name", "")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name) or name in BUILT_IN:
        raise RulesError(f"expected a new name of lower-case words and hyphens, got {name!r}")
    if not getattr(rule, "words", ""):
        raise RulesError(f"expected words that say what {name} clues do, got none")
    if not rule.parameter_name:
        _ = rule()._table  # which checks the chances
    _RULES[name] = rule
    ClueRule.parse.cache_clear()
    announce(source_of(rule))
    return rule


def clue_rules() -> tuple[type[ClueRule], ...]:
    """Return all registered rules, the built-in ones first."""
    load_announced()
    return tuple(_RULES.values())


def form_of(rule: type[ClueRule]) -> str:
    """Return how the text of a rule is written: `exact`, `withheld:P`."""
    return f"{rule.name}:{rule.parameter_name}" if rule.parameter_name else rule.name


def _restore(text: str, source: str) -> ClueRule:
    if source and text.partition(":")[0] not in _RULES:
        load(source)
    return ClueRule.parse(text)


def __getattr__(name: str) -> Any:
    """Return what a name of version 0.2 stands for now."""
    if name != "ClueModel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("use ClueRule instead of ClueModel", DeprecationWarning, stacklevel=2)
    return ClueRule


def _support(weights: Weights) -> Bounds:
    """Return the range of the truths of positive weight; an empty one if there is none."""
    possible = [truth for truth, weight in enumerate(weights) if weight]
    return Bounds(possible[0], possible[-1]) if possible else Bounds(len(weights), -1)


def _check_chances(rule: ClueRule, degree: int) -> None:
    """Check the chances of a cell with so many neighbours.

    Raises:
        RulesError: they are no chances, or break what the rule promises.
    """
    codes, hidden = {*range(degree + 1), WITHHELD}, set()
    for truth in range(degree + 1):
        chances = {code: Fraction(c) for code, c in rule.chances(truth, degree).items()}
        hidden.add(chances.get(WITHHELD, 0))
        wanted = {
            f"chances of the numbers 0 to {degree} or of WITHHELD": codes.issuperset(chances)
            and all(chance >= 0 for chance in chances.values()),
            "chances that add up to 1": math.isclose(sum(chances.values()), 1),
            "that only a true 0 shows 0": not (rule.floods and truth and chances.get(0)),
            "one chance of WITHHELD for every truth": len(hidden) == 1,
        }
        for words, is_met in wanted.items():
            if not is_met:
                got = {code: float(chance) for code, chance in chances.items()}
                where = f"for {truth} mines among {degree} neighbours"
                raise RulesError(f"{rule}: expected {words}, got {got} {where}")
