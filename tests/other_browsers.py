"""Firefox and WebKit for the tests: just enough of WebDriver to open a page, click and type."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

from web_server import PATIENCE
from websockets.sync.client import ClientConnection, connect

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox") or ""
WEBKIT_DRIVER = shutil.which("WebKitWebDriver") or ""
MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), Path())


class OtherBrowser(Protocol):
    """A browser with one page."""

    def go(self, address: str) -> None:
        """Open an address."""

    def run(self, script: str) -> Any:
        """Return the value of an expression of the page; promises are awaited."""

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Perform WebDriver's input actions."""


class Firefox:
    """Firefox, which speaks WebDriver BiDi itself."""

    def __init__(self, wire: ClientConnection) -> None:
        self._wire = wire
        self._asked = 0
        self.ask("session.new", capabilities={})
        self._context = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **fields: Any) -> Any:
        """Send a command and return its result."""
        self._asked += 1
        self._wire.send(json.dumps({"id": self._asked, "method": method, "params": fields}))
        while True:
            answer = json.loads(self._wire.recv(PATIENCE))
            if answer.get("id") == self._asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def run(self, script: str) -> Any:
        found = self.ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify({{ value: await ({script}) }}))()",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"]).get("value")

    def act(self, actions: list[dict[str, Any]]) -> None:
        self.ask("input.performActions", context=self._context, actions=actions)


class WebKit:
    """WebKit's small browser, driven through WebDriver's HTTP interface."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}/session"
        browser = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": browser}}
        self._address += "/" + self.ask("", capabilities=wanted)["sessionId"]

    def ask(self, path: str, **fields: Any) -> Any:
        """Send a command and return its result."""
        headers = {"Content-Type": "application/json"}
        request = Request(self._address + path, json.dumps(fields).encode(), headers)
        with urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def go(self, address: str) -> None:
        self.ask("/url", url=address)

    def run(self, script: str) -> Any:
        call = f"const [done] = arguments; Promise.resolve({script}).then(done);"
        return self.ask("/execute/async", script=call, args=[])

    def act(self, actions: list[dict[str, Any]]) -> None:
        self.ask("/actions", actions=actions)

    def quit(self) -> None:
        """Close the browser."""
        with urlopen(Request(self._address, method="DELETE"), timeout=PATIENCE):
            pass


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Run Firefox without a window. It listens on a port that it chooses and prints."""
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(folder)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port=0"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        lines = (re.search(r"listening on (ws://\S+)", line) for line in process.stderr)
        address = next(filter(None, lines))[1]
        with connect(f"{address}/session", max_size=None) as wire:
            yield Firefox(wire)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)  # also closes its output


@contextmanager
def webkit(folder: Path, screen: str) -> Iterator[WebKit]:
    """Run WebKit on a virtual screen."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    homes = {name: str(folder) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME")}
    settings = {**os.environ, **homes, "DISPLAY": screen, "GDK_BACKEND": "x11"}
    process = subprocess.Popen([WEBKIT_DRIVER, f"--port={port}"], env=settings)
    try:
        _wait_for(port)
        opened = WebKit(port)
        yield opened
        opened.quit()
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(port: int) -> None:
    """Wait until a program listens on a port."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert time.monotonic() < deadline, "the driver does not listen"
            time.sleep(0.1)
        else:
            return
