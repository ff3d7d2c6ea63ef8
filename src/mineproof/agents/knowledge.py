"""A base class for agents that reason: it stores conclusions and turns them into moves.

A subclass learns from clues, calls `conclude` for each cell that it proves, and implements
`guess`. Alternatively, a separate object does the proving (`proving`). The base class follows the
game, starts again after an undo, flags mines and opens cells.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from mineproof.core.clues import EXACT, UNOPENED, ClueRule
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import PublicRules
from mineproof.inference.knowledge import Conclusion, Knowledge, Proving, known_mine

__all__ = ["Conclusion", "KnowledgeAgent", "Proving", "known_mine", "opening_action"]


class KnowledgeAgent(ABC):
    """An agent that opens proved safe cells and flags proved mines (if flags count), or guesses."""

    rules: PublicRules
    random: Stream
    conclusions: dict[int, Conclusion]
    proving: Proving | None = None
    """The object that proves cells; None if the agent does so in `learn` and `think`."""

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        self.rules = rules
        self.random = Stream(seed, Purpose.AGENT)
        self._last_serial: int | None = None
        self._reset()

    def decide(self, observation: Observation) -> Decision | None:
        """Learn from new cells, then make a proved move, or a guess if nothing is proved."""
        self._follow(observation)
        decision = self._proved_move(observation)
        if decision is None:
            self.think(observation)
            decision = self._proved_move(observation)
        return decision if decision is not None else self.guess(observation)

    def forget(self) -> None:
        """Discard all knowledge, because a new game starts or moves were undone."""
        if self.proving is not None:
            self.proving.forget(self)

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Add the cells that were opened (or exploded), and draw conclusions."""
        if self.proving is not None:
            self.proving.learn(self, observation, changes)

    def think(self, observation: Observation) -> None:
        """Reason harder. Called before a guess, when no proved move is left."""
        if self.proving is not None:
            self.proving.think(self, observation)

    @abstractmethod
    def guess(self, observation: Observation) -> Decision | None:
        """Return a guess, or None to stop. Called only when nothing is proved."""

    @property
    def counters(self) -> Mapping[str, int]:
        """Statistics about the knowledge base: its size and the work done on it."""
        return {}

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the knowledge base for display: groups of items by name, one line per item."""
        return {}

    def knowledge(self) -> Knowledge:
        """Return the agent's current knowledge, for display."""
        mined = frozenset(i for i, known in self.conclusions.items() if known.mined)
        safe = frozenset(self.conclusions) - mined
        title = counts(self.counters) or f"{len(self.conclusions)} conclusions"
        known = Knowledge(title, self.items(), safe, mined)
        return known if self.proving is None else self.proving.knowledge(known)

    def conclude(self, index: int, mined: bool, reason: Reason) -> bool:
        """Record a proved cell. Return False if it was already proved (its first reason stays)."""
        if index in self.conclusions:
            return False
        self.conclusions[index] = Conclusion(index, mined, reason)
        (self._mines if mined else self._safes).append(index)
        return True

    def read_clue(self, observation: Observation, clue: int, rule: ClueRule = EXACT) -> list[int]:
        """Conclude the cells that a single clue proves, and return them."""
        shown = observation.shown
        if shown[clue] >= UNOPENED:
            return []
        near = observation.grid.neighbours(clue)
        unknown = [i for i in near if shown[i] == UNOPENED and i not in self.conclusions]
        if not unknown:
            return []
        bounds = rule.bounds(shown[clue], len(near))
        mines = [i for i in near if known_mine(self, observation, i)]
        mined = bounds.least - len(mines) == len(unknown)
        if not (mined or bounds.most == len(mines)):
            return []
        reason = self._clue_reason(clue, shown[clue], mines, mined)
        return [i for i in unknown if self.conclude(i, mined, reason)]

    def _clue_reason(self, clue: int, number: int, mines: list[int], mined: bool) -> Reason:
        cell = self.rules.grid.cell
        if mined:
            ending = "needs all of its other unopened neighbours"
        else:
            ending = "has all of its mines" if number else "has no mines"
        text = f"the {number} at {cell(clue)} {ending}"
        return Reason(text, clues=(cell(clue),), conclusions=tuple(map(cell, mines)))

    def is_known_mine(self, index: int) -> bool:
        """Return whether the agent has proved that the cell is a mine."""
        known = self.conclusions.get(index)
        return known is not None and known.mined

    def open_unknown(self, observation: Observation) -> list[int]:
        """Return the cells that can be guessed: unopened, not flagged, not proved mines."""
        marks = observation.marks
        return [
            index
            for index in observation.unopened
            if not marks[index] and not self.is_known_mine(index)
        ]

    def guess_random(self, observation: Observation, why: str) -> Decision | None:
        """Open a random cell among those that can be guessed."""
        cells = self.open_unknown(observation)
        if not cells:
            return None
        index = cells[self.random.below(len(cells))]
        return self.open_cell(index, Reason(why), proved=False)

    def open_cell(
        self, index: int, reason: Reason, *, proved: bool, risk: float | None = None
    ) -> Decision:
        """Return the decision to open a cell.

        If the risk is 0 but not proved, record it as unknown.
        """
        move = Move(Action.OPEN, self.rules.grid.cell(index))
        return Decision(move, proved, reason, 0.0 if proved else risk or None)

    def guess_first(
        self, observation: Observation, candidates: Sequence[Candidate], reason: str
    ) -> Decision:
        """Return the decision to open the first candidate, or to remove its flag if it has one."""
        first = candidates[0]
        move = Move(opening_action(observation, self.rules.grid.index(first.cell)), first.cell)
        return Decision(move, False, Reason(reason), first.risk, tuple(candidates))

    def _reset(self) -> None:
        self.conclusions = {}
        self._safes: deque[int] = deque()
        self._mines: deque[int] = deque()
        self.forget()

    def _follow(self, observation: Observation) -> None:
        if observation.serial == self._last_serial:
            return
        is_first, follows = self._last_serial is None, observation.follows == self._last_serial
        if not is_first and not follows:
            self._reset()
        self._last_serial = observation.serial
        changes = observation.changes if follows and not is_first else observation.opened
        self.learn(observation, changes)

    def _proved_move(self, observation: Observation) -> Decision | None:
        shown, marks = observation.shown, observation.marks
        while self._safes:
            index = self._safes[0]
            if shown[index] == UNOPENED:
                return self._decision(opening_action(observation, index), index, risk=0.0)
            self._safes.popleft()
        while self._mines and self.rules.marks_matter:
            index = self._mines[0]
            if shown[index] == UNOPENED and not marks[index]:
                return self._decision(Action.MARK, index, risk=1.0)
            self._mines.popleft()
        return None

    def _decision(self, action: Action, index: int, risk: float) -> Decision:
        move = Move(action, self.rules.grid.cell(index))
        return Decision(move, True, self.conclusions[index].reason, risk)


def counts(counters: Mapping[str, int]) -> str:
    """Return counters as text."""
    return ", ".join(f"{name} {count}" for name, count in counters.items())


def opening_action(observation: Observation, index: int) -> Action:
    """Return the action that opens a cell, or that removes its flag if it has one."""
    return Action.UNMARK if observation.marks[index] else Action.OPEN
