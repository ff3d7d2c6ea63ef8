"""A game that a person plays: moves, undo, clock and timeline. It uses no agent."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from mineproof.core.board import Board
from mineproof.core.errors import IllegalMoveError, InputError
from mineproof.core.game import Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import EXPERT, Rules, StartKind
from mineproof.core.words import counted, share
from mineproof.notation.game_id import GameId, format_game_id, parse_game_id
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import (
    Record,
    Step,
    find_false_proofs,
    format_record,
    make_record,
    parse_record,
    verify,
)
from mineproof.review.metrics import Metrics, measure
from mineproof.session.timeline import Clock, Stopwatch, Timeline


class State(StrEnum):
    """The state of a game."""

    READY = "ready"
    PLAYING = "playing"
    PAUSED = "paused"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


_ENDS = {Result.WIN: State.WON, Result.LOSS: State.LOST, Result.STUCK: State.STUCK}


@plain_form(
    *("offset", "step", "steps", "deaths", "clock_runs"),
    *("hits=observation.hits", "mines_left=observation.mines_left"),
)
class Session:
    """A game that a person plays. Nothing public reveals the mines before the end."""

    def __init__(
        self, rules: Rules = EXPERT, seed: int | None = None, *, now: Clock = time.monotonic
    ) -> None:
        """Set up a new game.

        Args:
            rules: the rules.
            seed: the seed; random by default.
            now: returns the time in seconds, for the clock.
        """
        self._now = now
        self.known_metrics: Metrics | None = None
        """The metrics, if they have been computed since the last change."""
        self._begin(Timeline(rules, _some_seed(seed)))

    # ---- starting a game

    def new(self, rules: Rules | None = None, seed: int | None = None) -> None:
        """Start another game, by default with the same rules."""
        self._begin(Timeline(self.rules if rules is None else rules, _some_seed(seed)))

    def new_from_id(self, text: str) -> None:
        """Start the game with this id.

        Raises:
            NotationError: the text is not a game id.
        """
        self.resume(parse_game_id(text))

    def restart(self) -> None:
        """Restart the same board. If it was dealt around the first cell, that cell stays open."""
        self._begin(self._timeline.restarted())

    def branch(self, step: int, board: Board | None = None) -> Session:
        """Return a new game that continues after the first moves of this one.

        Args:
            step: the number of moves to keep, including the first click.
            board: another board with the same clues after these moves; by default this one.

        Raises:
            IllegalMoveError: there are fewer moves.
            RulesError: the board shows different clues.
        """
        timeline = self._timeline.branch(step, board)
        other = Session(timeline.rules, timeline.seed, now=self._now)
        other._begin(timeline)
        return other

    def load(self, text: str) -> None:
        """Resume a saved game.

        Raises:
            NotationError: the text is not a record, or it does not replay.
        """
        self.resume(parse_record(text))

    def resume(self, given: GameId | Record) -> None:
        """Start the game of an id, or continue the game of a record.

        Raises:
            NotationError: the record does not replay.
        """
        if isinstance(given, Record):
            record = verify(given)
            self._begin(Timeline.from_record(record), record.milliseconds / 1000, record.deaths)
            return
        timeline = Timeline(given.rules, given.seed, given.board)
        if given.first is not None:
            timeline.play(Step(Move(Action.OPEN, given.first)))
        self._begin(timeline)

    def save(self) -> str:
        """Return the game as one line of JSON. It contains the mines."""
        return format_record(self.record())

    # ---- moves

    def open(self, cell: tuple[int, int]) -> None:
        """Open a cell."""
        self.play(Action.OPEN, cell)

    def toggle_mark(self, cell: tuple[int, int]) -> None:
        """Flag a cell, or remove its flag."""
        move = Move(Action.MARK, cell)
        with suppress(InputError):  # `accept` reports cells that are off the board
            if self.observation.is_marked(move.cell):
                move = Move(Action.UNMARK, move.cell)
        self.accept(Step(move))

    def chord(self, cell: tuple[int, int]) -> None:
        """Open all unflagged neighbours of a clue that has the right number of flags."""
        self.play(Action.CHORD, cell)

    def play(self, action: Action, cell: tuple[int, int]) -> None:
        """Make a move.

        Raises:
            IllegalMoveError: the move is not allowed now. Nothing has changed.
        """
        self.accept(Step(Move(action, cell)))

    def accept(self, step: Step) -> None:
        """Make a move that may come from an agent, with its reason.

        Raises:
            IllegalMoveError: the move is not allowed now. Nothing has changed.
        """
        self._check_playing(str(step.move))
        self._timeline.play(replace(step, seconds=round(self.seconds, 3)))
        self._changed()

    def undo(self) -> None:
        """Undo a move, even one that lost the game. Undone explosions are counted as deaths.

        Raises:
            IllegalMoveError: there is no move to undo.
        """
        hits = self._timeline.game.hits
        self._timeline.undo()
        self.deaths += hits - self._timeline.game.hits
        self._changed()

    def redo(self) -> None:
        """Redo an undone move.

        Raises:
            IllegalMoveError: there is no move to redo.
        """
        self._timeline.redo()
        self._changed()

    def stop(self) -> None:
        """Give up."""
        self._timeline.stop()
        self._changed()

    def pause(self, paused: bool = True) -> None:
        """Stop or restart the clock. No moves are possible while it is stopped."""
        self._paused = paused and self.state in (State.PLAYING, State.PAUSED)
        self._run_clock()

    def hold_clock(self, held: bool) -> None:
        """Stop the clock while the player cannot see the game. Moves are still possible."""
        self._held = held
        self._run_clock()

    # ---- the state of the game

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
        """The id of the game; None if it would reveal the mines of a game in progress."""
        game, board = self._timeline.game, self._timeline.board
        if board is not None and not game.is_over:
            return None
        if game.is_over and self.rules.start.has_own_agent:
            board = game.board
        return format_game_id(GameId(self.rules, self.seed, game.first, board))

    @property
    def observation(self) -> Observation:
        """The position that the player sees now."""
        return self._timeline.game.observation

    @property
    def state(self) -> State:
        """The state of the game."""
        if self.outcome is not None:
            return _ENDS[self.outcome.result]
        if self._paused:
            return State.PAUSED
        return State.PLAYING if self._timeline.cursor else State.READY

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None if it is in progress."""
        return self._timeline.game.outcome

    @property
    def board(self) -> Board | None:
        """The board after the end of the game; None before the end."""
        return self._timeline.game.board if self.outcome is not None else None

    @property
    def metrics(self) -> Metrics | None:
        """The metrics of a finished game; None before the end."""
        if self.known_metrics is None and self.board is not None:
            self.known_metrics = measure(self._timeline.game, self.moves)
        return self.known_metrics

    @property
    def is_dealt(self) -> bool:
        """Whether the board has been dealt. Most boards are dealt at the first click."""
        return self._timeline.game.board is not None

    @property
    def first_opened(self) -> Cell | None:
        """The cell of the first move, even if it was undone; None if there is no move."""
        return self._timeline.move_at(1).cell if len(self._timeline) else None

    @property
    def false_proofs(self) -> int:
        """Number of moves that were wrongly called proved; 0 before the end."""
        if self.board is None:
            return 0
        return len(find_false_proofs(self.moves, self.board.mine_indices, self.rules.columns))

    @property
    def moves(self) -> tuple[Step, ...]:
        """The moves after the start, with the player's reasons."""
        return self._timeline.steps[self.offset :]

    @property
    def all_moves(self) -> tuple[Step, ...]:
        """The moves after the start, including undone ones."""
        return self._timeline.all_steps[self.offset :]

    @property
    def last(self) -> Step | None:
        """The last move, which may be the first click."""
        return self._timeline.last

    @property
    def step(self) -> int:
        """Number of moves made, including the first click but not undone moves."""
        return self._timeline.cursor

    @property
    def offset(self) -> int:
        """Number of steps that do not count as moves: 1 after the first click, otherwise 0."""
        return int(self._timeline.game.first is not None)

    @property
    def steps(self) -> int:
        """Number of all moves, including the first click and undone moves."""
        return len(self._timeline)

    @property
    def seconds(self) -> float:
        """The time on the clock."""
        return self._clock.seconds

    @property
    def clock_runs(self) -> bool:
        """Whether the clock is running."""
        return self._clock.running

    def observation_at(self, step: int) -> Observation:
        """Return the position after this many moves, for a replay.

        Raises:
            IllegalMoveError: there are fewer moves.
        """
        return self._timeline.observation_at(step)

    def changes_before(self, step: int) -> tuple[tuple[int, ...], ...]:
        """Return what each move up to a step changed: the opened cells, or `~index` of a flag."""
        return self._timeline.changes_before(step)

    def move_at(self, step: int) -> Move:
        """Return the move that led to a step, counted from 1.

        Raises:
            IllegalMoveError: there are fewer moves.
        """
        return self._timeline.move_at(step)

    def record(self) -> Record:
        """Return a record of the game so far."""
        milliseconds = round(self.seconds * 1000, 3)
        game = self._timeline.game
        return make_record(game, self.moves, milliseconds=milliseconds, deaths=self.deaths)

    # ---- inside

    def _begin(self, timeline: Timeline, seconds: float = 0.0, deaths: int = 0) -> None:
        self._timeline = timeline
        self._clock = Stopwatch(self._now, seconds)
        self._paused = self._held = False
        self.deaths = deaths
        self._changed()

    def _check_playing(self, wanted: str) -> None:
        if self.outcome is not None:
            raise IllegalMoveError(f"cannot play {wanted}: the game is over", code="game-over")
        if self._paused:
            raise IllegalMoveError(f"cannot play {wanted}: the game is paused", code="paused")

    def _changed(self) -> None:
        self.known_metrics = None
        self._run_clock()

    def _run_clock(self) -> None:
        self._clock.run(self.state is State.PLAYING and not self._held)


