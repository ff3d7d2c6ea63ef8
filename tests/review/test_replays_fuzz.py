"""Replays with damaged bytes are read or rejected, even if the library crashes or hangs."""

from __future__ import annotations

from pathlib import Path

import pytest
import replay_files
from conftest import import_extra
from spoiling import check_reader, spoilt_bytes

import mineproof as mw
from mineproof.review import replays
from mineproof.review.replay_writing import format_evf
from mineproof.review.replays import ReplayReader, read_replay

import_extra("ms_toollib")
ROUNDS = 25
MINES = (4, 15)
CLICKS = [(0.0, "l", 0, 2), (0.5, "r", 1, 0), (1.25, "b", 1, 1), (2.5, "l", 3, 0)]


def whole(suffix: str) -> bytes:
    if suffix == ".evf":
        return format_evf(mw.play(mw.Game("beginner", seed=3), mw.make_agent("basic")))
    write = {".avf": replay_files.avf, ".mvf": replay_files.mvf, ".rmv": replay_files.rmv}[suffix]
    return write(4, 4, MINES, CLICKS)


@pytest.mark.timeout(900)  # each damaged file may take five seconds and a new process
@pytest.mark.parametrize("suffix", sorted(replays.READERS))
def test_spoilt_replays_are_read_or_refused(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library may crash or hang. Its process is then stopped, and the next file is read."""
    monkeypatch.setattr(replays, "SECONDS", 5.0)
    data, file = whole(suffix), tmp_path / f"spoilt{suffix}"
    with ReplayReader() as reader:

        def read(spoilt: bytes) -> None:
            file.write_bytes(spoilt)
            reader.read(file)

        check_reader(read, lambda dice: spoilt_bytes(data, dice), ROUNDS)
        read(data)


def test_a_crash_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "damaged.rmv"
    file.write_bytes(b"*rmv" + bytes(100))
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with pytest.raises(mw.NotationError):
        read_replay(file)
    assert list(folder.iterdir()) == []
