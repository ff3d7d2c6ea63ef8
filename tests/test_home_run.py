"""`run.py`: what it installs, when it installs again, and its exit status."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return `run.py` as a module whose home is a small copy of the repository."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("pyproject.toml", "CMakeLists.txt", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "native", tmp_path / "native")
    venv = tmp_path / ".venv"
    places = {"HERE": tmp_path, "VENV": venv, "STATE": venv / "mineproof.json"}
    for name, path in places.items():
        monkeypatch.setattr(module, name, path)
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(module, "command", lambda *words, **_: pytest.fail(f"ran {words}"))
    monkeypatch.delenv("MINEPROOF_REQUIRE", raising=False)
    return module


def put_state(run: ModuleType, **changes: object) -> None:
    """Write the state that a finished set-up leaves."""
    state = {"mark": run.fingerprint(), "extras": ["test"], "backend": "native"}
    run.VENV.mkdir(exist_ok=True)
    run.STATE.write_text(json.dumps(state | {"compiler": run.compiler()} | changes))


def installs(run: ModuleType, monkeypatch: pytest.MonkeyPatch, *extras: str) -> str | None:
    """Call `set_up` with a fake pip. Return what pip was asked to install, or None."""
    asked = []

    def note(*words: str, **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(str(words[-1]))
        return subprocess.CompletedProcess(words, 0, stdout="native\n")

    monkeypatch.setattr(run, "command", note)
    monkeypatch.setattr(run, "make_venv", lambda: run.VENV.mkdir(exist_ok=True))
    run.set_up(set(extras))
    return asked[0] if asked else None


def test_a_finished_set_up_runs_nothing(run: ModuleType) -> None:
    """A second start with the same files starts no process. If it did, the test would fail."""
    put_state(run)
    run.set_up(set())
    run.set_up({"test"})


def test_a_first_set_up_leaves_a_state_that_satisfies_the_next(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installs(run, monkeypatch, "test") == f"{run.HERE}[test]"
    assert installs(run, monkeypatch, "test") is None


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "CMakeLists.txt", "constraints.txt", "native/deal.cpp"]
)
def test_a_changed_file_installs_again(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The fingerprint covers each file that the installed package depends on."""
    put_state(run)
    with (run.HERE / name).open("a") as file:
        file.write("\n")
    assert installs(run, monkeypatch) == f"{run.HERE}[test]"


