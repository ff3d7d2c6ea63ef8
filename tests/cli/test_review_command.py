"""`mineproof review` on the command line."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli import coaching
from mineproof.cli.coaching import cost_words, game_line, read_games
from mineproof.cli.main import mineproof_command
from mineproof.cli.review import brief_review, unjudged_lines
from mineproof.core.words import NO_BREAK
from mineproof.inference.budget import Budget
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.records import Record, Step, make_record, read_records, write_records
from mineproof.proof.explanation import rate
from mineproof.review.coach import GameReport, coach
from mineproof.review.replays import ReplayReader
from mineproof.review.verdicts import Review, review

MOVES = ("open 0,3", "open 0,0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    steps = tuple(Step(mw.Move.parse(move)) for move in MOVES)
    write_records(path, [Record(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), (2, 4), steps, None)])
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(mineproof_command, ["review", *arguments])


def test_guesses_and_totals_are_listed(file: Path) -> None:
    lines = run(str(file)).output.splitlines()
    assert lines[0] == "1x7/2, unfinished"
    assert lines[1].startswith("   1 open 0,3: best guess. It risked 25.0\u00a0%. ")
    assert lines[2] == "moves judged: 2 (1 proved, 1 best guess, 0 avoidable risk, 0 reckless)"
    assert lines[3].startswith("luck: the chance of surviving all guesses was 75.0\u00a0%")
    assert lines[4] == "difficulty of the proofs: hardest 1.1 (satisfied), mean 1.1"


def test_proved_moves_are_listed_with_all(file: Path) -> None:
    assert "2 open 0,0: proved. The 2 at (0, 3) needs two mines" in run("--all", str(file)).output


def test_a_mistake_names_the_played_cell_and_proves_its_mine(tmp_path: Path) -> None:
    """A mistake is marked with a sign. If the cell was a proved mine, the proof follows."""
    steps = tuple(Step(mw.Move.parse(move)) for move in ("open 0,3", "open 0,2"))
    game = mw.Game(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), mw.Board.from_mines(1, 7, (2, 4)))
    for step in steps:
        game.play(step.move)
    path = tmp_path / "lost.json"
    write_records(path, [make_record(game, steps)])
    lines = run(str(path)).output.splitlines()
    assert lines[2].startswith("   2 open 0,2 ??: reckless. It was proved to be a mine.")
    assert lines[3].startswith("     Why (0, 2) was a mine: The 2 at (0, 3) needs two mines")


def test_json_has_one_object_per_game(file: Path) -> None:
    result = run("--json", str(file))
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert [move["move"] for move in found["moves"]] == list(MOVES)
    assert sum(found["totals"].values()) == 2


def test_bad_records_have_status_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text("nonsense\n")
    result = run(str(path))
    assert (result.exit_code, "line 1" in result.output) == (2, True)
    path.write_text("\n")
    assert "got an empty file" in run(str(path)).output
    assert run(str(tmp_path / "missing.json")).exit_code == 2


def test_the_suffix_decides_how_chains_are_written(file: Path, tmp_path: Path) -> None:
    picture, data = tmp_path / "chains.svg", tmp_path / "chains.json"
    assert run(str(file), "--chains", str(picture)).exit_code == 0
    assert picture.read_text("utf-8").startswith("<svg")
    assert run(str(file), "--chains", str(data)).exit_code == 0
    assert json.loads(data.read_text("utf-8"))["length"] == 2
    printed = run(str(file), "--chains", str(data), "--reader", "basic", "--force").output
    assert "chains of influence, as basic reasons: the longest has 2 conclusions" in printed
    assert run(str(file), "--chains", "no.svg", "--reader", "nobody").exit_code == 2
    assert run(str(file), "--chains", "chains.png").exit_code == 2
    file.write_text(file.read_text("utf-8") * 2)
    assert "--chains needs exactly one game" in run(str(file), "--chains", "no.svg").output


@pytest.fixture
def folder(tmp_path: Path, file: Path) -> Path:
    """Return a folder with two games and a file that is not a game."""
    games = tmp_path / "games"
    (games / "older").mkdir(parents=True)
    steps = tuple(Step(mw.Move.parse(move), seconds=2.0) for move in ("open 0,3", "open 0,2"))
    lost = mw.Game(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), mw.Board.from_mines(1, 7, (2, 4)))
    for step in steps:
        lost.play(step.move)
    outcome = lost.outcome
    write_records(
        games / "older" / "lost.json",
        [Record(lost.rules, 0, mw.Cell(0, 1), (2, 4), steps, outcome)],
    )
    (games / "won.json").write_text(file.read_text("utf-8"))
    (games / "notes.txt").write_text("not a game")
    return games


def test_many_games_get_one_line_each_and_a_summary(folder: Path) -> None:
    result = run(str(folder))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0].startswith(f"{folder / 'older' / 'lost.json'}: 1x7/2 loss, 2.0 s, 3BV ")
    assert lines[0].endswith("1 avoidable risk (cost 1.00 wins), luck 0\u00a0%")
    assert "0 avoidable risks, luck 75\u00a0%" in lines[1]
    assert "2 games: 0 won, 1 lost." in lines
    assert "Avoidable risks cost you about 50.0 wins per 100 games." in lines
    assert any(line.split()[:2] == ["one", "clue"] for line in lines)
    assert "The costliest mistakes:" in lines
    assert "move 2, open 0,2 (chance of winning: 100\u00a0% to 0\u00a0%)" in result.output


def test_bad_files_are_skipped(folder: Path) -> None:
    (folder / "bad.json").write_text("{}")
    result = run(str(folder))
    assert result.exit_code == 2
    assert f"skipped {folder / 'bad.json'}: " in result.stderr
    assert "2 games: 0 won, 1 lost." in result.output
    alone = run(str(folder / "bad.json"), str(folder / "bad.json"), "--drills", "none.mine")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert "error: none of the 2 files can be read" in alone.stderr
    assert not Path("none.mine").exists()
    empty = folder / "empty"
    empty.mkdir()
    assert "there are no games" in run(str(empty)).stderr


def test_a_missing_library_is_reported_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, one message says that replays are skipped. Other games are judged."""
    for name in ("a.avf", "b.RMV", "older/c.evf"):
        (folder / name).write_bytes(b"replay")
    monkeypatch.setattr("mineproof.review.replays.find_spec", lambda _name: None)
    result = run(str(folder))
    assert result.exit_code == 2
    need = "To read them, run: pip install 'mineproof[replays]'"
    assert result.stderr == f"mineproof: skipped 3 replays. {need}\n"
    assert "2 games: 0 won, 1 lost." in result.stdout
    alone = run("--json", str(folder / "a.avf"), str(folder / "b.RMV"))
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert alone.stderr.splitlines()[0] == f"mineproof: skipped 2 replays. {need}"
    assert "none of the 2 files" in alone.stderr


