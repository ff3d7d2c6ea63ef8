"""Draws chains of influence as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mineproof.core.grid import Cell, Grid
from mineproof.draw.svg import MARGIN, OWN, SIZE, Canvas
from mineproof.draw.tiles import Point, Shape, square
from mineproof.review.chains import Chains, Node, Origin

COLOURS = {Origin.START: "closed", Origin.GUESS: "boom", Origin.FLOOD: "open"}
"""Conclusions have the colours of risks: the longer their chain, the darker the colour."""
LEGEND = "grey: the start; pink: a guess; white: a flood; numbers: lengths of chains"


def draw_chains(chains: Chains, rows: int, columns: int) -> str:
    """Draw the chains of a game on its board.

    The colour of a cell shows how it became known, and its number is the length of its chain. Thin
    lines connect each conclusion with the cells it is based on. A thick line follows the longest
    chain.

    Raises:
        InputError: the board is too large for a picture.
    """
    summary = f"longest chain {chains.length}, farthest reach {chains.reach}"
    canvas = Canvas(rows, columns, "light", f"{summary}\n{LEGEND}")
    for index, cell in enumerate(Grid(rows, columns).cells()):
        node = chains.nodes.get(cell)
        shown = canvas.use((square(_colour(node, chains.length)),), index)
        canvas.add([f"<g><title>{_tooltip(cell, node)}</title>{shown}</g>"])
    lines = "".join(_edges(chains))
    canvas.add([f'<path class="{OWN}ink-line" d="{lines}" stroke-width="0.6" opacity="0.18"/>'])
    canvas.draw_over(list(_longest(chains)))
    canvas.add(map(_number, chains.conclusions))
    return canvas.text()


def _colour(node: Node | None, longest: int) -> str:
    if node is None:
        return "page"
    return COLOURS.get(node.origin) or f"heat-{round(100 * node.length / longest)}"


def _tooltip(cell: Cell, node: Node | None) -> str:
    if node is None or node.origin is not Origin.CONCLUSION:
        return f"{cell} {'unknown' if node is None else node.origin}"
    return f"{cell} chain {node.length}, reach {node.reach}, move {node.move}"


def _number(node: Node) -> str:
    x, y = _centre(node.cell)
    return f'<text class="{OWN}ink {OWN}small" x="{x:g}" y="{y + 4:g}">{node.length}</text>'


def _edges(chains: Chains) -> Iterator[str]:
    for edge in chains.edges:
        if chains.nodes[edge[1]].origin is Origin.CONCLUSION:
            (x1, y1), (x2, y2) = map(_centre, edge)
            yield f"M{x1:g} {y1:g}L{x2:g} {y2:g}"


def _longest(chains: Chains) -> Iterator[Shape]:
    middles = [(column + 0.5, row + 0.5) for row, column in chains.longest]
    for start, end in pairwise(middles):
        yield Shape("wrong", (start, end), 0.06)
        yield Shape("wrong", (end, end), 0.18)


def _centre(cell: Cell) -> Point:
    """Return the middle of a cell in the picture."""
    return MARGIN + SIZE * (cell.column + 0.5), MARGIN + SIZE * (cell.row + 0.5)
