"""`possibility`: keeps a possibility of a mine for each cell, and flags cells above a threshold.

The first agent of the Rutgers report (003). Its play ground stores a value for each cell:
unexplored (-2), flagged (-1), explored or safe (0), or the possibility of a mine. A clue is used
once, when its cell is explored: each unknown neighbour gets (clue - flagged) / unknown, combined
with its old value as 1 - (1 - old)(1 - new). The agent flags cells whose possibility reaches the
threshold, and explores the cell with the lowest possibility next.

The combined values are a heuristic, not probabilities, and such flags may be wrong. Only cells
that a single clue proves, without relying on those flags, are called proved. They are opened first;
with `order=lowest`, the agent proves nothing and keeps to the report's order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.notation.documents import format_play_ground

UNEXPLORED, FLAGGED, EXPLORED = -2.0, -1.0, 0.0
CERTAIN = 1.0


@agent(
    "possibility",
    idea="a possibility per cell, updated by 1-(1-old)(1-new); opens the lowest, flags the highest",
    source="the first agent of the Rutgers report (003)",
    proves="cells that a single clue proves, given the mines proved before",
    cannot_prove="anything else: its possibilities, and the flags based on them, are a heuristic",
    strength=5,
)
class PossibilityAgent(KnowledgeAgent):
    """Explores the cell with the lowest possibility; flags cells that reach the threshold."""

    def __init__(
        self,
        *,
        threshold: Annotated[float, "flag cells with at least this possibility of a mine"] = 0.8,
        order: Annotated[
            Literal["proved", "lowest"],
            "open proved cells first, or always the cell with the lowest possibility, as the "
            "report does",
        ] = "proved",
        clues: Annotated[
            Literal["trust", "model"], "trust all clues, or reject games with unreliable clues"
        ] = "trust",
    ) -> None:
        """Set the options."""
        if not 0 < threshold <= 1:
            raise AgentError(f"expected a threshold above 0 and at most 1, got {threshold!r}")
        self._threshold = threshold
        self._proves = order == "proved"
        self._clues = clues

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game.

        Raises:
            AgentError: the option is `clues=model` and clues may be wrong.
        """
        if self._clues == "model" and not rules.clues.trusted:
            raise AgentError(
                "agent possibility: clues=model needs clues that are never wrong, "
                f"got {rules.clues}; use clues=trust"
            )
        super().start(rules, seed)

    def forget(self) -> None:
        """Start with an unexplored play ground."""
        self.ground = [UNEXPLORED] * self.rules.grid.size
        self.flags: dict[int, float] = {}
        """The cells flagged by the threshold, with their possibilities. Flags may be wrong."""
        self._doubted: set[int] = set()
        self._hit: bool | None = None
        """Whether the last move hit a mine; None before the first observation."""

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Record the explored cells, draw certain conclusions, then apply each new clue."""
        changes = tuple(changes)
        hits = [index for index in changes if observation.shown[index] == EXPLODED]
        self._hit = self._hit is not None and (self._hit or bool(hits))
        for index in changes:
            self.ground[index] = FLAGGED if index in hits else EXPLORED
            self.flags.pop(index, None)
        self._settle(observation, changes)
        for index in changes:
            if observation.shown[index] < UNOPENED:
                self._label(observation, index)

    def guess(self, observation: Observation) -> Decision | None:
        """Flag cells that reach the threshold, then explore another cell."""
        while (index := self._largest(observation)) is not None:
            self._flag(observation, index)
            if self.rules.marks_matter:
                return self._mark(index)
        return self._explore(observation) or self._doubt(observation)

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the play ground in the report's notation, one line per row."""
        columns, values = self.rules.columns, self.ground
        rows = [values[start : start + columns] for start in range(0, len(values), columns)]
        return {"play ground": tuple(format_play_ground(rows, decimals=3).splitlines())}

    def knowledge(self) -> Knowledge:
        """Return the play ground, with the possibilities as risks."""
        shown = super().knowledge()
        shown.risks = {i: value for i, value in enumerate(self.ground) if value > 0} | self.flags
        flagged = self.ground.count(FLAGGED)
        shown.title = f"play ground: {len(shown.risks)} possibilities, {flagged} flagged"
        return shown

    def _settle(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the clues around changed cells until nothing new is certain."""
        if not self._proves:
            return
        neighbours = self.rules.grid.neighbours
        pending = dict.fromkeys(changes)
        for index in tuple(pending):
            pending.update(dict.fromkeys(neighbours(index)))
        while pending:
            clue, _ = pending.popitem()
            if observation.shown[clue] >= UNOPENED:
                continue
            for index in self._prove(observation, clue) + self._believe(observation, clue):
                pending.update(dict.fromkeys(neighbours(index)))

    def _prove(self, observation: Observation, clue: int) -> list[int]:
        """Conclude the cells that one clue proves. Unproved flags do not count here."""
        proved = self.read_clue(observation, clue)
        for index in proved:
            self.ground[index] = FLAGGED if self.is_known_mine(index) else EXPLORED
            self.flags.pop(index, None)
        return proved

    def _believe(self, observation: Observation, clue: int) -> list[int]:
        """Set possibilities to 0 or 1 if the flags around a clue determine them."""
        left, unknown = self._left(observation, clue)
        if left not in (0, len(unknown)):
            return []
        value = CERTAIN if left else EXPLORED
        changed = [index for index in unknown if self.ground[index] != value]
        for index in changed:
            self.ground[index] = value
        return changed

    def _label(self, observation: Observation, clue: int) -> None:
        """Combine the possibility that a clue gives with the old values of its neighbours."""
        left, unknown = self._left(observation, clue)
        if not unknown or (self._proves and not 0 < left < len(unknown)):
            return
        new = min(max(left / len(unknown), 0.0), 1.0)
        for index in unknown:
            old = max(self.ground[index], 0.0)
            self.ground[index] = 1 - (1 - old) * (1 - new)

    def _left(self, observation: Observation, clue: int) -> tuple[int, list[int]]:
        """Return how many mines a clue lacks if all flags are right, and its unknown cells."""
        near, ground = self.rules.grid.neighbours(clue), self.ground
        flagged = sum(ground[i] == FLAGGED for i in near)
        unknown = [i for i in near if ground[i] == UNEXPLORED or ground[i] > 0]
        return observation.shown[clue] - flagged, unknown

    def _largest(self, observation: Observation) -> int | None:
        """Return the cell with the highest possibility if it reaches the threshold."""
        ground, threshold = self.ground, self._threshold
        likely = [i for i, value in enumerate(ground) if value >= threshold]
        likely = [i for i in likely if i not in self._doubted and not observation.marks[i]]
        return max(likely, key=ground.__getitem__, default=None)

    def _flag(self, observation: Observation, index: int) -> None:
        self.flags[index] = self.ground[index]
        self.ground[index] = FLAGGED
        self._settle(observation, (index,))

    def _mark(self, index: int) -> Decision:
        value = self.flags[index]
        text = f"its possibility {value:.3f} reaches the threshold {self._threshold} (not a proof)"
        move = Move(Action.MARK, self.rules.grid.cell(index))
        return Decision(move, False, Reason(text), value)

    def _explore(self, observation: Observation) -> Decision | None:
        """Explore a cell that is safe if all flags are right.

        If there is none, explore the cell with the lowest possibility, or any cell if no cell has a
        possibility.
        """
        values = {index: self.ground[index] for index in self.open_unknown(observation)}
        unexplored = [index for index, value in values.items() if value != FLAGGED]
        if not unexplored:
            return None
        lowest = min(unexplored, key=lambda index: _rank(values[index]))
        value = values[lowest]
        if value == EXPLORED:
            return self._open(lowest, value, "safe if the flags around its clue are right")
        if value == UNEXPLORED or self._hit:
            # After a hit, the report's agent continues at a random cell.
            lowest, self._hit = unexplored[self.random.below(len(unexplored))], False
            return self._open(lowest, self.ground[lowest], "a random unexplored cell")
        return self._open(lowest, value, f"the lowest possibility of a mine, {value:.3f}")

    def _open(self, index: int, value: float, text: str) -> Decision:
        # An unproved 0 depends on flags, so it is not an estimate of the risk.
        risk = value if value > 0 else None
        return self.open_cell(index, Reason(text), proved=False, risk=risk)

    def _doubt(self, observation: Observation) -> Decision | None:
        """Remove the least certain flag. Some flag must be wrong, because the game is not over."""
        doubtful = [i for i in observation.unopened if not self.is_known_mine(i)]
        if not doubtful:
            return None
        index = min(doubtful, key=lambda i: self.flags.get(i, CERTAIN))
        value = self.flags.pop(index, CERTAIN)
        self.ground[index] = value
        self._doubted.add(index)
        reason = "all cells are explored or flagged, but the game is not over: some flag is wrong"
        if observation.marks[index]:
            move = Move(Action.UNMARK, self.rules.grid.cell(index))
            return Decision(move, False, Reason(reason), value)
        return self._open(index, value, reason)


def _rank(value: float) -> tuple[bool, float]:
    """Return a sort key: lowest possibility first, cells without a value last."""
    return value == UNEXPLORED, value
