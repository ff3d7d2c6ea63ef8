"""Attack all parts of the program, and compare each outcome with the expected one.

    python benchmarks/hostile.py [--only NAME ...] [--minutes 1] [--pages 16] [--write]

Small attacks (`attacks*.py`) try files, streams, huge input, agents and the page, each in a
separate folder; `--list` names them. The attack *questions* asks everything about positions that
are huge or hard to count, within 1 s and 150 MB, each in a fresh process. If the machine is busy,
CPU time counts. In the attack *page*, hostile pages ask, deal, load and flood a server for some
minutes, while the moves of another page are timed. `--write` puts the table into
`results/hostile.md`. The status is 1 if an attack succeeded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

import attacks_agents  # noqa: E402, F401  (its attacks put themselves into the list)
import attacks_page  # noqa: E402, F401
import attacks_processes  # noqa: E402, F401
from attacks import ATTACKS, Attack, Broken  # noqa: E402
from result_table import format_table, machine, update  # noqa: E402
from web_server import Tab, WebServer, web_server  # noqa: E402

SECONDS, MEMORY = 1.0, 150_000_000
SLACK, MOMENT = 1.2, 0.2
"""Tolerance for time limits: a fifth more, plus a fifth of a second."""
NAP = 0.02
"""Seconds between moves. If a pause takes longer, the machine itself is overloaded."""
MOST_MILLISECONDS = 100.0
"""Time limit for answering a move, in milliseconds. One move in a thousand may exceed it."""
QUESTIONS = ("why", "hint", "may_guess", "risks", "win_chances", "verdict", "analyse")
POSITIONS = ("scattered 100", "third 100", "lines 100", "scattered 1000", "half 1000", "empty 1000")
NOTE = (
    "If the machine is busy, all attacks but *page* are measured by CPU time. *page* is measured "
    "by the clock, so other programs affect it. Its row is from 5 minutes in a shell with priority "
    "(`echo -10 > /proc/self/autogroup`). In one minute without priority, on two cores with a load "
    "of 12, it did not hold: 99.9 % of moves were answered within 287 ms."
)
TABLE = ("attack", "expected", "what happened", "s", "held")
COLUMNS = ("position", "question", "s", "CPU s", "MB", "answer", "kept")


# ---- questions


def make_position(kind: str, size: int) -> object:
    """Return a position of a kind: the open cells of a random board."""
    import mineproof as mw
    from mineproof.core.clues import UNOPENED

    dice = random.Random(size)
    count = size * size // 5
    mined = bytearray([1] * count + [0] * (size * size - count))
    dice.shuffle(mined)
    board = mw.Board(size, size, bytes(mined))
    opens: dict[str, Callable[[int, int], bool]] = {
        "scattered": lambda row, column: row % 2 == 0 and column % 2 == 0,
        "third": lambda _row, _column: dice.random() < 1 / 3,
        "lines": lambda row, _column: row % 3 == 0,
        "half": lambda row, _column: 2 * row < size,
        "empty": lambda _row, _column: False,
    }
    shown = bytearray([UNOPENED]) * (size * size)
    for index in range(size * size):
        if not mined[index] and opens[kind](*divmod(index, size)):
            shown[index] = board.clues[index]
    return mw.Observation(mw.PublicRules(size, size, count), bytes(shown))


def ask_here(question: str, kind: str, size: int) -> dict[str, object]:
    """Ask one question in this process, and measure it."""
    import mineproof as mw
    from mineproof import advice
    from mineproof.core.move import Action, Move
    from mineproof.search.guessing import load_evaluation

    load_evaluation()
    advice.hint(mw.parse_position("2x2x1\n1H\nHH"))  # imports do not count
    position = make_position(kind, size)
    assert isinstance(position, mw.Observation)
    cell = position.grid.cell(position.unopened[0])
    budget = advice.Budget(SECONDS, MEMORY)
    asked: dict[str, Callable[[], object]] = {
        "why": lambda: advice.why(position, cell, budget),
        "verdict": lambda: advice.verdict(position, Move(Action.OPEN, cell), budget),
        "analyse": lambda: mw.analyse(position, budget=SECONDS, memory=MEMORY, sampled=True),
    }
    before, began, used = memory("VmRSS"), time.monotonic(), time.process_time()
    try:
        found = asked.get(question, lambda: getattr(advice, question)(position, budget))()
        said = type(found).__name__
        if getattr(found, "exact", True) is False:
            said += ", estimated"
    except mw.WorkLimitError as error:
        said = str(error)
    took = time.monotonic() - began
    cpu = time.process_time() - used
    return {"seconds": took, "cpu": cpu, "memory": max(0, memory("VmHWM") - before), "answer": said}


def memory(name: str) -> int:
    """Return a value of this process's memory statistics in bytes."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


