"""The page's service inside a browser.

The scripts of the static site run this in web workers: one holds the games, others answer
questions. They exchange only strings, so everything can be tested without a browser.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import pickle
import random
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from mineproof import __version__, advice
from mineproof.agents.loading import file_of, load_module, own_spec, parse_agent
from mineproof.backend import backend
from mineproof.core.errors import (
    AgentError,
    CodedError,
    InputError,
    WorkLimitError,
    error_from_plain,
    error_to_plain,
)
from mineproof.match.plain import read_spec
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.text import load_json
from mineproof.service import Page, Service, Workers, limits
from mineproof.service.answering import make_answerer
from mineproof.service.player_words import refusal
from mineproof.service.resources import Plain, Question, Report
from mineproof.session.storage import DEPTH, is_key, read_stored

VERSION = 1
"""The format version of the settings. Settings stored by older versions have no version number."""
AGENT_SECONDS = 5.0
"""Time limit for loading a file with the user's own agent."""
AGENT_CHARACTERS = 60_000
"""Maximum length of a file with the user's own agent."""
LATEST = 1e11
"""The latest plausible date of a saved game, in the year 5138."""
LOAD_AGENT = "load_agent"
ABOUT = {"version": __version__, "transport": "browser"}


class Host(Protocol):
    """Functions of the worker's script that the service needs."""

    def send(self, text: str) -> None:
        """Send a message to the page."""

    def keep(self, store: str, key: str, text: str) -> None:
        """Store a string in the browser and inform other tabs. An empty one deletes the entry."""

    def ask(self, number: int, text: str, seconds: float, is_long: bool) -> None:
        """Send a question to a worker, which answers through `BrowserGames.receive_answer`."""

    def cancel(self, number: int) -> None:
        """Cancel a question."""


class BrowserStore:
    """Games, results and settings stored in the browser.

    Everything is in memory, and each change is written to the browser's storage immediately.
    Each game, result and setting is a separate entry, so that two tabs never overwrite each
    other's additions.
    """

    def __init__(self, keep: Callable[[str, str, str], None]) -> None:
        """Start empty; `learn` adds the stored entries."""
        self._keep = keep
        names = ("games", "reports", "results", "settings")
        self._texts: dict[str, dict[str, str]] = {name: {} for name in names}

    def learn(self, store: str, key: str, text: str) -> None:
        """Add an entry from the browser's storage or from another tab."""
        kept = self._texts.get(store)
        if kept is None:
            return
        kept.pop(key, None)
        if text:
            kept[key] = text

    def _put(self, store: str, key: str, value: Any) -> None:
        text = json.dumps(value, separators=(",", ":")) if value is not None else ""
        self.learn(store, key, text)
        self._keep(store, key, text)

    def _read(self, store: str, key: str) -> Any:
        with suppress(KeyError, InputError):
            return load_json(self._texts[store][key], "stored data", depth=DEPTH)
        return None

    # ---- games

    def save_game(self, key: str, fields: Plain) -> None:
        """Save a game under its key and delete the oldest games beyond the limit."""
        self._put("games", key, {**fields, "saved": time.time()})
        for old in self.games()[limits.SAVED_GAMES :]:
            self.delete_game(old)

    def load_game(self, key: str) -> Plain | None:
        """Return a saved game, or None if there is no game with this key.

        Raises:
            InputError: the game is damaged.
        """
        text = self._texts["games"].get(key)
        return None if text is None else read_stored(text)

    def delete_game(self, key: str) -> None:
        """Delete a game."""
        self._put("games", key, None)
        if key in self._texts["reports"]:
            self._put("reports", key, None)

    def save_report(self, key: str, fields: Plain) -> None:
        """Save the coach's report on a game."""
        self._put("reports", key, fields)

    def load_report(self, key: str) -> Plain | None:
        """Return the coach's report on a game, or None if there is none.

        Raises:
            InputError: the report is damaged.
        """
        text = self._texts["reports"].get(key)
        return None if text is None else read_stored(text)

    def set_aside(self, key: str) -> None:
        """Move a damaged game out of the way."""
        self._keep("damaged", key, self._texts["games"].get(key, ""))
        self.delete_game(key)

    def games(self) -> list[str]:
        """Return the keys of all saved games, the latest first."""
        return [key for key in reversed(self._texts["games"]) if is_key(key)]

    def date(self, key: str) -> float:
        """Return when a game was last saved; 0 if never."""
        found = self._read("games", key)
        saved = found.get("saved") if isinstance(found, dict) else None
        return saved if isinstance(saved, (int, float)) and 0 <= saved < LATEST else 0.0

    # ---- results

    def add_result(self, fields: Plain) -> None:
        """Store the result of a game."""
        self._put("results", f"{time.time_ns():020d}-{secrets.token_hex(4)}", fields)
        for old in sorted(self._texts["results"])[: -limits.RESULTS]:
            self._put("results", old, None)

    def results(self) -> list[Plain]:
        """Return the latest results, the oldest first."""
        found = (self._read("results", key) for key in sorted(self._texts["results"]))
        return [result for result in found if isinstance(result, dict)]

    def erase_results(self) -> None:
        """Delete all results."""
        for key in list(self._texts["results"]):
            self._put("results", key, None)

    # ---- settings

    def settings(self) -> Plain:
        """Return the stored settings."""
        return {name: self._read("settings", name) for name in self._texts["settings"]}

    def change_settings(self, values: Plain) -> None:
        """Add or replace settings."""
        if len({**self.settings(), **values}) < limits.SETTINGS:
            for name, value in {**values, "version": VERSION}.items():
                self._put("settings", name, value)


