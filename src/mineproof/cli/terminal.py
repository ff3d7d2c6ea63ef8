"""The terminal as a screen: keys and mouse come as events; it is always given back as it was.

It is given back after Ctrl-C, errors and SIGTERM, and for as long as Ctrl-Z puts it aside.
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
"""How long the rest of a sequence may take; an escape without one is the key."""

_SEQUENCE = re.compile(
    rb"\x1b\[<(?P<button>\d{1,4});(?P<column>\d{1,5});(?P<row>\d{1,5})(?P<press>[Mm])"
    rb"|\x1b[\[O](?P<letter>[A-DFH])"
    rb"|\x1b\[(?P<number>\d{1,2})~"
    rb"|\x1b\[[0-9;?<]{0,30}[@-~]"  # any other, which means nothing here
)
_BEGINNING = re.compile(rb"\x1b([\[O][0-9;?<]{0,30})?")
_LETTERS = dict(zip("ABCDHF", ("up", "down", "right", "left", "home", "end"), strict=True))
_NUMBERS = {"1": "home", "4": "end", "5": "page up", "6": "page down", "7": "home", "8": "end"}
_CONTROLS = {4: "end of input", 9: "tab", 10: "enter", 12: "redraw", 13: "enter", 32: "space"}
_WHEEL = {64: "up", 65: "down"}


class KeyPress(NamedTuple):
    """A key: its letter, or its name such as `up`, `enter`, `space`."""

    name: str


class MousePress(NamedTuple):
    """A button of the mouse, pressed on a character; rows and columns count from 0."""

    button: str
    row: int
    column: int


Event = KeyPress | MousePress


def read_events(data: bytes) -> tuple[list[Event], bytes]:
    """Cut what a terminal sent into events; gives the rest, which may be half a sequence."""
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
    code = int(parts["button"]) & ~0b11100  # without shift, meta and control
    if code in _WHEEL:
        return [KeyPress(_WHEEL[code])]
    button = {0: "left", 2: "right"}.get(code)
    row, column = int(parts["row"]) - 1, int(parts["column"]) - 1
    return [MousePress(button, row, column)] if button else []


def hindrance() -> str:
    """Say why there can be no screen here; empty if there can.

    A reason that a person should know of begins with a capital letter.
    """
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return "input or output is no terminal"
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return "this terminal cannot move its cursor"
    if not _has_termios:
        return "This system has no keys and mouse for the terminal here: type the commands."
    return ""


class Terminal:
    """The screen while it is ours; a context manager."""

    def __init__(self) -> None:
        """Keep what the terminal is like."""
        self.is_stale = False
        """Whether what was drawn is gone: after Ctrl-Z."""
        self._source = sys.stdin.fileno()
        self._before: Any = None
        self._handlers: dict[int, Any] = {}
        self._events: deque[Event] = deque()
        self._rest = b""

    def __enter__(self) -> Self:
        """Take the screen."""
        self._before = termios.tcgetattr(self._source)
        actions = {signal.SIGTSTP: self._suspend, signal.SIGTERM: _end, signal.SIGHUP: _end}
        for number, action in actions.items():
            self._handlers[number] = signal.signal(number, action)
        self._take()
        return self

    def __exit__(self, *_error: object) -> None:
        """Give it back as it was."""
        self.close()

    def close(self) -> None:
        """Give the screen back, for good; a second time nothing is left to do."""
        if self._handlers:
            self._give_back()
        while self._handlers:
            signal.signal(*self._handlers.popitem())

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._source)
            if columns and rows:
                return columns, rows
        return 80, 24

    def write(self, text: str) -> None:
        """Send text and codes to the screen."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def next_event(self, seconds: float) -> Event | None:
        """Wait for a key or a click; None when none came in time."""
        while not self._events and self._read(ESCAPE_SECONDS if self._rest else seconds):
            pass
        return self._events.popleft() if self._events else None

    @contextmanager
    def typing(self, row: int) -> Iterator[None]:
        """Let a line be typed and edited in a row of the screen."""
        self.write(f"{MOUSE_OFF}{SHOW}\x1b[{row + 1};1H\x1b[K")
        termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)
        try:
            yield
        finally:
            self._take(again=True)

    def _read(self, seconds: float) -> bool:
        """Take in one byte: what was typed ahead is left to whoever reads next.

        Returns:
            Whether more may make an event; False when time is up.
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
        tty.setcbreak(self._source, termios.TCSADRAIN)  # what was typed ahead stays
        self.write(("" if again else SCREEN_ON) + MOUSE_ON)

    def _give_back(self) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone needs nothing
            self.write(MOUSE_OFF + SHOW + SCREEN_OFF)
            termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)

    def _suspend(self, _number: int, _frame: FrameType | None) -> None:
        """Stop as Ctrl-Z asks, with the terminal given back; go on when we are continued."""
        self._give_back()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, ours)
        self._take()
        self.is_stale = True


def _end(number: int, _frame: FrameType | None) -> None:
    """End the program by the way of an exception, so that the terminal is given back."""
    raise SystemExit(128 + number)
