"""What an agent has proved, what that is based on, and the parts that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mineproof.core.clues import EXPLODED
from mineproof.core.decision import Reason
from mineproof.core.grid import Grid
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules


@dataclass(frozen=True)
class Conclusion:
    """A cell whose value an agent has proved, and from what."""

    index: int
    mined: bool
    reason: Reason


class Knowledge:
    """What an agent knows, for display: cells it has proved, and what it holds in its own terms."""

    __slots__ = ("groups", "mined", "risks", "safe", "title")

    def __init__(
        self,
        title: str,
        groups: Mapping[str, Sequence[str]] | None = None,
        safe: frozenset[int] = frozenset(),
        mined: frozenset[int] = frozenset(),
        risks: dict[int, float] | None = None,
    ) -> None:
        """Collect what is to be shown.

        Args:
            title: how much it is, such as "12 sentences".
            groups: sentences, clauses, clues of a heap, one a line, by what they are: `KB0`.
            safe: indices of cells known to be safe (opened ones left out).
            mined: indices of cells known to be mines.
            risks: the agent's own probability of a mine, by index.
        """
        self.title = title
        self.groups = dict(groups or {})
        self.safe = safe
        self.mined = mined
        self.risks = risks or {}

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines, under the name of their group where there are several."""
        found: list[str] = []
        for name, lines in self.groups.items():
            if len(self.groups) > 1:
                found.append(f"{name}: {len(lines)}")
            found += lines
        return tuple(found)


class Evidence(NamedTuple):
    """What a sentence or a clause is based on."""

    clues: tuple[int, ...]
    """The opened cells whose clues were used."""
    known: tuple[int, ...]
    """The cells whose value was known before and was used: mines taken off, safe cells left out."""
    uses_mine_count: bool

    def reason(self, text: str, grid: Grid) -> Reason:
        """Put words and evidence together."""
        return Reason(
            text,
            clues=tuple(map(grid.cell, self.clues)),
            conclusions=tuple(map(grid.cell, self.known)),
            uses_mine_count=self.uses_mine_count,
        )


class Derived:
    """Knowledge that remembers what it was made from: a sentence or a clause."""

    __slots__ = ("clue", "parents", "taken")

    def __init__(
        self, parents: tuple[Derived, ...], clue: int | None, taken: tuple[int, ...]
    ) -> None:
        """Note where it comes from.

        Args:
            parents: what it was derived from; nothing for a clue or the mine count.
            clue: the opened cell whose clue it is.
            taken: known cells that were taken out of it in this step.
        """
        self.parents = parents
        self.clue = clue
        self.taken = taken

    @property
    def finding(self) -> tuple[int, ...]:
        """The cells that it settles, if later knowledge takes them as known."""
        return ()

    def evidence(self) -> Evidence:
        """Collect what it is based on, through all of its parents back to earlier findings."""
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
    """Describe where knowledge without parents comes from: a clue, or the mine count."""
    if clue is None:
        return f"the mine count with {len(taken)} cells known" if taken else "the mine count"
    known = ", ".join(str(grid.cell(index)) for index in taken)
    return f"the clue at {grid.cell(clue)}" + (f" with {known} known" if taken else "")


class Concluding(Protocol):
    """What a proving part needs of the agent that holds it."""

    rules: PublicRules
    conclusions: dict[int, Conclusion]

    def conclude(self, index: int, mined: bool, reason: Reason) -> bool:
        """Note a proved cell; False if it was known already."""

    def is_known_mine(self, index: int) -> bool:
        """Return whether the agent has proved a mine there."""


class Proving(Protocol):
    """A part that proves cells for the agent that holds it, by calling its `conclude`."""

    def forget(self, agent: Concluding) -> None:
        """Drop all knowledge: a new game begins, or one that does not follow the last."""

    def learn(self, agent: Concluding, observation: Observation, changes: Iterable[int]) -> None:
        """Take in the cells that were opened (or exploded)."""

    def think(self, agent: Concluding, observation: Observation) -> None:
        """Reason harder: nothing proved is left to do."""

    def knowledge(self, known: Knowledge) -> Knowledge:
        """Add to what the agent shows of its knowledge."""


def known_mine(agent: Concluding, observation: Observation, index: int) -> bool:
    """Return whether a cell is a mine that is shown or that the agent has proved."""
    return observation.shown[index] == EXPLODED or agent.is_known_mine(index)
