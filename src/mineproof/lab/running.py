"""Run an experiment: give its chunks to workers, keep each part as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from mineproof.agents.loading import file_of
from mineproof.agents.registry import agents
from mineproof.core.errors import AgentError
from mineproof.lab.chunks import Chunk, plan
from mineproof.lab.experiment import Experiment, check_games
from mineproof.lab.store import Store
from mineproof.lab.work import ChunkAnswer, batch_work
from mineproof.workers.batch import Here, Processes, Runner, cores
from mineproof.workers.errors import ChunkError

Listener = Callable[[Chunk, ChunkAnswer], bool]
"""Hears of a finished chunk; False says that no more are wanted."""


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


def prepare(experiment: Experiment, games: int, store: Store, *, isolated: bool = False) -> Run:
    """See what there is to do, and what is done already.

    Args:
        experiment: what to play.
        games: how many games of each condition.
        store: where they are kept.
        isolated: let agents of one's own think in processes that never have a board.

    Raises:
        NotationError: so many games cannot be meant.
    """
    check_games(games)
    chunks = tuple(plan(experiment, games))
    if isolated:
        chunks = tuple(
            replace(chunk, isolated=file_of(chunk.agent) is not None) for chunk in chunks
        )
    missing = tuple(chunk for chunk in chunks if not store.has(chunk))
    return Run(experiment, games, store, chunks, missing)


def carry_out(run: Run, runner: Runner, listener: Listener) -> None:
    """Play what is missing; each part is kept as soon as its chunk is finished.

    Args:
        run: what there is to do.
        runner: who plays.
        listener: called with each chunk after its part was written; False ends the run early.

    Raises:
        InputError: another run uses the same folder, an agent failed, or its workers die again
            and again.
        KeyboardInterrupt: Ctrl-C was pressed; all finished chunks are kept.
    """
    started = time.monotonic()
    store = run.store

    def take(chunk: Chunk, answers: list[ChunkAnswer], _seconds: float) -> bool:
        (answer,) = answers
        store.write(chunk, answer)
        return listener(chunk, answer)

    with store.locked():
        store.begin(run.experiment, run.chunks, run.games)
        try:
            runner.run(batch_work, run.missing, take)
        except ChunkError as error:
            raise AgentError(f"{error} (near the agent {error.chunk.agent})") from error
        store.end(time.monotonic() - started)


def processes(jobs: int | None = None, *, apart: bool = False) -> Runner:
    """Give who plays on this machine: so many processes, by default one a core.

    One job runs here, unless it is to be `apart`: code of somebody's own may end its process.
    """
    count = jobs or cores()
    return Here() if count == 1 and not apart else Processes(count, prepare=agents)


def has_own(runs: Iterable[Run]) -> bool:
    """Say whether agents of somebody's own play."""
    return any(file_of(chunk.agent) for run in runs for chunk in run.chunks)
