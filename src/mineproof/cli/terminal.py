"""The terminal as a full screen with key and mouse events.

Its state is always restored: at the end, after Ctrl-C, errors and SIGTERM, and during Ctrl-Z.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple, Self

try:
    import termios
    import tty
except ImportError:  # Windows
    _has_termios = False
else:
    _has_termios = True

SHOW, HIDE = "\x1b[?25h", "\x1b[?25l"
MOUSE_ON, MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
SCREEN_ON, SCREEN_OFF = "\x1b[?1049h", "\x1b[?1049l"
ESCAPE_SECONDS = 0.05
"""Seconds to wait for the rest of an escape sequence. If none comes, it was the Escape key."""

_SEQUENCE = re.compile(
    rb"\x1b\[<(?P<button>\d{1,4});(?P<column>\d{1,5});(?P<row>\d{1,5})(?P<press>[Mm])"
    rb"|\x1b[\[O](?P<letter>[A-DFH])"
    rb"|\x1b\[(?P<number>\d{1,2})~"
    rb"|\x1b\[[0-9;?<]{0,30}[@-~]"  # any other sequence is ignored
)
_BEGINNING = re.compile(rb"\x1b([\[O][0-9;?<]{0,30})?")
_LETTERS = dict(zip("ABCDHF", ("up", "down", "right", "left", "home", "end"), strict=True))
_NUMBERS = {"1": "home", "4": "end", "5": "page up", "6": "page down", "7": "home", "8": "end"}
_CONTROLS = {4: "end of input", 9: "tab", 10: "enter", 12: "redraw", 13: "enter", 32: "space"}
_WHEEL = {64: "up", 65: "down"}


class KeyPress(NamedTuple):
    """A key, identified by its letter or its name, such as `up`, `enter` or `space`."""

    name: str


class MousePress(NamedTuple):
    """A mouse button pressed at a position; rows and columns count from 0."""

    button: str
    row: int
    column: int


Event = KeyPress | MousePress


def read_events(data: bytes) -> tuple[list[Event], bytes]:
    """Split bytes into events. Also return the rest, which may be an incomplete sequence."""
    found: list[Event] = []
    position = 0
    while position < len(data):
        if data[position] != 0x1B:
            found += _key(data[position])
            position += 1
        elif match := _SEQUENCE.match(data, position):
            found += _sequence(match)
            position = match.end()
        elif _BEGINNING.fullmatch(data, position):
            break
        else:
            found.append(KeyPress("escape"))
            position += 1
    return found, data[position:]


def _key(byte: int) -> list[Event]:
    if byte in _CONTROLS:
        return [KeyPress(_CONTROLS[byte])]
    return [KeyPress(chr(byte))] if 32 < byte < 127 else []


def _sequence(match: re.Match[bytes]) -> list[Event]:
    parts = {name: value.decode() for name, value in match.groupdict().items() if value}
    if "letter" in parts:
        return [KeyPress(_LETTERS[parts["letter"]])]
    if "number" in parts:
        name = _NUMBERS.get(parts["number"])
        return [KeyPress(name)] if name else []
    return _mouse(parts) if parts.get("press") == "M" else []


def _mouse(parts: dict[str, str]) -> list[Event]:
    code = int(parts["button"]) & ~0b11100  # ignore Shift, Meta and Control
    if code in _WHEEL:
        return [KeyPress(_WHEEL[code])]
    button = {0: "left", 2: "right"}.get(code)
    row, column = int(parts["row"]) - 1, int(parts["column"]) - 1
    return [MousePress(button, row, column)] if button else []


def hindrance() -> str:
    """Return why full screen is impossible here; empty if it is possible.

    A reason that the player should see starts with a capital letter.
    """
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return "input or output is not a terminal"
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return "this terminal cannot move its cursor"
    if not _has_termios:
        return "Keys and mouse do not work on this system. Type commands instead."
    return ""


class Terminal:
    """A context manager that holds the full screen."""

    def __init__(self) -> None:
        self.is_stale = False
        """Whether the screen must be redrawn, because Ctrl-Z cleared it."""
        self._source = sys.stdin.fileno()
        self._before: Any = None
        self._handlers: dict[int, Any] = {}
        self._events: deque[Event] = deque()
        self._rest = b""

    def __enter__(self) -> Self:
        """Switch to full screen."""
        self._before = termios.tcgetattr(self._source)
        actions = {signal.SIGTSTP: self._suspend, signal.SIGTERM: _end, signal.SIGHUP: _end}
        for number, action in actions.items():
            self._handlers[number] = signal.signal(number, action)
        self._take()
        return self

    def __exit__(self, *_error: object) -> None:
        """Restore the terminal."""
        self.close()

    def close(self) -> None:
        """Restore the terminal for good; a second call does nothing."""
        if self._handlers:
            self._give_back()
        while self._handlers:
            signal.signal(*self._handlers.popitem())

    @property
    def size(self) -> tuple[int, int]:
        """The size in columns and rows."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._source)
            if columns and rows:
                return columns, rows
        return 80, 24

    def write(self, text: str) -> None:
        """Write text and control codes to the screen."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def next_event(self, seconds: float) -> Event | None:
        """Wait for a key or a click; return None if the time is up."""
        while not self._events and self._read(ESCAPE_SECONDS if self._rest else seconds):
            pass
        return self._events.popleft() if self._events else None

    @contextmanager
    def typing(self, row: int) -> Iterator[None]:
        """Allow typing and editing a line in a row of the screen."""
        self.write(f"{MOUSE_OFF}{SHOW}\x1b[{row + 1};1H\x1b[K")
        termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)
        try:
            yield
        finally:
            self._take(again=True)

    def _read(self, seconds: float) -> bool:
        """Read one byte, and leave the rest for `typing`, which may read it next.

        Returns:
            False if the time is up.
        """
        ready, _, _ = select.select([self._source], [], [], seconds)
        if not ready:
            if self._rest:
                self._rest = b""
                self._events.append(KeyPress("escape"))
            return False
        try:
            data = os.read(self._source, 1)
        except OSError:
            data = b""
        found, self._rest = read_events(self._rest + (data or b"\x04"))
        self._events.extend(found)
        return True

    def _take(self, again: bool = False) -> None:
        tty.setcbreak(self._source, termios.TCSADRAIN)  # keeps keys that were already typed
        self.write(("" if again else SCREEN_ON) + MOUSE_ON)

    def _give_back(self) -> None:
        with suppress(OSError, ValueError):  # the terminal may be closed
            self.write(MOUSE_OFF + SHOW + SCREEN_OFF)
            termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)

    def _suspend(self, _number: int, _frame: FrameType | None) -> None:
        """Handle Ctrl-Z: restore the terminal, suspend, and switch to full screen afterwards."""
        self._give_back()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, ours)
        self._take()
        self.is_stale = True


def _end(number: int, _frame: FrameType | None) -> None:
    """End the program with an exception, so that the terminal is restored."""
    raise SystemExit(128 + number)
