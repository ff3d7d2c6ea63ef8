"""The patterns that players know by name: 1-1, 1-2, 1-2-1 and 1-2-2-1.

A pattern consists of adjacent clues in a row or a column, with their unopened neighbours along one
side. Its numbers are the clues minus the mines that are known.
"""

from __future__ import annotations

from collections.abc import Mapping

from mineproof.core.clues import UNOPENED
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.kinds import Deduction, Rule
from mineproof.proof.statements import Reading, without_known

LONG = ((1, 2, 2, 1), (1, 2, 1))


def find_pattern(reading: Reading, step: Deduction, known: Mapping[int, bool]) -> str:
    """Return the name of the pattern that a step with two clues uses, or an empty string."""
    if step.rule not in (Rule.INSIDE, Rule.DIFFERENCE):
        return ""
    first, second = sorted(step.clues)
    if first == MINE_COUNT or second >= FIRST_GROUP:
        return ""
    if not reading.grid.shares_side(first, second):
        return ""
    used = {cell: known.get(cell, False) for cell in step.known}
    left = (without_known(reading.statement(clue), used) for clue in step.clues)
    values = tuple(sorted(statement.most for statement in left))
    if values == (1, 1) and step.rule is Rule.INSIDE and not step.mined:
        return "1-1"
    if values != (1, 2) or (step.rule is Rule.INSIDE and not step.mined):
        return ""
    return _longer(reading, first, second) or "1-2"


def _longer(reading: Reading, first: int, second: int) -> str:
    """Return the longer pattern along the line of two clues that includes both, if there is one."""
    step = second - first
    for pattern in LONG:
        for before in range(len(pattern) - 1):
            start = first - step * before
            if _matches(reading, range(start, start + step * len(pattern), step), pattern):
                return "-".join(map(str, pattern))
    return ""


def _matches(reading: Reading, line: range, pattern: tuple[int, ...]) -> bool:
    """Return whether the cells of a line are adjacent clues that make the pattern."""
    shown = reading.observation.shown
    return (
        line[0] >= 0
        and line[-1] < len(shown)
        and all(map(reading.grid.shares_side, line, line[1:]))
        and all(shown[clue] < UNOPENED for clue in line)
        and pattern == tuple(shown[clue] - reading.mines_shown(clue) for clue in line)
        and _one_sided(reading, line)
    )


def _one_sided(reading: Reading, line: range) -> bool:
    """Return whether all unopened neighbours of these clues are in one line next to them."""
    cell_at = reading.grid.cell
    cells = [cell_at(index) for clue in line for index in reading.statement(clue).cells]
    if cell_at(line[0]).row == cell_at(line[1]).row:
        return len({cell.row for cell in cells}) == 1
    return len({cell.column for cell in cells}) == 1
