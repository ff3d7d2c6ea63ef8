"""Sessions: moves, undo and deaths, the clock, saving, and views."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules, seeds

import mineproof as mw
from mineproof import advice
from mineproof.core.board import Board
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules, with_options
from mineproof.match.play import step_of
from mineproof.notation.records import Record, format_record
from mineproof.service.page_game import view
from mineproof.session import Session, State


class Time:
    """A clock that a test advances by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def session(level: str = "beginner", seed: int = 7, **given_: Any) -> Session:
    return Session(Rules.parse(level), seed, **given_)


def agent_move(found: Session) -> None:
    """Make an agent's move, as a front end does."""
    agent = mw.make_agent("basic")
    agent.start(found.rules.public(), found.seed)
    decision = advice.decide(found.observation, agent)
    if decision is None:
        raise mw.IllegalMoveError("the agent is stuck")
    found.accept(step_of(decision))


def from_board(columns: int, mines: list[int], opened: tuple[int, int], **options: Any) -> Session:
    """Start a game on a given board of one row, with its first cell open."""
    setting = with_options(Rules(1, columns, len(mines)), **options)
    record = Record(setting, 0, mw.Cell(*opened), tuple(mines), (), None)
    found = session(now=Time())
    found.load(format_record(record))
    return found


def act_at_random(found: Session, chooser: random.Random) -> None:
    """Make a random move, legal or not."""
    cell = found.rules.grid.cell(chooser.randrange(found.rules.grid.size))
    act: Callable[[], object] = chooser.choice(
        [
            lambda: found.open(cell),
            lambda: found.open(cell),
            lambda: found.toggle_mark(cell),
            lambda: found.chord(cell),
            found.undo,
            found.redo,
            lambda: agent_move(found),
        ]
    )
    try:
        act()
    except mw.IllegalMoveError:
        return


def test_a_person_plays() -> None:
    """Opening, flagging, removing a flag and chording are moves."""
    found = from_board(6, [2], (0, 1))
    assert found.state is State.PLAYING
    found.play(mw.Action.MARK, (0, 2))
    assert found.observation.is_marked((0, 2))
    found.play(mw.Action.UNMARK, (0, 2))
    found.toggle_mark((0, 2))
    found.toggle_mark((0, 2))
    assert not found.observation.is_marked((0, 2))
    found.toggle_mark((0, 2))
    found.chord((0, 1))
    found.open((0, 5))
    assert str(found.state) == "won"
    assert [step.move.action.value for step in found.moves] == (
        ["mark", "unmark", "mark", "unmark", "mark", "chord", "open"]
    )


def test_new_games() -> None:
    """A new game has a new seed and the same rules, unless others are passed."""
    found = Session(mw.BEGINNER)
    first = found.seed
    found.new()
    assert found.seed != first
    assert found.rules == mw.BEGINNER
    found.new(mw.EASY, seed=3)
    assert (found.rules, found.seed, found.state) == (mw.EASY, 3, State.READY)


def test_a_game_id_gives_the_same_game() -> None:
    """The id of a started game starts the same game again."""
    found = session()
    found.open((4, 4))
    other = session("expert")
    other.new_from_id(found.game_id or "")
    assert other.observation == found.observation
    assert other.game_id == found.game_id
    with pytest.raises(mw.NotationError):
        other.new_from_id("hello")
    assert other.observation == found.observation


@pytest.mark.parametrize(
    ("start", "kept"), [("safe", 1), ("opening", 1), ("any", 0), ("given:1", 0)]
)
def test_restart_is_the_same_board(start: str, kept: int) -> None:
    """After a restart, the first cell is open if the board was dealt around it."""
    setting = with_options(mw.BEGINNER, start=start, explosion="continue")
    found = Session(setting, 7)
    while found.outcome is None:
        agent_move(found)
    ended, board = found.observation, found.board
    found.restart()
    assert (found.step, found.deaths, found.board) == (kept, 0, None)
    while found.outcome is None:
        agent_move(found)
    assert (found.observation, found.board) == (ended, board)


@pytest.mark.parametrize("cell", [(9, 0), (0, -1), (-1, 3)])
def test_cells_off_the_board(cell: tuple[int, int]) -> None:
    found = session()
    for command in (found.open, found.toggle_mark, found.chord):
        with pytest.raises(mw.IllegalMoveError, match="expected a cell on the 9x9 board"):
            command(cell)


def test_undo_after_an_explosion_counts_a_death() -> None:
    """A lost game continues after undo, and each death is counted."""
    found = from_board(6, [2], (0, 1))
    for deaths in (1, 2):
        found.open((0, 2))
        assert found.state is State.LOST
        found.undo()
        assert (found.state, found.deaths) == (State.PLAYING, deaths)
    found.open((0, 5))
    found.undo()
    assert found.deaths == 2


