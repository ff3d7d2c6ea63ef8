"""What a position is worth where too much is left to search: an estimate."""

from __future__ import annotations

from dataclasses import replace

from mineproof.backend import native
from mineproof.core.rules import PublicRules
from mineproof.inference.counting import Facts, Known
from mineproof.search.evaluation import load_evaluation
from mineproof.search.guessing import choose, core_settings
from mineproof.search.settings import USUAL
from mineproof.search.winning import UNKNOWN, WinChances, applies

GUESS = replace(USUAL, endgame_layouts=0)
"""Compares guesses, and solves nothing."""
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, margin=0.0)
PLAYOUTS = 64
SECONDS = 1.0
"""Playouts end after this time, which only huge or crowded boards need."""
FAMILIAR_CELLS, FAMILIAR_DENSITY = 480, 0.21
"""The evaluation was trained on boards up to the expert's; on larger or more crowded ones it
ranks guesses well, but knows little of how much of the game is left."""


def estimate(facts: Facts, best: int | None = None, seconds: float = SECONDS) -> WinChances:
    """Estimate the chance to win: by the evaluation of guesses, or by some playouts.

    Args:
        facts: the exact facts of a position.
        best: a cell that is known to be the best move, if there is one.
        seconds: how long playouts may take, at most.
    """
    if not isinstance(facts.prior, Known) or not applies(facts.observation.rules):
        return UNKNOWN
    seconds = min(seconds, SECONDS)
    return _play_on(facts, seconds) if facts.safe else _evaluate(facts, best, seconds)


def _evaluate(facts: Facts, best: int | None, seconds: float) -> WinChances:
    """Let the trained evaluation judge the guesses that come close."""
    evaluation = load_evaluation()
    choice = None if evaluation is None else choose(facts, GUESS, evaluation)
    if choice is None or choice.win is None:
        return UNKNOWN
    win: float | None = choice.win
    if not is_familiar(facts.observation.rules):
        win = _mean_playout(facts, choice.index, seconds)
    if win is None:
        return UNKNOWN
    scale = win / choice.win if choice.win > 0 else 0.0
    moves = {each.index: each.win * scale for each in choice.options if each.win is not None}
    first = choice.index if best is None else best
    moves[first] = win
    return WinChances(win, False, moves, first)


def is_familiar(rules: PublicRules) -> bool:
    """Say whether the evaluation's values, not only their order, can be relied on."""
    cells = rules.rows * rules.columns
    return cells <= FAMILIAR_CELLS and (rules.mines or 0) <= FAMILIAR_DENSITY * cells


def _play_on(facts: Facts, seconds: float) -> WinChances:
    """Play layouts on from a proved cell; all proved cells are worth the same."""
    win = _mean_playout(facts, facts.safe[0], seconds)
    if win is None:
        return UNKNOWN
    return WinChances(win, False, dict.fromkeys(facts.safe, win), facts.safe[0])


def _mean_playout(facts: Facts, index: int, seconds: float) -> float | None:
    """Give the mean of some playouts from a cell on; None if there were none."""
    if native is None:
        return None
    seen = facts.observation
    rows = native.play_layouts(
        facts.rows,
        facts.columns,
        seen.rules.mines,
        seen.shown,
        [index],
        core_settings(PLAYOUT),
        None,
        PLAYOUTS,
        seconds,
        0,
    )
    return sum(row[0] for row in rows) / len(rows) if rows else None
