"""Proves cells for `exact`, `champion` and `deep`, first by single clues, then by counting layouts.

Single clues are read first, and only those next to new cells. When they prove nothing more, the
exact engine counts the layouts of the whole position. A cell with the same value in all layouts is
proved.

Proved cells are opened in row order, and new clues are read only when no proved cell is left, so
that the native core plays exactly the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
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
from mineproof.inference.clue_graph import read_clue
from mineproof.inference.constraints import Component
from mineproof.inference.counting import Facts, count
from mineproof.inference.knowledge import Concluding, Knowledge
from mineproof.proof.explainer import ProofReason

NOISY_NODES = 30_000
"""The node limit with unreliable clues. Many positions exceed it, and risks are then estimated."""
FEW_NODES = 10_000
"""Reasons state the number of layouts only if counting took at most this many nodes."""
MOST_CLUES = 12
"""Maximum number of clues to name per component."""

Count = Callable[[Observation], Facts | None]
"""Counts a position with reliable clues; returns None if that is too much work."""
COUNT_OR_SAMPLE: Count = partial(count, sampled=True)
"""Counts all layouts, or estimates the risks if counting is too much work."""


class Counting:
    """Proves all cells that follow from the clues and the mine count, and stores the risks."""

    facts: Facts | None
    """The facts counted last; None if counting was too much work, or the position has changed."""

    def __init__(self, clues: str, count_exact: Count = COUNT_OR_SAMPLE) -> None:
        """Set how clues are read, and how positions are counted.

        Args:
            clues: `model` to weigh unreliable clues by their probability, `trust` to treat them as
                true.
            count_exact: counts positions with reliable clues.
        """
        self._trusts = clues == "trust"
        self._count_exact = count_exact

    def forget(self, agent: Concluding) -> None:
        """Discard all knowledge."""
        self._unread: set[int] = set()
        self._known: dict[int, bool] = {}
        self._uncounted: Observation | None = None
        self.facts = None

    def learn(self, agent: Concluding, observation: Observation, changes: Iterable[int]) -> None:
        """Record new cells. They are read when no proved move is left."""
        self._unread.update(changes)
        self._uncounted, self.facts = observation, None

    def think(self, agent: Concluding, observation: Observation) -> None:
        """Pass cells proved by single clues to the agent. If it has no move, count layouts."""
        if self._reads_single_clues(agent.rules) and self._read_clues(agent, observation):
            return
        self._uncounted, self.facts = None, self._count(observation)
        if self.facts is not None:
            self._conclude(agent, self.facts)

    def knowledge(self, known: Knowledge) -> Knowledge:
        """Add all proved cells, the risks and the components to the agent's knowledge.

        If single clues gave the agent its move, the layouts are counted only here, for display.
        """
        facts = self.facts
        if self._uncounted is not None:
            with suppress(ContradictionError):
                facts = self._count(self._uncounted)
        if facts is None:
            return known
        risks = {index: facts.risk[index] for index in facts.observation.unopened}
        lines = tuple(_component_text(one, facts.observation.grid) for one in facts.components)
        title = counted(len(lines), "component") if lines else "no components left"
        title += f", {amount_text(_few_layouts(facts))} layouts"
        safe, mined = known.safe.union(facts.safe), known.mined.union(facts.mined)
        return Knowledge(title, {"components": lines}, safe, mined, risks)

    def searchable(self, observation: Observation) -> Facts | None:
        """Return the facts if a search for the best move can use them.

        After a hit, the game can no longer be won. The score counts flagged mines, so the
        agent looks for the safest cell instead.
        """
        facts = self.facts
        if facts is None or not facts.exact or observation.hits:
            return None
        return facts if observation.rules.clues == EXACT else None

    def _reads_single_clues(self, rules: PublicRules) -> bool:
        return self._trusts or rules.clues.trusted

    def _read_clues(self, agent: Concluding, observation: Observation) -> bool:
        """Read clues one by one until nothing follows; return whether the agent can move."""
        shown, neighbours = observation.shown, observation.grid.neighbours
        pending = self._unread.union(*(neighbours(index) for index in self._unread))
        self._unread = set()
        found: dict[int, int] = {}
        while pending:
            clue = pending.pop()
            if shown[clue] >= UNOPENED:
                continue
            statement = read_clue(EXACT, shown, clue, neighbours(clue), self._known)
            if statement.decided is not None:
                for index in statement.cells:
                    self._known[index] = statement.decided
                    found[index] = clue
                    pending.update(neighbours(index))
        for index in sorted(found):
            mined = self._known[index]
            agent.conclude(index, mined, _clue_reason(observation, found[index], mined))
        return any(agent.rules.marks_matter or not self._known[index] for index in found)

    def _count(self, observation: Observation) -> Facts | None:
        """Return the engine's facts; None if even an estimate is too much work."""
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
        # The trusted clues contradict each other, so weigh them as unreliable after all.
        return count(observation, budget=Budget(nodes=NOISY_NODES), sampled=True)

    def _conclude(self, agent: Concluding, facts: Facts) -> None:
        # Only used in the reason, which omits the number if counting takes too long.
        amount = _few_layouts(facts)
        layouts = "the only layout" if amount == 1 else f"all {amount_text(amount)} layouts"
        for index, mined in facts.proved.items():
            brief = f"it is {'a mine' if mined else 'safe'} in {layouts}"
            agent.conclude(index, mined, ProofReason(facts, index, brief))
        self._known.update(facts.proved)
        self._unread.update(facts.proved)


def _few_layouts(facts: Facts) -> int | None:
    """Return the number of layouts; None if counting them exactly takes long."""
    return facts.layouts if facts.nodes <= FEW_NODES else None


def _component_text(component: Component, grid: Grid) -> str:
    """Describe a component by its size and its clues."""
    clues = grid.text(clue.cell for clue in component.clues[:MOST_CLUES])
    more = len(component.clues) - MOST_CLUES
    sizes = f"{len(component.boxes)} boxes with {component.size} cells"
    ending = f" and {more} more" if more > 0 else ""
    return f"{sizes} under {len(component.clues)} clues: {clues}{ending}"


def _clue_reason(observation: Observation, clue: int, mined: bool) -> Reason:
    cell = observation.grid.cell(clue)
    where = f"the {observation.shown[clue]} at {cell}"
    if mined:
        return Reason(f"{where} needs all of its other unopened neighbours", (cell,))
    return Reason(f"{where} has all of its mines", (cell,))


def _as_read(observation: Observation) -> Observation:
    """Return the position with its clues treated as exact."""
    if observation.rules.clues == EXACT:
        return observation
    rules = replace(observation.rules, clues=EXACT)
    return Observation(rules, observation.shown, observation.marks)


def amount_text(layouts: int | None) -> str:
    """Return a number of layouts as text; if it is huge or unknown, return `possible`."""
    if layouts is None or layouts >= 10**300:
        return "possible"
    return f"{layouts:,}" if layouts < 10**9 else f"{layouts:.2e}"
