"""The page's service inside a browser: what it keeps there, and who answers there.

The scripts of the static site run this in web workers: one holds the games, others answer
questions. They exchange texts alone, so all of it can be tested without a browser.
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
from typing import Any, Protocol, TypeVar

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
from mineproof.service.games import is_key
from mineproof.service.messages import read_kept
from mineproof.service.player_words import refusal
from mineproof.service.questions import ANSWERS, Question, Report, make_answerer
from mineproof.service.resources import Plain

VERSION = 1
"""The form in which settings are kept; those of an earlier form have none."""
AGENT_SECONDS = 5.0
"""Time for a file with an own agent to be loaded."""
AGENT_CHARACTERS = 60_000
LATEST = 1e11
"""No game is kept after that moment, which is in the year 5138."""
LOAD_AGENT = "load_agent"
Done = TypeVar("Done")
ABOUT = {"version": __version__, "transport": "browser"}


class Host(Protocol):
    """What the script of the worker does for the service."""

    def send(self, text: str) -> None:
        """Send a message to the page."""

    def keep(self, store: str, key: str, text: str) -> None:
        """Keep a text in the browser, for other tabs as well; an empty one is forgotten."""

    def ask(self, number: int, text: str, seconds: float, is_long: bool) -> None:
        """Let another worker answer; `BrowserGames.told` is called with what comes."""

    def cancel(self, number: int) -> None:
        """Take a question back."""


class BrowserStore:
    """Games, results and settings that are kept in the browser.

    All is in memory; each change goes to the browser's own storage at once, one record for each
    game, result and setting, so that two tabs never overwrite what the other one added.
    """

    def __init__(self, keep: Callable[[str, str, str], None]) -> None:
        """Begin empty; `learn` brings in what was kept."""
        self._keep = keep
        self._texts: dict[str, dict[str, str]] = {"games": {}, "results": {}, "settings": {}}

    def learn(self, store: str, key: str, text: str) -> None:
        """Take in what was kept before, or what another tab has kept just now."""
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
            return load_json(self._texts[store][key], "what was kept", depth=limits.DEPTH)
        return None

    # ---- games

    def save_game(self, key: str, fields: Plain) -> None:
        """Keep a game under its key."""
        self._put("games", key, {**fields, "saved": time.time()})
        for old in self.games()[limits.SAVED_GAMES :]:
            self.forget_game(old)

    def load_game(self, key: str) -> Plain | None:
        """Give a game that was kept; None if there is none.

        Raises:
            InputError: it is damaged.
        """
        text = self._texts["games"].get(key)
        return None if text is None else read_kept(text)

    def forget_game(self, key: str) -> None:
        """Drop a game."""
        self._put("games", key, None)

    def put_aside(self, key: str) -> None:
        """Keep a damaged game out of the way."""
        self._keep("damaged", key, self._texts["games"].get(key, ""))
        self.forget_game(key)

    def games(self) -> list[str]:
        """Give the keys of all games that are kept, the latest first."""
        return [key for key in reversed(self._texts["games"]) if is_key(key)]

    def date(self, key: str) -> float:
        """Say when a game was kept last."""
        found = self._read("games", key)
        saved = found.get("saved") if isinstance(found, dict) else None
        return saved if isinstance(saved, (int, float)) and 0 <= saved < LATEST else 0.0

    # ---- results

    def add_result(self, fields: Plain) -> None:
        """Keep the result of a game."""
        self._put("results", f"{time.time_ns():020d}-{secrets.token_hex(4)}", fields)
        for old in sorted(self._texts["results"])[: -limits.RESULTS]:
            self._put("results", old, None)

    def results(self) -> list[Plain]:
        """Give the latest results, the oldest first."""
        found = (self._read("results", key) for key in sorted(self._texts["results"]))
        return [result for result in found if isinstance(result, dict)]

    def erase_results(self) -> None:
        """Forget all results."""
        for key in list(self._texts["results"]):
            self._put("results", key, None)

    # ---- settings

    def settings(self) -> Plain:
        """Give the settings that are remembered."""
        return {name: self._read("settings", name) for name in self._texts["settings"]}

    def change_settings(self, values: Plain) -> None:
        """Remember further settings."""
        if len({**self.settings(), **values}) < limits.SETTINGS:
            for name, value in {**values, "version": VERSION}.items():
                self._put("settings", name, value)


class BrowserGames:
    """The worker that holds the games: one page, its service, and questions on their way."""

    def __init__(self, host: Host, kept: str, key: str, listed: str = "[]") -> None:
        """Connect the page.

        Args:
            host: what the script does for us.
            kept: all that is in the browser's storage: a JSON list of [store, key, text].
            key: the game that the page is to show.
            listed: all agents as a JSON list, if the site knows them.
        """
        self._host = host
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[asyncio.Future[str], Report]] = {}
        self._files: dict[str, str] = {}
        self._store = BrowserStore(host.keep)
        for store, name, text in json.loads(kept):
            self._store.learn(store, name, text)
        agents = json.loads(listed)
        self._service = Service(self._store, Workers(self._answer), about=ABOUT, listed=agents)
        self._service.games.save_seconds = 0.0  # a tab may be gone in the next moment
        self._page = finished(Page.connect(self._service, host.send, key))

    @property
    def key(self) -> str:
        """The key of the game that the page shows."""
        return self._page.game.key

    def receive(self, text: str) -> None:
        """Take in a message of the page."""
        self._page.receive(text)

    def learn(self, store: str, key: str, text: str) -> None:
        """Take in what another tab has kept."""
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

    def told(self, number: int, kind: str, text: str) -> None:
        """Take in what came of a question: a `part`, `done`, an `error`, or a `lost` worker."""
        if number not in self._waiting:
            return
        answer, report = self._waiting[number]
        if kind == "part":
            report(text)
        elif not answer.done():
            if kind == "done":
                answer.set_result(text)
            else:
                answer.set_exception(read_error(text) if kind == "error" else lost(text))

    # ---- an agent of one's own

    async def own_agent(self, text: str) -> None:
        """Offer the agent of a file that was chosen on the page."""
        asked = json.loads(text)
        try:
            said = {"agent": await self._offer(str(asked.get("name")), str(asked.get("text")))}
        except CodedError as error:
            said = refusal(error)
        self._host.send(json.dumps({"n": asked["n"], **said}))

    async def _offer(self, name: str, source: str) -> str:
        if len(source) > AGENT_CHARACTERS:
            raise InputError(f"expected a file of at most {AGENT_CHARACTERS} characters")
        values = {"name": name, "source": source}
        question = Question(LOAD_AGENT, values, AGENT_SECONDS)
        found = json.loads(await self._answer(question, lambda _part: None))
        path = put_file(**values)
        self._service.offer(*read_agent(found, path))  # its file never runs where the games are
        self._files = {path: source}
        self._page.greet()
        return str(found[0])


class BrowserAnswers:
    """A worker that answers questions."""

    def __init__(self, send: Callable[[int, str, str], None]) -> None:
        """Begin; `send` is called with the question's number, a kind and a text."""
        self._send = send
        self._answer = make_answerer()

    def ask(self, number: int, text: str) -> None:
        """Answer one question."""
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
        except MemoryError:
            error = WorkLimitError("out of memory", code="out-of-memory")
            self._send(number, "error", write_error(error))
        except Exception as error:
            self._send(number, "error", write_error(error))


