"""Estimates of the chance of winning, for positions too large to search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mineproof.backend import native
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion
from mineproof.inference.counting import count
from mineproof.notation.position_text import parse_position
from mineproof.search.winning import UNKNOWN, estimate_win, win_chances

HIDDEN = "\n".join(["30x16x99", *["H" * 30] * 16]) + "\n"


def test_a_guess_gets_an_estimate() -> None:
    """Some candidates have an estimate, the best comes first, and none is exact."""
    found = estimate_win(count(parse_position(HIDDEN)))
    assert found.win is not None
    assert 0 < found.win < 1
    assert not found.exact
    assert found.win == max(found.moves.values()) == found.moves[found.best or 0]


def test_a_known_best_move_is_kept() -> None:
    """A move that is known to be best stays best and gets the highest estimate."""
    found = estimate_win(count(parse_position(HIDDEN)), best=100)
    assert found.best == 100
    assert found.moves[100] == found.win


@pytest.mark.skipif(native is None, reason="playouts need the native core")
def test_playouts_come_near_the_truth() -> None:
    """On a small board with a proved cell, playouts come close to the known value."""
    facts = count(parse_position("5x5x4\n00000\n11211\nHHHHH\nHHHHH\nHHHHH\n"))
    exact = win_chances(facts)
    assert facts.safe
    assert exact.win is not None
    assert exact.exact
    found = estimate_win(facts)
    assert found.win == pytest.approx(exact.win, abs=0.15)
    assert set(found.moves) == set(facts.safe)


@pytest.mark.skipif(native is None, reason="playouts need the native core")
def test_a_crowded_board_is_not_taken_for_an_expert_one() -> None:
    """A crowded board is rarely won. The evaluation alone, trained on others, says one in six."""
    crowded = "\n".join(["30x16x150", *["H" * 30] * 16]) + "\n"
    found = estimate_win(count(parse_position(crowded)))
    assert found.win is not None
    assert 0 <= found.win < 0.05
    assert found.win == max(found.moves.values())


def test_other_rules_have_none() -> None:
    """Without a known mine count, or if play continues after a hit, there is no estimate."""
    assert estimate_win(count(parse_position("3x1x?\n1HH\n"))) is UNKNOWN
    seen = parse_position(HIDDEN)
    rules = replace(seen.rules, explosion=Explosion.CONTINUE)
    assert estimate_win(count(Observation(rules, seen.shown, seen.marks))) is UNKNOWN