class BrowserGames:
    """The worker that holds the games: a page, its service, and its unanswered questions."""

    def __init__(self, host: Host, stored: str, key: str, listed: str = "[]") -> None:
        """Connect the page.

        Args:
            host: the worker's script.
            stored: everything in the browser's storage, as a JSON list of [store, key, text].
            key: the key of the game that the page should show.
            listed: all agents as a JSON list, if the site knows them.
        """
        self._host = host
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[asyncio.Future[str], Report]] = {}
        self._files: dict[str, str] = {}
        self._store = BrowserStore(host.keep)
        for store, name, text in json.loads(stored):
            self._store.learn(store, name, text)
        agents = json.loads(listed)
        self._service = Service(self._store, Workers(self._answer), about=ABOUT, listed=agents)
        self._service.games.save_seconds = 0.0  # the tab may be closed at any moment
        self._page: Page = finished(Page.connect(self._service, host.send, key))

    @property
    def key(self) -> str:
        """The key of the game that the page shows."""
        return self._page.game.key

    def receive(self, text: str) -> None:
        """Read a message from the page."""
        self._page.receive(text)

    def learn(self, store: str, key: str, text: str) -> None:
        """Add an entry that another tab has stored."""
        self._store.learn(store, key, text)

    # ---- questions

    async def _answer(self, question: Question, report: Report) -> str:
        number = next(self._numbers)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer, report
        agents = f"{question.values.get('agent')} {question.values.get('agents')}"
        files = {path: source for path, source in self._files.items() if path in agents}
        text = write((question.name, question.values, question.seconds, files))
        self._host.ask(number, text, question.deadline, question.is_long)
        try:
            return await answer
        except asyncio.CancelledError:
            self._host.cancel(number)
            raise
        finally:
            del self._waiting[number]

    def receive_answer(self, number: int, kind: str, text: str) -> None:
        """Read a worker's message about a question: `part`, `done`, `error`, or `lost`."""
        if number not in self._waiting:
            return
        answer, report = self._waiting[number]
        if kind == "part":
            report(text)
        elif not answer.done():
            if kind == "done":
                answer.set_result(text)
            else:
                lost = WorkLimitError(text, code="worker-died")
                answer.set_exception(read_error(text) if kind == "error" else lost)

    # ---- the user's own agent

    async def own_agent(self, text: str) -> None:
        """Offer the agent in a file that was chosen on the page."""
        asked = json.loads(text)
        try:
            said = {"agent": await self._offer(str(asked.get("name")), str(asked.get("text")))}
        except CodedError as error:
            said = refusal(error)
        self._host.send(json.dumps({"n": asked["n"], **said}))

    async def _offer(self, name: str, source: str) -> str:
        if len(source) > AGENT_CHARACTERS:
            raise InputError(f"expected a file of at most {AGENT_CHARACTERS:,} characters")
        values = {"name": name, "source": source}
        question = Question(LOAD_AGENT, values, AGENT_SECONDS)
        found = json.loads(await self._answer(question, lambda _part: None))
        path = put_file(**values)
        self._service.offer(dict([read_agent(found, path)]))  # its file never runs in this worker
        self._files = {path: source}
        self._page.greet()
        return str(found[0])


