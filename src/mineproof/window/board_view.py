"""Draws the board: cells, what is known of them, and what the line below speaks of."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.grid import Cell
from mineproof.session import State
from mineproof.window import tiles
from mineproof.window.camera import Camera
from mineproof.window.colours import Theme
from mineproof.window.controller import Controller
from mineproof.window.lettering import write
from mineproof.window.shapes import draw_box, put

SMALLEST_SIGN = 9
"""Pixels of a cell below which signs would be specks."""


@dataclass(frozen=True)
class Pointing:
    """What a person points at."""

    over: Cell | None = None
    """The cell under the mouse."""
    cursor: Cell | None = None
    """The cell of the keyboard's cursor."""


class BoardView:
    """Draws one frame of the board."""

    def __init__(
        self, target: pygame.Surface, theme: Theme, camera: Camera, controller: Controller
    ) -> None:
        """Prepare to draw a game as the camera sees it."""
        self._target = target
        self._theme = theme
        self._camera = camera
        self._controller = controller
        session = controller.session
        self._observation = session.observation
        self._board = session.board
        self._hidden = session.state is State.PAUSED
        self._knowledge = controller.insight.knowledge if controller.shows_inference else None

    def draw(self, pointing: Pointing) -> None:
        """Draw all that is seen."""
        self._labels(pointing.over or pointing.cursor)
        self._ground()
        before = self._target.get_clip()
        self._target.set_clip(self._camera.area)
        self._cells(pointing.over)
        if not self._hidden:
            self._frames(pointing.cursor)
        self._target.set_clip(before)

    def _ground(self) -> None:
        """Lay a plate under the board, a little larger than it."""
        scale = self._camera.scale
        plate = self._camera.board.clip(self._camera.area).inflate(10 * scale, 10 * scale)
        draw_box(self._target, plate, 8 * scale, self._theme.line)

    def _cells(self, over: Cell | None) -> None:
        """Draw the grounds of all cells at once, which is fast, then what lies on some."""
        rows, columns = self._camera.visible()
        width, size = self._observation.grid.columns, self._camera.size
        left, top = self._camera.board.topleft
        places = [
            (row * width + column, (left + column * size, top + row * size))
            for row in rows
            for column in columns
        ]
        lit = -1 if over is None or self._board is not None else over.row * width + over.column
        self._target.fblits(
            [(self._ground_of(index, index == lit), place) for index, place in places]
        )
        if self._hidden or self._board is not None or size < SMALLEST_SIGN:
            return
        if not (self._knowledge or self._controller.shows_heat):
            return
        for index, place in places:
            if self._observation.shown[index] == UNOPENED:
                rect = pygame.Rect(place, (size, size))
                self._figure(index, rect)
                self._sign(index, rect)

    def _ground_of(self, index: int, over: bool) -> pygame.Surface:
        code = self._observation.shown[index]
        name, size = self._theme.name, self._camera.size
        if self._hidden:
            return tiles.closed(name, size, False)
        if code == EXPLODED:
            return tiles.mine(name, size, True)
        if code == WITHHELD:
            return tiles.withheld(name, size)
        return tiles.clue(name, size, code) if code < UNOPENED else self._unopened(index, over)

    def _unopened(self, index: int, over: bool) -> pygame.Surface:
        name, size = self._theme.name, self._camera.size
        is_mine = self._board is not None and bool(self._board.mined[index])
        if self._observation.marks[index]:
            wrong = self._board is not None and not is_mine
            return tiles.marked(name, size, over, wrong)
        if is_mine:
            return tiles.mine(name, size, False)
        risk = self._heat(index)
        if risk is not None:
            return tiles.heat(name, size, risk, over)
        return tiles.closed(name, size, over)

    def _heat(self, index: int) -> float | None:
        if not self._controller.shows_heat:
            return None
        return self._controller.insight.risk_at(self._observation, index)

    def _figure(self, index: int, rect: pygame.Rect) -> None:
        """Write the risk on a cell next to a clue; the others are alike, and pointing tells."""
        risk = self._heat(index)
        if risk is None or self._observation.marks[index] or self._proved(index) is not None:
            return
        shown = self._observation.shown
        if all(shown[near] >= UNOPENED for near in self._observation.grid.neighbours(index)):
            return
        label = tiles.heat_label(rect.width, risk, self._camera.scale)
        if label:
            step = round(risk * tiles.HEAT_STEPS)
            figure = tiles.heat_figure(self._theme.name, rect.width, label, step)
            self._target.blit(figure, figure.get_rect(center=rect.center))

    def _proved(self, index: int) -> bool | None:
        """Say whether the agent has proved a mine here (True), safety (False) or nothing."""
        if self._knowledge is None:
            return None
        if index in self._knowledge.mined:
            return True
        return False if index in self._knowledge.safe else None

    def _sign(self, index: int, rect: pygame.Rect) -> None:
        is_mine = self._proved(index)
        if is_mine is None:
            return
        size, small = rect.width, False
        if self._observation.marks[index] or self._heat(index) is not None:
            size, small = round(size * 0.52), True  # in the corner: it hides nothing
        sign = tiles.proved(self._theme.name, size, is_mine, small)
        put(self._target, sign, (rect.right - size, rect.bottom - size))

    def _frames(self, cursor: Cell | None) -> None:
        note, last = self._controller.note, self._controller.session.last
        if last is not None and last.move.cell != note.cell:
            self._frame(last.move.cell, "last")
        for cell in note.conclusions:
            self._frame(cell, "conclusion")
        for cell in note.clues:
            self._frame(cell, "clue")
        if note.cell is not None:
            self._frame(note.cell, "subject")
        if cursor is not None:
            self._frame(cursor, "cursor")

    def _frame(self, cell: Cell, kind: str) -> None:
        rect = self._camera.rect_of(cell)
        if rect.colliderect(self._camera.area):
            picture = tiles.frame(self._theme.name, rect.width, kind, self._camera.scale)
            put(self._target, picture, rect.topleft)

    # ---- the numbers of rows and columns

    def _labels(self, over: Cell | None) -> None:
        camera = self._camera
        size = round(11 * camera.scale)
        rows, columns = camera.visible()
        seen = camera.board.clip(camera.area)
        every = _spacing(camera.size, size)
        left, top = seen.left - 9 * camera.scale, seen.top - 14 * camera.scale
        for row in _numbered(rows, every, None if over is None else over.row):
            strong = over is not None and row == over.row
            self._label(row, (left, camera.rect_of((row, 0)).centery), "right", strong)
        for column in _numbered(columns, every, None if over is None else over.column):
            strong = over is not None and column == over.column
            self._label(column, (camera.rect_of((0, column)).centerx, top), "centre", strong)

    def _label(self, number: int, place: tuple[float, float], align: str, strong: bool) -> None:
        colour = self._theme.text if strong else self._theme.quiet
        size = round(11 * self._camera.scale)
        write(self._target, str(number), place, size, colour, bold=strong, align=align)


def _numbered(seen: range, every: int, over: int | None) -> list[int]:
    """Choose the rows or columns to number: evenly, and the one that is pointed at instead."""
    return [
        number
        for number in seen
        if number == over
        or (number % every == 0 and (over is None or abs(number - over) >= every or every == 1))
    ]


def _spacing(cell: int, letters: int) -> int:
    """Give how many cells lie between two numbers, so that they do not touch."""
    return next(every for every in (1, 2, 5, 10, 20, 50, 100) if every * cell >= 1.6 * letters)
