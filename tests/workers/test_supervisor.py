"""The supervisor of a user's program."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mineproof.workers import supervisor

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")

LATE = """
import subprocess, time
from mineproof.workers import supervisor

class Late(subprocess.Popen):
    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        time.sleep(0.3)

supervisor.subprocess.Popen = Late
supervisor.main()
"""


def test_the_status_of_a_program_that_ends_at_once_is_reported() -> None:
    """Even if the program has ended before the supervisor has reported its start."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        control = str(theirs.fileno())
        command = [sys.executable, "-c", LATE, control, "0", "0", "sh", "-c", "exit 5"]
        process = subprocess.Popen(command, pass_fds=(theirs.fileno(),))
        theirs.close()
        ours.settimeout(60)
        with ours.makefile("rb") as messages:
            assert set(json.loads(messages.readline())) == {"pid"}
            assert json.loads(messages.readline()) == {"status": 5}
        assert process.wait() == 0


def test_two_messages_at_once_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy caller finds the start and the end of a short program at the same time."""
    receive = supervisor.Supervised._receive

    def late(self: supervisor.Supervised, seconds: float) -> dict[str, Any] | None:
        self._process.wait(60)
        return receive(self, seconds)

    monkeypatch.setattr(supervisor.Supervised, "_receive", late)
    assert supervisor.Supervised(["true"]).end(grace=10) == {"status": 0}


@pytest.mark.skipif(sys.platform != "linux", reason="the clocks of other processes")
def test_the_time_of_a_program_that_has_ended_counts() -> None:
    """An engine may start a program for every move and wait for its answer."""
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    code = f"{start}; print('done', flush=True); sys.stdin.read()"
    process = supervisor.Supervised([sys.executable, "-c", code])
    assert os.read(process.output, 4) == b"done"
    spent = process.cpu_seconds
    assert spent > 0.28  # the kernel reports the time of ended processes in whole ticks
    process.end(grace=10)
    assert process.cpu_seconds >= spent


STOPPER = """
import os, signal, time
os.kill(os.getppid(), signal.SIGSTOP)
if os.fork() == 0:
    os.setsid()
    os.write(1, b"%d" % os.getpid())
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes in /proc")
def test_a_supervisor_that_is_stopped_again_still_ends_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even if the caller, which has to help, does not find a detached child."""
    started = supervisor.Supervised([sys.executable, "-c", STOPPER])
    child = int(os.read(started.output, 20))
    hang_ups = iter([lambda: None])  # the first call has no effect
    hang_up = started.hang_up

    def late() -> None:
        next(hang_ups, hang_up)()

    monkeypatch.setattr(started, "hang_up", late)
    monkeypatch.setattr(supervisor, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(supervisor, "_descendants", lambda _pid: [started.pid])
    started.end()
    assert not Path(f"/proc/{child}").exists()
