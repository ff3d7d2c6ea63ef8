"""The class `KnowledgeAgent`: following a game, starting again, flagging and opening."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import mineproof as mw
from mineproof.agents.knowledge import KnowledgeAgent, known_mine
from mineproof.core.board import Board
from mineproof.core.rules import Rules, with_options


class Prepared(KnowledgeAgent):
    """An agent with prepared conclusions that records its calls."""

    def __init__(self, safe: Iterable[int] = (), mined: Iterable[int] = ()) -> None:
        self.to_conclude = [(i, False) for i in safe] + [(i, True) for i in mined]
        self.learned: list[set[int]] = []
        self.forgotten = 0

    def forget(self) -> None:
        self.forgotten += 1

    def learn(self, observation: mw.Observation, changes: Iterable[int]) -> None:
        self.learned.append(set(changes))
        for index, mined in self.to_conclude:
            self.conclude(index, mined, mw.Reason(f"prepared for {index}"))

    def guess(self, observation: mw.Observation) -> mw.Decision | None:
        return self.guess_random(observation, "no idea")


def row(mines: list[int], columns: int = 8, **options: Any) -> mw.Game:
    """Return a game on a one-row board whose first cell is open."""
    setting = with_options(Rules(1, columns, len(mines)), **options)
    return mw.Game(setting, 0, (0, 0), Board.from_mines(1, columns, mines))


def test_it_learns_only_what_is_new() -> None:
    """The agent reads each change only once if it sees every observation of the game."""
    game, agent = row([2, 5]), Prepared()
    agent.start(game.rules.public(), 1)
    agent.decide(game.observation)
    agent.decide(game.observation)
    game.play(mw.Move.parse("open 0,3"))
    agent.decide(game.observation)
    assert agent.learned == [{0, 1}, {3}]
    assert agent.forgotten == 1


def test_it_rebuilds_when_an_observation_does_not_follow() -> None:
    """After an undo or a missed observation, the agent learns the whole position again."""
    game, agent = row([2, 5]), Prepared()
    agent.start(game.rules.public(), 1)
    agent.decide(game.observation)
    game.play(mw.Move.parse("open 0,3"))
    assert game.observation.shown[3] == 1
    game.play(mw.Move.parse("open 0,4"))
    agent.decide(game.observation)
    assert agent.learned[-1] == {0, 1, 3, 4}
    agent.decide(row([2, 5]).observation)
    assert agent.learned[-1] == {0, 1}
    assert agent.forgotten == 3


def test_proved_safe_cells_are_opened_with_their_reason() -> None:
    """Proved safe cells are opened in the order in which they were proved."""
    game, agent = row([2]), Prepared(safe=[7, 3])
    agent.start(game.rules.public(), 1)
    decision = agent.decide(game.observation)
    assert decision is not None
    assert (str(decision.move), decision.proved, decision.risk) == ("open 0,7", True, 0.0)
    assert decision.reason.text == "prepared for 7"


def test_a_false_mark_on_a_proved_cell_is_taken_away() -> None:
    """A player's flag on a safe cell is removed before the cell is opened."""
    game, agent = row([2]), Prepared(safe=[7])
    agent.start(game.rules.public(), 1)
    game.play(mw.Move.parse("mark 0,7"))
    moves = []
    for _ in range(2):
        decision = agent.decide(game.observation)
        assert decision is not None
        moves.append(str(decision.move))
        game.play(decision.move)
    assert moves == ["unmark 0,7", "open 0,7"]


@pytest.mark.parametrize(
    ("options", "marks"), [({}, False), ({"goal": "mark"}, True), ({"explosion": "continue"}, True)]
)
def test_mines_are_marked_where_marks_count(options: dict[str, str], marks: bool) -> None:
    """Flags cost moves, so they are placed only if the rules require them."""
    game, agent = row([2], 8, **options), Prepared(mined=[2])
    agent.start(game.rules.public(), 1)
    decision = agent.decide(game.observation)
    assert decision is not None
    assert (decision.move.action is mw.Action.MARK) is marks
    if marks:
        assert (decision.proved, decision.risk) == (True, 1.0)


def test_guesses_avoid_mines_and_marks() -> None:
    """The agent never guesses a proved mine or a flagged cell, even if no other is left."""
    game, agent = row([2, 4], columns=6), Prepared(mined=[2, 4])
    agent.start(game.rules.public(), 1)
    game.play(mw.Move.parse("mark 0,5"))
    for _ in range(20):
        decision = agent.guess(game.observation)
        assert decision is not None
        assert str(decision.move) == "open 0,3" or agent.conclusions == {}
        agent.decide(game.observation)
    game.play(mw.Move.parse("mark 0,3"))
    agent.decide(game.observation)
    assert agent.guess(game.observation) is None


def test_knowledge_and_reasons() -> None:
    """The first conclusion about a cell stays, and exploded mines count as known mines."""
    game = row([2, 4], columns=6, explosion="continue")
    agent = Prepared(safe=[3], mined=[2])
    agent.start(game.rules.public(), 1)
    agent.decide(game.observation)
    assert not agent.conclude(3, True, mw.Reason("too late"))
    known = agent.knowledge()
    assert (known.safe, known.mined) == (frozenset({3}), frozenset({2}))
    found = agent.conclusions.get(3)
    assert found is not None
    assert (found.mined, found.reason.text) == (False, "prepared for 3")
    assert agent.conclusions.get(5) is None
    game.play(mw.Move.parse("open 0,4"))
    assert known_mine(agent, game.observation, 4)
    assert known_mine(agent, game.observation, 2)
    assert not known_mine(agent, game.observation, 3)
