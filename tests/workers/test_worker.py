"""A worker process: answers, time limits, deaths, and its end with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from worker_tasks import make_answer, make_nothing

from mineproof.workers.errors import AnswerError, DeadlineError, WorkerDiedError
from mineproof.workers.serving import Message, Settings
from mineproof.workers.spinner import LATE_PAUSE, SHARED_SECONDS, SPIN_SECONDS, Spinner
from mineproof.workers.worker import Worker

LONG = 60.0
"""Seconds for quick operations, generous because the machine may be busy."""


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker(make_answer) as one:
        yield one


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pid: int) -> None:
    deadline = time.monotonic() + LONG
    while is_there(pid):
        assert time.monotonic() < deadline, f"process {pid} lives on"
        time.sleep(0.02)


def test_answers_come_from_one_process_that_remembers(worker: Worker) -> None:
    first, second = worker.ask(("pid", None)), worker.ask(("pid", None))
    assert first == second != os.getpid()
    assert worker.ask(("asked", None), seconds=LONG) == ["pid", "pid", "asked"]


def test_large_questions_and_answers_pass(worker: Worker) -> None:
    """Questions and answers may be larger than any pipe buffer."""
    data = os.urandom(3_000_000)
    assert worker.ask(("echo", data)) == data


def test_parts_come_in_order_before_the_answer(worker: Worker) -> None:
    parts: list[int] = []
    assert worker.ask(("parts", 500), part=parts.append) == "end"
    assert parts == list(range(500))
    assert worker.ask(("parts", 3)) == "end"


def test_a_deadline_ends_the_process(worker: Worker) -> None:
    """A process that misses its deadline is killed. The next question gets a new process."""
    before = worker.ask(("pid", None))
    with pytest.raises(DeadlineError, match=r"no answer within 0\.2 s"):
        worker.ask(("loop", None), seconds=0.2)
    wait_for_end(before)
    assert worker.ask(("pid", None)) != before


@pytest.mark.parametrize(("question", "status"), [(("exit", 7), 7), (("raise base", None), 1)])
def test_a_death_is_announced_and_the_next_question_answered(
    capfd: pytest.CaptureFixture[str], worker: Worker, question: tuple[str, int], status: int
) -> None:
    """If a process exits, the error names its exit status.

    A new process answers the next question.
    """
    before = worker.ask(("pid", None))
    with pytest.raises(WorkerDiedError, match=f"ended with status {status}") as caught:
        worker.ask(question)
    assert caught.value.status == status
    assert worker.ask(("pid", None)) != before
    assert capfd.readouterr().out == ""


def test_a_worker_killed_between_questions_is_replaced(worker: Worker) -> None:
    before = worker.ask(("pid", None))
    os.kill(before, signal.SIGKILL)
    while worker.is_running:
        time.sleep(0.01)
    assert worker.ask(("pid", None)) != before


def test_a_worker_killed_in_mid_question_is_replaced(worker: Worker, tmp_path: Path) -> None:
    """If a worker is killed, its question gets an error, and the next question gets an answer."""
    note = tmp_path / "note"

    def kill_when_begun() -> None:
        while not (note.exists() and note.read_text().endswith("\n")):
            time.sleep(0.01)
        os.kill(int(note.read_text()), signal.SIGKILL)

    threading.Thread(target=kill_when_begun, daemon=True).start()
    with pytest.raises(WorkerDiedError) as caught:
        worker.ask(("announced", (str(note), 1000.0)))
    assert caught.value.status == -signal.SIGKILL
    assert worker.ask(("echo", 1)) == 1


def test_errors_travel(worker: Worker) -> None:
    """The error shows where the work raised it."""
    with pytest.raises(KeyError, match="a key") as caught:
        worker.ask(("fail", KeyError("a key")))
    assert "_fail" in caught.value.__notes__[0]
    with pytest.raises(AnswerError, match="AwkwardError: left right"):
        worker.ask(("awkward", None))
    assert worker.ask(("asked", None)) == ["fail", "awkward", "asked"]


def test_an_answer_that_cannot_be_sent_is_an_error(worker: Worker) -> None:
    """An answer that cannot be pickled, such as a lock, is an error. The process keeps running."""
    before = worker.ask(("pid", None))
    with pytest.raises(AnswerError, match="the answer cannot be sent"):
        worker.ask(("lock", None))
    assert worker.ask(("pid", None)) == before


def test_a_question_that_cannot_be_sent_disturbs_nothing(worker: Worker) -> None:
    with pytest.raises(TypeError, match="pickle"):
        worker.ask(("echo", threading.Lock()))
    assert worker.ask(("echo", 1)) == 1


def test_a_start_that_fails_is_announced_each_time() -> None:
    with Worker(make_nothing) as worker:
        for _ in range(2):
            with pytest.raises(LookupError, match="got nothing"):
                worker.ask(None)


def test_a_part_that_nobody_can_take_ends_the_question(worker: Worker) -> None:
    """An error in the callback ends the work. Its remaining parts are not delivered later."""

    def refuse(_part: object) -> None:
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        worker.ask(("parts", 100), part=refuse)
    assert worker.ask(("echo", "next")) == "next"


def test_memory_is_limited() -> None:
    """Work that exceeds the memory limit gets an error."""
    pytest.importorskip("resource")
    with Worker(make_answer, memory=1 << 30) as worker:
        assert worker.ask(("grow", 1 << 20)) == 1 << 20
        with pytest.raises(MemoryError):
            worker.ask(("grow", 1 << 31))
        assert worker.ask(("echo", 1)) == 1


def test_what_it_prints_stays_out_of_our_output(capfd: pytest.CaptureFixture[str]) -> None:
    """Output of the work goes to standard error or nowhere, and its standard input is empty."""
    with Worker(make_answer) as loud, Worker(make_answer, is_quiet=True) as quiet:
        loud.ask(("print", "loud"))
        quiet.ask(("print", "quiet"))
        assert quiet.ask(("input", None)) == ""
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "loud\n")


@pytest.mark.skipif(not hasattr(os, "nice"), reason="processes have no niceness here")
def test_it_gives_way_where_asked() -> None:
    """The niceness of a worker is added to that of its parent process."""
    with Worker(make_answer, nice=3) as worker:
        assert worker.ask(("nice", None)) == min(os.nice(0) + 3, 19)


def test_work_hears_that_nobody_waits(worker: Worker) -> None:
    """Work that is stopped by another thread may end early; killed work ends in any case."""
    assert worker.ask(("obedient", None), part=lambda _part: worker.stop()) == "stopped"
    with pytest.raises(WorkerDiedError):
        worker.ask(("loop", None), part=lambda _part: threading.Timer(0.05, worker.kill).start())
    worker.stop()
    worker.kill()  # this has no effect if no question is running
    assert worker.ask(("asked", None)) == ["asked"]


def test_a_stop_while_the_process_starts_does_no_harm(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C can come before the process has got its settings."""
    send = worker._send

    def late(message: Settings | Message) -> None:
        if isinstance(message, Settings):
            worker.stop()
        send(message)

    monkeypatch.setattr(worker, "_send", late)
    assert worker.ask(("echo", 1)) == 1


