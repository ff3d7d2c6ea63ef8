"""`mineproof why` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mineproof.cli.main import mineproof_command

POSITION = "4x2x2\nHHHH\n11HH\n"


def why(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(mineproof_command, ["why", *arguments], input=text)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "position.mine"
    path.write_text(POSITION + "\n2x1x1\n1H\n", "utf-8")
    return str(path)


def test_json(file: str) -> None:
    result = why("--json", file, "0", "2")
    assert result.exit_code == 0
    assert result.output.count("\n") == 1
    found = json.loads(result.output)
    assert (found["cell"], found["proved"], found["clues"]) == ([0, 2], "safe", [[1, 0], [1, 1]])
    assert (found["rule"], found["smallest"], found["uses_mine_count"]) == ("inside", True, False)


def test_text_output(file: str) -> None:
    lines = why(file, "0", "2").output.splitlines()
    assert lines[0] == "(0, 2): proved safe by 2 clues (rule inside, difficulty 2.0)"
    assert lines[1].endswith("(0, 2) is safe.")


def test_text_output_of_a_guess() -> None:
    result = why("-", "0", "0", text="2x2x1\nHH\n11\n")
    assert result.output.splitlines()[0] == "(0, 0): a guess, risk 50.0\u00a0%"


def test_the_mine_count_is_named() -> None:
    result = why("-", "0", "3", text="4x1x1\nH1HH\n")
    assert "by 1 clue and the mine count" in result.output


@pytest.mark.parametrize(
    ("text", "cell", "message"),
    [
        (POSITION, ("2", "0"), "expected a cell on the 2x4 board"),
        ("3x1x1\n0H1\n", ("0", "1"), "no mine layout fits these clues"),
        ("nonsense", ("0", "0"), "expected a header"),
    ],
)
def test_bad_input_has_status_2(text: str, cell: tuple[str, str], message: str) -> None:
    result = why("-", *cell, text=text)
    assert result.exit_code == 2
    assert message in result.output


def test_options_change_what_digits_and_flags_mean() -> None:
    assert "a guess" in why("-", "0", "2", text="3x1x1\nF1H\n").output
    assert "proved safe" in why("-", "0", "2", "--flags-are-mines", text="3x1x1\nF1H\n").output
    assert "a guess" in why("-", "0", "1", "--clues", "cautious", text="2x1x?\n1H\n").output


def test_a_cell_has_a_blank_or_a_comma(tmp_path: Path) -> None:
    file = tmp_path / "x.mine"
    file.write_text("3x1x1\nH1H\n")
    answers = {
        CliRunner().invoke(mineproof_command, ["why", str(file), *cell]).output
        for cell in (["0", "2"], ["0,2"], ["0,", "2"])
    }
    assert len(answers) == 1
    assert "(0, 2): a guess, risk" in answers.pop()
