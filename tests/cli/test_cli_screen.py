"""The command `mineproof play` in a terminal: keys, mouse, typed lines and cleanup."""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import mineproof as mw
from mineproof import advice
from mineproof.cli.player_tools import Helper
from mineproof.cli.screen import HELP, KEYS, ScreenGame
from mineproof.cli.terminal import (
    MOUSE_OFF,
    SCREEN_OFF,
    SCREEN_ON,
    Event,
    KeyPress,
    MousePress,
    read_events,
)
from mineproof.notation.records import Record, format_record, read_records
from mineproof.session import Session

termios = pytest.importorskip("termios", reason="there are no such terminals here")

ROW = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 0), (2,), (), None)
SECONDS = 60.0
START = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Window:
    """A terminal that runs the program, with methods that act like a person at the keyboard."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 60,
        rows: int = 16,
        term: str = "xterm",
        folder: Path | None = None,
    ) -> None:
        self.person, self.terminal = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.terminal)
        names = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR",)}
        program = [sys.executable, "-c", START, "-m", "mineproof", "play", *arguments]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), self.terminal)
        self.process = subprocess.Popen(
            program, cwd=folder, start_new_session=True, env=names | {"TERM": term}, **pipes
        )
        self.output = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(
            "replace"
        )  # a read may end in the middle of a character

    def resize(self, columns: int, rows: int) -> None:
        termios.tcsetwinsize(self.terminal, (rows, columns))

    def send(self, text: str) -> None:
        os.write(self.person, text.encode())

    def wait(self, text: str) -> str:
        """Wait until text appears on the screen, and return the screen without control codes."""
        end = time.monotonic() + SECONDS
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} in {self.screen!r}"
            self._read()
        return self.screen

    def press_until(self, key: str, text: str) -> None:
        """Press a key repeatedly until text appears, because keys pressed too early are lost."""
        for _ in range(6):
            self.send(key)
            end = time.monotonic() + SECONDS / 6
            while time.monotonic() < end:
                self._read()
                if text in self.screen:
                    return
        raise AssertionError(f"no {text!r} in {self.screen!r}")

    @property
    def screen(self) -> str:
        """All output since the last picture began, without control codes."""
        return CODES.sub("", self.output.rpartition("\x1b[H")[2])

    def ended(self) -> int:
        """Wait until the program ends, and return its exit status."""
        end = time.monotonic() + SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            self._read()
        while self._read():
            pass
        return self.process.wait(1)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.person)
        os.close(self.terminal)

    def _read(self) -> bool:
        ready = bool(select.select([self.person], [], [], 0.1)[0])
        if ready:
            self.output += self._decoder.decode(os.read(self.person, 65536))
        return ready


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a saved game on a one-row board, with a mine in column 2 and the first cell open."""
    file = tmp_path / "game.json"
    file.write_text(format_record(ROW) + "\n")
    return file


@pytest.fixture
def window(game: Path) -> Iterator[Window]:
    found = Window(str(game), "--agent", "basic")
    try:
        found.wait("0 [ ]1 . . . .")
        yield found
    finally:
        found.close()


def test_a_game_is_won_with_keys(window: Window, game: Path) -> None:
    """When the program ends, it restores the terminal and leaves the last board on the screen."""
    window.send("\x1b[C\x1bOCm")
    window.wait("0    1[F]. . .")
    window.send("s")
    window.wait("Saved to")
    window.send("u")
    window.wait("0    1[.]. . .")
    window.send("\x1b[F ")
    assert "0    1 m 1  [ ]" in window.wait("won after 1 move")
    window.send("q")
    assert window.ended() == 0
    assert termios.tcgetattr(window.terminal) == window.before
    given_back = window.output.index(MOUSE_OFF)
    assert window.output.index(SCREEN_OFF) > given_back
    assert "won after 1 move" in window.output[given_back:]
    (saved,) = read_records(game)
    assert [str(step.move) for step in saved.steps] == ["mark 0,2"]


def test_the_mouse_opens_flags_and_chords(window: Window) -> None:
    """Clicks open, flag and chord. Button releases and clicks outside the board do nothing."""
    window.send("\x1b[<2;8;3M\x1b[<2;8;3m")
    window.wait("0    1[F]. . .")
    window.send("\x1b[<0;10;3M\x1b[<0;10;3m\x1b[<0;50;12M")
    window.wait("0    1 F[1]. .")
    window.send("\x1b[<0;10;3M")
    assert "won after 3 moves" in window.wait("won after")


def test_help_hint_why_risks_and_the_agent(window: Window) -> None:
    window.send("?")
    window.wait("key goes back")
    window.send("x")
    window.send("h")
    window.wait("Look near row 0")
    window.send("r")
    window.wait("** ++ ++ ++")
    window.send("r\x1b[C\x1b[Cw")
    window.wait("(0, 2) is a mine.")
    window.send("a")
    window.wait("   1 open (0, ")


def test_a_line_is_typed_and_edited(window: Window) -> None:
    window.send(":whx\x7fy 0 2\r")
    window.wait("(0, 2) is a mine.")
    window.send("/")
    window.send("dance\r")
    window.wait("Unknown command dance")
    window.send(":")
    window.wait("\N{HORIZONTAL ELLIPSIS}:")
    window.output = ""
    window.press_until("\x03", "1 mine left")  # Ctrl-C cancels the line, not the game
    window.send(":quit\r")
    assert window.ended() == 0


