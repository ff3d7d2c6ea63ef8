"""A real server for the tests of the page, started as users start it, and a client for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

PATIENCE = 120.0
"""Seconds after which a test stops waiting. No step of a test should take this long."""


class WebServer:
    """A running `mineproof web`."""

    def __init__(self, address: str, process: subprocess.Popen[str]) -> None:
        self.address = address
        self.process = process

    @property
    def origin(self) -> str:
        """The origin of the server's own page."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def socket_address(self) -> str:
        """The address of the socket."""
        return self.address.replace("http", "ws", 1) + "socket"

    def memory(self) -> int:
        """Return the memory of the server process in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024


@contextmanager
def web_server(data: Path, *arguments: str) -> Iterator[WebServer]:
    """Run `mineproof web`, and end it with Ctrl-C."""
    command = [sys.executable, "-P", "-m", "mineproof", "web", "--no-browser", *arguments]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MINEPROOF_DATA": str(data)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), process.stderr.read()
        yield WebServer(address, process)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, errors


class Tab:
    """A page without a browser: a socket that sends commands and waits for answers."""

    def __init__(self, server: WebServer, key: str = "") -> None:
        """Connect like the page."""
        self._number = 0
        self.parts: list[Any] = []
        self.pushed: list[dict[str, Any]] = []
        self.kept: dict[int, dict[str, Any]] = {}
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(
                f"{server.socket_address}?game={key}",
                origin=Origin(server.origin),
                max_size=None,
                open_timeout=PATIENCE,
            )
        )
        self.hello = self.receive()

    def receive(self) -> dict[str, Any]:
        """Return the next message of the server."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        return message

    def send(self, command: str, **fields: Any) -> int:
        """Send a command and return its number."""
        self._number += 1
        self.socket.send(json.dumps({"do": command, "n": self._number, **fields}))
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a command. Keep other messages that arrive earlier."""
        if number in self.kept:
            return self.kept.pop(number)
        while True:
            message = self.receive()
            if "push" in message:
                self.pushed.append(message)
            elif message["n"] == number and "part" in message:
                self.parts.append(message["part"])
            elif message["n"] == number:
                return message
            else:
                self.kept[message["n"]] = message

    def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        return self.answer(self.send(command, **fields))

    def close(self) -> None:
        """Close the tab as a browser does."""
        self._open.close()

    def __enter__(self) -> Tab:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
