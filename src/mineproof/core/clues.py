"""Clue rules: what an opened cell shows, and what that tells the player about the true number.

A clue rule is a class. All code that depends on how clues are shown uses it: the game, the engines,
the proofs, the agents and the page. `register_clue_rule` adds your own rule.
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

from mineproof.core.errors import RulesError, WrongTypeError, did_you_mean
from mineproof.core.random import Purpose, Stream
from mineproof.core.user_code import announce, load, load_announced, source_of

UNOPENED = 9
"""The code of an unopened cell."""
WITHHELD = 10
"""The code of an open cell without a clue."""
EXPLODED = 11
"""The code of an exploded mine."""
MOST = 8
"""The highest clue, which is also the largest number of neighbours that a cell can have."""
Weights = tuple[int, ...]
"""The weight of a shown number for each true number, from 0 to the number of neighbours."""
Chances = Mapping[int, Fraction | float]
"""The probability of each code that a cell can show."""


class Bounds(NamedTuple):
    """The minimum and maximum number of mines in a set of cells; equal if the number is known."""

    least: int
    most: int


class ClueRule:
    """A clue rule. A subclass sets `name` and `words` and implements `chances`.

    The other methods are derived from the chances. Rules with equal text forms are equal.
    """

    name: ClassVar[str]
    """The name in commands, records and game ids: lower-case words joined by hyphens."""
    parameter_name: ClassVar[str] = ""
    """The placeholder for the rule's parameter, such as the P in `withheld:P`."""
    parameter_words: ClassVar[str] = ""
    """The label of the parameter in a form."""
    parameter_default: ClassVar[str] = ""
    """The value that a form suggests for the parameter."""
    words: ClassVar[str]
    """A description of the clues that completes a sentence starting with "Clues", such as "Clues
    are sometimes not shown"."""
    floods: ClassVar[bool] = False
    """Whether opening a cell that shows 0 also opens its neighbours. If so, only cells whose true
    number is 0 may show 0."""

    @classmethod
    def from_parameter(cls, text: str) -> ClueRule:
        """Return the rule `name:parameter`, given the text after the colon.

        Raises:
            RulesError: the parameter is not valid.
        """
        raise RulesError(f"the clue rule {cls.name} takes no parameter, got {text!r}")

    @property
    def parameter(self) -> str:
        """The text after the colon; empty for a rule without a parameter."""
        return ""

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the codes that a cell can show, each with its probability.

        A code is a number from 0 to 8, or `WITHHELD`. The probability of `WITHHELD` must not depend
        on the true number, so that a cell without a clue reveals nothing about it.

        Args:
            truth: the number of mines next to the cell.
            degree: the number of its neighbours.
        """
        raise NotImplementedError

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the code that a cell shows when opened.

        The same arguments always return the same code.

        Args:
            seed: the game's seed.
            index: the cell's index.
            truth: the number of mines next to the cell.
            degree: the number of its neighbours.
        """
        left = Fraction(Stream(seed, Purpose.CLUE, index).next(), 1 << 64)
        chances = self.chances(truth, degree)
        for shown, chance in chances.items():
            left -= Fraction(chance)
            if left < 0:
                return shown
        return max(chances, key=chances.__getitem__)  # rounded chances may add up to less than 1

    def weight(self, shown: int, truth: int, degree: int) -> Fraction | float:
        """Return the likelihood of a shown number, up to a factor shared by all true numbers."""
        return self.chances(truth, degree).get(shown, 0)

    def weights(self, shown: int, degree: int) -> Weights:
        """Return the weight of a shown number for each true number from 0 to `degree`.

        Weights are the smallest possible whole numbers, so that counting with them is exact.
        """
        return self._table[degree][shown]

    def bounds(self, shown: int, degree: int) -> Bounds:
        """Return the lowest and highest true number that a shown number allows."""
        return self._bounds[degree][shown]

    @cached_property
    def trusted(self) -> bool:
        """Whether every shown number is the true one."""
        return all(
            truth == shown or not weight
            for table in self._table
            for shown, weights in enumerate(table)
            for truth, weight in enumerate(weights)
        )

    def estimate(self, shown: int, degree: int) -> float:
        """Estimate the true number from a shown number, without bias over many cells.

        This assumes that the mean of the shown numbers grows linearly with the true number.
        """
        low, high = self._mean(0, degree), self._mean(degree, degree)
        return float(degree * (shown - low) / (high - low) if high > low else shown)

    def _mean(self, truth: int, degree: int) -> Fraction:
        """Return the mean of the numbers shown for a true number."""
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
        # No clue exceeds the number of neighbours, under any rule.
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
        """Return the text that `ClueRule.parse` reads."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name

    def __repr__(self) -> str:
        return f"<clue rule {self}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ClueRule) and str(self) == str(other))

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rule as its text and its module, which another process can import."""
        return _restore, (str(self), source_of(type(self)))

    @staticmethod
    @lru_cache(maxsize=256)
    def parse(text: str) -> ClueRule:
        """Return the registered rule for text such as `exact` or `withheld:0.8`.

        Raises:
            RulesError: no registered rule has this text.
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
        """Return the value of an attribute from version 0.2, and issue a deprecation warning."""
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
        """Return the true number, with probability 1."""
        return {truth: 1.0}

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the true number."""
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
        """Set the probability that a cell shows its number."""
        if not 0 <= probability <= 1:
            raise RulesError(f"expected a probability from 0 to 1, got {probability!r}")
        self.probability = probability

    @classmethod
    def from_parameter(cls, text: str) -> Withheld:
        """Return the rule with a probability given as text."""
        try:
            return cls(float(text))
        except ValueError:  # RulesError is a ValueError
            raise RulesError(
                f"expected withheld:P with a probability P from 0 to 1, got 'withheld:{text}'"
            ) from None

    @property
    def parameter(self) -> str:
        """The probability as text."""
        return repr(self.probability)

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the true number and `WITHHELD`, each with its probability."""
        return {truth: self.probability, WITHHELD: 1 - Fraction(self.probability)}

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Return the true number or `WITHHELD`."""
        stream = Stream(seed, Purpose.CLUE, index)
        return truth if stream.fraction() < self.probability else WITHHELD

    def weight(self, shown: int, truth: int, degree: int) -> float:
        """Return 1 if the cell can show this, otherwise 0. The common probability is left out."""
        return float(shown in (truth, WITHHELD))


