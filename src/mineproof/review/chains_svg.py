"""Draws chains of influence as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mineproof.core.grid import Cell
from mineproof.draw.svg import check_size, document
from mineproof.review.chains import Chains, Node, Origin

SIZE = 24
"""The side of a cell in pixels."""
MARGIN = 16
LEGEND = 44
"""The height of the legend below the board in pixels."""
LINE = 260
"""The minimum width of the legend in pixels."""
COLOURS = {Origin.START: "#9aa5b1", Origin.GUESS: "#e07a5f", Origin.FLOOD: "#e4e7eb"}
"""Conclusions are blue: the longer their chain, the darker the blue."""
CHAIN = "#b3261e"
BOARD = "#ffffff"
INK = "#1f2933"


def draw_chains(chains: Chains, rows: int, columns: int) -> str:
    """Draw the chains of a game on its board.

    The colour of a cell shows how it became known, and its number is the length of its chain. Thin
    lines connect each conclusion with the cells it is based on. A thick line follows the longest
    chain.

    Raises:
        InputError: the board is too large for a picture.
    """
    check_size(rows, columns)
    width = max(columns * SIZE, LINE) + 2 * MARGIN
    height = rows * SIZE + 2 * MARGIN + LEGEND
    parts = [
        f"<desc>{_summary(chains)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{BOARD}"/>',
        *_cells(chains, rows, columns),
        *_edges(chains),
        *_longest(chains),
        *(_number(node) for node in chains.conclusions),
        *_legend(chains, rows),
    ]
    return document(width, height, "Chains of influence", "\n".join(parts))


def _summary(chains: Chains) -> str:
    return f"longest chain {chains.length}, farthest reach {chains.reach}"


def _cells(chains: Chains, rows: int, columns: int) -> Iterator[str]:
    for row in range(rows):
        for column in range(columns):
            cell = Cell(row, column)
            node = chains.nodes.get(cell)
            fill = BOARD if node is None else _colour(node, chains.length)
            yield (
                f'<rect x="{MARGIN + column * SIZE}" y="{MARGIN + row * SIZE}" width="{SIZE}" '
                f'height="{SIZE}" fill="{fill}" stroke="#cbd2d9">{_tooltip(cell, node)}</rect>'
            )


def _tooltip(cell: Cell, node: Node | None) -> str:
    if node is None:
        return f"<title>{cell} unknown</title>"
    if node.origin is not Origin.CONCLUSION:
        return f"<title>{cell} {node.origin.value}</title>"
    return f"<title>{cell} chain {node.length}, reach {node.reach}, move {node.move}</title>"


def _colour(node: Node, longest: int) -> str:
    if node.origin is not Origin.CONCLUSION:
        return COLOURS[node.origin]
    share = node.length / max(longest, 1)
    red, green = round(214 - 160 * share), round(232 - 120 * share)
    return f"#{red:02x}{green:02x}f5"


def _number(node: Node) -> str:
    x, y = _centre(node.cell)
    return (
        f'<text x="{x}" y="{y + 4}" font-size="10" text-anchor="middle" fill="{INK}">'
        f"{node.length}</text>"
    )


def _edges(chains: Chains) -> Iterator[str]:
    yield f'<g stroke="{INK}" stroke-width="0.6" stroke-opacity="0.18">'
    for parent, child in chains.edges:
        if chains.nodes[child].origin is Origin.CONCLUSION:
            yield _line(parent, child)
    yield "</g>"


def _longest(chains: Chains) -> Iterator[str]:
    yield f'<g stroke="{CHAIN}" stroke-width="2" fill="{CHAIN}" stroke-opacity="0.8">'
    for parent, child in pairwise(chains.longest):
        x, y = _centre(child)
        yield _line(parent, child)
        yield f'<circle cx="{x}" cy="{y}" r="2.5"/>'
    yield "</g>"


def _line(start: Cell, end: Cell) -> str:
    (x1, y1), (x2, y2) = _centre(start), _centre(end)
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _legend(chains: Chains, rows: int) -> Iterator[str]:
    top = 2 * MARGIN + rows * SIZE
    for number, origin in enumerate(Origin):
        x, colour = MARGIN + number * 62, COLOURS.get(origin, "#a6c4f5")
        yield f'<rect x="{x}" y="{top}" width="10" height="10" fill="{colour}"/>'
        yield f'<text x="{x + 14}" y="{top + 9}" font-size="11" fill="{INK}">{origin}</text>'
    yield (
        f'<text x="{MARGIN}" y="{top + 28}" font-size="12" fill="{INK}">{_summary(chains)}</text>'
    )


def _centre(cell: Cell) -> tuple[int, int]:
    middle = MARGIN + SIZE // 2
    return middle + cell.column * SIZE, middle + cell.row * SIZE
