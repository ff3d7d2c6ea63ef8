"""Verdicts on the moves of a game."""

from __future__ import annotations

import json
import math

import pytest

import mineproof as mw
from mineproof.core.move import Move
from mineproof.core.rules import Rules
from mineproof.inference.counting import count
from mineproof.notation.codec import to_plain
from mineproof.notation.position_text import parse_position
from mineproof.notation.records import Record, Step
from mineproof.proof.explainer import PositionExplainer
from mineproof.review.verdicts import Kind, Verdict, judge_risk, review
from mineproof.review.verdicts import verdict as judge
from mineproof.search.winning import win_chances


def verdict(text: str, move: str) -> Verdict:
    found = judge(parse_position(text), Move.parse(move))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "move", "kind", "risk"),
    [
        ("3x2x1\n0HH\nHHH\n", "open 0,1", Kind.PROVED, 0.0),
        ("2x2x1\nHH\n11\n", "open 0,0", Kind.BEST_GUESS, 0.5),
        ("4x1x1\nH1HH\n", "open 0,0", Kind.RECKLESS, 0.5),
        ("2x1x1\n1H\n", "open 0,1", Kind.RECKLESS, 1.0),
        ("6x1x2\nH1HHHH\n", "open 0,0", Kind.AVOIDABLE_RISK, 0.5),
        ("3x1x1\nF1H\n", "chord 0,1", Kind.BEST_GUESS, 0.5),
    ],
)
def test_a_move_is_judged_by_what_could_be_known(
    text: str, move: str, kind: Kind, risk: float
) -> None:
    found = verdict(text, move)
    assert found.kind is kind
    assert math.isclose(found.risk, risk)


def test_the_better_move_comes_with_its_proof() -> None:
    found = verdict("4x1x1\nH1HH\n", "open 0,0")
    assert found.better is not None
    assert (found.better.cell, found.better.proved) == ((0, 3), "safe")
    assert found.text.startswith("It risked 50.0\u00a0%. (0, 3) was proved safe. There is one mine")
    assert found.least == 0.0


def test_the_safer_guess_is_named() -> None:
    found = verdict("6x1x2\nH1HHHH\n", "open 0,0")
    assert found.better is not None
    assert found.better.proved is None
    assert found.text == (
        "It risked 50.0\u00a0%. Nothing was proved safe, but (0, 5) had a risk of 33.3\u00a0%."
    )
    assert "proved to be a mine" in verdict("2x1x1\n1H\n", "open 0,1").text


@pytest.mark.parametrize(
    ("text", "move", "glyph"),
    [
        ("3x2x1\n0HH\nHHH\n", "open 0,1", ""),
        ("2x2x1\nHH\n11\n", "open 0,0", ""),
        ("6x1x2\nH1HHHH\n", "open 0,0", "?!"),
        ("4x1x1\nH1HH\n", "open 0,0", "?"),
        ("2x1x1\n1H\n", "open 0,1", "??"),
    ],
)
def test_a_mistake_has_a_glyph(text: str, move: str, glyph: str) -> None:
    found = verdict(text, move)
    assert found.glyph == to_plain(found)["glyph"] == glyph


def test_a_proved_mine_comes_with_its_proof() -> None:
    """The proof names the cell that was opened; with a chord, the one that was the mine."""
    text = "7x3x2\n1H1HHHH\n1111HHH\n0001HHH\n"
    for move in ("open 0,1", "chord 0,0"):
        mine = verdict(text, move).mine
        assert mine is not None
        assert (mine.cell, mine.proved) == ((0, 1), "mined")
        assert mine.steps
    assert verdict(text, "open 0,6").mine is None


