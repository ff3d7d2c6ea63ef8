"""The patterns that players know by name: 1-1, 1-2, 1-2-1 and 1-2-2-1.

They are clues side by side in a row or a column whose unopened neighbours lie along them. The
numbers are what is left of the clues when known mines are taken off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from mineproof.core.clues import UNOPENED
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.kinds import Deduction, Rule
from mineproof.proof.statements import Reading, without_known

LONG = ((1, 2, 2, 1), (1, 2, 1))


def find_pattern(reading: Reading, step: Deduction, known: Mapping[int, bool]) -> str:
    """Name the pattern that a step with two clues uses; empty if it has no name."""
    if step.rule not in (Rule.INSIDE, Rule.DIFFERENCE) or MINE_COUNT in step.clues:
        return ""
    if max(step.clues) >= FIRST_GROUP:
        return ""
    first, second = sorted(step.clues)
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


def find_line_pattern(reading: Reading, clues: Sequence[int]) -> str:
    """Name the pattern that a whole set of clues makes; empty if it has no name."""
    if len(clues) not in (3, 4):
        return ""
    line = sorted(clues)
    if not _is_line(reading, line):
        return ""
    values = tuple(reading.observation.shown[clue] - reading.mines_shown(clue) for clue in line)
    if values not in LONG or not _one_sided(reading, line):
        return ""
    return "-".join(map(str, values))


def _longer(reading: Reading, first: int, second: int) -> str:
    """Look along the line of two clues for a longer pattern that holds both."""
    step, shown = second - first, reading.observation.shown
    for pattern in LONG:
        for before in range(len(pattern) - 1):
            start = first - step * before
            line = range(start, start + step * len(pattern), step)
            clues = [i for i in line if 0 <= i < len(shown) and shown[i] < UNOPENED]
            if find_line_pattern(reading, clues) == "-".join(map(str, pattern)):
                return "-".join(map(str, pattern))
    return ""


def _is_line(reading: Reading, line: Sequence[int]) -> bool:
    """Return whether cells lie side by side in one row or one column."""
    pairs = list(pairwise(line))
    steps = {after - before for before, after in pairs}
    return len(steps) == 1 and all(reading.grid.shares_side(*pair) for pair in pairs)


def _one_sided(reading: Reading, line: Sequence[int]) -> bool:
    """Return whether all unopened neighbours lie in one line beside these clues."""
    cell_at = reading.grid.cell
    cells = [cell_at(index) for clue in line for index in reading.statement(clue).cells]
    if cell_at(line[0]).row == cell_at(line[1]).row:
        return len({cell.row for cell in cells}) == 1
    return len({cell.column for cell in cells}) == 1
