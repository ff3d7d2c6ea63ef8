"""A real dask scheduler with two workers, one of which is killed in mid-run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from lab_small import small

from mineproof.core.errors import InputError
from mineproof.lab.chunks import Chunk
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.work import Answer

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # dask's own warnings are not ours

QUIET = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20", "PYTHONWARNINGS": "ignore"}


def free_port() -> int:
    """Find a port that nobody uses."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """Start a scheduler and two workers as users do; give its address and the workers."""
    folder = tmp_path_factory.mktemp("dask")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    commands = [["scheduler", *scheduler], ["worker", *worker], ["worker", *worker]]
    log = (folder / "log").open("w")
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{command[0]}", *command[1:]],
            stdout=log,
            stderr=log,
            cwd=folder,
            env=os.environ | QUIET,
        )
        for command in commands
    ]
    try:
        yield address, [process.pid for process in started[1:]]
    finally:
        for process in started:
            process.kill()
            process.wait()
        log.close()


def test_every_game_counts_once_though_a_worker_dies(
    tmp_path: Path, cluster: tuple[str, list[int]]
) -> None:
    """A worker is killed in mid-run; the other one plays what it had."""
    from mineproof.lab.cluster import Cluster

    address, workers = cluster
    experiment = small("far", agents=("basic", "sentences"), vary={"mines": tuple(range(1, 21))})
    store = Store(tmp_path / "far")
    taken: list[str] = []

    def take(chunk: Chunk, _answer: Answer) -> bool:
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


def test_an_address_without_a_scheduler_is_an_error() -> None:
    """Where nothing answers the message names the address."""
    from mineproof.lab import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "CONNECT_SECONDS", 1)
        with pytest.raises(InputError, match=r"a dask scheduler at tcp://127\.0\.0\.1:"):
            cluster.Cluster(f"tcp://127.0.0.1:{free_port()}")
