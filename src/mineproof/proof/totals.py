"""Proofs that need the mine count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.counting import Density, count
from mineproof.inference.counting.budget import Budget
from mineproof.inference.counting.reference import Solution
from mineproof.inference.local import ImpossibleError
from mineproof.proof.derivation import DEPTH, TooLongError, derive
from mineproof.proof.rules import Rule, Step
from mineproof.proof.statements import MINE_COUNT, Reading, Statement

FEW = 8
"""Clues for which a proof in single steps is looked for."""


def derive_with_count(
    reading: Reading, clues: Sequence[int], target: int, mined: bool
) -> tuple[Step, ...]:
    """Give the steps by which clues and the mine count prove a cell."""
    whole = reading.statement(MINE_COUNT)
    statements = [reading.statement(clue) for clue in clues]
    summed = _sum(statements, whole, target, mined)
    if summed is not None:
        return (summed,)
    if len(clues) <= FEW:
        return _few(reading, statements, target, mined)
    return _many(reading, statements, target, mined) or (_limits(reading, clues, target, mined),)


def _few(
    reading: Reading, statements: Sequence[Statement], target: int, mined: bool
) -> tuple[Step, ...]:
    """Tell a proof with few clues: by single steps, by limits, or by nested suppositions."""
    whole = reading.statement(MINE_COUNT)
    found = _steps([*statements, whole], target, mined, 0)
    if found is not None:
        return found
    limits = _limits(reading, [s.clue for s in statements], target, mined)
    if _decides(limits, whole):
        return (replace(limits, rule=Rule.MINE_COUNT),)
    return _steps([*statements, whole], target, mined, DEPTH) or (limits,)


def _many(
    reading: Reading, statements: Sequence[Statement], target: int, mined: bool
) -> tuple[Step, ...] | None:
    """Tell a proof with clues all over the board: first what they decide, then the rest."""
    clues = tuple(statement.clue for statement in statements)
    try:
        facts = count(_only(reading.observation, clues), prior=Density(0.5))
    except WorkLimitError:
        return None
    known = {**dict.fromkeys(facts.safe, False), **dict.fromkeys(facts.mined, True)}
    whole = _without(reading.statement(MINE_COUNT), known)
    left = [one for one in (_without(s, known) for s in statements) if one.cells]
    step = _sum(left, whole, target, mined)
    if step is None:
        limits = _limits(reading, clues, target, mined)
        if not _decides(limits, reading.statement(MINE_COUNT)):
            return None
        numbers = tuple(number - len(facts.mined) for number in limits.numbers)
        named = (*(one.clue for one in left), MINE_COUNT)
        step = Step(Rule.MINE_COUNT, (target,), mined, named, numbers=numbers)
    return (
        Step(Rule.TOGETHER, tuple(facts.safe), False, clues),
        Step(
            Rule.TOGETHER, tuple(facts.mined), True, clues, numbers=(whole.most, len(whole.cells))
        ),
        replace(step, known=tuple(known)),
    )


def _without(statement: Statement, known: Mapping[int, bool]) -> Statement:
    """Give what a statement says of the cells that are not known."""
    cells = tuple(cell for cell in statement.cells if cell not in known)
    mines = sum(1 for cell in statement.cells if known.get(cell))
    return Statement(statement.clue, cells, statement.least - mines, statement.most - mines)


def _only(observation: Observation, clues: Sequence[int]) -> Observation:
    """Give a position with these clues alone; the other opened cells show none."""
    kept = set(clues)
    shown = bytes(
        WITHHELD if code < UNOPENED and index not in kept else code
        for index, code in enumerate(observation.shown)
    )
    return Observation(observation.rules, shown)


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
    shown = bytearray(_only(seen, clues).shown)
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
