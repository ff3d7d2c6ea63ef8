"""Large boards, time limits, and reasons that are computed when they are read."""

from __future__ import annotations

import pickle
import random
import sys
import time
from collections.abc import Iterator

import pytest
from midgames import midgames

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Reason
from mineproof.core.game import Game
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules, Start, StartKind
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.match.play import begin
from mineproof.notation.position_text import parse_position
from mineproof.proof.explainer import PositionExplainer, ProofReason
from mineproof.review.verdicts import verdict


def moves(rules: Rules, seed: int, most: int) -> Iterator[tuple[Observation, Move]]:
    """Play a game for some moves; yield each position with the move made in it."""
    game = Game(rules, seed)
    begin(game)
    agent = make_agent("champion")
    agent.start(rules.public(), seed)
    for _ in range(most):
        decision = None if game.is_over else agent.decide(game.observation)
        if decision is None:
            return
        yield game.observation, decision.move
        game.play(decision.move)


@pytest.mark.parametrize(("side", "mines"), [(80, 1150), (100, 1800)])
def test_moves_of_large_games_are_judged(side: int, mines: int) -> None:
    """Proofs on large boards do not exceed the recursion limit."""
    rules = Rules(side, side, mines, start=Start(StartKind.SAFE))
    played = list(moves(rules, 1, 400))
    assert len(played) == 400
    for before, move in played[::50]:
        judged = verdict(before, move)
        assert judged is not None
        assert judged.text


@pytest.mark.parametrize(("side", "mines"), [(80, 1150), (100, 1800)])
def test_ends_of_large_games_are_explained(side: int, mines: int) -> None:
    """If the mine count decides, a proof may use clues all over the board."""
    source = random.Random(side)
    hidden = {row * side + column for row in range(4) for column in range(4)}
    free = {row * side + column for row in range(6) for column in range(6)}
    mined = set(source.sample([i for i in range(side * side) if i not in free], mines))
    grid = Rules(side, side, mines).grid
    shown = bytes(
        UNOPENED if i in mined | hidden else sum(near in mined for near in grid.neighbours(i))
        for i in range(side * side)
    )
    explainer = PositionExplainer(
        Observation(PublicRules(side, side, mines), shown), budget=Budget(3.0)
    )
    found = explainer.explain((0, 0))
    assert (found.proved, found.uses_mine_count) == ("safe", True)
    assert len(found.clues) > sys.getrecursionlimit() // 2
    assert not found.smallest


def test_cells_of_random_large_boards_are_explained() -> None:
    """Cells are explained on large boards with clues scattered all over them."""
    source = random.Random(3)
    side, mines = 60, 500
    mined = set(source.sample(range(side * side), mines))
    shown = bytearray([9]) * (side * side)
    grid = mw.Observation(PublicRules(side, side, mines), bytes(shown)).grid
    for index in range(side * side):
        if index not in mined and source.random() < 0.7:
            shown[index] = sum(near in mined for near in grid.neighbours(index))
    explainer = PositionExplainer(Observation(PublicRules(side, side, mines), bytes(shown)))
    proved = [*explainer.facts.safe, *explainer.facts.mined]
    for index in source.sample(proved, 25):
        found = explainer.explain(grid.cell(index))
        assert found.steps[-1].cells == (found.cell,)
        assert (found.proved == "mined") == (index in mined)


def test_over_the_budget_answers_are_plainer() -> None:
    """When time is up, proved cells still have a proof, but it is not called the smallest."""
    for seen in midgames(2):
        explainer = PositionExplainer(seen)
        explainer._budget.deadline = time.monotonic() - 1
        for index in (*explainer.facts.safe[:5], *explainer.facts.mined[:5]):
            found = explainer.explain(seen.grid.cell(index))
            assert not found.smallest
            assert [step.rule for step in found.steps] == ["arrangements"]
            assert found.difficulty == (5.9 if found.uses_mine_count else 4.9)
        hint = explainer.easiest()
        assert (hint is None) == (not explainer.facts.safe)


def test_when_the_time_is_over_the_clues_of_the_easiest_proof_are_given() -> None:
    """If time runs out while clues are being removed, the remaining clues still prove the cell."""
    seen = parse_position("5x3x2\n1HHHH\n112HH\n001HH\n")
    explainer = PositionExplainer(seen)
    proof = explainer._plain_proof(2)
    explainer._budget.deadline = time.monotonic() - 1
    found = explainer._smallest(2, proof)
    assert (found.clues, found.smallest) == ((0, 6), False)


def test_a_budget_bounds_the_time() -> None:
    """An explanation that stays within its budget is the same as one without a budget."""
    budget = Budget().fork(10, seconds=0.0)
    with pytest.raises(mw.WorkLimitError):
        budget.spend()
    for seen in midgames(2):
        found = mw.explain(seen, seen.grid.cell(seen.unopened[0]), budget=5.0)
        assert found == mw.explain(seen, seen.grid.cell(seen.unopened[0]))


def test_reasons_are_worked_out_when_they_are_read() -> None:
    """The text of a reason describes the easiest proof. It is computed on first use."""
    seen = parse_position("4x2x2\nHHHH\n11HH\n")
    facts = count(seen)
    reason = ProofReason(facts, 2, "it is safe in all layouts")
    assert "plain" not in reason.__dict__
    assert str(reason).startswith("1-1 pattern: ")
    assert reason.clues == ((1, 0), (1, 1))
    assert not reason.uses_mine_count
    assert reason == reason.plain
    assert pickle.loads(pickle.dumps(reason)) == reason.plain
    assert isinstance(reason, Reason)


def test_layouts_are_counted_only_where_no_short_proof_exists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A short proof with the mine count is written out. A long proof is replaced by a summary."""
    facts = count(parse_position("4x1x1\nH1HH\n"))
    reason = ProofReason(facts, 3, "otherwise")
    one_mine = "there is one mine on the board; the 1 at (0, 1) accounts for it"
    assert reason.text == f"{one_mine}, so (0, 3) is safe"
    assert reason.uses_mine_count
    monkeypatch.setattr("mineproof.proof.explainer.REASON_STEPS", 0)
    assert ProofReason(facts, 3, "otherwise") == Reason("otherwise", uses_mine_count=True)
