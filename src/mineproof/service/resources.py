"""The store, the workers and the agents that all games and pages of a service share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from mineproof.agents.loading import is_foreign, names_a_file, parse_agent
from mineproof.agents.registry import agents
from mineproof.core.errors import InputError
from mineproof.notation.codec import to_plain
from mineproof.notation.text import quote
from mineproof.service.limits import QUICK_SECONDS
from mineproof.session.storage import Storage

Plain = dict[str, Any]
Found = TypeVar("Found")
Report = Callable[[str], None]
"""Called with each part of an answer that is sent in parts, as JSON text."""


@dataclass(frozen=True)
class Question:
    """A question waiting for a worker to answer it."""

    name: str
    values: dict[str, Any]
    """The arguments of the answering function. They contain only what a player may know."""
    seconds: float
    """The time limit for computing the answer."""
    is_long: bool = False
    """Whether to queue this question behind other long ones, so that players need not wait."""
    key: str = ""
    """The key of the game. A worker that already knows the game is preferred."""
    page: int = 0
    """The number of the page that asks. Pages take turns."""

    @property
    def deadline(self) -> float:
        """Seconds after which a worker that has not answered is stopped."""
        return self.seconds * 1.2 + 0.2


async def directly(work: Callable[[], Any], _page: int = 0) -> Any:
    """Call a function in this process."""
    return work()


@dataclass(frozen=True)
class Workers:
    """Functions that run slow work outside the event loop. The transport provides them."""

    answer: Callable[[Question, Report], Awaitable[str]]
    """Answers a question with the function that `make_answerer` returns."""
    run: Callable[[Callable[[], Any], int], Awaitable[Any]] = directly
    """Calls a function in a worker for a page and returns its result."""
    use_store: Callable[[Callable[[], Any]], Awaitable[Any]] = directly
    """Calls a function that uses the store, or that would briefly block the event loop."""


class Resources:
    """The store, the workers, and the agents that pages may choose."""

    def __init__(
        self, store: Storage, workers: Workers, own_agents: Sequence[str], listed: Sequence[Plain]
    ) -> None:
        """See `Service` for the arguments."""
        self.store = store
        self.workers = workers
        self._listed = {one["id"]: one for one in listed or to_plain(list(agents().values()))}
        quick = [id for id, one in self._listed.items() if not one["takes_time"]]
        self.agent = own_agents[0] if own_agents else quick[-1]
        """The default agent."""
        self._own: Plain = {}
        self._background: set[asyncio.Task[None]] = set()

    # ---- agents

    def offer(self, own_agents: Mapping[str, Plain | None]) -> None:
        """Offer the user's own agents instead of any that were offered before.

        Args:
            own_agents: for each text that names an agent, the plain form of its `AgentSpec`,
                found in another process. If that is None, the agent's file runs here, in the
                process that holds the games.

        Raises:
            AgentError: there is no such agent.
        """
        self._own = {  # fails early if there is no such agent
            name: {**(spec or to_plain(parse_agent(name)[0])), "id": name}
            for name, spec in own_agents.items()
        }

    @property
    def has_own(self) -> bool:
        """Whether user code is offered as an agent. It may read files."""
        return any(map(is_foreign, self._own))

    @property
    def offered(self) -> list[Plain]:
        """Descriptions of all agents that pages may choose."""
        return list({**self._listed, **self._own}.values())

    def check_agent(self, name: str) -> str:
        """Return the name of an agent unchanged if pages may choose it.

        Names of files are rejected.

        Raises:
            InputError: pages may not choose it, or its options are wrong.
        """
        if name in self._listed or name in self._own:
            return name
        spec = agents().get(name.partition(":")[0])
        if spec is None or names_a_file(name):
            text = f"expected an agent from the list, got {quote(name)}"
            raise InputError(text, code="unknown-agent", name=name[:60])
        spec.make(**parse_agent(name)[1])
        return name

    def is_agent(self, name: object) -> bool:
        """Return whether pages may choose an agent."""
        with suppress(InputError):
            return isinstance(name, str) and self.check_agent(name) == name
        return False

    # ---- work

    async def ask_value(
        self, name: str, values: Plain, key: str, page: int, seconds: float = QUICK_SECONDS
    ) -> Any:
        """Ask a question on behalf of the service and return the answer's value."""
        question = Question(name, values, seconds, seconds > QUICK_SECONDS, key, page)
        return json.loads(await self.workers.answer(question, lambda _part: None))

    async def use_store(self, work: Callable[..., Found], *values: Any) -> Found:
        """Call a function that reads or writes the store."""
        found: Found = await self.workers.use_store(partial(work, *values))
        return found

    async def run(self, page: int, job: Callable[..., Found], *values: Any) -> Found:
        """Call a function in a worker."""
        found: Found = await self.workers.run(partial(job, *values), page)
        return found

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task in the background."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def end_work(self) -> None:
        """Cancel all background tasks."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
