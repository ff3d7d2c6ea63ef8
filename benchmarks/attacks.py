"""Small attacks on files, streams, commands, agents and the page, which `hostile.py` runs.

Each attack is a function whose decorator states the expected outcome. The function returns the
actual outcome. It raises `Broken` or an `AssertionError` if the attack succeeds.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

PROGRAM = [sys.executable, "-P", "-m", "mineproof"]
PATIENCE = 300.0
"""Seconds after which an attack counts as a hang."""
SLACK, MOMENT = 1.2, 2.0
"""Tolerance for time limits: a fifth more, plus two seconds to start, read and print."""
ESCAPE = "\x1b[38;5;201m"


class Broken(Exception):  # noqa: N818  (what was found, not an error)
    """Raised if an attack does not have the expected outcome."""


class Attack(NamedTuple):
    """An attack with its name."""

    name: str
    expected: str
    run: Callable[[Path], str]


ATTACKS: list[Attack] = []


def attack(expected: str) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    """Register a function as an attack. The attack has the function's name, with hyphens."""

    def put(function: Callable[[Path], str]) -> Callable[[Path], str]:
        ATTACKS.append(Attack(function.__name__.replace("_", "-"), expected, function))
        return function

    return put


class Done(NamedTuple):
    """A finished command."""

    status: int
    out: str
    err: str
    seconds: float
    """Seconds of wall time, or of CPU time if the machine is busy."""
    waited: float
    """Seconds of wall time."""

    @property
    def last(self) -> str:
        """The last line of the output."""
        last = ((self.err or self.out).strip().splitlines() or [""])[-1]
        return last.removeprefix("mineproof: error: ")[:160]


