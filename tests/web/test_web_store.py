"""The service for the browser, tested without a browser: its store and its questions."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from async_runner import run_async

from mineproof.core.errors import AgentError, ContradictionError
from mineproof.service import limits
from mineproof.web import browser
from mineproof.web.browser import (
    BrowserAnswers,
    BrowserGames,
    BrowserStore,
    load_agent,
    read,
    read_error,
    rehearse,
    wake,
    write,
    write_error,
)

KEY = "0123456789abcdef" * 2
AGENT = """
from mineproof import Action, Cell, Decision, Move, Reason


class First:
    \"\"\"Opens the first unopened cell.\"\"\"

    def start(self, rules, seed):
        self.rules = rules

    def decide(self, observation):
        index = observation.unopened[0]
        return Decision(Move(Action.OPEN, self.rules.grid.cell(index)), False, Reason("first"))
"""


async def a_moment() -> None:
    """Run the event loop for a number of turns, so that waiting tasks finish."""
    for _ in range(100):
        await asyncio.sleep(0)


class FakeHost:
    """A stand-in for the worker's script, which answers in this process and records its calls."""

    def __init__(self, kept: dict[tuple[str, str], str] | None = None) -> None:
        self.kept = {} if kept is None else kept
        self.sent: list[dict[str, Any]] = []
        self.cancelled: list[int] = []
        self.silent = False
        self.tell: Callable[[int, str, str], None] = lambda *_said: None
        self._answers = BrowserAnswers(self._heard)

    def _heard(self, number: int, kind: str, text: str) -> None:
        self.tell(number, kind, text)

    def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    def keep(self, store: str, key: str, text: str) -> None:
        self.kept[store, key] = text
        if not text:
            del self.kept[store, key]

    def ask(self, number: int, text: str, seconds: float, is_long: bool) -> None:
        """Answer later, as another worker would."""
        assert seconds > 0 or is_long
        if not self.silent:
            asyncio.get_running_loop().call_soon(self._answers.ask, number, text)

    def cancel(self, number: int) -> None:
        self.cancelled.append(number)

    def games(self, key: str = KEY) -> BrowserGames:
        """Start the games as the worker's script does."""
        records = [[store, name, text] for (store, name), text in self.kept.items()]
        games = BrowserGames(self, json.dumps(records), key)
        self.tell = games.receive_answer
        return games

    async def ask_page(self, games: BrowserGames, command: str, **fields: Any) -> dict[str, Any]:
        number = 1 + sum("n" in one for one in self.sent)
        games.receive(json.dumps({"n": number, "do": command, **fields}))
        for _ in range(2000):
            found = [one for one in self.sent if one.get("n") == number and "part" not in one]
            if found:
                await a_moment()  # meanwhile, the game is saved
                return found[0]
            await asyncio.sleep(0.005)
        raise AssertionError(f"expected an answer to {command}")


def run(story: Callable[[FakeHost], Coroutine[Any, Any, None]]) -> FakeHost:
    """Run a test with a new host."""
    host = FakeHost()
    run_async(story(host))
    return host


def test_a_game_is_kept_at_once_and_found_again() -> None:
    """After a reload, the key of a game opens the same board."""

    async def story(host: FakeHost) -> None:
        games = host.games()
        view = (await host.ask_page(games, "open", cell=[4, 4]))["view"]
        assert ("games", games.key) in host.kept
        again = FakeHost(host.kept)
        found = again.games(games.key)
        assert found.key == games.key
        assert again.sent[0]["view"]["cells"] == view["cells"]
        assert again.sent[0]["transport"] == "browser"

    run(story)


def test_questions_are_answered_elsewhere() -> None:
    """Answers, partial answers and errors are delivered. Cancelled questions are stopped."""

    async def story(host: FakeHost) -> None:
        games = host.games()
        found = await host.ask_page(games, "risks", at="3x1x1\n1HH\n")
        assert found["risks"]["risk"] == [None, 1, 0]
        found = await host.ask_page(games, "analysis", at="3x1x1\n1HH\n")
        assert found["analysis"]["layouts"] == "1"
        assert any("part" in one for one in host.sent)
        found = await host.ask_page(games, "risks", at="3x1x1\n0H2\n")
        assert found["conflict"]
        host.silent = True
        games.receive(json.dumps({"n": 90, "do": "risks", "at": "3x1x1\n1HH\n"}))
        await a_moment()
        games.receive(json.dumps({"n": 91, "do": "cancel", "question": 90}))
        await a_moment()
        assert len(host.cancelled) == 1
        games.receive_answer(host.cancelled[0], "done", "null")  # too late: it was cancelled

    run(story)


