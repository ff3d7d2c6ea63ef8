"""Pools of workers: fair turns, time limits, cancelling, and limits on questions."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from async_runner import run_async
from worker_tasks import make_answer

from mineproof.workers.errors import AnswerError, CrowdedError, DeadlineError, WorkerDiedError
from mineproof.workers.pool import Pool
from mineproof.workers.worker import Worker

LONG = 60.0


def run(size: int, body: Callable[[Pool], Awaitable[None]], **options: Any) -> None:
    """Run a test with a new pool of this size, and close the pool at the end."""

    async def whole() -> None:
        pool = Pool([Worker(make_answer) for _ in range(size)], **options)
        try:
            await body(pool)
        finally:
            await pool.close()

    run_async(whole())


def ask(pool: Pool, name: str, value: Any = None, **options: Any) -> asyncio.Task[Any]:
    """Ask in a separate task."""
    return asyncio.create_task(pool.ask((name, value), **{"seconds": LONG, **options}))


def is_there(pid: int) -> bool:
    """Return whether a process is running. If a file is given, it contains the process id."""
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


async def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def test_questions_are_answered_side_by_side(tmp_path: Path) -> None:
    """Parts arrive in order before their answer."""
    note = tmp_path / "note"

    async def body(pool: Pool) -> None:
        first = ask(pool, "announced", (str(note), 1000.0))
        second = ask(pool, "announced", (str(note), 1000.0))
        await wait_for(lambda: note.exists() and len(note.read_text().split()) == 2)
        assert len(set(note.read_text().split())) == 2
        first.cancel()
        second.cancel()
        parts: list[int] = []
        assert await ask(pool, "parts", 200, part=parts.append) == "end"
        assert parts == list(range(200))

    run(2, body)


def test_a_worker_that_knows_the_key_is_preferred() -> None:
    """Questions about a game go to the process that already knows it."""

    async def body(pool: Pool) -> None:
        await pool.warm_up()
        one, two = ask(pool, "pid", key="one"), ask(pool, "pid", key="two")
        pids = {"one": await one, "two": await two}
        assert pids["one"] != pids["two"]
        for key in ("two", "one", "one", "two", "two"):
            assert await ask(pool, "pid", key=key) == pids[key]

    run(2, body)


def test_a_deadline_and_a_death_cost_one_question() -> None:
    """Each question gets its own error, and the pool keeps working."""

    async def body(pool: Pool) -> None:
        with pytest.raises(DeadlineError, match=r"within 0\.3 s"):
            await ask(pool, "loop", seconds=0.3)
        with pytest.raises(WorkerDiedError, match="status 3"):
            await ask(pool, "exit", 3)
        with pytest.raises(KeyError):
            await ask(pool, "fail", KeyError("k"))
        with pytest.raises(AnswerError):
            await ask(pool, "lock")
        pid = await ask(pool, "pid")
        os.kill(pid, signal.SIGKILL)
        await wait_for(lambda: not is_there(pid))
        assert await ask(pool, "echo", 5) == 5

    run(1, body)


def test_cancelled_work_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that checks `is_wanted` ends early and keeps its process. Other work is killed."""
    note = tmp_path / "note"

    async def body(pool: Pool) -> None:
        monkeypatch.setattr("mineproof.workers.pool.GRACE", LONG)  # it may be slow to notice
        begun: list[str] = []
        pid = await ask(pool, "pid")
        obedient = ask(pool, "obedient", part=begun.append)
        await wait_for(lambda: bool(begun))
        obedient.cancel()
        assert await ask(pool, "pid") == pid
        monkeypatch.undo()
        stubborn = ask(pool, "announced", (str(note), 1000.0))
        await wait_for(note.exists)
        stubborn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stubborn
        assert await ask(pool, "pid") != pid

    run(1, body)


def test_an_asker_who_leaves_before_the_start_does_not_stop_it() -> None:
    """A question cancelled while its process starts is never sent. The process stays usable."""

    async def body(pool: Pool) -> None:
        gone = ask(pool, "exit", 1)
        await asyncio.sleep(0.01)
        gone.cancel()
        assert await ask(pool, "asked") == ["asked"]

    run(1, body)


def test_askers_take_turns() -> None:
    """Eight questions of one client do not delay another client until all are answered."""
    ended: list[str] = []

    async def body(pool: Pool) -> None:
        async def one(client: str, number: int) -> None:
            await pool.ask(("sleep", 0.02), seconds=LONG, client=client)
            ended.append(f"{client}{number}")

        many = [asyncio.create_task(one("a", number)) for number in range(8)]
        await asyncio.sleep(0)
        few = [asyncio.create_task(one("b", number)) for number in range(2)]
        await asyncio.gather(*many, *few)

    run(1, body)
    assert ended == ["a0", "b0", "a1", "b1", "a2", "a3", "a4", "a5", "a6", "a7"]


def test_nobody_has_more_than_a_share(tmp_path: Path) -> None:
    """With a share of one, difficult questions of one client leave a worker for the others."""
    note = tmp_path / "note"

    async def body(pool: Pool) -> None:
        hard = [ask(pool, "announced", (str(note), 1000.0), client="a") for _ in range(4)]
        await wait_for(lambda: note.exists() and note.read_text().endswith("\n"))
        assert await ask(pool, "echo", 1, client="b") == 1
        assert len(note.read_text().split()) == 1
        for one in hard:
            one.cancel()

    run(2, body, share=1)


def test_too_many_questions_are_refused() -> None:
    """Too many questions are rejected. Cancelled questions no longer count towards the limit."""

    async def body(pool: Pool) -> None:
        running = ask(pool, "sleep", 1000.0)
        waiting = [ask(pool, "echo", number) for number in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(CrowdedError, match="more than 2 questions are waiting"):
            await ask(pool, "echo", 9)
        waiting[0].cancel()
        await asyncio.sleep(0)
        later = ask(pool, "echo", 3)
        await asyncio.sleep(0.1)
        running.cancel()
        assert [await waiting[1], await later] == [1, 3]

    run(1, body, most_waiting=2)


def test_closing_ends_everything() -> None:
    """When a pool is closed, running, waiting and later questions all get an error."""

    async def body(pool: Pool) -> None:
        pid = await ask(pool, "pid")
        served, waits = ask(pool, "loop"), ask(pool, "echo", 1)
        await asyncio.sleep(0.1)
        await pool.close()
        for task in (served, waits, ask(pool, "echo", 1)):
            with pytest.raises(WorkerDiedError):
                await task
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    run(1, body)
