"""Pictures of positions, proofs and games: SVG for pages and notebooks, PNG for other uses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mineproof.core.board import Board
from mineproof.core.errors import InputError, wrong_type
from mineproof.core.game import Game
from mineproof.core.grid import TABLE_LIMIT, Cell, Grid, as_cell
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules

if TYPE_CHECKING:
    from mineproof.draw.tiles import Note, Shape, Tile
    from mineproof.notation.inputs import Source
    from mineproof.notation.records import Record
    from mineproof.proof.explanation import Explanation

Pair = tuple[int, int]
Risks = bool | Sequence[float | None] | Sequence[Sequence[float | None]]
"""True for exact risks, False for none, or your own risks (one per cell, or by row and column)."""
Highlights = Iterable[Pair] | Mapping[Pair, str]
"""Cells to outline, or a dictionary from cell to colour: blue, green, red or yellow."""

HEAT_CAPTION = "numbers: risk of a mine in %; ring: proved safe; diamond: proved mine"

GRAPH_CAPTION = "lines: a clue and the unknown cells that it counts; outlines: proved by one clue"


class Picture(str):
    """A picture as SVG text, which a notebook shows and `save` writes to a file."""

    paint: Callable[[], bytes]
    """Return the same picture as a PNG file."""

    def __repr__(self) -> str:
        return f"<Picture, {len(self):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a `.svg` or `.png` file.

        Raises:
            InputError: the file has another suffix, or the size is out of range.
        """
        from mineproof.notation.files import write_file

        name = os.fspath(path).lower()
        if not name.endswith((".svg", ".png")):
            raise InputError(f"expected a file that ends in .svg or .png, got {os.fspath(path)}")
        write_file(path, self.encode() if name.endswith(".svg") else self.paint())


