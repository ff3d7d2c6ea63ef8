"""The full screen of `play` and `watch`: a board with text beside or below it, keys and the mouse.

A view says what to show and what keys do. prompt_toolkit draws it and reads the keys, on Windows
too. It is loaded only for a full screen.
"""

from __future__ import annotations

import asyncio
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseButton, MouseEventType
from rich.console import Console
from rich.text import Text

from mineproof import Board, Cell, Observation
from mineproof.cli.moves import wrapped
from mineproof.cli.text import Sign, Viewport, draw, fit, hidden_text, tiles_for
from mineproof.core.interrupts import INTERRUPTED

LEAST_WIDTH = 40
"""The minimum width of the left side (board and lines below it) when a panel is shown."""
GAP = 3
"""Number of blank columns between the board and the panel beside it."""
PANEL, MOST_PANEL = 34, 90
"""The smallest and the largest width of the panel. In a narrower window the text is below."""
LEAST_ROWS = 8
"""Number of rows of the board that a message never covers."""
SECONDS = 0.25
"""Seconds between two checks of the clock."""
DIM = "bright_black"
NAMES = {
    " ": "space", "c-m": "enter", "c-j": "enter", "c-d": "end of input",
    "pageup": "page up", "pagedown": "page down",
}  # fmt: skip
"""Keys that prompt_toolkit names differently."""
BUTTONS = {MouseButton.LEFT: "left", MouseButton.RIGHT: "right"}
SCROLLS = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}
PAGE_KEYS = {"up": -1, "down": 1, "page up": -10, "page down": 10, "space": 10}


@dataclass(frozen=True)
class Frame:
    """The contents of a view at one moment."""

    title: Text
    seen: Observation
    board: Board | None
    """The mines, if they may be shown."""
    focus: Cell | None
    """The cell in brackets, which stays in view."""
    status: str
    message: Sequence[str | Text]
    """An answer to the player. It may cover a part of a large board."""
    moves: Sequence[Text]
    """The moves, latest first. They fill the space that is left."""
    keys: str
    notes: dict[int, Sign] | None = None
    letters: int = 1
    """Characters per cell."""


class Drawn(NamedTuple):
    """The lines of a screen, and the row and column of the cursor."""

    lines: list[Text]
    cursor: tuple[int, int] = (0, 0)


