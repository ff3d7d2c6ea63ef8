"""The Capstone report's program, followed statement by statement: `resolution:rules=as-written`.

The program runs in turns (`game_move`). In each turn it guesses if it considers itself stuck.
Otherwise it takes a single literal from KB and opens or marks that cell. If there is none, it
matches clauses. Its knowledge base is in `clauses_as_written`, with the *rank* that stands for the
order of Python's sets. Given cells are open from the start, but the program does not know that: it
takes them as single literals, one per turn. If it would loop forever, this player stops and says
so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mineproof.agents.knowledge import counts, opening_action
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


class PlayerAsWritten:
    """Plays like the program in the report.

    Tell it each observation with `learn`, then ask for its move with `decide`.
    """

    def __init__(self, rules: PublicRules, matching: str, rank: Rank) -> None:
        """Start with an empty knowledge base."""
        self._rules = rules
        self._base = ClausesAsWritten(matching, rank)
        self._program = self._play()
        self._opening: int | None = None
        """The index of the cell that the program opens in the current turn."""
        self._tried: set[int] = set()
        """The states since the last move."""
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
    def counters(self) -> Mapping[str, int]:
        """Statistics about the knowledge base and the turns."""
        base = self._base
        sizes = {"clauses": len(base.kb), "clauses at most": base.largest}
        done = {"turns": self.turns, "hasty guesses": self.hasty, "errors": base.missing}
        return {**sizes, "known literals": len(base.kb0), **done}

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Add open cells to KB, as given cells, except the one that the current turn has opened."""
        self._old = self._base.kb.frozen()
        for index in changes:
            if index != self._opening:
                exploded = observation.shown[index] == EXPLODED
                self._base.kb.add(((*self._rules.grid.cell(index), exploded),))

    def decide(self, observation: Observation) -> Decision | None:
        """Run turns until a turn results in a move. Return None if that would never happen."""
        self.stop_reason = ""
        self._observation = observation
        self._tried.clear()
        decision = next(self._program, None)
        if decision is None:
            self._program = self._play()
        return decision

    def _play(self) -> Iterator[Decision]:
        """Do turn after turn, and yield the moves of the game."""
        while self._may_continue():
            self.turns += 1
            # Defect: the program also tests for a single literal here, but the test always passes.
            yield from self._guess() if self._base.is_stuck() else self._take_unit()

    def _may_continue(self) -> bool:
        """Return whether another turn may result in a move; none will if a state repeats."""
        if self.stop_reason:
            return False
        state, tried = self._base.state(), self._tried
        if state in tried or len(tried) == MOST_TURNS:
            shape = "repeat an earlier state" if state in tried else "never settle"
            self._give_up(f"its clauses {shape} without producing a move")
        tried.add(state)
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
        return Knowledge(counts(self.counters), groups, frozenset(known) - mined, mined)

    def _take_unit(self) -> Iterator[Decision]:
        """Take the first single literal from KB, or match clauses if there is none."""
        units = self._base.kb.of_length(1)
        if not units:
            self._base.match()
            return
        ((unit,), *_) = units
        reason = Reason(f"{_text((unit,))} is a single literal in KB")
        if not unit[2]:
            yield from self._open(unit, reason, proved=True)
            self._base.remove((unit,))
            return
        self._settle(unit)
        self._base.remove((unit,))
        seen, cell = self._observation, Cell(*unit[:2])
        index = seen.grid.index(cell)
        if self._rules.marks_matter and seen.shown[index] == UNOPENED and not seen.marks[index]:
            yield Decision(Move(Action.MARK, cell), True, reason, 1.0)

    def _guess(self) -> Iterator[Decision]:
        """Guess the first negative literal of a shortest clause, even if proved moves exist.

        Defect: a guessed literal is not propagated into KB, and stays there if it is a clause.
        """
        found = self._base.safe_guess()
        if found is None:
            self._give_up("it tries to guess, but no clause has a negative literal")
            return
        guessed, clause = found
        units = len(self._base.kb.of_length(1))
        self.hasty += units > 0
        self._base.remove(clause)
        hasty = f", although KB has {counted(units, 'single literal')}" if units else ""
        reason = Reason(
            f"KB had the same length five times, so this is a guess from [{_text(clause)}]{hasty}"
        )
        yield from self._open(guessed, reason, proved=False)

    def _open(self, literal: Literal, reason: Reason, *, proved: bool) -> Iterator[Decision]:
        """Open a cell unless it is open already, read its clue, then add its literal to KB0."""
        cell = Cell(*literal[:2])
        self._opening = index = self._rules.grid.index(cell)
        while self._observation.shown[index] == UNOPENED:
            move = Move(opening_action(self._observation, index), cell)
            yield Decision(move, proved, reason, 0.0 if proved else None)
            literal = (*cell, self._observation.shown[index] == EXPLODED)
        self._opening = None
        self._read(cell)
        self._settle(literal)

    def _settle(self, literal: Literal) -> None:
        self.moves.append(literal)
        self._base.kb0.add((literal,))

    def _read(self, cell: Cell) -> None:
        """Turn a clue into clauses about the neighbours that are not in KB0.

        The program counts the mines among them on the board itself. As its marks are right, that
        number is the clue minus the mines in KB0.
        """
        grid, kb0 = self._rules.grid, self._base.kb0
        clue = self._observation.shown[grid.index(cell)]
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