def test_a_closed_worker_answers_no_more(worker: Worker) -> None:
    """When a worker is closed, a waiting thread gets an error, and so does every later question."""
    threading.Timer(0.5, worker.close).start()
    with pytest.raises(WorkerDiedError):
        worker.ask(("sleep", 1000.0))
    with pytest.raises(WorkerDiedError, match="closed"):
        worker.ask(("echo", 1))


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes in /proc")
def test_what_the_work_started_ends_with_it(worker: Worker, tmp_path: Path) -> None:
    """A child process of the work, which holds the pipes open, does not delay the parent."""
    note = tmp_path / "pid"
    note.touch()
    for seconds in (1.0, 10.0, 100.0):  # a busy machine takes more than a second to start a process
        with pytest.raises(DeadlineError):
            worker.ask(("offspring", str(note)), seconds=seconds)
        if note.read_text():
            break
    wait_for_end(int(note.read_text()))


PARENT = """
import sys
sys.path.insert(0, {tests!r})
from worker_tasks import make_answer
from mineproof.workers.spinner import LATE_PAUSE, SHARED_SECONDS, SPIN_SECONDS, Spinner
from mineproof.workers.worker import Worker
worker = Worker(make_answer)
print(worker.ask(("pid", None)), flush=True)
worker.ask(({name!r}, 1000.0))
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize("name", ["sleep", "loop"])
def test_it_ends_with_its_parent(name: str) -> None:
    """`kill -9` of the parent leaves no worker behind, even if it is busy."""
    script = PARENT.format(tests=str(Path(__file__).parents[1]), name=name)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_there(pid)
        parent.kill()
    wait_for_end(pid)


def test_waiting_awake_ends_and_then_pauses() -> None:
    """Active waiting for a slow message ends soon, and the next messages are awaited asleep."""
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe, os.fdopen(writer, "wb", buffering=0) as end:
        spinner = Spinner()
        spinner.wait()
        assert spinner.seconds == 0
        spinner.watch(pipe)
        spinner.wait()
        assert 0 <= spinner.seconds < SPIN_SECONDS + SHARED_SECONDS
        spent = spinner.seconds
        for _ in range(LATE_PAUSE):
            spinner.wait()
        assert spinner.seconds == spent
        spinner.watch(pipe)
        end.write(b"x")
        spinner.wait()
        assert spinner.seconds == spent
