"""Malicious clients: the server keeps answering others, within its memory limit."""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from web_server import PATIENCE, Tab, WebServer, web_server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mineproof.service import limits

AT_ONCE = 2.5
"""Time limit for answers to other pages. It is far above the benchmark, because the machine may be
busy, and far below the duration of the attacks."""


def endless() -> str:
    """Return a position whose analysis would never end: a large board of scattered clues."""
    side = 120
    rows = []
    for row in range(side):
        cells = ["H"] * side
        if row % 2:
            cells[1::2] = ["3"] * (side // 2)
        rows.append("".join(cells))
    return "\n".join([f"{side}x{side}x{side * side // 3}", *rows, ""])


def assert_answers_at_once(tab: Tab) -> None:
    """Check that another page can play without waiting."""
    for seed in range(5):
        began = time.monotonic()
        tab.ask("new", level="expert", seed=str(seed))
        tab.ask("open", cell=[8, 8])
        assert time.monotonic() - began < 2 * AT_ONCE


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": None},
        {"host": "evil.example"},
    ],
)
def test_foreign_sockets(server: WebServer, headers: dict[str, str | None]) -> None:
    own = server.origin if "host" in headers else headers["origin"]
    more = {"Host": headers["host"]} if headers.get("host") else None
    with (
        pytest.raises(InvalidStatus),
        connect(server.socket_address, origin=own, additional_headers=more),  # type: ignore[arg-type]
    ):
        pass


def test_foreign_requests(server: WebServer) -> None:
    """A foreign host, a missing token, or a path outside the folder gets no file."""
    parts = urlsplit(server.address)
    token = parts.path.strip("/")
    asked = [
        (f"/{token}/", "evil.example", 421),
        ("/", parts.netloc, 200),  # the page behind a shared link, without a token
        ("/app.js", parts.netloc, 404),
        (f"/{token}/static/../app.py", parts.netloc, 404),
        (f"/{token}/static/%2e%2e/app.py", parts.netloc, 404),
        (f"/{token}/static//etc/passwd", parts.netloc, 404),
        (f"/{token}/", parts.netloc, 200),
    ]
    for path, host, status in asked:
        with socket.create_connection((parts.hostname, parts.port), PATIENCE) as plain:
            plain.sendall(
                f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            )
            answer = plain.recv(4096).decode()
        assert answer.startswith(f"HTTP/1.1 {status} "), (path, answer)


def test_oversize_messages_end_the_socket_and_nothing_else(server: WebServer) -> None:
    """A message that is too large closes its socket. Other pages are not affected."""
    with Tab(server) as other, Tab(server) as tab:
        tab.socket.send("x" * (limits.MESSAGE_BYTES + 1))
        with pytest.raises(ConnectionClosed) as caught:
            tab.receive()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
        assert_answers_at_once(other)


def test_malformed_messages_and_unknown_commands(server: WebServer) -> None:
    """Each bad message gets an error that says what was expected. The socket stays open."""
    bad = [
        "",
        "{",
        "[]",
        '"open"',
        json.dumps({"do": "open"}),
        json.dumps({"do": "__init__", "n": 1}),
        json.dumps({"do": "open", "n": 1, "cell": "x"}),
        json.dumps({"do": "open", "n": 1, "cell": [10**9, -1]}),
        json.dumps({"do": "new", "n": 1, "level": "1000x1000/9"}),
        json.dumps({"do": "new", "n": 1, "level": "0x0/0"}),
        json.dumps({"do": "new", "n": 1, "level": ["expert"]}),
        json.dumps({"do": "new", "n": 1, "level": "9x9/10", "start": "given:1e999999999"}),
        json.dumps({"do": "agent", "n": 1, "name": "/etc/passwd.py:Agent"}),
        json.dumps({"do": "agent", "n": 1, "name": "cs50:/etc/passwd.py"}),
        json.dumps({"do": "race", "n": 1, "agents": ["basic"] * 9}),
        json.dumps({"do": "race", "n": 1, "agents": ["x.py:X", "basic"]}),
        json.dumps({"do": "load", "n": 1, "text": "/etc/passwd"}),
        json.dumps({"do": "load", "n": 1, "name": "a.mbf", "data": "!!!"}),
        json.dumps({"do": "load", "n": 1, "name": "a.mbf", "data": "AAAA"}),
        json.dumps({"do": "settings", "n": 1, "values": {"a": "x" * 9999}}),
        json.dumps({"do": "analysis", "n": 1, "at": "1x1x1", "seconds": -1}),
        json.dumps({"do": "risks", "n": 1, "at": 10**6}),
        json.dumps({"do": "why", "n": 1, "cell": [99, 99]}),
    ]
    with Tab(server) as tab:
        for text in bad:
            tab.socket.send(text)
            assert "error" in tab.receive(), text
        tab.socket.send(b"\x00\x01")
        assert tab.receive()["error"] == "expected text, got bytes"
        assert_answers_at_once(tab)