def test_new_extras_are_added_to_those_installed(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_state(run)
    assert installs(run, monkeypatch, "docs") == f"{run.HERE}[docs,test]"


@pytest.mark.parametrize("text", ["", "{", '{"mark": "half'])
def test_a_broken_state_installs_again(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """An interrupted set-up or a damaged state file leads to a new installation."""
    run.VENV.mkdir()
    run.STATE.write_text(text)
    assert installs(run, monkeypatch) is not None


def test_pure_python_is_built_again_only_for_a_reason(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the native core is missing, a new compiler or requirement starts another build."""
    put_state(run, backend="python")
    run.set_up(set())
    put_state(run, backend="python", compiler="a compiler that has gone")
    assert installs(run, monkeypatch) is not None
    put_state(run, backend="python")
    monkeypatch.setenv("MINEPROOF_REQUIRE", "native,sanitizers")
    assert installs(run, monkeypatch) is not None


def test_a_broken_venv_is_made_again(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.venv` without a working Python is replaced, even without ensurepip."""
    broken = run.VENV / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.symlink_to("nowhere")
    monkeypatch.undo()
    monkeypatch.setattr(run, "VENV", broken.parents[1])
    monkeypatch.setattr(run, "PYTHON", broken)
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    run.make_venv()
    assert run.command(broken, "-c", "print(1)", capture_output=True).stdout == "1\n"
    assert "--python" in run.pip()


def test_extras_follow_the_command(run: ModuleType) -> None:
    """Running all tests needs all extras. A command needs the extra with its name."""
    everything = run.needed_extras(["test"])
    assert {"quick", "test", "docs"} <= everything
    assert run.needed_extras(["test", "--full", "tests/lab"]) == everything
    assert run.needed_extras(["test", "--quick"]) == {"quick"}
    assert run.needed_extras(["test", "tests/core", "-k", "flood"]) == {"quick"}
    assert run.needed_extras(["docs", "test"]) == {"docs"}
    assert run.needed_extras(["watch"]) == run.needed_extras([]) == set()


def test_make_sets_up_before_it_uses_an_environment(run: ModuleType) -> None:
    """In a fresh clone, `make check` and `make docs` first install every extra in `.venv`."""
    rules = (ROOT / "Makefile").read_text("utf-8").split("\n\n")
    using = [rule for rule in rules if "\t$(PYTHON)" in rule]
    assert {rule.partition(":")[0] for rule in using} >= {"check", "docs", "format", "pages"}
    assert [rule for rule in using if not re.match(r"\w+: ready ", rule)] == []
    (ready,) = (rule for rule in rules if rule.startswith("ready:"))
    (code,) = re.findall(r'python3 -c "import run; (.+)"', ready)
    asked: list[set[str]] = []
    run.set_up = asked.append  # type: ignore[attr-defined]
    exec(code, {"run": run})
    assert asked == [run.needed_extras(["test"])]


@pytest.mark.parametrize(("code", "status"), [("pass", 0), ("raise SystemExit(3)", 3)])
def test_the_exit_status_is_passed_on(run: ModuleType, code: str, status: int) -> None:
    assert run.start("-c", code) == status


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_a_killed_program_gives_the_shells_status(run: ModuleType) -> None:
    """As in a shell, the exit status of a killed program is 128 plus the number of the signal."""
    assert run.start("-c", "import os; os.kill(os.getpid(), 9)") == 128 + 9


def started(run: ModuleType, monkeypatch: pytest.MonkeyPatch, failing: str = "") -> list[str]:
    """Replace the processes that `run.test` starts. Return the list that records them."""
    lines: list[str] = []

    def start(_: str, *words: str) -> int:
        lines.append(" ".join(words))
        return int(words[0] == failing)

    monkeypatch.chdir(run.HERE)
    monkeypatch.setattr(run, "start", start)
    return lines


@pytest.mark.parametrize(("failing", "status"), [("", 0), ("ruff", 2), ("mypy", 1), ("pytest", 1)])
def test_any_failing_check_fails_the_tests(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, failing: str, status: int
) -> None:
    """All checks run, pytest last, and a single failure fails the run."""
    lines = started(run, monkeypatch, failing)
    assert run.test([]) == status
    assert [line.split()[0] for line in lines] == ["ruff", "ruff", "mypy", "pytest"]


def test_every_tier_starts_what_it_needs(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A selection starts pytest immediately; `--full` runs the checks first."""
    lines = started(run, monkeypatch)
    run.test(["tests/core", "-k", "flood"])
    assert lines == ["pytest tests/core -k flood"]
    run.test(["--quick"])
    assert [line.split()[0] for line in lines[1:]] == ["ruff", "ruff", "mypy", "pytest"]
    assert lines[-1].endswith(" --quick")
    run.test(["--full", "tests/lab"])
    assert lines[-2:] == ["mypy", lines[-1]]
    assert lines[-1].startswith("pytest -n 2 ")
    assert lines[-1].endswith(" tests/lab")


def test_the_way_on_names_only_commands_that_exist(run: ModuleType) -> None:
    """The commands that `run.py` suggests at the end work when they are typed unchanged."""
    for command in run.NEXT:
        done = CliRunner().invoke(mineproof_command, [*command.split(), "--help"])
        assert done.exit_code == 0, done.output


def test_an_old_python_gets_a_message(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python 3.10 gets one line that names the required version."""
    with monkeypatch.context() as patch:
        patch.setattr(run.sys, "version_info", (3, 10, 0))
        status = run.main([])
    assert status == 2
    assert "Python 3.11 or later" in capsys.readouterr().err
