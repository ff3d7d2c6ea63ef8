"""Agents that are remembered between questions about their games.

What an agent knows, and what it guesses, depends on the positions that it has seen. So an agent
sees every position of a game once, in order, and is asked for one move in each. If a question is
about an earlier move, a new agent sees the game up to that move. One move of a game therefore
always has the same knowledge and the same next move.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from mineproof.agents.loading import is_foreign, make_agent
from mineproof.agents.protocol import Agent, HasTimeLimit
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.match.play import ask, prepare

KEPT = 8
"""Number of agents to remember, together with their knowledge about their games."""
KEPT_MOVES = 500
"""Number of decisions to remember. An agent with a time limit might not repeat them."""
SHOWN_CELLS = 500_000
"""Maximum number of cells to show a new agent: moves times board size. It sees all earlier moves
at once, because a replay of thousands of moves on a huge board would take too long."""
QUICK = 0.01
"""Time limit for a guess while an agent is shown earlier moves, in seconds."""
Past = tuple[tuple[int, ...], ...]
"""What each move of a game changed: the opened cells in order, or `~index` for a flag set or
removed. Cells that are open but not listed were open from the start."""


@dataclass
class Remembered:
    """An agent, and what it has seen of a game."""

    agent: Agent
    name: str
    seed: int
    position: Observation
    """The position that the agent saw last."""
    past: Past | None = None
    """The moves that led there; None if the agent read the position at once."""
    decision: Decision | None = None
    is_asked: bool = False
    """Whether the agent has been asked for its move here. `decision` is its answer."""

    def leads_to(self, seed: int, position: Observation, past: Past | None) -> bool:
        """Return whether the agent saw this position last, or an earlier one of the same game."""
        mine = self.position
        if (self.seed, mine.rules) != (seed, position.rules):
            return False
        if past is None or self.past is None or len(past) == len(self.past):
            return (self.past, mine) == (past, position)
        pairs = zip(mine.shown, position.shown, strict=True)
        is_later = all(old in (UNOPENED, new) for old, new in pairs)
        return is_later and past[: len(self.past)] == self.past

    def show(self, positions: Iterator[Observation]) -> None:
        """Show the agent positions. Ask it for a move in all but the last, and ignore the moves."""
        for position in positions:
            if not (self.is_asked or self.position.is_new):
                if isinstance(self.agent, HasTimeLimit):
                    self.agent.time_limit = QUICK
                ask(self.agent, self.position)
            self.position, self.is_asked = position, False


class RememberedAgents:
    """Agents by game and name. Only the most recent ones are remembered."""

    def __init__(self, isolated: bool = False) -> None:
        """Start without agents; `isolated` runs the user's own agents in separate processes."""
        self._isolated = isolated
        self._kept: OrderedDict[tuple[str, str], Remembered] = OrderedDict()
        self._decisions: OrderedDict[tuple[object, ...], Decision | None] = OrderedDict()

    def find(
        self, key: str, agent: str, seed: int, position: Observation, past: Past | None = None
    ) -> Remembered:
        """Return an agent that has seen a game up to a position.

        Args:
            key: the key of the game.
            agent: the agent's name.
            seed: the agent's seed.
            position: the position.
            past: the moves that led to it; None if the agent reads the position at once.

        Raises:
            InputError: the moves do not fit the position.
        """
        known = self._kept.pop((key, agent), None)
        if known is None or not known.leads_to(seed, position, past):
            start = max(0, len(past or ()) - SHOWN_CELLS // len(position.shown))
            positions = _replay(position, past or (), start)
            known = Remembered(self.make(agent), agent, seed, next(positions))
            prepare(known.agent, position.rules, seed)
        else:
            positions = _replay(position, past or (), len(known.past or ()), known.position)
        known.show(positions)
        known.past = past
        self._kept[key, agent] = known
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return known

    def decide(self, known: Remembered, choose: Callable[[], Decision | None]) -> Decision | None:
        """Return the agent's move in its position; `choose` asks for it, once."""
        if not known.is_asked:
            where = (known.name, known.seed, known.past, known.position)
            known.decision = self._decisions.setdefault(where, choose())
            known.is_asked = True
            while len(self._decisions) > KEPT_MOVES:
                self._decisions.popitem(last=False)
        return known.decision

    def make(self, name: str) -> Agent:
        """Make an agent. A user's own agent runs isolated if processes are available."""
        if not (self._isolated and is_foreign(name)):
            return make_agent(name)
        from mineproof.match import isolated

        return isolated.Isolation(name, reasons=True).make()


def _replay(
    position: Observation, past: Past, start: int, first: Observation | None = None
) -> Iterator[Observation]:
    """Yield the positions of a game after `start` moves and after each later one.

    The first one is `first` if it is passed. It is not yielded, because the agent has seen it.
    """
    size, changed = len(position.shown), past[start:]
    if not all(-size <= index < size for index in chain.from_iterable(changed)):
        raise InputError("expected moves on the board of the position")
    shown, marks = bytearray(position.shown), bytearray(position.marks)
    for index in chain.from_iterable(changed):
        if index >= 0:
            shown[index] = UNOPENED
        else:
            marks[~index] ^= 1
    if first is None:
        first = Observation(position.rules, bytes(shown), bytes(marks))
        yield first
    for change in changed:
        opened = tuple(index for index in change if index >= 0)
        for index in opened:
            shown[index] = position.shown[index]
        for index in change:
            if index < 0:
                marks[~index] ^= 1
        first = Observation(position.rules, bytes(shown), bytes(marks), opened, first.serial)
        yield first
