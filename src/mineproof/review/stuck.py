"""Finds out why agents get stuck, and how many of the provable cells they know.

The Lab 3 report counts a game as stuck when its agent knows no safe move. Some of these positions
cannot be solved without a guess, some can be solved with the mine count, and some with more
reasoning about the same clues. The exact engine decides which of these applies. This gives the
position's type, one of four in the report. The report's "opening" lasts until half of the cells are
known.

The engine also finds every cell that is the same in all layouts. The completeness of an agent is
the share of these cells that it knows. Its claims about other cells are counted as unsound.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.protocol import Agent, ShowsKnowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts, Range, count


class Lack(StrEnum):
    """The reasons why an agent can be stuck, with a description."""

    words: str

    def __new__(cls, name: str, words: str = "") -> Lack:
        """Create a member with a description."""
        member = str.__new__(cls, name)
        member._value_, member.words = name, words
        return member

    NOTHING = "nothing", "nothing can be proved here"
    """Nothing is provable, so a guess is needed."""
    MINE_COUNT = "mine-count", "the mine count would prove something"
    """Something is provable, but only with the mine count."""
    REASONING = "reasoning", "more reasoning about the same clues would prove something"
    """The clues alone prove something, but the agent's reasoning does not find it."""


TYPES = {
    1: "the last cells, which only a guess can decide",
    2: "the opening, where the clues are too far apart to prove anything",
    3: "a cell that no clue touches",
    4: "clues that only the number of remaining mines can decide",
}
"""The types of stuck games in the Lab 3 report."""


@dataclass(frozen=True)
class Stuck:
    """A stuck position: what a proof needs, and the cells that it would decide."""

    lack: Lack
    safe: tuple[Cell, ...] = ()
    mined: tuple[Cell, ...] = ()
    type: int | None = None
    """The type in the Lab 3 report, 1 to 4; None if more reasoning would be enough."""
    said: str = ""
    """The agent's own explanation."""

    @property
    def text(self) -> str:
        """A description of the reason, with an example of a provable cell."""
        words = self.lack.words
        if self.safe or self.mined:
            value, cell = ("safe", self.safe[0]) if self.safe else ("a mine", self.mined[0])
            words += f", for example that {cell} is {value}"
        if self.type is not None:
            words += f" (type {self.type} of the Lab 3 report: {TYPES[self.type]})"
        return f"{self.said}; {words}" if self.said else words


def why_stuck(agent: Agent, observation: Observation, seed: int = 0) -> Stuck | None:
    """Return why an agent is stuck in a position; None if it proves a safe cell.

    Mines that the agent proves are flagged automatically, so the position needs no flags.

    Args:
        agent: the agent, which is restarted.
        observation: the position.
        seed: the agent's seed.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the exact engine reaches its work limit.
    """
    agent.start(observation.rules, seed)
    decision = agent.decide(observation)
    while decision is not None and decision.proved:
        if decision.move.action is not Action.MARK:
            return None
        observation = _with_mark(observation, decision.move.cell)
        decision = agent.decide(observation)
    known = agent.conclusions if isinstance(agent, KnowledgeAgent) else {}
    return classify(observation, frozenset(known).intersection(observation.unopened))


def classify(observation: Observation, known: frozenset[int] = frozenset()) -> Stuck:
    """Return what a proof of another cell would need in this position.

    Safe cells always count. Mines count only if flags matter under the rules: otherwise flagging
    them is no progress.

    Args:
        observation: the position.
        known: indices of cells that the player has already proved.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the exact engine reaches its work limit.
    """
    found = _news(known, count(observation, prior=Range(0, observation.grid.size)))
    if any(found):
        return Stuck(Lack.REASONING, *found)
    if observation.rules.mines is not None:
        found = _news(known, count(observation))
        if any(found):
            return Stuck(Lack.MINE_COUNT, *found, type=_type_by_count(observation, found))
    unknown = len(observation.unopened) - len(known)
    return Stuck(Lack.NOTHING, type=2 if unknown > observation.grid.size / 2 else 1)


def _type_by_count(observation: Observation, found: tuple[tuple[Cell, ...], ...]) -> int:
    """Return type 3 if a provable cell touches no clue, otherwise type 4."""
    grid, shown = observation.grid, observation.shown
    for cell in (*found[0], *found[1]):
        if all(shown[i] >= UNOPENED for i in grid.neighbours(grid.index(cell))):
            return 3
    return 4


def _with_mark(observation: Observation, cell: Cell) -> Observation:
    marks = bytearray(observation.marks)
    marks[observation.grid.index(cell)] = 1
    follows = observation.serial
    return Observation(observation.rules, observation.shown, bytes(marks), (), follows)


def _news(known: frozenset[int], facts: Facts) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the safe cells to open and the mines to flag that are not known yet."""
    observation, cell = facts.observation, facts.observation.grid.cell
    mined = facts.mined if observation.rules.marks_matter else ()
    return (
        tuple(cell(i) for i in facts.safe if i not in known),
        tuple(cell(i) for i in mined if i not in known and not observation.marks[i]),
    )


@dataclass(frozen=True)
class Completeness:
    """An agent's knowledge in positions in which it had no proved move."""

    provable: int = 0
    """Unopened cells that are the same in all layouts."""
    proved: int = 0
    """Provable cells that the agent knew."""
    unsound: int = 0
    """Cells that the agent called proved although they were not."""

    @property
    def share(self) -> float:
        """The share of provable cells that the agent proved; 1 if there were none."""
        return self.proved / self.provable if self.provable else 1.0

    def __add__(self, other: Completeness) -> Completeness:
        return Completeness(
            self.provable + other.provable,
            self.proved + other.proved,
            self.unsound + other.unsound,
        )


def completeness(agent: ShowsKnowledge, observation: Observation) -> Completeness:
    """Compare an agent's knowledge of a position with everything that is provable."""
    known = agent.knowledge()
    facts = count(observation, sampled=True)
    unopened = frozenset(observation.unopened)
    claimed = {(index, False) for index in known.safe & unopened}
    claimed |= {(index, True) for index in known.mined & unopened}
    provable = {(index, False) for index in facts.safe} | {(index, True) for index in facts.mined}
    return Completeness(
        provable=len(provable),
        proved=len(provable & claimed),
        unsound=len(claimed - provable) if facts.exact else 0,
    )
