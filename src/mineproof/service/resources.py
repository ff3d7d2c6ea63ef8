"""The store, the workers and the agents that all games and pages of a service share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from mineproof.agents.loading import is_engine, is_foreign, parse_agent
from mineproof.agents.registry import agents
from mineproof.core.errors import InputError
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.text import load_json, quote
from mineproof.service.limits import DEPTH, QUICK_SECONDS

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


class Storage(Protocol):
    """A store for games, results and settings. The front end provides it."""

    def save_game(self, key: str, fields: Plain) -> None:
        """Save a game under its key."""

    def load_game(self, key: str) -> Plain | None:
        """Return a saved game, or None if there is no game with this key.

        Raises:
            InputError: the game is damaged.
        """

    def delete_game(self, key: str) -> None:
        """Delete a game."""

    def save_report(self, key: str, fields: Plain) -> None:
        """Save the coach's report on a game. It is deleted with the game."""

    def load_report(self, key: str) -> Plain | None:
        """Return the coach's report on a game, or None if there is none.

        Raises:
            InputError: the report is damaged.
        """

    def set_aside(self, key: str) -> None:
        """Move a damaged game out of the way."""

    def games(self) -> list[str]:
        """Return the keys of all saved games, the latest first."""

    def date(self, key: str) -> float:
        """Return when a game was last saved, in seconds since 1970; 0 if never."""

    def add_result(self, fields: Plain) -> None:
        """Store the result of a game."""

    def results(self) -> list[Plain]:
        """Return the latest results, the oldest first."""

    def erase_results(self) -> None:
        """Delete all results."""

    def settings(self) -> Plain:
        """Return the stored settings."""

    def change_settings(self, values: Plain) -> None:
        """Add or replace settings."""


def read_stored(text: str) -> Plain:
    """Read a stored JSON object of limited depth.

    Raises:
        NotationError: it is damaged.
    """
    return from_plain(Plain, load_json(text, "stored data", depth=DEPTH), "stored data")


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
        try:
            return isinstance(name, str) and self.check_agent(name) == name
        except InputError:
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


def names_a_file(name: str) -> bool:
    """Return whether an agent's name refers to user code: a Python file or an engine."""
    lowered = name.lower()
    cs50 = lowered.startswith("cs50") and ":" in lowered
    return ".py" in lowered or cs50 or is_engine(name)
