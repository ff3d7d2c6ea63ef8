"""The window itself: takes events, turns them into commands, and draws when something changed."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from mineproof.core.grid import Cell
from mineproof.window.board_view import Pointing
from mineproof.window.camera import Camera
from mineproof.window.choices import make_menu, take
from mineproof.window.clipboard import copy_game, paste_game
from mineproof.window.colours import THEMES
from mineproof.window.controller import Controller
from mineproof.window.controls import Control, slider_track
from mineproof.window.keys import ARROWS, KEYS, WITH_CONTROL, Held, command_of
from mineproof.window.layout import Layout, arrange
from mineproof.window.overlays import Menu, play_button
from mineproof.window.pace import SPEEDS
from mineproof.window.panel import Panel
from mineproof.window.scene import Scene
from mineproof.window.screen import Screen

DRAG = 6
"""Pixels, at a scale of 1, after which a press moves the board and no longer opens."""


class App:
    """A window with a game."""

    def __init__(
        self,
        screen: Screen,
        controller: Controller,
        *,
        theme: str = "light",
        welcome: bool = True,
    ) -> None:
        """Show a game on a screen, under the instructions unless they are not wanted."""
        self.screen = screen
        self.controller = controller
        self.theme = theme
        self.welcome = welcome
        self.menu: Menu | None = None
        self.running = True
        self.mouse = (-1, -1)
        self.cursor: Cell | None = None
        rules = controller.session.rules
        self.camera = Camera(rules.rows, rules.columns)
        self.layout: Layout
        self._pressed: tuple[int, int] | None = None
        self._dragged = False
        self._sliding = False
        self._held = Held()
        self._drawn: object = None
        self._followed: object = None
        self._commands = self._make_commands()
        self._handlers = self._make_handlers()
        self.rearrange()

    def _make_commands(self) -> dict[str, Callable[[], None]]:
        controller, pace = self.controller, self.controller.pace
        return {
            "new": controller.new,
            "reset": controller.reset,
            "undo": controller.undo,
            "pause": controller.pause,
            "ai": controller.ai_move,
            "autoplay": controller.toggle_autoplay,
            "faster": lambda: pace.choose((pace.place + 1) % len(SPEEDS)),
            "speed up": lambda: pace.choose(pace.place + 1),
            "speed down": lambda: pace.choose(pace.place - 1),
            "guesses": controller.toggle_guesses,
            "redo": controller.redo,
            "hint": controller.hint,
            "may guess": controller.may_guess,
            "inference": controller.toggle_inference,
            "heat": controller.toggle_heat,
            "why": lambda: controller.toggle_why(self.pointed),
            "open": lambda: self._at_pointed(controller.click),
            "mark": lambda: self._at_pointed(controller.mark),
            "chord": lambda: self._at_pointed(controller.chord),
            "theme": self._change_theme,
            "help": lambda: self._show_welcome(True),
            "play": lambda: self._show_welcome(False),
            "escape": self._escape,
            "level": lambda: self._open_menu("level"),
            "agent": lambda: self._open_menu("agent"),
            "copy": lambda: copy_game(controller),
            "paste": lambda: paste_game(controller),
            "fit": self.camera.fit,
            "larger": lambda: self._zoom(1),
            "smaller": lambda: self._zoom(-1),
            "full screen": self.screen.toggle_full,
            "quit": self._quit,
        }

    # ---- the loop

    def run(self) -> None:
        """Go on until the window is closed."""
        self.tick()
        self.controller.mind.start()  # the first picture does not wait for that
        while self.running:
            pause = self._pause()
            first = pygame.event.wait(pause) if pause else pygame.event.poll()
            for event in (first, *pygame.event.get()):
                self.handle(event)
            self.tick()

    def tick(self) -> None:
        """Let time go by: take in answers, and draw if something looks different."""
        self.controller.update()
        self._explain()
        self._follow()
        state = self._state()
        if state != self._drawn:
            self._drawn = state
            self.draw()

    def _pause(self) -> int:
        """Give the milliseconds to wait for an event."""
        controller = self.controller
        if controller.mind.busy or controller.analyst.busy:
            return 4
        if controller.autoplay and controller.pace.speed:
            return 8
        return 100 if controller.session.clock_runs else 500

    def _state(self) -> object:
        """Give all that a frame depends on: if it is the same, so is the picture."""
        controller, session = self.controller, self.controller.session
        return (
            session.observation.serial,
            session.state,
            session.rules,
            session.step,
            int(session.seconds),
            controller.note,
            id(controller.insight.knowledge),
            id(controller.insight.risks),
            controller.thinking,
            (controller.shows_heat, controller.shows_inference, controller.explains),
            (
                controller.agent,
                controller.autoplay,
                controller.pace.place,
                controller.stops_at_guesses,
            ),
            (self.theme, self.welcome, self.mouse, self.cursor, self.layout.window.size),
            (self.camera.size, tuple(self.camera.board), self.menu and self.menu.marked),
        )

    def draw(self) -> None:
        """Draw a frame."""
        session = self.controller.session
        self.camera.show(session.rules.rows, session.rules.columns)
        over = None if self.welcome or self.menu or self._dragged else self._over()
        scene = Scene(
            self.layout,
            THEMES[self.theme],
            self.controller,
            self.camera,
            self.panel(),
            Pointing(over, self.cursor),
            self.mouse,
            self.welcome,
            self.menu,
        )
        scene.draw(self.screen.surface())
        self.screen.flip()

    def rearrange(self) -> None:
        """Fit everything into the window as large as it is now."""
        width, height = self.screen.surface().get_size()
        self.layout = arrange(width, height, self.screen.ratio)
        self.camera.resize(self.layout.board, self.layout.scale)
        self.menu = None
        self._drawn = None

    def _forget_drawn(self) -> None:
        """Draw the next frame whatever it shows."""
        self._drawn = None

    def panel(self) -> Panel:
        """Give the panel with its controls where they are now."""
        return Panel(self.layout, self.controller, self.theme)

    # ---- events

    def handle(self, event: pygame.Event) -> None:
        """Do what an event says."""
        handler = self._handlers.get(event.type)
        if handler is not None:
            handler(event)

    def _make_handlers(self) -> dict[int, Callable[[pygame.Event], None]]:
        return {
            pygame.QUIT: lambda _: self._quit(),
            pygame.WINDOWCLOSE: lambda _: self._quit(),
            pygame.WINDOWSIZECHANGED: lambda _: self.rearrange(),
            pygame.WINDOWEXPOSED: lambda _: self._forget_drawn(),
            pygame.WINDOWFOCUSLOST: lambda _: self._held.release_all(),
            pygame.WINDOWLEAVE: lambda _: self._motion((-1, -1)),
            pygame.KEYDOWN: self._key,
            pygame.KEYUP: self._held.release,
            pygame.MOUSEMOTION: lambda event: self._motion(self.screen.to_pixels(event.pos)),
            pygame.MOUSEBUTTONDOWN: self._press,
            pygame.MOUSEBUTTONUP: self._release,
            pygame.MOUSEWHEEL: self._wheel,
        }

    def command(self, name: str) -> None:
        """Do a command by its name."""
        self._commands[name]()

    @property
    def pointed(self) -> Cell | None:
        """The cell that keys act on: that of the cursor, else the one under the mouse."""
        return self.cursor if self.cursor is not None else self._over()

    def _over(self) -> Cell | None:
        return self.camera.cell_at(self.mouse)

    def _at_pointed(self, command: Callable[[Cell], None]) -> None:
        if self.pointed is not None:
            command(self.pointed)

    def _explain(self) -> None:
        if self.controller.explains and not (self.welcome or self.menu):
            cell = self.pointed
            if cell is not None:
                self.controller.explain(cell)

    def _follow(self) -> None:
        """Keep the agent's move in sight on a board that is larger than its area."""
        last, cell = self.controller.session.last, self.controller.note.cell
        if last is None or last.move.cell != cell or last is self._followed:
            return
        self._followed = last
        self.camera.reveal(last.move.cell)

    # ---- the mouse

    def _motion(self, place: tuple[int, int]) -> None:
        if self._pressed is not None:
            self._drag(place)
        self.mouse = place
        self.cursor = None
        if self._sliding:
            self._slide(place)
        if self.menu is not None and (entry := self.menu.entry_at(place)) is not None:
            self.menu.marked = entry

    def _drag(self, place: tuple[int, int]) -> None:
        assert self._pressed is not None
        moved = pygame.Vector2(place) - self._pressed
        if not self._dragged and moved.length() < DRAG * self.layout.scale:
            return
        self._dragged = self.camera.can_move
        if self._dragged:
            self.camera.move(place[0] - self.mouse[0], place[1] - self.mouse[1])

    def _press(self, event: pygame.Event) -> None:
        place, button = self.screen.to_pixels(event.pos), event.button
        if button > 3:
            return
        self.mouse = place
        self.cursor = None
        if self.welcome:
            if button == 1 and play_button(self.layout).rect.collidepoint(place):
                self.command("play")
        elif self.menu is not None:
            self._take(self.menu.entry_at(place))
        elif (control := self._control_at(place)) is not None:
            if button == 1:
                self._use(control)
        else:
            self._press_board(place, button)

    def _press_board(self, place: tuple[int, int], button: int) -> None:
        cell = self.camera.cell_at(place)
        if button == 1 and self.camera.area.collidepoint(place):
            self._pressed, self._dragged = place, False
        elif cell is not None and button == 3:
            self.controller.mark(cell)
        elif cell is not None:
            self.controller.chord(cell)

    def _release(self, event: pygame.Event) -> None:
        if event.button != 1:
            return
        pressed, self._pressed = self._pressed, None
        dragged, self._dragged = self._dragged, False
        self._sliding = False
        if pressed is None or dragged:
            return
        cell = self.camera.cell_at(self.screen.to_pixels(event.pos))
        if cell is not None and cell == self.camera.cell_at(pressed):
            self.controller.click(cell)

    def _wheel(self, event: pygame.Event) -> None:
        if self.welcome or self.menu is not None or not self.layout.board.collidepoint(self.mouse):
            return
        self.camera.zoom(getattr(event, "precise_y", event.y) or event.y, self.mouse)

    def _zoom(self, steps: int) -> None:
        cell = self.pointed
        at = self.layout.board.center if cell is None else self.camera.rect_of(cell).center
        self.camera.zoom(steps, at)

    def _control_at(self, place: tuple[int, int]) -> Control | None:
        hit = (c for c in self.panel().controls if c.rect.collidepoint(place))
        return next((control for control in hit if control.enabled), None)

    def _use(self, control: Control) -> None:
        if control.kind == "slider":
            self._sliding = True
            self._slide(self.mouse)
        else:
            self.command(control.command)

    def _slide(self, place: tuple[int, int]) -> None:
        slider = next(c for c in self.panel().controls if c.kind == "slider")
        track = slider_track(slider.rect, self.layout.scale)
        share = (place[0] - track.x) / track.width
        self.controller.pace.choose(round(share * (len(SPEEDS) - 1)))

    # ---- the keyboard

    def _key(self, event: pygame.Event) -> None:
        if not self._held.press(event):
            return
        if self.menu is not None:
            self._key_in_menu(event.key)
        elif self.welcome:
            if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE):
                self.command("play")
        elif event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            if event.key in WITH_CONTROL:
                self.command(WITH_CONTROL[event.key])
        elif event.key in ARROWS:
            down, right = ARROWS[event.key]
            far = 5 if event.mod & pygame.KMOD_SHIFT else 1
            self._move_cursor(down * far, right * far)
        elif (name := command_of(event)) is not None:
            self.command(name)

    def _key_in_menu(self, key: int) -> None:
        assert self.menu is not None
        count = len(self.menu.entries)
        if key in (pygame.K_UP, pygame.K_DOWN):
            self.menu.marked = (self.menu.marked + (1 if key == pygame.K_DOWN else -1)) % count
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self._take(self.menu.marked)
        elif key == pygame.K_ESCAPE or key in KEYS:
            self.menu = None

    def _move_cursor(self, down: int, right: int) -> None:
        grid = self.controller.session.rules.grid
        start = self.pointed
        if start is None:
            self.cursor = Cell(grid.rows // 2, grid.columns // 2)
        else:
            row = min(max(start.row + down, 0), grid.rows - 1)
            self.cursor = Cell(row, min(max(start.column + right, 0), grid.columns - 1))
        self.mouse = (-1, -1)
        self.camera.reveal(self.cursor)

    # ---- choosers, themes and the rest

    def _open_menu(self, command: str) -> None:
        control = next(c for c in self.panel().controls if c.command == command)
        self.menu = make_menu(control, self.controller)
        self.menu.place(self.layout)

    def _take(self, number: int | None) -> None:
        menu, self.menu = self.menu, None
        self._drawn = None
        if menu is not None and number is not None:
            take(menu, number, self.controller)
            self.cursor = None

    def _quit(self) -> None:
        self.running = False

    def _escape(self) -> None:
        self.controller.stop()
        self.cursor = None

    def _change_theme(self) -> None:
        self.theme = "dark" if self.theme == "light" else "light"

    def _show_welcome(self, shown: bool) -> None:
        self.welcome = shown
        if shown:
            self.controller.stop()
