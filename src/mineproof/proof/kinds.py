"""The kinds of reasoning in the order people learn them, and what proofs are made of.

A proof is as hard as its hardest deduction: one clue, two clues, several clues (what two of them
say of a group of cells is used as a clue itself), cases (suppose the opposite and refute it), the
mine count. Patterns with names are deductions from two clues, no kind of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from mineproof.inference.clue_graph import MINE_COUNT


class ReasoningKind(IntEnum):
    """A kind of reasoning; the number is its position in the order of learning."""

    NONE = 0
    """Nothing is concluded: the cell is open, or a guess."""
    ONE_CLUE = 1
    TWO_CLUES = 2
    SEVERAL_CLUES = 3
    CASES = 4
    MINE_COUNT = 5

    def __str__(self) -> str:
        """Return its name in words."""
        return self.name.lower().replace("_", " ")


class Rule(StrEnum):
    """A way to conclude something, with its kind; whatever uses the mine count is of that kind."""

    kind: ReasoningKind

    def __new__(cls, name: str, kind: ReasoningKind) -> Rule:
        """Make a member of its name and its kind."""
        member = str.__new__(cls, name)
        member._value_, member.kind = name, kind
        return member

    GIVEN = "given", ReasoningKind.NONE
    """The cell is open, or a mine that is shown."""
    SATISFIED = "satisfied", ReasoningKind.ONE_CLUE
    """A clue has all its mines: the rest is safe."""
    NEEDS_ALL = "needs-all", ReasoningKind.ONE_CLUE
    """A clue needs all the cells that are left: they are mines."""
    INSIDE = "inside", ReasoningKind.TWO_CLUES
    """The cells of one clue lie inside those of another: the difference is known."""
    DIFFERENCE = "difference", ReasoningKind.TWO_CLUES
    """Two clues overlap, and differ as much as they can."""
    GROUP = "group", ReasoningKind.SEVERAL_CLUES
    """Two clues say how many mines a group of cells has; it is used like a clue."""
    TOGETHER = "together", ReasoningKind.MINE_COUNT
    """Many clues decide cells; only the number of their mines matters later."""
    CASES = "cases", ReasoningKind.CASES
    """The opposite leads to a contradiction."""
    NESTED_CASES = "nested-cases", ReasoningKind.CASES
    """The opposite leads to a contradiction, with a supposition on the way."""
    ARRANGEMENTS = "arrangements", ReasoningKind.CASES
    """All arrangements agree; there is no short way to see it."""
    MINE_COUNT = "mine-count", ReasoningKind.MINE_COUNT
    """The number of mines left decides."""
    GUESS = "guess", ReasoningKind.NONE
    """Nothing is proved."""


MORE = 0.1
"""What each step after the first adds to the difficulty."""
MOST_MORE = 0.9
"""What they add together at most: a proof never seems to be of a harder kind."""


@dataclass(frozen=True)
class Clash:
    """Clues that cannot be met."""

    clues: tuple[int, ...]
    """One clue, or two that cannot both be met."""
    known: tuple[int, ...]
    """The cells whose values break them."""
    too_many: bool = False
    """Whether a single one has too many mines; otherwise too few cells are left for them."""


@dataclass(frozen=True)
class Deduction:
    """One conclusion of a proof; cells and clues are indices."""

    rule: Rule
    cells: tuple[int, ...]
    """The cells it is about."""
    mined: bool | None
    """Their value; None for a group of cells of which only the number of mines is known."""
    clues: tuple[int, ...] = ()
    """The clues it rests on directly: `MINE_COUNT` and numbers of groups may be among them."""
    known: tuple[int, ...] = ()
    """The cells concluded or supposed before that it rests on."""
    inner: tuple[Deduction, ...] = field(default=())
    """What follows if the opposite is supposed."""
    clash: Clash | None = None
    """Where that ends."""
    numbers: tuple[int, ...] = ()
    """Numbers that the words of the rule name."""
    group: int = 0
    """The number of the group that it makes, which later deductions have among their clues."""

    @property
    def kind(self) -> ReasoningKind:
        """The kind of reasoning."""
        clash = () if self.clash is None else self.clash.clues
        if MINE_COUNT in self.clues or MINE_COUNT in clash:
            return ReasoningKind.MINE_COUNT
        return max((self.rule.kind, *(step.kind for step in self.inner)))


Proof = tuple[Deduction, ...]
"""Deductions in order: each rests on clues and on those before it."""


def count_steps(steps: Sequence[Deduction]) -> int:
    """Count the steps of a proof, those inside suppositions too."""
    return sum(1 + count_steps(step.inner) for step in steps)


def kind_of(steps: Sequence[Deduction]) -> ReasoningKind:
    """Return the hardest kind of reasoning in a proof."""
    return max((step.kind for step in steps), default=ReasoningKind.NONE)


def rule_of(steps: Sequence[Deduction]) -> Rule:
    """Return the rule of the hardest step of a proof; of equally hard ones the last."""
    hardest = max(reversed(steps), key=lambda step: step.kind)
    if hardest.kind is ReasoningKind.MINE_COUNT and hardest.rule is not Rule.ARRANGEMENTS:
        return Rule.MINE_COUNT
    return hardest.rule


def difficulty(steps: Sequence[Deduction]) -> float:
    """Rate a proof: by its kind, and a tenth for each further step."""
    if not steps:
        return 0.0
    counted = any(step.rule is Rule.ARRANGEMENTS for step in steps)
    more = MOST_MORE if counted else min(MOST_MORE, MORE * (count_steps(steps) - 1))
    return round(kind_of(steps) + more, 1)
