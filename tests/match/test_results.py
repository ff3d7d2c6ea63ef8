"""Result files lose no game, and summaries contain a confidence interval."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Result
from mineproof.match.batch import Played
from mineproof.match.certainty import wilson
from mineproof.match.results import ResultFile, Summary
from mineproof.notation.files import write_whole

WIN, LOSS, STUCK = (Played(i, result, i, 10, 0.5) for i, result in enumerate(list(Result)[:3]))
RUN = {"agent": "basic", "games": "abc"}


OPEN: list[ResultFile] = []


def result_file(path: Path, count: int = 3, **changes: str) -> ResultFile:
    """Return the result file of a run."""
    OPEN.append(ResultFile(path, count, RUN | changes))
    return OPEN[-1]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Close the files that a test has opened."""
    yield
    while OPEN:
        OPEN.pop().close()


def left_behind(path: Path, text: str) -> ResultFile:
    """Return the result file of a run that was interrupted after writing this text."""
    path.write_text(text)
    path.with_name(path.name + ".run").write_text(json.dumps(RUN))
    return result_file(path)


def test_lines_are_there_as_soon_as_they_are_written(tmp_path: Path) -> None:
    """The run file stays, so that the run can be resumed."""
    path = tmp_path / "out.txt"
    results = result_file(path)
    results.open(force=True)
    results.write([STUCK, WIN])
    assert path.read_text() == f"{STUCK}\n{WIN}\n"
    assert path.with_name("out.txt.run").exists()
    results.write([LOSS])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.txt", "out.txt.run"]


def test_resume_drops_a_torn_line(tmp_path: Path) -> None:
    """A game whose line is incomplete is played again."""
    path = tmp_path / "out.txt"
    results = left_behind(path, f"{STUCK}\n{LOSS}\n{WIN}"[:-3])
    results.open(resume=True)
    assert set(results.done) == {1, 2}
    assert path.read_text() == f"{STUCK}\n{LOSS}\n"
    results.write([WIN])
    assert sorted(path.read_text().splitlines()) == sorted(map(str, (WIN, LOSS, STUCK)))


@given(st.integers(0, 60))
def test_resume_after_a_cut_anywhere(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """Complete lines are kept, wherever the file was cut off."""
    path = tmp_path_factory.mktemp("cut") / "out.txt"
    text = f"{WIN}\n{LOSS}\n{STUCK}\n"
    results = left_behind(path, text[:cut])
    results.open(resume=True)
    results.close()
    assert len(results.done) == text[:cut].count("\n")
    assert path.read_text() == "".join(f"{game}\n" for game in results.done.values())


def test_resume_without_a_file_begins(tmp_path: Path) -> None:
    results = result_file(tmp_path / "out.txt")
    results.open(resume=True)
    assert results.done == {}
    assert results.path.read_text() == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 win 1 2 3\nhello\n", "line 2: .*expected index win"),
        (
            "0 win 1 2 3\n0 loss 1 2 3\n",
            "line 2: .*game 0 occurs twice",
        ),
        ("3 win 1 2 3\n", "line 1: .*game 3 does not exist"),
    ],
)
def test_resume_refuses_other_files(tmp_path: Path, text: str, message: str) -> None:
    """A result file of another run is rejected and not changed."""
    path = tmp_path / "out.txt"
    results = left_behind(path, text)
    with pytest.raises(NotationError, match=message):
        results.open(resume=True)
    assert path.read_text() == text


