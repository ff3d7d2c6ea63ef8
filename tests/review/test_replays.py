"""Players' replays as records: our own `.evf`, real files where they are there, damaged ones."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command
from mineproof.core.errors import InputError, NotationError
from mineproof.core.move import Move
from mineproof.notation.records import format_record, parse_record
from mineproof.review import replays
from mineproof.review.replays import is_replay, read_replay

ms = pytest.importorskip("ms_toollib")
SIZE = 16
SAMPLES = Path(os.environ.get("MINEPROOF_REPLAYS", "shared/replays"))
BOARD = [[1, 1, 0, 0], [-1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, -1]]
CLICKS = [("l", 0, 2), ("r", 1, 0), ("l", 2, 0), ("l", 3, 0), ("l", 0, 0), ("l", 2, 3), ("l", 3, 2)]


def make_evf(folder: Path, clicks: list[tuple[str, int, int]]) -> Path:
    """Let the library play clicks on a small board, and write its file."""
    video: Any = ms.BaseVideo(BOARD, SIZE)
    for button, row, column in clicks:
        place = (row * SIZE + 3, column * SIZE + 5)
        video.step(f"{button}c", place)
        time.sleep(0.005)  # the library takes the time of its steps
        video.step(f"{button}r", place)
    for name in ("software", "country", "player_identifier", "race_identifier"):
        setattr(video, name, "somebody")
    for name in ("uniqueness_identifier", "unique_identifier", "device_uuid"):
        if hasattr(video, name):
            setattr(video, name, "somebody" if name != "device_uuid" else bytes(16))
    video.generate_evf_v4_raw_data()
    file = folder / "game.evf"
    file.write_bytes(bytes(video.raw_data))  # its own way to save goes on behind one's back
    return file


def test_our_own_replay(tmp_path: Path) -> None:
    """Board, clicks and player come back, with times; the record can be written."""
    found = read_replay(make_evf(tmp_path, CLICKS))
    assert found.mines == (4, 15)
    assert found.first == (0, 2)
    assert found.steps[0].move == Move("mark", (1, 0))
    assert Move("open", (2, 0)) in [step.move for step in found.steps]
    assert all(step.seconds is not None for step in found.steps)
    assert found.outcome is not None
    assert found.outcome.result == "win"
    assert parse_record(format_record(found)) == found


@pytest.mark.parametrize("suffix", replays.READERS)
def test_damaged_files_get_one_sentence(tmp_path: Path, suffix: str) -> None:
    """Whatever the library does with them."""
    file = tmp_path / f"broken{suffix.upper()}"
    assert is_replay(file.name)
    for data in (b"", b"nonsense" * 50):
        file.write_bytes(data)
        with pytest.raises(NotationError, match="replay that is whole"):
            read_replay(file)
    done = CliRunner().invoke(mineproof_command, ["review", str(file)])
    assert done.exit_code == 2
    assert "replay that is whole" in done.stderr


def test_without_the_library_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    (tmp_path / "x.avf").write_bytes(b"")
    monkeypatch.setattr(replays, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"pip install mineproof\[replays\]"):
        read_replay(tmp_path / "x.avf")


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no sample replays here")
@pytest.mark.parametrize("name", ["beginner.evf", "expert.avf", "expert.mvf", "expert.rmv"])
def test_real_replays(name: str) -> None:
    """They are won, and replay so."""
    found = read_replay(SAMPLES / name)
    assert found.outcome is not None
    assert found.outcome.result == "win"
    found.replay()
