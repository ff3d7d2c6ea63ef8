"""Boards as SVG, with row and column numbers and a caption, light or dark."""

from __future__ import annotations

import re
import textwrap
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from xml.sax.saxutils import escape

from mineproof.core.errors import InputError
from mineproof.core.grid import TABLE_LIMIT
from mineproof.core.words import printable
from mineproof.draw.tiles import THEMES, Shape, Tile, check_theme, colour_of, shapes

SIZE = 28
"""The side length of a cell."""
MARGIN = 22
"""The space around the board, which holds row and column numbers."""
LETTER = 6.3
"""Average width of a letter."""
TEXT = 17
"""The height of a line of text."""
FONT = "system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
OWN = "\x01"
"""Prefix of all names in a picture while it is drawn. At the end it is replaced by a unique
prefix, because pictures on the same page must not share names."""


class Canvas:
    """Collects the elements of a picture of a board."""

    def __init__(self, rows: int, columns: int, theme: str = "auto", caption: str = "") -> None:
        """Set the size of the picture.

        Raises:
            InputError: the board is too large for a picture, or there is no such theme.
        """
        check_size(rows, columns)
        check_theme(theme)
        self.rows, self.columns, self.theme = rows, columns, theme
        self.width = max(columns * SIZE, 8 * SIZE) + 2 * MARGIN
        room = int((self.width - 2 * MARGIN) / LETTER)
        self.lines = [line for part in caption.splitlines() for line in textwrap.wrap(part, room)]
        self.bottom = rows * SIZE + 2 * MARGIN
        self.parts: list[str] = []
        self._drawn: dict[tuple[Shape, ...], int] = {}
        self._numbers: dict[Tile | tuple[Shape, ...], int] = {}
        self._colours = {"page", "ink", "dim", "safe", "guess", "accent"}

    def use(self, tile: Tile | tuple[Shape, ...], index: int) -> str:
        """Return an element that shows a tile, or the shapes of one, at a cell."""
        number = self._numbers.get(tile)
        if number is None:
            made = shapes(tile) if isinstance(tile, Tile) else tile
            number = self._numbers[tile] = self._drawn.setdefault(made, len(self._drawn))
        row, column = divmod(index, self.columns)
        return (
            f'<use href="#{OWN}{number}" x="{MARGIN + column * SIZE}" y="{MARGIN + row * SIZE}"/>'
        )

    def add(self, parts: Iterable[str]) -> None:
        """Add elements on top of the others."""
        self.parts.extend(parts)

    def draw_over(self, over: Sequence[Shape]) -> None:
        """Add shapes whose coordinates are those of the board; the side of a cell is 1."""
        self._colours.update(each.colour for each in over)
        lines = "".join(map(_element, over))
        self.add([f'<g transform="translate({MARGIN} {MARGIN})" {ROUND}>{lines}</g>'])

    def text(self) -> str:
        """Return the complete picture."""
        height = self.bottom + TEXT * len(self.lines) + (MARGIN // 2 if self.lines else 0)
        body = [
            f'<rect class="{OWN}page" width="{self.width}" height="{height}" rx="8"/>',
            *self._rulers(),
            *self.parts,
            *(text_line(line, self.bottom + TEXT * n) for n, line in enumerate(self.lines)),
        ]
        defined = (
            f'<g id="{OWN}{number}" {ROUND}>{"".join(map(_element, made))}</g>'
            for made, number in self._drawn.items()
        )
        content = "\n".join(["<defs>", *defined, "</defs>", *body])
        content = f"<style>{''.join(self._style())}</style>\n{content}"
        name = f"m{zlib.crc32((self.theme + content).encode()):08x}-"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height}" '
            f'width="{self.width}" height="{height}" font-family="sans-serif" role="img">\n'
            f"<title>A Minesweeper board</title>\n{content.replace(OWN, name)}\n</svg>\n"
        )

    def _rulers(self) -> Iterator[str]:
        middle = SIZE / 2 + MARGIN
        numbers = [(middle + column * SIZE, 15.0, column) for column in range(self.columns)]
        numbers += [(11.0, middle + 4 + row * SIZE, row) for row in range(self.rows)]
        for x, y, number in numbers:
            yield f'<text class="{OWN}dim {OWN}small" x="{x:g}" y="{y:g}">{number}</text>'

    def _style(self) -> Iterator[str]:
        """Return the CSS rules of all colours. `auto` also has rules for dark backgrounds."""
        used = self._colours | {each.colour for made in self._drawn for each in made}
        yield f".{OWN}text{{font:11px {FONT}}}"
        yield f".{OWN}small{{font:11px {FONT};text-anchor:middle}}"
        for is_dark, palette in enumerate(THEMES[self.theme]):
            colours = {each: colour_of(each, palette) for each in sorted(used)}
            rules = "".join(
                f".{OWN}{each}{{fill:{colour}}}.{OWN}{each}-line{{stroke:{colour}}}"
                for each, colour in colours.items()
            )
            yield f"@media (prefers-color-scheme:dark){{{rules}}}" if is_dark else rules


def words(text: str) -> str:
    """Return text escaped for XML, without control characters, which XML forbids."""
    return escape(printable(text))


def text_line(text: str, top: int) -> str:
    """Return a line of text below the board."""
    return f'<text class="{OWN}ink {OWN}text" x="{MARGIN}" y="{top + 4}">{words(text)}</text>'


def check_size(rows: int, columns: int) -> None:
    """Raise an InputError if a board has too many cells for a picture."""
    if rows * columns > TABLE_LIMIT:
        raise InputError(f"expected a board of up to {TABLE_LIMIT:,} cells, got {rows * columns:,}")


def board_svg(
    tiles: Sequence[Tile],
    columns: int,
    theme: str = "auto",
    caption: str = "",
    over: Sequence[Shape] = (),
) -> str:
    """Draw a board from its tiles, in row order, with a caption and with shapes over the tiles."""
    canvas = Canvas(len(tiles) // columns, columns, theme, caption)
    canvas.add(canvas.use(tile, index) for index, tile in enumerate(tiles))
    if over:
        canvas.draw_over(over)
    return canvas.text()


def resized(picture: str, size: int) -> str:
    """Return a picture with cells of another size."""
    sides = re.compile(r' (width|height)="(\d+)"')  # the first two are those of the picture
    return sides.sub(lambda side: f' {side[1]}="{int(side[2]) * size // SIZE}"', picture, count=2)


@lru_cache(maxsize=4096)
def _element(shape: Shape) -> str:
    """Return the path of a shape."""
    points = "L".join(f"{round(x * SIZE, 2):g} {round(y * SIZE, 2):g}" for x, y in shape.points)
    line = f'class="{OWN}{shape.colour}-line" fill="none"'
    area = f'class="{OWN}{shape.colour} {OWN}{shape.colour}-line"'
    width = f'stroke-width="{shape.width * SIZE:.4g}"'
    return f'<path {area if shape.filled else line} d="M{points}{"Z" * shape.filled}" {width}/>'