def rehearse() -> str:
    """Connect a page that is not there, so that all is imported; give what it is told first."""
    for module in ANSWERS:
        importlib.import_module(module)
    for name in advice.__all__:
        getattr(advice, name)
    said: list[str] = []

    async def nobody(*_asked: object) -> str:
        raise NotImplementedError

    store = BrowserStore(lambda *_kept: None)
    finished(Page.connect(Service(store, Workers(nobody), about=ABOUT), said.append))
    return said[0]


def finished(work: Coroutine[Any, Any, Done]) -> Done:
    """Return what a coroutine returns that never waits: all work is done directly here."""
    try:
        work.send(None)
    except StopIteration as end:
        found: Done = end.value
        return found
    raise RuntimeError("expected work that need not wait")


def wake() -> None:
    """Go on in a browser where Python's memory was put back as it was when it had started."""
    random.seed()
    if backend() == "wasm":
        importlib.import_module("mineproof.wasm.border").share()


def load_agent(name: str, source: str) -> str:
    """Load the file of an own agent, and give the agent's name.

    Raises:
        AgentError: there is no agent in it.
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
    raise AgentError(f"expected a class with `start` and `decide` in {path}, got none")


def put_file(name: str, source: str) -> str:
    """Write a Python file where its worker loads agents from; give its path."""
    path = Path(Path(name).name).with_suffix(".py")
    path.write_text(source, "utf-8")
    return str(path)


def read_agent(found: Any, path: str) -> tuple[str, Plain]:
    """Give the name and the description of the agent in a file, as a worker found them.

    Raises:
        AgentError: they are none of that file.
    """
    try:
        name, spec = from_plain(tuple[str, Any], found)
        if file_of(name) != Path(path):
            raise ValueError(f"expected an agent of {path}, got {name!r}")
        return name, read_spec(spec)
    except ValueError as error:
        raise AgentError(str(error)) from None


def write(question: Any) -> str:
    """Give a question as a text that a worker who answers reads."""
    return pickle.dumps(question).decode("latin-1")


def read(text: str) -> Any:
    """Give the question of a text. Answers are JSON: an agent of one's own runs where they are."""
    return pickle.loads(text.encode("latin-1"))


def write_error(error: Exception) -> str:
    """Return an error as JSON; of one that is not Mineproof's, the page hears no more than that."""
    if isinstance(error, CodedError):
        return json.dumps(error_to_plain(error))
    return json.dumps(f"{type(error).__name__}: {error}")


def lost(text: str) -> WorkLimitError:
    """Return the error for a worker that ended without an answer."""
    return WorkLimitError(text, code="worker-died")


def read_error(text: str) -> Exception:
    """Give the error that `write_error` wrote."""
    found = json.loads(text)
    return RuntimeError(found) if isinstance(found, str) else error_from_plain(found)
