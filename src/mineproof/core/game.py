"""Games of Minesweeper. Only `play`, `stop` and `undo` change a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import compress
from operator import gt
from typing import Self

from mineproof.core.board import Board, check_start, deal, deal_given
from mineproof.core.board_text import HasPicture, board_text
from mineproof.core.clues import EXACT, EXPLODED, UNOPENED
from mineproof.core.errors import IllegalMoveError, InputError, RulesError, wrong_type
from mineproof.core.grid import Cell, as_cell, row_and_column
from mineproof.core.move import Action, Move, as_move
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_GAME_SEED, check_seed
from mineproof.core.rules import Explosion, Goal, Rules, StartKind, as_rules
from mineproof.core.words import counted

SEARCHED_CELLS = 1_000
"""A flood of up to this many cells opens them one by one. A larger flood opens all its cells at
once, in row order."""
_IS_UNOPENED = bytes(code == UNOPENED for code in range(256))
_IS_ZERO = bytes(code == 0 for code in range(256))


class Result(StrEnum):
    """The ways a game can end."""

    WIN = "win"
    LOSS = "loss"
    STUCK = "stuck"
    FAILED = "failed"
    """The agent broke its contract or exceeded a limit. Only batches of games have this result."""
    REFUSED = "refused"
    """The engine does not play these rules. Only batches of games have this result."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game."""

    result: Result
    hits: int
    """The number of mines that exploded."""
    false_marks: int
    """The number of flagged cells that are not mines."""
    score: float
    """The share of the mines that are flagged correctly; 1 if there are no mines."""


