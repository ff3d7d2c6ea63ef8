"""`mineproof analyse`: JSON lines, text output, errors and exit statuses."""

from __future__ import annotations

import cProfile
import io
import json
import pstats
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hard_positions import scattered
from rich.console import Console
from suites import FOLDER, answers, positions

from mineproof.advice.analysis import analyse
from mineproof.cli import analyse as command
from mineproof.cli.analyse import show
from mineproof.cli.main import mineproof_command
from mineproof.cli.text import draw_risks, two_letters
from mineproof.notation.position_text import format_position

GOOD = "3x1x1\n1HH\n"
WRONG = "5x1x2\n0H2HH\n"
HARD = format_position(positions("expert-stuck")[1])


def invoke(*arguments: str, text: str | bytes = "") -> Result:
    result = CliRunner().invoke(mineproof_command, ["analyse", *arguments], input=text)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.full
def test_json_has_one_object_per_position() -> None:
    result = invoke("--json", str(FOLDER / "expert-stuck.mine"))
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    for found, answer in zip(lines, answers("expert-stuck"), strict=True):
        assert found["layouts"] == str(answer.layouts)
        assert (len(found["safe"]), len(found["mined"])) == (answer.safe, answer.mined)
        assert min(move["risk"] for move in found["moves"]) == pytest.approx(
            answer.least, abs=1e-12
        )
        if found["win_exact"]:
            assert found["moves"][0]["win"] == pytest.approx(found["win"], abs=1e-12)


def test_a_contradiction_is_reported() -> None:
    result = invoke("--json", "-", text=WRONG)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "the 0 at (0, 0) and the 2 at (0, 2)" in result.stderr


def test_other_positions_are_analysed_despite_a_contradiction() -> None:
    result = invoke("--json", "-", text=f"{GOOD}\n{WRONG}\n\n{GOOD}")
    assert result.exit_code == 2
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert first["safe"] == third["safe"] == [[0, 2]]
    assert second.keys() == {"error", "conflict"}
    assert second["conflict"] == [[0, 0], [0, 2]]


def test_clues_above_their_neighbours_are_contradictions() -> None:
    result = invoke("--json", "-", text=f"{GOOD}\n3x1x1\n1H2\n")
    error = json.loads(result.stdout.splitlines()[1])
    assert result.exit_code == 2
    assert error["conflict"] == [[0, 2]]
    assert error["error"].startswith("line 5: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a position, got empty text"),
        ("3x1x1\nHH\n", "line 2: expected 3 cells"),
        ("\n\n3x1\nH\n", "line 3: expected a header"),
        ("3x1x4\nHHH\n", "line 1: expected 0 to 3 mines"),
        (b"\xff\xfe", "expected UTF-8 text"),
    ],
)
def test_bad_text(text: str | bytes, words: str) -> None:
    """The exit status is 2, and the message names the line."""
    result = invoke("-", text=text)
    assert result.exit_code == 2
    assert words in result.stderr


def test_bad_options(tmp_path: Path) -> None:
    assert invoke("-", "--clues", "wild", text=GOOD).exit_code == 2
    assert invoke("-", "--density", "2", text="3x1x?\n1HH\n").exit_code == 2
    assert invoke("-", "--nodes", "0", text=GOOD).exit_code == 2
    assert invoke(str(tmp_path / "none.mine")).exit_code == 2
    assert invoke(str(tmp_path)).exit_code == 2


def test_work_limits() -> None:
    alone = invoke("-", "--nodes", "3", text=HARD)
    assert alone.exit_code == 3
    assert "more than 3 nodes" in alone.stderr
    several = invoke("-", "--json", "--nodes", "3", text=f"{GOOD}\n{HARD}")
    assert several.exit_code == 3
    assert len(several.stdout.splitlines()) == 2
    both = invoke("-", "--json", "--nodes", "3", text=f"{WRONG}\n{HARD}")
    assert both.exit_code == 2
    sampled = invoke("-", "--json", "--nodes", "3", "--sampled", text=HARD)
    assert sampled.exit_code == 0
    assert json.loads(sampled.stdout)["exact"] is False
    assert invoke("-", "--json", "--budget", "60", text=HARD).exit_code == 0
    none = invoke("-", "--nodes", "3", "--sampled", "--memory", "0.01", text=HARD)
    assert none.exit_code == 3
    assert "no estimate within 100000 nodes and 0.01 MB" in none.stderr


def test_options_change_the_result() -> None:
    flagged = json.loads(invoke("-", "--json", "--flags-are-mines", text="3x1x1\nHFH\n").stdout)
    assert flagged["risk"] == [[0.0, 1.0, 0.0]]
    cautious = json.loads(invoke("-", "--json", "--clues", "cautious", text="3x1x?\n1HH\n").stdout)
    assert cautious["mined"] == []
    dense = json.loads(invoke("-", "--json", "--density", "0.7", text="3x1x?\n1HH\n").stdout)
    assert dense["risk"][0][2] == pytest.approx(0.7)


def test_text_output() -> None:
    out = invoke("-", text=HARD).stdout
    assert "\x1b" not in out
    assert out.startswith("16 rows, 30 columns, 99 mines, 264 cells unopened\n")
    assert re.search(r"^15  22 22 .*", out, re.M) or re.search(r"^15  19 19 .*", out, re.M)
    assert "layouts       5.394e40 (--json prints all 41 digits)" in out
    assert "proved safe   none" in out
    assert re.search(r"^best play     wins about \d\d\.\d\u00a0%, an estimate$", out, re.M)
    assert re.search(r"nothing is proved safe; estimated chance of winning: \(\d+, \d+\) \d\d", out)
    last = invoke("-", text="2x2x1\nHH\nHH\n").stdout
    assert "best play     wins 25.00\u00a0%" in last
    assert "chance of winning: (0, 0) 25.00\u00a0%, risk 25.00\u00a0%; (0, 1) 25.00\u00a0%" in last
    noisy = invoke("-", "--clues", "cautious", text=GOOD).stdout
    assert "best play     chance of winning unknown under these rules" in noisy
    proved = invoke("-", text=GOOD).stdout
    assert "0   1 ** ++" in proved
    assert "proved safe   1: (0, 2)" in proved
    assert "best moves    any safe cell" in proved