def _some_seed(seed: int | None) -> int:
    """Return the seed, or a random one that is short to type."""
    return secrets.randbelow(10**9) if seed is None else seed


def state_text(session: Session) -> str:
    """Return the state of a game in words."""
    outcome = session.outcome
    if outcome is None:
        return _progress_text(session)
    words = {"win": "won", "loss": "lost", "stuck": "given up"}[outcome.result.value]
    extras = []
    if outcome.hits > 1 or (outcome.hits and outcome.result.value != "loss"):
        extras.append(f"{outcome.hits} mines exploded")
    if outcome.false_marks:
        extras.append(f"{counted(outcome.false_marks, 'wrong flag')}")
    if session.false_proofs:
        extras.append(f"{counted(session.false_proofs, 'false proof')}")
    if session.rules.public().marks_matter:
        extras.append(f"{share(outcome.score, 0)} of the mines flagged")
    moves = session.step - session.offset
    return f"{words} after {counted(moves, 'move')}" + "".join(f", {extra}" for extra in extras)


def _progress_text(session: Session) -> str:
    left = session.observation.mines_left
    mines = "mines unknown" if left is None else f"{counted(left, 'mine')} left"
    if session.state is State.READY and session.rules.start.kind is not StartKind.GIVEN:
        return f"open a cell to begin, {mines}"
    return f"paused, {mines}" if session.state is State.PAUSED else mines