class View(ABC):
    """A board with text, and what keys and clicks do."""

    def __init__(self, console: Console, plain: bool = False) -> None:
        self.screen_console = console
        self.tiles = {} if plain else tiles_for(console)
        self.prompt = ""
        """The beginning of the line that the player types; empty if keys are commands."""
        self.size = console.size.width, console.size.height
        self.redraw: Callable[[], None] = lambda: None
        self.exit: Callable[[], None] = lambda: None
        self.has_ended = False
        self._page: list[Text] = []
        self._top = 0
        self._viewport: Viewport | None = None
        self._corner, self._step = (0, 0), 2

    @abstractmethod
    def frame(self) -> Frame:
        """Return what to show now."""

    @abstractmethod
    def press(self, key: str) -> bool:
        """Handle a key; return False to leave."""

    def click(self, button: str, cell: Cell) -> bool:
        """Handle a click on a cell; return False to leave."""
        return True

    def typed(self, line: str) -> bool:
        """Handle a typed line; return False to leave."""
        return True

    # ---- keys and clicks

    def leave(self) -> None:
        """Leave the screen, from any thread."""
        self.has_ended = True
        self.exit()

    def on_key(self, key: str) -> bool:
        """Scroll a long text, or handle the key; return False to leave."""
        if not self._page:
            return self.press(key)
        if key in PAGE_KEYS:
            self._top += PAGE_KEYS[key]
        else:
            self._page = []
        return True

    def on_click(self, button: str, row: int, column: int) -> bool:
        """Handle a click on the screen; return False to leave."""
        shown, (top, left) = self._viewport, self._corner
        if self._page or shown is None:
            return self.on_key("click")
        row, column = row - top, (column - left) // self._step
        if row not in range(len(shown.rows)) or column not in range(len(shown.columns)):
            return True
        return self.click(button, Cell(shown.rows[row], shown.columns[column]))

    def show_page(self, lines: Sequence[str | Text]) -> None:
        """Show a long text instead of the board, until the player presses another key."""
        self._page, self._top = wrapped(lines, self.size[0]), 0

    # ---- drawing

    def picture(self, width: int, height: int) -> Drawn:
        """Return the lines of a screen of this size."""
        self.size = width, height
        if self._page:
            return Drawn(self._page_lines(height))
        frame = self.frame()
        grid = frame.seen.grid
        board_width = len(str(grid.rows - 1)) + 2 + grid.columns * (frame.letters + 1)
        board_width = max(board_width, LEAST_WIDTH)
        beside = min(width - board_width - GAP, MOST_PANEL)
        if beside >= PANEL:
            below = wrapped([frame.status], board_width)
            lines, cursor = self._board(frame, board_width, height - 2 - len(below), below)
            lines = _joined(lines, self._panel(frame, beside, height - 2), board_width + GAP)
        else:
            below = self._below(frame, width, height)
            lines, cursor = self._board(frame, width, height - 2 - len(below), below)
            lines += frame.moves[: max(0, height - 2 - len(lines))]
        lines = [frame.title, *lines, *[Text()] * (height - 2 - len(lines))][: height - 1]
        lines.append(Text(frame.keys, DIM))
        return Drawn([self._cut(line, width) for line in lines], cursor)

    def _page_lines(self, height: int) -> list[Text]:
        room = height - 1
        self._top = max(0, min(self._top, len(self._page) - room))
        shown = [line.copy() for line in self._page[self._top : self._top + room]]
        more = "Up and down scroll, any other" if len(self._page) > room else "Any"
        return [*shown, *[Text()] * (room - len(shown)), Text(f"{more} key goes back", DIM)]

    def _below(self, frame: Frame, width: int, height: int) -> list[Text]:
        """Return the status and the message; open a page if the message is too long."""
        status = wrapped([frame.status], width)
        message = wrapped(frame.message, width)
        heading = len(str(frame.seen.grid.columns - 1))
        board = min(frame.seen.grid.rows, LEAST_ROWS) + heading
        room = max(3, height - 3 - board - len(status))
        if len(message) > room:
            message = [*message[: room - 1], Text("(The rest does not fit: press W.)", DIM)]
        return [*status, *message]

    def _panel(self, frame: Frame, width: int, height: int) -> list[Text]:
        """Return the lines beside the board: the message, then the moves, the latest in full."""
        lines = wrapped(frame.message, width)
        if len(lines) > height - 2:
            lines = [*lines[: height - 3], Text("(The rest does not fit: press W.)", DIM)]
        lines += [Text()] if lines else []
        lines.append(Text("Moves, latest first" if frame.moves else "", "bold"))
        lines += wrapped(frame.moves[:1], width, indent=5)
        lines += [self._cut(move, width) for move in frame.moves[1:height]]
        return lines[:height]

    def _cut(self, line: Text, width: int) -> Text:
        """Return a line cut to the width, with three dots if the terminal has them."""
        line = line.copy()
        line.truncate(width, overflow="ellipsis" if self.tiles else "crop")
        return line

    def _board(
        self, frame: Frame, width: int, room: int, below: Sequence[Text]
    ) -> tuple[list[Text], tuple[int, int]]:
        """Return the board with the lines below it, and the place of the cursor."""
        grid, self._step = frame.seen.grid, frame.letters + 1
        shown = fit(grid, width, room, frame.focus, self._step)
        if hidden := hidden_text(grid, shown):
            shown = fit(grid, width, room - 1, frame.focus, self._step)
            below = [Text(hidden_text(grid, shown) or hidden, "yellow"), *below]
        drawn = draw(
            frame.seen, frame.board, last=frame.focus, notes=frame.notes, viewport=shown,
            letters=frame.letters, tiles=self.tiles,
        )  # fmt: skip
        self._viewport = shown
        self._corner = 1 + len(str(shown.columns[-1])), len(str(grid.rows - 1)) + 1
        row, column = frame.focus or Cell(shown.rows[0], shown.columns[0])
        place = (
            self._corner[0] + row - shown.rows[0],
            self._corner[1] + (column - shown.columns[0] + 1) * self._step - 1,
        )
        return [*drawn.split("\n"), *below], place


def _joined(left: Sequence[Text], right: Sequence[Text], width: int) -> list[Text]:
    """Put two columns of lines beside each other."""
    lines = []
    for row in range(max(len(left), len(right))):
        line = left[row].copy() if row < len(left) else Text()
        line.rstrip()
        if row < len(right):
            line.append(" " * (width - line.cell_len)).append_text(right[row])
        lines.append(line)
    return lines


# ---- prompt_toolkit


def run(view: View, words: Sequence[str] = (), **streams: Any) -> None:
    """Show a view until the player leaves, and restore the terminal in every case.

    Args:
        view: what to show.
        words: the words that Tab completes in a typed line.
        **streams: the input and output of a test.

    Raises:
        KeyboardInterrupt: the player pressed Ctrl-C.
        SystemExit: the program was asked to end, or its window was closed.
    """
    screen = _Screen(view, words, streams)
    status = screen.app.run(pre_run=screen.start)
    if screen.error is not None:
        raise screen.error
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status:
        raise SystemExit(status)


