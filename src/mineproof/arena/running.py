"""Run an agent on a board set, and play a sample of a result file again."""

from __future__ import annotations

import os
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mineproof.agents.loading import is_foreign, parse_agent
from mineproof.arena.results import LETTERS, AgentIdentity, ArenaResult, GamesFile
from mineproof.arena.sets import PACKED, BoardSet, board_set
from mineproof.backend import backend
from mineproof.core.errors import InputError
from mineproof.match.batch import Played, Player, left, play_deals
from mineproof.match.isolated import Isolation, described, new_salt
from mineproof.match.results import run_of
from mineproof.workers.batch import Runner

Report = Callable[[Sequence[Played]], None]


def run(  # noqa: PLR0913  (all but three have defaults, and are given by name)
    boards: str | os.PathLike[str] | BoardSet,
    agent: str | Isolation,
    out: str | os.PathLike[str],
    *,
    first: int | None = None,
    jobs: int = 1,
    runner: Runner | None = None,
    resume: bool = False,
    force: bool = False,
    salt: str | None = None,
    report: Report = lambda games: None,
) -> ArenaResult:
    """Play an agent on the boards of a set, and write the result file.

    Args:
        boards: the name of a set, a board file, or a set.
        agent: the text that names the agent, or an `Isolation` with other limits. User agents and
            engines always run isolated.
        out: the result file.
        first: play only this many boards from the start of each part.
        jobs: the number of processes.
        runner: plays the games elsewhere, such as on a cluster.
        resume: continue a run that was stopped.
        force: overwrite an existing file.
        salt: the salt of an earlier run, in order to repeat that run.
        report: called with games that have just ended.

    Raises:
        InputError: if a name, a number or the file is not valid.
        AgentError: if there is no such agent.
        WorkLimitError: if too many games in a row failed.
    """
    chosen = boards if isinstance(boards, BoardSet) else board_set(os.fspath(boards))
    deals, path = chosen.deals(first), Path(out)
    how = agent if isinstance(agent, Isolation) else Isolation(agent)
    identity = _identity(how)
    settings = {"set": chosen.sha256, "boards": len(deals), **run_of(how.agent, how.options)}
    games = GamesFile(path.with_name(f"{path.name}.games"), len(deals), settings)
    salt = salt or (games.saved("salt") if resume else None) or new_salt()
    settings["salt"] = salt
    if path.exists() and not (force or (resume and games.path.exists())):
        raise InputError(f"{path} already exists. Use --force to overwrite it")
    started = time.monotonic()
    with games.open(resume=resume, force=force):
        played = list(games.done.values())
        is_resumed = bool(played)

        def keep(new: Sequence[Played]) -> None:
            games.write(new)
            played.extend(new)
            report(new)

        report(tuple(played))
        waiting = left(deals, games.done)
        play_deals(_player(how, salt), waiting, keep, jobs, runner, seconds=how.seconds)
        played.sort()
        result = ArenaResult(
            format="mineproof-arena/1",
            set=chosen.name,
            sha256=chosen.sha256,
            first=first or chosen.most,
            salt=salt,
            agent=identity,
            isolated=is_foreign(how.agent),
            machine=machine(),
            results="".join(LETTERS[game.result] for game in played),
            guesses=sum(game.guesses for game in played),
            false_proofs=sum(game.false_proofs or 0 for game in played),
            cpu_seconds=round(sum(game.milliseconds for game in played) / 1000, 3),
            wall_seconds=None if is_resumed else round(time.monotonic() - started, 3),
            date=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        result.save(path)
    games.remove()
    return result


def replay(
    result: ArenaResult, count: int, *, boards: str | os.PathLike[str] | None = None, jobs: int = 1
) -> Iterator[str]:
    """Play some boards of a result file again; yield every difference.

    `boards` is the board file, if it is not in the current folder under its old name.

    Raises:
        InputError: if the set or the agent is not available here.
    """
    if not result.agent.command:
        raise InputError(f"the result does not name the command that runs {result.agent.name}")
    name = result.set.partition("@")[0]
    packed = (name + end for end in PACKED if Path(name + end).exists())
    chosen = board_set(os.fspath(boards or next(packed, name)))
    if chosen.sha256 != result.sha256:
        raise InputError(f"{chosen.name} does not contain the boards of the result, {result.set}")
    deals = chosen.deals(result.first)
    picked = random.Random(0).sample(range(len(deals)), min(count, len(deals)))
    again: list[Played] = []
    sample = [deals[index] for index in sorted(picked)]
    how = Isolation(result.agent.command, options=tuple(result.agent.options.items()))
    play_deals(_player(how, result.salt), sample, again.extend, jobs)
    for game in again:
        now, then = LETTERS[game.result], result.results[game.index]
        if now != then:
            yield f"board {game.index}: {then} in the file, {now} when played again"


def _player(how: Isolation, salt: str) -> Player:
    return replace(how, salt=salt) if is_foreign(how.agent) else how.agent


def _identity(how: Isolation) -> AgentIdentity:
    text = how.agent
    if not is_foreign(text):
        parse_agent(text)
        return AgentIdentity(text, version("mineproof"), "Mineproof", text)
    spec = described(how)
    name = spec.get("name") or Path(text.rsplit(maxsplit=1)[-1]).name
    stated = spec.get("version", ""), spec.get("author", "")
    return AgentIdentity(name, *stated, text, dict(how.options))


def machine() -> dict[str, Any]:
    """Return a short description of this machine."""
    here = {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}
    versions = {"python": platform.python_version(), "mineproof": version("mineproof")}
    return {**here, **versions, "backend": backend()}
