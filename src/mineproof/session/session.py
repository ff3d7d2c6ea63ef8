"""A game being played: moves, undo, clock and timeline. It asks no agent."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

from mineproof.core.board import Board
from mineproof.core.errors import IllegalMoveError, InputError
from mineproof.core.game import Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import EXPERT, Rules, StartKind
from mineproof.core.words import counted, share
from mineproof.match.play import make_record
from mineproof.notation.game_id import GameId, format_game_id, parse_game_id
from mineproof.notation.records import (
    Record,
    Step,
    find_false_proofs,
    format_record,
    parse_record,
    verify,
)
from mineproof.review.metrics import Metrics, measure
from mineproof.session.timeline import Timeline


class State(StrEnum):
    """Where a game stands."""

    READY = "ready"
    PLAYING = "playing"
    PAUSED = "paused"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


_ENDS = {Result.WIN: State.WON, Result.LOSS: State.LOST, Result.STUCK: State.STUCK}


class Stopwatch:
    """Counts the seconds during which it runs."""

    def __init__(self, now: Callable[[], float], seconds: float = 0.0) -> None:
        """Set up a clock that stands still; `now` gives the time in seconds."""
        self._now = now
        self._before = seconds
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """How long it has run in all."""
        return self._before + (0.0 if self._since is None else self._now() - self._since)

    def run(self, running: bool) -> None:
        """Let it run, or stand still."""
        if running and self._since is None:
            self._since = self._now()
        elif not running and self._since is not None:
            self._before, self._since = self.seconds, None


class Session:
    """A game being played. Nothing in it tells where the mines are before the end."""

    def __init__(
        self,
        rules: Rules = EXPERT,
        seed: int | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up a new game.

        Args:
            rules: the rules.
            seed: which game; a random one by default.
            now: the time in seconds, for the clock.
        """
        self._now = now
        self._metrics: Metrics | None = None
        self._begin(Timeline(rules, _some_seed(seed)))

    # ---- a game begins

    def new(self, rules: Rules | None = None, seed: int | None = None) -> None:
        """Begin another game, with the same rules unless others are given."""
        self._begin(Timeline(self.rules if rules is None else rules, _some_seed(seed)))

    def new_from_id(self, text: str) -> None:
        """Begin the game of an id.

        Raises:
            NotationError: the text is no game id.
        """
        rules, seed, first, board = parse_game_id(text)
        timeline = Timeline(rules, seed, board)
        if first is not None:
            timeline.play(Step(Move(Action.OPEN, first)))
        self._begin(timeline)

    def restart(self) -> None:
        """Begin the same board again; where it was dealt around the first cell, that is open."""
        self._begin(self._timeline.restarted())

    def branch(self, step: int, board: Board | None = None) -> Session:
        """Give a game that goes on after so many moves of this one, with what was known then.

        Args:
            step: how many moves to keep, the first open included.
            board: another board that agrees with what they show; by default the same one.

        Raises:
            IllegalMoveError: there are not so many moves.
            RulesError: the board shows something else.
        """
        timeline = self._timeline.branch(step, board)
        other = Session(timeline.rules, timeline.seed, now=self._now)
        other._begin(timeline)
        return other

    def load(self, text: str) -> None:
        """Go on with a saved game.

        Raises:
            NotationError: the text is no record, or it does not replay.
        """
        record = verify(parse_record(text))
        self._begin(Timeline.from_record(record), record.milliseconds / 1000, record.deaths)

    def save(self) -> str:
        """Give the game as one line of JSON; it holds the mines."""
        return format_record(self.record())

    # ---- what a player does

    def open(self, cell: tuple[int, int]) -> None:
        """Open a cell."""
        self.play(Action.OPEN, cell)

    def toggle_mark(self, cell: tuple[int, int]) -> None:
        """Mark a cell, or take its mark away."""
        move = Move(Action.MARK, cell)
        with suppress(InputError):  # the game says what is wrong with the cell
            if self.observation.is_marked(move.cell):
                move = Move(Action.UNMARK, move.cell)
        self.accept(Step(move))

    def chord(self, cell: tuple[int, int]) -> None:
        """Open all unmarked neighbours of a clue that has its marks."""
        self.play(Action.CHORD, cell)

    def play(self, action: Action, cell: tuple[int, int]) -> None:
        """Make a move.

        Raises:
            IllegalMoveError: it is not possible now; nothing has changed.
        """
        self.accept(Step(Move(action, cell)))

    def accept(self, step: Step) -> None:
        """Make a move that an agent decided elsewhere, with what it said of it.

        Raises:
            IllegalMoveError: it is not possible now; nothing has changed.
        """
        self._check_playing(str(step.move))
        self._timeline.play(step)
        self._changed()

    def undo(self) -> None:
        """Take back a move, also one that lost the game: explosions count as deaths.

        Raises:
            IllegalMoveError: there is none.
        """
        hits = self._timeline.game.hits
        self._timeline.undo()
        self.deaths += hits - self._timeline.game.hits
        self._changed()

    def redo(self) -> None:
        """Make an undone move again.

        Raises:
            IllegalMoveError: nothing was undone.
        """
        self._timeline.redo()
        self._changed()

    def stop(self) -> None:
        """Give up: the game ends as it stands."""
        self._timeline.stop()
        self._changed()

    def pause(self, paused: bool = True) -> None:
        """Stop the clock, or let it run again; meanwhile no moves are possible."""
        self._paused = paused and self.state in (State.PLAYING, State.PAUSED)
        self._clock.run(self.state is State.PLAYING)

    # ---- what can be seen

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._timeline.rules

    @property
    def seed(self) -> int:
        """The seed of the game."""
        return self._timeline.seed

    @property
    def game_id(self) -> str | None:
        """One line that gives the same game again; None if it would tell the mines too soon."""
        game, board = self._timeline.game, self._timeline.board
        if board is not None and not game.is_over:
            return None
        if game.is_over and self.rules.start.has_own_agent:
            board = game.board
        return format_game_id(GameId(self.rules, self.seed, game.first, board))

    @property
    def observation(self) -> Observation:
        """What the player sees now."""
        return self._timeline.game.observation

    @property
    def state(self) -> State:
        """Where the game stands."""
        if self.outcome is not None:
            return _ENDS[self.outcome.result]
        if self._paused:
            return State.PAUSED
        return State.PLAYING if self._timeline.cursor else State.READY

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._timeline.game.outcome

    @property
    def board(self) -> Board | None:
        """The truth, once the game has ended; None before."""
        return self._timeline.game.board if self.outcome is not None else None

    @property
    def metrics(self) -> Metrics | None:
        """The figures of the game, once it has ended; None before."""
        if self.board is None:
            return None
        if self._metrics is None:
            self._metrics = measure(self._timeline.game, self.moves)
        return self._metrics

    @property
    def is_dealt(self) -> bool:
        """Whether the game has a board: most are dealt when the first cell is opened."""
        return self._timeline.game.board is not None

    @property
    def first_opened(self) -> Cell | None:
        """The cell of the first move, also of one that was undone; None if there is none."""
        return self._timeline.move_at(1).cell if len(self._timeline) else None

    @property
    def false_proofs(self) -> int:
        """How many moves their player called proved and were not; 0 before the end."""
        if self.board is None:
            return 0
        return len(find_false_proofs(self.moves, self.board.mine_indices, self.rules.columns))

    @property
    def moves(self) -> tuple[Step, ...]:
        """The moves made after the start, and what their player said of them."""
        return self._timeline.steps[self.offset :]

    @property
    def all_moves(self) -> tuple[Step, ...]:
        """The same with those that were undone."""
        return self._timeline.all_steps[self.offset :]

    @property
    def last(self) -> Step | None:
        """The move made last, the first open included."""
        return self._timeline.last

    @property
    def step(self) -> int:
        """How many moves have been made, the first open included and undone ones not."""
        return self._timeline.cursor

    @property
    def offset(self) -> int:
        """How many steps are no moves: 1 once the first cell is open, 0 where cells are given."""
        return int(self._timeline.game.first is not None)

    @property
    def steps(self) -> int:
        """How many moves the timeline has, undone ones included."""
        return len(self._timeline)

    @property
    def seconds(self) -> float:
        """What the clock shows."""
        return self._clock.seconds

    @property
    def clock_runs(self) -> bool:
        """Whether the clock is running."""
        return self._clock.running

    def observation_at(self, step: int) -> Observation:
        """Give the position after so many moves of the timeline, for a replay.

        Raises:
            IllegalMoveError: there are not so many.
        """
        return self._timeline.observation_at(step)

    def move_at(self, step: int) -> Move:
        """Give the move that led to a step of the timeline, from 1 on.

        Raises:
            IllegalMoveError: there are not so many.
        """
        return self._timeline.move_at(step)

    def record(self) -> Record:
        """Put the game down as it stands."""
        milliseconds = round(self.seconds * 1000, 3)
        game = self._timeline.game
        return make_record(game, self.moves, milliseconds=milliseconds, deaths=self.deaths)

    # ---- inside

    def _begin(self, timeline: Timeline, seconds: float = 0.0, deaths: int = 0) -> None:
        self._timeline = timeline
        self._clock = Stopwatch(self._now, seconds)
        self._paused = False
        self.deaths = deaths
        self._changed()

    def _check_playing(self, wanted: str) -> None:
        if self.outcome is not None:
            raise IllegalMoveError(
                f"expected no more moves, the game has ended: got {wanted}", code="game-over"
            )
        if self._paused:
            raise IllegalMoveError(
                f"expected no moves, the game is paused: got {wanted}", code="paused"
            )

    def _changed(self) -> None:
        self._metrics = None
        self._clock.run(self.state is State.PLAYING)


