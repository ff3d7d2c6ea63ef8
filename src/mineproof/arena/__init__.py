"""The arena, in which all solvers play the same boards.

It consists of frozen board sets (`sets`), runs that write result files (`running`, `results`),
tables (`tables`) and a page made of them (`leaderboard`).
"""

from mineproof.arena.leaderboard import leaderboard
from mineproof.arena.results import ArenaResult, read_result
from mineproof.arena.running import replay, run
from mineproof.arena.sets import BoardSet, board_set, board_sets
from mineproof.arena.tables import Table, table, table_of

__all__ = [
    "ArenaResult",
    "BoardSet",
    "Table",
    "board_set",
    "board_sets",
    "leaderboard",
    "read_result",
    "replay",
    "run",
    "table",
    "table_of",
]