def test_estimates_start_with_about(folder: Path) -> None:
    (record,) = read_games(str(folder / "older" / "lost.json"), ReplayReader())
    report = coach(record)
    assert cost_words(report) == "1.00 wins"
    (mistake,) = report.mistakes
    guessed = replace(report, mistakes=(replace(mistake, exact=False),))
    assert game_line(guessed).endswith("(cost about 1.00 wins), luck 0\u00a0%")
    assert coaching._change(guessed.mistakes[0]) == "about 100\u00a0% to 0\u00a0%"


def test_json_of_many_games_ends_with_a_summary(folder: Path) -> None:
    lines = [json.loads(line) for line in run("--json", str(folder)).output.splitlines()]
    assert [line.get("result") for line in lines] == ["loss", "unfinished", None]
    assert lines[0]["mistakes"][0]["missed"] == "one-clue"
    assert lines[2]["summary"]["wins_lost"] == 50.0


def test_drills_and_plots_are_written_and_not_overwritten(folder: Path, tmp_path: Path) -> None:
    drills, plot = tmp_path / "own.mine", tmp_path / "own.svg"
    arguments = [str(folder), "--drills", str(drills)]
    if importlib.util.find_spec("matplotlib") is not None:
        arguments += ["--plot", str(plot)]
    assert run(*arguments).exit_code == 0
    assert drills.exists()
    if "--plot" in arguments:
        assert "What was missed" in plot.read_text("utf-8")  # written by coach_figure
    assert "Use --force" in run(*arguments).stderr
    assert run(*arguments, "--force").exit_code == 0
    assert "expected --plot FILE.svg" in run(str(folder), "--plot", "x.gif").stderr


