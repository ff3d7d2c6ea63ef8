"""The cells that clues prove, found by trying all placements of mines in small positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from hypothesis import strategies as st

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.clue_graph import Statement

MOST_UNOPENED = 12


def layouts(
    observation: Observation,
    *,
    trust: bool = True,
    mine_count: bool = True,
    clues: Iterable[int] | None = None,
) -> Iterator[frozenset[int]]:
    """Yield all sets of mines that fit a position, including shown mines.

    Args:
        observation: the position, with few unopened cells.
        trust: treat clues as true, even if the clue rule makes them unreliable.
        mine_count: require the right number of mines, if it is known.
        clues: use only these clues.
    """
    unopened = observation.unopened
    assert len(unopened) <= MOST_UNOPENED
    fixed = frozenset(i for i, code in enumerate(observation.shown) if code == EXPLODED)
    used = range(len(observation.shown)) if clues is None else clues
    checks = [
        (frozenset(observation.grid.neighbours(i)), _allowed(observation, i, trust))
        for i in used
        if observation.shown[i] < UNOPENED
    ]
    mines = observation.rules.mines if mine_count else None
    for number in range(1 << len(unopened)):
        chosen = fixed | {cell for bit, cell in enumerate(unopened) if number >> bit & 1}
        if mines is not None and len(chosen) != mines:
            continue
        if all(len(near & chosen) in allowed for near, allowed in checks):
            yield chosen


def _allowed(observation: Observation, index: int, trust: bool) -> set[int]:
    shown, rule = observation.shown[index], observation.rules.clues
    degree = len(observation.grid.neighbours(index))
    if trust:
        return {shown}
    return {truth for truth in range(degree + 1) if rule.weight(shown, truth, degree)}


def same_in_all(
    observation: Observation, *, trust: bool = True, mine_count: bool = True
) -> dict[int, bool] | None:
    """Return the unopened cells with the same value in all layouts; None if there is no layout.

    True stands for a mine. The options are those of `layouts`.
    """
    found = list(layouts(observation, trust=trust, mine_count=mine_count))
    if not found:
        return None
    always, ever = frozenset.intersection(*found), frozenset.union(*found)
    unopened = observation.unopened
    return {i: i in always for i in unopened if i in always or i not in ever}


def conclusions(agent: KnowledgeAgent, observation: Observation) -> dict[int, bool]:
    """Return everything that an agent concludes about a position (True for a mine)."""
    agent.start(observation.rules, 0)
    agent.decide(observation)
    before = -1
    while len(agent.conclusions) > before:
        before = len(agent.conclusions)
        agent.think(observation)
    return {i: one.mined for i, one in agent.conclusions.items()}


def sums(*equations: tuple[tuple[int, ...], int]) -> list[Statement]:
    """Return constraints from cells and their sums, with clues numbered from 100."""
    return [
        Statement(100 + number, cells, total, total)
        for number, (cells, total) in enumerate(equations)
    ]


@st.composite
def systems(draw: st.DrawFn) -> list[Statement]:
    """Draw up to seven constraints on up to nine cells: exact sums, bounds or contradictions."""
    cells = draw(st.integers(1, 9))
    found = []
    for clue in range(draw(st.integers(1, 7))):
        near = draw(st.sets(st.integers(0, cells - 1), min_size=1))
        least = draw(st.integers(0, len(near)))
        most = draw(st.just(least) | st.integers(least, len(near)))
        found.append(Statement(clue, tuple(sorted(near)), least, most))
    return found


def solutions(constraints: list[Statement]) -> list[dict[int, int]]:
    """Return all solutions, found by trying every assignment."""
    cells = sorted({cell for one in constraints for cell in one.cells})
    tried = (dict(zip(cells, bits, strict=True)) for bits in product((0, 1), repeat=len(cells)))
    return [
        values
        for values in tried
        if all(one.least <= sum(values[i] for i in one.cells) <= one.most for one in constraints)
    ]
