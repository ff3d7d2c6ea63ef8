"""How `exact`, `champion` and `deep` prove: single clues, then all layouts.

Single clues are read first, and only those next to something new. When they prove nothing
more, the exact engine counts the layouts of the whole position: whatever is the same in all
of them is proved.

Proved cells are opened in row order, and new clues are not read until none is left: so the
native core plays the very same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.decision import Reason
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.grid import Grid
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.core.words import counted
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component
from mineproof.inference.counting import Facts, count
from mineproof.inference.knowledge import Concluding, Knowledge, known_mine
from mineproof.proof.explainer import ProofReason

NOISY_NODES = 30_000
"""States to count under unreliable clues: often far too few, and then risks are estimated."""
FEW_NODES = 10_000
"""The most states of a position for which a reason says how many layouts there are."""
MOST_CLUES = 12
"""Clues of a component that are named."""

Count = Callable[[Observation], Facts | None]
"""Counts a position with clues that are true; None if it is too much work."""
COUNT_OR_SAMPLE: Count = partial(count, sampled=True)
"""Counts all layouts; if that is too much work, estimates the risks."""


class Counting:
    """Proves all that follows from the clues and the mine count, and keeps every risk."""

    facts: Facts | None
    """What was counted last; None where it was too much work, or something has changed since."""

    def __init__(self, clues: str, count_exact: Count = COUNT_OR_SAMPLE) -> None:
        """Set how clues are read, and how positions are counted.

        Args:
            clues: `model` to weigh unreliable clues by how they come about, `trust` to take
                them as true.
            count_exact: counts positions whose clues are true as far as they go.
        """
        self._trusts = clues == "trust"
        self._count_exact = count_exact

    def forget(self, agent: Concluding) -> None:
        """Drop what is to be read, and the facts."""
        self._unread: set[int] = set()
        self.facts = None

    def learn(self, agent: Concluding, observation: Observation, changes: Iterable[int]) -> None:
        """Note what is new; it is read when nothing proved is left to do."""
        self._unread.update(changes)
        self.facts = None

    def think(self, agent: Concluding, observation: Observation) -> None:
        """Let an agent conclude what single clues prove; if that is nothing to do, count."""
        if self._reads_single_clues(agent.rules) and self._read_clues(agent, observation):
            return
        self.facts = self._count(observation)
        if self.facts is not None:
            self._conclude(agent, self.facts)

    def knowledge(self, known: Knowledge) -> Knowledge:
        """Add the risks and the components to what an agent knows."""
        facts = self.facts
        if facts is None:
            return known
        risks = {index: facts.risk[index] for index in facts.observation.unopened}
        lines = tuple(_component_text(one, facts.observation.grid) for one in facts.components)
        title = counted(len(lines), "component") if lines else "no component is left"
        title += f", {amount_text(_few_layouts(facts))} layouts"
        return Knowledge(title, {"components": lines}, known.safe, known.mined, risks)

    def searchable(self, observation: Observation) -> Facts | None:
        """Return the facts if a search can be built on them.

        A game with a hit cannot be won any more: then the mines marked count, and so does safety.
        """
        facts = self.facts
        if facts is None or not facts.exact or observation.hits:
            return None
        return facts if observation.rules.clues == EXACT else None

    def _reads_single_clues(self, rules: PublicRules) -> bool:
        return self._trusts or rules.clues.trusted

    def _read_clues(self, agent: Concluding, observation: Observation) -> bool:
        """Read clues one by one until nothing follows; say whether that gives something to do."""
        neighbours = observation.grid.neighbours
        pending = self._unread.union(*(neighbours(index) for index in self._unread))
        self._unread = set()
        found: dict[int, tuple[bool, int]] = {}
        while pending:
            clue = pending.pop()
            for index, mined in _read(agent, observation, clue, found):
                found[index] = mined, clue
                pending.update(neighbours(index))
        for index in sorted(found):
            mined, clue = found[index]
            agent.conclude(index, mined, _clue_reason(observation, clue, mined))
        return any(agent.rules.marks_matter or not mined for mined, _ in found.values())

    def _count(self, observation: Observation) -> Facts | None:
        """Ask the engine; None if it is too much work even for an estimate."""
        try:
            if not self._reads_single_clues(observation.rules):
                return count(observation, budget=Budget(nodes=NOISY_NODES), sampled=True)
            if not self._trusts:
                return self._count_exact(observation)
            return count(_as_read(observation), sampled=True)
        except ContradictionError:
            if not self._trusts:
                raise
        except WorkLimitError:
            return None
        # Trusted clues contradict each other: then they must be weighed after all.
        return count(observation, budget=Budget(nodes=NOISY_NODES), sampled=True)

    def _conclude(self, agent: Concluding, facts: Facts) -> None:
        # Only used in the reason, which omits the number if counting takes too long.
        amount = _few_layouts(facts)
        layouts = "the only layout" if amount == 1 else f"all {amount_text(amount)} layouts"
        for index in facts.safe:
            agent.conclude(index, False, ProofReason(facts, index, f"it is safe in {layouts}"))
        for index in facts.mined:
            agent.conclude(index, True, ProofReason(facts, index, f"it is a mine in {layouts}"))
        self._unread.update(facts.safe, facts.mined)


def _few_layouts(facts: Facts) -> int | None:
    """Return the number of layouts, unless it takes long to count them exactly."""
    return facts.layouts if facts.nodes <= FEW_NODES else None


def _component_text(component: Component, grid: Grid) -> str:
    """Say how large a component is, and which clues it has."""
    clues = ", ".join(str(grid.cell(clue.cell)) for clue in component.clues[:MOST_CLUES])
    more = len(component.clues) - MOST_CLUES
    sizes = f"{len(component.boxes)} boxes with {component.size} cells"
    ending = f" and {more} more" if more > 0 else ""
    return f"{sizes} under {len(component.clues)} clues: {clues}{ending}"


def _read(
    agent: Concluding,
    observation: Observation,
    clue: int,
    found: dict[int, tuple[bool, int]],
) -> list[tuple[int, bool]]:
    """Apply a single clue: it has all its mines, or needs all its other cells."""
    code = observation.shown[clue]
    if code >= UNOPENED:
        return []
    unknown = []
    for index in observation.grid.neighbours(clue):
        if known_mine(agent, observation, index) or found.get(index, (False, 0))[0]:
            code -= 1
        elif observation.shown[index] == UNOPENED and not (
            index in found or index in agent.conclusions
        ):
            unknown.append(index)
    if code not in (0, len(unknown)):
        return []
    return [(index, code > 0) for index in unknown]


def _clue_reason(observation: Observation, clue: int, mined: bool) -> Reason:
    cell = observation.grid.cell(clue)
    where = f"the {observation.shown[clue]} at {cell}"
    if mined:
        return Reason(f"{where} needs all of its other unopened neighbours", (cell,))
    return Reason(f"{where} has all of its mines", (cell,))


def _as_read(observation: Observation) -> Observation:
    """Take all clues for true."""
    if observation.rules.clues == EXACT:
        return observation
    rules = replace(observation.rules, clues=EXACT)
    return Observation(rules, observation.shown, observation.marks)


def amount_text(layouts: int | None) -> str:
    """Write a number of layouts for people."""
    if layouts is None or layouts >= 10**300:
        return "possible"
    return f"{layouts:,}" if layouts < 10**9 else f"{layouts:.2e}"