class Game(HasPicture):
    """A game in progress.

    The board is dealt immediately under `given`, otherwise when the first cell is opened. Opening
    the first cell does not count as a move. The attributes are `rules`, `seed`, `first`, `moves`,
    `outcome`, `hits` and `closed`.
    """

    def __init__(
        self,
        rules: Rules | str,
        seed: int = 0,
        first: tuple[int, int] | None = None,
        board: Board | None = None,
    ) -> None:
        """Start a game, and open the cell `first` if it is passed.

        Args:
            rules: the rules, a level's name, or `ROWSxCOLUMNS/MINES`.
            seed: determines the board, the given cells and what unreliable clues show.
            first: the cell to open first (not under `given`).
            board: a board to use instead of dealing one.
        """
        rules = as_rules(rules)
        self.rules: Rules = rules
        self.seed: int = check_seed(seed, MAX_GAME_SEED)
        self.first: Cell | None = None
        """The cell that was opened first; None before that, and under `given`."""
        self.moves: list[Move] = []
        """All moves so far, without the first cell."""
        self.outcome: Outcome | None = None
        """The result; None while the game is in progress."""
        self.hits: int = 0
        """The number of mines that exploded."""
        self._public = rules.public()
        self._board = self._passed = board
        self._shown = bytearray([UNOPENED]) * (rules.rows * rules.columns)
        self._marks = bytearray(len(self._shown))
        self.closed: int = len(self._shown)
        """The number of cells that are neither open nor flagged."""
        self._safe_left = len(self._shown) - rules.mines
        self._true_marks = self._marked = 0
        self._changes: list[int] = []
        self._marks_changed = False
        self._seen: Observation | None = None
        check_start(rules.start)
        self._check_board(board)
        self._begin(first)

    def _check_board(self, board: Board | None) -> None:
        wanted = (self.rules.rows, self.rules.columns, self.rules.mines)
        if not isinstance(board, Board | None):
            raise wrong_type("a Board", board)
        if board and (found := (board.rows, board.columns, len(board.mine_indices))) != wanted:
            raise RulesError(f"expected a board with (rows, columns, mines) {wanted}, got {found}")

    def _begin(self, first: tuple[int, int] | None) -> None:
        given = self.rules.start.kind is StartKind.GIVEN
        if given and first is not None:
            raise RulesError(f"expected no first cell with start given:K, got {as_cell(first)}")
        if given:
            self._board = self._board or deal(self.rules, self.seed)
            self._open(deal_given(self.rules, self._board, self.seed))
            self._judge()
        elif first is not None:
            self._open_first(as_cell(first))

    @property
    def has_started(self) -> bool:
        """Whether the first cell or the given cells are open."""
        return self.first is not None or self.rules.start.kind is StartKind.GIVEN

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def board(self) -> Board | None:
        """The board with its mines; None before it is dealt."""
        return self._board

    def copy(self) -> Self:
        """Return an independent copy of the game."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._shown, other._marks = self._shown[:], self._marks[:]
        other.moves, other._changes = self.moves[:], self._changes[:]
        return other

    __copy__ = copy

    @property
    def legal_moves(self) -> list[Move]:
        """All moves that `play` accepts now, in row order."""
        if self.outcome is not None:
            return []
        cells = enumerate(self.rules.grid.cells())
        return [Move(action, cell) for index, cell in cells for action in self._actions(index)]

    def _actions(self, index: int) -> tuple[Action, ...]:
        """Return what a player may do with a cell."""
        if not self.has_started:
            return (Action.OPEN,) if self._may_start(self._board, index) else ()
        if self._shown[index] == UNOPENED:
            return (Action.UNMARK,) if self._marks[index] else (Action.OPEN, Action.MARK)
        try:
            self._chord_targets(index)
        except IllegalMoveError:
            return ()
        return (Action.CHORD,)

    def undo(self) -> Move:
        """Take back the last move and return it. Without moves, close the first cell again.

        Raises:
            IllegalMoveError: there is nothing to undo.
        """
        if not self.moves and self.first is None:
            raise IllegalMoveError("there is no move to undo", code="nothing-to-undo")
        if self.moves:
            kept, undone = (self.first, self._board), self.moves[-1]
        else:  # the next first cell deals a new board, unless the caller passed one
            kept, undone = (None, self._passed), Move(Action.OPEN, self.first or (0, 0))
        before = type(self)(self.rules, self.seed, *kept)
        for move in self.moves[:-1]:
            before.play(move)
        vars(self).update(vars(before), _passed=self._passed)
        return undone

    @property
    def observation(self) -> Observation:
        """The position as the player sees it; the same object until something changes."""
        seen = self._seen
        if seen is None or self._changes or self._marks_changed:
            self._seen = Observation(
                self._public,
                bytes(self._shown),
                bytes(self._marks),
                tuple(self._changes),
                None if seen is None else seen.serial,
            )
            self._changes, self._marks_changed = [], False
            return self._seen
        return seen

    def play(self, move: Move | str) -> None:
        """Make a move, given as a `Move` or as text such as `open 3,4`.

        Raises:
            TypeError: the move is of another type.
            NotationError: the text is not a move.
            IllegalMoveError: the move is not possible now. The game is unchanged.
        """
        move = as_move(move)
        if self.outcome is not None:
            raise IllegalMoveError(f"the game is over: cannot {move}", code="game-over")
        try:
            index = self.rules.grid.index(move.cell)
        except InputError as error:
            raise IllegalMoveError(str(error), code=error.code) from None
        if not self.has_started:
            self._play_first(move)
            return
        if move.action is Action.OPEN:
            self._play_open(index)
        elif move.action is Action.CHORD:
            self._open(self._chord_targets(index))
        else:
            self._play_mark(index, move.action)
        self.moves.append(move)
        self._judge()

    def open(self, row: int | tuple[int, int], column: int | None = None) -> None:
        """Make the move that opens a cell, given as `open(3, 4)` or `open(cell)`."""
        self.play(Move(Action.OPEN, row_and_column(row, column)))

    def mark(self, row: int | tuple[int, int], column: int | None = None) -> None:
        """Make the move that flags a cell."""
        self.play(Move(Action.MARK, row_and_column(row, column)))

    def unmark(self, row: int | tuple[int, int], column: int | None = None) -> None:
        """Make the move that removes the flag from a cell."""
        self.play(Move(Action.UNMARK, row_and_column(row, column)))

    def chord(self, row: int | tuple[int, int], column: int | None = None) -> None:
        """Make the move that opens the other neighbours of a clue whose flags are all placed."""
        self.play(Move(Action.CHORD, row_and_column(row, column)))

    def stop(self) -> None:
        """End the game early.

        It is lost after a hit, won if the goal is reached, and otherwise stuck. Under `continue`,
        a player may stop when nothing is left to do.
        """
        if self.outcome is not None:
            return
        ended = Result.WIN if self._goal_reached() else Result.STUCK
        self._finish(Result.LOSS if self.hits else ended)

    def _play_first(self, move: Move) -> None:
        if move.action is not Action.OPEN:
            text = f"the first move must open a cell, got {move}"
            raise IllegalMoveError(text, code="open-first")
        try:
            self._open_first(move.cell)
        except RulesError as error:  # a board passed by the caller has a mine there
            raise IllegalMoveError(str(error)) from None

    def _open_first(self, cell: Cell) -> None:
        index = self.rules.grid.index(cell)
        board = self._board or deal(self.rules, self.seed, cell)
        if not self._may_start(board, index):
            raise RulesError(f"expected a first cell without a mine, but {cell} is a mine")
        self._board = board
        self.first = cell
        self._open((index,))
        self._judge()

    def _may_start(self, board: Board | None, index: int) -> bool:
        return board is None or not board.mined[index] or self.rules.start.kind is StartKind.ANY

    def _play_open(self, index: int) -> None:
        cell = self.rules.grid.cell(index)
        if self._shown[index] != UNOPENED:
            raise IllegalMoveError(f"cell {cell} is already open", code="already-open")
        if self._marks[index]:
            raise IllegalMoveError(f"cell {cell} is flagged. Remove the flag first", code="marked")
        self._open((index,))

    def _chord_targets(self, index: int) -> list[int]:
        """Return the cells that a chord opens, or raise an error if it is not possible."""
        cell = self.rules.grid.cell(index)
        clue = self._shown[index]
        if clue >= UNOPENED:
            text = f"cannot chord {cell}: it shows no clue"
            raise IllegalMoveError(text, code="chord-needs-clue")
        near = self.rules.grid.neighbours(index)
        known = sum(1 for other in near if self._marks[other] or self._shown[other] == EXPLODED)
        if known != clue:
            text = f"cannot chord {cell}: expected {counted(clue, 'flag')} next to it, got {known}"
            raise IllegalMoveError(text, code="wrong-marks", wanted=clue, found=known)
        targets = [
            other for other in near if self._shown[other] == UNOPENED and not self._marks[other]
        ]
        if targets:
            return targets
        text = f"cannot chord {cell}: no neighbour is left to open"
        raise IllegalMoveError(text, code="nothing-to-chord")

    def _play_mark(self, index: int, action: Action) -> None:
        cell = self.rules.grid.cell(index)
        if self._shown[index] != UNOPENED:
            raise IllegalMoveError(f"cannot {action} {cell}: it is open", code="cannot-mark")
        marking = action is Action.MARK
        if bool(self._marks[index]) is marking:
            flagged = "already flagged" if marking else "not flagged"
            raise IllegalMoveError(f"cannot {action} {cell}: it is {flagged}")
        assert self._board is not None
        self._marks[index] = marking
        self._marks_changed = True
        self._marked += (step := 1 if marking else -1)
        self.closed -= step
        self._true_marks += step * self._board.mined[index]

    def _open(self, indices: tuple[int, ...] | list[int]) -> None:
        """Open cells, and flood from those that show 0. Flagged cells stay unopened."""
        assert self._board is not None
        board, shown, marks, changes = self._board, self._shown, self._marks, self._changes
        mined, clues, neighbours = board.mined, board.clues, self.rules.grid.neighbours
        model, seed = self.rules.clues, self.seed
        floods = self.rules.flood and model.floods
        exact = model == EXACT
        before = len(changes)
        most = before + SEARCHED_CELLS if exact and floods else len(shown) + before
        pending = list(indices)
        while pending:
            if len(changes) > most:
                self._open_at_once(board, pending)
                break
            index = pending.pop()
            if shown[index] != UNOPENED:
                continue
            changes.append(index)
            if mined[index]:
                shown[index] = EXPLODED
                self.hits += 1
                continue
            truth = clues[index]
            code = truth if exact else model.show(seed, index, truth, len(neighbours(index)))
            shown[index] = code
            self._safe_left -= 1
            if code == 0 and floods:
                pending.extend(
                    [i for i in neighbours(index) if shown[i] == UNOPENED and not marks[i]]
                )
        self.closed -= len(changes) - before

    def _open_at_once(self, board: Board, roots: list[int]) -> None:
        """Open all cells of a large flood, in row order."""
        closed = bytes(map(gt, self._shown.translate(_IS_UNOPENED), self._marks))
        zeros = bytes(map(gt, board.clues.translate(_IS_ZERO), board.mined))
        opened = self.rules.grid.flood(closed, zeros, roots)
        changes = list(compress(range(len(opened)), opened))
        hits = {index for index in roots if board.mined[index] and opened[index]}
        mask = int.from_bytes(opened, "big") * 255
        clues, shown = (int.from_bytes(cells, "big") for cells in (board.clues, self._shown))
        self._shown[:] = (clues & mask | shown & ~mask).to_bytes(len(opened), "big")
        for index in hits:
            self._shown[index] = EXPLODED
        self._changes += changes
        self.hits += len(hits)
        self._safe_left -= len(changes) - len(hits)

    def _goal_reached(self) -> bool:
        """Return whether all safe cells are open and, for the goal `mark`, all mines flagged."""
        if self._safe_left:
            return False
        return self.rules.goal is Goal.OPEN or self._true_marks == self.rules.mines

    def _judge(self) -> None:
        if self.rules.explosion is Explosion.LOSE:
            if self.hits:
                self._finish(Result.LOSS)
            elif self._goal_reached():
                self._finish(Result.WIN)
        elif self.closed == 0:
            won = self.hits == 0 and self._marked == self._true_marks
            self._finish(Result.WIN if won else Result.LOSS)

    def _finish(self, result: Result) -> None:
        score = self._true_marks / self.rules.mines if self.rules.mines else 1.0
        self.outcome = Outcome(result, self.hits, self._marked - self._true_marks, score)

    def __repr__(self) -> str:
        return f"<Game {self.rules.level}, seed {self.seed}, {self._state()}>"

    def __str__(self) -> str:
        """Return the board as text, with its mines once the game is over."""
        truth = self._board if self.is_over else None
        picture = board_text(self.rules.grid, self._shown, self._marks, truth)
        return f"{picture}\n{self.rules.level}, seed {self.seed}, {self._state()}"

    def _state(self) -> str:
        if self.outcome is not None:
            return {"win": "won", "loss": "lost"}.get(self.outcome.result, "stuck")
        return "in progress" if self.has_started else "not started"
