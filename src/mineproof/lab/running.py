"""Runs of experiments: workers play the chunks, and each result is saved immediately."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from mineproof.agents.loading import is_foreign
from mineproof.agents.registry import agents
from mineproof.core.errors import AgentError, NotationError
from mineproof.lab.chunks import Chunk, plan
from mineproof.lab.experiment import Experiment, check_games
from mineproof.lab.store import Store
from mineproof.lab.work import ChunkAnswer, batch_work
from mineproof.match.contract import DECISION_SECONDS, Failures
from mineproof.match.isolated import Isolation, described, new_salt
from mineproof.workers.batch import Here, Processes, Runner, cores
from mineproof.workers.errors import ChunkError

Listener = Callable[[Chunk, ChunkAnswer], bool]
"""Called with each finished chunk. It returns False to end the run early."""


@dataclass(frozen=True)
class Run:
    """The work to do for an experiment."""

    experiment: Experiment
    games: int
    store: Store
    chunks: tuple[Chunk, ...]
    """All chunks."""
    missing: tuple[Chunk, ...]
    """The chunks that are not finished."""

    @property
    def games_done(self) -> int:
        """The number of games that are already finished."""
        return sum(one.games for one in self.chunks) - sum(one.games for one in self.missing)


def prepare(  # noqa: PLR0913  (all but three have defaults, and are given by name)
    experiment: Experiment,
    games: int,
    store: Store,
    *,
    isolated: bool = True,
    salt: str | None = None,
    seconds: float = DECISION_SECONDS,
) -> Run:
    """Return a run with the chunks that are not finished.

    Args:
        experiment: the experiment.
        games: the number of games per condition.
        store: the store for the results.
        isolated: run the user's own agents in separate processes, which never hold a board.
        salt: the salt of the run to repeat; by default that of the store, or else a new one.
        seconds: the time limit for a move of the user's own agents, and of all agents on huge
            boards.

    Raises:
        NotationError: the number of games is out of range.
    """
    check_games(games)
    for agent in filter(is_foreign, experiment.agents):
        described(Isolation(agent, seconds))  # load it now, within the time limit
    for boards in {one.boards for one in experiment.conditions if one.boards.listed}:
        if games > len(boards.deals):
            raise NotationError(
                f"{boards.listed} has {len(boards.deals):,} boards, but {games:,} games need more"
            )
    salt = salt or store.salt or new_salt()
    planned = (replace(chunk, seconds=seconds) for chunk in plan(experiment, games))
    chunks = tuple(
        replace(chunk, isolated=isolated, salt=salt) if is_foreign(chunk.agent) else chunk
        for chunk in planned
    )
    missing = tuple(chunk for chunk in chunks if not store.has(chunk))
    return Run(experiment, games, store, chunks, missing)


def carry_out(run: Run, runner: Runner, listener: Listener) -> None:
    """Play the missing chunks, and save each one as soon as it is finished.

    Args:
        run: the run.
        runner: plays the chunks, for example in several processes.
        listener: called with each chunk after it was saved; it returns False to end the run early.

    Raises:
        InputError: another run uses the same folder, an agent cannot be made, or the workers keep
            crashing.
        WorkLimitError: too many games of an agent failed in a row.
        KeyboardInterrupt: Ctrl-C was pressed. All finished chunks are saved.
    """
    started = time.monotonic()
    store, failures = run.store, defaultdict[str, Failures](Failures)

    def save(chunk: Chunk, answers: list[ChunkAnswer], _seconds: float) -> bool:
        (answer,) = answers
        store.write(chunk, answer)
        for result in answer.columns["result"]:
            failures[chunk.agent].add(str(result), answer.error)
        return listener(chunk, answer)

    with store.locked():
        store.begin(run.experiment, run.chunks, run.games)
        try:
            runner.run(batch_work, run.missing, save)
        except ChunkError as error:
            raise AgentError(f"{error} (while the agent {error.chunk.agent} played)") from error
        store.end(time.monotonic() - started)


def processes(jobs: int | None = None, *, separate: bool = False) -> Runner:
    """Return a runner with this number of processes on this machine; by default one per core.

    A single job runs in this process unless it must be `separate`, because user code may crash.
    """
    count = jobs or cores()
    return Here() if count == 1 and not separate else Processes(count, prepare=agents)


def has_own(runs: Iterable[Run]) -> bool:
    """Return whether any of the agents are the user's own."""
    return any(is_foreign(chunk.agent) for run in runs for chunk in run.chunks)
