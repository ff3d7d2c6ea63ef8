"""The kinds of reasoning, in the order people learn them, and the steps that proofs consist of.

A proof is as hard as its hardest deduction. From easy to hard: one clue, two clues, several clues
(two clues give the number of mines in a group of cells, and the group is used like a clue), cases
(assume the opposite and refute it), and the mine count. Named patterns are deductions from two
clues, not a separate kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from mineproof.inference.clue_graph import MINE_COUNT


class ReasoningKind(IntEnum):
    """A kind of reasoning. The number is its position in the order of learning."""

    NONE = 0
    """No reasoning: the cell is open, or it is a guess."""
    ONE_CLUE = 1
    TWO_CLUES = 2
    SEVERAL_CLUES = 3
    CASES = 4
    MINE_COUNT = 5

    def __str__(self) -> str:
        """Return the name in words, such as `one clue`."""
        return self.name.lower().replace("_", " ")


class Rule(StrEnum):
    """A rule of deduction. A step that uses the mine count always has the kind `MINE_COUNT`."""

    kind: ReasoningKind

    def __new__(cls, name: str, kind: ReasoningKind) -> Rule:
        """Make a member from its name and its kind."""
        member = str.__new__(cls, name)
        member._value_, member.kind = name, kind
        return member

    GIVEN = "given", ReasoningKind.NONE
    """The cell is open, or a mine that is shown."""
    SATISFIED = "satisfied", ReasoningKind.ONE_CLUE
    """A clue has all its mines, so its other cells are safe."""
    NEEDS_ALL = "needs-all", ReasoningKind.ONE_CLUE
    """A clue needs all the cells it has left, so they are mines."""
    INSIDE = "inside", ReasoningKind.TWO_CLUES
    """The cells of one clue all belong to another clue too, so the difference is known."""
    DIFFERENCE = "difference", ReasoningKind.TWO_CLUES
    """Two clues overlap, and their numbers differ as much as they can."""
    GROUP = "group", ReasoningKind.SEVERAL_CLUES
    """Two clues give the number of mines in a group of cells, which is then used like a clue."""
    TOGETHER = "together", ReasoningKind.MINE_COUNT
    """Many clues decide many cells, and only the number of mines among them matters later."""
    CASES = "cases", ReasoningKind.CASES
    """The opposite leads to a contradiction."""
    NESTED_CASES = "nested-cases", ReasoningKind.CASES
    """The opposite leads to a contradiction, but only with a further assumption."""
    ARRANGEMENTS = "arrangements", ReasoningKind.CASES
    """All arrangements agree, and no shorter proof was found."""
    MINE_COUNT = "mine-count", ReasoningKind.MINE_COUNT
    """The number of mines left decides the cell."""
    GUESS = "guess", ReasoningKind.NONE
    """Nothing is proved."""


EXTRA_STEP = 0.1
"""The difficulty that each step after the first adds."""
MOST_EXTRA = 0.9
"""The maximum that extra steps add, so that a proof is never rated as a harder kind."""


@dataclass(frozen=True)
class Clash:
    """Clues that cannot be satisfied."""

    clues: tuple[int, ...]
    """One clue, or two that contradict each other."""
    known: tuple[int, ...]
    """The cells whose values violate the clues."""
    too_many: bool = False
    """Whether a single clue has too many mines; otherwise it has too few cells left."""


@dataclass(frozen=True)
class Deduction:
    """One conclusion of a proof. Cells and clues are indices."""

    rule: Rule
    cells: tuple[int, ...]
    """The cells it is about."""
    mined: bool | None
    """Their value; None for a group, for which only the number of mines is known."""
    clues: tuple[int, ...] = ()
    """The clues it uses directly. `MINE_COUNT` and the numbers of groups may be among them."""
    known: tuple[int, ...] = ()
    """The cells it uses that were concluded or assumed before."""
    inner: tuple[Deduction, ...] = ()
    """The steps that follow from assuming the opposite."""
    clash: Clash | None = None
    """The contradiction that these steps lead to."""
    numbers: tuple[int, ...] = ()
    """The numbers that the sentence for this step mentions."""
    group: int = 0
    """The number of the group that this step creates; later deductions list it as a clue."""

    @property
    def kind(self) -> ReasoningKind:
        """The kind of reasoning."""
        clash = () if self.clash is None else self.clash.clues
        if MINE_COUNT in self.clues or MINE_COUNT in clash:
            return ReasoningKind.MINE_COUNT
        return max((self.rule.kind, *(step.kind for step in self.inner)))


Proof = tuple[Deduction, ...]
"""Deductions in order. Each depends only on clues and earlier deductions."""


def count_steps(steps: Sequence[Deduction]) -> int:
    """Return the number of steps of a proof, including those inside assumptions."""
    return sum(1 + count_steps(step.inner) for step in steps)


def kind_of(steps: Sequence[Deduction]) -> ReasoningKind:
    """Return the hardest kind of reasoning in a proof."""
    return max((step.kind for step in steps), default=ReasoningKind.NONE)


def rule_of(steps: Sequence[Deduction]) -> Rule:
    """Return the rule of the hardest step of a proof; the last one if there is a tie."""
    hardest = max(reversed(steps), key=lambda step: step.kind)
    if hardest.kind is ReasoningKind.MINE_COUNT and hardest.rule is not Rule.ARRANGEMENTS:
        return Rule.MINE_COUNT
    return hardest.rule


def difficulty(steps: Sequence[Deduction]) -> float:
    """Return the difficulty of a proof: its kind, plus a tenth for each further step."""
    if not steps:
        return 0.0
    counted = any(step.rule is Rule.ARRANGEMENTS for step in steps)
    extra = MOST_EXTRA if counted else min(MOST_EXTRA, EXTRA_STEP * (count_steps(steps) - 1))
    return round(kind_of(steps) + extra, 1)