def _some_seed(seed: int | None) -> int:
    """Give a seed, or a random one that is short to type."""
    return secrets.randbelow(10**9) if seed is None else seed


def state_text(session: Session) -> str:
    """Say in words where the game stands."""
    outcome = session.outcome
    if outcome is None:
        return _going_on(session)
    words = {"win": "won", "loss": "lost", "stuck": "given up"}[outcome.result.value]
    extras = []
    if outcome.hits > 1 or (outcome.hits and outcome.result.value != "loss"):
        extras.append(f"{outcome.hits} mines exploded")
    if outcome.false_marks:
        extras.append(f"{counted(outcome.false_marks, 'false mark')}")
    if session.false_proofs:
        extras.append(f"{counted(session.false_proofs, 'false proof')}")
    if session.rules.public().marks_matter:
        extras.append(f"{share(outcome.score, 0)} of the mines marked")
    moves = session.step - session.offset
    return f"{words} after {counted(moves, 'move')}" + "".join(f", {extra}" for extra in extras)


def _going_on(session: Session) -> str:
    left = session.observation.mines_left
    mines = "mines unknown" if left is None else f"{counted(left, 'mine')} left"
    if session.state is State.READY and session.rules.start.kind is not StartKind.GIVEN:
        return f"open a cell to begin, {mines}"
    return f"paused, {mines}" if session.state is State.PAUSED else mines
