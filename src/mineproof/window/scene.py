"""Draws a whole frame of the window."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from mineproof.session import State
from mineproof.window.board_view import BoardView, Pointing
from mineproof.window.camera import Camera
from mineproof.window.colours import Colour, Theme
from mineproof.window.controller import Controller
from mineproof.window.controls import Brush, draw_control
from mineproof.window.layout import Layout
from mineproof.window.lettering import fit, width_of, wrap
from mineproof.window.notes import percent
from mineproof.window.overlays import Menu, draw_instructions, play_button
from mineproof.window.panel import Panel, draw_legend, draw_titles
from mineproof.window.shapes import draw_box, icon, put

WORDS = {
    State.READY: "Ready",
    State.PLAYING: "",
    State.PAUSED: "Paused",
    State.WON: "Won",
    State.LOST: "Lost",
    State.STUCK: "Given up",
}

IDLE = "Your move. H gives a hint, W tells why, A lets the agent move, U takes back."
"""What the line below the board says when there is nothing else to say."""


@dataclass(frozen=True)
class Scene:
    """All that a frame shows."""

    layout: Layout
    theme: Theme
    controller: Controller
    camera: Camera
    panel: Panel
    pointing: Pointing
    mouse: tuple[int, int]
    welcome: bool = False
    menu: Menu | None = None

    def draw(self, target: pygame.Surface) -> None:
        """Draw the frame."""
        brush = Brush(target, self.theme, self.layout.scale)
        target.fill(self.theme.background)
        self._draw_status(brush)
        BoardView(target, self.theme, self.camera, self.controller).draw(self.pointing)
        self._draw_note(brush)
        self._draw_panel(brush)
        if self.welcome:
            over = play_button(self.layout).rect.collidepoint(self.mouse)
            draw_instructions(brush, self.layout, over)
        elif self.menu is not None:
            self.menu.draw(brush)

    # ---- above the board

    def _draw_status(self, brush: Brush) -> None:
        rect, session = self.layout.status, self.controller.session
        draw_box(brush.target, rect, brush.px(12), self.theme.panel)
        left = session.observation.mines_left
        side = brush.px(34)
        x = rect.x + brush.px(14)
        picture = icon("flag", side, self.theme.flag, self.theme.pole)
        put(brush.target, picture, (x, rect.centery - side / 2))
        mines = "?" if left is None else str(left)
        end = brush.write(mines, (x + brush.px(38), rect.centery), 26, self.theme.text, bold=True)
        brush.write(
            "mine left" if left == 1 else "mines left",
            (end.right + brush.px(8), rect.centery + brush.px(3)),
            13,
            self.theme.quiet,
        )
        clock = _clock(session.seconds)
        right = rect.right - brush.px(18)
        brush.write(clock, (right, rect.centery), 26, self.theme.text, bold=True, align="right")
        width = max(width_of(clock, brush.px(26), True), width_of("0:00", brush.px(26), True))
        picture = icon("clock", brush.px(26), self.theme.quiet)
        place = (right - width - brush.px(34), rect.centery - brush.px(13))
        put(brush.target, picture, place)
        self._draw_state(brush)

    def _draw_state(self, brush: Brush) -> None:
        state = self.controller.session.state
        word, colour = WORDS[state], self.theme.quiet
        if self.controller.autoplay:
            word, colour = "Autoplay", self.theme.accent
        if state in (State.WON, State.LOST):
            colour = self.theme.good if state is State.WON else self.theme.bad
        if not word:
            return
        ended = state in (State.WON, State.LOST, State.STUCK)
        brush.write(
            word, self.layout.status.center, 30 if ended else 18, colour, bold=True, align="centre"
        )

    # ---- below the board

    def _draw_note(self, brush: Brush) -> None:
        rect, note = self.layout.note, self.controller.note
        draw_box(brush.target, rect, brush.px(12), self.theme.panel)
        edge = pygame.Rect(rect.x, rect.y + brush.px(14), brush.px(4), rect.height - brush.px(28))
        if note.title:
            draw_box(brush.target, edge, brush.px(2), self._tone(note.tone))
        x, room = rect.x + brush.px(18), rect.width - brush.px(36)
        if not note.title and self.controller.session.state is State.PLAYING:
            brush.write(IDLE, (x, rect.centery), 14, self.theme.quiet)
        corner = self.controller.thinking or self._risk_here()
        if corner:
            brush.write(
                corner,
                (rect.right - brush.px(18), rect.y + brush.px(21)),
                13,
                self.theme.quiet,
                align="right",
            )
        room_above = room - (width_of(corner, brush.px(13)) + brush.px(16) if corner else 0)
        title = fit(note.title, room_above, brush.px(16), True)
        brush.write(title, (x, rect.y + brush.px(21)), 16, self.theme.text, bold=True)
        self._draw_text(brush, note.text, x, room)

    def _draw_text(self, brush: Brush, text: str, x: int, room: int) -> None:
        """Write a text in letters that are as large as the room allows."""
        top = self.layout.note.y + brush.px(44)
        for size, most in ((14, 3), (13, 3), (12, 4)):
            lines = wrap(text, room, brush.px(size), most)
            if not lines[-1].endswith(" ..."):
                break
        for place, line in enumerate(lines):
            brush.write(line, (x, top + brush.px((size + 4) * place)), size, self.theme.quiet)

    def _tone(self, tone: str) -> Colour:
        colours = {"good": self.theme.good, "bad": self.theme.bad, "guess": self.theme.evidence}
        return colours.get(tone, self.theme.accent)

    def _risk_here(self) -> str:
        """Give the risk of the cell that is pointed at, while the heat map is shown."""
        cell = self.pointing.over or self.pointing.cursor
        controller = self.controller
        if cell is None or not controller.shows_heat or controller.session.outcome is not None:
            return ""
        observation, risks = controller.session.observation, controller.insight.risks
        risk = controller.insight.risk_at(observation, observation.grid.index(cell))
        if risk is None or risks is None:
            return ""
        about = "" if risks.exact else "about "
        return f"Risk of {cell}: {about}{percent(risk)}"

    # ---- at the right

    def _draw_panel(self, brush: Brush) -> None:
        area = self.layout.panel
        brush.target.fill(self.theme.panel, area)
        line = pygame.Rect(area.x, area.y, max(1, brush.px(1)), area.height)
        brush.target.fill(self.theme.line, line)
        place = (area.x + brush.px(18), area.y + brush.px(31))
        brush.write("Mineproof", place, 19, self.theme.text, bold=True)
        draw_titles(brush, self.panel)
        reachable = not self.welcome and self.menu is None
        for control in self.panel.controls:
            over = reachable and control.rect.collidepoint(self.mouse)
            draw_control(brush, control, over)
        draw_legend(brush, self.panel, self.controller, area)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