def is_busy() -> bool:
    """Return whether other processes use the cores, so that CPU time must be measured."""
    return os.getloadavg()[0] > (os.cpu_count() or 1) + 1


def ask_all() -> list[list[str]]:
    """Ask every question about every position, each in a separate process."""
    rows = []
    for position in POSITIONS:
        for question in QUESTIONS:
            command = [sys.executable, __file__, "--ask", question, *position.split()]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
            found = json.loads(done.stdout)
            took = found["cpu" if is_busy() else "seconds"]
            kept = took <= SLACK * SECONDS + MOMENT and found["memory"] <= SLACK * MEMORY
            times = f"{found['seconds']:.2f}", f"{found['cpu']:.2f}"
            figures = *times, f"{found['memory'] / 1e6:.0f}"
            rows.append([position, question, *figures, found["answer"], "yes" if kept else "NO"])
            print(*rows[-1], flush=True)
    return rows


# ---- the page


HUGE = "200x200"


def scattered_text(side: int) -> str:
    """Return a position in which all clues are connected."""
    rows = ["1H" * (side // 2), "H" * side] * (side // 2)
    return "\n".join([f"{side}x{side}x{side * side // 8}", *rows, ""])


def attacks() -> list[Callable[[Tab], object]]:
    """Return the messages that hostile pages send repeatedly."""
    hard = scattered_text(100)
    return [
        lambda tab: tab.ask("new", level=f"{HUGE}/1", seed="1"),
        lambda tab: tab.ask("open", cell=[100, 100]),
        lambda tab: tab.ask("undo"),
        lambda tab: tab.ask("new", level=f"{HUGE}/4000", start="given:1000000", seed="2"),
        lambda tab: tab.ask("new", level=f"{HUGE}/8000", start="no-guess", seed="3"),
        lambda tab: [tab.send("why", at=hard, cell=[1, 1], slot=f"s{i}") for i in range(8)],
        lambda tab: tab.ask("analysis", at=hard, seconds=2),
        lambda tab: tab.ask("race", agents=["random"] * 4, level=f"{HUGE}/4000"),
        lambda tab: [tab.send("nothing", deep=[[[[]]]]) for _ in range(500)],
        lambda tab: tab.ask("settings", values={"x": "y" * 4000}),
        lambda tab: tab.ask("export"),
        lambda tab: tab.socket.send("[" * 30_000),
        lambda tab: tab.ask("load", text="expert:s7:f0,0"),
        lambda tab: tab.ask("games"),
        lambda tab: tab.socket.send("[" + "[]," * 170_000 + "0]"),
        lambda tab: tab.ask("risks", at=hard),
        lambda tab: [tab.ask(name) for name in ("moves", "share", "statistics")],
        lambda tab: tab.ask("another", level=f"{HUGE}/1", start="given:1000"),
    ]


def attack(server: WebServer, number: int, until: float, count: list[int]) -> None:
    """Attack until the time is over. A disconnected page reconnects."""
    dice = random.Random(number)
    ways = attacks()
    while time.monotonic() < until:
        with suppress(Exception), Tab(server) as tab:
            while time.monotonic() < until:
                dice.choice(ways)(tab)
                count[number] += 1


def play(server: WebServer, until: float) -> tuple[list[float], list[float]]:
    """Play on another page. Return how long each move and each delay took, in milliseconds."""
    took, late = [], []
    dice = random.Random(0)
    with Tab(server) as tab:
        while time.monotonic() < until:
            tab.ask("new", level="expert", start="opening", seed=str(dice.randrange(10**9)))
            for _ in range(10):
                cell = [dice.randrange(16), dice.randrange(30)]
                began = time.monotonic()
                answer = tab.ask("open", cell=cell)
                took.append(1000 * (time.monotonic() - began))
                if answer.get("view", {}).get("end"):
                    break
                began = time.monotonic()
                time.sleep(NAP)
                late.append(1000 * (time.monotonic() - began - NAP))
    return took, late


def attack_page(minutes: float, pages: int) -> tuple[list[float], list[float]]:
    """Use the same server with hostile pages and a normal one."""
    count = [0] * pages
    with tempfile.TemporaryDirectory() as folder, web_server(Path(folder)) as server:
        until = time.monotonic() + 60 * minutes
        crowd = [
            threading.Thread(target=attack, args=(server, number, until, count), daemon=True)
            for number in range(pages)
        ]
        for thread in crowd:
            thread.start()
        # In a separate process, because threads of one process would wait for each other.
        command = [sys.executable, __file__, "--play", server.address, str(60 * minutes)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"{sum(count):,} attacks, server at {server.memory() / 1e6:.0f} MB")
    took, late = json.loads(done.stdout)
    return took, late


def page_row(name: str, took: list[float]) -> list[str]:
    """Return the table row of the moves, whose times are in milliseconds."""
    ordered = sorted(took)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99, 0.999)]
    kept = "yes" if at[-1] <= MOST_MILLISECONDS else "NO"
    return [name, f"{len(ordered):,}", *(f"{value:.1f}" for value in (*at, ordered[-1])), kept]


