"""From a set of clues that proves a cell to the steps that a person takes.

Easier rules come first: one clue at a time, then two together, then a supposition that is
followed to a contradiction, then suppositions inside it. Only steps that the end rests on stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from mineproof.proof.pairs import find_clash, find_pairs, find_single
from mineproof.proof.rules import Clash, Rule, Step
from mineproof.proof.statements import Statement

DEPTH = 3
"""Suppositions inside suppositions at most."""
WORK = 4_000
"""Rounds of conclusions at most."""


class TooLongError(Exception):
    """No proof in steps was found within the work allowed."""


class Effort:
    """Counts the rounds of a derivation, and ends it when they are too many."""

    def __init__(self, rounds: int = WORK) -> None:
        """Allow so many rounds."""
        self.left = rounds

    def spend(self) -> None:
        """Take a round.

        Raises:
            TooLongError: none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise TooLongError


class Manner(NamedTuple):
    """How a supposition is followed."""

    depth: int
    """Suppositions inside it at most, one in the other."""
    pairs: bool
    """Whether two clues may be used together."""


class Derivation:
    """Conclusions drawn from statements, in order, from some cells known before."""

    def __init__(
        self, statements: Sequence[Statement], effort: Effort, known: dict[int, bool] | None = None
    ) -> None:
        """Begin with what is known."""
        self.statements = statements
        self.effort = effort
        self.known = dict(known or {})
        self.steps: list[Step] = []
        self.clash: Clash | None = None

    def follow(self, pairs: bool, target: int | None = None) -> bool:
        """Conclude until a clash, the target or nothing more comes; say whether one of these did.

        Every round draws all conclusions from what was known before it, so that the way to
        each of them is short.
        """
        while True:
            self.effort.spend()
            clashes = (find_clash(statement, self.known) for statement in self.statements)
            self.clash = next(filter(None, clashes), None)
            if self.clash is not None or (target is not None and target in self.known):
                return True
            before = dict(self.known)
            singles = filter(None, (find_single(s, before) for s in self.statements))
            if not self.add(singles) and not (
                pairs and self.add(find_pairs(self.statements, before))
            ):
                return False

    def add(self, steps: Iterable[Step]) -> bool:
        """Take in conclusions; say whether anything is new."""
        count = len(self.known)
        for step in steps:
            if any(cell not in self.known for cell in step.cells):
                self.steps.append(step)
                for cell in step.cells:
                    self.known.setdefault(cell, step.mined)
        return len(self.known) > count

    def needed(self, wanted: Iterable[int]) -> tuple[Step, ...]:
        """Give the steps that some cells rest on, each with the cells that are used of it."""
        want = set(wanted)
        made: set[int] = set()
        kept: list[Step] = []
        first: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for cell in step.cells:
                first.setdefault(cell, number)
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            cells = tuple(c for c in step.cells if c in want and first[c] == number)
            if cells:
                kept.append(replace(step, cells=cells))
                made.update(cells)
                want.update(step.known)
        return tuple(reversed(kept))


def derive(
    statements: Sequence[Statement], target: int, mined: bool, depth: int = DEPTH
) -> tuple[Step, ...]:
    """Give the steps by which statements prove a cell.

    Args:
        statements: what the clues say.
        target: the cell.
        mined: its value.
        depth: suppositions inside suppositions at most.

    Raises:
        TooLongError: it takes too many.
    """
    effort = Effort()
    for pairs in (False, True):
        direct = Derivation(statements, effort)
        if direct.follow(pairs, target):
            return direct.needed([target])
    for nested in range(depth + 1):
        for pairs in (False, True):
            how = Manner(nested, pairs)
            step = suppose(Derivation(statements, effort), target, not mined, how)
            if step is not None:
                return hoist(step)
            step = None if nested else suppose(direct, target, not mined, how)
            if step is not None:
                return (*direct.needed(step.known), *hoist(step))
    raise TooLongError


def hoist(step: Step) -> tuple[Step, ...]:
    """Put what holds without the supposition before it."""
    before: list[Step] = []
    inner: list[Step] = []
    supposed = set(step.cells)
    for one in step.inner:
        if supposed.isdisjoint(one.known):
            before.append(one)
        else:
            inner.append(one)
            supposed.update(one.cells)
    made = [cell for one in before for cell in one.cells]
    return (*before, replace(step, inner=tuple(inner), known=(*step.known, *made)))


def suppose(outside: Derivation, cell: int, mined: bool, how: Manner) -> Step | None:
    """Suppose a value of a cell; if that leads to a contradiction, conclude the other value."""
    known = {**outside.known, cell: mined}
    inside = Derivation(outside.statements, outside.effort, known)
    while not inside.follow(how.pairs):
        if how.depth == 0 or not _find_lemma(inside, Manner(how.depth - 1, how.pairs)):
            return None
    clash = inside.clash
    assert clash is not None
    inner = inside.needed(clash.known)
    used = dict.fromkeys((*clash.known, *(c for step in inner for c in step.known)))
    made = {c for step in inner for c in step.cells} | {cell}
    outer = tuple(c for c in used if c not in made)
    nested = any(step.rule in (Rule.CASES, Rule.NESTED_CASES) for step in inner)
    rule = Rule.NESTED_CASES if nested else Rule.CASES
    return Step(rule, (cell,), not mined, (), outer, inner, clash)


def _find_lemma(inside: Derivation, how: Manner) -> bool:
    """Prove one more cell by a supposition inside another; say whether that worked."""
    cells = dict.fromkeys(c for s in inside.statements for c in s.cells if c not in inside.known)
    for cell in cells:
        for mined in (True, False):
            step = suppose(inside, cell, mined, how)
            if step is not None:
                return inside.add([step])
    return False