def test_an_analysis_meant_to_run_for_ever(server: WebServer) -> None:
    """Other pages can play during a long analysis. It can be cancelled and has a time limit."""
    with Tab(server) as tab, Tab(server) as other:
        number = tab.send("analysis", at=endless())
        while not tab.parts:
            message = tab.receive()
            tab.parts += [message["part"]] if message.get("n") == number else []
        assert_answers_at_once(other)
        assert_answers_at_once(tab)
        tab.send("cancel", question=number)
        assert tab.answer(number)["cancelled"]
        limited = tab.ask("analysis", at=endless(), seconds=0.5)
        assert re.fullmatch(r"the answer takes more than 0\.\d+ s", limited["error"])
        assert other.ask("analysis", at="2x1x1\n1H\n")["analysis"]["layouts"] == "1"


def test_one_page_cannot_ask_everything_at_once(server: WebServer) -> None:
    """New questions replace older ones of the same kind. Too many kinds at a time are rejected."""
    with Tab(server) as tab, Tab(server) as other:
        tab.ask("new", level="beginner", seed="7")
        tab.ask("open", cell=[4, 4])
        first = tab.send("analysis", at=endless(), slot="0")
        numbers = [tab.send("analysis", at=endless(), slot=str(i)) for i in range(1, 20)]
        assert "too many open requests" in tab.answer(numbers[-1])["error"]
        assert_answers_at_once(other)
        tab.send("cancel", question=first)


def test_a_flood_of_commands(server: WebServer) -> None:
    """A page that sends endlessly and never reads does not starve others."""
    with Tab(server) as flood, Tab(server) as other:
        message = json.dumps({"do": "new", "n": 1, "level": "100x100/1000"})
        with suppress(ConnectionClosed):
            for _ in range(600):
                flood.socket.send(message)
        assert_answers_at_once(other)
        flood.socket.socket.shutdown(socket.SHUT_RDWR)


def test_abrupt_disconnects(server: WebServer) -> None:
    """Pages that disconnect during work do not harm others."""
    with Tab(server) as other:
        for _ in range(20):
            tab = Tab(server)
            tab.send("analysis", at=endless())
            tab.send("risks")
            tab.socket.socket.shutdown(socket.SHUT_RDWR)  # without a close message
            tab.close()
        assert_answers_at_once(other)
        assert other.ask("analysis", at="2x1x1\n1H\n")["analysis"]["layouts"] == "1"


def test_two_hundred_sessions(tmp_path: Path) -> None:
    """If too many pages connect, further pages are rejected, and memory use stays limited."""
    with web_server(tmp_path) as server, ExitStack() as tabs:
        first = tabs.enter_context(Tab(server))
        before = server.memory()
        refused = 0
        for _ in range(200):
            tab = tabs.enter_context(Tab(server))
            if tab.hello["push"] == "refused":
                refused += 1
                assert "games are open" in tab.hello["error"]
            else:
                tab.ask("new", level="100x100/1500", seed="1")
        assert refused == 200 - (limits.GAMES - 1)
        assert_answers_at_once(first)
        assert server.memory() - before < 250 * 1024**2


def test_games_that_come_and_go_do_not_pile_up(tmp_path: Path) -> None:
    """The number of abandoned games is limited, in memory and on disk."""
    with web_server(tmp_path) as server:
        with Tab(server) as tab:
            for _ in range(40):
                tab.ask("another")
                tab.ask("new", level="60x60/500", seed="3")
                tab.ask("open", cell=[0, 0])
            before = server.memory()
            for _ in range(200):
                tab.ask("another")
                tab.ask("new", level="60x60/500", seed="3")
                tab.ask("open", cell=[0, 0])
            assert server.memory() - before < 150 * 1024**2
        end = time.monotonic() + PATIENCE  # saving the last games may take a moment
        while not 100 < len(list((tmp_path / "games").iterdir())) <= limits.SAVED_GAMES:
            assert time.monotonic() < end
            time.sleep(0.05)
