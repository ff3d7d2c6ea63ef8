"""The Capstone report's player as its program has it: for `resolution:rules=as-written`.

It takes turns. In each it guesses if it thinks that it is stuck, else takes a single literal
out of KB and opens or marks that cell, else matches clauses. Its knowledge base is
`clauses_as_written`. Where the program would turn for ever, this player says so and stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mineproof.agents.protocol import Knowledge
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.clauses_as_written import ClausesAsWritten, Literal, Written

MOST_TURNS = 400
"""After so many turns without a move the program is taken to turn for ever."""


class PlayerAsWritten:
    """Plays as the program does."""

    def __init__(self, rules: PublicRules, matching: str) -> None:
        """Start with an empty knowledge base."""
        self._rules = rules
        self._base = ClausesAsWritten(matching)
        self._asked: tuple[Cell, Decision] | None = None
        self.turns = 0
        self.hasty = 0
        """Guesses that were made with a single literal at hand."""
        self.stop_reason = ""

    @property
    def counters(self) -> Counter[str]:
        """How large the knowledge base is and was."""
        base = self._base
        sizes = {"clauses": len(base.kb), "clauses at most": base.largest}
        done = {"turns": self.turns, "hasty guesses": self.hasty}
        return Counter({**sizes, "known literals": len(base.kb0), **done})

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the clue of the cell that was asked for; others are safe cells that are given."""
        asked = None if self._asked is None else self._asked[0]
        for index in changes:
            cell = self._rules.grid.cell(index)
            if cell == asked:
                self._asked = None
                self._read(observation, cell)
            else:
                self._base.give((*cell, observation.shown[index] == EXPLODED))

    def decide(self, observation: Observation) -> Decision | None:
        """Take turns until one is a move; None where that would go on for ever."""
        self.stop_reason = ""
        if self._asked is not None:  # a mark was in the way
            return self._asked[1]
        seen: set[int] = set()
        while self._goes_on(seen):
            self.turns += 1
            if self._base.is_stuck():
                decision = self._guess(observation)
            else:
                decision = self._take_unit(observation)
            if decision is not None:
                return decision
        return None

    def _goes_on(self, seen: set[int]) -> bool:
        """Return whether a turn may lead to a move, by the states that were seen since the last."""
        state = self._base.state()
        if state in seen or len(seen) == MOST_TURNS:
            shape = "come round to where they were" if state in seen else "never come to rest"
            self._give_up(f"its clauses {shape}, and no move comes of it")
        seen.add(state)
        return not self.stop_reason

    def knowledge(self) -> Knowledge:
        """Give KB, shortest clauses first, and KB0."""
        base, index = self._base, self._rules.grid.index
        groups = {
            "KB": tuple(map(_text, sorted(base.kb, key=len))),
            "KB0": tuple(map(_text, base.kb0)),
        }
        known = {index(Cell(*one[:2])): one[2] for (one,) in base.kb0}
        mined = frozenset(cell for cell, is_mine in known.items() if is_mine)
        title = ", ".join(f"{name} {count}" for name, count in self.counters.items())
        return Knowledge(title, groups, frozenset(known) - mined, mined)

    def _take_unit(self, observation: Observation) -> Decision | None:
        """Take the first single literal out of KB, or match clauses if there is none."""
        units = self._base.units()
        if not units:
            self._base.match()
            return None
        (unit, *_) = units
        self._base.settle(unit)
        reason = Reason(f"{_text((unit,))} is a single literal in KB")
        if not unit[2]:
            return self._open(observation, unit, reason, proved=True)
        cell = Cell(*unit[:2])
        index = self._rules.grid.index(cell)
        if observation.shown[index] != UNOPENED or observation.marks[index]:
            return None
        move = Move(Action.MARK, cell)
        return Decision(move, True, reason, 1.0) if self._rules.marks_matter else None

    def _guess(self, observation: Observation) -> Decision | None:
        """Guess the first negative literal of a shortest clause, whatever else is at hand."""
        clause = self._base.safe_guess()
        if clause is None:
            self._give_up("it wants to guess, and no clause has a negative literal")
            return None
        units = len(self._base.units())
        at_hand = f", with {units} single literals at hand" if units else ""
        reason = Reason(f"five equal lengths of KB: a guess from [{_text(clause)}]{at_hand}")
        self._base.settle(clause[0])
        decision = self._open(observation, clause[0], reason, proved=False)
        self.hasty += decision is not None and units > 0
        return decision

    def _open(
        self, observation: Observation, literal: Literal, reason: Reason, *, proved: bool
    ) -> Decision | None:
        """Open a cell, or read its clue if it is open."""
        cell = Cell(*literal[:2])
        index = self._rules.grid.index(cell)
        if observation.shown[index] != UNOPENED:
            self._read(observation, cell)
            return None
        decision = Decision(Move(Action.OPEN, cell), proved, reason, 0.0 if proved else None)
        self._asked = cell, decision
        if not observation.marks[index]:
            return decision
        return Decision(Move(Action.UNMARK, cell), proved, reason, decision.risk)

    def _read(self, observation: Observation, cell: Cell) -> None:
        """Turn a clue into clauses about the neighbours that are not in KB0."""
        grid, kb0 = self._rules.grid, self._base.kb0
        clue = observation.shown[grid.index(cell)]
        if clue >= UNOPENED:
            return
        near = [grid.cell(index) for index in grid.neighbours(grid.index(cell))]
        mines = sum(((*one, True),) in kb0 for one in near)
        unmarked = [one for one in near if ((*one, True),) not in kb0]
        unmarked = [one for one in unmarked if ((*one, False),) not in kb0]
        if 0 <= clue - mines <= len(unmarked):
            self._base.tell(unmarked, clue - mines)

    def _give_up(self, why: str) -> None:
        self.stop_reason = f"the program as written would loop for ever here: {why}"


def _text(clause: Written) -> str:
    """Write a clause in words."""
    words = (f"{'mine' if mined else 'safe'} ({row}, {column})" for row, column, mined in clause)
    return " or ".join(words) or "a contradiction"