def test_an_interrupted_review_is_summed_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = coaching.read_games

    def once(file: str, reader: ReplayReader) -> list[Record]:
        monkeypatch.setattr(coaching, "read_games", interrupt)
        return read(file, reader)

    def interrupt(_file: str, _reader: ReplayReader) -> list[Record]:
        raise KeyboardInterrupt

    monkeypatch.setattr(coaching, "read_games", once)
    result = run(str(folder))
    assert result.exit_code == 130
    assert "1 game: 0 won, 1 lost." in result.output


def test_control_codes_in_names_are_removed(file: Path) -> None:
    """Names from files must not control the terminal."""
    [game] = read_games(str(file), ReplayReader())
    write_records(file, [replace(game, player="eve\x1b[31m\x07\r\nred\u202e")])
    printed = run(str(file)).output
    assert printed.splitlines()[0] == "1x7/2 by eve [31m   red , unfinished"
    assert not {sign for sign in printed if not sign.isprintable()} - {"\n", NO_BREAK}
    assert "\x1b" not in run("--json", str(file)).output


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("--budget", "1e-6", "1e-06 s and 1 GB"), ("--memory", "0.0001", "300 s and 0.0001 MB")],
)
def test_moves_beyond_the_limits_are_listed(
    file: Path, option: str, value: str, words: str
) -> None:
    result = run(str(file), option, value)
    assert result.exit_code == 3
    assert "moves judged: 0 (" in result.output
    assert f"\nno verdict within {words}: 2 moves (1, 2)\n" in result.output
    written = run("--json", str(file), option, value)
    found = json.loads(written.output)
    assert (written.exit_code, found["unjudged"], found["moves"]) == (3, [1, 2], [])
    many = run(str(file), str(file), option, value)
    assert many.exit_code == 3
    assert many.output.count(", 2 moves not judged within the limits") == 2
    whole = run(str(file))
    assert (whole.exit_code, "no verdict" in whole.output) == (0, False)


def test_mistakes_beyond_the_limits_have_no_cost() -> None:
    steps = (Step(mw.Move.parse("open 0,4")),)
    game = Record(mw.Rules(1, 5, 1, flood=False), 0, mw.Cell(0, 0), (3,), steps, None)
    found = review(game)
    assert len(coach(game, "", found).mistakes) == 1
    budget = Budget(1e-9)
    report = coach(game, "", found, budget)
    assert (report.mistakes, report.unjudged) == ((), (1,))
    assert list(unjudged_lines(found, budget, report.unjudged)) == [
        "no cost within 1e-09 s and 1 GB: 1 move (1)"
    ]
    assert from_plain(GameReport, json.loads(json.dumps(to_plain(report)))) == report


def test_only_some_moves_without_a_verdict_are_listed() -> None:
    found = Review((), rate([]), (), tuple(range(1, 31)))
    [line] = unjudged_lines(found, Budget(2))
    assert line == (
        "no verdict within 2 s and 1 GB: 30 moves (1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 more)"
    )


def test_a_review_during_a_game_is_limited(file: Path) -> None:
    (record,) = read_records(file)
    assert not any("no verdict within" in line for line in brief_review(record))
    assert any(line.startswith("no verdict within 1e-06 s") for line in brief_review(record, 1e-6))
