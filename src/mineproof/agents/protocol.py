"""The agent interface: two methods. Deriving from `KnowledgeAgent` is convenient but optional."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from mineproof.core.board import Board
from mineproof.core.decision import Answer, Decision
from mineproof.core.game import Result
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules
from mineproof.inference.knowledge import Knowledge as Knowledge  # noqa: PLC0414  (re-exported)


@runtime_checkable
class SimpleAgent(Protocol):
    """A player that may return a move, or a cell to open, instead of a decision.

    An agent sees only observations. If an observation does not follow the last one it saw
    (see `Observation.follows`), the agent must read all of it.
    """

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game. All randomness of the agent must come from `seed`."""

    def decide(self, observation: Observation) -> Answer | None:
        """Return the next move, or None if the agent is stuck and stops."""


@runtime_checkable
class Agent(SimpleAgent, Protocol):
    """A player whose answers are decisions. All built-in agents are of this type."""

    def decide(self, observation: Observation) -> Decision | None:
        """Return the next move, or None if the agent is stuck and stops."""


class FunctionAgent:
    """An agent made of a function that takes an observation and answers as `decide` does."""

    def __init__(self, function: Callable[[Observation], Answer | None]) -> None:
        """Set the function, which also gives the agent its name."""
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game. A function keeps nothing between moves."""

    def decide(self, observation: Observation) -> Answer | None:
        """Return the answer of the function."""
        return self._function(observation)


@runtime_checkable
class ShowsKnowledge(Protocol):
    """An agent that can display its knowledge."""

    def knowledge(self) -> Knowledge:
        """Return the agent's current knowledge, for display."""


@runtime_checkable
class HasTimeLimit(Protocol):
    """An agent that decides how long to think about a guess, up to a limit."""

    time_limit: float
    """Maximum time for a guess, in seconds."""


@runtime_checkable
class SaysWhyItStops(Protocol):
    """An agent that can explain why it stopped."""

    @property
    def stop_reason(self) -> str:
        """The reason why the last answer was None; empty if it was a move."""


class WholeGame(NamedTuple):
    """The result of a game played inside the C++ core."""

    result: Result
    guesses: int
    moves: int
    milliseconds: float
    false_proofs: int
    """The number of cells that the agent wrongly called proved."""


@runtime_checkable
class PlaysWhole(Protocol):
    """An agent that can play whole games inside the C++ core, which is many times faster.

    The games must be the same, move by move, as the ones that `decide` would play. The core needs
    the boards, so only agents made from a registered id are asked to do this.
    """

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards, opening `first` on each. Return [] if the core cannot play them."""
