"""Mineproof's agents as engines: the engine's side of the engine protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mineproof.agents.options import Option
from mineproof.agents.registry import AgentSpec
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.match.engine_protocol import HELLO, move_line, parse_game_line, parse_position_line
from mineproof.match.play import ask, prepare


class EngineServer:
    """Answers a host's lines with the moves of an agent."""

    def __init__(self, spec: AgentSpec, options: dict[str, object], version: str) -> None:
        """Make the agent.

        Raises:
            AgentError: it cannot be made with these options.
        """
        self._spec = spec
        self._options = options
        self._version = version
        self._agent = spec.make(**options)
        self._rules: PublicRules | None = None
        self._last: Observation | None = None

    def serve(self, lines: Iterable[str], write: Callable[[str], None]) -> None:
        """Answer lines until `quit` or the end of the input."""
        for line in lines:
            text = line.rstrip("\r\n")
            if text == "quit":
                return
            try:
                answer = self._answer(text)
            except (InputError, WorkLimitError) as error:
                answer = ["error " + " ".join(str(error).split())]
            write("\n".join(answer) + "\n")

    def _answer(self, line: str) -> list[str]:
        word = line.partition(" ")[0]
        answers = {"mep": self._greet, "set": self._set, "game": self._begin, "end": self._end}
        answers["position"] = self._move
        if word not in answers:
            raise InputError(f"unknown {line[:80]}")
        return answers[word](line)

    def _greet(self, line: str) -> list[str]:
        if line != HELLO:
            raise InputError(f"expected {HELLO}, the only supported version")
        named = [f"id name {self._spec.id}", f"id version {self._version}", "id author Mineproof"]
        return [*named, *map(_option_line, self._spec.option_list), "ok"]

    def _set(self, line: str) -> list[str]:
        name, _, value = line.partition(" ")[2].partition(" ")
        options = {**self._options, name.replace("-", "_"): value}
        self._agent = self._spec.make(**options)
        self._options = options
        return ["ok"]

    def _begin(self, line: str) -> list[str]:
        rules, seed = parse_game_line(line)
        prepare(self._agent, rules, seed)
        self._rules, self._last = rules, None
        return ["ok"]

    def _move(self, line: str) -> list[str]:
        if self._rules is None:
            raise InputError("expected game before position")
        seen = parse_position_line(line, self._rules)
        self._last = seen if self._last is None else after(self._last, seen)
        decision = ask(self._agent, self._last)
        return ["stop" if decision is None else move_line(decision), "done"]

    def _end(self, line: str) -> list[str]:
        self._rules = None
        return ["ok"]


def after(before: Observation, position: Observation) -> Observation:
    """Return a position linked to the one before it, unless an open cell has changed."""
    pairs = zip(before.shown, position.shown, strict=True)
    changes = tuple(index for index, (old, new) in enumerate(pairs) if old != new)
    if any(before.shown[index] != UNOPENED for index in changes):
        return position
    return Observation(position.rules, position.shown, position.marks, changes, before.serial)


def _option_line(option: Option) -> str:
    default = str(option.default).replace(" ", "") or "none"
    return f"option {option.name} {default} {option.help}"
