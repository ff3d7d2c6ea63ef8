"""What an agent is: two methods. `KnowledgeAgent` is a convenient base, not a duty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from mineproof.core.board import Board
from mineproof.core.decision import Decision
from mineproof.core.game import Result
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules
from mineproof.inference.knowledge import Knowledge

__all__ = [
    "Agent",
    "HasTimeLimit",
    "Knowledge",
    "PlaysWhole",
    "SaysWhyItStops",
    "ShowsKnowledge",
    "WholeGame",
    "is_ours",
]


@runtime_checkable
class Agent(Protocol):
    """A player.

    An agent sees observations only. When an observation does not follow the one it saw
    last (see `Observation.follows`), it must look at the whole of it.
    """

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game; `seed` is the agent's only source of randomness."""

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move, or None to stop because the agent is stuck."""


@runtime_checkable
class ShowsKnowledge(Protocol):
    """An agent that can show what it knows."""

    def knowledge(self) -> Knowledge:
        """Return what the agent knows now, for display."""


@runtime_checkable
class HasTimeLimit(Protocol):
    """An agent that chooses how long it thinks about a guess, within a limit."""

    time_limit: float
    """The most seconds that a guess may take."""


@runtime_checkable
class SaysWhyItStops(Protocol):
    """An agent that can say why it makes no move."""

    @property
    def stop_reason(self) -> str:
        """Why the last answer was None, in words; empty where it was a move."""


class WholeGame(NamedTuple):
    """The result of a game that was played inside the native core."""

    result: Result
    guesses: int
    moves: int
    milliseconds: float
    false_proofs: int
    """Cells that were called proved and were not what was said."""


@runtime_checkable
class PlaysWhole(Protocol):
    """An agent whose whole games can run inside the native core, many times faster.

    They must be the very games that `decide` would have played, move by move. The core gets
    the boards, so this is asked of our own agents only (`is_ours`).
    """

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards, each from the opened first cell; empty if the core cannot do it."""


def is_ours(agent: Agent) -> bool:
    """Return whether an agent belongs to this package; others never get the board."""
    return type(agent).__module__.startswith("mineproof.")
