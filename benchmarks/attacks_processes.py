"""Attacks by the processes of user code: forged wins, seeds, children, loops and memory."""

from __future__ import annotations

import json
import time
from pathlib import Path

from attacks import Broken, Done, attack, expect, run
from web_server import Tab, web_server

LIMIT = 2
"""Seconds for a decision in these attacks."""
START = 10.0
"""Seconds for Python to start on a busy machine, once per game and command."""
CLASS_LIMIT = 5.0
"""Seconds for a check of a student's file."""
STUDENTS, BAD = 40, 10
MINED = 35
"""Mines on a 9x9 board. No agent wins such a game by its first moves."""

HEAD = """
import ctypes, os, signal, sys, time
from pathlib import Path
from mineproof import Action, Decision, Move, Reason

def child():
    "Sleep in another session, with the pipe open, and leave a note of the process."
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(__file__).with_suffix(f".{os.getpid()}").touch()
            time.sleep(600)
        os._exit(0)

def forever():
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass

class Own:
    def start(self, rules, seed):
        self.rules, self.seed = rules, seed
    def decide(self, observation):
        BODY
        cell = observation.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("first"))
"""
LOOPS = {
    "forked": "[os.fork() or forever() for _ in range(3)]; forever()",
    "detached": "child(); forever()",
    "answers": "child()",
    "deaf": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; child(); forever()",
    "closes": "child(); os.closerange(0, 64); forever()",
    "bomb": "[os.fork() for _ in range(7)]; child(); forever()",
    "stops": "child(); os.kill(os.getpid(), signal.SIGSTOP)",
    "orphans": "child(); os.kill(os.getppid(), signal.SIGSTOP); forever()",
    "insists": "child(); boss = os.getppid(); os.fork() or (os.setsid(), "
    "[os.kill(boss, signal.SIGSTOP) for _ in iter(int, 1)]); forever()",
}
"""What agents do in a decision. None of them may delay the run or outlive it."""
MEMORY = {
    "alone": "kept = b'x' * (4 << 30)",
    "children": "[os.fork() or [bytearray(b'x' * (300 << 20)), forever()] for _ in range(12)]; "
    "forever()",
}


def _write(folder: Path, name: str, body: str, imported: str = "") -> str:
    file = folder / f"{name}.py"
    file.write_text(HEAD.replace("BODY", body or "pass") + f"\n{imported}\n")
    return f"{file}:Own"


def _play(agent: str, games: int = 2) -> Done:
    words = ("--count", games, "--level", f"9x9/{MINED}", "--decision-seconds", LIMIT)
    done = expect(run("games", *words, "--agent", agent), 0)
    if done.waited > games * (LIMIT + START) + START:
        raise Broken(f"{done.waited:.0f} s for {games} games of at most {LIMIT} s")
    return done


def _expect_no_survivor(folder: Path) -> int:
    """Check that all noted processes have ended, and return their number."""
    time.sleep(0.2)
    notes = [note for note in folder.glob("*.*") if note.suffix[1:].isdigit()]
    alive = [note.stem for note in notes if Path(f"/proc/{note.suffix[1:]}/cmdline").exists()]
    if alive:
        raise Broken(f"processes survive: {', '.join(alive)}")
    return len(notes)


@attack("a class that calls itself Mineproof's own gets no boards and wins nothing")
def spoofed_module(folder: Path) -> str:
    """Return wins from `play_whole`, in a class with the module of a built-in agent."""
    agent = _write(folder, "spoof", "")
    with (folder / "spoof.py").open("a") as file:
        file.write("    def play_whole(self, rules, boards, first):\n")
        file.write("        return [('win', 0, 1, 0.0, 0)] * len(boards)\n")
        file.write("Own.__module__ = 'mineproof.agents.spoof'\n")
    for flag in ("--isolated", "--no-isolated"):
        words = ("--count", 20, "--level", f"9x9/{MINED}", flag)
        expect(run("games", *words, "--agent", agent), 0, "20 games: 0 won")
    found = run("lab", "compare", "random", agent, "--games", 20, "--json", cwd=folder)
    if json.loads(expect(found, 0).out)["second"][0] > 0.5:
        raise Broken("it wins in lab compare")
    return "no win in 40 games and 20 pairs"


