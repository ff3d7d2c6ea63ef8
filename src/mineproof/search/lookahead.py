"""One move ahead: what opening a cell leads to, over all values that it can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.facts import assume
from mineproof.search.survey import Survey

PROVED_CAP = 10
"""More cells proved safe at once than this count no more."""
REACH = 2
"""How far around the opened cell risks are kept."""
SIDE = 2 * REACH + 1


class Reply(NamedTuple):
    """What is left to decide when a cell was opened and shows one of its values."""

    value: int
    chance: float
    """Of this value, if the cell is safe."""
    best: float
    """The safety of the best move after it; 1 where one is proved safe."""
    second: float
    """The same of the second-best box."""
    proved: int
    """Cells that are proved safe."""
    doubt: float
    """The sum of risk x safety over the frontier."""
    local: float
    """The safety of the best cell in its region; 1 if none is left."""
    local_doubt: float
    """The sum of risk x safety in its region."""
    is_resolved: bool
    """Whether all cells of its region are decided."""
    risk: tuple[float, ...]
    """Of the cells around it, row by row; 0 where nothing is unknown."""


@dataclass
class Outlook:
    """What follows if a cell is opened and is safe: expectations over its values.

    The *region* of a cell is its component and its neighbours.
    """

    next: float = 0.0
    """The safety of the best move after it; 1 where one is proved safe."""
    second: float = 0.0
    """The same of the second-best box."""
    progress: float = 0.0
    """The chance that some cell is proved safe."""
    proved: float = 0.0
    """The number of cells proved safe, at most `PROVED_CAP` counted."""
    doubt: float = 0.0
    """The sum of risk x safety over the frontier."""
    local: float = 0.0
    """The safety of the best cell in its region; 1 if none is left."""
    local_doubt: float = 0.0
    """The sum of risk x safety in its region."""
    resolved: float = 0.0
    """The chance that all cells of its region are decided."""
    zero: float = 0.0
    """The chance that it shows a 0."""
    likeliest: float = 0.0
    """The chance of its likeliest value."""
    entropy: float = 0.0
    """The entropy of its value, in nats."""
    values: int = 0
    """How many values it can show; a cell with one value tells nothing."""
    replies: list[Reply] = field(default_factory=list)
    """What is left after each value."""
    nodes: int = 0
    """The work it took, in states counted."""
    is_cut: bool = False
    """Whether `next` is less than was asked for, and not all values were looked at."""

    @property
    def is_dead(self) -> bool:
        """Whether it shows the same wherever it is safe: nothing is lost by opening it later."""
        return self.values < 2


def look_ahead(survey: Survey, index: int, nodes: int, least: float = 0.0) -> Outlook:
    """Open a cell for the sake of argument, with every value that it can show.

    The likeliest values come first, and it ends where `next` can no more come to `least`.

    Raises:
        WorkLimitError: counting takes more states than `nodes`.
    """
    outlook = Outlook()
    chances = survey.facts.values(index)
    whole = math.fsum(chances)
    boxes, around = _boxes_after(survey, index), _around(survey, index)
    most = 1.0  # that `next` can be
    for value in sorted(range(len(chances)), key=lambda value: -chances[value]):
        if chances[value] == 0:
            break
        if most < least:
            outlook.is_cut = True
            return outlook
        after = assume(survey.observation, index, value)
        facts = count(after, prior=survey.facts.prior, nodes=nodes)
        reply = _reply(value, chances[value] / whole, facts, boxes, around)
        _add(outlook, reply)
        outlook.nodes += facts.nodes
        most -= reply.chance * (1 - reply.best)
    outlook.replies.sort(key=lambda reply: reply.value)
    return outlook


class _Box(NamedTuple):
    """A box of the position after a move, by one of its cells."""

    cell: int
    size: int
    is_interior: bool
    is_local: bool
    """Whether it lies in the region of the cell that was opened."""


def _boxes_after(survey: Survey, opened: int) -> list[_Box]:
    region = survey.region(opened)
    return [
        _Box(cells[0], len(cells), not clues, cells[0] in region)
        for clues, cells in survey.boxes(opened).items()
    ]


def _around(survey: Survey, opened: int) -> list[int | None]:
    """Give the cells around one, row by row; None where nothing is unknown."""
    grid = survey.observation.grid
    row, column = grid.cell(opened)
    cells: list[int | None] = []
    for number in range(SIDE * SIDE):
        down, right = divmod(number, SIDE)
        there = row + down - REACH, column + right - REACH
        is_inside = 0 <= there[0] < grid.rows and 0 <= there[1] < grid.columns
        index = grid.index(there) if is_inside else opened
        cells.append(index if index != opened and index in survey.safety else None)
    return cells


def _reply(
    value: int, chance: float, facts: Facts, boxes: Sequence[_Box], around: Sequence[int | None]
) -> Reply:
    """Describe the position after one value."""
    risks = [(facts.risk[box.cell], box) for box in boxes]
    safeties = sorted((1 - risk for risk, _ in risks), reverse=True)
    best, second = (*safeties, 0.0, 0.0)[:2] if safeties else (1.0, 1.0)
    frontier = [(risk, box) for risk, box in risks if not box.is_interior]
    region = [(risk, box) for risk, box in frontier if box.is_local]
    return Reply(
        *(value, chance, best, second),
        proved=sum(box.size for risk, box in risks if risk == 0),
        doubt=_doubt(frontier),
        local=max((1 - risk for risk, _ in region), default=1.0),
        local_doubt=_doubt(region),
        is_resolved=all(risk in (0, 1) for risk, _ in region),
        risk=tuple(0.0 if index is None else facts.risk[index] for index in around),
    )


def _add(outlook: Outlook, reply: Reply) -> None:
    """Add what one value leads to, by its chance."""
    chance = reply.chance
    outlook.next += chance * reply.best
    outlook.second += chance * reply.second
    outlook.progress += chance * (reply.best == 1)
    outlook.proved += chance * min(reply.proved, PROVED_CAP)
    outlook.doubt += chance * reply.doubt
    outlook.local += chance * reply.local
    outlook.local_doubt += chance * reply.local_doubt
    outlook.resolved += chance * reply.is_resolved
    if reply.value == 0:
        outlook.zero = chance
    outlook.likeliest = max(outlook.likeliest, chance)
    outlook.entropy -= chance * math.log(chance)
    outlook.values += 1
    outlook.replies.append(reply)


def _doubt(risks: Iterable[tuple[float, _Box]]) -> float:
    return sum(box.size * risk * (1 - risk) for risk, box in risks)
