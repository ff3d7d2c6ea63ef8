"""The pages that `docs/make_pages.py` generates match the program's current output."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Require

import mineproof
from mineproof.backend import native
from mineproof.proof.kinds import Rule

DOCS = Path(__file__).parents[1] / "docs"
CHAPTERS = [path.stem for path in sorted((DOCS / "tutorial").glob("*.ipynb"))]
TAUGHT = {
    *("needs-all", "satisfied", "inside", "difference", "group", "cases", "nested-cases"),
    *("mine-count", "guess"),
}
"""The proof rules that people use. All others are for proofs that are too long to explain."""


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that generates the files."""
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module("make_pages")


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_shows_what_its_blocks_give(make: Any, require: Require, name: str) -> None:
    """Running all blocks of a page gives the same page, pictures and notebook again."""
    if name in (
        "graphs-and-heaps",
        "guessing",
        "measuring",
        "probability-board",
    ):  # they play thousands of games
        require("native", native is not None, "the native core is not built")
    stale = [
        path.relative_to(DOCS).as_posix()
        for path, text in make.chapter(name)
        if path.read_text("utf-8") != text
    ]
    assert stale == [], "`make pages` updates them"


def test_the_chapters_are_those_that_are_there(make: Any) -> None:
    """All chapters are generated, in the order of the table, and no picture is left over."""
    assert sorted(make.CHAPTERS) == CHAPTERS
    table = (DOCS / "tutorial" / "index.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| \[[\w ]+\]\(([\w-]+)\.md\)", table, re.M)) == make.CHAPTERS
    pages = "".join((DOCS / "tutorial" / f"{name}.md").read_text("utf-8") for name in CHAPTERS)
    pictures = {path.name for path in (DOCS / "tutorial" / "pictures").iterdir()}
    assert pictures == set(re.findall(r"\(pictures/([\w.-]+)\)", pages))


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_chapter_has_an_exercise_that_checks_answers(name: str) -> None:
    """The first answer is not right yet, and the given answer is."""
    page = (DOCS / "tutorial" / f"{name}.md").read_text("utf-8")
    asked, _, answered = page.partition("## Exercise")[2].partition("The answer:")
    assert "```text" in asked
    assert "Right." not in asked.rpartition("```text")[2]
    assert "```text\nRight." in answered


def test_a_notebook_has_the_code_of_its_page() -> None:
    """A page and its notebook are generated from one source."""
    page = (DOCS / "tutorial" / "sentences.md").read_text("utf-8")
    notebook = json.loads((DOCS / "tutorial" / "sentences.ipynb").read_text("utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["nbformat"] == 4
    assert [f"{one}\n" for one in code] == re.findall(r"^```python\n(.*?)^```", page, re.S | re.M)


def test_every_rule_of_a_proof_is_taught(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chapters explain an example of each proof rule, and an example of a guess."""
    taught, explain = set(), mineproof.explain

    def note(*args: Any) -> mineproof.Explanation:
        found = explain(*args)
        taught.add(found.rule)
        return found

    monkeypatch.setattr(mineproof, "explain", note)
    for name in ("one-clue", "sentences", "search", "counting", "guessing"):
        list(make.chapter(name))
    assert taught == TAUGHT


@pytest.mark.parametrize(
    ("page", "made_by"),
    [
        ("agents/index.md", "agents_page"),
        ("api.md", "api_page"),
        ("python.md", "python_page"),
        ("pictures/board.svg", "board_picture"),
    ],
)
def test_generated_pages_are_those_of_the_program(make: Any, page: str, made_by: str) -> None:
    assert (DOCS / page).read_text("utf-8") == getattr(make, made_by)(), "`make pages` updates it"


def test_the_readme_has_the_first_solvers_of_the_leaderboard(make: Any) -> None:
    leaders = (DOCS / "leaderboard.md").read_text("utf-8")
    assert make.README.read_text("utf-8") == make.readme(leaders), "`make pages` updates it"


def test_the_page_of_names_has_all_of_them() -> None:
    """The page lists every public name, and arguments are shown with their types."""
    text = (DOCS / "api.md").read_text("utf-8")
    for name in mineproof.__all__:
        assert re.search(rf"^(### {name}|- `{name}`)", text, re.M), name
    assert "count: int | None = None" in text


def test_difficulties_are_the_programs() -> None:
    """The page on proofs gives every rule the same number as the program does."""
    page = (DOCS / "explain.md").read_text("utf-8")
    for rule in Rule:
        assert f"| `{rule}` | {rule.kind:d} |" in page