class _Screen:
    """Connects a view to prompt_toolkit."""

    def __init__(self, view: View, words: Sequence[str], streams: dict[str, Any]) -> None:
        self.view = view
        self.error: Exception | None = None
        self._cursor = (0, 0)
        self._drawn: Drawn | None = None  # drawing costs more than comparing
        self._shown: list[Any] = []
        completer, history = WordCompleter(list(words)), InMemoryHistory()
        self.line = Buffer(
            completer=completer, history=history, multiline=False, accept_handler=self._accept
        )
        control = FormattedTextControl(
            self._fragments, focusable=True, get_cursor_position=lambda: Point(*self._cursor)
        )
        self.main = Window(control)
        is_typing = Condition(lambda: bool(view.prompt))
        prompt = BeforeInput(lambda: view.prompt)
        typing = Window(BufferControl(self.line, input_processors=[prompt]), height=1)
        self.typing = typing
        self.app: Application[int] = Application(
            layout=Layout(HSplit([self.main, ConditionalContainer(typing, is_typing)])),
            key_bindings=self._bindings(is_typing),
            full_screen=True,
            mouse_support=Condition(lambda: not view.prompt),
            refresh_interval=SECONDS,
            **streams,
        )
        self.app.ttimeoutlen = self.app.timeoutlen = 0.05
        view.redraw = self.app.invalidate
        view.exit = self._leave

    def start(self) -> None:
        """End cleanly if the program is asked to end, or if its window is closed."""
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError, RuntimeError):  # Windows, tests
                number = getattr(signal, name)
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self._end, 128 + number)
        if self.view.has_ended:
            self._leave()

    def _leave(self) -> None:
        """End from another thread."""
        if self.app.loop is not None:
            self.app.loop.call_soon_threadsafe(self._end)

    def _end(self, status: int = 0) -> None:
        if not self.app.is_done:
            self.app.exit(result=status)

    def _bindings(self, is_typing: Condition) -> KeyBindings:
        keys = KeyBindings()
        for name in ("c-c", "<sigint>"):
            keys.add(name, filter=~is_typing)(lambda _event: self._end(INTERRUPTED))
        for name in ("c-c", "<sigint>", "c-d", "escape"):
            keys.add(name, filter=is_typing)(lambda _event: self._type(""))
        keys.add("c-z")(lambda event: event.app.suspend_to_background())
        keys.add("c-l", filter=~is_typing)(lambda event: event.app.renderer.clear())
        keys.add("<any>", filter=~is_typing)(self._press)
        return keys

    def _press(self, event: Any) -> None:
        key = str(getattr(event.key_sequence[0].key, "value", event.key_sequence[0].key))
        self._do(lambda: self.view.on_key(NAMES.get(key, key)))

    def _mouse(self, event: Any) -> None:
        place = event.position
        if event.event_type in SCROLLS:
            self._do(lambda: self.view.on_key(SCROLLS[event.event_type]))
        elif event.event_type == MouseEventType.MOUSE_DOWN and event.button in BUTTONS:
            self._do(lambda: self.view.on_click(BUTTONS[event.button], place.y, place.x))

    def _accept(self, line: Any) -> bool:
        self._type(line.text.strip())
        return False

    def _type(self, text: str) -> None:
        self.view.prompt = ""
        self.line.reset()
        self._do(lambda: self.view.typed(text))

    def _do(self, action: Callable[[], bool]) -> None:
        """Run an action of the view; end if it says so or fails."""
        try:
            goes_on = action()
        except Exception as error:
            self.error, goes_on = error, False
        if not goes_on:
            self._end()
        else:
            self.app.layout.focus(self.typing if self.view.prompt else self.main)

    def _fragments(self) -> Any:
        """Return the picture in prompt_toolkit's form; every part of it reports clicks."""
        size = self.app.output.get_size()
        picture = self.view.picture(size.columns, size.rows)
        if picture == self._drawn:
            return self._shown
        self._cursor = picture.cursor[1], picture.cursor[0]
        console = self.view.screen_console
        with console.capture() as captured:
            for line in picture.lines:
                console.print(line, no_wrap=True, overflow="ignore", crop=False)
        parts = to_formatted_text(ANSI(captured.get().rstrip("\n")))
        self._drawn, self._shown = picture, [(part[0], part[1], self._mouse) for part in parts]
        return self._shown