class Optimistic(ClueRule):
    """Cells show any number up to the true one, all equally likely."""

    name = "optimistic"
    words = "are at most the truth"

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the numbers from 0 to the true number, all equally likely."""
        return dict.fromkeys(range(truth + 1), Fraction(1, truth + 1))

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Draw a number from 0 to the true number."""
        return Stream(seed, Purpose.CLUE, index).below(truth + 1)


class Cautious(ClueRule):
    """Cells show any number from the true one to their number of neighbours, all equally likely."""

    name = "cautious"
    words = "are at least the truth"

    def chances(self, truth: int, degree: int) -> Chances:
        """Return the numbers from the true number to `degree`, all equally likely."""
        return dict.fromkeys(range(truth, degree + 1), Fraction(1, degree - truth + 1))

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Draw a number from the true number to `degree`."""
        return truth + Stream(seed, Purpose.CLUE, index).below(degree - truth + 1)


BUILT_IN: dict[str, type[ClueRule]] = {
    rule.name: rule for rule in (Exact, Withheld, Optimistic, Cautious)
}
"""The built-in rules. The C++ core implements all of them."""
_RULES = dict(BUILT_IN)
EXACT = Exact()


def register_clue_rule(rule: Rule) -> Rule:
    """Register a clue rule, so that its name can be used everywhere. Works as a decorator.

    Worker processes import the module of the class when they need the rule. Registering another
    rule with the same name replaces the first one.

    Args:
        rule: a subclass of `ClueRule`.

    Raises:
        TypeError: the value is not a subclass of `ClueRule`.
        RulesError: the class is inconsistent, or has the name of a built-in rule.
    """
    if not (isinstance(rule, type) and issubclass(rule, ClueRule)):
        raise WrongTypeError(f"expected a subclass of ClueRule, got {rule!r:.80}")
    name = getattr(rule, "name", "")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name) or name in BUILT_IN:
        raise RulesError(f"expected a new name of lower-case words and hyphens, got {name!r}")
    if not getattr(rule, "words", ""):
        raise RulesError(f"the clue rule {name} has no `words`, which describe its clues")
    if not rule.parameter_name:
        _ = rule()._table  # this checks the chances
    _RULES[name] = rule
    ClueRule.parse.cache_clear()
    announce(source_of(rule))
    return rule


def clue_rules() -> tuple[type[ClueRule], ...]:
    """Return all registered rules, the built-in ones first."""
    load_announced()
    return tuple(_RULES.values())


def form_of(rule: type[ClueRule]) -> str:
    """Return how a rule is written, with a placeholder for a parameter: `exact`, `withheld:P`."""
    return f"{rule.name}:{rule.parameter_name}" if rule.parameter_name else rule.name


def _restore(text: str, source: str) -> ClueRule:
    if source and text.partition(":")[0] not in _RULES:
        load(source)
    return ClueRule.parse(text)


def __getattr__(name: str) -> Any:
    """Return the object for a name from version 0.2, and issue a deprecation warning."""
    if name != "ClueModel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("use ClueRule instead of ClueModel", DeprecationWarning, stacklevel=2)
    return ClueRule


def _support(weights: Weights) -> Bounds:
    """Return the lowest and highest true number with positive weight, or an empty range."""
    possible = [truth for truth, weight in enumerate(weights) if weight]
    return Bounds(possible[0], possible[-1]) if possible else Bounds(len(weights), -1)


def _check_chances(rule: ClueRule, degree: int) -> None:
    """Check the chances of a cell with `degree` neighbours.

    Raises:
        RulesError: the chances are not probabilities, or contradict the rule's attributes.
    """
    codes, hidden = {*range(degree + 1), WITHHELD}, set()
    for truth in range(degree + 1):
        chances = {code: Fraction(c) for code, c in rule.chances(truth, degree).items()}
        hidden.add(chances.get(WITHHELD, 0))
        wanted = {
            f"chances of the numbers 0 to {degree} or of WITHHELD": codes.issuperset(chances)
            and all(chance >= 0 for chance in chances.values()),
            "chances that add up to 1": math.isclose(sum(chances.values()), 1),
            "0 to be shown only for a true 0": not (rule.floods and truth and chances.get(0)),
            "the same chance of WITHHELD for every truth": len(hidden) == 1,
        }
        if missing := next((words for words, is_met in wanted.items() if not is_met), ""):
            got = {code: float(chance) for code, chance in chances.items()}
            where = f"for {truth} mines among {degree} neighbours"
            raise RulesError(f"{rule}: expected {missing}, got {got} {where}")
