"""The rules of reasoning that proofs are told with, and how hard each is.

The scale: 1 is a look at one clue; 2 and 3 compare two clues; 4 follows one supposition to a
contradiction; 5 needs the mine count; 6 needs suppositions inside suppositions; 8 cannot be
told in steps, only counted. A proof is as hard as its hardest step, and a tenth for each
further step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Rule(StrEnum):
    """A way to conclude something."""

    GIVEN = "given"
    """The cell is open, or a mine that is shown."""
    SATISFIED = "satisfied"
    """A clue has all its mines: the rest is safe."""
    NEEDS_ALL = "needs-all"
    """A clue needs all the cells that are left: they are mines."""
    INSIDE = "inside"
    """The cells of one clue lie inside those of another: the difference is known."""
    DIFFERENCE = "difference"
    """Two clues overlap, and differ as much as they can."""
    TOGETHER = "together"
    """Many clues decide cells, each easy to see: only their number matters later."""
    CASES = "cases"
    """The opposite leads to a contradiction."""
    MINE_COUNT = "mine-count"
    """The number of mines left decides."""
    NESTED_CASES = "nested-cases"
    """The opposite leads to a contradiction, with a supposition on the way."""
    ARRANGEMENTS = "arrangements"
    """All arrangements agree; there is no short way to see it."""
    GUESS = "guess"
    """Nothing is proved."""


DIFFICULTY = {
    Rule.GIVEN: 0.0,
    Rule.SATISFIED: 1.0,
    Rule.NEEDS_ALL: 1.0,
    Rule.INSIDE: 2.0,
    Rule.DIFFERENCE: 3.0,
    Rule.TOGETHER: 3.0,
    Rule.CASES: 4.0,
    Rule.MINE_COUNT: 5.0,
    Rule.NESTED_CASES: 6.0,
    Rule.ARRANGEMENTS: 8.0,
    Rule.GUESS: 0.0,
}
"""How hard a rule is to use; a guess needs none."""
MORE = 0.1
"""What each step after the first adds."""
MOST_MORE = 0.9
"""What they add together at most: a proof never seems to need a harder rule."""


@dataclass(frozen=True)
class Clash:
    """A clue that cannot be met."""

    clue: int
    known: tuple[int, ...]
    """The cells whose values break it."""
    too_many: bool
    """Whether it has too many mines; otherwise too few cells are left for them."""


@dataclass(frozen=True)
class Step:
    """One conclusion of a proof."""

    rule: Rule
    cells: tuple[int, ...]
    """The cells it is about."""
    mined: bool
    """Their value."""
    clues: tuple[int, ...] = ()
    """The clues it rests on directly, `MINE_COUNT` among them where that is used."""
    known: tuple[int, ...] = ()
    """The cells concluded or supposed before that it rests on."""
    inner: tuple[Step, ...] = field(default=())
    """What follows if the opposite is supposed."""
    clash: Clash | None = None
    """Where that ends."""
    numbers: tuple[int, ...] = ()
    """Numbers that the words of the rule name."""


def count_steps(steps: tuple[Step, ...]) -> int:
    """Count the steps of a proof, those inside suppositions too."""
    return sum(1 + count_steps(step.inner) for step in steps)


def hardest(steps: tuple[Step, ...]) -> Rule:
    """Give the hardest rule of a proof; of equal ones the last."""
    return max(reversed(steps), key=lambda step: DIFFICULTY[step.rule]).rule


def difficulty(steps: tuple[Step, ...]) -> float:
    """Rate a proof."""
    if not steps:
        return 0.0
    more = min(MOST_MORE, MORE * (count_steps(steps) - 1))
    return round(DIFFICULTY[hardest(steps)] + more, 1)