def test_a_chord_is_called_a_chord_and_its_wrong_flag_is_named() -> None:
    """The wrong flag is the mistake, and its proof the better move."""
    found = judge(parse_position("3x2x1\nHFH\n011\n"), Move.parse("chord 1,2"))
    assert found is not None
    words = "The chord with a wrong flag on (0, 1) opened (0, 2), a proved mine."
    assert found.text.startswith(words)
    assert found.better is not None
    assert (found.better.cell, found.better.proved) == ((0, 1), "safe")


def test_the_better_move_is_close_if_its_proof_is_easy() -> None:
    """An easier proof at the other end of the board teaches less than a short one close by."""
    text = "13x3x4\n1HHHHHHHHHHHH\n112HHHHHHH111\n001HHHHHHH100\n"
    found = verdict(text, "open 0,12").better
    easiest = PositionExplainer(parse_position(text)).easiest()
    assert found is not None
    assert easiest is not None
    assert (found.cell, easiest.cell) == ((0, 11), (0, 2))
    assert easiest.difficulty < found.difficulty


def test_best_play_is_the_best_guess_whatever_it_risks() -> None:
    """If the chance of winning is exact, a cell with a higher risk may be the best guess."""
    text = "6x2x3\nHHH1HH\nHH1HHH\n"
    seen = parse_position(text)
    chances = win_chances(count(seen))
    assert chances.exact
    assert chances.best is not None
    risks = count(seen).risk
    least = min(risks[index] for index in seen.unopened)
    assert risks[chances.best] > least + 0.01
    best = seen.grid.cell(chances.best)
    found = verdict(text, f"open {best.row},{best.column}")
    assert found.kind is Kind.BEST_GUESS
    assert found.least == pytest.approx(least)
    assert found.text.endswith("no move had a better chance of winning.")


def test_marks_are_not_judged() -> None:
    seen = parse_position("3x1x1\nF1H\n")
    assert judge(seen, Move.parse("mark 0,2")) is None
    assert judge(parse_position("2x1x1\nF1\n"), Move.parse("chord 0,1")) is None


def test_far_above_the_least_is_reckless() -> None:
    assert judge_risk(0.3, 0.3) is Kind.BEST_GUESS
    assert judge_risk(0.5, 0.3) is Kind.AVOIDABLE_RISK
    assert judge_risk(0.6, 0.3) is Kind.RECKLESS
    assert judge_risk(1.0, 1.0) is Kind.RECKLESS


@pytest.mark.parametrize("name", ["exact", "basic", "random"])
def test_totals_agree_with_the_luck_of_the_game(name: str) -> None:
    """A review counts every opened cell once, and reports the same luck as the guesses."""
    record = mw.play(mw.Game(mw.INTERMEDIATE, 3), mw.make_agent(name))
    found = review(record)
    guesses = review(record, proofs=False)
    opened = [step for step in record.steps if step.move.action == "open"]
    assert sum(found.totals.values()) == len(found.verdicts) == len(opened)
    assert len(found.verdicts) - found.totals["proved"] == len(guesses.guesses)
    assert math.isclose(found.luck, guesses.luck)
    assert found.rating.hardest >= found.rating.mean


def test_an_agent_that_proves_all_it_can_takes_no_avoidable_risk() -> None:
    for seed in range(3):
        totals = review(mw.play(mw.Game(mw.BEGINNER, seed), mw.make_agent("exact"))).totals
        assert totals["avoidable risk"] == totals["reckless"] == 0


def test_a_review_becomes_plain_values() -> None:
    record = Record(Rules(1, 4, 1), 0, mw.Cell(0, 1), (2,), (Step(Move.parse("open 0,0")),), None)
    plain = json.loads(json.dumps(to_plain(review(record))))
    names = ["moves", "totals", "luck", "best_luck", "hardest", "mean", "rule", "false_proofs"]
    names.append("unjudged")
    assert list(plain) == names
    [move] = plain["moves"]
    assert (move["number"], move["move"], move["verdict"]) == (1, "open 0,0", "reckless")
    assert move["better"]["cell"] == [0, 3]
    assert plain["luck"] == 0.5
