"""What the games and pages of a service share: the store, the workers and the agents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from mineproof.agents.loading import parse_agent
from mineproof.agents.registry import agents
from mineproof.core.errors import InputError
from mineproof.notation.codec import to_plain
from mineproof.service.limits import QUICK_SECONDS
from mineproof.service.messages import SHOWN
from mineproof.service.questions import Question, Report

Plain = dict[str, Any]
Found = TypeVar("Found")


class Storage(Protocol):
    """What keeps games, results and settings; a front end passes one in."""

    def save_game(self, key: str, fields: Plain) -> None:
        """Keep a game under its key."""

    def load_game(self, key: str) -> Plain | None:
        """Return a game that was kept; None if there is none.

        Raises:
            InputError: it is damaged.
        """

    def forget_game(self, key: str) -> None:
        """Drop a game."""

    def put_aside(self, key: str) -> None:
        """Keep a damaged game out of the way."""

    def games(self) -> list[str]:
        """Return the keys of all games that are kept, the latest first."""

    def date(self, key: str) -> float:
        """Return when a game was kept last, as `time.time` counts; 0 for never."""

    def add_result(self, fields: Plain) -> None:
        """Keep the result of a game."""

    def results(self) -> list[Plain]:
        """Return the latest results, the oldest first."""

    def erase_results(self) -> None:
        """Forget all results."""

    def settings(self) -> Plain:
        """Return the settings that are remembered."""

    def change_settings(self, values: Plain) -> None:
        """Remember further settings."""


async def directly(work: Callable[[], Any], _page: int = 0) -> Any:
    """Do it here and now: there is nobody else to wait."""
    return work()


@dataclass(frozen=True)
class Workers:
    """Where work runs that takes longer than a moment; a transport passes them in."""

    answer: Callable[[Question, Report], Awaitable[str]]
    """Lets the function of `make_answerer` answer a question; raises what it raises."""
    run: Callable[[Callable[[], Any], int], Awaitable[Any]] = directly
    """Calls a function in a worker on behalf of a page, and returns what it returns."""
    use_store: Callable[[Callable[[], Any]], Awaitable[Any]] = directly
    """Calls a function that reads or writes the store, or only takes a moment too long."""


class Resources:
    """The store, the workers, and the agents that pages may choose."""

    def __init__(
        self, store: Storage, workers: Workers, own_agent: str, listed: Sequence[Plain]
    ) -> None:
        """Take what a front end has passed in; see `Service`."""
        self.store = store
        self.workers = workers
        self._listed = {one["id"]: one for one in listed or to_plain(list(agents().values()))}
        quick = [id for id, one in self._listed.items() if not one["takes_time"]]
        self.agent = own_agent or quick[-1]
        """The agent that is asked unless a question names another."""
        self._own: Plain = {}
        self._background: set[asyncio.Task[None]] = set()

    # ---- agents

    def offer(self, own_agent: str, own_spec: Plain | None = None) -> None:
        """Offer the user's own agent, in place of one offered before.

        Args:
            own_agent: the text that names it.
            own_spec: its `AgentSpec` as `to_plain` writes it, found out in another process.
                Without it the agent's file runs here, in the process with the games.

        Raises:
            AgentError: there is no such agent.
        """
        spec = own_spec or to_plain(parse_agent(own_agent)[0])  # a fault is reported now
        self._own = {**spec, "id": own_agent}

    @property
    def has_own(self) -> bool:
        """Whether an agent of the user's own is offered."""
        return bool(self._own)

    @property
    def offered(self) -> list[Plain]:
        """All agents that pages may choose, described."""
        own = {self._own["id"]: self._own} if self._own else {}
        return list({**self._listed, **own}.values())

    def check_agent(self, name: str) -> str:
        """Return the name of an agent if pages may choose it: no page names a file.

        Raises:
            InputError: they may not, or its options do not fit.
        """
        if name in self._listed or (self._own and name == self._own["id"]):
            return name
        spec = agents().get(name.partition(":")[0])
        if spec is None or names_a_file(name):
            text = f"expected an agent of the list, got {name[:SHOWN]!r}"
            raise InputError(text, code="unknown-agent", name=name[:SHOWN])
        spec.make(**parse_agent(name)[1])
        return name

    def is_agent(self, name: object) -> bool:
        """Return whether pages may choose an agent."""
        try:
            return isinstance(name, str) and self.check_agent(name) == name
        except InputError:
            return False

    # ---- work

    async def ask(self, question: Question, report: Report = lambda _part: None) -> str:
        """Have a question answered by a worker; return the answer as JSON text."""
        return await self.workers.answer(question, report)

    async def ask_value(self, name: str, values: Plain, key: str, page: int) -> Any:
        """Have a short question answered that the service asks itself; return its value."""
        return json.loads(await self.ask(Question(name, values, QUICK_SECONDS, False, key, page)))

    async def use_store(self, work: Callable[..., Found], *values: Any) -> Found:
        """Call a function that reads or writes the store."""
        found: Found = await self.workers.use_store(partial(work, *values))
        return found

    async def run(self, page: int, job: Callable[..., Found], *values: Any) -> Found:
        """Call a function in a worker."""
        found: Found = await self.workers.run(partial(job, *values), page)
        return found

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something without waiting for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def end_work(self) -> None:
        """Take back all that nobody waits for."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)


def names_a_file(name: str) -> bool:
    """Return whether the text of an agent names a file: such code is the user's own."""
    lowered = name.lower()
    return ".py" in lowered or (lowered.startswith("cs50") and ":" in lowered)