def test_undo_counts_hits_where_play_goes_on() -> None:
    """Under `continue`, each undone explosion counts as a death although the game was not over."""
    found = from_board(6, [2, 4], (0, 0), explosion="continue")
    found.open((0, 2))
    assert (found.state, found.observation.hits) == (State.PLAYING, 1)
    found.undo()
    assert (found.deaths, found.observation.hits) == (1, 0)


def test_redo_ends_with_another_move() -> None:
    found = from_board(8, [4], (0, 3))
    found.open((0, 0))
    found.play(mw.Action.MARK, (0, 7))
    found.undo()
    found.undo()
    assert (found.step, found.steps) == (1, 3)
    found.open((0, 0))
    assert (found.step, found.steps) == (2, 3)
    found.redo()
    assert found.observation.is_marked((0, 7))
    found.undo()
    found.play(mw.Action.MARK, (0, 6))
    assert (found.step, found.steps) == (3, 3)
    with pytest.raises(mw.IllegalMoveError, match="no move to redo"):
        found.redo()


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    """Even the first click can be undone."""
    found = session()
    found.open((4, 4))
    found.undo()
    assert found.state is State.READY
    with pytest.raises(mw.IllegalMoveError, match="no move to undo"):
        found.undo()
    found.redo()
    assert found.last is not None
    assert found.last.move == mw.Move.parse("open 4,4")


def test_giving_up_can_be_undone() -> None:
    """Undo after giving up resumes the game and undoes no move."""
    found = session()
    found.open((4, 4))
    before = found.observation
    found.stop()
    assert found.state is State.STUCK
    with pytest.raises(mw.IllegalMoveError, match="the game is over"):
        found.open((0, 0))
    found.undo()
    assert (found.state, found.observation) == (State.PLAYING, before)


@given(rules(max_side=5), seeds(), st.randoms(use_true_random=False))
def test_undo_restores_every_position(setting: Rules, seed: int, chooser: random.Random) -> None:
    """In any game, undo returns to each earlier position and redo to each later one."""
    found = Session(setting, seed)
    for _ in range(12):
        act_at_random(found, chooser)
    seen = {found.step: found.observation}
    while found.step:
        found.undo()
        seen[found.step] = found.observation
    for step in range(1, found.steps + 1):
        found.redo()
        if step in seen:
            assert found.observation == seen[step]
        assert found.observation_at(step) == found.observation
    for step, observation in seen.items():
        assert found.observation_at(step) == observation


@given(rules(max_side=5), seeds(), st.randoms(use_true_random=False))
def test_undo_from_copies_is_undo_by_replay(
    setting: Rules, seed: int, chooser: random.Random
) -> None:
    """With a copy of the game after each move, every position and the figures stay the same."""
    found = Session(setting, seed, now=Time())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mineproof.session.timeline.KEPT_WORK", 0)
        for _ in range(16):
            act_at_random(found, chooser)
        found.stop()
    replayed = Session(setting, seed, now=Time())
    replayed.load(found.save())
    assert replayed.metrics == found.metrics
    for step in range(found.step + 1):
        assert replayed.observation_at(step) == found.observation_at(step)


@given(rules(max_side=5), seeds(), st.randoms(use_true_random=False))
def test_saving_loses_nothing(setting: Rules, seed: int, chooser: random.Random) -> None:
    """A saved game, finished or not, continues exactly where it was."""
    found = Session(setting, seed, now=Time())
    for _ in range(chooser.randrange(10)):
        act_at_random(found, chooser)
    other = Session(mw.EXPERT, 1, now=Time())
    other.load(found.save())
    for name in ("rules", "seed", "state", "outcome", "moves", "deaths", "step", "metrics"):
        assert getattr(other, name) == getattr(found, name), name
    assert other.observation == found.observation
    assert other.save() == found.save()


@given(rules(max_side=5), seeds(), st.randoms(use_true_random=False))
def test_the_view_is_plain_and_hides_the_mines(
    setting: Rules, seed: int, chooser: random.Random
) -> None:
    """A view is plain JSON."""
    found = Session(setting, seed, now=Time())
    for _ in range(chooser.randrange(12)):
        act_at_random(found, chooser)
        shown = view(found)
        assert json.loads(json.dumps(shown)) == shown
        over = found.outcome is not None
        assert (shown["end"] is not None) is over
        assert (found.board is not None) is over
        assert (found.metrics is not None) is over
        if over and found.board is not None:
            assert shown["end"]["mines"] == list(found.board.mine_indices)


def test_views_of_boards_that_look_alike_are_equal() -> None:
    """Before the end, nothing in a view depends on the hidden mines."""
    one, other = (from_board(6, mines, (0, 0)) for mines in ([2, 4], [2, 5]))
    assert one.observation == other.observation
    assert view(one) == view(other)
    assert one.game_id is None


