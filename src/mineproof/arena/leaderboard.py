"""The leaderboard: a page in Markdown, made from a folder of result files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from mineproof.arena.grids import format_grid
from mineproof.arena.results import read_result
from mineproof.arena.sets import board_sets
from mineproof.arena.tables import HEADS, Pair, Row, Table, table
from mineproof.core.errors import InputError
from mineproof.notation.files import read_text

CLAIMS = "claims.csv"
"""The file of claimed win rates in the folder of results: a line of headings, then the claims."""
_INTRO = """\
# Leaderboard

The command `mineproof arena leaderboard {folder}` makes this page from the result files in the \
folder `{folder}`.
[The arena](arena.md) describes board sets and result files.

Each section is a board set. The solver with the highest win rate comes first.
Some solvers played only the first boards of a set, so win rates in a section can come from \
different boards.
The last two columns are fairer: they compare each solver with the first one on the boards that \
both played.
*Difference* is in percentage points, with its 95 % interval. *p* is from McNemar's exact test, \
corrected for all {pairs} pairs of solvers on this page (Holm).
Guesses, false proofs and milliseconds of CPU time are per game. If a solver played several \
sets in one run, these numbers are in the section of that run.
CPU times can come from different machines.
"""
_CLAIMS = """\
## Claims

These win rates are quoted from their sources. They have not been checked on the boards above.
"""


def leaderboard(folder: Path) -> str:
    """Return the page for the result files in a folder.

    Raises:
        InputError: the folder holds no result files.
        NotationError: a file is not a result file.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise InputError(f"{folder} contains no result files (*.json)")
    return "\n".join(_parts(folder, table(map(read_result, files))))


def _parts(folder: Path, found: Table) -> Iterator[str]:
    yield _INTRO.format(folder=folder.name, pairs=len(found.pairs))
    sets = dict.fromkeys([*board_sets(), *(row.set for row in found.rows)])
    for name in sets:
        rows = [row for row in found.rows if row.set.removesuffix(" (all)") == name]
        if rows:
            about = board_sets()[name].about if name in board_sets() else "a board file"
            lead = rows[0].set, rows[0].agent
            pairs = {pair.second: pair for pair in found.pairs if (pair.set, pair.first) == lead}
            yield f"## {name}\n\nThe boards: {about}.\n\n{_grid(rows, pairs)}\n"
    if (folder / CLAIMS).exists():
        heads, *claims = csv.reader(read_text(folder / CLAIMS).splitlines())
        yield f"{_CLAIMS}\n{format_grid('markdown', heads, claims)}\n"


def _grid(rows: list[Row], pairs: dict[str, Pair]) -> str:
    """Return the rows, each with its difference from the first one."""
    heads: tuple[str, ...] = (*HEADS[1:], "difference", "p")
    gaps = [pairs[row.agent].cells() if row.agent in pairs else [""] * 4 for row in rows]
    cells = [(*row.cells()[1:], gap[3], gap[-1]) for row, gap in zip(rows, gaps, strict=True)]
    if not pairs:
        heads, cells = heads[:-2], [row[:-2] for row in cells]
    return format_grid("markdown", heads, cells)
