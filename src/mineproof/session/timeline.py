"""The moves of a game, with a cursor that undo and redo move back and forth, and its clock.

Undo replays the moves before the cursor. The result is always the same, because the board and
its clues depend only on rules, seed and first cell. Copies of the game are kept now and then, so
that a replay is short even in a long game.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from mineproof.core.board import Board, deal_given, is_dealt
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import IllegalMoveError, RulesError
from mineproof.core.game import Game
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, AROUND_FIRST, OPENING, Rules, Start, StartKind
from mineproof.notation.records import Record, Step

PIECE = 500
"""Number of moves to pickle at a time. Other threads get their turn in between."""
KEPT_WORK = 2_000
"""Keep a copy of the game after this many moves and opened cells (the cost of a replay)."""
Clock = Callable[[], float]
"""Returns the time in seconds."""


class Stopwatch:
    """A stopwatch that can be stopped and restarted."""

    def __init__(self, now: Clock, seconds: float = 0.0) -> None:
        """Start with the clock stopped; `now` returns the time in seconds."""
        self._now = now
        self._before = seconds
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether the stopwatch is running."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """Total running time."""
        return self._before + (0.0 if self._since is None else self._now() - self._since)

    def run(self, running: bool) -> None:
        """Start or stop the stopwatch."""
        if running and self._since is None:
            self._since = self._now()
        elif not running and self._since is not None:
            self._before, self._since = self.seconds, None


class Timeline:
    """All moves of a game, including the first click, and the game at the cursor."""

    def __init__(self, rules: Rules, seed: int, board: Board | None = None) -> None:
        """Start before the first move; `board` replaces the board that would be dealt."""
        self.rules = rules
        self.seed = seed
        self.cursor = 0
        self.stopped = False
        """Whether the player gave up here."""
        self.board = board
        """The board that replaces the dealt one, if any."""
        self._steps: list[Step] = []
        self._changes: list[tuple[int, ...]] = []
        """What each move changed."""
        self._copies: list[tuple[int, Game]] = []
        """Copies of the game, each with its cursor and without its list of moves, in order."""
        self._work = 0
        """Moves and opened cells since the last copy."""
        self.game = Game(rules, seed, None, board)

    @classmethod
    def from_record(cls, record: Record) -> Timeline:
        """Return the timeline of a record, with the cursor after its last move."""
        board = record.begin().board
        if board is not None and is_dealt(board, record.rules, record.seed, record.first):
            board = None
        timeline = cls(record.rules, record.seed, board)
        if record.first is not None:
            timeline.play(Step(Move(Action.OPEN, record.first)))
        for step in record.steps:
            timeline.play(step)
        if record.outcome is not None:
            timeline.stop()
        return timeline

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without anything that can be recomputed."""
        game = _copied(self.game, [])
        starts = range(0, len(self._steps), PIECE)
        pieces = [pickle.dumps(self._steps[start : start + PIECE]) for start in starts]
        return {**vars(self), "game": game, "_copies": [], "_steps": pieces}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the pickled state."""
        vars(self).update(state)
        self._steps = [step for piece in state["_steps"] for step in pickle.loads(piece)]
        self.game.moves = self._moves_of(self.game, self.cursor)

    def __len__(self) -> int:
        """Count all moves, including undone ones."""
        return len(self._steps)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The moves before the cursor."""
        return tuple(self._steps[: self.cursor])

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """All moves, including undone ones."""
        return tuple(self._steps)

    @property
    def last(self) -> Step | None:
        """The move just before the cursor."""
        return self._steps[self.cursor - 1] if self.cursor else None

    @property
    def next(self) -> Step | None:
        """The move that redo would make."""
        return self._steps[self.cursor] if self.cursor < len(self._steps) else None

    def play(self, step: Step) -> None:
        """Make a move. Discard undone moves, unless this move repeats the first of them.

        Raises:
            IllegalMoveError: the game does not allow it now.
        """
        closed = self.game.closed
        change = play_and_report(self.game, step.move)
        if self.next is None or self.next.move != step.move:
            del self._steps[self.cursor :], self._changes[self.cursor :]
            self._copies = [one for one in self._copies if one[0] <= self.cursor]
        self._steps[self.cursor : self.cursor + 1] = [step]
        self._changes[self.cursor : self.cursor + 1] = [change]
        self.cursor += 1
        self._work += 1 + abs(closed - self.game.closed)
        if self._work > KEPT_WORK and (not self._copies or self._copies[-1][0] < self.cursor):
            self._copies.append((self.cursor, _copied(self.game, [])))
            self._work = 0

    def stop(self) -> None:
        """End the game because the player gives up."""
        self.stopped = not self.game.is_over
        self.game.stop()

    def undo(self) -> None:
        """Undo the last move, or resume the game after giving up.

        Raises:
            IllegalMoveError: there is nothing to undo.
        """
        if self.stopped:
            self.game = self._replayed(self.cursor)
            self.stopped = False
            return
        if self.cursor == 0:
            raise IllegalMoveError("there is no move to undo", code="nothing-to-undo")
        self.game = self._replayed(self.cursor - 1)
        self.cursor -= 1

    def redo(self) -> None:
        """Redo the move that was undone last.

        Raises:
            IllegalMoveError: there is no undone move.
        """
        if self.next is None or self.stopped:
            raise IllegalMoveError("there is no move to redo", code="nothing-to-redo")
        self.play(self.next)

    def move_at(self, cursor: int) -> Move:
        """Return the move just before a position of the cursor.

        Raises:
            IllegalMoveError: there is no such move.
        """
        if not 1 <= cursor <= len(self._steps):
            raise IllegalMoveError(f"expected a step from 1 to {len(self._steps)}, got {cursor}")
        return self._steps[cursor - 1].move

    def changes_before(self, cursor: int) -> tuple[tuple[int, ...], ...]:
        """Return what each move before a cursor position changed; see `play_and_report`."""
        return tuple(self._changes[:cursor])

    def observation_at(self, cursor: int) -> Observation:
        """Return the position after this many moves. The cursor does not move.

        Raises:
            IllegalMoveError: there are fewer moves.
        """
        if not 0 <= cursor <= len(self._steps):
            raise IllegalMoveError(f"expected a step from 0 to {len(self._steps)}, got {cursor}")
        return self._replayed(cursor).observation

    def restarted(self) -> Timeline:
        """Return a timeline that restarts the same board.

        If the board was dealt around the first cell, that cell is open again.
        """
        again = Timeline(self.rules, self.seed, self.game.board)
        again.board = self.board
        if self.rules.start.kind in AROUND_FIRST and self._steps:
            again.play(self._steps[0])
        return again

    def branch(self, cursor: int, board: Board | None = None) -> Timeline:
        """Return the moves up to a position of the cursor as a separate game.

        Another board may break a promise of the start rule. So `no-guess` becomes `opening`, and
        cells that were open from the start are opened as moves.

        Raises:
            IllegalMoveError: there are fewer moves.
            RulesError: the other board shows different clues after these moves.
        """
        seen = self.observation_at(cursor)
        if board is None:
            return self._with_steps(Timeline(self.rules, self.seed, self.board), cursor)
        rules = replace(self.rules, start=_unpromised(self.rules.start), mines=len(board.mines))
        other = Timeline(rules, self.seed, board)
        self._open_given(other)
        self._with_steps(other, cursor)
        found = other.game.observation
        if (found.shown, found.marks) != (seen.shown, seen.marks):
            raise RulesError("the board shows different clues after these moves")
        return other

    def _open_given(self, other: Timeline) -> None:
        """Add the cells that the start rule opened as moves."""
        if self.rules.start.kind is not StartKind.GIVEN or self.game.board is None:
            return
        for index in deal_given(self.rules, self.game.board, self.seed):
            if other.game.observation.shown[index] == UNOPENED:
                other.play(Step(Move(Action.OPEN, self.rules.grid.cell(index))))

    def _with_steps(self, other: Timeline, cursor: int) -> Timeline:
        for step in self._steps[:cursor]:
            other.play(step)
        return other

    def _replayed(self, cursor: int) -> Game:
        """Return the game after this many moves, on the same board without dealing it again."""
        done, kept = next((one for one in reversed(self._copies) if one[0] <= cursor), (0, None))
        if kept is None:
            board = self.game.board if cursor and self.cursor else self.board
            game = Game(self.rules, self.seed, None, board)
        else:
            game = _copied(kept, self._moves_of(kept, done))
        for step in self._steps[done:cursor]:
            game.play(step.move)
        return game

    def _moves_of(self, game: Game, cursor: int) -> list[Move]:
        """Return the moves that led to a cursor position. The first click is not included."""
        return [step.move for step in self._steps[int(game.first is not None) : cursor]]


def play_and_report(game: Game, move: Move) -> tuple[int, ...]:
    """Make a move. Return the cells that it opened, in order, or `~index` of a flag."""
    _ = game.observation  # so that the next one lists only the changes of this move
    game.play(move)
    return game.observation.changes or (~game.rules.grid.index(move.cell),)


def past_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return what each move of a game changed."""
    again = Game(game.rules, game.seed, game.first, game.board)
    return tuple(play_and_report(again, move) for move in game.moves)


def _copied(game: Game, moves: list[Move]) -> Game:
    """Return a game that can be played without changing this one."""
    other = copy(game)
    other.moves = moves
    return other


def _unpromised(start: Start) -> Start:
    """Return the start rule for a game on a board that the rule did not deal."""
    return {StartKind.NO_GUESS: OPENING, StartKind.GIVEN: ANY}.get(start.kind, start)
