"""Games that continue from any position, on the same board or on a fresh layout."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

import mineproof as mw
from mineproof.advice import draw_layout
from mineproof.core.board import Board
from mineproof.core.errors import IllegalMoveError, InputError, RulesError
from mineproof.core.rules import NO_GUESS, OPENING, Rules, Start, with_options
from mineproof.notation.records import Step
from mineproof.session import Session


def played(
    rules: Rules, seed: int, moves: int, now: Callable[[], float] = time.monotonic
) -> Session:
    """Return a game whose first moves an agent has played."""
    session, agent = Session(rules, seed, now=now), mw.make_agent("exact")
    agent.start(rules.public(), 0)
    if rules.first_cell is not None:
        session.open(rules.first_cell)
    while session.outcome is None and len(session.moves) < moves:
        decision = agent.decide(session.observation)
        assert decision is not None
        session.accept(Step(decision.move, decision.proved))
    return session


def fresh_board(session: Session, step: int, seed: int) -> Board:
    """Draw a board that fits the position after a step."""
    rules = session.rules
    layout = draw_layout(session.observation_at(step), seed)
    return Board(rules.rows, rules.columns, layout)


@pytest.mark.parametrize("start", ["any", "safe", "opening", "no-guess", "given:1"])
@pytest.mark.parametrize("clues", ["exact", "withheld:0.7"])
def test_a_fresh_layout_shows_the_same(start: str, clues: str) -> None:
    """A game on a fresh layout has the same open cells and flags. Its moves can be undone."""
    if (start, clues) == ("no-guess", "withheld:0.7"):
        return
    rules = with_options(mw.INTERMEDIATE, start=start, clues=clues)
    session = played(rules, 4, 6)
    step, boards = min(4, session.steps), set()
    seen = session.observation_at(step)
    for seed in range(4):
        board = fresh_board(session, step, seed)
        other = session.branch(step, board)
        assert other.observation.shown == seen.shown
        assert other.rules.start.kind not in (NO_GUESS.kind, Start.parse("given").kind)
        boards.add(board)
        other.load(other.save())
        other.undo()
    assert len(boards) > 1


def test_fresh_layouts_are_as_likely_as_they_are() -> None:
    """All layouts of a small position are equally likely."""
    position = mw.parse_position("4x1x2\n.1..\n")
    found = Counter(draw_layout(position, seed) for seed in range(600))
    assert set(found) == {bytes((1, 0, 0, 1)), bytes((0, 0, 1, 1))}
    assert 240 < found[bytes((1, 0, 0, 1))] < 360


def test_the_same_board_goes_on_from_an_earlier_step() -> None:
    """Continuing from an earlier step starts a separate game with the same board and id."""
    passed = [0.0]
    session = played(replace(mw.BEGINNER, start=OPENING), 1, 5, lambda: passed[0])
    passed[0] = 7.0
    identity, before = session.game_id, session.observation_at(3)
    other = session.branch(3)
    assert (other.step, other.steps, other.game_id) == (3, 3, identity)
    assert other.observation.shown == before.shown
    assert (session.seconds, other.deaths, other.seconds) == (7, 0, 0)
    assert session.step > 3


def test_what_cannot_be_gone_on_from_is_refused() -> None:
    """Steps that do not exist, boards that do not fit, and unreliable clues are rejected."""
    session = played(replace(mw.BEGINNER, start=OPENING), 1, 5)
    with pytest.raises(IllegalMoveError, match="expected a step"):
        session.branch(99)
    other = mw.deal(session.rules, 2, session.rules.first_cell)
    with pytest.raises((RulesError, IllegalMoveError)):
        session.branch(3, other)
    noisy = with_options(mw.BEGINNER, clues="cautious")
    with pytest.raises(InputError, match="a fresh layout needs clues"):
        draw_layout(mw.Game(noisy, 1, (0, 0)).observation, 1)