def test_a_view_in_full() -> None:
    time = Time()
    found = Session(Rules(1, 4, 1), 5, now=time)
    found.open((0, 0))
    time.now += 2
    shown = view(found)
    assert shown["id"] == "1x4/1:s5:f0,0"
    assert (shown["seed"], shown["state"], shown["level"]) == ("5", "playing", "")
    assert shown["rules"]["columns"] == 4
    assert (shown["seconds"], shown["clock_runs"]) == (2.0, True)
    assert (shown["step"], shown["steps"], shown["moves"], shown["deaths"], shown["hits"]) == (
        1,
        1,
        0,
        0,
        0,
    )
    assert shown["last"] == {
        "action": "open",
        "cell": [0, 0],
        "proved": None,
        "risk": None,
        "reason": "",
    }
    assert shown["text"] == "1 mine left"
    assert shown["end"] is None


@pytest.mark.parametrize(
    ("mines", "options", "moves", "text"),
    [
        ([2], {}, ["open 0,2"], "lost after 1 move"),
        ([2], {}, ["mark 0,4", "open 0,2"], "lost after 2 moves, 1 wrong flag"),
        ([2], {}, ["open 0,5"], "won after 1 move"),
        (
            [2],
            {"goal": "mark"},
            ["open 0,5", "mark 0,2"],
            "won after 2 moves, 100\u00a0% of the mines flagged",
        ),
        ([2], {"mine_count": "unknown"}, [], "mines unknown"),
        ([2], {}, ["mark 0,2"], "0 mines left"),
    ],
)
def test_the_state_in_words(
    mines: list[int], options: dict[str, Any], moves: list[str], text: str
) -> None:
    found = from_board(6, mines, (0, 0), **options)
    for move in map(mw.Move.parse, moves):
        found.play(move.action, move.cell)
    assert view(found)["text"] == text


def test_metrics_at_the_end_only() -> None:
    """Metrics reveal mines, so they are available only at the end."""
    found = from_board(6, [2], (0, 0))
    assert found.metrics is None
    found.open((0, 5))
    assert found.metrics is not None
    assert (found.metrics.bbbv, found.metrics.clicks, found.metrics.guesses) == (2, 2, None)
    found.undo()
    assert found.metrics is None


def test_loading_refuses_what_does_not_replay() -> None:
    """A record with an illegal move is rejected, and the current game is kept."""
    found = from_board(6, [2], (0, 0))
    before = found.observation
    record = json.loads(found.save())
    record["steps"] = [{"move": "open 0,0"}]
    for text in (json.dumps(record), "", "[]", "hello"):
        with pytest.raises(mw.NotationError):
            found.load(text)
    assert found.observation == before


def test_replay_refuses_steps_that_are_not_there() -> None:
    found = session()
    for step in (-1, 1):
        with pytest.raises(mw.IllegalMoveError, match="expected a step from 0 to 0"):
            found.observation_at(step)


def test_replay_leaves_the_game_alone() -> None:
    """Looking at earlier positions changes nothing."""
    found = session()
    while found.outcome is None:
        agent_move(found)
    now = found.observation
    steps = list(range(found.steps + 1))
    forwards = [found.observation_at(step) for step in steps]
    backwards = [found.observation_at(step) for step in reversed(steps)]
    assert forwards == backwards[::-1]
    assert found.observation is now
    assert forwards[0].shown.count(9) == 81
    assert forwards[-1] == now
    assert all(isinstance(seen, Observation) for seen in forwards)


def test_a_board_of_ones_own_is_kept() -> None:
    """A board that no seed deals is kept after undo and restart."""
    found = from_board(6, [3], (0, 0))
    found.undo()
    found.redo()
    found.restart()
    found.stop()
    assert found.board == Board.from_mines(1, 6, [3])
    assert found.game_id == "1x6/1:s0:f0,0:mEA"


def test_undo_is_as_quick_in_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo replays only a few moves from a stored copy of the game, with the same result."""
    found = Session(with_options(Rules(9, 9, 10), start="opening"), 7)
    monkeypatch.setattr("mineproof.session.timeline.KEPT_WORK", 3)
    found.open((4, 4))
    seen = [found.observation]
    for number in range(40):
        found.toggle_mark(found.rules.grid.cell(seen[0].unopened[number % 5]))
        seen.append(found.observation)
    played: list[str] = []
    monkeypatch.setattr(Game, "play", lambda *_: played.append("play"))
    found.observation_at(30)
    assert len(played) < 5
    monkeypatch.undo()
    assert [found.observation_at(step + 1) for step in range(41)] == seen
    for _ in range(20):
        found.undo()
    assert found.observation == seen[20]
    assert len(found.record().steps) == 20
    found.toggle_mark((0, 0) if not seen[20].is_marked((0, 0)) else (0, 1))
    found.undo()
    found.undo()
    assert found.observation == seen[19]
    assert [found.observation_at(step + 1) for step in range(20)] == seen[:20]
