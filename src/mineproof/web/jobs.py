"""What worker processes do: they follow games and answer all questions that need thought.

A worker keeps the sessions it was asked about lately, each brought up to date by the moves
that are new, so that an agent goes on from what it knows.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any

from mineproof.agents.contract import told
from mineproof.core.errors import ContradictionError, InputError, WorkLimitError
from mineproof.notation.records import Record, format_record
from mineproof.session import Session
from mineproof.web import limits

KEPT = 8
"""Sessions that a worker keeps."""

Report = Callable[[Any], None]


@dataclass(frozen=True)
class Job:
    """A question: its name, the game it is about, and the rest."""

    name: str
    key: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)


class Replicas:
    """Sessions that follow those of the server."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: OrderedDict[str, tuple[Session, Record]] = OrderedDict()

    def follow(self, key: str, record: Record, agent: str) -> Session:
        """Give a session that stands where a record ends, with an agent to ask."""
        session = self._advanced(key, record)
        if session is None:
            session = Session(record.rules, record.seed, agent=agent)
            session.load(format_record(record))
        if session.agent != agent:
            session.choose_agent(agent)
        self._kept[key] = (session, record)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return session

    def _advanced(self, key: str, record: Record) -> Session | None:
        """Make the moves that are new in a session that is kept; None if it went elsewhere."""
        session, before = self._kept.pop(key, (None, record))
        if session is None or _beginning(before) != _beginning(record):
            return None
        done = len(before.steps)
        if before.outcome is not None or record.steps[:done] != before.steps:
            return None
        for step in record.steps[done:]:
            session.accept(step)
        if record.outcome is not None:
            session.stop()
        return session


def _beginning(record: Record) -> tuple[Any, ...]:
    return replace(record, steps=(), outcome=None, milliseconds=0.0, deaths=0), record.first


def serve(pipe: Connection, nice: int) -> None:
    """Answer jobs until the server closes the pipe or ends."""
    _settle(nice)
    from mineproof.web import answers

    def report(part: Any) -> None:
        pipe.send(("part", part))

    replicas = Replicas()
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        with suppress(OSError):
            pipe.send(_answer(job, replicas, answers.ANSWERS, report))


def _answer(
    job: Job, replicas: Replicas, known: dict[str, Callable[..., Any]], report: Report
) -> tuple[str, Any]:
    try:
        return "done", known[job.name](job, replicas, report)
    except ContradictionError as error:
        conflict = {"conflict": error.conflict, "uses_mine_count": error.uses_mine_count}
        return "error", {"name": "ContradictionError", "message": str(error), **conflict}
    except (InputError, WorkLimitError) as error:
        return "error", {"name": type(error).__name__, "message": str(error)}
    except MemoryError:
        return "error", {"name": "WorkLimitError", "message": "expected to need less memory"}
    except Exception as error:  # a fault of an agent's file, or ours: said, and play goes on
        return "error", {"name": "AgentError", "message": f"expected an answer, got {told(error)}"}


def _settle(nice: int) -> None:
    """Leave Ctrl-C to the server, give way to it, and never outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(nice)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.WORKER_BYTES, limits.WORKER_BYTES))
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    """End this process when the server has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
