"""Proofs by cases: assume the opposite, derive a contradiction, and conclude.

The consequences of an assumption are derived from single clues first, then from pairs of clues,
then with further assumptions inside the first. A proof may prove other cells by cases first.
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
"""The maximum depth of assumptions inside an assumption."""
FOLLOWED = (ReasoningKind.ONE_CLUE, ReasoningKind.TWO_CLUES)
"""The kinds of reasoning used after an assumption, easiest first."""


def derive(
    statements: Sequence[Statement], target: int, mined: bool, budget: Budget, depth: int = DEPTH
) -> Proof:
    """Return the steps that prove a cell from statements alone, trying the easiest kinds first.

    Raises:
        WorkLimitError: there is no such proof, or finding it takes too much work.
    """
    for kind in FOLLOWED:
        closure = Closure(statements, kind, budget)
        if closure.run(lambda cell, _: cell == target) is not None:
            return closure.needed([target])
    return _refute_nested(closure, statements, target, mined, range(depth + 1))


def prove_by_cases(
    closure: Closure, statements: Sequence[Statement], target: int, proved: Mapping[int, bool]
) -> Proof:
    """Return the steps that prove a cell by cases.

    Args:
        closure: the conclusions of easier kinds of reasoning.
        statements: the statements of the clues.
        target: the cell.
        proved: the values of all cells that the clues prove, including the target.

    Raises:
        WorkLimitError: no step-by-step proof was found within the work limit.
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
    raise WorkLimitError(f"no proof with at most {DEPTH} nested assumptions")


def easiest_by_cases(closure: Closure, proved: Mapping[int, bool]) -> int | None:
    """Return the safe cell whose proof by cases has the fewest steps; None if there is none."""
    cells = [cell for cell, mined in proved.items() if not mined and cell not in closure.known]
    for kind in FOLLOWED:
        found = [(cell, refute(closure, cell, True, kind, 0)) for cell in cells]
        costs = [(_cost(closure, step), cell) for cell, step in found if step is not None]
        if costs:
            return min(costs)[1]
    return prove_others(closure.copy(), proved, cells)


def prove_others(known: Closure, proved: Mapping[int, bool], wanted: Iterable[int]) -> int | None:
    """Prove cells by cases, one after another, until a wanted cell follows. Return that cell."""
    goal = set(wanted)
    again = True
    while again:
        again = False
        for cell, mined in proved.items():
            if cell in known.known:
                continue
            steps = (refute(known, cell, not mined, kind, 0) for kind in FOLLOWED)
            step = next(filter(None, steps), None)
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
    """Prove a cell by assuming the opposite, with or without the conclusions known so far.

    Return the proof with fewer steps; None if there is no contradiction.
    """
    for kind in FOLLOWED:
        step = refute(closure, target, not mined, kind, depth)
        bare = None
        if depth == 0:
            begin = Closure(statements, kind, closure.budget, {target: not mined})
            begin.run()
            bare = _conclude(begin, target, not mined)
        if step is None and bare is None:
            continue
        proofs = [] if bare is None else [_hoist(bare)]
        if step is not None:
            groups = (number for number in step.clues if number >= FIRST_GROUP)
            proofs.append((*closure.needed(step.known, groups), step))
        return min(proofs, key=count_steps)
    return None


def refute(
    outside: Closure, cell: int, mined: bool, kind: ReasoningKind, depth: int
) -> Deduction | None:
    """Assume a value of a cell; if that leads to a contradiction, return the conclusion."""
    inside = outside.assume(cell, mined, kind)
    inside.run()
    while inside.clash is None:
        if depth == 0 or not _find_lemma(inside, kind, depth - 1):
            return None
        inside.run()
    return _conclude(inside, cell, mined)


def _conclude(inside: Closure, cell: int, mined: bool) -> Deduction | None:
    """Return the conclusion if an assumption led to a contradiction, otherwise None."""
    clash = inside.clash
    if clash is None:
        return None
    inner = inside.needed(clash.known, clash.clues)
    made = {one for step in inner if step.mined is not None for one in step.cells} | {cell}
    known = dict.fromkeys((*clash.known, *(one for step in inner for one in step.known)))
    clues = dict.fromkeys((*(one for step in inner for one in step.clues), *clash.clues))
    inner_groups = {step.group for step in inner}
    groups = tuple(one for one in clues if one >= FIRST_GROUP and one not in inner_groups)
    nested = any(step.rule in (Rule.CASES, Rule.NESTED_CASES) for step in inner)
    rule = Rule.NESTED_CASES if nested else Rule.CASES
    outer = tuple(one for one in known if one not in made)
    return Deduction(rule, (cell,), not mined, groups, outer, inner, clash)


def _hoist(step: Deduction) -> Proof:
    """Move the steps that do not depend on the assumption in front of it."""
    before: list[Deduction] = []
    inner: list[Deduction] = []
    assumed = set(step.cells)
    for one in step.inner:
        if assumed.isdisjoint(one.known):
            before.append(one)
        else:
            inner.append(one)
            assumed.update(one.cells)
    made = [cell for one in before for cell in one.cells]
    return (*before, replace(step, inner=tuple(inner), known=(*step.known, *made)))


def _find_lemma(inside: Closure, kind: ReasoningKind, depth: int) -> bool:
    """Prove one more cell by an assumption inside the current one; return whether that worked."""
    for cell in inside.open_cells():
        for mined in (True, False):
            step = refute(inside, cell, mined, kind, depth)
            if step is not None:
                inside.conclude(step)
                return True
    return False


def _cost(closure: Closure, step: Deduction) -> int:
    return count_steps((*closure.needed(step.known, step.clues), step))
