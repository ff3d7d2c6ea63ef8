"""Games played on from a position, on layouts that could be the truth, in plain Python.

A plain playout wins or loses. Here a guess multiplies the result by its safety instead; if the
cell is a mine, another layout takes the place of the present one, drawn among those that have
it safe. Where the endgame can be solved, its exact value ends the playout. So the result has
the same mean as the plain one, and spreads far less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import Choice

LEAST_WORTH = 0.01
"""A playout that is worth less is given up, or raised to this, such that the mean stays."""
MOST_DRAWS = 1000
"""Layouts drawn to find one with a certain cell safe."""

Policy = Callable[[Facts], Choice | None]
"""Chooses a guess where nothing is proved safe."""


class Playouts:
    """Playouts of one position: layout number i follows from the seed and i."""

    def __init__(self, facts: Facts, policy: Policy, seed: int) -> None:
        """Keep the position; `policy` makes all later guesses."""
        self._facts = facts
        self._policy = policy
        self._seed = seed

    def play(self, number: int, indices: Sequence[int]) -> list[float]:
        """Give the chance to win with each cell opened first, on the same layout."""
        layout = self._facts.sample(Stream(self._seed, Purpose.SAMPLE, 2 * number).next())
        results = []
        for index in indices:
            stream = Stream(self._seed, Purpose.SAMPLE, 2 * number + 1)
            results.append(self._play_one(layout, index, stream))
        return results

    def _play_one(self, layout: bytes, index: int, stream: Stream) -> float:
        mined = draw_safe(self._facts, index, stream) if layout[index] else layout
        if mined is None:
            return 0.0
        safety = 1 - self._facts.risk[index]
        return safety * play_on(self._facts.observation, mined, index, self._policy, stream)


def play_on(
    observation: Observation, mined: bytes, index: int, policy: Policy, stream: Stream
) -> float:
    """Play a position to its end on a layout in which the first cell is safe."""
    rules = observation.rules
    board, shown = Board(rules.rows, rules.columns, mined), bytearray(observation.shown)
    worth = 1.0
    open_cell(board, shown, index)
    while (facts := settle(observation, board, shown)) is not None:
        choice = policy(facts)
        if choice is None:
            return 0.0
        if choice.exact and choice.win is not None:
            return worth * choice.win
        worth *= 1 - facts.risk[choice.index]
        if worth < LEAST_WORTH:
            if stream.fraction() * LEAST_WORTH >= worth:
                return 0.0
            worth = LEAST_WORTH
        if board.mined[choice.index]:
            other = draw_safe(facts, choice.index, stream)
            if other is None:
                return 0.0
            board = Board(rules.rows, rules.columns, other)
        open_cell(board, shown, choice.index)
    return worth


def draw_safe(facts: Facts, index: int, stream: Stream) -> bytes | None:
    """Draw a layout that has a cell safe; None if none of many had."""
    draws = (facts.sample(stream.next()) for _ in range(MOST_DRAWS))
    return next((mined for mined in draws if not mined[index]), None)


def settle(observation: Observation, board: Board, shown: bytearray) -> Facts | None:
    """Open all that is proved, again and again; None if every safe cell is open."""
    while any(code == UNOPENED and not board.mined[i] for i, code in enumerate(shown)):
        facts = count(Observation(observation.rules, bytes(shown)))
        if not facts.safe:
            return facts
        for index in facts.safe:
            open_cell(board, shown, index)
    return None


def open_cell(board: Board, shown: bytearray, index: int) -> None:
    """Open a safe cell, and by flood what a 0 makes safe."""
    pending = [index]
    while pending:
        index = pending.pop()
        if shown[index] != UNOPENED:
            continue
        shown[index] = board.clues[index]
        if shown[index] == 0:
            pending.extend(board.grid.neighbours(index))
