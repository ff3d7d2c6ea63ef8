"""Proofs that need the mine count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.budget import NODES, Budget
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.counting import Density, count
from mineproof.inference.counting.reference import Solution
from mineproof.inference.local import ImpossibleError
from mineproof.proof.cases import DEPTH, derive
from mineproof.proof.kinds import Deduction, Proof, Rule
from mineproof.proof.smallest import with_clues
from mineproof.proof.statements import Reading, without_known

FEW = 8
"""Clues for which a proof in single steps is looked for."""


def derive_with_count(
    reading: Reading, clues: Sequence[int], target: int, mined: bool, budget: Budget
) -> Proof:
    """Return the steps by which clues and the mine count prove a cell."""
    whole = reading.statement(MINE_COUNT)
    statements = [reading.statement(clue) for clue in clues]
    summed = _sum(statements, whole, target, mined)
    if summed is not None:
        return (summed,)
    if len(clues) <= FEW:
        return _few(reading, statements, target, mined, budget)
    found = _many(reading, statements, target, mined, budget)
    return found or (_limits(reading, clues, target, mined, budget),)


def _few(
    reading: Reading, statements: Sequence[Statement], target: int, mined: bool, budget: Budget
) -> Proof:
    """Tell a proof with few clues: by single steps, by limits, or by nested suppositions."""
    whole = reading.statement(MINE_COUNT)
    found = _steps([*statements, whole], target, mined, 0, budget)
    if found is not None:
        return found
    limits = _limits(reading, [s.clue for s in statements], target, mined, budget)
    if _decides(limits, whole):
        return (replace(limits, rule=Rule.MINE_COUNT),)
    return _steps([*statements, whole], target, mined, DEPTH, budget) or (limits,)


def _many(
    reading: Reading, statements: Sequence[Statement], target: int, mined: bool, budget: Budget
) -> Proof | None:
    """Tell a proof with clues all over the board: first what they decide, then the rest."""
    clues = tuple(statement.clue for statement in statements)
    try:
        only = with_clues(reading.observation, clues)
        facts = count(only, prior=Density(0.5), budget=budget.fork())
    except WorkLimitError:
        return None
    known = {**dict.fromkeys(facts.safe, False), **dict.fromkeys(facts.mined, True)}
    whole = without_known(reading.statement(MINE_COUNT), known)
    left = [one for one in (without_known(s, known) for s in statements) if one.cells]
    step = _sum(left, whole, target, mined)
    if step is None:
        limits = _limits(reading, clues, target, mined, budget)
        if not _decides(limits, reading.statement(MINE_COUNT)):
            return None
        numbers = tuple(number - len(facts.mined) for number in limits.numbers)
        named = (*(one.clue for one in left), MINE_COUNT)
        step = Deduction(Rule.MINE_COUNT, (target,), mined, named, numbers=numbers)
    numbers = (whole.most, len(whole.cells))
    decided = [
        Deduction(Rule.TOGETHER, tuple(cells), mines, clues, numbers=numbers)
        for cells, mines in ((facts.safe, False), (facts.mined, True))
        if cells
    ]
    return (*decided, replace(step, known=tuple(known)))


def _steps(
    statements: Sequence[Statement], target: int, mined: bool, depth: int, budget: Budget
) -> Proof | None:
    try:
        return derive(statements, target, mined, budget, depth)
    except WorkLimitError:
        return None


def _decides(limits: Deduction, whole: Statement) -> bool:
    """Return whether a supposition would need too many mines, or leave room for too few."""
    if not limits.numbers:
        return False
    least, most = limits.numbers
    return least > whole.most or most < whole.least


def _sum(
    statements: Sequence[Statement], whole: Statement, target: int, mined: bool
) -> Deduction | None:
    """Add up clues that share no cell: what they take of the mines decides about the rest."""
    taken = [cell for statement in statements for cell in statement.cells]
    if len(taken) != len(set(taken)) or target in taken:
        return None
    rest = len(whole.cells) - len(taken)
    least, most = sum(s.least for s in statements), sum(s.most for s in statements)
    if (not mined and least == whole.most) or (mined and whole.least - most == rest):
        numbers = (most if mined else least, whole.least, rest)
        clues = (*(s.clue for s in statements), MINE_COUNT)
        return Deduction(Rule.MINE_COUNT, (target,), mined, clues, numbers=numbers)
    return None


def _limits(
    reading: Reading, clues: Sequence[int], target: int, mined: bool, budget: Budget
) -> Deduction:
    """Say how few or how many mines the clues would allow if the cell had the other value.

    The numbers of the step are the least and the most; none where that is too much work, or
    where the clues alone would already contradict each other.
    """
    seen = reading.observation
    shown = bytearray(with_clues(seen, clues).shown)
    shown[target] = WITHHELD if mined else EXPLODED
    step = Deduction(Rule.ARRANGEMENTS, (target,), mined, (*clues, MINE_COUNT))
    try:
        solution = Solution(
            Observation(seen.rules, bytes(shown)), Density(0.5), budget.counting(NODES)
        )
    except (ImpossibleError, WorkLimitError):
        return step
    outside, whole = solution.mixture.outside, solution.mixture.whole.trimmed()
    least = outside.fixed + whole.least - seen.hits
    most = outside.fixed + whole.most + outside.interior - seen.hits
    return replace(step, numbers=(least, most))
