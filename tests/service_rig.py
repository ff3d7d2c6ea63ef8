"""A service without sockets, processes and files, for tests."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from collections.abc import Callable, Coroutine
from typing import Any

from async_runner import run_async

from mineproof.service import Page, Service, Workers
from mineproof.service.answering import make_answerer
from mineproof.service.resources import Question, Report, directly
from mineproof.web.browser import finished

Fields = dict[str, Any]
LONG = 60.0
"""Seconds to wait for quick answers, because the machine may be busy."""


class Memory:
    """A store in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Fields] = {}
        self.reports: dict[str, Fields] = {}
        self.aside: list[str] = []
        self.all_results: list[Fields] = []
        self.values: Fields = {}
        self.saves = 0

    def save_game(self, key: str, fields: Fields) -> None:
        """Save a copy of a game, converted to JSON and back."""
        self.saves += 1
        self.kept.pop(key, None)
        self.kept[key] = json.loads(json.dumps(fields))

    def load_game(self, key: str) -> Fields | None:
        return self.kept.get(key)

    def delete_game(self, key: str) -> None:
        self.kept.pop(key, None)

    def save_report(self, key: str, fields: Fields) -> None:
        self.reports[key] = json.loads(json.dumps(fields))

    def load_report(self, key: str) -> Fields | None:
        return self.reports.get(key)

    def set_aside(self, key: str) -> None:
        self.aside.append(key)
        self.kept.pop(key)

    def games(self) -> list[str]:
        return list(reversed(self.kept))

    def date(self, key: str) -> float:
        """Return a timestamp that increases with every save."""
        return 1e9 + self.saves

    def add_result(self, fields: Fields) -> None:
        self.all_results.append(fields)

    def results(self) -> list[Fields]:
        return self.all_results

    def erase_results(self) -> None:
        self.all_results = []

    def settings(self) -> Fields:
        return self.values

    def change_settings(self, values: Fields) -> None:
        self.values.update(values)


class Rig:
    """A service and a page that sends it messages and waits for the answers."""

    def __init__(
        self, store: Any = None, key: str | None = None, run: Any = directly, **options: Any
    ) -> None:
        """Connect a page; `run` replaces the workers."""
        self.store = store or Memory()
        self._answer = make_answerer()
        self.asked: list[Question] = []
        self.service = Service(self.store, Workers(self._answerer, run), **options)
        self.sent: list[Fields] = []
        self._number = 0
        self.page = self.connect(key)

    def connect(self, key: str | None = None) -> Page:
        send = Page.connect(self.service, lambda text: self.sent.append(json.loads(text)), key)
        page: Page = finished(send)
        return page

    async def _answerer(self, question: Question, report: Report) -> str:
        self.asked.append(question)
        await asyncio.sleep(0)
        values = pickle.loads(pickle.dumps(question.values))  # as another process receives them
        return self._answer((question.name, values, question.seconds), report)

    async def ask(self, question: str, /, **fields: Any) -> Fields:
        """Send a message and return its last answer."""
        number = self.send(question, **fields)

        def answers() -> list[Fields]:
            return [m for m in self.sent if m.get("n") == number and "part" not in m]

        await wait_for(lambda: bool(answers()), 0.001)
        return answers()[0]

    def send(self, question: str, /, **fields: Any) -> int:
        self._number += 1
        message = {"n": self._number, "do": question, **fields}
        self.page.receive(json.dumps(message))
        return self._number

    def parts(self, number: int) -> list[Any]:
        return [m["part"] for m in self.sent if m.get("n") == number and "part" in m]


async def wait_for(condition: Callable[[], bool], pause: float = 0.01) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "expected it to happen"
        await asyncio.sleep(pause)


def run(test: Callable[[Rig], Coroutine[Any, Any, None]], **options: Any) -> Rig:
    """Run a test with a new rig, and close the rig at the end."""

    async def whole() -> Rig:
        rig = Rig(**options)
        try:
            await test(rig)
        finally:
            rig.page.close()
            await rig.service.close()
        return rig

    return run_async(whole())
