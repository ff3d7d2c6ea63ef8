"""The agent `champion`, which guesses by search, and the same games in the C++ core."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agent_games import play_game
from conftest import Require
from search_positions import guesses, noisy_evaluation

import mineproof as mw
from mineproof.agents.champion import UNTRAINED, ChampionAgent
from mineproof.agents.protocol import PlaysWhole
from mineproof.agents.registry import agents, strongest
from mineproof.backend import native
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, OPENING, Explosion, Goal, MineCount, Rules, with_options
from mineproof.core.words import percent
from mineproof.notation.position_text import parse_position


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", native is not None, "the native core is not built")
    return native


def ask(seen: Observation, **options: object) -> Decision | None:
    agent = mw.make_agent("champion", **options)
    agent.start(seen.rules, 1)
    return agent.decide(seen)


SHAPES = [
    (mw.EXPERT, 25),
    (replace(mw.EXPERT, start=OPENING), 15),
    (replace(mw.INTERMEDIATE, start=ANY), 25),
    (mw.CLASSIC_BEGINNER, 60),
    (Rules(1, 30, 6), 40),
    (Rules(40, 1, 11, ANY), 40),
    (Rules(2, 60, 30), 30),
    (Rules(4, 4, 9), 60),
    (Rules(30, 30, 150), 4),
    (Rules(1, 1, 0), 2),
]


@pytest.mark.parametrize("evaluated", [False, True])
@pytest.mark.parametrize(("rules", "count"), SHAPES, ids=lambda value: str(value)[:60])
def test_the_core_plays_the_same_games(
    core: Any, monkeypatch: pytest.MonkeyPatch, rules: Rules, count: int, evaluated: bool
) -> None:
    """The core and the agent play games with the same results, guesses and numbers of moves."""
    first = rules.first_cell
    assert first is not None
    boards = [mw.deal(rules, seed, first) for seed in range(count)]
    agent = ChampionAgent(evaluation="none")
    if evaluated:
        monkeypatch.setattr(agent, "_evaluation", noisy_evaluation())
    whole = agent.play_whole(rules, boards, first)
    assert len(whole) == count
    for seed, board in enumerate(boards):
        record = mw.play(mw.Game(rules, seed, first, board), agent)
        assert record.outcome is not None
        played = (record.outcome.result, record.guesses, len(record.steps))
        assert (whole[seed].result, whole[seed].guesses, whole[seed].moves) == played


@pytest.mark.full
def test_it_wins_more_than_exact(core: Any) -> None:
    """`champion` beats `exact` on 6,000 expert boards by more than three standard errors."""
    rules, first = replace(mw.EXPERT, start=OPENING), mw.Cell(3, 3)
    boards = [mw.deal(rules, seed, first) for seed in range(50_000, 56_000)]
    won = []
    for agent in (mw.make_agent("exact"), mw.make_agent("champion")):
        assert isinstance(agent, PlaysWhole)
        won.append(
            [game.result is mw.Result.WIN for game in agent.play_whole(rules, boards, first)]
        )
    gained = sum(champion and not exact for exact, champion in zip(*won, strict=True))
    lost = sum(exact and not champion for exact, champion in zip(*won, strict=True))
    assert gained - lost > 3 * math.sqrt(gained + lost)


def test_an_early_guess_is_explained() -> None:
    """The reason states the risk and the next safety of the chosen cell, the first candidate."""
    seen = next(guesses(mw.EXPERT, 3))
    decision = ask(seen, evaluation="none")
    assert decision is not None
    assert not decision.proved
    best = decision.candidates[0]
    assert best.cell == decision.move.cell
    assert best.risk == decision.risk
    assert best.next_safety is not None
    assert 0 < best.next_safety <= 1
    assert f"a risk of {percent(best.risk)}" in decision.reason.text
    assert "the next move is" in decision.reason.text


def test_an_endgame_is_solved() -> None:
    """If few layouts are left, the chance of winning is exact, and the reason says so."""
    decision = ask(parse_position("5x1x2\nH1HHH\n"))
    assert decision is not None
    best = decision.candidates[0]
    assert best.win_exact
    assert best.win == pytest.approx(0.5)
    assert decision.reason.text == "4 layouts are left: best play wins 50.0\u00a0% of them"


def test_a_trained_value_is_told(core: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an evaluation, each candidate has an estimated chance of winning."""
    from mineproof.search.choice import GuessSettings

    monkeypatch.setattr("mineproof.agents.champion.USUAL", GuessSettings(margin=0.05))
    monkeypatch.setattr("mineproof.agents.champion.load_evaluation", noisy_evaluation)
    decision = ask(next(guesses(mw.EXPERT, 3)))
    assert decision is not None
    assert decision.candidates[0].win is not None
    assert not decision.candidates[0].win_exact
    assert "estimated chance of winning" in decision.reason.text


