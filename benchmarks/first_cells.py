"""The best first cell: win rates of `champion` by first cell, for each board and start.

    python benchmarks/first_cells.py [--games 200000] [--jobs J] [--only BOARD ...] [--write]

The script tries every cell up to (4, 4) and the middle with a tenth of the games. Then it plays all
games with the five best cells and the package's default first cell, on other boards. Mirrored cells
count as the same cell. `--write` updates `results/first_cells.md`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from itertools import product
from typing import Any

from result_table import format_table, machine, update

from mineproof.backend import native
from mineproof.core.rules import Start, StartKind, first_cell
from mineproof.match.certainty import share
from mineproof.search.choice import USUAL
from mineproof.search.guessing import core_settings, load_evaluation

BOARDS = {
    "classic": (8, 8, 10),
    "beginner": (9, 9, 10),
    "intermediate": (16, 16, 40),
    "expert": (16, 30, 99),
}
STARTS = ("safe", "opening")
SEED = 6 * 10**12
CHUNK, BEST, FAR = 5000, 5, 5
HEADER = ("board and start", "first cell", "games", "won %", "95 % interval", "usual")

Task = tuple[str, str, tuple[int, int], int]
"""Board, start, first cell, first seed."""


def play(task: Task) -> int:
    """Play a chunk of games in the core and return the number of wins."""
    board, start, (row, column), seed = task
    rows, columns, mines = BOARDS[board]
    core: Any = native
    settings = core_settings(USUAL, load_evaluation())
    where = (rows, columns, mines, start, row * columns + column)
    return int(core.tally_games(*where, seed, CHUNK, settings)[0])


def cells(board: str) -> list[tuple[int, int]]:
    """Return the cells to try, without mirror images of each other."""
    rows, columns, _ = BOARDS[board]
    near = product(range(min(FAR, (rows + 1) // 2)), range(min(FAR, (columns + 1) // 2)))
    return [
        *((row, column) for row, column in near if rows != columns or row <= column),
        ((rows - 1) // 2, (columns - 1) // 2),
    ]


def rates(pool: Any, board: str, start: str, tried: list[tuple[int, int]], seeds: range) -> Any:
    """Count the wins of each first cell."""
    tasks = [(board, start, cell, seed) for cell in tried for seed in seeds]
    wins = pool.map(play, tasks)
    each = len(seeds)
    return {cell: sum(wins[i * each : (i + 1) * each]) for i, cell in enumerate(tried)}


def table(pool: Any, board: str, start: str, games: int) -> list[list[str]]:
    """Try all cells, then play the best ones."""
    rows, columns, _ = BOARDS[board]
    usual = first_cell(rows, columns, Start(StartKind(start)))
    assert usual is not None
    few = range(SEED, SEED + games // 10, CHUNK)
    first = rates(pool, board, start, list(dict.fromkeys(cells(board))), few)
    best = sorted(first, key=lambda cell: -first[cell])[:BEST]
    many = range(few.stop, few.stop + games, CHUNK)
    found = rates(pool, board, start, list(dict.fromkeys([*best, tuple(usual)])), many)
    lines = []
    for cell, wins in sorted(found.items(), key=lambda item: -item[1]):
        won = share(wins, len(many) * CHUNK)
        interval = f"{won.low:.2%} to {won.high:.2%}".replace("%", "").replace("  ", " ")
        mark = "yes" if cell == tuple(usual) else ""
        total = f"{len(many) * CHUNK:,}"
        lines.append(
            [f"{board}, {start}", str(cell), total, f"{won.value:.2%}"[:-1], interval, mark]
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", nargs="+", choices=BOARDS, default=list(BOARDS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = []
    with multiprocessing.Pool(options.jobs) as pool:
        for board, start in product(options.only, STARTS):
            found = table(pool, board, start, options.games)
            print(format_table(HEADER, found), flush=True)
            lines += found
    if options.write:
        intro = f"Win rates of `champion` by first cell ({machine()})."
        update("first_cells", intro, HEADER, lines, 2)


if __name__ == "__main__":
    main()
