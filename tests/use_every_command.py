"""Run every command of an installed Mineproof once; a script without pytest.

The tests run it in a new environment that has only the wheel. Run it on each system, too, when
you build wheels for a release. The exit status is 0 if all commands worked.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

import mineproof
from mineproof.cli.main import COMMANDS
from mineproof.service.lessons import lessons

BOARD = "9x6x9\nHHHHHHHHH\nH22223HHH\nHH1001HHH\nH21001HHH\nH10001HHH\nH10001HHH\n"
PROGRAM = (sys.executable, "-P", "-m", "mineproof")
USES = {
    "agents": ("agents", "agents champion"),
    "arena": (
        "arena sets",
        "arena run sprint-2026 --first 2 --agent exact --out exact.json",
        "arena check exact.json --replay 2",
        "arena table exact.json",
    ),
    "analyse": ("analyse board.mine", "analyse --json board.mine"),
    "bench": ("bench --quick",),
    "convert": ("convert game.json --out game.evf",),
    "cs50": ("cs50 new project", "cs50 check solution.py"),
    "engine": ("engine --agent exact",),
    "draw": ("draw board.mine --risks --why 3,6 --out a.svg", "draw board.mine --out a.png"),
    "games": ("games --count 20 --level beginner --seed 1 --jobs 2 --output lines.txt",),
    "generate": ("generate --level beginner --count 2 --seed 1 --output two.boards",),
    "lab": ("lab list",),
    "play": ("play --level beginner --seed 7",),
    "review": ("review game.json",),
    "site": ("site --out site --pyodide missing",),
    "watch": ("watch --level beginner --seed 8 --record game.json",),
    "web": ("web --no-browser",),
    "why": ("why board.mine 3 6",),
}
"""The calls of each command, which run one after another in the same folder."""
ORDER = ("watch", *(name for name in USES if name != "watch"))
"""`watch` comes first, because it writes the record that others read."""


def use(line: str) -> str:
    """Run one command, and return its output."""
    done = subprocess.run(
        [*PROGRAM, *line.split()], input="hint\nquit\n", capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"mineproof {line}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def use_web(line: str) -> str:
    """Start the server, fetch the page, and stop the server."""
    with subprocess.Popen([*PROGRAM, *line.split()], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = next(text for text in server.stdout if text.startswith("http")).strip()
        with urlopen(address) as page:
            text: str = page.read().decode()
        server.terminate()
    return text


def use_site(line: str) -> str:
    """Try to build a static site without Pyodide or node. The message must say what to install."""
    done = subprocess.run([*PROGRAM, *line.split()], capture_output=True, text=True, check=False)
    if (done.returncode, "npm" in done.stderr) != (2, True):
        sys.exit(f"mineproof {line}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stderr


OTHERWISE = {"web": use_web, "site": use_site}
"""Commands that need special handling."""


def main() -> None:
    """Run all commands; `USES` must list each of them."""
    if missing := set(COMMANDS) - set(USES):
        sys.exit(f"USES lacks these commands: {', '.join(sorted(missing))}")
    print(mineproof.__file__, mineproof.backend(), flush=True)
    print(f"{len(lessons())} lessons")
    Path("board.mine").write_text(BOARD, "utf-8")
    solution = Path(mineproof.__file__).parent / "cs50" / "minesweeper.py"
    Path("solution.py").write_bytes(solution.read_bytes())
    for name in ORDER:
        for line in USES[name] if name in COMMANDS else ():
            shown = OTHERWISE.get(name, use)(line)
            print(f"mineproof {line}: {len(shown)} characters", flush=True)


if __name__ == "__main__":
    import os

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["MINEPROOF_DATA"] = folder
        main()
        os.chdir("/")  # Windows cannot delete the current folder of a process