def test_resume_refuses_another_run(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    first = result_file(path)
    first.open(force=True)
    first.write([WIN])
    first.close()
    with pytest.raises(NotationError, match="with agent 'random': it was started with 'basic'"):
        result_file(path, agent="random").open(resume=True)
    with pytest.raises(NotationError, match="with games 'xyz': it was started with 'abc'"):
        result_file(path, games="xyz").open(resume=True)
    result_file(path).open(resume=True)


def test_wilson_against_published_values() -> None:
    """The expected intervals are from Newcombe (1998): 81 of 263, 0 of 20, 20 of 20."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(20, 20) == pytest.approx((0.8389, 1.0), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_wilson_holds_the_rate(wins: int, others: int) -> None:
    """The interval lies in [0, 1], contains the rate, and is mirrored if wins become losses."""
    games = wins + others
    low, high = wilson(wins, games)
    assert 0 <= low <= high <= 1
    if games:
        assert low - 1e-12 <= wins / games <= high + 1e-12
        assert wilson(others, games) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_a_summary_adds_up() -> None:
    summary = Summary()
    summary.add([WIN, LOSS])
    summary.add([STUCK])
    assert summary.plain() == {
        "games": 3,
        "wins": 1,
        "losses": 1,
        "stuck": 1,
        "failed": 0,
        "refused": 0,
        "win_rate": 1 / 3,
        "interval": list(wilson(1, 3)),
        "guesses_per_game": 1.0,
        "moves_per_game": 10.0,
        "ms_per_game": 0.5,
        "false_proofs": 0,
        "false_proofs_of_games": 0,
    }
    assert str(summary) == (
        "3 games: 1 won (33.33\u00a0%, 95 % interval 6.15\u00a0% to 79.23\u00a0%), 1 lost, "
        "1 stuck; "
        "per game 1.00 guesses, 10.0 moves, 0.500 ms of CPU"
    )
    assert Summary().plain()["win_rate"] == 0


def test_a_run_that_is_done_is_not_mixed_with_another(tmp_path: Path) -> None:
    """A finished run still needs its run file."""
    path = tmp_path / "out.txt"
    first = result_file(path)
    first.open(force=True)
    first.write([WIN, LOSS, STUCK])
    first.close()
    with pytest.raises(NotationError, match="with agent 'random': it was started with 'basic'"):
        result_file(path, count=9, agent="random").open(resume=True)
    path.with_name("out.txt.run").unlink()
    with pytest.raises(NotationError, match=r"its run file .* is missing"):
        result_file(path).open(resume=True)
    assert len(path.read_text().splitlines()) == 3


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    first = result_file(path)
    first.open(force=True)
    for how in ("force", "resume"):
        with pytest.raises(InputError, match="is in use by another run"):
            result_file(path).open(**{how: True})
    first.write([WIN])
    assert path.read_text() == f"{WIN}\n"


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "note"
    write_whole(path, b"old")

    def full(_file: int) -> None:
        assert path.read_bytes() == b"old"  # the new data is synced before the file gets its name
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=f"No space.*{path.name}"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_named_by_the_file(tmp_path: Path) -> None:
    """If the folder is missing, the message names the result file, not its run file."""
    path = tmp_path / "none" / "out.txt"
    with pytest.raises(OSError) as caught:  # noqa: PT011  (the file's name is what counts)
        result_file(path).open(force=True)
    assert caught.value.filename == str(path)


@pytest.mark.parametrize("line", ["0 win 0 0 nan", "0 win 0 0 -1", "0 win -1 0 1", "0 win 0 -1 1"])
def test_figures_that_no_game_has(line: str) -> None:
    """Negative numbers and values that are not finite are rejected."""
    with pytest.raises(ValueError, match=r"win\|loss\|stuck\|failed\|refused guesses moves ms"):
        Played.parse(line)


def test_a_file_of_version_0_2_is_continued(tmp_path: Path) -> None:
    """The lines and the run file of version 0.2 are read, and more games can be added."""
    data = Path(__file__).with_name("data")
    for name in ("results-0.2.txt", "results-0.2.txt.run"):
        shutil.copy(data / name, tmp_path)
    run = {"agent": "exact", "games": "from 5x5/4:s0:f0,0 on", "version": "0.2.0"}
    results = ResultFile(tmp_path / "results-0.2.txt", 9, run)
    OPEN.append(results)
    results.open(resume=True)
    assert sorted(results.done) == list(range(8))
    summary = Summary()
    summary.add(results.done.values())
    assert (summary.games, summary.wins, summary.losses, summary.guesses) == (8, 6, 2, 8)
    results.write([Played(8, Result.WIN, 0, 5, 0.5)])
    assert results.path.read_text().endswith("8 win 0 5 0.500\n")