FORGERS = {
    "refuses": "from mineproof import AgentError; raise AgentError('no', code='refused')",
    "limits": "from mineproof import WorkLimitError; raise WorkLimitError('enough')",
    "times": "import mineproof.match.isolated as i; i.closed = lambda call, _: [1e308, call()]",
}
"""What agents do in a decision to leave out games that they may lose, or to spoil the results."""


@attack("an agent can neither refuse games, end a run nor name its own CPU time")
def forged_results(folder: Path) -> str:
    """Raise Mineproof's own errors in a decision, and answer with an infinite time."""
    for name, body in FORGERS.items():
        out = folder / f"{name}.txt"
        words = ("--count", 2, "--level", f"9x9/{MINED}", "--output", out)
        who = ("--agent", _write(folder, name, body))
        for more in ((), ("--resume", "--count", 3)):
            done = expect(run("games", *words, *who, *more), 0, r"games: 0 won.*\d failed")
            if "refused" in done.out or "nan" in done.out:
                raise Broken(done.last)
    return f"{len(FORGERS)} agents, their games failed and the runs continued"


@attack("no seed that an agent gets is the hash of a small number")
def brute_forced_seeds(folder: Path) -> str:
    """Compare the seed with the hashes of the first 5,000 seeds, salted with common texts."""
    body = (
        "from mineproof.core.random import hashed_seed; "
        "found = any(hashed_seed(n, *s) == self.seed for n in range(5000) for s in ((), ('0',))); "
        "found and Path(__file__).with_suffix('.found').touch()"
    )
    _play(_write(folder, "hashes", body))
    if (folder / "hashes.found").exists():
        raise Broken("it found the seed of the game")
    return "not found among 10,000 hashes"


@attack("the files of the page hold no mines while an agent's file is offered")
def autosave_reader(folder: Path) -> str:
    """Let an agent read all files that the page saves in the middle of a game."""
    agent, data = _write(folder, "reader", ""), folder / "data"
    with web_server(data, "--agent", agent) as server, Tab(server) as tab:
        tab.ask("new", level="beginner", start="opening")
        tab.ask("open", cell=[4, 4])
        time.sleep(1.5)
        games = [path for path in data.rglob("*") if path.is_file() and "mines" in path.read_text()]
        shared = tab.ask("share")
    if games or shared.get("record") or shared.get("id"):
        raise Broken(f"{[path.name for path in games]}, share {shared}")
    return "no file and no answer has mines"


@attack("children, loops and signals neither delay a run nor outlive it")
def children_of_agents(folder: Path) -> str:
    """Fork, detach, ignore signals, close files, stop and multiply in a decision."""
    slowest = 0.0
    for name, body in LOOPS.items():
        slowest = max(slowest, _play(_write(folder, name, body)).waited)
        _expect_no_survivor(folder)
    count = _expect_no_survivor(folder)
    return f"{len(LOOPS)} agents, {count} detached children ended; at most {slowest:.1f} s a run"


@attack("a file that loops or detaches at import keeps the limit of a decision everywhere")
def looping_imports(folder: Path) -> str:
    """Name such files in every command that loads agents."""
    slowest, record = 0.0, _record(folder)
    for name, code in (("loops", "forever()"), ("detaches", "child(); forever()")):
        agent = _write(folder, name, "", code)
        board = ("--count", 1, "--level", "beginner")
        for words in (
            ("agents", agent),
            ("agents", "--check", agent, "--decision-seconds", LIMIT),
            ("games", *board, "--agent", agent, "--decision-seconds", LIMIT),
            ("lab", "compare", "random", agent, "--games", 1),
            ("review", record, "--chains", folder / "chains.json", "--reader", agent),
            ("web", "--no-browser", "--agent", agent),
            ("cs50", "check", folder / f"{name}.py", "--timeout", LIMIT),
        ):
            done = run(*words, cwd=folder)
            if done.status != 2 or done.waited > 10 + 2 * START:
                raise Broken(f"{words[0]}: status {done.status}, {done.waited:.0f} s, {done.last}")
            slowest = max(slowest, done.waited)
    _expect_no_survivor(folder)
    return f"14 commands rejected, at most {slowest:.1f} s each"


