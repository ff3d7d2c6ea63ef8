"""One move ahead: what opening a cell leads to, over all values that it can show."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.facts import assume
from mineproof.search.survey import Survey

PROVED_CAP = 10
"""More cells proved safe at once than this count no more."""


@dataclass
class Outlook:
    """What follows if a cell is opened and is safe: expectations over its values."""

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
    zero: float = 0.0
    """The chance that it shows a 0."""
    likeliest: float = 0.0
    """The chance of its likeliest value."""
    entropy: float = 0.0
    """The entropy of its value, in nats."""
    values: int = 0
    """How many values it can show; a cell with one value tells nothing."""
    nodes: int = 0
    """The work it took, in states counted."""


def look_ahead(survey: Survey, index: int, nodes: int) -> Outlook:
    """Open a cell for the sake of argument, with every value that it can show.

    Raises:
        WorkLimitError: counting takes more states than `nodes`.
    """
    outlook = Outlook()
    chances = survey.facts.values(index)
    whole = math.fsum(chances)
    boxes = survey.boxes(index)
    interior = boxes.pop((), [])
    for value, chance in enumerate(chances):
        if chance == 0:
            continue
        after = assume(survey.observation, index, value)
        facts = count(after, prior=survey.facts.prior, nodes=nodes)
        if value == 0:
            outlook.zero = chance / whole
        _add(outlook, chance / whole, facts, boxes.values(), interior)
    return outlook


def _add(
    outlook: Outlook,
    chance: float,
    facts: Facts,
    boxes: Iterable[list[int]],
    interior: list[int],
) -> None:
    """Add what one value leads to, by its chance."""
    risk = facts.risk
    frontier = [(risk[box[0]], len(box)) for box in boxes]
    everywhere = [*frontier, *((risk[interior[0]], len(interior)) for _ in interior[:1])]
    safeties = sorted((1 - each for each, _ in everywhere), reverse=True)
    best, second = (*safeties, 0.0, 0.0)[:2] if safeties else (1.0, 1.0)
    proved = sum(cells for each, cells in everywhere if each == 0)
    outlook.next += chance * best
    outlook.second += chance * second
    outlook.progress += chance * (best == 1)
    outlook.proved += chance * min(proved, PROVED_CAP)
    outlook.doubt += chance * sum(cells * each * (1 - each) for each, cells in frontier)
    outlook.likeliest = max(outlook.likeliest, chance)
    outlook.entropy -= chance * math.log(chance)
    outlook.values += 1
    outlook.nodes += facts.nodes