def test_text_output_of_several_positions() -> None:
    result = invoke("-", text=f"{GOOD}\n{WRONG}")
    assert result.exit_code == 2
    assert "position 0: 1 row, 3 columns" in result.stdout
    assert "position 1: error: no mine layout fits these clues" in result.stdout


def test_text_output_names_density_and_estimates() -> None:
    assert (
        "exact, with a density of 0.3,"
        in invoke("-", "--density", "0.3", text="3x1x?\n1HH\n").stdout
    )
    out = invoke("-", "--nodes", "3", "--sampled", text=HARD).stdout
    assert "layouts       too many to count" in out
    assert "risks         estimated" in out


def test_the_grid_fits_its_width() -> None:
    """In a narrow terminal, the gaps between cells are omitted. Every column has a label."""
    found = analyse(HARD)
    narrow, wide = draw_risks(found, 80).plain, draw_risks(found, 200).plain
    assert max(map(len, narrow.splitlines())) <= 80 < max(map(len, wide.splitlines()))
    assert wide.splitlines()[1].split() == [str(column % 10) for column in range(30)]
    assert [two_letters(x) for x in (0.001, 0.074, 0.5, 0.999)] == ["<1", "07", "50", "99"]


def test_huge_boards_are_not_drawn() -> None:
    text = "300x300x9000\n" + "\n".join(["H" * 300] * 300)
    shown = invoke("-", "--budget", "60", text=text)
    assert shown.exit_code == 0
    assert "not drawn: more than 40,000 cells" in shown.stdout
    assert "best moves    (0, 0) at 10.00\u00a0%" in shown.stdout
    assert len(shown.stdout.splitlines()) < 12
    rejected = invoke("-", "--json", "--budget", "0.02", text=text)
    assert rejected.exit_code == 3
    assert "a position of 90,312 characters takes longer than 0.02 s" in rejected.stderr


def test_json_that_fits_the_budget_is_not_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to write JSON is measured, so a faster machine writes larger boards."""
    monkeypatch.setattr(command, "repeat", lambda *_args, **_how: [0.0015])
    assert command._seconds_for_json(490_000) == pytest.approx(0.0015 * 490_000 / 400)
    monkeypatch.undo()
    text = "110x110x1000\n" + "\n".join(["H" * 110] * 110)
    assert invoke("-", "--json", "--budget", "5", text=text).exit_code == 0


def test_estimates_have_an_error() -> None:
    shown = invoke("-", "--nodes", "5", "--sampled", text=HARD)
    assert re.search(
        r"estimated, off by at most \d+\.\d percentage points on average", shown.stdout
    )
    found = json.loads(invoke("-", "--nodes", "5", "--sampled", "--json", text=HARD).stdout)
    assert found["exact"] is False
    assert 0 <= found["risk_error"] < 0.2
    assert "risk_error" not in json.loads(invoke("-", "--json", text=HARD).stdout)


def test_layouts_that_are_too_many_to_count() -> None:
    text = format_position(scattered(24))
    bounds = "--budget", "100", "--memory", "6"
    shown = invoke("-", *bounds, text=text)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "\nlayouts       too many to count\n" in shown.stdout
    assert "\nrisks         exact, in " in shown.stdout
    written = invoke("-", "--json", *bounds, text=text)
    assert (written.exit_code, written.stderr) == (0, "")
    found = json.loads(written.stdout)
    assert (found["layouts"], found["exact"]) == (None, True)


def test_a_position_is_drawn_in_few_steps() -> None:
    found = analyse("100x100x900\n" + "\n".join(["H" * 100] * 100))
    screen = Console(file=io.StringIO(), color_system=None, highlight=False, soft_wrap=True)
    with cProfile.Profile() as profile:
        show(screen, found)
    assert 100 < pstats.Stats(profile).total_calls < 8 * 100**2  # type: ignore[attr-defined]
    assert not draw_risks(found, 80, styled=False).spans


def test_cells_side_by_side_share_a_style() -> None:
    """Adjacent cells with the same style are drawn as one span."""
    found = analyse("6x1x2\nHHHH1H\n", moves=False)
    drawn = draw_risks(found, 200)
    shown = [(drawn.plain[span.start : span.end], span.style) for span in drawn.spans]
    assert shown[1:] == [
        ("0 ", "bright_black"),
        ("33 33 33", "dark_orange"),
        ("50", "red"),
        (" 1", "bright_black"),
        ("50", "red"),
    ]


def test_drawing_is_part_of_the_budget() -> None:
    text = "200x200x4000\n" + "\n".join(["H" * 200] * 200)
    rejected = invoke("-", "--budget", "0.01", text=text)
    assert rejected.exit_code == 3
    assert "a position of 40,212 characters takes longer than 0.01 s" in rejected.stderr
    assert "to draw" in rejected.stderr
    hard = invoke(
        "-", "--budget", "0.1", "--nodes", str(10**12), text=format_position(scattered(90))
    )
    assert hard.exit_code == 3
    assert "the answer takes more than 0.1 s" in hard.stderr