class BrowserAnswers:
    """A worker that answers questions."""

    def __init__(self, send: Callable[[int, str, str], None]) -> None:
        """Set up the worker; `send` is called with a question's number, a kind and a text."""
        self._send = send
        self._answer = make_answerer()

    def ask(self, number: int, text: str) -> None:
        """Answer a question."""
        name, values, seconds, files = read(text)
        try:
            for path, source in files.items():
                put_file(path, source)
            if name == LOAD_AGENT:
                agent = load_agent(**values)
                found = json.dumps([agent, to_plain(parse_agent(agent)[0])])
            else:
                report = partial(self._send, number, "part")
                found = self._answer((name, values, seconds), report)
            self._send(number, "done", found)
        except Exception as error:
            full = WorkLimitError("out of memory", code="out-of-memory")
            error_text = write_error(full if isinstance(error, MemoryError) else error)
            self._send(number, "error", error_text)


def rehearse() -> str:
    """Import all modules by connecting a dummy page. Return the first message to that page."""
    importlib.import_module("mineproof.service.game_answers")
    for name in advice.__all__:
        getattr(advice, name)
    said: list[str] = []

    async def no_worker(*_asked: object) -> str:
        raise NotImplementedError

    store = BrowserStore(lambda *_kept: None)
    finished(Page.connect(Service(store, Workers(no_worker), about=ABOUT), said.append))
    return said[0]


def finished(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine that never waits, because all work is done directly."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("the coroutine waited")


def wake() -> None:
    """Prepare Python to run after its memory was restored from a snapshot."""
    random.seed()
    if backend() == "wasm":
        importlib.import_module("mineproof.wasm.border").share()


def load_agent(name: str, source: str) -> str:
    """Load a file with the user's own agent and return the agent's name.

    Raises:
        AgentError: the file contains no agent.
    """
    path = Path(put_file(name, source))
    module = load_module(path)
    if hasattr(module, "MinesweeperAI"):
        return f"cs50:{path}"
    for found in vars(module).values():
        if isinstance(found, type) and found.__module__ == module.__name__:
            with suppress(AgentError):
                own_spec(found, str(path))
                return f"{path}:{found.__name__}"
    raise AgentError(f"no class in {path} has the methods `start` and `decide`")


def put_file(name: str, source: str) -> str:
    """Write a Python file to the folder that agents are loaded from, and return its path."""
    path = Path(Path(name).name).with_suffix(".py")
    path.write_text(source, "utf-8")
    return str(path)


def read_agent(found: Any, path: str) -> tuple[str, Plain]:
    """Return the name and the description of the agent in a file, as found by a worker.

    Raises:
        AgentError: the agent is not from that file, or its description is not valid.
    """
    try:
        name, spec = from_plain(tuple[str, Any], found)
        if file_of(name) != Path(path):
            raise ValueError(f"expected an agent from {path}, got {name!r}")
        return name, read_spec(spec)
    except ValueError as error:
        raise AgentError(str(error)) from None


def write(question: Any) -> str:
    """Pickle a question as a string for the worker that answers it."""
    return pickle.dumps(question).decode("latin-1")


def read(text: str) -> Any:
    """Unpickle a question. Answers are JSON instead, because user code could forge a pickle."""
    return pickle.loads(text.encode("latin-1"))


def write_error(error: Exception) -> str:
    """Return an error as JSON. Errors without a code become a line of text."""
    text = f"{type(error).__name__}: {error}"
    return json.dumps(error_to_plain(error) if isinstance(error, CodedError) else text)


def read_error(text: str) -> Exception:
    """Return the error that `write_error` wrote."""
    found = json.loads(text)
    return RuntimeError(found) if isinstance(found, str) else error_from_plain(found)
