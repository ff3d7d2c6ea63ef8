"""Run an experiment: give its chunks to workers, keep each part as soon as it is there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mineproof.lab.chunks import Chunk, plan
from mineproof.lab.experiment import Experiment, check_games
from mineproof.lab.store import Store
from mineproof.lab.work import Answer
from mineproof.match.interrupts import Interrupts

Take = Callable[[Chunk, Answer], bool]
"""Takes in a finished chunk; False says that no more are wanted."""


class Workers(Protocol):
    """Those who play chunks: processes of this machine, or a cluster; a context manager."""

    def __enter__(self) -> Workers:
        """Begin to use them."""

    def __exit__(self, *error: object) -> None:
        """Let them go."""

    def run(self, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
        """Play chunks, in about this order, and hand over each one exactly once.

        A chunk whose worker died is played again. `take` is called in this process, never cut
        in half by Ctrl-C; chunks that are finished are handed over before Ctrl-C takes effect.

        Raises:
            AgentError: the agent failed, or its workers die again and again.
            KeyboardInterrupt: Ctrl-C was pressed.
        """


@dataclass(frozen=True)
class Run:
    """What there is to do for an experiment."""

    experiment: Experiment
    games: int
    store: Store
    chunks: tuple[Chunk, ...]
    """All chunks."""
    missing: tuple[Chunk, ...]
    """Those that are not finished yet."""

    @property
    def games_done(self) -> int:
        """How many games are finished already."""
        return sum(one.games for one in self.chunks) - sum(one.games for one in self.missing)


def prepare(experiment: Experiment, games: int, store: Store) -> Run:
    """See what there is to do, and what is done already.

    Raises:
        NotationError: so many games cannot be meant.
    """
    check_games(games)
    chunks = tuple(plan(experiment, games))
    missing = tuple(chunk for chunk in chunks if not store.has(chunk))
    return Run(experiment, games, store, chunks, missing)


def carry_out(run: Run, workers: Workers, listener: Take) -> None:
    """Play what is missing; each part is kept as soon as its chunk is finished.

    Args:
        run: what there is to do.
        workers: who plays.
        listener: called with each chunk after its part was written; False ends the run early.

    Raises:
        InputError: another run uses the same folder, or an agent failed.
        KeyboardInterrupt: Ctrl-C was pressed; all finished chunks are kept.
    """
    started = time.monotonic()
    store = run.store

    def take(chunk: Chunk, answer: Answer) -> bool:
        store.write(chunk, answer)
        return listener(chunk, answer)

    with store.locked(), Interrupts() as interrupts:
        store.begin(run.experiment, run.chunks, run.games)
        if run.missing:
            workers.run(run.missing, take, interrupts)
        store.end(time.monotonic() - started)


def cores() -> int:
    """Say how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