# ---- all attacks


def try_attack(attack: Attack) -> list[str]:
    """Run an attack in a separate folder. Return its row."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            happened, held = attack.run(Path(folder)), "yes"
        except Broken as broken:
            happened, held = str(broken), "NO"
        except Exception as error:  # for example, a server that no longer answers
            happened, held = f"{type(error).__name__}: {error}", "NO"
    plain = "".join(letter if letter.isprintable() else "?" for letter in happened)
    plain = plain.replace(folder, "FOLDER").replace("|", "/")
    return [attack.name, attack.expected, plain, f"{time.monotonic() - began:.0f}", held]


def summed(rows: list[list[str]]) -> list[str]:
    """Return all questions as one row."""
    broken = [f"{row[1]} of {row[0]}" for row in rows if row[-1] == "NO"]
    worst = max(float(row[3]) for row in rows), max(float(row[4]) for row in rows)
    outcome = f"{len(rows)} questions; at most {worst[0]:.2f} s of CPU, {worst[1]:.0f} MB"
    expected = f"every question keeps {SECONDS:g} s and {MEMORY // 10**6} MB"
    return ["questions", expected, "; ".join([outcome, *broken]), "", "NO" if broken else "yes"]


def of_page(moves: list[float], naps: list[float], minutes: float, pages: int) -> list[str]:
    """Return the results of the normal page as one row."""
    _, count, median, _, most, worst, kept = page_row("", moves)
    expected = f"all but one of 1,000 moves are answered in {MOST_MILLISECONDS:g} ms"
    outcome = f"{count} moves among {pages} hostile pages in {minutes:g} min: median {median} ms"
    late = f"load {os.getloadavg()[0]:.0f}, naps 99.9 % {page_row('', naps)[4]} ms late"
    return ["page", expected, f"{outcome}, 99.9 % {most} ms, worst {worst} ms ({late})", "", kept]


def run_all(options: argparse.Namespace) -> list[list[str]]:
    """Run the selected attacks, and print each row as soon as it is known."""
    wanted = options.only or [*(each.name for each in ATTACKS), "questions", "page"]
    rows = []
    for attack in ATTACKS:
        if attack.name in wanted:
            rows.append(try_attack(attack))
            print(*rows[-1], sep=" | ", flush=True)
    if "questions" in wanted:
        found = ask_all()
        print(format_table(COLUMNS, found))
        rows.append(summed(found))
    if "page" in wanted:
        moves, naps = attack_page(options.minutes, options.pages)
        columns = ("what", "count", "median ms", "99 %", "99.9 %", "worst", "kept")
        late = [*page_row("a nap that the machine prolongs", naps)[:-1], ""]
        print(format_table(columns, [page_row("a move", moves), late]))
        rows.append(of_page(moves, naps, options.minutes, options.pages))
    return rows


def main() -> int:
    names = [*(attack.name for attack in ATTACKS), "questions", "page"]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME")
    parser.add_argument("--list", action="store_true", help="list the attacks")
    parser.add_argument("--minutes", type=float, default=1.0, help="minutes of attacks on the page")
    parser.add_argument("--pages", type=int, default=16, help="number of hostile pages")
    parser.add_argument("--write", action="store_true", help="write the table to results/")
    parser.add_argument("--ask", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.list:
        print("\n".join(names))
        return 0
    if options.ask:
        question, kind, size = options.ask
        print(json.dumps(ask_here(question, kind, int(size))))
        return 0
    if options.play:
        address, seconds = options.play
        server = WebServer(address, None)  # type: ignore[arg-type]
        print(json.dumps(play(server, time.monotonic() + float(seconds))))
        return 0
    rows = run_all(options)
    print(format_table(TABLE, rows))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.write:
        intro = f"`python benchmarks/hostile.py --write` ({machine()}).\n\n{NOTE}"
        update("hostile", intro, TABLE, rows, 1)
    return 1 if any(row[-1] == "NO" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
