"""A simple estimate of risk, for agents that must guess and have no probabilities of their own."""

from __future__ import annotations

from collections.abc import Mapping

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation


def estimate_risks(observation: Observation, known: Mapping[int, bool]) -> dict[int, float]:
    """Estimate the risk of every unopened cell that is not known.

    Next to clues it is the largest share that one of them gives: mines left among its unknown
    neighbours, clues taken as shown. Elsewhere it is the share of mines left among all unknown
    cells, or the mean of the others where the mine count is unknown.

    Args:
        observation: the position.
        known: the unopened cells known to be mined (True) or safe; more do no harm.
    """
    frontier: dict[int, float] = {}
    for index, code in enumerate(observation.shown):
        if code < UNOPENED:
            _share_out(observation, known, index, frontier)
    unknown = [index for index in observation.unopened if index not in known]
    rest = _interior_risk(observation, known, len(unknown), list(frontier.values()))
    return {index: frontier.get(index, rest) for index in unknown}


def _share_out(
    observation: Observation, known: Mapping[int, bool], clue: int, risks: dict[int, float]
) -> None:
    shown = observation.shown
    mines, unknown = 0, []
    for index in observation.grid.neighbours(clue):
        if shown[index] == EXPLODED:
            mines += 1
        elif shown[index] == UNOPENED and index in known:
            mines += known[index]
        elif shown[index] == UNOPENED:
            unknown.append(index)
    for index in unknown:
        share = min(max((shown[clue] - mines) / len(unknown), 0.0), 1.0)
        risks[index] = max(risks.get(index, 0.0), share)


def _interior_risk(
    observation: Observation, known: Mapping[int, bool], unknown: int, others: list[float]
) -> float:
    total = observation.rules.mines
    if total is None:
        return sum(others) / len(others) if others else 0.5
    shown = observation.shown
    found = sum(mined for index, mined in known.items() if shown[index] == UNOPENED)
    return min(max((total - observation.hits - found) / max(unknown, 1), 0.0), 1.0)
