"""A simple estimate of risk, for agents that must guess and do not compute probabilities."""

from __future__ import annotations

from collections.abc import Mapping

from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.clue_graph import read_clue


def estimate_risks(observation: Observation, known: Mapping[int, bool]) -> dict[int, float]:
    """Estimate the risk of every unknown unopened cell.

    Next to clues, it is the largest share of mines among the unknown neighbours of one clue. Clues
    are treated as true. Elsewhere it is the share of mines among all unknown cells, or the mean of
    the other risks if the mine count is unknown.

    Args:
        observation: the position.
        known: the values of known unopened cells (True for a mine). Other cells are ignored.
    """
    frontier: dict[int, float] = {}
    shown, neighbours = observation.shown, observation.grid.neighbours
    for clue, code in enumerate(shown):
        if code < UNOPENED:
            _, cells, mines, _ = read_clue(EXACT, shown, clue, neighbours(clue), known)
            for index in cells:
                share = min(mines / len(cells), 1.0)
                frontier[index] = max(frontier.get(index, 0.0), share)
    unknown = [index for index in observation.unopened if index not in known]
    rest = _interior_risk(observation, known, len(unknown), list(frontier.values()))
    return {index: frontier.get(index, rest) for index in unknown}


def _interior_risk(
    observation: Observation, known: Mapping[int, bool], unknown: int, others: list[float]
) -> float:
    total = observation.rules.mines
    if total is None:
        return sum(others) / len(others) if others else 0.5
    shown = observation.shown
    found = sum(mined for index, mined in known.items() if shown[index] == UNOPENED)
    return min(max((total - observation.hits - found) / max(unknown, 1), 0.0), 1.0)
