"""Proofs by cases: suppose the opposite, follow it to a contradiction, and conclude.

What a supposition leads to is found by single clues first, then by two together, then with
suppositions inside it. Other cells that are proved by cases may come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mineproof.core.errors import WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.proof.closure import FIRST_GROUP, Closure
from mineproof.proof.kinds import Deduction, Proof, ReasoningKind, Rule, count_steps

DEPTH = 3
"""Suppositions inside suppositions at most."""
FOLLOWED = (ReasoningKind.ONE_CLUE, ReasoningKind.TWO_CLUES)
"""The kinds of reasoning that follow a supposition."""


def derive(
    statements: Sequence[Statement], target: int, mined: bool, budget: Budget, depth: int = DEPTH
) -> Proof:
    """Return the steps by which statements alone prove a cell, the easiest kinds first.

    Raises:
        WorkLimitError: there is no such proof, or it takes too much work.
    """
    for kind in FOLLOWED:
        closure = Closure(statements, kind, budget)
        if closure.run(lambda cell, _: cell == target) is not None:
            return closure.needed([target])
    return _refute_nested(closure, statements, target, mined, range(depth + 1))


def prove_by_cases(
    closure: Closure,
    statements: Sequence[Statement],
    target: int,
    proved: Mapping[int, bool],
) -> Proof:
    """Return the steps that prove a cell by cases.

    Args:
        closure: all that follows in easier ways.
        statements: what the clues say.
        target: the cell.
        proved: the values of all cells that the clues prove, the target among them.

    Raises:
        WorkLimitError: no proof in steps was found within the work allowed.
    """
    found = refute_target(closure, statements, target, proved[target], 0)
    if found is not None:
        return found
    known = closure.copy()
    if prove_others(known, proved, [target]) is not None:
        return known.needed([target])
    return _refute_nested(known, statements, target, proved[target], range(1, DEPTH + 1))


def _refute_nested(
    closure: Closure, statements: Sequence[Statement], target: int, mined: bool, depths: range
) -> Proof:
    for depth in depths:
        found = refute_target(closure, statements, target, mined, depth)
        if found is not None:
            return found
    raise WorkLimitError("expected a proof by fewer cases, got none")


def easiest_by_cases(closure: Closure, proved: Mapping[int, bool]) -> int | None:
    """Return the safe cell that one assumption proves in the fewest steps; None if none does."""
    cells = [cell for cell, mined in proved.items() if not mined and cell not in closure.known]
    for kind in FOLLOWED:
        found = [(cell, refute(closure, cell, True, kind, 0)) for cell in cells]
        costs = [(_cost(closure, step), cell) for cell, step in found if step is not None]
        if costs:
            return min(costs)[1]
    known = closure.copy()
    return prove_others(known, proved, cells)


def prove_others(known: Closure, proved: Mapping[int, bool], wanted: Iterable[int]) -> int | None:
    """Prove cells by cases, one after the other, until one that is wanted follows; give that."""
    goal = set(wanted)
    again = True
    while again:
        again = False
        for cell, mined in proved.items():
            step = None if cell in known.known else _refute(known, cell, not mined, 0)
            if step is not None:
                known.conclude(step)
                again = True
                found = cell if cell in goal else known.run(lambda one, _: one in goal)
                if found is not None:
                    return found
    return None


def refute_target(
    closure: Closure, statements: Sequence[Statement], target: int, mined: bool, depth: int
) -> Proof | None:
    """Prove a cell by supposing its opposite, from what is known or from nothing at all."""
    for kind in FOLLOWED:
        step = refute(closure, target, not mined, kind, depth)
        bare = None
        if depth == 0:
            begin = Closure(statements, kind, closure.budget, {target: not mined})
            begin.run()
            bare = _conclude(begin, target, not mined)
        if step is None and bare is None:
            continue
        proofs = [] if bare is None else [hoist(bare)]
        if step is not None:
            groups = (number for number in step.clues if number >= FIRST_GROUP)
            proofs.append((*closure.needed(step.known, groups), step))
        return min(proofs, key=count_steps)
    return None


def refute(
    outside: Closure, cell: int, mined: bool, kind: ReasoningKind, depth: int
) -> Deduction | None:
    """Suppose a value of a cell; if that leads to a contradiction, conclude the other value."""
    inside = outside.suppose(cell, mined, kind)
    inside.run()
    while inside.clash is None:
        if depth == 0 or not _find_lemma(inside, kind, depth - 1):
            return None
        inside.run()
    return _conclude(inside, cell, mined)


def _refute(known: Closure, cell: int, mined: bool, depth: int) -> Deduction | None:
    for kind in FOLLOWED:
        step = refute(known, cell, mined, kind, depth)
        if step is not None:
            return step
    return None


def _conclude(inside: Closure, cell: int, mined: bool) -> Deduction | None:
    """Conclude the opposite of a supposition from the contradiction that it has led to."""
    clash = inside.clash
    if clash is None:
        return None
    inner = inside.needed(clash.known, clash.clues)
    used = dict.fromkeys((*clash.known, *(one for step in inner for one in step.known)))
    made = {one for step in inner if step.mined is not None for one in step.cells} | {cell}
    groups = dict.fromkeys(clue for step in inner for clue in step.clues if clue >= FIRST_GROUP)
    groups.update(dict.fromkeys(clue for clue in clash.clues if clue >= FIRST_GROUP))
    for step in inner:
        groups.pop(step.group, None)
    nested = any(step.rule in (Rule.CASES, Rule.NESTED_CASES) for step in inner)
    rule = Rule.NESTED_CASES if nested else Rule.CASES
    outer = tuple(one for one in used if one not in made)
    return Deduction(rule, (cell,), not mined, tuple(groups), outer, inner, clash)


def hoist(step: Deduction) -> Proof:
    """Put what holds without the supposition before it."""
    before: list[Deduction] = []
    inner: list[Deduction] = []
    supposed = set(step.cells)
    for one in step.inner:
        if supposed.isdisjoint(one.known):
            before.append(one)
        else:
            inner.append(one)
            supposed.update(one.cells)
    made = [cell for one in before for cell in one.cells]
    return (*before, replace(step, inner=tuple(inner), known=(*step.known, *made)))


def _find_lemma(inside: Closure, kind: ReasoningKind, depth: int) -> bool:
    """Prove one more cell by a supposition inside another; say whether that worked."""
    for cell in inside.open_cells():
        for mined in (True, False):
            step = refute(inside, cell, mined, kind, depth)
            if step is not None:
                inside.conclude(step)
                return True
    return False


def _cost(closure: Closure, step: Deduction) -> int:
    return count_steps((*closure.needed(step.known, step.clues), step))
