"""The panel at the right: its controls in named groups, and the legend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame

from mineproof.core.rules import LEVELS, SAFE, Rules
from mineproof.session import State
from mineproof.window import tiles
from mineproof.window.colours import BANDS
from mineproof.window.controller import Controller
from mineproof.window.controls import Brush, Control
from mineproof.window.layout import Layout
from mineproof.window.pace import SPEEDS
from mineproof.window.shapes import put

EDGE = 18
ROW = 36
GAP = 7


class Panel:
    """Puts the controls of a frame in their places, from top to bottom."""

    def __init__(self, layout: Layout, controller: Controller, theme: str) -> None:
        """Place everything."""
        self._layout = layout
        self._controller = controller
        self.controls: list[Control] = []
        self.titles: list[tuple[str, tuple[int, int]]] = []
        self._x = layout.panel.x + layout.px(EDGE)
        self._width = layout.panel.width - 2 * layout.px(EDGE)
        self._y = layout.px(14)
        self._head(theme)
        self._game()
        self._agent()
        self._help()
        self.legend_top = self._y + layout.px(10)
        self._foot()

    def _head(self, theme: str) -> None:
        side = self._layout.px(34)
        right = self._x + self._width
        other = "moon" if theme == "light" else "sun"
        for place, (command, label) in enumerate((("theme", other), ("help", "?"))):
            rect = pygame.Rect(right - (place + 1) * side, self._y, side, side)
            self.controls.append(Control(command, rect, label, kind="icon"))
        self._y += side

    def _title(self, text: str) -> None:
        self._y += self._layout.px(9)
        self.titles.append((text, (self._x, self._y + self._layout.px(8))))
        self._y += self._layout.px(24)

    def _row(self, height: float = ROW, gap: float = GAP) -> pygame.Rect:
        rect = pygame.Rect(self._x, self._y, self._width, self._layout.px(height))
        self._y = rect.bottom + self._layout.px(gap)
        return rect

    def _side_by_side(self, *shares: float) -> list[pygame.Rect]:
        row = self._row()
        gap = self._layout.px(GAP)
        room = row.width - gap * (len(shares) - 1)
        rects = []
        left = float(row.x)
        for share in shares:
            width = room * share / sum(shares)
            rects.append(pygame.Rect(round(left), row.y, round(width), row.height))
            left += width + gap
        return rects

    def _game(self) -> None:
        session = self._controller.session
        self._title("GAME")
        self._add("level", self._row(), level_name(session.rules), kind="chooser")
        new, reset = self._side_by_side(1, 1)
        self._add("new", new, "New", "N")
        self._add("reset", reset, "Reset", "R", enabled=session.step > 0)
        undo, pause = self._side_by_side(1, 1)
        can_undo = session.step > 0 or session.outcome is not None
        self._add("undo", undo, "Undo", "U", enabled=can_undo)
        paused = session.state is State.PAUSED
        can_pause = paused or session.state is State.PLAYING
        label = "Go on" if paused else "Pause"
        self._add("pause", pause, label, "P", on=paused, enabled=can_pause)

    def _agent(self) -> None:
        controller = self._controller
        goes_on = controller.session.state in (State.READY, State.PLAYING)
        self._title("AGENT")
        self._add("agent", self._row(), controller.agent_name, kind="chooser")
        move, auto = self._side_by_side(1, 1.42)
        self._add("ai", move, "AI move", "A", enabled=goes_on)
        auto_label = "Stop" if controller.autoplay else "Autoplay"
        self._add("autoplay", auto, auto_label, "Shift A", on=controller.autoplay, enabled=goes_on)
        label = self._row(18, 0)
        self._add("faster", label, f"Speed: {controller.pace}", kind="plain")
        value = controller.pace.place / (len(SPEEDS) - 1)
        self._add("speed", self._row(26, 2), kind="slider", value=value)
        on = controller.stops_at_guesses
        self._add("guesses", self._row(30, 0), "Stop before guesses", kind="box", on=on)

    def _help(self) -> None:
        controller = self._controller
        goes_on = controller.session.state in (State.READY, State.PLAYING)
        self._title("HELP")
        hint, guess = self._side_by_side(1, 1.9)
        self._add("hint", hint, "Hint", "H", enabled=goes_on)
        self._add("may guess", guess, "May I guess?", "G", enabled=goes_on)
        for command, label, key, on in (
            ("inference", "Show inference", "I", controller.shows_inference),
            ("heat", "Heat map", "M", controller.shows_heat),
            ("why", "Why?", "W", controller.explains),
        ):
            self._add(command, self._row(32, 0), label, key, kind="switch", on=on)

    def _foot(self) -> None:
        identity = self._controller.session.game_id
        if identity is None:
            return
        height = self._layout.px(20)
        bottom = self._layout.panel.bottom - self._layout.px(14)
        rect = pygame.Rect(self._x, bottom - height, self._width, height)
        self.controls.append(Control("copy", rect, f"Game {identity}", kind="plain"))

    def _add(
        self, command: str, rect: pygame.Rect, label: str = "", key: str = "", **more: Any
    ) -> None:
        self.controls.append(Control(command, rect, label, key, **more))


def level_name(rules: Rules) -> str:
    """Give the name of a level, or its size and mines, with what is special about it."""
    for name, level in LEVELS.items():
        if level == rules:
            return name
    same = [name for name, level in LEVELS.items() if level.level == rules.level]
    name = same[-1] if same else rules.level
    if replace(rules, start=SAFE) == Rules.parse(rules.level):
        return name if rules.start == SAFE else f"{name}, start {rules.start}"
    return f"{name}, own rules"


def draw_titles(brush: Brush, panel: Panel) -> None:
    """Write the names of the groups."""
    for text, place in panel.titles:
        brush.write(text, place, 11, brush.theme.quiet, bold=True)


def draw_legend(brush: Brush, panel: Panel, controller: Controller, area: pygame.Rect) -> None:
    """Explain the signs and colours that are shown, where there is room."""
    lines: list[tuple[pygame.Surface, str]] = []
    side = brush.px(22)
    name = brush.theme.name
    if controller.shows_inference:
        lines.append((tiles.proved(name, side, False), "proved safe"))
        lines.append((tiles.proved(name, side, True), "proved mine"))
    if controller.shows_heat:
        for band in BANDS:
            lines.append((tiles.heat(name, side, band.risk, False), band.label))
    left = area.x + brush.px(EDGE)
    column = round((area.width - 2 * brush.px(EDGE)) * 0.56)
    for place, (picture, text) in enumerate(lines):
        x = left + (place % 2) * column
        y = panel.legend_top + (place // 2) * brush.px(27)
        put(brush.target, picture, (x, y))
        brush.write(text, (x + side + brush.px(7), y + side / 2), 12, brush.theme.quiet)
