"""The knowledge of an agent: proved cells, their evidence, and an interface for proving cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Reason
from mineproof.core.grid import Grid
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules


@dataclass(frozen=True)
class Conclusion:
    """A cell whose value an agent has proved, and why."""

    index: int
    mined: bool
    reason: Reason


@dataclass(eq=False)
class Knowledge:
    """An agent's knowledge for display: its proved cells and its knowledge base."""

    title: str
    """A summary, such as "12 sentences"."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The sentences, clauses or clues of each group, one per line. A group has a name such as
    `KB0`."""
    safe: frozenset[int] = frozenset()
    """Indices of the unopened cells that the agent knows to be safe."""
    mined: frozenset[int] = frozenset()
    """Indices of the cells that the agent knows to be mines."""
    risks: dict[int, float] = field(default_factory=dict)
    """The agent's own estimate of each cell's risk, by index."""
    graph: Sequence[tuple[int, Sequence[int]]] = ()
    """Clues, each with the unknown cells that it counts, for agents that reason on this graph."""

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines. If there are several groups, each starts with its name and size."""
        found: list[str] = []
        for name, lines in self.groups.items():
            if len(self.groups) > 1:
                found.append(f"{name}: {len(lines)}")
            found += lines
        return tuple(found)


class Evidence(NamedTuple):
    """The clues and known cells from which a sentence or a clause was derived."""

    clues: tuple[int, ...]
    """The opened cells whose clues were used."""
    known: tuple[int, ...]
    """The cells whose value was already known and was used."""
    uses_mine_count: bool

    def reason(self, text: str, grid: Grid) -> Reason:
        """Return a reason with this text and evidence."""
        return Reason(
            text,
            clues=tuple(map(grid.cell, self.clues)),
            conclusions=tuple(map(grid.cell, self.known)),
            uses_mine_count=self.uses_mine_count,
        )


@dataclass(eq=False, slots=True, kw_only=True)
class Derived:
    """A sentence or a clause that records what it was derived from."""

    parents: tuple[Derived, ...] = ()
    """The knowledge it was derived from; none for a clue or the mine count."""
    clue: int | None = None
    """The opened cell whose clue it is."""
    taken: tuple[int, ...] = ()
    """Known cells that were removed from it in this step."""

    @property
    def finding(self) -> tuple[int, ...]:
        """The cells that this knowledge settles. Later steps use them as known cells."""
        return ()

    def evidence(self) -> Evidence:
        """Collect the evidence from all ancestors, back to earlier findings."""
        clues: set[int] = set()
        known: set[int] = set()
        uses_mine_count = False
        seen: set[int] = set()
        pending: list[Derived] = [self]
        while pending:
            one = pending.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            if one is not self and one.finding:
                known.update(one.finding)
                continue
            known.update(one.taken)
            pending.extend(one.parents)
            if one.clue is not None:
                clues.add(one.clue)
            uses_mine_count |= one.clue is None and not one.parents
        return Evidence(tuple(sorted(clues)), tuple(sorted(known)), uses_mine_count)


def first_origin(clue: int | None, taken: tuple[int, ...], grid: Grid) -> str:
    """Describe the origin of knowledge without parents: a clue or the mine count."""
    if clue is None:
        return f"the mine count with {len(taken)} cells known" if taken else "the mine count"
    known = grid.text(taken)
    return f"the clue at {grid.cell(clue)}" + (f" with {known} known" if taken else "")


class Concluding(Protocol):
    """The interface that an agent offers to the code that proves cells for it."""

    rules: PublicRules
    conclusions: dict[int, Conclusion]

    def conclude(self, index: int, mined: bool, reason: Reason) -> bool:
        """Record a proved cell; return False if it was already known."""

    def is_known_mine(self, index: int) -> bool:
        """Return whether the agent has proved that this cell is a mine."""


class Proving(Protocol):
    """A part of an agent that proves cells and calls the agent's `conclude`."""

    def forget(self, agent: Concluding) -> None:
        """Discard all knowledge, because a new game starts or moves were undone."""

    def learn(self, agent: Concluding, observation: Observation, changes: Iterable[int]) -> None:
        """Process the cells that were opened or exploded."""

    def think(self, agent: Concluding, observation: Observation) -> None:
        """Reason harder, because no proved move is left."""

    def knowledge(self, known: Knowledge) -> Knowledge:
        """Return the agent's knowledge, with the knowledge of this part added."""


def known_mine(agent: Concluding, observation: Observation, index: int) -> bool:
    """Return whether a cell is a mine that is shown or that the agent has proved."""
    return observation.shown[index] == EXPLODED or agent.is_known_mine(index)


def closed(observation: Observation, indices: Iterable[int]) -> list[int]:
    """Return the cells that may hold a mine: unopened cells and shown mines."""
    shown = observation.shown
    return [i for i in indices if shown[i] == UNOPENED or shown[i] == EXPLODED]


def clues_to_read(
    note: Callable[[int, bool], bool], observation: Observation, changes: Iterable[int]
) -> list[int]:
    """Record opened cells with `note`, and return the cells whose clues must be read.

    These are the opened cells and the neighbours of those that contradict the knowledge so far.

    Args:
        note: records whether a cell is a mine; returns False if that contradicts the knowledge.
        observation: the position.
        changes: the cells that were opened or exploded.
    """
    opened = list(changes)
    surprises = [i for i in opened if not note(i, observation.shown[i] == EXPLODED)]
    return opened + [near for one in surprises for near in observation.grid.neighbours(one)]
