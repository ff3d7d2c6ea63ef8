"""Players' replays as records and back: generated, real and damaged files."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import replay_files
from click.testing import CliRunner, Result
from conftest import import_extra

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.core.errors import InputError, NotationError
from mineproof.core.move import Move
from mineproof.core.rules import with_options
from mineproof.notation.records import Step, format_record, make_record, parse_record
from mineproof.review import replays
from mineproof.review.metrics import measure
from mineproof.review.replay_writing import format_evf
from mineproof.review.replays import ReplayReader, is_replay, parse_replay, read_replay

ms = import_extra("ms_toollib")
SIZE = 16
SAMPLES = Path(__file__).parent / "replays"
BOARD = [[1, 1, 0, 0], [-1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, -1]]
CLICKS = [("l", 0, 2), ("r", 1, 0), ("l", 2, 0), ("l", 3, 0), ("l", 0, 0), ("l", 2, 3), ("l", 3, 2)]


def make_evf(folder: Path, clicks: list[tuple[str, int, int]]) -> Path:
    """Play clicks on a small board with the library, and write its file."""
    video: Any = ms.BaseVideo(BOARD, SIZE)
    for button, row, column in clicks:
        place = (row * SIZE + 3, column * SIZE + 5)
        video.step(f"{button}c", place)
        time.sleep(0.005)  # the library records the time of each step
        video.step(f"{button}r", place)
    for name in ("software", "country", "player_identifier", "race_identifier"):
        setattr(video, name, "somebody")
    for name in ("uniqueness_identifier", "unique_identifier", "device_uuid"):
        if hasattr(video, name):
            setattr(video, name, "somebody" if name != "device_uuid" else bytes(16))
    video.generate_evf_v4_raw_data()
    file = folder / "game.evf"
    file.write_bytes(
        bytes(video.raw_data)
    )  # the library's own save function runs in the background
    return file


def test_our_own_replay(tmp_path: Path) -> None:
    found = read_replay(make_evf(tmp_path, CLICKS))
    assert found.mines == (4, 15)
    assert found.first == (0, 2)
    assert found.steps[0].move == Move("mark", (1, 0))
    assert Move("open", (2, 0)) in [step.move for step in found.steps]
    assert all(step.seconds is not None for step in found.steps)
    assert found.milliseconds > 0
    assert found.outcome is not None
    assert found.outcome.result == "win"
    assert parse_record(format_record(found)) == found


GAME = ((0.0, "l", 0, 2), (0.5, "r", 1, 0), (1.25, "b", 1, 1), (2.5, "l", 3, 0))


@pytest.mark.parametrize("name", ["avf", "mvf", "rmv"])
def test_replays_of_other_programs(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"game.{name}"
    file.write_bytes(getattr(replay_files, name)(4, 4, (4, 15), GAME))
    found = read_replay(file)
    assert (found.mines, found.first) == ((4, 15), (0, 2))
    moves = ["mark 1,0", "chord 1,1", "open 3,0"]
    assert [str(step.move) for step in found.steps] == moves
    assert [step.seconds for step in found.steps] == [0.5, 1.25, 2.5]
    assert found.player.startswith("A")
    assert found.outcome is not None
    assert found.outcome.result == "win"


def test_many_replays_in_one_process_outlive_a_damaged_one(tmp_path: Path) -> None:
    """A file that crashes the process gives one error. The next file is read in a new process."""
    good, bad = tmp_path / "good.rmv", tmp_path / "bad.avf"
    good.write_bytes(replay_files.rmv(4, 4, (4, 15), GAME))
    bad.write_bytes(b"nonsense" * 50)
    with ReplayReader() as reader:
        first = reader.read(good)
        with pytest.raises(NotationError, match="damaged"):
            reader.read(bad)
        assert reader.read(good) == first
    with pytest.raises(NotationError, match="expected a replay"):
        parse_replay("game.txt", b"")
    with pytest.raises(NotationError, match=r"got game.json. Use Record.load for a record"):
        parse_replay("game.json", b"")
    assert parse_replay(good.name, good.read_bytes()) == first


def test_records_become_replays_and_come_back(tmp_path: Path) -> None:
    """A replay keeps a record's moves, times, board and player. Missing times are evenly spaced."""
    record = replace(read_replay(make_evf(tmp_path, CLICKS)), player="Zoë")
    file = tmp_path / "again.evf"
    file.write_bytes(format_evf(record))
    assert read_replay(file) == record
    plain = tuple(Step(step.move) for step in record.steps)
    file.write_bytes(format_evf(replace(record, steps=plain)))
    times = [step.seconds for step in read_replay(file).steps]
    assert times == pytest.approx([0.1 * number for number in range(1, len(times) + 1)])


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (mw.Rules(300, 2, 0), "at most 255 rows"),
        (with_options(mw.BEGINNER, goal="mark"), "a classic game"),
        (with_options(mw.BEGINNER, start="given:1"), "no first click"),
    ],
)
def test_games_that_no_replay_can_hold_are_refused(rules: mw.Rules, said: str) -> None:
    game = mw.Game(rules, 3)
    if game.first is None and rules.start.kind != "given":
        game.play(mw.Move("open", (0, 0)))
    with pytest.raises(InputError, match=said):
        format_evf(make_record(game, ()))


