"""Proofs that need the mine count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.inference.budget import NODES, Budget
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.inference.counting import Density, count
from mineproof.inference.counting.facts import assume, with_clues
from mineproof.inference.counting.reference import Solution
from mineproof.inference.local import ImpossibleError
from mineproof.proof.cases import DEPTH, derive
from mineproof.proof.kinds import Deduction, Proof, Rule
from mineproof.proof.statements import Reading, without_known

FEW = 8
"""Maximum number of clues for which to look for a proof in single steps."""


def derive_with_count(
    reading: Reading, clues: Sequence[int], target: int, mined: bool, budget: Budget
) -> Proof:
    """Return the steps that prove a cell from clues and the mine count."""
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
    """Prove a cell with few clues: by single steps, by limits, or by nested assumptions."""
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
    """Prove a cell with many clues. First prove the cells that the clues alone decide."""
    clues = tuple(statement.clue for statement in statements)
    try:
        only = with_clues(reading.observation, clues)
        facts = count(only, prior=Density(0.5), budget=budget.fork())
    except WorkLimitError:
        return None
    known = facts.proved
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
    """Return whether an assumption leads to too many mines, or to too few cells for all mines."""
    if not limits.numbers:
        return False
    least, most = limits.numbers
    return least > whole.most or most < whole.least


def _sum(
    statements: Sequence[Statement], whole: Statement, target: int, mined: bool
) -> Deduction | None:
    """Return a step that adds up clues that share no cell; None if the sum decides nothing."""
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
    """Return a step that states how many mines are possible if the cell has the other value.

    The step has no numbers if counting takes too much work, or if the clues alone would already
    contradict each other.
    """
    seen = reading.observation
    opposite = assume(with_clues(seen, clues), target, WITHHELD if mined else EXPLODED)
    step = Deduction(Rule.ARRANGEMENTS, (target,), mined, (*clues, MINE_COUNT))
    try:
        solution = Solution(opposite, Density(0.5), budget.counting(NODES))
    except (ImpossibleError, WorkLimitError):
        return step
    outside, whole = solution.mixture.outside, solution.mixture.whole.trimmed()
    least = outside.fixed + whole.least - seen.hits
    most = outside.fixed + whole.most + outside.interior - seen.hits
    return replace(step, numbers=(least, most))
