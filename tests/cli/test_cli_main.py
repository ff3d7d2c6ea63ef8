"""The command `mineproof`: help, version, errors and exit statuses."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import mineproof as mw
import mineproof.cli
from mineproof.backend import backend
from mineproof.cli.commands import reported
from mineproof.cli.main import COMMANDS, mineproof_command
from mineproof.cli.options import RuleOptions, parse_cell


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """Run a command in this process, and return its exit status, stdout and stderr."""
    result = CliRunner().invoke(mineproof_command, arguments, input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    """The line in the docs prints a script that asks the command for completions."""
    line = f"_MINEPROOF_COMPLETE={shell}_source mineproof"
    assert line in (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")
    words = {"COMP_WORDS": "mineproof wat", "COMP_CWORD": "1" if shell != "fish" else "wat"}
    for what, wanted in (("source", f"{shell}_complete"), ("complete", "watch")):
        command = [Path(sys.executable).with_name("mineproof")]
        environment = {**os.environ, **words, "_MINEPROOF_COMPLETE": f"{shell}_{what}"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert wanted in done.stdout


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("watch --agent b", ["basic", "backtracking"]),
        ("play --level ex", ["expert"]),
        ("lab compare exact c", ["cs50", "clue-heap", "champion"]),
        ("agents --check my_", ["my_"]),
        ("analyse board", ["board"]),
        ("watch --record g", ["g"]),
    ],
)
def test_agents_levels_and_files_are_completed(typed: str, wanted: list[str]) -> None:
    *before, text = typed.split()
    complete = ShellComplete(mineproof_command, {}, "mineproof", "_MINEPROOF_COMPLETE")
    found = complete.get_completions(before, text)
    assert [item.value for item in found] == wanted
    assert {item.type for item in found} == {"file" if wanted == [text] else "plain"}


def test_help_lists_the_commands() -> None:
    status, out, _ = run("--help")
    assert status == 0
    for name in COMMANDS:
        assert f"\n  {name} " in out
    assert "Exit status: 0 done, 2 bad input, 3 work limit reached, 130 interrupted" in out


def test_exactly_the_modules_with_a_command_are_listed() -> None:
    modules = [module.name for module in pkgutil.iter_modules(mineproof.cli.__path__)]
    loaded = {name: importlib.import_module(f"mineproof.cli.{name}") for name in modules}
    with_command = [
        name
        for name in modules
        if isinstance(getattr(loaded[name], "command", None), click.Command)
    ]
    assert list(COMMANDS) == with_command
    status, _, err = run("commands")
    assert status == 2
    assert "expected a command, got 'commands'" in err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example(name: str) -> None:
    status, out, _ = run(name, "--help")
    assert status == 0
    assert "Example" in out
    assert f"  mineproof {name}" in out


def test_version_names_the_backend() -> None:
    assert run("--version") == (0, f"mineproof {mw.__version__} ({backend()} backend)\n", "")


def test_the_module_is_the_command() -> None:
    """A command imports only the modules that it needs."""
    code = "import sys, mineproof.cli.main; print({'rich', 'asyncio'} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout == "set()\n"
    shown = subprocess.run(
        [sys.executable, "-m", "mineproof", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith("mineproof ")


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (mw.RulesError("expected 1, got 2"), 2, "mineproof: error: expected 1, got 2\n"),
        (ValueError("expected a seed"), 2, "mineproof: error: expected a seed\n"),
        (mw.WorkLimitError("too hard"), 3, "mineproof: error: too hard\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (
            FileNotFoundError(2, "No such file", "x.txt"),
            2,
            "mineproof: error: cannot use x.txt: No such file\n",
        ),
    ],
)
def test_errors_have_their_exit_status(error: BaseException, status: int, message: str) -> None:
    @click.command()
    def failing() -> None:
        with reported():
            raise error

    result = CliRunner().invoke(failing)
    assert (result.exit_code, result.stderr) == (status, message)


def test_bugs_keep_their_traceback() -> None:
    """Unexpected exceptions, which no user can cause, keep their traceback."""
    with pytest.raises(ZeroDivisionError), reported():
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "huge"], "expected a level (easy"),
        (["--level", "4x4/99"], "expected 0 to 15 mines on a 4x4 board"),
        (["--level", "1001x3/1"], "expected 1 to 1000 rows, got 1001"),
        (["--start", "somewhere"], "expected start to be any, safe, opening, given:K or no-guess"),
        (["--goal", "both"], "expected goal open or mark, got 'both'"),
        (["--explosion", "boom"], "expected explosion lose or continue, got 'boom'"),
        (["--clues", "withheld:2"], "expected withheld:P with a probability P"),
        (["--mine-count", "some"], "expected mine count known or unknown, got 'some'"),
        (["--agent", "nobody"], "expected an agent (random"),
        (["--agent", "random:x=1"], "expected an option of this agent (none), got 'x'"),
        (["--first", "9"], "expected a row and a column such as 3,4, got '9'"),
        (["--first", "99,0", "--level", "easy", "--start", "safe"], "expected a cell on the 9x9"),
        (["--first", "0,0", "--level", "easy"], "expected no first cell with start given:K"),
    ],
)
def test_bad_rules_and_agents(arguments: list[str], message: str) -> None:
    status, out, err = run("watch", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("mineproof: error: ")
    assert message in err


@pytest.mark.parametrize("seed", ["-1", "x", str(2**64)])
def test_bad_seeds(seed: str) -> None:
    status, _, err = run("watch", "--seed", seed)
    assert status == 2
    assert "--seed" in err


def test_options_change_rules() -> None:
    nothing = RuleOptions(*[None] * 8)
    assert nothing.rules() == mw.EXPERT
    changed = replace(nothing, level="easy", seed=3, goal="mark", flood=False)
    assert changed.rules().goal == "mark"
    assert changed.rules().start == mw.EASY.start
    assert not changed.rules().flood
    assert changed.some_seed() == 3
    assert nothing.some_seed() < 10**9


def test_cells_have_a_comma_or_a_space() -> None:
    assert parse_cell("3,4") == parse_cell(" 3  4 ") == (3, 4)
    for wrong in ("", "3", "3,4,5", "a,b", "-1,2", "3.0,1", "\u0663,4"):
        with pytest.raises(mw.NotationError, match="expected a row and a column"):
            parse_cell(wrong)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with pipes")
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    program = f"{sys.executable} -m mineproof games --count 400 --level beginner --agent random"
    script = f"{program} --jobs 1 2>{tmp_path}/err | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("0 ")
    assert done.returncode == 141
    assert "Traceback" not in (tmp_path / "err").read_text()


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("wach", "watch"),
        ("watch --level expret", "expert"),
        ("watch --agent chmpion", "champion"),
        ("watch --agent sentences:stuk=stop", "stuck"),
        ("watch --agent sentences:stuck=stpo", "stop"),
        ("watch --start opning", "opening"),
        ("watch --goal mrak", "mark"),
        ("watch --explosion contine", "continue"),
        ("watch --clues optimistc", "optimistic"),
        ("watch --mine-count unknwon", "unknown"),
        ("watch beginer:s7", "beginner"),
        ("lab run dokuments", "documents"),
    ],
)
def test_typos_get_a_suggestion(words: str, meant: str) -> None:
    result = CliRunner().invoke(mineproof_command, words.split())
    assert result.exit_code == 2
    assert f"; did you mean {meant}?" in result.stderr
    other = CliRunner().invoke(mineproof_command, ["watch", "--agent", "zzzzzz"])
    assert "did you mean" not in other.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("call", "status", "message"),
    [
        ("games --count 2 --level beginner --agent basic >&-", 2, "standard output is closed"),
        ("play <&-", 0, ""),
        ("analyse - <&-", 2, "expected a position, got empty text"),
        ("--help >/dev/full", 2, "No space left on device"),
        ("--version >/dev/full", 2, "No space left on device"),
        ("watch --level beginner --seed 1 >/dev/full", 2, "No space left on device"),
        ("nonsense 2>&-", 2, ""),
    ],
)
def test_closed_and_full_streams_give_one_line(call: str, status: int, message: str) -> None:
    script = f"{sys.executable} -m mineproof {call}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (1 if message else 0)


@pytest.mark.parametrize("flags", [[], ["-P", "-W", "ignore"]], ids=["plain", "flags"])
@pytest.mark.parametrize("module", ["click", "rich"])
def test_ctrl_c_while_modules_are_imported(module: str, flags: list[str], tmp_path: Path) -> None:
    """An interrupt during the imports of the command gives status 130 and no traceback."""
    package = tmp_path / module
    package.mkdir()
    (package / "__init__.py").write_text("import signal; signal.raise_signal(signal.SIGINT)")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    call = [sys.executable, *flags, "-m", "mineproof", "analyse", "-"]
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(call, env=env, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_ctrl_c_while_code_is_executed(tmp_path: Path) -> None:
    """Python notes an interrupt in `exec`, which modules use, and `-m` would end by the signal."""
    interrupted = "lambda **_: exec('raise KeyboardInterrupt')"
    code = f"from mineproof.cli import main as m; m.mineproof_command = {interrupted}; m.main()"
    (tmp_path / "started.py").write_text(code)
    call = [sys.executable, "-m", "started"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def _options(command: click.Command) -> Iterator[click.Option]:
    yield from (one for one in command.params if isinstance(one, click.Option))
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _options(found)


def test_the_help_of_every_option_fits_on_a_line() -> None:
    found = {option.help or "" for option in _options(mineproof_command)}
    assert len(found) > 50
    assert {text for text in found if len(text) > 80 or text.startswith("With")} == set()
