"""Engines: solvers in any programming language that play as agents.

An engine is a program that speaks the engine protocol (`docs/engine-protocol.md`) over its standard
input and output. It runs under a supervisor with limits on time and memory. Every fault becomes one
error that names the engine, the line it was sent and the expected answer.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.agents.loading import ENGINE, trust
from mineproof.core.decision import Decision
from mineproof.core.errors import NotationError
from mineproof.core.game import Result
from mineproof.core.observation import Observation
from mineproof.core.random import hashed_seed
from mineproof.core.rules import PublicRules
from mineproof.core.words import printable
from mineproof.match.contract import REFUSED, EngineError
from mineproof.match.engine_process import EngineProcess
from mineproof.match.engine_protocol import (
    HELLO,
    changes_nothing,
    game_line,
    parse_moves,
    position_line,
)

if TYPE_CHECKING:
    from mineproof.match.isolated import Isolation

MAX_LINES = 1000
"""Maximum number of other lines in an answer, in addition to two moves per cell."""
ANSWERED = "engine-error"
"""The code of the error if an engine answers another line with `error`."""
_ENDS = {Result.WIN: "won", Result.LOSS: "lost", Result.STUCK: "stuck"}


class EngineAgent:
    """An agent whose moves come from an engine."""

    def __init__(self, how: Isolation) -> None:
        """Start the engine that `how.agent` names.

        Raises:
            EngineError: if it cannot be started, or does not speak the protocol.
        """
        trust(self)  # it hashes the seed before it passes it on
        self.name = how.agent
        """The agent's name in messages and records."""
        self.identity: dict[str, str] = {}
        """The engine's `name`, `version` and `author`, if it stated them."""
        self.options: list[dict[str, Any]] = []
        """The plain forms of the engine's options."""
        self._how = how
        self._process: EngineProcess | None = None
        self._spent = 0.0
        self._game: tuple[PublicRules, int] | None = None
        self._moves: deque[Decision] = deque()
        self._last: tuple[Observation, Decision] | None = None
        """The last observation, and the move that was returned for it."""
        self._begin()

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the engine has taken so far, in all its processes."""
        return self._spent + (0.0 if self._process is None else self._process.cpu_seconds)

    def _begin(self) -> None:
        """Start the engine and exchange greetings, unless it is running."""
        if self._process is not None:
            return
        how, command = self._how, self.name.removeprefix(ENGINE)
        self._process = EngineProcess(command, how.seconds, how.memory, how.log)
        self._ask(HELLO, read=self._learn)
        for name, value in how.options:
            self._ask(f"set {name} {value}")

    def start(self, rules: PublicRules, seed: int) -> None:
        """Begin a game.

        Raises:
            EngineError: if it failed, or does not play these rules (the code is `REFUSED`).
        """
        self._begin()
        self._game = (rules, seed)
        self._moves.clear()
        self._last = None
        self._ask(game_line(rules, hashed_seed(seed, self._how.salt)), refusal=REFUSED)

    def decide(self, observation: Observation) -> Decision | None:
        """Return the next move of the engine's last answer or of a new one; None if it is stuck."""
        if self._process is None and self._game is not None:
            self.start(*self._game)
        if not self._continues(observation):
            self._moves.clear()
        while self._moves and changes_nothing(self._moves[0], observation):
            self._moves.popleft()
        if not self._moves:
            read = partial(parse_moves, observation=observation)
            self._moves.extend(self._ask(position_line(observation), "done", read))
        if not self._moves:
            return None
        self._last = (observation, self._moves.popleft())
        return self._last[1]

    def _continues(self, observation: Observation) -> bool:
        """Return whether the engine's last move, and nothing else, led to this position."""
        if self._last is None:
            return False
        before, made = self._last
        index = observation.grid.index(made.move.cell)
        floods = observation.rules.flood and observation.shown[index] == 0
        return (
            (observation.follows, observation.hits) == (before.serial, before.hits)
            and changes_nothing(made, observation)
            and (floods or set(observation.changes) <= {index})
        )

    def finish(self, result: Result) -> None:
        """Report the end of a game to the engine. An `error` answer changes nothing."""
        if self._process is not None:
            self._ask(f"end {_ENDS[result]}", refusal=None)

    def check_unknown_line(self) -> None:
        """Send a line that is not part of the protocol. The engine must answer with `error`.

        Raises:
            EngineError: if it answers otherwise.
        """
        self._begin()
        self._ask("hello", "error", refusal=None)

    def close(self) -> bool:
        """Ask the engine to exit, and end it if it does not. Return whether it exits in time."""
        exits = self._process is None or self._process.quit()
        self._drop()
        return exits

    def __del__(self) -> None:
        """End the engine with this object; at the end of Python, the supervisor does it."""
        if not sys.is_finalizing():
            self.close()

    def description(self) -> dict[str, Any]:
        """Return the plain form of the agent's `AgentSpec`, with the engine's identity."""
        said = self.identity
        named = " ".join(filter(None, map(said.get, ("name", "version")))) or self.name
        by = f" by {said['author']}" if "author" in said else ""
        source = self.name.removeprefix(ENGINE)
        spec = {"id": self.name, "idea": f"an engine: {named}{by}", "source": source}
        spec |= {"proves": "", "cannot_prove": ""}
        return {**said, **spec, "takes_time": False, "options": self.options}

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._spent += process.cpu_seconds
            process.end()

    def _learn(self, lines: list[str]) -> None:
        self.options.clear()
        for line in lines:
            match line.split(" ", 3):
                case ["id", "name" | "version" | "author" as key, *rest]:
                    self.identity[key] = printable(" ".join(rest))
                case ["option", name, default, *rest]:
                    option = {"name": name, "type": "str", "default": default, "choices": []}
                    self.options.append({**option, "help": printable(" ".join(rest))})
                case _:
                    raise NotationError(f"expected id, option or ok, got {line[:80]!r}")

    def _ask(
        self,
        line: str,
        last: str = "ok",
        read: Callable[[list[str]], Any] | None = None,
        refusal: str | None = ANSWERED,
    ) -> Any:
        """Send a line, and read the lines before the last one of the answer, if there may be any.

        A process that breaks the protocol is ended. After an `error` answer it keeps running: the
        engine works, but rejects the line. Without the code `refusal`, that is no error.
        """
        assert self._process is not None
        cells = 0 if self._game is None else self._game[0].grid.size
        try:
            lines = self._process.ask(line, last, MAX_LINES + 2 * cells if read else 0)
            if refusal and lines and lines[-1].split(" ", 1)[0] == "error":
                text = f"{self.name} answered {_short(line)} with an error: "
                raise EngineError(text + printable(lines[-1][6:]), code=refusal)
            return read and read(lines)
        except NotationError as error:
            message = f"{self.name}: after {_short(line)}: {error}{self._process.errors()}"
            self._drop()
            raise EngineError(message) from None
        except BaseException as error:  # after Ctrl-C, the dialogue cannot be continued
            if line == HELLO or not isinstance(error, EngineError):
                self._drop()
            raise


def _short(line: str) -> str:
    return f"`{line}`" if len(line) <= 60 else f"`{line[:60]}...`"
