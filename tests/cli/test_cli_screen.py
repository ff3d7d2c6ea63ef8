"""The full screen of `mineproof play` and `mineproof watch`: keys, mouse, drawing and cleanup."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import mineproof as mw
from mineproof import advice
from mineproof.cli.play import TerminalGame
from mineproof.cli.player_tools import Helper
from mineproof.core.rules import with_options
from mineproof.core.words import percent
from mineproof.match.play import play
from mineproof.notation.records import Record, format_record, read_records
from mineproof.session import Session

termios = pytest.importorskip("termios", reason="there are no such terminals here")
pytest.importorskip("prompt_toolkit", reason="it draws the screens")
from mineproof.cli.play_screen import HELP, KEYS, ScreenGame  # noqa: E402
from mineproof.cli.screen import View, run  # noqa: E402
from mineproof.cli.watch_screen import ScreenViewer  # noqa: E402

ROW = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 0), (2,), (), None)
SECONDS = 20.0
START = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SCREEN_ON, SCREEN_OFF, MOUSE_OFF = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?1006l"


class Window:
    """A terminal that runs the program, with methods that act like a person at the keyboard."""

    def __init__(self, *arguments: str, term: str = "xterm", folder: Path | None = None) -> None:
        self.person, self.terminal = os.openpty()
        termios.tcsetwinsize(self.terminal, (16, 80))
        self.before = termios.tcgetattr(self.terminal)
        names = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR",)}
        program = [sys.executable, "-c", START, "-m", "mineproof", *arguments]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), self.terminal)
        self.process = subprocess.Popen(
            program, cwd=folder, start_new_session=True, env=names | {"TERM": term}, **pipes
        )
        self.output = ""

    def send(self, text: str) -> None:
        os.write(self.person, text.encode())

    def wait(self, text: str, again: str = "") -> None:
        """Wait until text is on the screen; Ctrl-L draws the whole screen again.

        Keep sending `again`: a click is lost if it comes right after a Ctrl-L.
        """
        end, keys = time.monotonic() + SECONDS, cycle([again, "\x0c"])
        while text not in CODES.sub("", self.output):
            assert time.monotonic() < end, f"no {text!r} in {self.output[-2000:]!r}"
            if not self._read():
                self.send(next(keys))
        self.output = ""

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
            self.output += os.read(self.person, 65536).decode(errors="replace")
        return ready


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a saved game on a one-row board, with a mine in column 2 and the first cell open."""
    file = tmp_path / "game.json"
    file.write_text(format_record(ROW) + "\n")
    return file


@pytest.fixture
def window(game: Path) -> Iterator[Window]:
    found = Window("play", str(game), "--agent", "basic")
    try:
        found.wait("? all")
        yield found
    finally:
        found.close()


# ---- in a terminal


