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
_INTRO = Path(__file__).with_name("leaderboard.txt")
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
    found = table(map(read_result, files))
    intro = _INTRO.read_text(encoding="utf-8")
    parts = [intro.format(folder=folder.name, pairs=len(found.pairs)), *_sections(found)]
    if (folder / CLAIMS).exists():
        heads, *claims = csv.reader(read_text(folder / CLAIMS).splitlines())
        parts.append(f"{_CLAIMS}\n{format_grid('markdown', heads, claims)}\n")
    return "\n".join(parts)


def _sections(found: Table) -> Iterator[str]:
    known = {name: one.about for name, one in board_sets().items()}
    for name in dict.fromkeys([*known, *(row.set for row in found.rows)]):
        rows = [row for row in found.rows if row.set.removesuffix(" (all)") == name]
        if rows:
            lead = rows[0].set, rows[0].agent
            pairs = {pair.second: pair for pair in found.pairs if (pair.set, pair.first) == lead}
            about = known.get(name, "a board file")
            yield f"## {name}\n\nThe boards: {about}.\n\n{_grid(rows, pairs)}\n"


def _grid(rows: list[Row], pairs: dict[str, Pair]) -> str:
    """Return the rows, each with its difference from the first one."""
    heads: tuple[str, ...] = (*HEADS[1:], "difference", "p")
    gaps = [pairs[row.agent].cells() if row.agent in pairs else [""] * 4 for row in rows]
    cells = [(*row.cells()[1:], gap[3], gap[-1]) for row, gap in zip(rows, gaps, strict=True)]
    if not pairs:
        heads, cells = heads[:-2], [row[:-2] for row in cells]
    return format_grid("markdown", heads, cells)
