"""The Capstone report's program, followed literally, for `resolution:rules=as-written`.

The program runs in turns. In each turn it guesses if it considers itself stuck. Otherwise it
removes a single literal from KB and opens or flags that cell. If there is none, it matches
clauses. The knowledge base is in `clauses_as_written`. If the program would loop forever, this
player stops and reports that.
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
from mineproof.core.words import counted
from mineproof.inference.clauses_as_written import ClausesAsWritten, Literal, Written

MOST_TURNS = 400
"""After this many turns without a move, assume that the program would loop forever."""


class PlayerAsWritten:
    """Plays like the program in the report."""

    def __init__(self, rules: PublicRules, matching: str) -> None:
        """Start with an empty knowledge base."""
        self._rules = rules
        self._base = ClausesAsWritten(matching)
        self._asked: tuple[Cell, Decision] | None = None
        self.turns = 0
        self.hasty = 0
        """The number of guesses made although a single literal was available."""
        self.stop_reason = ""

    @property
    def counters(self) -> Counter[str]:
        """Statistics about the knowledge base and the turns."""
        base = self._base
        sizes = {"clauses": len(base.kb), "clauses at most": base.largest}
        done = {"turns": self.turns, "hasty guesses": self.hasty}
        return Counter({**sizes, "known literals": len(base.kb0), **done})

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the clue of the cell that the program opened.

        Other open cells become given literals.
        """
        asked = None if self._asked is None else self._asked[0]
        for index in changes:
            cell = self._rules.grid.cell(index)
            if cell == asked:
                self._asked = None
                self._read(observation, cell)
            else:
                self._base.give((*cell, observation.shown[index] == EXPLODED))

    def decide(self, observation: Observation) -> Decision | None:
        """Run turns until a turn results in a move. Return None if that would never happen."""
        self.stop_reason = ""
        if self._asked is not None:  # the last move only removed the flag on this cell
            return self._asked[1]
        seen: set[int] = set()
        while self._may_continue(seen):
            self.turns += 1
            if self._base.is_stuck():
                decision = self._guess(observation)
            else:
                decision = self._take_unit(observation)
            if decision is not None:
                return decision
        return None

    def _may_continue(self, seen: set[int]) -> bool:
        """Return whether another turn may result in a move.

        If a state repeats, no turn ever will.
        """
        state = self._base.state()
        if state in seen or len(seen) == MOST_TURNS:
            shape = "repeat an earlier state" if state in seen else "never settle"
            self._give_up(f"its clauses {shape} without producing a move")
        seen.add(state)
        return not self.stop_reason

    def knowledge(self) -> Knowledge:
        """Return KB, shortest clauses first, and KB0."""
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
        """Remove the first single literal from KB, or match clauses if there is none."""
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
        """Guess the first negative literal of a shortest clause, even if proved moves exist."""
        clause = self._base.safe_guess()
        if clause is None:
            self._give_up("it tries to guess, but no clause has a negative literal")
            return None
        units = len(self._base.units())
        hasty = f", although KB has {counted(units, 'single literal')}" if units else ""
        reason = Reason(
            f"KB had the same length five times, so this is a guess from [{_text(clause)}]{hasty}"
        )
        self._base.settle(clause[0])
        decision = self._open(observation, clause[0], reason, proved=False)
        self.hasty += decision is not None and units > 0
        return decision

    def _open(
        self, observation: Observation, literal: Literal, reason: Reason, *, proved: bool
    ) -> Decision | None:
        """Open a cell, or read its clue if it is already open."""
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
        self.stop_reason = f"the program as written would loop forever here: {why}"


def _text(clause: Written) -> str:
    words = (f"{'mine' if mined else 'safe'} ({row}, {column})" for row, column, mined in clause)
    return " or ".join(words) or "a contradiction"
