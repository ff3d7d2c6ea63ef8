"""Runs on a real dask cluster with two workers, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from conftest import import_extra
from lab_small import small

from mineproof import arena
from mineproof.lab.chunks import Chunk
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.work import ChunkAnswer
from mineproof.workers import batch

import_extra("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # warnings from dask must not fail the tests

QUIET = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20", "PYTHONWARNINGS": "ignore"}

WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard")


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for_address(told: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """Wait until the scheduler has written its address to a file, and return the address."""
    while scheduler.poll() is None:
        with suppress(FileNotFoundError, ValueError):  # not written yet, or incomplete
            return str(json.loads(told.read_text("utf-8"))["address"])
        time.sleep(0.05)
    raise AssertionError("expected a scheduler that runs")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """Start a scheduler and two workers with the commands that users run."""
    folder = tmp_path_factory.mktemp("dask")
    told = folder / "scheduler.json"
    scheduler = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    log = (folder / "log").open("w")
    started: list[subprocess.Popen[bytes]] = []

    def start(command: str, *words: str) -> None:
        program = [sys.executable, "-m", f"distributed.cli.dask_{command}", *words]
        env = os.environ | QUIET
        started.append(subprocess.Popen(program, stdout=log, stderr=log, cwd=folder, env=env))

    try:
        start("scheduler", *scheduler, "--scheduler-file", str(told))
        address = wait_for_address(told, started[0])
        for _ in range(2):
            start("worker", address, *WORKER)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("mineproof.workers.cluster.CONNECT_SECONDS", 60)
            yield address, [process.pid for process in started[1:]]
    finally:
        for process in started:
            process.kill()
            process.wait()
        log.close()


def test_every_game_counts_once_though_a_worker_dies(
    tmp_path: Path, cluster: tuple[str, list[int]]
) -> None:
    from mineproof.workers.cluster import Cluster

    address, workers = cluster
    experiment = small("far", agents=("basic", "sentences"), vary={"mines": tuple(range(1, 21))})
    store = Store(tmp_path / "far")
    taken: list[str] = []

    def take(chunk: Chunk, _answer: ChunkAnswer) -> bool:
        taken.append(chunk.key)
        if len(taken) == 8:
            os.kill(workers[0], signal.SIGKILL)
        return True

    with Cluster(address) as engine:
        while engine.threads < 2:
            time.sleep(0.05)
        carry_out(prepare(experiment, 10, store), engine, take)
    assert len(taken) == len(set(taken)) == 40
    counts = store.query("SELECT count(*), count(DISTINCT (agent, mines, seed)) FROM games")
    assert counts == [(400, 400)]


def test_an_arena_run_on_the_cluster_has_the_same_results(
    tmp_path: Path, cluster: tuple[str, list[int]]
) -> None:
    from mineproof.workers.cluster import Cluster

    found = [
        arena.run("sprint-2026", "basic", tmp_path / f"{number}.json", first=3, runner=runner)
        for number, runner in enumerate((None, Cluster(cluster[0])))
    ]
    assert found[0].results == found[1].results


def test_a_run_without_workers_says_so_and_waits(
    tmp_path: Path, cluster: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run without workers reports that it is waiting, and continues when a worker joins."""
    from mineproof.workers.cluster import Cluster

    address, workers = cluster
    monkeypatch.setattr(batch, "LOOK_SECONDS", 0.2)
    told: list[str] = []
    with ExitStack() as started:

        def say(text: str) -> None:
            told.append(text)
            if len(told) == 1:
                process = subprocess.Popen(
                    [sys.executable, "-m", "distributed.cli.dask_worker", address, *WORKER],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd=tmp_path,
                    env=os.environ | QUIET,
                )
                started.callback(process.wait)
                started.callback(process.kill)

        with Cluster(address, say) as engine:
            for worker in workers:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            while engine.threads:
                time.sleep(0.05)
            store = Store(tmp_path / "late")
            carry_out(prepare(small("late"), 5, store), engine, lambda _chunk, _answer: True)
    assert "no worker is connected to" in told[0]
    assert len(told) <= 2
    assert store.query("SELECT count(*) FROM games") == [(5,)]


def test_an_address_without_a_scheduler_is_an_error() -> None:
    from mineproof.workers import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "CONNECT_SECONDS", 1)
        with pytest.raises(ConnectionError, match=r"no dask scheduler at tcp://127\.0\.0\.1:"):
            cluster.Cluster(f"tcp://127.0.0.1:{free_port()}")