def test_a_game_is_won_with_keys_mouse_and_typed_lines(window: Window, game: Path) -> None:
    """When the program ends, it restores the terminal and leaves the last board on the screen."""
    window.send("\x1b[C\x1bOCm")
    window.wait("0 mines left")
    window.send("s")
    window.wait("Saved to")
    window.send("\x1b[<2;8;3M\x1b[<2;8;3m")  # the right button removes the flag
    window.wait("1 mine left")
    window.send(":dancx\x7fe\r")
    window.wait("Unknown command dance")
    window.send(":whatever\x03")  # Ctrl-C cancels the line, not the game
    window.wait("won after 3 moves", again="\x1b[<0;14;3M")
    window.send("q")
    assert window.ended() == 0
    assert termios.tcgetattr(window.terminal) == window.before
    left = window.output.index(SCREEN_OFF)
    assert MOUSE_OFF in window.output
    assert "won after 3 moves" in window.output[left:]
    (saved,) = read_records(game)
    assert [str(step.move) for step in saved.steps] == ["mark 0,2"]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_signals_restore_the_terminal_and_save(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    window = Window("play", "9x9/10:s7", "--agent", "basic", folder=tmp_path)
    try:
        window.wait("? all")
        window.send(" m\x1b[B\x1b[Bm")
        window.wait("9 mines left")
        if number == signal.SIGINT:
            window.send("\x03")
        else:
            window.process.send_signal(number)
        assert window.ended() == status
        assert termios.tcgetattr(window.terminal) == window.before
        assert SCREEN_OFF in window.output
    finally:
        window.close()
    if number == signal.SIGTERM:
        (kept,) = read_records(tmp_path / "mineproof-unsaved-1.json")
        assert [str(step.move) for step in kept.steps] == ["mark 2,0"]


def test_a_watched_game_ends_by_itself_unless_a_key_is_pressed(tmp_path: Path) -> None:
    words = ("watch", "--level", "beginner", "--seed", "9", "--agent", "basic")
    window = Window(*words, "--delay", "0")
    try:
        assert window.ended() == 0
        assert window.output.index(SCREEN_ON) < window.output.index(SCREEN_OFF)
        assert "won after 28 moves, 3 guesses" in CODES.sub("", window.output)
    finally:
        window.close()
    file = tmp_path / "game.json"
    window = Window(*words, "--delay", "60", "--record", str(file))
    try:
        window.wait("move 0, 60 s per move")
        window.send("\x1b[C\x1b[C")
        window.wait("2 open (")
        window.send("q")
        assert window.ended() == 0
        assert "unfinished after 2 moves" in CODES.sub("", window.output)
        (saved,) = read_records(file)
        assert len(saved.steps) == 2
    finally:
        window.close()


def test_dumb_terminals_have_typed_commands(game: Path) -> None:
    window = Window("play", str(game), term="dumb")
    try:
        window.wait("> ")
        window.send("open 0 5\nquit\n")
        assert window.ended() == 0
        assert "won after 1 move" in window.output
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


# ---- views


def console(width: int = 80, height: int = 24, encoding: str = "utf-8") -> Console:
    """Return a terminal of this size."""
    file = TextIOWrapper(BytesIO(), encoding)
    return Console(file=file, force_terminal=True, width=width, height=height)


def sit_down(rules: mw.Rules = mw.BEGINNER, **size: Any) -> ScreenGame:
    """Return a game on a screen."""
    return ScreenGame(TerminalGame(Session(rules, 7), Helper("basic"), console(**size)))


def shown(view: View, width: int = 80, height: int = 24) -> list[str]:
    """Return the lines of a screen."""
    lines = [line.plain.rstrip() for line in view.picture(width, height).lines]
    assert len(lines) == height
    assert max(map(len, lines)) <= width
    return lines


def press(view: View, keys: str) -> list[str]:
    """Press keys, separated by blanks, and return the lines of the screen."""
    for key in keys.split():
        assert view.on_key(key.replace("_", " ")), key
        shown(view)
    return shown(view)


def test_columns_off_screen_are_named() -> None:
    """With risks, 30 columns do not fit into 80 characters."""
    table = sit_down(with_options(mw.EXPERT, start="opening"))
    assert not any("Off-screen" in line for line in press(table, "space"))
    assert "Off-screen: columns 25 to 29" in press(table, "r")
    assert "Off-screen: columns 0 to 4" in press(table, "end")
    assert "Off-screen: rows 10 to 15" in shown(table, 120, 16)
    assert not any("Off-screen" in line for line in shown(table, 160, 24))


def test_the_first_cell_has_no_risk() -> None:
    """Before the start every cell is safe, so the density of the mines is not shown as a risk."""
    table = sit_down(with_options(mw.EXPERT, start="opening"))
    assert not any("risk " in line for line in press(table, "r")[1:-1])
    assert any("cells proved safe" in line for line in press(table, "space"))


def test_wide_windows_have_a_panel_with_moves_and_reasons() -> None:
    table = sit_down(with_options(mw.BEGINNER, start="opening"))
    press(table, "space a a h")
    wide = "\n".join(shown(table, 120))
    assert re.search(r"  Look near row.*Press h again for more\.", wide)
    assert wide.index("Moves, latest first") < wide.index("2 open (") < wide.index("1 open (")
    assert "has all of its mines" in wide
    guess = min(
        (risk, row, column)
        for row, risks in enumerate(mw.analyse(table.session.observation).risk)
        for column, risk in enumerate(risks)
        if risk
    )
    told = f"open ({guess[1]}, {guess[2]}) risk {percent(guess[0])}"
    table.do(f"open {guess[1]} {guess[2]}")
    assert not any(told in line for line in shown(table, 120))
    press(table, "u r")
    table.do(f"open {guess[1]} {guess[2]}")
    assert any(told in line for line in shown(table, 120))
    press(table, "u r")
    narrow = shown(table, 60)
    assert not any("latest first" in line for line in narrow)
    assert any(line.startswith("   2 open (") for line in narrow)


def test_tiles_are_unicode_where_the_terminal_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    rules = with_options(mw.BEGINNER, start="opening")
    drawn = "\n".join(press(sit_down(rules), "space up up home m"))
    assert "\u2691" in drawn
    assert "\u25aa" in drawn
    latin = sit_down(rules, encoding="iso-8859-1")
    monkeypatch.setenv("TERM", "linux")
    for table in (latin, sit_down(rules)):
        assert "\n".join(press(table, "space up up home m a")).isascii()


def test_keys_hint_why_risks_knowledge_and_pages() -> None:
    table = sit_down(with_options(mw.BEGINNER, start="opening"))
    assert any("open a cell to begin" in line for line in shown(table))
    assert any("Press h again for more" in line for line in press(table, "space h"))
    assert any("proved safe" in line for line in press(table, "r"))
    assert any(re.search(r" is (safe|a mine)|risk", line) for line in press(table, "r h h w"))
    assert any("key goes back" in line for line in press(table, "?"))
    assert any("moves judged" in line for line in press(table, "x v"))
    assert any("basic knows" in line for line in press(table, "x k"))
    press(table, "u")
    assert table.session.step == 0


def test_leaving_an_unsaved_game_needs_a_second_press() -> None:
    table = sit_down()
    assert any("Press q again" in line for line in press(table, "space down down m q"))
    assert any("Press n again" in line for line in press(table, "n"))
    press(table, "q")
    assert not table.on_key("q")


def test_clicks_outside_the_board_do_nothing() -> None:
    table = sit_down()
    shown(table)
    assert table.on_click("left", 20, 70)
    assert table.session.step == 0
    assert table.on_click("left", 2, 4)
    assert table.session.observation[0, 0] < 9


def test_given_cells_need_no_first_cell() -> None:
    assert "open a cell" not in sit_down(mw.EASY).status()


def test_large_boards_scroll_with_the_cursor() -> None:
    table = sit_down(mw.Rules(200, 300, 9000))
    lines = press(table, "end " + "page_down " * 40)
    assert any(line.startswith("199 ") for line in lines)
    assert any("rows 0 to " in line for line in lines)


def test_a_bug_does_not_cost_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down()
    press(table, "space")

    def fail(*_arguments: object) -> None:
        raise RuntimeError("no idea")

    for name in ("hint", "why", "risks", "may_guess"):
        monkeypatch.setattr(advice, name, fail)
    for key in "hwrg":
        assert any("no idea" in line for line in press(table, f"{key} x")), key
    assert table.session.step == 1


def test_every_key_is_in_the_help() -> None:
    for key in KEYS:
        assert re.search(rf"(^|[\s,]){re.escape(key)}([\s,]|$)", HELP), key
    assert max(map(len, [*HELP.splitlines(), *sit_down().command_lines()])) <= 80


# ---- watching


class Driver:
    """A substitute for prompt_toolkit: presses keys while the game runs in its thread."""

    def __init__(self, script: Callable[[ScreenViewer], None]) -> None:
        self.script = script

    def __call__(self, view: ScreenViewer) -> None:
        self.script(view)


def watch(
    monkeypatch: pytest.MonkeyPatch, script: Callable[[ScreenViewer], None], delay: float = 60.0
) -> Record:
    """Watch a game of `exact` that is paused between moves, while the script presses keys."""
    game = mw.Game(with_options(mw.BEGINNER, start="opening"), 9)
    game.open(*game.rules.first_cell or (0, 0))
    viewer = ScreenViewer(console(120), game, "exact", delay)
    monkeypatch.setattr("mineproof.cli.watch_screen.run", Driver(script))
    return viewer.follow(lambda: play(game, mw.make_agent("exact"), watcher=viewer))


def until(view: View, text: str) -> list[str]:
    """Wait until a line of the screen has the text."""
    end = time.monotonic() + SECONDS
    while not any(text in line for line in shown(view, 120)):
        assert time.monotonic() < end, f"no {text!r} in {shown(view, 120)}"
        time.sleep(0.01)
    return shown(view, 120)


def test_watching_pauses_steps_goes_back_and_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(view: ScreenViewer) -> None:
        assert any("\u2690 proved mine: " in line for line in until(view, "move 0, 60 s per move"))
        for number in (1, 2, 3):
            view.press("right")
            lines = until(view, f"move {number}, paused")
            assert any(f"   {number} open (" in line for line in lines)
        assert sum(line.count("\u2690") for line in lines) > 2
        view.press("left")
        until(view, "move 2, paused")
        assert not any("   3 open (" in line for line in shown(view, 120))
        view.press("w")
        until(view, "proved safe by")
        view.press("home")
        until(view, "move 0, paused")
        view.press("end")
        until(view, "move 3, paused")
        for _ in range(20):
            view.press("+")
        view.press("space")
        until(view, "the end: ")

    record = watch(monkeypatch, script)
    assert record.outcome is not None
    assert record.outcome.result.value == "win"


def test_leaving_early_keeps_the_moves_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(view: ScreenViewer) -> None:
        view.press("right")
        until(view, "move 1, paused")
        assert not view.press("q")

    record = watch(monkeypatch, script)
    assert record.outcome is None
    assert len(record.steps) == 1


def test_a_failing_agent_ends_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(view: ScreenViewer) -> None:
        end = time.monotonic() + SECONDS
        while not view.has_ended and time.monotonic() < end:
            time.sleep(0.01)

    game = mw.Game(mw.BEGINNER, 9, (0, 0))
    viewer = ScreenViewer(console(), game, "broken", 0)
    monkeypatch.setattr("mineproof.cli.watch_screen.run", Driver(script))

    def fail() -> Record:
        raise mw.AgentError("broken made an impossible move")

    with pytest.raises(mw.AgentError, match="impossible"):
        viewer.follow(fail)


def test_prompt_toolkit_passes_keys_on() -> None:
    """The keys of a terminal arrive under the names that views use."""
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    keys: list[str] = []
    table = sit_down()
    table.press = lambda key: keys.append(key) or key != "q"  # type: ignore[func-returns-value, method-assign]
    with create_pipe_input() as pipe:
        pipe.send_text("a \r\x1b[A\x1b[5~\x1b[Hq")
        run(table, input=pipe, output=DummyOutput())
    assert keys == ["a", "space", "enter", "up", "page up", "home", "q"]
