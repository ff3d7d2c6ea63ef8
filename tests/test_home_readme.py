"""A new user's session: every block of the README in turn, in an empty folder."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import mineproof
from mineproof.cli.main import mineproof_command

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.M)
TIME = re.compile(r"in [\d.]+ ms")


def type_command(text: str) -> str:
    """Run a command of a block. Return the block as it should read."""
    line = text.partition("\n")[0]
    words = line.removeprefix("$ mineproof ").split()
    done = CliRunner().invoke(mineproof_command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return f"{line}\n" + "".join(f"{one.rstrip()}\n" for one in done.output.rstrip().splitlines())


def type_python(text: str, names: dict[str, Any]) -> None:
    """Run a Python session and keep its names."""
    test = doctest.DocTestParser().get_doctest(text, names, "README", "README.md", 0)
    assert len(test.examples) <= 10, "ten lines of Python are promised"
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    names.update(test.globs)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run all blocks of the README in order. Return the names of the Python session."""
    names: dict[str, Any] = {"folder": tmp_path_factory.mktemp("session")}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(names["folder"])
        for block in BLOCK.finditer(README):
            text = block["text"]
            if block["language"] == "text":  # the only file that the reader saves
                Path("board.mine").write_text(text, "utf-8")
            elif block["language"] == "pycon":
                type_python(text, names)
            elif text.startswith("$ "):
                assert TIME.sub("in T ms", type_command(text)) == TIME.sub("in T ms", text)
    return names


def test_a_position_of_ones_own_with_risks_and_a_why(session: dict[str, Any]) -> None:
    """The README creates a position, and asks for risks and for a proof."""
    assert session["facts"].risk[0][2] == pytest.approx(132 / 204)
    assert "explain(position" in README
    assert "mineproof why board.mine" in README


def test_two_agents_over_a_thousand_games(session: dict[str, Any]) -> None:
    """The README compares two agents on the same 1,000 boards."""
    assert session["duel"].first.games == session["duel"].second.games == 1000
    assert session["duel"].p_value < 0.001


def test_a_notebook_shows_the_board(session: dict[str, Any]) -> None:
    """Notebooks show the values of the README's examples as pictures."""
    game = mineproof.Game("beginner")
    why = mineproof.explain(session["position"], (3, 6))
    record = mineproof.play(game, mineproof.make_agent("basic"))
    for value in (session["position"], session["facts"], game, why, record):
        assert (value._repr_svg_() or "").startswith("<svg")


@pytest.mark.parametrize(("name", "shown"), [("board", "board"), ("game", "expert-game")])
def test_pictures_are_drawn_by_the_readmes_commands(
    session: dict[str, Any], name: str, shown: str
) -> None:
    drawn = (session["folder"] / f"{name}.svg").read_text("utf-8")
    if drawn != (ROOT / "docs" / "pictures" / f"{shown}.svg").read_text("utf-8"):
        pytest.fail("`make pages` updates the picture")  # pytest's own diff takes minutes
    assert name != "board" or drawn == session["picture"]


def test_it_reads_well_without_pictures() -> None:
    said = re.findall(r'!\[([^\]]*)\]|alt="([^"]*)"', README)
    assert [len("".join(one).split()) > 9 for one in said] == [True, True, True]
    assert "://" not in README


def test_the_page_is_shown_in_light_and_dark() -> None:
    named = re.findall(r'(?:src|srcset)="([^"]+)"', README)
    assert [Path(one).stem for one in named] == ["web-readme-dark", "web-readme-light"]
    assert all((ROOT / one).is_file() for one in named)


def test_it_lists_the_commands_that_exist() -> None:
    listed = re.findall(r"^\| `mineproof (\w+)", README, re.M)
    with click.Context(mineproof_command) as context:
        assert sorted(listed) == sorted(mineproof_command.list_commands(context))


def test_it_leads_to_every_page() -> None:
    """Each page is linked, directly or through the index of its folder."""
    linked = set(re.findall(r"\]\((docs/[^)#]+)\)", README))
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}
    assert pages - linked == {"docs/index.md"}
