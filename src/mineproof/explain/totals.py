"""Proofs that need the mine count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.explain.derivation import DEPTH, TooLongError, derive
from mineproof.explain.rules import Rule, Step
from mineproof.explain.statements import MINE_COUNT, Reading, Statement
from mineproof.inference.counting.budget import Budget
from mineproof.inference.counting.prior import Density
from mineproof.inference.counting.reference import Solution
from mineproof.inference.local import ImpossibleError

FEW = 12
"""Clues for which a proof in steps is looked for."""


def derive_with_count(
    reading: Reading, clues: Sequence[int], target: int, mined: bool
) -> tuple[Step, ...]:
    """Give the steps by which clues and the mine count prove a cell."""
    whole = reading.statement(MINE_COUNT)
    statements = [reading.statement(clue) for clue in clues]
    summed = _sum(statements, whole, target, mined)
    if summed is not None:
        return (summed,)
    few = len(clues) <= FEW
    found = _steps([*statements, whole], target, mined, 0) if few else None
    limits = None if found else _limits(reading, clues, target, mined)
    if limits is not None and few and not _decides(limits, whole):
        found = _steps([*statements, whole], target, mined, DEPTH)
    if found is None:
        assert limits is not None
        decisive = few and _decides(limits, whole)
        return (replace(limits, rule=Rule.MINE_COUNT) if decisive else limits,)
    return found


def _steps(
    statements: Sequence[Statement], target: int, mined: bool, depth: int
) -> tuple[Step, ...] | None:
    try:
        return derive(statements, target, mined, depth)
    except TooLongError:
        return None


def _decides(limits: Step, whole: Statement) -> bool:
    """Say whether a supposition would need too many mines, or leave room for too few."""
    if not limits.numbers:
        return False
    least, most = limits.numbers
    return least > whole.most or most < whole.least


def _sum(
    statements: Sequence[Statement], whole: Statement, target: int, mined: bool
) -> Step | None:
    """Add up clues that share no cell: what they take of the mines decides about the rest."""
    taken = [cell for statement in statements for cell in statement.cells]
    if len(taken) != len(set(taken)) or target in taken:
        return None
    rest = len(whole.cells) - len(taken)
    least, most = sum(s.least for s in statements), sum(s.most for s in statements)
    if (not mined and least == whole.most) or (mined and whole.least - most == rest):
        numbers = (most if mined else least, whole.least, rest)
        clues = (*(s.clue for s in statements), MINE_COUNT)
        return Step(Rule.MINE_COUNT, (target,), mined, clues, numbers=numbers)
    return None


def _limits(reading: Reading, clues: Sequence[int], target: int, mined: bool) -> Step:
    """Say how few or how many mines the clues would allow if the cell had the other value.

    The numbers of the step are the least and the most; none where that is too much work, or
    where the clues alone would already contradict each other.
    """
    seen = reading.observation
    kept = set(clues)
    shown = bytearray(seen.shown)
    for index, code in enumerate(shown):
        if code < UNOPENED and index not in kept:
            shown[index] = WITHHELD
    shown[target] = WITHHELD if mined else EXPLODED
    step = Step(Rule.ARRANGEMENTS, (target,), mined, (*clues, MINE_COUNT))
    try:
        solution = Solution(Observation(seen.rules, bytes(shown)), Density(0.5), Budget())
    except (ImpossibleError, WorkLimitError):
        return step
    outside, whole = solution.mixture.outside, solution.mixture.whole.trimmed()
    least = outside.fixed + whole.least - seen.hits
    most = outside.fixed + whole.most + outside.interior - seen.hits
    return replace(step, numbers=(least, most))
