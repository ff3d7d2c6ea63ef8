"""Finds out why agents get stuck, and how many of the provable cells they know.

The Lab 3 report counts a game as stuck when its agent knows no safe move. Some of these positions
cannot be solved without a guess, some can be solved with the mine count, and some with more
reasoning about the same clues. The exact engine decides which of these applies. Four special cases
are the types of the report. All other stuck positions have other names.

The engine also finds every cell that is the same in all layouts. The completeness of an agent is
the share of these cells that it knows. Its claims about other cells are counted as unsound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.protocol import Agent, ShowsKnowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.words import counted
from mineproof.inference.counting import Facts, Range, count
from mineproof.match.play import ask


class Lack(StrEnum):
    """The reasons why an agent can be stuck, with a description and a name for the position."""

    words: str
    position: str

    def __new__(cls, name: str, words: str = "", position: str = "") -> Lack:
        """Create a member with its texts."""
        member = str.__new__(cls, name)
        member._value_, member.words, member.position = name, words, position
        return member

    NOTHING = "nothing", "nothing can be proved here", "forced guess"
    """Nothing is provable, so a guess is needed."""
    MINE_COUNT = "mine-count", "the mine count would prove something", "counted end"
    """Something is provable, but only with the mine count."""
    REASONING = (
        "reasoning",
        "more reasoning about the same clues would prove something",
        "deeper proof",
    )
    """The clues alone prove something, but the agent's reasoning does not find it."""


TYPES = {
    1: "the last two cells, one of them a mine",
    2: "the start, where the given cells prove nothing together",
    3: "a last cell that no clue touches",
    4: "three last cells, two overlapping clues and one mine",
}
"""The types of stuck positions in the Lab 3 report."""


@dataclass(frozen=True)
class Stuck:
    """A stuck position: what a proof needs, and the cells that it would decide."""

    lack: Lack
    safe: tuple[Cell, ...] = ()
    mined: tuple[Cell, ...] = ()
    type: int | None = None
    """The type in the Lab 3 report, 1 to 4; None for all other positions."""
    said: str = ""
    """The agent's own explanation."""
    unknown: int = field(default=0, compare=False)
    """The number of unopened cells that the agent has not proved."""

    @property
    def name(self) -> str:
        """The name of the position: a type of the Lab 3 report, or another name."""
        return self.lack.position if self.type is None else f"type {self.type}"

    @property
    def text(self) -> str:
        """A description of the reason, with an example of a provable cell."""
        words = self.lack.words
        if self.safe or self.mined:
            value, cell = ("safe", self.safe[0]) if self.safe else ("a mine", self.mined[0])
            words += f", for example that {cell} is {value}"
        if self.type is None:
            words += f" ({self.name}: {counted(self.unknown, 'unknown cell')})"
        else:
            words += f" ({self.name} of the Lab 3 report: {TYPES[self.type]})"
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
    decision = ask(agent, observation)
    while decision is not None and decision.proved:
        if decision.move.action is not Action.MARK:
            return None
        observation = _with_mark(observation, decision.move.cell)
        decision = ask(agent, observation)
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
    unknown = frozenset(observation.unopened) - known
    stuck = _lack(observation, known)
    return replace(stuck, type=_type(observation, unknown, stuck), unknown=len(unknown))


def _lack(observation: Observation, known: frozenset[int]) -> Stuck:
    found = _news(known, count(observation, prior=Range(0, observation.grid.size)))
    if any(found):
        return Stuck(Lack.REASONING, *found)
    if observation.rules.mines is not None:
        found = _news(known, count(observation))
        if any(found):
            return Stuck(Lack.MINE_COUNT, *found)
    return Stuck(Lack.NOTHING)


def _type(observation: Observation, unknown: frozenset[int], stuck: Stuck) -> int | None:
    """Return the number of the position's type in the Lab 3 report; None if it has none."""
    grid, shown = observation.grid, observation.shown
    if stuck.lack is Lack.NOTHING:
        if len(unknown) == 2 and observation.rules.mines is not None:
            return None if unknown.intersection(count(observation).mined) else 1
        given = observation.rules.start.given_cells(grid.size)
        return 2 if len(shown) - len(observation.unopened) <= given else None
    if stuck.lack is Lack.MINE_COUNT:
        touched = [i for i in unknown if any(shown[k] < UNOPENED for k in grid.neighbours(i))]
        if len(unknown) == 1 and not touched:
            return 3
        if len(touched) == len(unknown) == 3 and len(stuck.safe) == 2:
            return 4
    return None


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
            self.provable + other.provable, self.proved + other.proved, self.unsound + other.unsound
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
