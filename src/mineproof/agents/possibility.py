"""`possibility`: a board of running probabilities, and a threshold above which it flags.

The first agent of the Rutgers report (003). Its play ground holds for each cell: unexplored
(-2), flagged (-1), explored or safe (0), or the possibility of a mine. A clue speaks once, when
it is explored: each unknown neighbour gets (clue - flagged) / unknown, combined with what it
had by 1 - (1 - old)(1 - new). The cell with the least possibility is explored next, and one at
or above the threshold is flagged.

That combination is a heuristic, not a probability, and such a flag is not a fact. What a single
clue makes certain is read from facts alone, and only that is called proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent, known_mine
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.notation.documents import PlayGround, format_play_ground

UNEXPLORED, FLAGGED, EXPLORED = -2.0, -1.0, 0.0
CERTAIN = 1.0


@agent(
    "possibility",
    idea="running probabilities, combined by 1-(1-old)(1-new); opens the lowest, flags the highest",
    source="the first agent of the Rutgers report (003)",
    proves="what a single clue proves, given the mines proved before",
    cannot_prove="anything else: its probabilities and the flags set by them are a heuristic",
    strength=5,
)
class PossibilityAgent(KnowledgeAgent):
    """Explores the least possibility; flags what reaches the threshold."""

    def __init__(
        self,
        *,
        threshold: Annotated[float, "a cell with this possibility of a mine is flagged"] = 0.8,
        clues: Annotated[
            Literal["trust", "model"], "take clues as true, or refuse those that may not be"
        ] = "trust",
    ) -> None:
        """Set the options."""
        if not 0 < threshold <= 1:
            raise AgentError(f"expected a threshold above 0 and at most 1, got {threshold!r}")
        self._threshold = threshold
        self._clues = clues

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game.

        Raises:
            AgentError: the clues are to be modelled and the agent has no model for them.
        """
        if self._clues == "model" and not rules.clues.trusted:
            raise AgentError(
                "agent possibility: expected exact or withheld clues with clues=model, "
                f"got {rules.clues} (clue / unknown needs the true number); use clues=trust"
            )
        super().start(rules, seed)

    def forget(self) -> None:
        """Start with a play ground that is not explored."""
        self.ground = [UNEXPLORED] * self.rules.grid.size
        self.flags: dict[int, float] = {}
        """Cells flagged by the threshold, with their possibility: beliefs, not facts."""
        self.counters: Counter[str] = Counter()
        self._doubted: set[int] = set()
        self._hit: bool | None = None
        """Whether the last move hit a mine; None before the first look at the position."""

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Note what was explored, settle what is certain, then let each new clue speak."""
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
        """Flag what reaches the threshold, then explore the least possibility."""
        while (index := self._largest(observation)) is not None:
            self._flag(observation, index)
            if self.rules.marks_matter:
                return self._mark(index)
        return self._explore(observation) or self._doubt(observation)

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the play ground as the source writes it, a line a row."""
        values = self.ground
        ground = PlayGround(
            self.rules.rows,
            self.rules.columns,
            frozenset(i for i, value in enumerate(values) if value == EXPLORED),
            frozenset(i for i, value in enumerate(values) if value == FLAGGED),
            {i: value for i, value in enumerate(values) if value > 0},
        )
        return {"play ground": tuple(format_play_ground(ground, decimals=3).splitlines())}

    def knowledge(self) -> Knowledge:
        """Return the play ground; the possibilities are the risks."""
        shown = super().knowledge()
        shown.risks = {i: value for i, value in enumerate(self.ground) if value > 0} | self.flags
        flagged = self.ground.count(FLAGGED)
        shown.title = f"play ground: {len(shown.risks)} possibilities, {flagged} flagged"
        return shown

    def _settle(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the clues around changed cells, again and again, until nothing is certain."""
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
        """Conclude what one clue makes certain, from facts alone: no flag counts here."""
        shown, near = observation.shown, self.rules.grid.neighbours(clue)
        mines = [i for i in near if known_mine(self, observation, i)]
        unknown = [i for i in near if shown[i] == UNOPENED and i not in self.conclusions]
        left = shown[clue] - len(mines)
        if not unknown or left not in (0, len(unknown)):
            return []
        mined = left > 0
        reason = self._reason(observation, clue, mined)
        for index in unknown:
            self.conclude(index, mined, reason)
            self.ground[index] = FLAGGED if mined else EXPLORED
            self.flags.pop(index, None)
        return unknown

    def _believe(self, observation: Observation, clue: int) -> list[int]:
        """Set the possibility to 0 or 1 where the flags around a clue make it so."""
        left, unknown = self._left(observation, clue)
        if left not in (0, len(unknown)):
            return []
        value = CERTAIN if left else EXPLORED
        changed = [index for index in unknown if self.ground[index] != value]
        for index in changed:
            self.ground[index] = value
        return changed

    def _label(self, observation: Observation, clue: int) -> None:
        """Let a clue speak: combine its possibility with what its neighbours have."""
        left, unknown = self._left(observation, clue)
        if not 0 < left < len(unknown):
            return
        new = left / len(unknown)
        for index in unknown:
            old = max(self.ground[index], 0.0)
            self.ground[index] = 1 - (1 - old) * (1 - new)

    def _left(self, observation: Observation, clue: int) -> tuple[int, list[int]]:
        """Return the mines a clue still lacks, believing all flags, and its unknown cells."""
        near, ground = self.rules.grid.neighbours(clue), self.ground
        flagged = sum(ground[i] == FLAGGED for i in near)
        unknown = [i for i in near if ground[i] == UNEXPLORED or ground[i] > 0]
        return observation.shown[clue] - flagged, unknown

    def _largest(self, observation: Observation) -> int | None:
        """Return the cell with the largest possibility, if it reaches the threshold."""
        ground, threshold = self.ground, self._threshold
        likely = [i for i, value in enumerate(ground) if value >= threshold]
        likely = [i for i in likely if i not in self._doubted and not observation.marks[i]]
        return max(likely, key=ground.__getitem__, default=None)

    def _flag(self, observation: Observation, index: int) -> None:
        self.counters["flagged"] += 1
        self.flags[index] = self.ground[index]
        self.ground[index] = FLAGGED
        self._settle(observation, (index,))

    def _mark(self, index: int) -> Decision:
        value = self.flags[index]
        text = f"its possibility {value:.3f} is at least {self._threshold}: flagged, not proved"
        move = Move(Action.MARK, self.rules.grid.cell(index))
        return Decision(move, False, Reason(text), value)

    def _explore(self, observation: Observation) -> Decision | None:
        """Explore what the flags make safe, else the least possibility, else anything."""
        values = {index: self.ground[index] for index in self.open_unknown(observation)}
        unexplored = [index for index, value in values.items() if value != FLAGGED]
        if not unexplored:
            return None
        least = min(unexplored, key=lambda index: _rank(values[index]))
        value = values[least]
        if value == EXPLORED:
            return self._open(
                least, value, "its clue has all mines flagged: safe if they are right"
            )
        if value == UNEXPLORED or self._hit:
            # After a mine the source goes on from anywhere, not from the least possibility.
            least, self._hit = unexplored[self.random.below(len(unexplored))], False
            return self._open(least, self.ground[least], "an unvisited cell at random")
        return self._open(least, value, f"the least possibility of a mine, {value:.3f}")

    def _open(self, index: int, value: float, text: str) -> Decision:
        self.counters["explored"] += 1
        # A 0 that is not proved rests on flags: that is no estimate of a risk.
        risk = value if value > 0 else None
        return self.open_cell(index, Reason(text), proved=False, risk=risk)

    def _doubt(self, observation: Observation) -> Decision | None:
        """Take back the least sure flag: the game goes on, so one of them must be wrong."""
        doubtful = [i for i in observation.unopened if not self.is_known_mine(i)]
        if not doubtful:
            return None
        index = min(doubtful, key=lambda i: self.flags.get(i, CERTAIN))
        value = self.flags.pop(index, CERTAIN)
        self.counters["flags taken back"] += 1
        self.ground[index] = value
        self._doubted.add(index)
        reason = "all cells are explored or flagged and the game goes on: the least sure flag"
        if observation.marks[index]:
            move = Move(Action.UNMARK, self.rules.grid.cell(index))
            return Decision(move, False, Reason(reason), value)
        return self._open(index, value, reason)

    def _reason(self, observation: Observation, clue: int, mined: bool) -> Reason:
        grid = self.rules.grid
        ending = "needs all of its unknown cells" if mined else "has all of its mines"
        used = [
            i
            for i in grid.neighbours(clue)
            if observation.shown[i] == UNOPENED
            and i in self.conclusions
            and self.conclusions[i].mined is not mined
        ]
        text = f"the {observation.shown[clue]} at {grid.cell(clue)} {ending}"
        return Reason(text, (grid.cell(clue),), tuple(map(grid.cell, used)))


def _rank(value: float) -> tuple[bool, float]:
    """Order possibilities: the least first, a cell of which nothing is known last."""
    return value == UNEXPLORED, value
