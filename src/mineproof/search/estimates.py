"""What a position is worth where too much is left to search: an estimate."""

from __future__ import annotations

from dataclasses import replace

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.inference.counting import Facts, Known
from mineproof.search.evaluation import load_evaluation
from mineproof.search.guessing import choose, core_settings
from mineproof.search.settings import USUAL
from mineproof.search.winning import UNKNOWN, WinChances

GUESS = replace(USUAL, endgame_layouts=0)
"""Compares guesses, and solves nothing."""
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, margin=0.0)
PLAYOUTS = 64
SECONDS = 1.0
"""Playouts end after this time, which only huge boards need."""


def estimate(facts: Facts, best: int | None = None) -> WinChances:
    """Estimate the chance to win: by the evaluation of guesses, or by some playouts.

    Args:
        facts: the exact facts of a position.
        best: a cell that is known to be the best move, if there is one.
    """
    if not isinstance(facts.prior, Known) or facts.observation.rules.clues != EXACT:
        return UNKNOWN
    return _play_on(facts) if facts.safe else _evaluate(facts, best)


def _evaluate(facts: Facts, best: int | None) -> WinChances:
    """Let the trained evaluation judge the guesses that come close."""
    evaluation = load_evaluation()
    choice = None if evaluation is None else choose(facts, GUESS, evaluation)
    if choice is None or choice.win is None:
        return UNKNOWN
    moves = {each.index: each.win for each in choice.options if each.win is not None}
    if best is not None:
        moves[best] = choice.win
    return WinChances(choice.win, False, moves, choice.index if best is None else best)


def _play_on(facts: Facts) -> WinChances:
    """Play layouts on from a proved cell; all proved cells are worth the same."""
    if native is None:
        return UNKNOWN
    seen = facts.observation
    rows = native.play_layouts(
        facts.rows,
        facts.columns,
        seen.rules.mines,
        seen.shown,
        facts.safe[:1],
        core_settings(PLAYOUT),
        None,
        PLAYOUTS,
        SECONDS,
        0,
    )
    if not rows:
        return UNKNOWN
    win = sum(row[0] for row in rows) / len(rows)
    return WinChances(win, False, dict.fromkeys(facts.safe, win), facts.safe[0])
