#!/usr/bin/env python3
"""Set up Mineproof in `.venv` next to this file, and run it. Needs only Python and pip.

python3 run.py                     watch an agent play an expert game
python3 run.py ARGS                do the same as `mineproof ARGS`
python3 run.py test                run every check and test
python3 run.py test --quick        run the checks and the quick tests
python3 run.py test ARGS           run pytest directly: test tests/core -k flood
python3 run.py test --full ARGS    install every extra, run the checks, then pytest
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STATE = VENV / "mineproof.json"  # written last, so that an interrupted set-up is repeated
PROGRAM = ("-P", "-m", "mineproof")
MAIN = ["watch"]
NEXT = {
    "web": "play, watch and ask in a browser",
    "play": "play in the terminal",
    "watch --level beginner --seed 7": "watch another game",
    "agents": "list the agents",
    "lab list": "measure how strong they are",
    "--help": "list all commands",
}
CHECKS = ("ruff check .", "ruff format --check .", "mypy")
# Skip files that need other extras: without these, their types are unknown.
NEEDS_EXTRAS = (
    r"(gym|lab|tests/web)/|(browser_page|gym_policy_agent|imitate_champion|test_stub|.*_5x5)\.py$"
)
QUICK_MYPY = f"mypy --cache-dir .mypy_cache/quick --follow-imports=silent --exclude {NEEDS_EXTRAS}"


def main(args: list[str]) -> int:
    """Install everything that the command needs, then run the command."""
    if sys.version_info < (3, 11):  # noqa: UP036  (older Pythons get a message)
        return say(f"Mineproof needs Python 3.11 or later, not {sys.version.split()[0]}", 2)
    try:
        set_up(needed_extras(args))
        if args[:1] == ["test"]:
            return test(args[1:])
        if args and os.name == "posix":  # replace this process, so that signals reach the program
            os.execv(PYTHON, [str(PYTHON), *PROGRAM, *args])
        status = start(*PROGRAM, *(args or MAIN))
    except KeyboardInterrupt:
        return 130
    except subprocess.CalledProcessError as error:
        print(error.stderr or "", file=sys.stderr)
        return say("the set-up failed; see the lines above", 1)
    if not args and status == 0:
        width = max(map(len, NEXT))
        print("\nNext steps:")
        for command, what in NEXT.items():
            print(f"  python3 run.py {command:{width}}  {what}")
    return status


def needed_extras(args: list[str]) -> set[str]:
    """Return the extras to install: all for a full test, otherwise the command's own extra."""
    import tomllib  # imported here, because Python before 3.11 lacks it

    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    if args[:1] != ["test"]:
        return extras.intersection(args[:1])
    return extras if wants_everything(args[1:]) else {"quick"}


def wants_everything(args: list[str]) -> bool:
    """Return whether the arguments of `test` need all checks and all extras."""
    return not args or "--full" in args


def set_up(extras: set[str]) -> None:
    """Create `.venv` and install the package, unless that is already done."""
    state = read_state()
    mark = fingerprint()
    extras |= set(state.get("extras", ()))
    if state.get("mark") == mark and state.get("extras") == sorted(extras) and is_built(state):
        return
    say("setting up .venv; the first time this takes a minute or two ...")
    make_venv()
    target = f"{HERE}[{','.join(sorted(extras))}]" if extras else str(HERE)
    command(*pip(), "install", "-q", "-c", HERE / "constraints.txt", "-e", target)
    which = "import mineproof; print(mineproof.backend())"
    backend = command(PYTHON, "-P", "-c", which, capture_output=True).stdout.strip()
    if backend != "native":
        say("no C++ compiler found: using pure Python, which is slower")
    state = {"mark": mark, "extras": sorted(extras), "backend": backend, "compiler": compiler()}
    STATE.write_text(json.dumps(state), "utf-8")


def read_state() -> dict[str, Any]:
    """Return the state of the last set-up; empty if it did not finish."""
    try:
        state: dict[str, Any] = json.loads(STATE.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return state if PYTHON.exists() else {}


def fingerprint() -> str:
    """Hash all files that an installed package depends on, except Python files."""
    digest = hashlib.sha256(f"{sys.version} {HERE}".encode())
    files = [HERE / name for name in ("pyproject.toml", "CMakeLists.txt", "constraints.txt")]
    for path in files + sorted(p for p in (HERE / "native").rglob("*") if p.is_file()):
        digest.update(f"{path.name} ".encode() + path.read_bytes())
    return digest.hexdigest()


def is_built(state: dict[str, Any]) -> bool:
    """Return whether rebuilding is unnecessary: the core exists, or the compiler is unchanged."""
    required = "native" in os.environ.get("MINEPROOF_REQUIRE", "")
    return state["backend"] == "native" or (not required and state.get("compiler") == compiler())


def compiler() -> str:
    """Return the C++ compiler that a build would use; empty if there is none."""
    names = (os.environ.get("CXX"), "c++", "g++", "clang++", "cl")
    return next(filter(None, (shutil.which(name) for name in names if name)), "")


def make_venv() -> None:
    """Create `.venv`, or replace it if it is broken or belongs to another Python."""
    script = "import sys; print(sys.version)"
    try:
        found = command(PYTHON, "-c", script, capture_output=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        found = ""
    if found == sys.version.strip():
        return
    base = getattr(sys, "_base_executable", sys.executable)  # the Python outside .venv
    # Debian ships venv without ensurepip; then `pip` uses the pip of this Python.
    pipless = [] if importlib.util.find_spec("ensurepip") else ["--without-pip"]
    command(base, "-m", "venv", "--clear", *pipless, VENV, capture_output=True)


def pip() -> tuple[str | Path, ...]:
    """Return the start of a pip command that installs into `.venv`."""
    has_pip = subprocess.run([PYTHON, "-m", "pip", "-V"], capture_output=True, check=False)
    if has_pip.returncode == 0:
        return PYTHON, "-m", "pip"
    if importlib.util.find_spec("pip") is None:
        say("pip is missing; install it first (on Debian: apt install python3-pip)")
    return sys.executable, "-m", "pip", "--python", PYTHON


def test(args: list[str]) -> int:
    """Run the checks that the arguments select, then pytest, even if a check fails."""
    os.chdir(HERE)
    # A shell's background jobs and their children ignore Ctrl-C, but some tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    checks: tuple[str, ...] = ()
    if wants_everything(args):
        checks = CHECKS
    elif "--quick" in args:
        checks = (*CHECKS[:2], QUICK_MYPY)
    failed = [check for check in checks if start("-m", *check.split())]
    for check in failed:
        say(f"{check!r} failed, see above")
    # A few tests start sooner in one process than with two workers.
    workers = ("-n", "2", "--dist", "worksteal") if checks else ()
    return start("-m", "pytest", *workers, *(arg for arg in args if arg != "--full")) or len(failed)


def start(*words: str) -> int:
    """Run the Python of `.venv`, and return its exit status."""
    child = subprocess.Popen([PYTHON, *words])
    try:
        status = child.wait()
    except KeyboardInterrupt:  # the child gets Ctrl-C, too, and ends on its own
        child.wait()
        raise
    return status if status >= 0 else 128 - status


def command(*words: str | Path, capture_output: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a step of the set-up, and raise an error if it fails."""
    return subprocess.run(words, check=True, text=True, capture_output=capture_output)


def say(text: str, status: int = 0) -> int:
    """Print a message on stderr, and return the status."""
    print(f"mineproof: {text}", file=sys.stderr, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
