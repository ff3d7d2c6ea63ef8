"""Attacks on the page's server: thieving agents, damaged files, clients that never read."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from attacks import PATIENCE, PROGRAM, Broken, attack
from web_server import Tab, WebServer, web_server

KILLS = 3


TRIES = """
from mineproof import Action, Decision, Game, Move, Reason, deal
from mineproof.core.rules import Rules
class Own:
    def start(self, rules, seed):
        self.rules = rules
    def decide(self, observation):
        index = observation.unopened[0]
        for seed in range(300):
            board = deal(Rules.parse("beginner"), seed, (0, 0))
            if all(c > 8 or board.clues[i] == c for i, c in enumerate(observation.shown)):
                index = next(i for i in observation.unopened if not board.mined[i])
                break
        cell = observation.grid.cell(index)
        return Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("tried"))
"""


@attack("no seed of a race on the page can be found by trying")
def thief_of_seeds(folder: Path) -> str:
    """Race with an agent that deals boards from seed 0 on until one fits the open cells."""
    file = folder / "tries.py"
    file.write_text(TRIES)
    won = 0
    with web_server(folder / "data", "--agent", f"{file}:Own") as server, Tab(server) as tab:
        for _ in range(5):
            answer = tab.ask("race", agents=[f"{file}:Own"], level="9x9/10", start="safe")
            if "error" in answer:
                raise Broken(answer["error"])
            won += '"result": "win"' in json.dumps(answer) + json.dumps(tab.parts[-1:])
    if won > 2:
        raise Broken(f"{won} of 5 races won")
    return f"{won} of 5 races won"


@attack("a move survives if the server is killed 0.3 s later")
def killed_after_a_move(folder: Path) -> str:
    """Kill the server soon after a move, and check what it saved."""
    for number in range(KILLS):
        data = folder / str(number)
        server = subprocess.Popen(
            [*PROGRAM, "web", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "MINEPROOF_DATA": str(data)},
        )
        assert server.stdout is not None
        with suppress(Exception), Tab(WebServer(server.stdout.readline().strip(), server)) as tab:
            tab.ask("new", level="beginner", start="opening", seed="5")
            tab.ask("open", cell=[4, 4])
            tab.ask("mark", cell=[8, 8])
            time.sleep(0.3)
            server.send_signal(signal.SIGKILL)
        server.wait(PATIENCE)
        games = [json.loads(path.read_text()) for path in data.glob("games/*.json")]
        if not any("mark 8,8" in game["record"] for game in games):
            raise Broken(f"kill {number + 1}: the move is lost")
    return f"{KILLS} kills, each move kept"


@attack("a client that never reads is disconnected, and others keep playing")
def client_that_never_reads(folder: Path) -> str:
    """Ask for megabytes of answers, and read none."""
    log = folder / "log"
    with log.open("w") as errors:
        server, process = _started(folder, errors)
        try:
            outcome = _flood(server)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
    if "never retrieved" in log.read_text() or "Traceback" in log.read_text():
        raise Broken(log.read_text().strip().splitlines()[-1][-150:])
    return outcome


def _started(folder: Path, errors: object) -> tuple[WebServer, subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*PROGRAM, "web", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=errors,  # type: ignore[arg-type]
        text=True,
        env={**os.environ, "MINEPROOF_DATA": str(folder / "data")},
    )
    assert process.stdout is not None
    return WebServer(process.stdout.readline().strip(), process), process


def _flood(server: WebServer) -> str:
    deaf = _plain_client(server)
    with Tab(server) as other, deaf:
        for message in ({"do": "new", "level": "30x33/100"}, {"do": "open", "cell": [9, 9]}):
            deaf.sendall(_frame({**message, "n": 9}))
        question, until, before = (
            _frame({"do": "pause", "n": 9}),
            time.monotonic() + 20,
            _megabytes(server),
        )
        with suppress(OSError):
            while time.monotonic() < until:
                deaf.sendall(question)
        began = time.monotonic()
        if "view" not in other.ask("new", level="beginner", seed="1"):
            raise Broken("another page got no answer")
        took, more, left = time.monotonic() - began, _megabytes(server) - before, _drain(deaf)
    if more > 100:
        raise Broken(f"the server grew by {more:.0f} MB")
    return f"dropped with {left / 1e6:.0f} MB on the way; another page waited {1000 * took:.0f} ms"


def _megabytes(server: WebServer) -> float:
    return server.memory() / 1e6


def _plain_client(server: WebServer) -> socket.socket:
    """Connect without the WebSocket library, which would read answers automatically."""
    place = urlsplit(server.socket_address)
    client = socket.create_connection((str(place.hostname), int(place.port or 80)))
    client.settimeout(3.0)
    lines = [
        f"GET {place.path}?game= HTTP/1.1",
        f"Host: {place.netloc}",
        f"Origin: {server.origin}",
    ]
    lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    client.sendall("\r\n".join([*lines, f"Sec-WebSocket-Key: {'A' * 22}==", "", ""]).encode())
    return client


def _drain(client: socket.socket) -> int:
    """Read until the connection ends. Return the number of bytes."""
    client.settimeout(30.0)
    count = 0
    try:
        while data := client.recv(1 << 20):
            count += len(data)
    except TimeoutError:
        raise Broken(f"the connection stays open, {count / 1e6:.0f} MB read") from None
    except OSError:  # the server reset the connection
        pass
    return count


def _frame(message: dict[str, object]) -> bytes:
    """Return a message as a WebSocket frame."""
    data = json.dumps(message).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


def _nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@attack("damaged files of the page are ignored; every page opens and every question is answered")
def damaged_files_of_the_page(folder: Path) -> str:
    """Nest values in settings, games and results up to the limit and beyond it."""
    games = folder / "games"
    games.mkdir()
    asked = 0
    with web_server(folder) as server:
        for depth in (20, 900, 953, 985, 100_000):
            deep = _nested(depth)
            (folder / "settings.json").write_text(f'{{"a":{deep},"game":{{"level":"expert"}}}}')
            (folder / "scores.jsonl").write_text(
                f'{{"game":"expert","result":"win","seconds":{deep}}}\n'
                '{"game":"expert","result":"win","seconds":NaN,"judged":"x"}\n'
            )
            for letter, text in (("a", f'{{"record":{deep}}}'), ("b", deep), ("c", "{broken")):
                (games / f"{letter * 32}.json").write_text(text)
            with Tab(server) as tab:
                for question in ("statistics", "games", "export", "drill"):
                    answer = tab.ask(question)
                    asked += 1
                    if "inside" in str(answer.get("error")):
                        raise Broken(f"{question}: {answer['error']}")
                for letter in "abc":
                    tab.ask("open_game", key=letter * 32)
                if "view" not in tab.ask("new", level="beginner", seed="1"):
                    raise Broken("no new game")
    return f"{asked} questions answered"
