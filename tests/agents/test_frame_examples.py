"""The examples run unchanged, and the code in the docs does what the docs say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import import_extra

import mineproof
from mineproof.agents.options import options_of
from mineproof.cli.main import mineproof_command
from mineproof.match.checker import check_agent

ROOT = Path(__file__).parents[2]
MY_AGENT = f"{ROOT / 'examples' / 'my_agent.py'}:MyAgent"


PROGRAMS = {
    "draw_board": "so (2, 2) is safe",
    "best_move": "0.53\nopen (3, 2): risk 0.20, chance of winning 0.40",
    "function_agent": "best_move: won, 15 moves",
    "external_solver": " - basic: ",
    "batch": "90.9 % won (95 % interval 89.0 to 92.5 %)",
    "compare_agents": "only exact won 54, only champion 69 of 1000",
    "data_frame": "0          168  1.000000",
    "positions": "open 8,3    1 safe, 10 mines proved",
    "read_replay": "7.6 s: open 7,3, but (6, 2) is proved safe",
    "no_guess_boards": "difficulty 5.0 by mine count",
}
"""The small programs on the page about Python, and part of what each one prints."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs(name: str, tmp_path: Path) -> None:
    """Every small program has under 15 lines, runs as it is and prints what it promises."""
    extra = {"read_replay": "ms_toollib", "data_frame": "pandas"}.get(name)
    if extra:
        import_extra(extra)
    file = ROOT / "examples" / f"{name}.py"
    assert len(file.read_text("utf-8").splitlines()) < 15
    assert f"`{name}.py`" in (ROOT / "docs" / "python.md").read_text("utf-8")
    command = [sys.executable, str(file)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert PROGRAMS[name] in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["watch", "--level", "beginner", "--seed", "7"],
        ["games", "--count", "6", "--level", "beginner", "--jobs", "2"],
        ["play", "--level", "beginner"],
        ["agents"],
    ],
)
def test_the_template_works_wherever_an_agent_is_named(arguments: list[str]) -> None:
    """`FILE.py:Class` works in every command, including those that use worker processes."""
    named = [MY_AGENT] if arguments == ["agents"] else ["--agent", f"{MY_AGENT}:guess=random"]
    result = CliRunner().invoke(mineproof_command, [*arguments, *named], input="o 0 0\nai\n")
    assert result.exit_code == 0, result.output


def pages_code() -> list[str]:
    """Return the Python code on the docs page about your own agents."""
    text = (ROOT / "docs" / "own-agent.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.M)


def test_the_page_shows_an_agent_without_faults(tmp_path: Path) -> None:
    file = tmp_path / "leftmost.py"
    file.write_text(pages_code()[0])
    assert check_agent(f"{file}:Leftmost", games=10).findings == []


def test_the_page_wraps_a_solver(tmp_path: Path) -> None:
    """The wrapped solver opens cells row by row until it meets a mine."""
    (tmp_path / "wrapped.py").write_text(pages_code()[1])
    game = mineproof.Game("beginner", seed=3, first=(0, 0))
    record = mineproof.play(game, f"{tmp_path / 'wrapped.py'}:wrapped")
    assert game.board is not None
    assert record.steps[-1].move.cell == min(game.board.mines)
    found = check_agent(f"{tmp_path / 'wrapped.py'}:wrapped", games=10, classic=True)
    assert found.findings == []


@pytest.mark.skipif(sys.platform == "win32", reason="a script that names its interpreter")
def test_the_page_calls_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program here opens the first unopened cell."""
    read = "import sys; width = int(input().partition('x')[0]); board = sys.stdin.read()"
    answer = "print(*divmod(board.replace('\\n', '').index('H'), width))"
    solver = tmp_path / "my-solver"
    solver.write_text(f"#!{sys.executable}\n{read}\n{answer}\n")
    solver.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(pages_code()[2], "own-agent.md", "exec"), names)
    game = mineproof.Game("3x5/3", seed=3, first=(0, 0))
    record = mineproof.play(game, names["program"])
    assert game.board is not None
    assert record.steps[-1].move.cell == min(game.board.mines)


def test_the_page_shows_options() -> None:
    """The example class has the options that the docs page lists."""
    names: dict[str, type] = {}
    exec(compile(pages_code()[3], "own-agent.md", "exec"), names)
    assert list(options_of(names["Careful"])) == ["guess", "depth"]