def test_leaving_an_unsaved_game_needs_a_second_press(window: Window) -> None:
    window.send("\x1b[C\x1b[Cmq")
    window.wait("Press q again to leave it")
    window.send("n")
    window.wait("Press n again to leave it")
    window.send("qq")
    assert window.ended() == 0


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_signals_restore_the_terminal(window: Window, number: signal.Signals, status: int) -> None:
    if number == signal.SIGINT:
        window.send("\x03")
    else:
        window.process.send_signal(number)
    assert window.ended() == status
    assert termios.tcgetattr(window.terminal) == window.before
    assert SCREEN_OFF in window.output
    assert MOUSE_OFF in window.output


def test_sigterm_saves_an_unsaved_game(tmp_path: Path) -> None:
    window = Window("9x9/10:s7", "--agent", "basic", folder=tmp_path)
    try:
        window.wait("[.]")
        window.send(" m\x1b[B\x1b[Bm")
        window.wait("9 mines left")
        window.process.send_signal(signal.SIGTERM)
        assert window.ended() == 128 + signal.SIGTERM
        assert "mineproof play mineproof-unsaved-1.json" in window.output
        (kept,) = read_records(tmp_path / "mineproof-unsaved-1.json")
        assert [str(step.move) for step in kept.steps] == ["mark 2,0"]
    finally:
        window.close()


def test_suspending_restores_the_terminal(window: Window) -> None:
    window.output = ""
    window.process.send_signal(signal.SIGTSTP)  # without a shell, the process continues immediately
    end = time.monotonic() + SECONDS
    while SCREEN_ON not in window.output and time.monotonic() < end:
        window._read()
    window.wait("0 [ ]1 . . . .")
    assert 0 <= window.output.index(SCREEN_OFF) < window.output.index(SCREEN_ON)


def test_resizing_redraws_the_board(window: Window) -> None:
    window.resize(24, 10)
    window.wait("1 mine left")
    window.send("\x1b[C\x1b[Cw")
    lines = window.wait("a mine.").replace("\r", "").split("\n")
    assert all(len(line) <= 24 for line in lines)
    words = " ".join(" ".join(lines).split())
    assert "has only one unopened neighbour" in words


def test_large_boards_scroll_with_the_cursor() -> None:
    window = Window("--level", "200x300/9000", "--seed", "1", columns=50, rows=14)
    try:
        window.wait("  0 [.].")
        window.send("\x1b[F" + "\x1b[6~" * 45)
        window.wait("199 ")
        window.wait("[.]")
    finally:
        window.close()


def test_dumb_terminals_have_typed_commands(game: Path) -> None:
    window = Window(str(game), term="dumb")
    try:
        window.wait("> ")
        window.send("open 0 5\n")
        window.wait("won after 1 move")
        window.send("quit\n")
        assert window.ended() == 0
        assert SCREEN_ON not in window.output
    finally:
        window.close()


def test_a_full_disk_keeps_the_old_save(game: Path) -> None:
    before = game.read_bytes()
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); "
    program = f"{limit}from mineproof.cli.main import main; sys.argv = {['x', 'play', str(game)]!r}"
    result = subprocess.run(
        [sys.executable, "-B", "-c", f"{program}; main()"],
        input=f"mark 0 2\nsave {game}\nopen 0 5\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert f"cannot use {game}: File too large" in result.stdout
    assert "won after 2 moves" in result.stdout
    assert game.read_bytes() == before
    assert [file.name for file in game.parent.iterdir()] == [game.name]


# ---- parts


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (b"a \r\n\x0c\x04", ["a", "space", "enter", "enter", "redraw", "end of input"]),
        (b"\x1b[A\x1bOB\x1b[5~\x1b[1~\x1b[Z", ["up", "down", "page up", "home"]),
        (b"\x1bx", ["escape", "x"]),
        ("ü".encode() + b"q", ["q"]),
        (b"\x1b[<64;1;1M\x1b[<65;1;1M", ["up", "down"]),
    ],
)
def test_bytes_become_keys(data: bytes, events: list[str]) -> None:
    assert read_events(data) == ([KeyPress(name) for name in events], b"")


def test_half_a_sequence_waits_for_its_rest() -> None:
    """The bytes of a key may arrive in several pieces."""
    data = b"x\x1b[<2;12;7M\x1b[B"
    whole = [KeyPress("x"), MousePress("right", 6, 11), KeyPress("down")]
    for cut in range(len(data)):
        first, rest = read_events(data[:cut])
        second, rest = read_events(rest + data[cut:])
        assert (first + second, rest) == (whole, b"")


class NoTerminal:
    """A terminal that draws nothing."""

    size = (60, 20)
    is_stale = False

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> None:
        self.written += text

    def next_event(self, _seconds: float) -> Event | None:
        return KeyPress("x")


def sit_down(rules: mw.Rules = mw.BEGINNER) -> ScreenGame:
    """Return a game without a terminal."""
    console = Console(file=StringIO(), force_terminal=True, width=60, height=20)
    return ScreenGame(Session(rules, 7), Helper("basic"), console, NoTerminal())  # type: ignore[arg-type]


def test_a_bug_does_not_cost_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down()
    table.press(KeyPress("space"))

    def fail(*_arguments: object) -> None:
        raise RuntimeError("no idea")

    for name in ("hint", "why", "risks", "may_guess"):
        monkeypatch.setattr(advice, name, fail)
    for key in "hwrg":
        assert table.press(KeyPress(key))
        table._draw()
        assert "no idea" in " ".join(line.plain for line in table._message), key
    assert table.session.moves == ()
    assert table.session.step == 1


def test_every_key_is_in_the_help() -> None:
    for key in KEYS:
        assert re.search(rf"(^|[\s,]){re.escape(key)}([\s,]|$)", HELP), key


def test_given_cells_need_no_first_cell() -> None:
    assert "open a cell" not in sit_down(mw.EASY).status()
    assert "open a cell to begin" in sit_down().status()