def test_the_command_converts_both_ways(tmp_path: Path) -> None:
    def convert(*arguments: str) -> Result:
        return CliRunner().invoke(mineproof_command, ["convert", *arguments])

    replay, text, again = (str(tmp_path / name) for name in ("a.rmv", "a.json", "a.evf"))
    Path(replay).write_bytes(replay_files.rmv(4, 4, (4, 15), GAME))
    assert convert(replay, "--out", text).output == f"wrote 1 game to {text}\n"
    assert convert(text, "--out", again).exit_code == 0
    assert read_replay(again).steps == parse_record(Path(text).read_text("utf-8")).steps
    assert "Use --force" in convert(text, "--out", again).stderr
    assert "a replay holds one game" in convert(text, replay, "--out", again, "--force").stderr
    assert "expected --out FILE.json" in convert(text, "--out", "a.avf").stderr


@pytest.mark.parametrize("suffix", replays.READERS)
def test_damaged_files_get_one_sentence(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"broken{suffix.upper()}"
    assert is_replay(file.name)
    for data in (b"", b"nonsense" * 50):
        file.write_bytes(data)
        with pytest.raises(NotationError, match="damaged"):
            read_replay(file)
    done = CliRunner().invoke(mineproof_command, ["review", str(file)])
    assert done.exit_code == 2
    assert "damaged" in done.stderr


def test_without_the_library_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.avf").write_bytes(b"")
    monkeypatch.setattr(replays, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"pip install 'mineproof\[replays\]'"):
        read_replay(tmp_path / "x.avf")


@pytest.mark.parametrize(
    ("name", "rules", "bbbv", "seconds"),
    [
        ("beginner.evf", mw.Rules(8, 8, 10, "any"), 10, 504.985),
        ("expert.avf", mw.Rules(16, 30, 99, "any"), 127, 49.25),
        ("expert.mvf", mw.Rules(16, 30, 99, "any"), 122, 37.81),
        ("expert.rmv", mw.Rules(16, 30, 99, "any"), 134, 98.763),
    ],
)
def test_real_replays(name: str, rules: mw.Rules, bbbv: int, seconds: float) -> None:
    """The figures are those of the program that wrote the file. The clock starts with the game."""
    found = read_replay(SAMPLES / name)
    assert found.rules == rules
    assert (found.steps[-1].seconds, found.milliseconds) == (seconds, 1000 * seconds)
    game = found.replay()
    assert game.outcome is not None
    assert game.outcome == found.outcome
    assert game.outcome.result == "win"
    assert measure(game).bbbv == bbbv
