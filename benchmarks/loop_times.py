"""Measure how long each command of a page blocks the event loop that serves all pages.

    python benchmarks/loop_times.py

One page plays games with many moves on small boards and on the largest that the page can show, and
sends every command. The table shows the longest single turn of the loop for each command, in
milliseconds of CPU time. Other pages wait that long. The status is 1 if a turn takes over 20 ms.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import tempfile
import time
from asyncio.events import Handle
from pathlib import Path
from typing import Any

from result_table import format_table

from mineproof.service import Page
from mineproof.service.limits import MESSAGE_BYTES
from mineproof.service.page import TABLE
from mineproof.web.app import Server
from mineproof.web.folder import Folder

MOST_MILLISECONDS = 20.0
BOARDS = {
    "31x32/150": 900,
    "200x200/1": 0,
    "200x200/3000": 0,
    "200x200/6000": 3_000,
    "200x200/5000": 19_000,
}
"""Levels, and the number of flags to set first."""
PATIENCE = 120.0


class Turns:
    """A stopwatch for the turns of the event loop."""

    def __init__(self) -> None:
        self.longest = 0.0
        run = Handle._run

        def timed(handle: Handle) -> None:
            began = time.thread_time()
            run(handle)
            self.longest = max(self.longest, 1000 * (time.thread_time() - began))

        Handle._run = timed  # type: ignore[method-assign]

    def take(self) -> float:
        """Return the longest turn since the last call."""
        found, self.longest = self.longest, 0.0
        return found


class Tester:
    """A page that sends commands and waits for their answers."""

    page: Page

    def __init__(self, turns: Turns) -> None:
        """Prepare a page that is not connected yet."""
        self._turns = turns
        self._answers: dict[int, dict[str, Any]] = {}
        self._came = asyncio.Event()
        self._number = 0

    async def connect(self, server: Server) -> Tester:
        self.page = await Page.connect(server.service, self._take, "")
        return self

    def _take(self, text: str) -> None:
        began = time.thread_time()
        message = json.loads(text)
        if message.get("n") is not None and "part" not in message:
            self._answers[message["n"]] = message
            self._came.set()
        self._turns.longest -= 1000 * (time.thread_time() - began)  # exclude the page's own time

    async def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command, and wait for its answer."""
        self._number += 1
        number, text = self._number, {"do": command, "n": self._number, **fields}
        asyncio.get_running_loop().call_soon(self.page.receive, json.dumps(text))
        while number not in self._answers:
            self._came.clear()
            await asyncio.wait_for(self._came.wait(), PATIENCE)
        return self._answers.pop(number)


def commands(record: str, position: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the commands to send on each board, with their fields."""
    cell, level = [0, 0], {"level": "200x200/4000", "start": "given:1000"}
    fields: dict[str, dict[str, Any]] = {
        **{name: {"cell": cell} for name in ("open", "chord", "mark", "why")},
        "pause": {"on": False},
        "position": {"step": 1},
        "verdict": {"at": 1},
        "analysis": {"seconds": 1},
        "decide": {"at": 1},
        "race": {**level, "agents": ["random", "random"]},
        "new": level,
        "another": level,
        "load": {"name": "game.json", "data": base64.b64encode(record.encode()).decode()},
        "settings": {"values": {"x": "y" * 3000}},
        "coach": {"name": "x.json", "data": ""},
        "agent": {"name": "exact"},
        "import": {"data": {"mineproof": 1, "games": {}, "results": []}},
    }
    left_out = {"open_game", "forget_game", "drill_done", "cancel", "play_from"}
    last = ("restart", "stop", "race", "load", "another", "new")
    names = [name for name in TABLE if name not in {*left_out, *last}]
    found = [(name, fields.get(name, {})) for name in names]
    found += [("risks", {"at": position}), ("play_from", {"at": 1})]
    return [*found, *((name, fields.get(name, {})) for name in last)]


async def measure(server: Server, turns: Turns, level: str, marks: int) -> list[list[str]]:
    """Send everything on one board. Return the longest turn of each command."""
    tester = await Tester(turns).connect(server)
    await tester.ask("new", level=level, start="opening", seed="5")
    await tester.ask("open", cell=[16, 16])
    session = tester.page.game.session
    unopened = session.observation.unopened
    for number in range(marks):
        session.toggle_mark(session.rules.grid.cell(unopened[number % 300]))
    shared = await tester.ask("share")
    found = []
    for name, fields in commands(shared["record"], shared["position"]):
        turns.take()
        answer = await tester.ask(name, **fields)
        took = turns.take()
        said = answer.get("error", "")[:50]
        kept = "yes" if took <= MOST_MILLISECONDS else "NO"
        found.append([level, f"{len(session.all_moves):,}", name, f"{took:.1f}", said, kept])
    turns.take()
    tester.page.close()
    took = turns.take()
    return found


async def measure_messages(server: Server, turns: Turns) -> list[list[str]]:
    """Send messages of the maximum size that take the longest to parse."""
    tester, found = await Tester(turns).connect(server), []
    room = MESSAGE_BYTES - 100
    texts = {
        "values": "[" + "[]," * (room // 3 - 1) + "0]",
        "most values": "[" + "0," * 39_000 + "0]",
        "nested": "[" * (room // 2) + "]" * (room // 2),
        "text": json.dumps('",' * (room // 4)),
    }
    for name, text in texts.items():
        turns.take()
        message = f'{{"do":"pause","n":0,"x":{text}}}'
        asyncio.get_running_loop().call_soon(tester.page.receive, message)
        await asyncio.sleep(0.05)
        took = turns.take()
        kept = "yes" if took <= MOST_MILLISECONDS else "NO"
        found.append(["any", "", f"a message: {name}", f"{took:.1f}", "", kept])
    tester.page.close()
    return found


async def whole() -> list[list[str]]:
    """Measure all boards."""
    turns = Turns()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Folder(Path(folder)))
        async with server.life(server.application()):
            await asyncio.sleep(3)
            rows = await measure_messages(server, turns)
            for level, marks in BOARDS.items():
                rows += await measure(server, turns, level, marks)
    return rows


def main() -> int:
    rows = asyncio.run(whole())
    columns = ("board", "moves", "command", "longest turn, ms", "rejected", "held")
    print(format_table(columns, rows))
    return 1 if any(row[-1] == "NO" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