def moves_and_reasons(agent: str) -> list[list[str]]:
    """Return the moves of eight games and the reasons for the guesses."""
    games = [mw.play(mw.Game(mw.BEGINNER, seed), mw.make_agent(agent)) for seed in range(8)]
    steps = [step for game in games for step in game.steps]
    reasons = [step.reason for step in steps if not step.proved]
    return [[str(step.move) for step in steps], reasons]


def test_without_the_core_survival_decides_and_the_reason_says_so(core: Any) -> None:
    """Without the core, `champion` plays the same games as `champion:evaluation=none`."""
    code = (
        "import json, test_champion\nprint(json.dumps(test_champion.moves_and_reasons('champion')))"
    )
    places = [*sys.path, str(Path(__file__).parent)]
    environment = {
        **os.environ,
        "MINEPROOF_BACKEND": "python",
        "PYTHONPATH": os.pathsep.join(places),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    moves, reasons = json.loads(done.stdout)
    played, expected = moves_and_reasons("champion:evaluation=none")
    assert moves == played
    assert [reason.replace(UNTRAINED, "") for reason in reasons] == expected
    assert any(reason.endswith(UNTRAINED) for reason in reasons)


def test_a_mark_goes_before_the_cell_is_opened() -> None:
    """A flag on the cell that is the best guess is removed first."""
    seen = next(guesses(mw.EXPERT, 3))
    plain = ask(seen)
    assert plain is not None
    marks = bytearray(len(seen.shown))
    marks[seen.grid.index(plain.move.cell)] = 1
    marked = ask(Observation(seen.rules, seen.shown, bytes(marks)))
    assert marked is not None
    assert (marked.move.action, marked.move.cell) == (Action.UNMARK, plain.move.cell)


def test_after_a_hit_it_plays_like_exact() -> None:
    """After a hit, the game can no longer be won, so `champion` plays like `exact`."""
    rules = mw.PublicRules(1, 5, 3, explosion=Explosion.CONTINUE)
    hit = Observation(rules, bytes([UNOPENED, 11, UNOPENED, UNOPENED, UNOPENED]))
    whole = Observation(rules, bytes([UNOPENED] * 5))
    after, before = ask(hit), ask(whole)
    assert after is not None
    assert before is not None
    exact = mw.make_agent("exact")
    exact.start(rules, 1)
    assert after == exact.decide(hit)
    assert before.move.action is Action.OPEN
    assert before.candidates[0].win_exact


RULES = [
    with_options(Rules(6, 7, 9), clues=clues, mine_count=known, explosion=explosion, goal=goal)
    for clues in ("exact", "withheld:0.7", "optimistic", "cautious")
    for known in ("known", "unknown")
    for explosion in ("lose", "continue")
    for goal in ("open", "mark")
]


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_whole_games_under_all_rules(rules: Rules) -> None:
    """Games end under all rules, and no proved move is wrong."""
    for number, start in enumerate(("any", "safe", "opening", "given:1")):
        game, decisions = play_game("champion", with_options(rules, start=start), number)
        assert game.outcome is not None
        assert all(decision.risk is not None for decision in decisions)


@pytest.mark.parametrize("size", [(1, 1, 0), (1, 2, 1), (2, 2, 3), (3, 3, 8), (5, 1, 2)])
def test_tiny_boards(size: tuple[int, int, int]) -> None:
    for seed in range(3):
        game, _ = play_game("champion", Rules(*size, ANY), seed)
        assert game.outcome is not None


def test_unknown_mine_count_is_looked_ahead() -> None:
    """If the mine count is unknown, `champion` looks ahead but does not solve endgames."""
    rules = with_options(mw.INTERMEDIATE, mine_count="unknown")
    decision = ask(next(guesses(rules, 1)))
    assert decision is not None
    assert decision.candidates[0].next_safety is not None
    assert decision.candidates[0].win is None


def test_other_rules_are_not_played_in_the_core() -> None:
    """The core supports only exact clues, a known mine count, flood and the goal `open`."""
    agent = ChampionAgent()
    board = mw.deal(mw.BEGINNER, 1, (0, 0))
    for change in (
        {"mine_count": MineCount.UNKNOWN},
        {"goal": Goal.MARK},
        {"explosion": Explosion.CONTINUE},
        {"flood": False},
    ):
        assert agent.play_whole(replace(mw.BEGINNER, **change), [board], mw.Cell(0, 0)) == []


def test_it_is_the_default() -> None:
    assert strongest() == "champion"
    assert agents()["champion"].strength > agents()["exact"].strength
    assert agents()["champion"].options["evaluation"].choices == ("trained", "none")
