"""Killing any process of a run loses no finished chunk and counts no chunk twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_output import output
from lab_small import small

from mineproof.core.errors import WorkLimitError
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment
from mineproof.lab.report import write_report
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.work import ChunkAnswer
from mineproof.workers.batch import Processes

pytestmark = [
    pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes in /proc"),
    pytest.mark.timeout(900),  # starting many processes takes long on a busy machine
]

SQL = "SELECT agent, mines, seed, result, steps FROM games ORDER BY ALL"
SLOW = """
import time
from pathlib import Path
from mineproof.agents.basic import BasicAgent

class Slow(BasicAgent):
    '''Plays like basic, and takes its time.'''

    def start(self, rules, seed):
        time.sleep(float(Path(__file__).with_name("pace").read_text()))
        super().start(rules, seed)
"""


@pytest.fixture
def slow(tmp_path: Path) -> Experiment:
    """Return an experiment with 40 chunks, each of which takes a short time."""
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    path.with_name("pace").write_text("0.02")
    return small("slow", agents=(f"{path}:Slow",), vary={"mines": tuple(range(1, 41))}, games=3)


def children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def is_worker(pid: int) -> bool:
    """Return whether a process is a worker, not a helper process of `multiprocessing`."""
    try:
        return b"mineproof.workers" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def expect_every_game_once(store: Store, experiment: Experiment) -> None:
    rows = store.query(SQL)
    assert [(row[1], row[2]) for row in rows] == [
        (mines, seed) for mines in range(1, 41) for seed in range(3)
    ]
    assert len(store.finished) == len(prepare(experiment, 3, store).chunks)


def test_killed_workers_lose_nothing(tmp_path: Path, slow: Experiment) -> None:
    store = Store(tmp_path / "slow")
    chance = random.Random(5)
    taken: list[str] = []
    killed = 0

    def take(chunk: Chunk, _answer: ChunkAnswer) -> bool:
        nonlocal killed
        taken.append(chunk.key)
        workers = [pid for pid in children(os.getpid()) if is_worker(pid)]
        if killed < 4 and len(taken) >= 6 * (killed + 1) and workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            killed += 1
        return True

    with Processes(2) as pool:
        carry_out(prepare(slow, 3, store), pool, take)
    assert killed == 4
    assert len(taken) == len(set(taken)) == 40
    expect_every_game_once(store, slow)


FAULTY = """
import os, time
class Faulty:
    def start(self, rules, seed): self.mines = rules.mines
    def decide(self, observation):
        if self.mines == 21: os._exit(9)
        if self.mines == 22: return "nonsense"
        if self.mines == 23: raise ValueError("oops")
        return None
class Deadly(Faulty):
    def start(self, rules, seed): os._exit(9)
"""


def test_a_failed_game_does_not_end_a_run(tmp_path: Path) -> None:
    """Games that an agent breaks off are recorded and reported; ten in a row end the run."""
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    toml = tmp_path / "faults.toml"
    toml.write_text(TOML.format(agent=f"{path}:Faulty", mines=[20, 21, 22, 23, 24]))
    program = (sys.executable, "-m", "mineproof", "lab", "run", toml)
    done = output(*program, "--out", tmp_path / "out", "--jobs", "1")
    assert f"{path}:Faulty: 9 games failed" in done
    store = Store(tmp_path / "out" / "faults")
    found = store.query("SELECT mines, result, guesses FROM games GROUP BY ALL ORDER BY ALL")
    wrong = [(mines, "failed", None) for mines in (21, 22, 23)]
    assert found == [(20, "stuck", 0), *wrong, (24, "stuck", 0)]
    assert "Faulty: 9 games failed" in write_report(tmp_path / "out", ()).read_text()
    run = prepare(small(agents=(f"{path}:Deadly",)), 30, Store(tmp_path / "deadly"))
    with Processes(1) as pool, pytest.raises(WorkLimitError, match=r"10 games .*Deadly, seed 9:"):
        carry_out(run, pool, lambda _chunk, _answer: True)


TOML = """
title = "Slow"
agents = ["{agent}"]
games = 3
[rules]
level = "beginner"
[vary]
mines = {mines}
"""


def start(folder: Path, slow: Experiment) -> subprocess.Popen[str]:
    toml = folder / "slow.toml"
    toml.write_text(TOML.format(agent=slow.agents[0], mines=list(range(1, 41))))
    command = [sys.executable, "-m", "mineproof", "lab", "run", str(toml)]
    return subprocess.Popen(
        [*command, "--jobs", "2", "--out", str(folder / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_parts(process: subprocess.Popen[str], parts: Path, count: int) -> None:
    """Wait until this many result files exist or the process has ended."""
    while process.poll() is None and len(list(parts.glob("*.parquet"))) < count:
        time.sleep(0.02)


def wait_for_end(pids: list[int]) -> None:
    while any(is_worker(pid) for pid in pids):
        time.sleep(0.02)


def test_a_killed_run_goes_on(tmp_path: Path, slow: Experiment) -> None:
    """A run that is killed three times keeps its result files and can be finished."""
    parts = tmp_path / "out" / "slow" / "parts"
    seen: dict[str, tuple[int, bytes]] = {}
    for count in (3, 12, 23):
        process = start(tmp_path, slow)
        wait_for_parts(process, parts, count)
        workers = [pid for pid in children(process.pid) if is_worker(pid)]
        process.kill()
        process.communicate()
        wait_for_end(workers)
        for name, before in seen.items():
            path = parts / name
            assert (path.stat().st_mtime_ns, path.read_bytes()) == before
        seen = {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in parts.glob("*.parquet")}
        assert len(seen) >= count
    process = start(tmp_path, slow)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert "kept from before" in output
    assert not list(parts.glob("*.tmp"))
    expect_every_game_once(Store(tmp_path / "out" / "slow"), slow)


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, slow: Experiment) -> None:
    """Ctrl-C ends the run with status 130. Running the same command again finishes it."""
    parts = tmp_path / "out" / "slow" / "parts"
    pace = tmp_path / "pace"
    pace.write_text("0.3")  # slow enough to be interrupted, even on a busy machine
    process = start(tmp_path, slow)
    wait_for_parts(process, parts, 5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert errors == "Stopped. Run the same command again to continue.\n"
    kept = len(list(parts.glob("*.parquet")))
    assert kept >= 5
    pace.write_text("0")
    process = start(tmp_path, slow)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert "kept from before" in output
    expect_every_game_once(Store(tmp_path / "out" / "slow"), slow)
