"""Pictures of positions, proofs and games: SVG for pages and notebooks, PNG for other uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mineproof.core.game import Game
from mineproof.core.grid import TABLE_LIMIT
from mineproof.core.observation import Observation

if TYPE_CHECKING:
    from mineproof.draw.tiles import Note, Tile
    from mineproof.proof.explanation import Explanation

Risks = bool | Sequence[float | None] | Sequence[Sequence[float | None]]
"""True for exact risks, False for none, or your own risks (one per cell, or by row and column)."""

HEAT_CAPTION = "numbers: risk of a mine in %; ring: proved safe; diamond: proved mine"


def draw(
    position: Observation | Game | str,
    *,
    risks: Risks = False,
    proof: tuple[int, int] | Explanation | None = None,
    theme: str = "auto",
) -> str:
    """Draw a position as SVG.

    Args:
        position: an observation, a game, or `.mine` text with one position.
        risks: True for the exact risk of every cell, or your own risks.
        proof: a cell whose proof to draw on the board and to print below it.
        theme: `light`, `dark`, or `auto` to follow the reader's system.

    Raises:
        NotationError: the text is not a position.
        InputError: the board is too large, a cell is not on it, or there is no such theme.
        ContradictionError: no layout fits the clues.
        WorkLimitError: the risks or the proof take more work than allowed.
    """
    from mineproof.draw.svg import board_svg

    tiles, columns, caption = compose(position, risks=risks, proof=proof)
    return board_svg(tiles, len(tiles) // columns, columns, theme, caption)


def compose(
    position: Observation | Game | str,
    *,
    risks: Risks = False,
    proof: tuple[int, int] | Explanation | None = None,
) -> tuple[list[Tile], int, str]:
    """Return the tiles of a picture, the number of columns, and the caption; see `draw`."""
    from mineproof.draw.svg import check_size
    from mineproof.draw.tiles import tiles_of

    seen, board = _seen(position), None
    if isinstance(position, Game) and position.is_over:
        board = position.board
    check_size(seen.rules.rows, seen.rules.columns)
    found = None if proof is None else _explained(seen, proof)
    notes = None if found is None else _notes(found, seen.rules.columns)
    shown = _risks(seen, risks)
    words = [] if found is None else [found.text]
    words += [] if shown is None else [HEAT_CAPTION]
    return tiles_of(seen, board, shown, notes), seen.rules.columns, "\n".join(words)


def picture_of(value: object) -> str | None:
    """Return the picture that a notebook shows for a value; None if there is none."""
    from mineproof.notation.records import Record
    from mineproof.proof.explanation import Explanation

    if isinstance(value, Record):
        from mineproof.draw.games import MOST_MOVES, strip_svg

        is_large = value.rules.grid.size > TABLE_LIMIT or len(value.steps) > MOST_MOVES
        return None if is_large else strip_svg(value)
    if isinstance(value, Explanation):
        return None if value.position is None else draw(value.position, proof=value)
    if isinstance(value, Observation | Game):
        return None if value.rules.grid.size > TABLE_LIMIT else draw(value)
    return None


def _seen(position: Observation | Game | str) -> Observation:
    if isinstance(position, Observation):
        return position
    if isinstance(position, Game):
        return position.observation
    if isinstance(position, str):
        from mineproof.notation.position_text import parse_position

        return parse_position(position)
    raise TypeError(f"expected an Observation, a Game or .mine text, got {position!r}")


def _risks(seen: Observation, risks: Risks) -> list[float | None] | None:
    """Return one risk per cell, or None if risks are not shown."""
    if risks is False:
        return None
    if risks is True:
        from mineproof.inference import counting

        return list(counting.count(seen).risk)
    rows = ([row] if row is None or isinstance(row, int | float) else row for row in risks)
    values = [risk for row in rows for risk in row]
    if len(values) != seen.grid.size:
        from mineproof.core.errors import InputError

        raise InputError(f"expected {seen.grid.size} risks, one per cell, got {len(values)}")
    return values


def _explained(seen: Observation, proof: tuple[int, int] | Explanation) -> Explanation:
    from mineproof.proof.explainer import explain
    from mineproof.proof.explanation import Explanation

    return proof if isinstance(proof, Explanation) else explain(seen, proof)


def _notes(found: Explanation, columns: int) -> dict[int, tuple[Note, ...]]:
    """Return the role of each cell in the proof: a clue, a cell in a step, or the target."""
    notes: dict[int, list[Note]] = {}
    for step in found.steps:
        for cell in step.cells:
            here = notes.setdefault(cell[0] * columns + cell[1], ["step"])
            if step.proved is not None and step.proved not in here:
                here.append(step.proved)
    used = {*found.clues, *(clue for step in found.steps for clue in step.clues)}
    for clue in used:
        notes.setdefault(clue[0] * columns + clue[1], []).append("clue")
    target = notes.setdefault(found.cell[0] * columns + found.cell[1], [])
    target += [] if found.proved is None or found.proved in target else [found.proved]
    target.append("target")
    return {index: tuple(dict.fromkeys(here)) for index, here in notes.items()}
