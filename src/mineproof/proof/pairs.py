"""What follows from single statements, and from two of them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mineproof.proof.rules import Clash, Rule, Step
from mineproof.proof.statements import Statement

Known = Mapping[int, bool]
"""The cells whose value is known: True for a mine."""


def find_clash(statement: Statement, known: Known) -> Clash | None:
    """Say whether a statement cannot come true any more."""
    mined = [cell for cell in statement.cells if known.get(cell) is True]
    if len(mined) > statement.most:
        return Clash(statement.clue, tuple(mined[: statement.most + 1]), True)
    safe = [cell for cell in statement.cells if known.get(cell) is False]
    room = len(statement.cells) - statement.least
    if len(safe) > room:
        return Clash(statement.clue, tuple(safe[: room + 1]), False)
    return None


def find_single(statement: Statement, known: Known) -> Step | None:
    """Conclude what one statement says of the cells left."""
    left = tuple(cell for cell in statement.cells if cell not in known)
    if not left:
        return None
    mined = tuple(cell for cell in statement.cells if known.get(cell) is True)
    if len(mined) == statement.most:
        return Step(Rule.SATISFIED, left, False, (statement.clue,), mined)
    safe = tuple(cell for cell in statement.cells if known.get(cell) is False)
    if len(statement.cells) - len(safe) == statement.least:
        return Step(Rule.NEEDS_ALL, left, True, (statement.clue,), safe)
    return None


def find_pairs(statements: Sequence[Statement], known: Known) -> Iterator[Step]:
    """Conclude what two overlapping statements say of the cells that only one of them has."""
    for first in statements:
        mine = set(first.cells)
        for second in statements:
            if first is not second and not mine.isdisjoint(second.cells):
                step = _conclude(first, second, known)
                if step is not None:
                    yield _trim(step, first, second, known)


class _Left(NamedTuple):
    """What a statement says of the cells that are not known."""

    cells: frozenset[int]
    least: int
    most: int


def _left(statement: Statement, known: Known) -> _Left:
    mines = sum(1 for cell in statement.cells if known.get(cell) is True)
    cells = frozenset(cell for cell in statement.cells if cell not in known)
    return _Left(cells, statement.least - mines, statement.most - mines)


def _conclude(first: Statement, second: Statement, known: Known) -> Step | None:
    """Conclude the cells of the first that the second does not have."""
    one, other = _left(first, known), _left(second, known)
    own, shared, rest = one.cells - other.cells, one.cells & other.cells, other.cells - one.cells
    if not own or not shared:
        return None
    rule = Rule.DIFFERENCE if rest else Rule.INSIDE
    clues = (first.clue, second.clue)
    used = tuple(cell for cell in (*first.cells, *second.cells) if cell in known)
    cells = tuple(sorted(own))
    if one.most <= other.least - len(rest):
        return Step(rule, cells, False, clues, tuple(dict.fromkeys(used)))
    if one.least - other.most == len(own):
        return Step(rule, cells, True, clues, tuple(dict.fromkeys(used)))
    return None


def _trim(step: Step, first: Statement, second: Statement, known: Known) -> Step:
    """Leave out known cells that the conclusion does without."""
    needed = dict.fromkeys(step.known)
    for cell in step.known:
        trial = {other: known[other] for other in needed if other != cell}
        found = _conclude(first, second, trial)
        if found is not None and found.mined == step.mined and set(step.cells) <= set(found.cells):
            del needed[cell]
    kept = {cell: known[cell] for cell in needed}
    found = _conclude(first, second, kept)
    assert found is not None
    return Step(found.rule, step.cells, step.mined, step.clues, tuple(needed))
