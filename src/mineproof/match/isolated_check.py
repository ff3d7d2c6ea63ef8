"""Checks of user agents in separate processes.

The agent's process plays the games, because a check looks for faults and not for wins. Only plain
values come back.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain

from mineproof.agents.loading import is_engine
from mineproof.core.errors import InputError
from mineproof.core.words import error_line
from mineproof.match.checker import (
    ENDLESS,
    GAMES,
    CheckReport,
    FoundFault,
    check_agent,
    examinations,
)
from mineproof.match.isolated import Answerer, Isolation, closed, end_words, opened, read_checked
from mineproof.notation.codec import Plain, from_plain, to_plain
from mineproof.notation.plain_forms import harmless
from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.worker import Worker

ENGINE_TURNS = 2
"""Time limit for a call to an engine, as a multiple of the engine's own time limit."""
GAME_TURNS = 6
"""The time limit for a game in a check, as a multiple of the limit per move (boards are small)."""


def check_isolated(how: str | Isolation, games: int = GAMES, classic: bool = False) -> CheckReport:
    """Look for faults in an agent as `check_agent` does, but in a separate process."""
    how = Isolation(how) if isinstance(how, str) else how
    name, seconds = how.agent, how.seconds
    if is_engine(name):
        report = check_agent(name, games, ENGINE_TURNS * seconds, how.make, classic)
        report.findings = [*map(_with_position_line, report.findings)]
        return report
    report = CheckReport()
    make = partial(_make_examiner, name, games, seconds, classic)
    with Worker(make, memory=how.memory, is_plain=True) as worker:
        try:
            limit = seconds
            _examined(worker, True, limit)
            limit *= GAME_TURNS
            while (faults := _examined(worker, False, limit)) is not None:
                report.games += 1
                for found in faults:
                    report.add(found)
                    if found.kind in ENDLESS:
                        return report
        except DeadlineError:
            what = "loading the agent" if limit == seconds else f"game {report.games}"
            text = f"{what} took more than {limit:g} s, so the agent was stopped"
            report.add(FoundFault("hangs", text))
        except (GarbledError, AnswerError) as error:
            text = f"the agent damaged its answers in game {report.games}: {error}"
            report.add(FoundFault("garbles", text))
        except WorkerDiedError as error:
            report.add(FoundFault("exits", f"{end_words(error)} in game {report.games}"))
    return report


def _with_position_line(found: FoundFault) -> FoundFault:
    """Return an engine's fault with the line `position` of the protocol."""
    rows = found.position.split()[1:]
    return replace(found, text=f"{found.text}\nposition {'/'.join(rows)}") if rows else found


def _examined(worker: Worker, is_first: bool, seconds: float) -> list[FoundFault] | None:
    """Examine one game in the worker and return its faults. The first call loads the agent."""
    _, found = opened(worker.ask(is_first, seconds=seconds))
    return None if found is None else read_checked(_read_faults, found)


def _read_faults(plain: Plain) -> list[FoundFault]:
    return from_plain(list[FoundFault], harmless(to_plain(from_plain(list[FoundFault], plain))))


def _make_examiner(name: str, games: int, seconds: float, classic: bool) -> Answerer:
    """Return a function that loads the agent, then examines one game per call; None at the end."""
    waiting = examinations(name, games, seconds, classic=classic)

    def examined(is_first: bool) -> Plain:
        nonlocal waiting
        if is_first:  # load the agent
            waiting = chain([next(waiting)], waiting)
            return []
        examine = next(waiting, None)
        if examine is None:
            return None
        try:
            fault = examine()
        except InputError:
            raise
        except BaseException as error:
            fault = FoundFault("raises", f"it raised {error_line(error)}")
        return to_plain([] if fault is None else [fault])

    return lambda is_first, _send_part: closed(partial(examined, is_first), name)
