"""`docs/json.md` lists exactly the fields that commands print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command

PAGE = Path(__file__).parents[2] / "docs" / "json.md"


def listed(section: str, title: str = "field") -> set[str]:
    text = PAGE.read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    table = text.partition(f"| {title} | value |\n|---|---|\n")[2].partition("\n\n")[0]
    first = "".join(line.split(" | ")[0] for line in table.splitlines())
    return set(re.findall(r"`([\w]+)`", first))


def printed(line: str, stdin: str = "") -> list[set[str]]:
    result = CliRunner().invoke(mineproof_command, line.split(), input=stdin)
    assert result.exit_code == 0, result.output
    return [set(json.loads(text)) for text in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("analyse", "analyse --json -"),
        ("why", "why --json - 0 2"),
        ("games", "games --json --count 1 --level 4x4/3 --jobs 1"),
        ("generate", "generate --json --proof --level 4x4/2 --start no-guess"),
        ("agents", "agents basic --json"),
    ],
)
def test_fields(section: str, line: str) -> None:
    assert printed(line, "4x2x2\nHHHH\n11HH\n") == [listed(section)]


def test_fields_of_watch_and_review(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    _game, *moves, last = printed(f"watch --json --level 4x4/3 --seed 3 --record {file}")
    assert moves[0] == listed("watch")
    assert last == listed("watch", "field of the last line")
    assert printed(f"review --json {file}") == [listed("review")]
