"""The examples run unchanged, and the code in the docs does what the docs say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mineproof.agents.options import options_of
from mineproof.cli.main import mineproof_command
from mineproof.match.checker import check_agent

ROOT = Path(__file__).parents[2]
MY_AGENT = f"{ROOT / 'examples' / 'my_agent.py'}:MyAgent"


def test_ten_lines() -> None:
    """The shortest example has ten lines, plays a game and prints the result."""
    file = ROOT / "examples" / "ten_lines.py"
    code = [line for line in file.read_text().splitlines() if line and not line.startswith('"')]
    assert len(code) <= 10
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].startswith("Outcome(result=<Result.")


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


def test_the_page_shows_options() -> None:
    """The example class has the options that the docs page lists."""
    names: dict[str, type] = {}
    exec(compile(pages_code()[1], "own-agent.md", "exec"), names)
    assert list(options_of(names["Careful"])) == ["guess", "depth"]
