"""Agents that know no more: why they are stuck, and how much of what is provable they know.

The Lab 3 report counts a game as stuck when its agent knows no safe move. Some of these
positions nobody can solve without a guess; some are solved by the mine count; some by more
reasoning about the same clues. The exact engine tells them apart, and with them the four types
that the report describes: the opening ends where half of the cells are known.

It also names every cell that is the same in all layouts: an agent is as complete as the share
of these that it knows. Claims that the engine does not share are counted as well: a sound
agent makes none.
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
    """What a proof would need, with the words for it."""

    words: str

    def __new__(cls, name: str, words: str = "") -> Lack:
        """Make a member of its name and its words."""
        member = str.__new__(cls, name)
        member._value_, member.words = name, words
        return member

    NOTHING = "nothing", "nobody could prove anything here"
    """Nothing is provable at all: a guess is needed."""
    MINE_COUNT = "mine-count", "the mine count would prove something"
    """Only with the mine count is something proved."""
    REASONING = "reasoning", "more reasoning about the same clues would prove something"
    """The clues alone prove something, by more reasoning than the agent has."""


TYPES = {
    1: "the last cells, and only a guess can tell them apart",
    2: "the opening, where the clues tell nothing together",
    3: "a cell that no clue touches",
    4: "clues that only the number of mines left decides",
}
"""How the Lab 3 report tells stuck games apart."""


@dataclass(frozen=True)
class Stuck:
    """A stuck position: what is lacking, and the cells that could be proved with it."""

    lack: Lack
    safe: tuple[Cell, ...] = ()
    mined: tuple[Cell, ...] = ()
    type: int | None = None
    """Which of the four types of the Lab 3 report it is; None where more reasoning would do."""
    said: str = ""
    """What the agent itself says."""

    @property
    def text(self) -> str:
        """Say in a sentence what is lacking, with a cell that could be proved."""
        words = self.lack.words
        if self.safe or self.mined:
            value, cell = ("safe", self.safe[0]) if self.safe else ("a mine", self.mined[0])
            words += f", such as that {cell} is {value}"
        if self.type is not None:
            words += f" (type {self.type} of the Lab 3 report: {TYPES[self.type]})"
        return f"{self.said}; {words}" if self.said else words


def why_stuck(agent: Agent, observation: Observation, seed: int = 0) -> Stuck | None:
    """Let an agent look at a position and say why it is stuck; None if it proves a safe cell.

    Mines that it proves are marked for it, so that a position without marks can be asked about.

    Args:
        agent: the agent; it is started anew.
        observation: the position.
        seed: the agent's seed.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the exact engine gives up.
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
    """Say what a proof in this position would need, beyond the cells already known.

    Safe cells count always; mines only where marks matter, for elsewhere nothing follows
    from marking them.

    Args:
        observation: the position.
        known: indices of cells that the player has proved.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the exact engine gives up.
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
    """Tell cells that no clue touches from those that clues touch and do not decide."""
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
    """Keep the cells that would give a move: not known yet and, if mined, not marked."""
    observation, cell = facts.observation, facts.observation.grid.cell
    mined = facts.mined if observation.rules.marks_matter else ()
    return (
        tuple(cell(i) for i in facts.safe if i not in known),
        tuple(cell(i) for i in mined if i not in known and not observation.marks[i]),
    )


@dataclass(frozen=True)
class Completeness:
    """What an agent knew at the positions where it knew no move."""

    provable: int = 0
    """Unopened cells that are the same in all layouts."""
    proved: int = 0
    """Those of them that the agent knew."""
    unsound: int = 0
    """Cells that the agent took for proved and that are not."""

    @property
    def share(self) -> float:
        """The share of provable cells that the agent proved; 1 where there were none."""
        return self.proved / self.provable if self.provable else 1.0

    def __add__(self, other: Completeness) -> Completeness:
        """Put two counts together."""
        return Completeness(
            self.provable + other.provable,
            self.proved + other.proved,
            self.unsound + other.unsound,
        )


def completeness(agent: ShowsKnowledge, observation: Observation) -> Completeness:
    """Compare what an agent knows of a position with what can be known."""
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
