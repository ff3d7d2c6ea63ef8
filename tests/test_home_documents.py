"""Every row of `docs/documents.md` names a command or test that demonstrates it."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_home_docs import DOCS, ROOT, blocks

from mineproof.cli.main import mineproof_command
from mineproof.lab.catalogue import members

ROWS = re.compile(r"^\| (\d{3}), (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
NUMBERED = {"000": 32, "001": 21, "002": 19, "003": 46, "004": 7}
"""The number of features, figures and claims in each document."""
LETTERED = {"000": "r", "001": "g", "003": "r", "004": "g"}
"""The letter of the last defect in each document."""
PROJECT = "cs50 new my-project --solution"
GAME = "watch --agent clue-heap --level 10x10/15 --seed 1 --record game.json"
OPTIONS = r"(--agent [\w-]+:|--clues|--explosion|--goal|--start (?!given:1 ))"
"""Options that a row may be about. `given:1` is the default of the documents' levels."""
FIRST = [PROJECT, GAME]
"""Commands that write files which other commands read."""


def table() -> list[tuple[str, ...]]:
    """Return all rows: document, row, feature, shown by, status."""
    return ROWS.findall((DOCS / "documents.md").read_text("utf-8"))


def codes() -> Iterator[str]:
    """Return the code in a row's column "shown by"."""
    for *_, shown, _status in table():
        yield from re.findall(r"`([^`]+)`", shown)


def commands() -> list[str]:
    """Return the commands of the page, each once, with those that write files first."""
    found = dict.fromkeys(
        code.removeprefix("mineproof ") for code in codes() if code.startswith("mineproof ")
    )
    return [*FIRST, *(one for one in found if one not in FIRST and not one.startswith("lab "))]


def test_every_row_is_there_once_with_its_proof_and_status() -> None:
    wanted = [
        (document, row)
        for document, count in NUMBERED.items()
        for row in [
            *map(str, range(1, count + 1)),
            *(chr(i) for i in range(ord("a"), ord(LETTERED.get(document, "`")) + 1)),
        ]
    ]
    assert [row[:2] for row in table()] == wanted
    for document, row, _, shown, status in table():
        assert re.search(r"`(mineproof|tests/)", shown), (document, row)
        assert status.startswith(("works", "differs: ", "repaired")), (document, row)


def test_the_tests_that_are_named_exist() -> None:
    named = {tuple(code.split("::")) for code in codes() if "::" in code}
    for path in {path for path, _ in named}:
        body = ast.parse((ROOT / path).read_text("utf-8")).body
        there = {node.name for node in body if isinstance(node, ast.FunctionDef)}
        assert {name for file, name in named if file == path} <= there, path


def test_the_experiments_that_are_named_repeat_documents() -> None:
    """The page lists all experiments, and another test plays all of them."""
    named = {code.split()[-1] for code in codes() if code.startswith("mineproof lab run")}
    known = {one.name for one in members("documents")}
    assert named <= known
    listed = (DOCS / "repeat-every-figure.md").read_text("utf-8")
    assert all(f"`{name}`" in listed for name in known)
    assert re.search(
        r"def test_all_documents_are_played_and_drawn\b",
        (ROOT / "tests" / "lab" / "test_lab_command.py").read_text("utf-8"),
    )


def test_every_verdict_is_on_the_page() -> None:
    """The page has each claim with its verdict, or says that its experiment was not run."""
    page = (DOCS / "verdicts.md").read_text("utf-8")
    for one in members("documents"):
        for claim in (claim for figure in one.figures for claim in figure.claims):
            assert f"| {claim.says} | " in page or f"`{one.name}`" in page, claim.says


def looked_for() -> dict[str, list[tuple[str, bool]]]:
    """Return the texts of the page that each command prints, or does not print."""
    found: dict[str, list[tuple[str, bool]]] = {}
    pattern = r'`mineproof ([^`]+)`: look for "([^"]+)"(?:, missing in `mineproof ([^`]+)`)?'
    for *_, shown, _status in table():
        for command, text, other in re.findall(pattern, shown):
            found.setdefault(command, []).append((text, True))
            if other:
                found.setdefault(other, []).append((text, False))
    return found


def test_every_command_says_what_to_look_for() -> None:
    """A row about an option also names a command whose output lacks the text."""
    quiet = ("cs50 check", "draw ")
    assert {one for one in commands() if not one.startswith(quiet)} <= set(looked_for())
    for document, row, _, shown, _status in table():
        if re.search(rf"`mineproof \w+ [^`]*{OPTIONS}[^`]*`: look for", shown):
            assert "missing in `" in shown, (document, row)


@pytest.mark.timeout(1800)
def test_the_commands_run_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of the page run one after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    # A busy machine needs longer for all checks of a correct file than their time limit.
    monkeypatch.setattr("mineproof.cs50check.supervisor.MOST_TIMEOUTS", 20)
    wanted = looked_for()
    for command in commands():
        done = CliRunner().invoke(mineproof_command, shlex.split(command))
        assert done.exit_code == 0, (command, done.output[-500:])
        assert done.output.strip() or Path(command.split()[-1]).exists(), command
        printed = " ".join(done.output.split())
        for text, is_there in wanted.get(command, []):
            assert (text in printed) == is_there, (command, text)


def answers(page: Path) -> doctest.TestResults:
    """Run the examples of a page, one after the other."""
    session = "".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, page.stem, page.name, 0)
    return doctest.DocTestRunner().run(test)


def test_logic_answers_as_it_shows() -> None:
    failed, tried = answers(DOCS / "logic.md")
    assert (failed, tried > 30) == (0, True)


def test_possibility_answers_as_it_shows() -> None:
    """Chart 1.2 of the Rutgers report: 0.143 for the 1 alone, 0.200 next to a zero."""
    failed, tried = answers(DOCS / "agents" / "possibility.md")
    assert (failed, tried > 2) == (0, True)


def test_the_flow_chart_is_drawn() -> None:
    """The flow chart shows every step and question of the third agent, in its order."""
    page = DOCS / "agents" / "clue-heap.md"
    (chart,) = [one for one in blocks(page, "text") if "heap of easy clues" in one]
    steps = ["easy clues", "smallest number", "all mines?", "hard clues", "proved safe?"]
    steps += ["backtracking", "mine count", "all solutions?", "random cell"]
    places = [chart.index(step) for step in steps]
    assert places == sorted(places)
    assert max(map(len, chart.splitlines())) <= 84
