"""Measure the largest board in pure Python: dealing, opening an area, observing.

Run `python benchmarks/huge_board.py`. It prints CPU seconds and peak memory. The status is 1 if
they exceed 2 s or 500 MB.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from mineproof.core.board import Board, deal
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules

LEVEL = "1000x1000/0.12"
SECONDS, MEGABYTES = 2.0, 500
Value = TypeVar("Value")


def largest_opening(board: Board) -> Cell:
    """Return a cell of the largest connected region of zeros."""
    neighbours = board.grid.neighbours
    zero = bytearray(
        not clue and not mine for clue, mine in zip(board.clues, board.mined, strict=True)
    )
    best, size = 0, 0
    for start in range(len(zero)):
        if not zero[start]:
            continue
        pending, count = [start], 0
        zero[start] = 0
        while pending:
            count += 1
            for near in neighbours(pending.pop()):
                if zero[near]:
                    zero[near] = 0
                    pending.append(near)
        best, size = max((best, size), (start, count), key=lambda found: found[1])
    return board.grid.cell(best)


def timed(what: str, work: Callable[[], Value]) -> tuple[Value, float]:
    """Call a function, print its time, and return its result and its time."""
    started = time.process_time()
    value = work()
    seconds = time.process_time() - started
    print(f"{what:<34}{seconds:8.2f} s")
    return value, seconds


def main() -> int:
    rules = Rules.parse(LEVEL)
    board, dealing = timed(f"deal {LEVEL}", lambda: deal(rules, 1, (0, 0)))
    _, counting = timed("count its clues", lambda: board.clues)
    first = largest_opening(board)
    game, opening = timed("open its largest opening", lambda: Game(rules, 1, first, board))
    observation, looking = timed("observe", lambda: game.observation)
    total = dealing + counting + opening + looking
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024  # macOS reports bytes
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    opened = len(observation.shown) - observation.shown.count(UNOPENED)
    print(f"{'total':<34}{total:8.2f} s   (budget {SECONDS} s)")
    print(f"{'peak memory':<34}{memory:8.0f} MB  (budget {MEGABYTES} MB)")
    print(f"{'cells opened':<34}{opened:8,}")
    timed("open a million zeros in one flood", lambda: Game(Rules(1000, 1000, 0), 1, (500, 500)))
    return int(total > SECONDS or memory > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