def run(
    *words: object, text: str = "", size: int = 0, cwd: Path | None = None, **streams: Any
) -> Done:
    """Run a `mineproof` command. `size` limits the size of each file it writes, in bytes."""

    def limit() -> None:
        if size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    if "stdin" not in given:
        given["input"] = text.encode()
    began, before = time.monotonic(), _used()
    try:
        done = subprocess.run(
            [*PROGRAM, *map(str, words)],
            **given,
            preexec_fn=limit,
            cwd=cwd,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Broken(f"did not end within {PATIENCE:g} s") from None
    waited = time.monotonic() - began
    is_busy = os.getloadavg()[0] > (os.cpu_count() or 1) + 1
    took = min(waited, _used() - before) if is_busy else waited
    out, err = ((part or b"").decode(errors="replace") for part in (done.stdout, done.stderr))
    found = Done(done.returncode, out, err, took, waited)
    if "Traceback" in out + err:
        raise Broken(f"a traceback: {found.last}")
    return found


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def expect(done: Done, status: int, said: str = "") -> Done:
    """Check the exit status of a command, and that its output matches a pattern."""
    if done.status != status or not re.search(said, done.out + done.err, re.DOTALL):
        raise Broken(f"status {done.status}: {done.last}")
    return done


def within(done: Done, seconds: float) -> str:
    """Check that a command kept its time limit and makes no false claim about the limit."""
    if done.status not in (0, 3):
        raise Broken(f"status {done.status}: {done.last}")
    if done.seconds > SLACK * seconds + MOMENT:
        raise Broken(f"{done.seconds:.1f} s instead of {seconds:g}")
    named = re.search(r"within ([\d.]+) s(?!.*(memory|states))", done.last)
    if done.status == 3 and named and done.waited < 0.4 * float(named[1]):
        raise Broken(f"after {done.waited:.1f} s: {done.last}")
    return f"status {done.status} after {done.seconds:.1f} s"


# ---- files


@attack("a result file is resumed only by its own run")
def resume_another_run(folder: Path) -> str:
    """Try to resume a result file with other agents and levels."""
    first = (
        "games",
        "--count",
        10,
        "--level",
        "beginner",
        "--agent",
        "random",
        "--output",
        "v.txt",
    )
    expect(run(*first, cwd=folder), 0)
    other = ("games", "--count", 20, "--level", "expert", "--agent", "basic", "--output", "v.txt")
    return expect(run(*other, "--resume", cwd=folder), 2, "cannot resume").last


def _two_at_once(folder: Path, words: list[str], count: int) -> str:
    command = [*PROGRAM, *words, "--output", "out", "--resume"]
    both = [
        subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    outcomes = [(one.communicate(timeout=PATIENCE)[1] or b"").decode() for one in both]
    statuses = sorted(one.returncode for one in both)
    lines = [line for line in (folder / "out").read_text().splitlines() if line[0] != "#"]
    if len(lines) != count or "Traceback" in "".join(outcomes):
        raise Broken(f"{len(lines)} lines instead of {count}, statuses {statuses}")
    return f"statuses {statuses}, {count} lines"


@attack("one of two writers is rejected, and each game is stored once")
def two_writers_of_games(folder: Path) -> str:
    """Resume the same file twice at the same time."""
    words = ["games", "--count", "3000", "--level", "beginner", "--agent", "basic"]
    return _two_at_once(folder, words, 3000)


@attack("one of two writers is rejected, and each board is stored once")
def two_writers_of_boards(folder: Path) -> str:
    """Resume the same board file twice at the same time."""
    words = ["generate", "--count", "300", "--level", "beginner", "--start", "no-guess"]
    return _two_at_once(folder, words, 300)


@attack("a failed save keeps the previous one and names the file")
def full_disk_of_a_game(folder: Path) -> str:
    """Save a longer game over a shorter one when the file must not grow."""
    game = ("play", "--level", "beginner", "--seed", 7)
    expect(run(*game, text="open 0,0\nsave g.json\nquit\n", cwd=folder), 0)
    before = (folder / "g.json").read_bytes()
    marks = "".join(f"mark 8,{column}\n" for column in range(9))
    again = f"open 0,0\n{marks}save g.json\nsave g.json force\nsave g.json --force\nquit\n"
    done = run(*game, text=again, size=len(before), cwd=folder)
    if (folder / "g.json").read_bytes() != before:
        raise Broken("the previous save is gone")
    if "None" in done.err or "g.json" not in done.out + done.err:
        raise Broken(done.last)
    return "the previous save is still there"


@attack("a full disk gives a one-line error and status 2")
def full_disk_of_the_lab(folder: Path) -> str:
    """Run an experiment when no file may be longer than a kilobyte."""
    words = ("lab", "compare", "basic", "random", "--level", "beginner", "--games", 200)
    done = run(*words, "--out", "lab", size=1000, cwd=folder)
    return expect(done, 2, "error: ").last


@attack("a result file copied over another is named, and no game counts twice")
def copied_part(folder: Path) -> str:
    """Copy one result file of an experiment over another."""
    words = ("lab", "compare", "basic", "random", "--level", "beginner", "--games", 1500)
    expect(run(*words, "--jobs", 1, "--out", "lab", cwd=folder), 0)
    parts = sorted(folder.glob("lab/*/parts/*.parquet"))
    if len(parts) < 2:
        raise Broken(f"{len(parts)} result files, too few to copy")
    shutil.copy(parts[0], parts[1])
    return expect(
        run("lab", "report", "--out", "lab", cwd=folder), 2, "expected the games of this chunk"
    ).last


@attack("nothing is overwritten without --force")
def overwriting(folder: Path) -> str:
    """Pass an existing file to every command that writes a file."""
    kept = folder / "kept.json"
    kept.write_text("precious")
    game = "beginner:s7:f0,0"
    commands = [
        ("watch", "--level", "beginner", "--seed", 1, "--record", kept),
        ("games", "--count", 1, "--level", "beginner", "--output", kept),
        ("generate", "--level", "beginner", "--output", kept),
        ("convert", game, "--out", kept),
    ]
    for words in commands:
        run(*words)
        if kept.read_text() != "precious":
            raise Broken(f"{words[0]} overwrote it")
    return f"{len(commands)} commands rejected"


@attack("nested and damaged files give a one-line error and status 2")
def damaged_files(folder: Path) -> str:
    """Read TOML, JSON and manifests that are nested very deeply."""
    deep = "[" * 100_000
    (folder / "a.toml").write_text(f"a = {deep}")
    (folder / "r.json").write_text('{"format":' + deep)
    (folder / "lab" / "x").mkdir(parents=True)
    (folder / "lab" / "x" / "manifest.json").write_text(deep)
    for words in (
        ("lab", "run", "a.toml"),
        ("review", "r.json"),
        ("lab", "report", "--out", "lab"),
    ):
        expect(run(*words, cwd=folder), 2, "error: ")
    return "status 2 each"


TALKER = f"""
from mineproof.agents.basic import BasicAgent
from mineproof.agents.protocol import Knowledge
class Own(BasicAgent):
    {ESCAPE + "idea"!r}
    def knowledge(self):
        return Knowledge({ESCAPE + "title"!r}, {{{ESCAPE + "group"!r}: [{ESCAPE + "line"!r}]}})
class Failing(Own):
    def decide(self, observation):
        raise ValueError({ESCAPE + "error"!r})
"""


@attack("no external text reaches the terminal unescaped")
def escape_codes(folder: Path) -> str:
    """Put escape codes into a record's player, a file name, a level and all texts of an agent."""
    record, own = folder / "r.json", folder / "own.py"
    own.write_text(TALKER)
    board = ("--level", "beginner", "--seed", 1)
    expect(run("watch", *board, "--record", record), 0)
    fields = json.loads(record.read_text())
    record.write_text(json.dumps({**fields, "player": f"{ESCAPE}me"}))
    (folder / f"{ESCAPE}.json").write_text("{")
    commands: list[tuple[object, ...]] = [
        ("review", record),
        ("review", folder / f"{ESCAPE}.json"),
        ("watch", record),
        ("watch", "--level", f"{ESCAPE}9x9/10"),
        ("analyse", f"{ESCAPE}x:y"),
        ("agents", f"{own}:Own"),
        ("watch", *board, "--knowledge", "--agent", f"{own}:Own"),
        ("watch", *board, "--agent", f"{own}:Failing"),
        ("games", *board, "--count", 1, "--agent", f"{own}:Failing"),
        ("agents", "--check", f"{own}:Failing"),
    ]
    for words in commands:
        if ESCAPE in _on_terminal(*words):
            raise Broken(f"{words[0]} printed an escape code")
    return f"none printed by {len(commands)} commands"


def _on_terminal(*words: object) -> str:
    """Return what a command prints on a terminal, where click prints escape codes."""
    ours, terminal = os.openpty()
    both = {"stdout": terminal, "stderr": terminal}
    process = subprocess.Popen([*PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, **both)
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # at the end
        while piece := os.read(ours, 65_536):
            shown += piece
    os.close(ours)
    process.wait(PATIENCE)
    return shown.decode(errors="replace")


# ---- streams


@attack("closed and full streams end a command without a traceback")
def closed_and_full_streams(folder: Path) -> str:
    """Close stdin or stdout, or redirect stdout to a full device."""
    games = "games --count 3 --level beginner --agent basic"
    lines = [
        f"{games} >&-",
        "play <&-",
        "analyse - <&-",
        "--help >/dev/full",
        f"{games} >/dev/full",
    ]
    lines += ["watch --level beginner --seed 1 >/dev/full", "agents | true", f"{games} 2>&-"]
    found = []
    for line in lines:
        shell = f"{sys.executable} -P -m mineproof {line}"
        done = subprocess.run(
            ["bash", "-c", shell],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if "Traceback" in done.stderr + done.stdout or "Exception ignored" in done.stderr:
            raise Broken(f"{line}: {done.stderr.strip().splitlines()[-1][-120:]}")
        found.append(str(done.returncode))
    return f"statuses {' '.join(found)}"


# ---- large input and limits


def write_position(folder: Path, kind: str, size: int) -> Path:
    """Write a position of `hostile.py` to a file."""
    from hostile import make_position

    from mineproof.notation.position_text import format_position

    path = folder / f"{kind}{size}.mine"
    path.write_text(format_position(make_position(kind, size)))  # type: ignore[arg-type]
    return path


@attack("analyse and why keep --budget 2, including rendering, and report it truthfully")
def bounds_of_commands(folder: Path) -> str:
    """Ask about positions that are hard to count."""
    outcomes = []
    for kind, size in (("scattered", 100), ("third", 100), ("lines", 100)):
        path = write_position(folder, kind, size)
        for words in (("analyse", "--sampled", path), ("analyse", path), ("why", path, 1, 1)):
            outcomes.append(within(run(*words, "--budget", 2), 2.0))
    return "; ".join(sorted(set(outcomes), key=outcomes.index)[-2:])


@attack("boards of a million cells keep --budget 2, including rendering")
def bounds_of_huge_boards(folder: Path) -> str:
    """Ask about boards of a million cells."""
    outcomes = []
    for kind in ("scattered", "empty"):
        path = write_position(folder, kind, 1000)
        done = run("analyse", "--sampled", path, "--budget", 2)
        outcomes.append(within(done, 2.0))
    return "; ".join(outcomes)


@attack("draw and generate finish a million cells, or reject them")
def huge_pictures_and_boards(folder: Path) -> str:
    """Draw and deal boards of a million cells."""
    path = write_position(folder, "half", 1000)
    drawn = run("draw", path, "--out", folder / "p.png")
    dealt = run("generate", "--level", "1000x1000/150000", "--start", "safe", "--count", 2)
    if {drawn.status, dealt.status} - {0, 2, 3}:
        raise Broken(f"statuses {drawn.status}, {dealt.status}: {drawn.last}")
    return f"draw status {drawn.status}, {drawn.seconds:.1f} s; generate {dealt.seconds:.1f} s"


def _large_game(folder: Path, level: str, *more: str) -> str:
    record = folder / "r.json"
    expect(run("watch", "--level", level, "--seed", 1, *more, "--record", record), 0)
    done = expect(run("review", record), 0)
    return f"reviewed in {done.seconds:.0f} s"


@attack("a game of 6,400 cells is played, reviewed and explained")
def large_game(folder: Path) -> str:
    """Review a long game, and ask for a hint and a reason in it."""
    outcome = _large_game(folder, "80x80/1150")
    expect(run("why", folder / "r.json", 79, 79, "--budget", 20), 0)
    expect(run("play", folder / "r.json", text="hint\nquit\n"), 0)
    return outcome


@attack("a game with unreliable clues is reviewed in time")
def unreliable_clues(folder: Path) -> str:
    """Review positions whose risks can only be estimated."""
    return _large_game(folder, "30x30/200", "--clues", "optimistic", "--explosion", "continue")
