"""The match loop: which answers of an agent are valid, and the errors for all others."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from strategies import rules, seeds

import mineproof as mw
from mineproof.core.rules import Rules
from mineproof.match.play import agent_seed, begin


class Scripted:
    """An agent that answers with a function."""

    def __init__(self, answer: Callable[[mw.Observation], object]) -> None:
        self.answer = answer

    def start(self, rules: mw.PublicRules, seed: int) -> None:
        """Remember the arguments."""
        self.seed = seed
        self.rules = rules

    def decide(self, observation: mw.Observation) -> mw.Decision | None:
        return self.answer(observation)  # type: ignore[return-value]


def decision(move: str) -> mw.Decision:
    """Return a decision for a move written as text."""
    return mw.Decision(mw.Move.parse(move), False, mw.Reason("scripted"))


def loose_move(action: object, cell: object) -> mw.Decision:
    """Return a decision whose move has values of any type. `Move` itself would convert them."""
    made = decision("open 3,3")
    object.__setattr__(made.move, "action", action)
    object.__setattr__(made.move, "cell", cell)
    return made


@given(rules(max_side=5), seeds())
def test_every_game_ends_and_replays(setting: Rules, seed: int) -> None:
    game = mw.Game(setting, seed)
    record = mw.play(game, mw.make_agent("basic"))
    assert game.is_over
    again = record.replay()
    assert again.observation == game.observation
    assert (again.outcome, again.moves) == (game.outcome, game.moves)


def test_a_record_begins_with_the_moves_before() -> None:
    """An agent may continue a game that others started. Its record begins with their moves."""
    game = mw.Game(mw.BEGINNER, 7, (0, 0))
    game.play(mw.Move.parse("mark 8,8"))
    record = mw.play(game, mw.make_agent("random"))
    assert record.steps[0].move == mw.Move.parse("mark 8,8")
    assert record.steps[0].proved is None
    assert record.replay().observation == game.observation


def test_a_game_that_has_ended_is_rejected() -> None:
    game = mw.Game("5x5/3", seed=1)
    played = mw.play(game, "basic")
    assert game.outcome == played.outcome
    with pytest.raises(mw.InputError, match="the game is over"):
        mw.play(game, "basic")
    won = mw.play(mw.Game("3x3/0", first=(0, 0)), "basic")  # by the first cell alone
    assert won.outcome is not None
    assert (won.outcome.result, won.steps) == (mw.Result.WIN, ())


def test_the_first_cell_is_opened_for_the_agent() -> None:
    game = mw.Game(mw.BEGINNER, 7)
    begin(game)
    assert game.first == (0, 0)
    other = mw.Game(mw.BEGINNER, 7, (4, 4))
    begin(other)
    assert other.first == (4, 4)


def test_the_agent_gets_the_public_rules_and_a_seed() -> None:
    setting = mw.Rules(4, 4, 3, mine_count="unknown")
    agent = Scripted(lambda _seen: None)
    mw.play(mw.Game(setting, 9), agent)
    assert agent.rules == setting.public()
    given_seed = agent.seed
    mw.play(mw.Game(setting, 9), agent)
    assert agent.seed == given_seed
    mw.play(mw.Game(setting, 9), agent, seed=4)
    assert agent.seed == 4


@pytest.mark.parametrize("seed", [0, 9, 2**64 - 1])
def test_the_seed_that_an_agent_gets_does_not_deal_the_board(seed: int) -> None:
    """An agent that deals a board from its own seed gets a different board."""
    agent = Scripted(lambda _seen: None)
    game = mw.Game(mw.EXPERT, seed)
    mw.play(game, agent)
    assert mw.Game(mw.EXPERT, agent.seed, game.first).board != game.board
    assert agent_seed(mw.make_agent("random"), seed) == seed


def test_none_means_stuck() -> None:
    record = mw.play(mw.Game(mw.BEGINNER, 7), Scripted(lambda _seen: None), player="nobody")
    assert record.outcome is not None
    assert record.outcome.result is mw.Result.STUCK
    assert (record.steps, record.player) == ((), "nobody")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _seen: "open 3,3", "Scripted: decide returned 'open 3,3', not a"),
        (lambda _seen: decision("open 0,0"), "Scripted made an impossible move: "),
        (lambda _seen: decision("mark 9,9"), "expected a cell on the 9x9 board"),
        (lambda _seen: 1 // 0, r"decide raised ZeroDivisionError: .*test_match.py, line \d+"),
        (lambda _seen: sys.exit(0), "Scripted.decide raised SystemExit: 0"),
        (lambda _seen: replace(decision("open 3,3"), reason="so"), "'so', not of type Reason"),  # type: ignore[arg-type]
        (lambda _seen: replace(decision("open 3,3"), risk=7.0), "risk is 7.0, not from 0 to 1"),
        (lambda _seen: replace(decision("open 3,3"), risk=math.nan), "risk is nan, not from 0 to"),
        (lambda _seen: loose_move("open", mw.Cell(3, 3)), "action is 'open', not of type Action"),
        (lambda _seen: loose_move(mw.Action.OPEN, (3, 3)), r"cell is \(3, 3\), not of type Cell"),
        (lambda _seen: loose_move(mw.Action.OPEN, mw.Cell(0.5, 3)), "impossible move"),  # type: ignore[arg-type]
    ],
)
def test_what_an_agent_must_not_do(
    answer: Callable[[mw.Observation], object], message: str
) -> None:
    """Wrong answers, impossible moves and exceptions become errors that name the agent."""
    with pytest.raises(mw.AgentError, match=message):
        mw.play(mw.Game(mw.BEGINNER, 7), Scripted(answer))


def test_a_start_that_fails_is_the_agents_error() -> None:
    class Failing(Scripted):
        def start(self, rules: mw.PublicRules, seed: int) -> None:
            raise KeyError("no such\nthing")

    with pytest.raises(mw.AgentError, match=r"Failing.start raised KeyError: .*"):
        mw.play(mw.Game(mw.BEGINNER, 7), Failing(lambda _seen: None))


def test_marking_for_ever_is_stopped() -> None:
    def toggle(seen: mw.Observation) -> mw.Decision:
        return decision("unmark 8,8" if seen.is_marked((8, 8)) else "mark 8,8")

    with pytest.raises(mw.AgentError, match="Scripted did not finish the game within 910 moves"):
        mw.play(mw.Game(mw.BEGINNER, 7), Scripted(toggle))


def test_a_watcher_sees_every_move() -> None:
    """The time that a watcher takes does not count as the agent's time."""
    seen: list[tuple[int, mw.Move]] = []
    record = mw.play(
        mw.Game(mw.BEGINNER, 7),
        mw.make_agent("basic"),
        watcher=lambda game, decision: seen.append((len(game.moves), decision.move)),
    )
    assert seen == [(number, step.move) for number, step in enumerate(record.steps, 1)]


def test_a_work_limit_passes_through() -> None:
    def give_up(_seen: mw.Observation) -> None:
        raise mw.WorkLimitError("too hard")

    with pytest.raises(mw.WorkLimitError, match="too hard"):
        mw.play(mw.Game(mw.BEGINNER, 7), Scripted(give_up))