@attack("a file named as an agent never runs in the process of a command")
def loaded_by_commands(folder: Path) -> str:
    """Name a file that notes its process in every command that loads agents."""
    note = "Path(__file__).with_suffix('.in' if 'mineproof' in sys.orig_argv else '.out').touch()"
    agent, board = _write(folder, "notes", "", note), ("--level", "beginner", "--seed", 1)
    compare = ("lab", "compare", "random", agent, "--games", 1)
    commands: tuple[tuple[object, ...], ...] = (
        ("agents", agent),
        ("agents", "--check", agent, "--rules", "classic"),
        ("watch", *board, "--agent", agent),
        ("games", *board, "--count", 2, "--agent", agent),
        ("games", *board, "--count", 2, "--agent", agent, "--no-isolated"),
        (*compare, "--out", folder / "lab"),
        (*compare, "--out", folder / "debugged", "--no-isolated"),
        ("lab", "report", "--out", folder / "lab"),
        ("review", _record(folder), "--chains", folder / "chains.json", "--reader", agent),
    )
    for words in commands:
        expect(run(*words, cwd=folder), 0)
    expect(run("play", *board, "--agent", agent, text="ai\nquit\n"), 0)
    if (folder / "notes.in").exists() or not (folder / "notes.out").exists():
        raise Broken("a command loaded it itself")
    return f"{len(commands) + 1} commands, each in another process"


def _record(folder: Path) -> Path:
    """Write the record of a game, and return its file."""
    record = folder / "record.json"
    expect(run("watch", "--level", "beginner", "--seed", 1, "--record", record), 0)
    return record


@attack("a file that eats memory is stopped at its limit, with its children")
def memory_of_agents(folder: Path) -> str:
    """Take memory at import and in a decision, alone and in many children."""
    for name, code in MEMORY.items():
        done = run("games", "--count", 1, "--agent", _write(folder, f"import-{name}", "", code))
        expect(done, 2, "[Mm]emory")
        expect(_play(_write(folder, f"decide-{name}", code)), 0, "2 failed")
    return f"{2 * len(MEMORY)} files stopped"


@attack(f"{STUDENTS} files, {BAD} of them bad, are checked in {STUDENTS} times the limit of one")
def class_of_students(folder: Path) -> str:
    """Check a class in which files loop, fork, detach, eat memory and exit."""
    run("cs50", "new", "project", "--solution", cwd=folder)
    good = (folder / "project" / "minesweeper.py").read_text()
    codes = ("forever()", "os.fork(); forever()", LOOPS["detached"], MEMORY["children"])
    helpers = HEAD.partition("class Own")[0]
    for number in range(STUDENTS):
        code = (*codes, "os._exit(3)")[number % 5] if number < BAD else "pass"
        late = number % 2 == 0  # half of the bad files misbehave in a function, half at import
        text = good.replace(
            "def mark_mine(self, cell):", f"def mark_mine(self, cell):\n        {code}"
        )
        text = helpers + (text if late else f"{good}\n{code}\n")
        (folder / f"student-{number:02}.py").write_text(text)
    done = run("cs50", "check", *sorted(folder.glob("*.py")), "--csv", "--timeout", CLASS_LIMIT)
    limit, lines = STUDENTS * CLASS_LIMIT, done.out.splitlines()[1:]
    _expect_no_survivor(folder)
    if done.waited > limit or len(lines) != STUDENTS:
        raise Broken(f"{done.waited:.0f} s instead of {limit:g}, {len(lines)} lines")
    return f"{done.waited:.0f} s, where {limit:.0f} s are allowed"
