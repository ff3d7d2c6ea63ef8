"""From cells to pixels and back: where the board lies, how large, and what part is seen."""

from __future__ import annotations

import pygame

from mineproof.core.grid import Cell

SMALLEST = 7.0
"""Pixels of a cell, at a scale of 1, below which nobody can zoom out further."""
COMFORTABLE = 17.0
"""A board whose cells would be smaller than this does not fit at first: it is moved about."""
LARGEST = 46.0
"""Pixels of a cell, at a scale of 1, that a board never exceeds by itself."""
CLOSEST = 72.0


class Camera:
    """Shows a board in an area of the window."""

    def __init__(self, rows: int, columns: int) -> None:
        """Begin with a board of this size, and no area."""
        self.rows = rows
        self.columns = columns
        self.area = pygame.Rect(0, 0, 1, 1)
        self.scale = 1.0
        self.size = 1
        """Pixels of a cell."""
        self._zoom: float | None = None
        self._left = 0.0
        self._top = 0.0

    def show(self, rows: int, columns: int) -> None:
        """Show a board of another size, whole if it fits."""
        if (rows, columns) != (self.rows, self.columns):
            self.rows, self.columns = rows, columns
            self.fit()

    def fit(self) -> None:
        """Give up what was zoomed and moved."""
        self._zoom = None
        self._left = self._top = 0.0
        self._settle()

    def resize(self, area: pygame.Rect, scale: float) -> None:
        """Use another area of the window."""
        self.area = pygame.Rect(area)
        self.scale = scale
        self._settle()

    def zoom(self, steps: float, at: tuple[int, int]) -> None:
        """Come nearer, or go away; what is under `at` stays there."""
        before = self.size
        column = (at[0] - self._x) / before
        row = (at[1] - self._y) / before
        wanted = self.size / self.scale * 1.15**steps
        least = min(SMALLEST, self._fitting() / self.scale)
        self._zoom = min(max(wanted, least), CLOSEST)
        self._settle()
        self._left += column * self.size - (at[0] - self._x)
        self._top += row * self.size - (at[1] - self._y)
        self._settle()

    def move(self, right: float, down: float) -> None:
        """Move the board under the area by pixels."""
        self._left -= right
        self._top -= down
        self._settle()

    def reveal(self, cell: Cell) -> None:
        """Move the board as little as needed to show a cell and its neighbours."""
        room = pygame.Rect(self.rect_of(cell)).inflate(2 * self.size, 2 * self.size)
        self._left += max(0, room.right - self.area.right) - max(0, self.area.left - room.left)
        self._top += max(0, room.bottom - self.area.bottom) - max(0, self.area.top - room.top)
        self._settle()

    @property
    def can_move(self) -> bool:
        """Whether the board is larger than its area."""
        return self._width > self.area.width or self._height > self.area.height

    @property
    def board(self) -> pygame.Rect:
        """Where the whole board lies, outside the area too."""
        return pygame.Rect(round(self._x), round(self._y), self._width, self._height)

    def cell_at(self, place: tuple[int, int]) -> Cell | None:
        """Give the cell under a place of the window; None if there is none."""
        board = self.board
        if not (self.area.collidepoint(place) and board.collidepoint(place)):
            return None
        return Cell((place[1] - board.y) // self.size, (place[0] - board.x) // self.size)

    def rect_of(self, cell: tuple[int, int]) -> pygame.Rect:
        """Give the place of a cell in the window."""
        board = self.board
        return pygame.Rect(
            board.x + cell[1] * self.size, board.y + cell[0] * self.size, self.size, self.size
        )

    def visible(self) -> tuple[range, range]:
        """Give the rows and columns of which something is seen."""
        board = self.board
        seen = board.clip(self.area)
        if not seen.width or not seen.height:
            return range(0), range(0)
        rows = range((seen.top - board.y) // self.size, -(-(seen.bottom - board.y) // self.size))
        columns = range((seen.left - board.x) // self.size, -(-(seen.right - board.x) // self.size))
        return rows, columns

    # ---- inside

    @property
    def _width(self) -> int:
        return self.columns * self.size

    @property
    def _height(self) -> int:
        return self.rows * self.size

    @property
    def _x(self) -> float:
        return self.area.x + _start(self.area.width, self._width, self._left)

    @property
    def _y(self) -> float:
        return self.area.y + _start(self.area.height, self._height, self._top)

    def _fitting(self) -> float:
        """Give the size of a cell at which the whole board is seen."""
        size = min(self.area.width / self.columns, self.area.height / self.rows)
        return min(size, LARGEST * self.scale)

    def _settle(self) -> None:
        if self._zoom is None:
            size = max(self._fitting(), COMFORTABLE * self.scale)
        else:
            size = self._zoom * self.scale
        self.size = max(1, int(size))
        self._left = min(max(self._left, 0.0), max(0, self._width - self.area.width))
        self._top = min(max(self._top, 0.0), max(0, self._height - self.area.height))


def _start(area: int, board: int, moved: float) -> float:
    """Give where a side begins: in the middle if it fits, else as it was moved."""
    return (area - board) / 2 if board <= area else -moved
