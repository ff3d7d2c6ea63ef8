"""README, CONTRIBUTING and the pages under docs/ match the program."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import import_extra
from own_rules import forgotten_rules

import mineproof
from mineproof.agents.registry import agents

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
HEADINGS = ["Idea", "Proves", "Cannot prove", "Cost", "Results", "Source"]


def blocks(path: Path, language: str) -> list[str]:
    """Return the code blocks of a page in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.M)


@pytest.mark.parametrize("name", ["python", "gym", "own-clue-rule"])
def test_pages_answer_as_they_show(name: str) -> None:
    """The examples of a page run as one session."""
    if name == "gym":
        import_extra("gymnasium")
    session = "".join(blocks(DOCS / f"{name}.md", "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, name, f"{name}.md", 0)
    assert len(test.examples) >= 9
    with forgotten_rules():
        assert doctest.DocTestRunner().run(test).failed == 0


def test_python_page_shows_what_is_drawn() -> None:
    """The page shows the picture of the position that it quotes."""
    text = next(block for block in blocks(DOCS / "python.md", "pycon") if "5x4x3" in block)
    position = re.sub(r"^(>>> text = \"\"\"|\.\.\. )", "", text.partition('"\n')[0], flags=re.M)
    drawn = mineproof.draw(position.rstrip('"') + "\n", risks=True, proof=(0, 4))
    if (DOCS / "pictures" / "risks-and-proof.svg").read_text("utf-8") != drawn:
        pytest.fail("`make pages` updates the picture")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_nothing_is_left_for_a_build_to_fill_in(page: Path) -> None:
    """Readers of the repository see the same text as readers of the site."""
    assert re.findall(r"@[A-Z_]+@", page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file in the repository points to a file that exists."""
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("id", agents())
def test_every_agent_has_its_page(id: str) -> None:
    """An agent's page has the six headings, in order, and no others."""
    page = DOCS / "agents" / f"{id}.md"
    assert page.exists(), f"expected a page {page.relative_to(ROOT)}"
    assert re.findall(r"^## (.+)$", page.read_text("utf-8"), re.M) == HEADINGS


def test_contributing_names_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    paths = [
        path for path in re.findall(r"`([\w./]+)`", text) if "/" in path and "NAME" not in path
    ]
    assert "examples/my_agent.py" in paths
    for path in paths:
        places = (ROOT / path, ROOT / "src" / "mineproof" / path)
        assert any(place.exists() for place in places) or path == "docs/_build/html", path


@pytest.mark.full
def test_docs_build_without_warnings(tmp_path: Path) -> None:
    import_extra("sphinx")
    options = ["-W", "-q", "-b", "html", "-d", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(tmp_path / "html")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "agents" / "basic.html").exists()
    assert (tmp_path / "html" / "tutorial" / "counting.html").exists()


@pytest.mark.parametrize(
    ("walk", "most"),
    [("A watched game", 12), ("A click", 8), ("A question", 9), ("An experiment", 10)],
)
def test_the_walks_through_the_house_are_short_and_true(walk: str, most: int) -> None:
    """Every file of a guided walk through the code exists, and no walk is longer than promised."""
    text = (DOCS / "design.md").read_text("utf-8").partition(f"### {walk}\n")[2]
    lines = re.findall(r"^\d+\. `(\S+)`", re.split(r"^##", text, flags=re.M)[0], re.M)
    assert 5 < len(lines) <= most
    assert [line for line in lines if not (ROOT / line).is_file()] == []


def test_a_question_needs_five_files() -> None:
    """The recipe for a new question names at most five files or folders, and all exist."""
    text = (DOCS / "design.md").read_text("utf-8").partition("### A new question on the page\n")[2]
    paths = re.findall(r"^\d+\. `([\w./]+)`", text.partition("\n###")[0], re.M)
    assert len(paths) == 5
    for path in paths:
        assert any((place / path).exists() for place in (ROOT, ROOT / "src" / "mineproof")), path
