"""Chunks of work: each result arrives once, even if workers die or Ctrl-C is pressed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from worker_tasks import deadly, deadly_once, failing, slow_squares, squares

from mineproof.workers.batch import MOST_DEATHS, Here, Processes, Remote
from mineproof.workers.errors import ChunkError
from mineproof.workers.interrupts import Interrupts

CHUNKS = [range(start, start + 5) for start in range(0, 100, 5)]


def gathered(runner: Remote | Here, chunks: list[range]) -> list[int]:
    """Run chunks and return all parts in the order of their chunks."""
    found: dict[range, list[int]] = {}

    def take(chunk: range, parts: list[int], seconds: float) -> bool:
        assert seconds >= 0
        found.setdefault(chunk, []).extend(parts)
        return True

    with runner:
        runner.run(squares, chunks, take)
    return [part for chunk in chunks for part in found[chunk]]


def test_processes_change_nothing() -> None:
    """All parts arrive once, in this process and in three, even if there are few chunks."""
    expected = [number * number for number in range(100)]
    assert gathered(Here(), CHUNKS) == gathered(Processes(3), CHUNKS) == expected
    assert gathered(Processes(3), CHUNKS[:1]) == expected[:5]
    assert gathered(Processes(3), []) == []


@pytest.mark.parametrize("runner", [Here, lambda: Processes(2)])
def test_enough_is_enough(runner: type[Here]) -> None:
    """After a batch is stopped early, the runner can be used again."""
    taken: list[int] = []

    def take(_chunk: range, parts: list[int], _seconds: float) -> bool:
        taken.extend(parts)
        return len(taken) < 10

    def take_all(_chunk: object, parts: list[int], _seconds: float) -> bool:
        taken.extend(parts)
        return True

    with runner() as one:
        one.run(squares, CHUNKS, take)
        assert len(taken) == 10
        one.run(squares, CHUNKS, take_all)
    assert len(taken) == 110


def test_what_died_is_done_again(tmp_path: Path) -> None:
    """Some chunks kill their worker once. All parts still arrive once."""
    chunks = [(str(tmp_path / str(number)), number) for number in range(6)]
    found: list[int] = []

    def take(_chunk: tuple[str, int], parts: list[int], _seconds: float) -> bool:
        found.extend(parts)
        return True

    with Processes(2) as runner:
        runner.run(deadly_once, chunks, take)
    assert sorted(found) == list(range(6))
    assert len(list(tmp_path.iterdir())) == 6


def test_a_chunk_that_kills_every_worker_is_blamed() -> None:
    """If a chunk kills every worker, the results of finished chunks are not lost."""
    found: list[int] = []

    def take(_chunk: int, parts: list[int], _seconds: float) -> bool:
        found.extend(parts)
        return True

    with (
        Processes(2) as runner,
        pytest.raises(ChunkError, match=f"{MOST_DEATHS} worker processes in a row") as caught,
    ):
        runner.run(deadly, [1, 2, 13, 4], take)
    assert caught.value.chunk == 13
    assert set(found) <= {1, 2, 4}
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("runner", [Here, lambda: Processes(2)])
def test_an_error_of_the_work_ends_the_batch(runner: type[Here]) -> None:
    """Finished parts are delivered before the error is raised."""
    found: list[int] = []

    def take(_chunk: int, parts: list[int], _seconds: float) -> bool:
        found.extend(parts)
        return True

    with runner() as one, pytest.raises(LookupError, match="13"):
        one.run(failing, [1, 2, 13, 4], take)
    assert 13 not in found
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("runner", [Here, lambda: Processes(2)])
def test_ctrl_c_loses_nothing_that_is_finished(runner: type[Here]) -> None:
    """Parts of running chunks are delivered before Ctrl-C takes effect."""
    found: dict[range, list[int]] = {}

    def take(chunk: range, parts: list[int], _seconds: float) -> bool:
        found.setdefault(chunk, []).extend(parts)
        if chunk.start == 0:
            signal.raise_signal(signal.SIGINT)
        return True

    chunks = [range(1), range(1000, 2000), range(2000, 3000)]
    with runner() as one, pytest.raises(KeyboardInterrupt):
        one.run(slow_squares, chunks, take)
    assert found.pop(range(1)) == [0]
    for chunk, parts in found.items():
        assert parts == [number * number for number in chunk][: len(parts)]
        assert 0 < len(parts) < 1000
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_waits_for_a_held_block() -> None:
    done = []

    def interrupted(interrupts: Interrupts) -> None:
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            with interrupts.held():
                done.append("inner")
            done.append("outer")
        done.append("after")

    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            interrupted(interrupts)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert done == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


PARENT = """
import sys
sys.path.insert(0, {tests!r})
from worker_tasks import announced_pid
from mineproof.workers.batch import Processes
with Processes(2) as runner:
    runner.run(announced_pid, [{note!r}] * 4, lambda *_: True)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes in /proc")
def test_a_killed_parent_leaves_nothing(tmp_path: Path) -> None:
    """`kill -9` of the parent ends all its workers, even if they are busy."""
    note = tmp_path / "note"
    script = PARENT.format(tests=str(Path(__file__).parents[1]), note=str(note))
    with subprocess.Popen([sys.executable, "-c", script]) as parent:
        while not note.exists() or len(note.read_text().split()) < 2:
            time.sleep(0.02)
        parent.kill()
    for pid in map(int, note.read_text().split()):
        while is_there(pid):
            time.sleep(0.02)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