def test_a_worker_that_is_lost_is_said() -> None:
    """If a worker is lost, the page gets an error instead of an answer."""

    async def story(host: FakeHost) -> None:
        games = host.games()
        host.silent = True
        games.receive(json.dumps({"n": 1, "do": "risks", "at": "3x1x1\n1HH\n"}))
        await a_moment()
        games.receive_answer(1, "lost", "expected an answer within 15 s, got none")
        await a_moment()
        assert host.sent[-1]["error"] == "expected an answer within 15 s, got none"

    run(story)


def test_an_ended_game_is_counted_once() -> None:
    """The result of an ended game is a separate entry, with statistics from the review."""

    async def story(host: FakeHost) -> None:
        games = host.games()
        await host.ask_page(games, "new", level="2x2/1", start="any", seed="1")
        for cell in ([0, 0], [0, 1], [1, 0], [1, 1]):
            await host.ask_page(games, "open", cell=cell)
        for _ in range(400):
            if any(store == "results" for store, _ in host.kept):
                break
            await asyncio.sleep(0.01)
        results = [json.loads(t) for (store, _), t in host.kept.items() if store == "results"]
        assert len(results) == 1
        assert results[0]["version"] == 1
        assert (await host.ask_page(games, "statistics"))["count"] == 1

    run(story)


def test_an_agent_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent from a file is offered with the others. A file without an agent is an error."""
    monkeypatch.chdir(tmp_path)

    async def story(host: FakeHost) -> None:
        games = host.games()
        await games.own_agent(json.dumps({"n": 500, "name": "own.py", "text": AGENT}))
        assert host.sent[-1] == {"n": 500, "agent": "own.py:First"}
        greeting = host.sent[-2]
        assert greeting["push"] == "hello"
        assert greeting["agents"][-1]["id"] == "own.py:First"
        await host.ask_page(games, "agent", name="own.py:First")
        await host.ask_page(games, "open", cell=[4, 4])
        Path("own.py").unlink()  # as in a worker that was started later
        assert (await host.ask_page(games, "decide"))["decide"]["reason"] == "first"
        moved = await host.ask_page(games, "agent_move", guess=True)
        assert moved["decision"]["reason"] == "first"
        race = await host.ask_page(games, "race", agents=["own.py:First"], same=True)
        assert "mines" in race["race"]
        await games.own_agent(json.dumps({"n": 99, "name": "own.py", "text": "x = 1"}))
        assert "no class" in host.sent[-1]["error"]
        await games.own_agent(json.dumps({"n": 99, "name": "own.py", "text": "x" * 70_000}))
        assert "characters" in host.sent[-1]["error"]

    run(story)


def test_no_file_runs_in_the_worker_with_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A separate worker loads the user's agent. Its answers are read as JSON and checked."""
    monkeypatch.chdir(tmp_path)

    async def story(host: FakeHost) -> None:
        games = host.games()
        host.silent = True
        spec = {"idea": "", "source": "", "proves": "", "cannot_prove": "", "options": []}
        good = {"id": "First", "takes_time": False, **spec}
        said = [
            (["own.py:First", good], "agent"),
            (["other.py:First", good], "error"),
            (["own.py:First", spec], "error"),
            ("own.py:First", "error"),
        ]
        for number, (answer, kind) in enumerate(said, 1):
            text = json.dumps({"n": number, "name": "own.py", "text": "raise SystemExit"})
            asking = asyncio.create_task(games.own_agent(text))
            await a_moment()
            games.receive_answer(number, "done", json.dumps(answer))
            await asking
            assert kind in host.sent[-1], answer

    run(story)