def draw(  # noqa: PLR0913  (all but one have defaults, and are given by name)
    position: Source | Board,
    *,
    move: int | None = None,
    risks: Risks = False,
    proof: Pair | Explanation | None = None,
    highlights: Highlights = (),
    arrows: Iterable[tuple[Pair, Pair]] = (),
    graph: bool = False,
    size: int = 28,
    animate: bool = False,
    seconds: float = 0.35,
    theme: str = "auto",
) -> Picture:
    """Draw a position as SVG, or a whole game as an animation.

    Args:
        position: a game, an observation, a record, a board, a game id, `.mine` text, or a path.
        move: for a record, draw the position before this move, counted from 1; by default the last.
        risks: True for the exact risk of every cell, or your own risks.
        proof: a cell whose proof to draw on the board and to print below it.
        highlights: cells to outline, or a dictionary from cell to colour (blue, green, red,
            yellow).
        arrows: pairs of cells, each to connect by an arrow.
        graph: True to connect each clue with the unknown cells that it counts, as `backtracking`
            does. Cells that a single clue proves are outlined.
        size: the side of a cell in pixels.
        animate: True to show all moves of a game or a record, one after the other, forever.
        seconds: the time for each move of an animation.
        theme: `light`, `dark`, or `auto` to follow the reader's system (in PNG: light).

    Raises:
        TypeError: an argument is of another type.
        NotationError: the text is not a position.
        InputError: the board is too large, a cell is not on it, or a value is out of range.
        ContradictionError: no layout fits the clues.
        WorkLimitError: the risks or the proof take more work than allowed.
    """
    from mineproof.draw.pixels import board_png, check_side
    from mineproof.draw.svg import board_svg, resized

    check_side(size)
    if animate:
        if move is not None or risks is not False or proof or highlights or arrows or graph:
            raise InputError("an animation shows a game without additions. Omit the other options")
        return _animation(_game_of(position), size, seconds, theme)
    linked = _graph(position, move) if graph else None
    if linked is not None:
        highlights = {**linked[0], **dict(_colours(highlights))}
    tiles, columns, caption = compose(
        position, move=move, risks=risks, proof=proof, highlights=highlights
    )
    over = _arrows(Grid(len(tiles) // columns, columns), arrows)
    if linked is not None:
        over, caption = linked[1] + over, "\n".join(filter(None, [caption, GRAPH_CAPTION]))
    picture = Picture(resized(board_svg(tiles, columns, theme, caption, over), size))
    picture.paint = partial(board_png, tiles, columns, side=size, theme=theme, over=over)
    return picture


def _animation(record: Record, size: int, seconds: float, theme: str) -> Picture:
    from mineproof.draw.games import animation_svg
    from mineproof.draw.svg import resized

    if not isinstance(seconds, int | float):
        raise wrong_type("seconds as a number", seconds)
    if not 0.02 <= seconds <= 60:
        raise InputError(f"expected seconds from 0.02 to 60, got {seconds!r}")
    picture = Picture(resized(animation_svg(record, theme, seconds), size))
    picture.paint = partial(_painted, record, size, seconds, theme)
    return picture


def _painted(record: Record, size: int, seconds: float, theme: str) -> bytes:
    from mineproof.draw.games import changes
    from mineproof.draw.pixels import animation_png

    columns = record.rules.columns
    return animation_png(changes(record), columns, side=size, theme=theme, seconds=seconds)


def _game_of(source: Source | Board) -> Record:
    """Return the game to animate."""
    from mineproof.notation.inputs import input_of
    from mineproof.notation.records import Record, make_record

    given = source if isinstance(source, Board) else input_of(source)
    if isinstance(given, Game):
        return make_record(given)
    if isinstance(given, Record):
        return given
    raise InputError("only a Game or a Record has moves to animate. Play the game first")


def compose(
    position: Source | Board,
    *,
    move: int | None = None,
    risks: Risks = False,
    proof: Pair | Explanation | None = None,
    highlights: Highlights = (),
) -> tuple[list[Tile], int, str]:
    """Return the tiles of a picture, the number of columns, and the caption; see `draw`."""
    from mineproof.draw.svg import check_size
    from mineproof.draw.tiles import tiles_of

    seen = _seen(position, move)
    board = position if isinstance(position, Board) else None
    if isinstance(position, Game) and position.is_over:
        board = position.board
    check_size(seen.rules.rows, seen.rules.columns)
    found = None if proof is None else _explained(seen, proof)
    notes = None if found is None else _notes(found, seen.rules.columns)
    shown = _risks(seen, risks)
    words = [] if found is None else [found.text]
    words += [] if shown is None else [HEAT_CAPTION]
    tiles = tiles_of(seen, board, shown, notes)
    for index, colour in _highlights(seen.grid, highlights):
        tiles[index] = tiles[index]._replace(ring=colour)
    return tiles, seen.rules.columns, "\n".join(words)


def _seen(source: Source | Board, move: int | None) -> Observation:
    """Return the position to draw; of a board, the position with all safe cells open."""
    from mineproof.notation.inputs import position_of

    if not isinstance(source, Board):
        return position_of(source, move)
    rules = PublicRules(source.rows, source.columns, len(source.mine_indices))
    return Observation(rules, source.shown)


def _highlights(grid: Grid, given: Highlights) -> list[tuple[int, str]]:
    """Return the index and the colour of each highlighted cell."""
    from mineproof.draw.tiles import HIGHLIGHTS

    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise wrong_type(
            "highlights as cells (row, column), or as a dictionary from cell to colour", given
        )
    found = [(grid.index(as_cell(cell)), colour) for cell, colour in _colours(given)]
    for _, colour in found:
        if colour not in HIGHLIGHTS:
            raise InputError(f"expected a colour ({', '.join(HIGHLIGHTS)}), got {colour!r}")
    return [(index, HIGHLIGHTS[colour]) for index, colour in found]


def _colours(given: Highlights) -> Iterable[tuple[Pair, str]]:
    return given.items() if isinstance(given, Mapping) else ((cell, "blue") for cell in given)


def _graph(source: Source | Board, move: int | None) -> tuple[dict[Pair, str], list[Shape]]:
    """Return the cells that single clues prove, with colours, and lines from clues to the rest."""
    from mineproof.draw.tiles import HIGHLIGHTS, graph_line
    from mineproof.inference.clue_graph import ClueGraph

    seen = _seen(source, move)
    graph, cell = ClueGraph(seen.rules, trust=seen.rules.clues.trusted), seen.grid.cell
    pending = graph.update(seen.shown, seen.opened)
    while pending:
        constraint = graph.read(pending.pop())
        if constraint is not None and constraint.decided is not None:
            pending += [j for i in constraint.cells for j in graph.settle(i, constraint.decided)]
    over: list[Shape] = []
    colours = [*HIGHLIGHTS.values()]
    for one in graph.constraints.values():
        row, column = cell(one.clue)
        colour = colours[(row % 2) * 2 + column % 2]  # neighbouring clues differ
        for index in one.cells:
            over += graph_line(colour, (row, column), cell(index))
    return {cell(i): "red" if mined else "green" for i, mined in graph.known.items()}, over


def _arrows(grid: Grid, given: Iterable[tuple[Pair, Pair]]) -> list[Shape]:
    from mineproof.draw.tiles import arrow

    over: list[Shape] = []
    for start, end in _pairs(given):
        grid.index(start), grid.index(end)
        if start == end:
            raise InputError(f"expected an arrow between two cells, got {start} twice")
        over += arrow(start, end)
    return over


def _pairs(given: Iterable[tuple[Pair, Pair]]) -> list[tuple[Cell, Cell]]:
    try:
        return [(as_cell(start), as_cell(end)) for start, end in given]
    except (TypeError, ValueError):
        raise wrong_type("arrows as pairs of cells, such as [((0, 0), (2, 3))]", given) from None


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
    if isinstance(value, Observation | Game | Board):
        grid = value.rules.grid if isinstance(value, Game) else value.grid
        return None if grid.size > TABLE_LIMIT else draw(value)
    return None


def _risks(seen: Observation, risks: Risks) -> list[float | None] | None:
    """Return one risk per cell, or None if risks are not shown."""
    if risks is False:
        return None
    if risks is True:
        from mineproof.inference import counting

        return list(counting.count(seen).risk)
    if not isinstance(risks, Sequence) or isinstance(risks, str | bytes):
        raise wrong_type("risks as True, False or one number per cell", risks)
    rows = ([row] if row is None or isinstance(row, int | float) else row for row in risks)
    values = [risk for row in rows for risk in row]
    if len(values) != seen.grid.size:
        raise InputError(f"expected {seen.grid.size} risks, one per cell, got {len(values)}")
    return values


def _explained(seen: Observation, proof: tuple[int, int] | Explanation) -> Explanation:
    from mineproof.proof.explainer import explain
    from mineproof.proof.explanation import Explanation

    return proof if isinstance(proof, Explanation) else explain(seen, as_cell(proof))


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
