"""Measures of luck in games, and of how many provable cells agents prove."""

from __future__ import annotations

import pytest
from moves import chord_cell, mark_cell, open_cell

import mineproof as mw
from mineproof.agents.protocol import ShowsKnowledge
from mineproof.core.board import Board
from mineproof.core.game import Game
from mineproof.core.move import Move
from mineproof.core.rules import INTERMEDIATE, Rules
from mineproof.notation.records import Record, Step, make_record
from mineproof.review.stuck import Completeness, completeness
from mineproof.review.verdicts import Review, review


def record(rules: Rules, mines: list[int], first: tuple[int, int], *moves: Move) -> Record:
    board = Board.from_mines(rules.rows, rules.columns, mines)
    game = Game(rules, 0, first, board)
    for move in moves:
        game.play(move)
    return make_record(game, tuple(Step(move) for move in moves))


def luck(played: Record) -> Review:
    return review(played, proofs=False)


def test_a_coin_toss() -> None:
    """A 1 between two cells: opening either cell has a risk of 50 %."""
    found = luck(record(Rules(1, 3, 1), [2], (0, 1), open_cell(0, 0)))
    (guess,) = found.guesses
    assert (guess.move.cell, guess.risk, guess.least) == ((0, 0), 0.5, 0.5)
    assert guess.exact
    assert not guess.is_needless
    assert found.luck == 0.5


def test_proved_moves_need_no_luck() -> None:
    found = luck(
        record(Rules(1, 5, 1), [1], (0, 0), mark_cell(0, 1), open_cell(0, 2), open_cell(0, 3))
    )
    assert found.guesses == ()
    assert found.luck == 1.0


def test_needless_guesses_are_told() -> None:
    # The 1 at (0, 0) proves the mine at (0, 1). Only the mine count says something about the rest.
    rules = Rules(1, 7, 2)
    found = luck(record(rules, [1, 6], (0, 0), open_cell(0, 2), open_cell(0, 4)))
    assert [guess.is_needless for guess in found.guesses] == [False, True]
    assert found.guesses[0].risk == pytest.approx(1 / 5)
    assert found.needless == 1
    assert found.best_luck == pytest.approx(4 / 5)


def test_a_chord_opens_several_cells() -> None:
    """The risk of a chord next to a wrong flag is the combined risk of all cells that it opens."""
    rules = Rules(1, 3, 1)
    moves = (mark_cell(0, 0), chord_cell(0, 1))
    found = luck(record(rules, [0], (0, 1), *moves))
    assert [guess.risk for guess in found.guesses] == [pytest.approx(0.5)]
    wide = Rules(3, 3, 2)
    together = luck(
        record(wide, [0, 2], (1, 1), mark_cell(0, 0), mark_cell(0, 2), chord_cell(1, 1))
    )
    assert together.guesses[0].risk == pytest.approx(1 - 1 / 28)


def test_an_exact_player_takes_the_safest_cell_each_time() -> None:
    for seed in range(6):
        played = mw.play(mw.Game(INTERMEDIATE, seed), mw.make_agent("exact"))
        found = luck(played)
        assert len(found.guesses) == played.guesses
        assert found.luck == pytest.approx(found.best_luck)
        assert found.needless == 0


def test_luck_is_the_share_of_games_survived() -> None:
    agent = mw.make_agent("exact")
    survived = expected = 0.0
    for seed in range(60):
        played = mw.play(mw.Game(Rules(6, 6, 7), seed), agent)
        for guess in luck(played).guesses:
            expected += 1 - guess.risk
        assert played.outcome is not None
        survived += played.guesses - (played.outcome.result is mw.Result.LOSS)
    assert survived == pytest.approx(expected, abs=15)


def known_share(name: str, games: int) -> Completeness:
    """Measure an agent's knowledge whenever it guesses or stops."""
    agent = mw.make_agent(name)
    assert isinstance(agent, ShowsKnowledge)
    found = Completeness()
    for seed in range(games):
        game = Game(INTERMEDIATE, seed, (0, 0))
        agent.start(game.rules.public(), seed)
        while not game.is_over:
            decision = agent.decide(game.observation)
            assert decision is not None
            if not decision.proved:
                found += completeness(agent, game.observation)
            game.play(decision.move)
    return found


def test_completeness_orders_the_agents() -> None:
    """The exact agent proves everything provable. An agent that reads single clues proves less."""
    found = {name: known_share(name, 4) for name in ("basic", "sentences", "exact")}
    assert found["exact"].share == 1
    assert found["basic"].share < found["sentences"].share <= 1
    assert all(one.unsound == 0 for one in found.values())


def test_completeness_adds_up() -> None:
    one = Completeness(provable=4, proved=3, unsound=0)
    assert (one + one).share == 0.75
    assert Completeness().share == 1


def test_risks_alone_are_the_risks_of_the_whole_review() -> None:
    for seed in range(3):
        played = mw.play(mw.Game(Rules(8, 8, 12), seed), mw.make_agent("sentences"))
        whole, quick = review(played), luck(played)
        assert [v.number for v in whole.verdicts] == [v.number for v in quick.verdicts]
        assert whole.luck == pytest.approx(quick.luck)
        assert whole.needless == quick.needless
