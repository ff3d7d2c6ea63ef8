"""Percentages in text: only certainties are shown as 0 % or 100 %."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.cli.main import mineproof_command
from mineproof.cli.moves import move_text
from mineproof.core.words import percent
from mineproof.draw.games import step_text
from mineproof.match.play import prepare
from mineproof.notation.records import Record, Step, write_records

SOURCE = Path(mw.__file__).parent
SIDE = 60
ONE_MINE = f"{SIDE}x{SIDE}x1\n" + ("H" * SIDE + "\n") * SIDE
"""A position in which every cell has a risk of 1 in 3,600."""
CERTAIN = re.compile(r"(?<![\d.])(0|100)(\.0+)?\u00a0%")


@pytest.mark.parametrize(
    ("chance", "decimals", "words"),
    [
        (0.0, 1, "0.0\u00a0%"),
        (1.0, 1, "100.0\u00a0%"),
        (0.125, 1, "12.5\u00a0%"),
        (1 / 3600, 1, "below 0.1\u00a0%"),
        (0.00049, 1, "below 0.1\u00a0%"),
        (0.00051, 1, "0.1\u00a0%"),
        (0.99949, 1, "99.9\u00a0%"),
        (0.99951, 1, "above 99.9\u00a0%"),
        (5e-324, 1, "below 0.1\u00a0%"),
        (1 / 3600, 2, "0.03\u00a0%"),
        (0.00004, 2, "below 0.01\u00a0%"),
        (0.99996, 2, "above 99.99\u00a0%"),
        (0.004, 0, "below 1\u00a0%"),
        (0.996, 0, "above 99\u00a0%"),
        (None, 1, "unknown"),
    ],
)
def test_chances_never_round_to_a_certainty(
    chance: float | None, decimals: int, words: str
) -> None:
    assert percent(chance, decimals) == words


def test_the_page_uses_the_same_words() -> None:
    page = (SOURCE / "web" / "static" / "js" / "words.js").read_text("utf-8")
    for chance in (0.0001, 0.9999):
        assert f"'{percent(chance)}'".replace("\u00a0", r"\u00a0") in page


def percents(text: str) -> Iterator[str]:
    """Yield the values that the code formats as percentages without the helper."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FormattedValue) or node.format_spec is None:
            continue
        if ast.unparse(node.format_spec).rstrip("'\"").endswith("%"):
            yield ast.unparse(node.value)


def test_only_the_helper_writes_percentages() -> None:
    found = {path.name: list(percents(path.read_text("utf-8"))) for path in SOURCE.rglob("*.py")}
    assert not any(found.values())
    assert list(percents("f'{chance:.1%}'")) == ["chance"]


@pytest.mark.parametrize("name", ["exact", "champion", "deep", "backtracking"])
def test_agents_tell_a_small_risk_as_one(name: str) -> None:
    if name == "deep" and mw.backend() == "python":
        pytest.skip("deep needs the native core")
    seen = mw.parse_position(ONE_MINE)
    options = ":playouts=100" if name == "deep" else ""
    agent = make_agent(name + options)
    prepare(agent, seen.rules, 1)
    decision = agent.decide(seen)
    assert decision is not None
    assert not decision.proved
    said = str(decision.reason), str(move_text(1, decision)), step_text(step_of(decision))
    assert not [text for text in said if CERTAIN.search(text)]


def step_of(decision: mw.Decision) -> Step:
    """Return a decision as a step of a record."""
    return Step(decision.move, decision.proved, decision.risk, str(decision.reason))


def test_commands_tell_a_small_risk_as_one(tmp_path: Path) -> None:
    position, game = tmp_path / "one.mine", tmp_path / "game.json"
    position.write_text(ONE_MINE.replace("H", "-", 1), "utf-8")  # the first cell is open
    step = Step(mw.Move.parse("open 5,5"))
    write_records(
        game, [Record(mw.Rules(SIDE, SIDE, 1, flood=False), 0, None, (0,), (step,), None)]
    )
    for words in (["why", str(position), "1", "1"], ["review", str(game)]):
        output = CliRunner().invoke(mineproof_command, words).output
        assert "below 0.1\u00a0%" in output
        assert not CERTAIN.search(output.partition("luck: ")[0])
    analysed = CliRunner().invoke(mineproof_command, ["analyse", str(position)]).output
    assert "(59, 0) at 0.03\u00a0%" in analysed or "risk 0.03\u00a0%" in analysed