def test_what_a_file_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CS50's class is recognised, and errors name the file."""
    monkeypatch.chdir(tmp_path)
    assert load_agent("/else/where/ai.txt", "class MinesweeperAI: pass\n") == "cs50:ai.py"
    with pytest.raises(AgentError, match=r"broken\.py"):
        load_agent("broken.py", "class")


# ---- the store


def test_tabs_learn_from_each_other() -> None:
    """Results of two tabs add up, and so do their settings."""
    tabs: list[BrowserStore] = []

    def keep(store: str, key: str, text: str) -> None:
        for tab in tabs:
            tab.learn(store, key, text)

    tabs += [BrowserStore(keep), BrowserStore(keep)]
    tabs[0].add_result({"date": "first"})
    tabs[1].add_result({"date": "second"})
    assert [one["date"] for one in tabs[0].results()] == ["first", "second"]
    tabs[0].change_settings({"sound": True})
    tabs[1].change_settings({"theme": "dark"})
    assert tabs[0].settings() == {"sound": True, "theme": "dark", "version": 1}
    tabs[1].erase_results()
    assert tabs[0].results() == []
    tabs[0].learn("a store of a later version", "key", "text")


def test_the_store_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store is full, the oldest games and results are deleted."""
    monkeypatch.setattr(limits, "SAVED_GAMES", 2)
    monkeypatch.setattr(limits, "RESULTS", 3)
    kept: dict[tuple[str, str], str] = {}
    store = BrowserStore(lambda name, key, text: kept.update({(name, key): text}))
    keys = [f"{number:032x}" for number in range(4)]
    for key in keys:
        store.save_game(key, {"level": key})
        store.add_result({"id": key})
    assert store.games() == [keys[3], keys[2]]
    assert [result["id"] for result in store.results()] == keys[1:]
    assert kept["games", keys[0]] == ""
    store.save_game(keys[2], {})
    assert store.games() == [keys[2], keys[3]]
    assert abs(store.date(keys[2]) - time.time()) < 100
    store.set_aside(keys[2])
    assert kept["damaged", keys[2]]
    assert store.load_game(keys[2]) is None
    assert store.date(keys[2]) == 0
    store.learn("games", keys[2], '{"saved": 1e300}')
    assert store.date(keys[2]) == 0


@pytest.mark.parametrize("text", ["", "{", "[1]", "null"])
def test_damaged_records_are_no_games(text: str) -> None:
    """The page starts even if the data in the browser's storage is damaged."""

    async def story(host: FakeHost) -> None:
        host.kept = {("games", KEY): text, ("results", "x"): text, ("settings", "theme"): text}
        games = host.games()
        assert host.sent[0]["view"]["step"] == 0
        assert (await host.ask_page(games, "statistics"))["count"] == 0

    run(story)


def test_a_game_of_a_later_version_is_set_aside() -> None:
    """A game saved by a later version is not opened, but it is kept."""

    async def story(host: FakeHost) -> None:
        text = json.dumps({"version": 99, "record": "{}"})
        host.kept = {("games", KEY): text}
        host.games()
        assert host.kept["damaged", KEY] == text

    run(story)


def test_everything_goes_from_worker_to_worker() -> None:
    """Questions and errors arrive unchanged when one worker sends them to another."""
    error = read_error(write_error(ContradictionError("none", ((0, 1),))))
    assert isinstance(error, ContradictionError)
    assert error.conflict == ((0, 1),)
    assert isinstance(read_error(write_error(AgentError("no"))), AgentError)
    assert str(read_error(write_error(LookupError("none")))) == "LookupError: none"
    assert read(write({"é": (1, None, "\ud83d")})) == {"é": (1, None, "\ud83d")}


def test_a_snapshot_is_made_of_a_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start from a snapshot draws new random numbers and shares memory with the core."""
    assert json.loads(rehearse())["transport"] == "browser"
    shared: list[str] = []
    core = SimpleNamespace(share=lambda: shared.append("anew"))
    monkeypatch.setitem(sys.modules, "mineproof.wasm.border", core)
    drawn = set()
    for where in ("native", "wasm"):
        random.seed(1)
        monkeypatch.setattr(browser, "backend", lambda where=where: where)
        wake()
        drawn.add(random.random())
    assert len(drawn) == 2
    assert shared == ["anew"]
