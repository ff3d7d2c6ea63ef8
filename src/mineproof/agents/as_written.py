"""The Capstone report's program, followed statement by statement: `resolution:rules=as-written`.

The program runs in turns (`game_move`). In each turn it guesses if it considers itself stuck.
Otherwise it takes a single literal from KB and opens or marks that cell. If there is none, it
matches clauses. Its knowledge base is in `clauses_as_written`, with the *rank* that stands for the
order of Python's sets. Given cells are open from the start, but the program does not know that: it
takes them as single literals, one per turn. If it would loop forever, this player stops and says
so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from mineproof.agents.protocol import Knowledge
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.core.words import counted
from mineproof.inference.clauses_as_written import ClausesAsWritten, Literal, Rank, Written

MOST_TURNS = 400
"""After this many turns without a move, assume that the program would loop forever."""


class Pending(NamedTuple):
    """A cell that the program opens, whose clue it reads in the same turn."""

    literal: Literal
    is_guess: bool
    decision: Decision


class PlayerAsWritten:
    """Plays like the program in the report.

    Tell it each observation with `learn`, then ask for its move with `decide`.
    """

    def __init__(self, rules: PublicRules, matching: str, rank: Rank) -> None:
        """Start with an empty knowledge base."""
        self._rules = rules
        self._base = ClausesAsWritten(matching, rank)
        self._pending: Pending | None = None
        self.moves: list[Literal] = []
        """The moves of all turns, in order: the cell, and whether it was marked as a mine.

        The turns that take a given cell are moves of the program too, though not of the game.
        """
        self.turns = 0
        self.hasty = 0
        """The number of guesses made although a single literal was available."""
        self.stop_reason = ""
        self._old: frozenset[Written] = frozenset()

    @property
    def counters(self) -> Counter[str]:
        """Statistics about the knowledge base and the turns."""
        base = self._base
        sizes = {"clauses": len(base.kb), "clauses at most": base.largest}
        done = {"turns": self.turns, "hasty guesses": self.hasty, "errors": base.missing}
        return Counter({**sizes, "known literals": len(base.kb0), **done})

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Finish the turn that opened a cell; add the other open cells to KB, as given cells."""
        self._old = self._base.kb.frozen()
        for index in changes:
            cell = self._rules.grid.cell(index)
            exploded = observation.shown[index] == EXPLODED
            if self._pending is not None and cell == self._pending.literal[:2]:
                is_guess = self._pending.is_guess
                self._pending = None
                self._finish(observation, (*cell, exploded), is_guess=is_guess)
            else:
                self._base.kb.add(((*cell, exploded),))

    def decide(self, observation: Observation) -> Decision | None:
        """Run turns until a turn results in a move. Return None if that would never happen."""
        self.stop_reason = ""
        if self._pending is not None:  # the last move only removed the flag on this cell
            return self._pending.decision
        seen: set[int] = set()
        while self._may_continue(seen):
            self.turns += 1
            # Defect: the program also tests for a single literal here, but the test always passes.
            stuck = self._base.is_stuck()
            decision = self._guess(observation) if stuck else self._take_unit(observation)
            if decision is not None:
                return decision
        return None

    def _may_continue(self, seen: set[int]) -> bool:
        """Return whether another turn may result in a move; none will if a state repeats."""
        if self.stop_reason:
            return False
        state = self._base.state()
        if state in seen or len(seen) == MOST_TURNS:
            shape = "repeat an earlier state" if state in seen else "never settle"
            self._give_up(f"its clauses {shape} without producing a move")
        seen.add(state)
        return not self.stop_reason

    def knowledge(self) -> Knowledge:
        """Return the new clauses and KB, shortest clauses first, and KB0, latest first."""
        base, index = self._base, self._rules.grid.index
        latest = dict.fromkeys(reversed(self.moves))
        clauses = sorted(base.kb, key=len)
        groups = {
            "new in KB since the last move": tuple(
                _text(one) for one in clauses if one not in self._old
            ),
            "KB": tuple(map(_text, clauses)),
            "KB0": tuple(_text((one,)) for one in latest),
        }
        known = {index(Cell(*one[:2])): one[2] for one in self.moves}
        mined = frozenset(cell for cell, is_mine in known.items() if is_mine)
        title = ", ".join(f"{name} {count}" for name, count in self.counters.items())
        return Knowledge(title, groups, frozenset(known) - mined, mined)

    def _take_unit(self, observation: Observation) -> Decision | None:
        """Take the first single literal from KB, or match clauses if there is none."""
        units = self._base.kb.of_length(1)
        if not units:
            self._base.match()
            return None
        ((unit,), *_) = units
        reason = Reason(f"{_text((unit,))} is a single literal in KB")
        if not unit[2]:
            return self._open(observation, unit, reason, proved=True)
        self._settle(unit)
        self._base.remove((unit,))
        cell = Cell(*unit[:2])
        index = self._rules.grid.index(cell)
        if observation.shown[index] != UNOPENED or observation.marks[index]:
            return None
        move = Move(Action.MARK, cell)
        return Decision(move, True, reason, 1.0) if self._rules.marks_matter else None

    def _guess(self, observation: Observation) -> Decision | None:
        """Guess the first negative literal of a shortest clause, even if proved moves exist."""
        found = self._base.safe_guess()
        if found is None:
            self._give_up("it tries to guess, but no clause has a negative literal")
            return None
        guessed, clause = found
        units = len(self._base.kb.of_length(1))
        self.hasty += units > 0
        self._base.remove(clause)
        hasty = f", although KB has {counted(units, 'single literal')}" if units else ""
        reason = Reason(
            f"KB had the same length five times, so this is a guess from [{_text(clause)}]{hasty}"
        )
        return self._open(observation, guessed, reason, proved=False)

    def _open(
        self, observation: Observation, literal: Literal, reason: Reason, *, proved: bool
    ) -> Decision | None:
        """Open a cell, or finish the turn immediately if it is already open."""
        cell = Cell(*literal[:2])
        index = self._rules.grid.index(cell)
        if observation.shown[index] != UNOPENED:
            self._finish(observation, literal, is_guess=not proved)
            return None
        decision = Decision(Move(Action.OPEN, cell), proved, reason, 0.0 if proved else None)
        self._pending = Pending(literal, not proved, decision)
        if not observation.marks[index]:
            return decision
        return Decision(Move(Action.UNMARK, cell), proved, reason, decision.risk)

    def _finish(self, observation: Observation, literal: Literal, *, is_guess: bool) -> None:
        """Read the clue of an opened cell, then add its literal to KB0.

        Defect: a guessed literal is not propagated into KB, and stays there if it is a clause.
        """
        self._read(observation, Cell(*literal[:2]))
        self._settle(literal)
        if not is_guess:
            self._base.remove((literal,))

    def _settle(self, literal: Literal) -> None:
        self.moves.append(literal)
        self._base.kb0.add((literal,))

    def _read(self, observation: Observation, cell: Cell) -> None:
        """Turn a clue into clauses about the neighbours that are not in KB0.

        The program counts the mines among them on the board itself. As its marks are right, that
        number is the clue minus the mines in KB0.
        """
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
