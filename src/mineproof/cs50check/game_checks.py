"""Checks that play whole games, as `runner.py` does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from mineproof.cs50check.case import Case, ContractError, NotTriedError, TooSlowError, show
from mineproof.cs50check.checks import Check
from mineproof.cs50check.position_checks import LEARN, SmallPosition, random_position

GAMES = 12
MOST_LINES = 2000
MOST_SECONDS = 8.0


def _small_games(case: Case) -> None:
    for seed in range(GAMES):
        try:
            for _ in _moves(case, _board(8, 8, 8, seed)):
                pass
        except ContractError as error:
            why = error.why or f"This happened in game {seed + 1} of 8x8 with 8 mines."
            raise ContractError(error.expected, error.got, why) from error


def _prints_little(case: Case) -> None:
    before = case.lines
    for _ in _moves_or_not_tried(case, _board(8, 8, 8, 99)):
        lines = case.lines - before
        if lines > MOST_LINES:
            raise ContractError(
                f"at most {MOST_LINES} lines of output per game",
                f"{lines} lines so far",
                "Printing takes more time than the reasoning. Remove your debugging output.",
            )


def _large_game(case: Case) -> None:
    try:
        for _ in _moves_or_not_tried(case, _board(16, 30, 99, 7)):
            if case.seconds > MOST_SECONDS:
                raise TooSlowError("", "")
    except TooSlowError:
        raise ContractError(
            f"a 16x30 game with 99 mines in {MOST_SECONDS:.0f} seconds",
            f"{len(case.peek('ai.knowledge'))} sentences, and the game is not over yet",
            "Compare only sentences that share cells, and keep each sentence once.",
        ) from None


def _moves_or_not_tried(case: Case, board: SmallPosition) -> Iterator[None]:
    """Play a game, and stop if a move is wrong, because other checks report that."""
    try:
        yield from _moves(case, board)
    except TooSlowError:
        raise
    except ContractError as error:
        raise NotTriedError from error


def _board(height: int, width: int, mines: int, seed: int) -> SmallPosition:
    density = mines / (height * width)
    return random_position(random.Random(seed), height, width, density)


def _moves(case: Case, board: SmallPosition) -> Iterator[None]:
    """Play a game, yielding after each move.

    If a guess would hit a mine, a safe cell is opened instead, so that the game continues.
    """
    case.ai(board.height, board.width)
    everything = {(i, j) for i in range(board.height) for j in range(board.width)}
    while True:
        move = case.value("ai.make_safe_move()")
        if move is None:
            move = case.value("ai.make_random_move()")
            left = sorted(everything - board.mines - set(case.peek("ai.moves_made")))
            if not left:
                return
            _check_move(case, move, everything, "ai.make_random_move()")
            move = left[0] if move in board.mines else move
        else:
            _check_move(case, move, everything - board.mines, "ai.make_safe_move()")
        case.tell(move, board.clue(move))
        yield


def _check_move(case: Case, move: Any, allowed: set[tuple[int, int]], code: str) -> None:
    if type(move) is not tuple or move not in allowed:
        kind = "a cell without a mine" if "safe" in code else "a cell of the board"
        if type(move) is tuple and len(move) == 2:
            case.marks[move] = "X"
        raise ContractError(f"{code} returns {kind}", show(move))
    if move in case.marks:
        raise ContractError(f"{code} returns a cell that has not been chosen before", show(move))


GAME_CHECKS = (
    Check("MinesweeperAI.make_safe_move", "plays whole games of 8x8 with 8 mines", _small_games),
    Check("minesweeper.py", "prints little", _prints_little, required=False),
    Check(LEARN, "is fast enough for 16x30 with 99 mines", _large_game, required=False),
)
