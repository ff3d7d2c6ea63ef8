"""`resolution`: propositional clauses, resolution and unit propagation.

The agent of the Capstone report. Each opened cell adds clauses about its neighbours. For each
move:

- If there is a single-literal clause, open or flag its cell and propagate the literal.
- Otherwise match pairs of clauses, round by round, until such a clause appears.
- When stuck, open the cell of a negative literal in the shortest clause that has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from typing import Annotated, Literal

from mineproof.agents.as_written import PlayerAsWritten
from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import TrustedClues
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT, Bounds
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.observation import Observation
from mineproof.inference.clause_base import ClauseBase
from mineproof.inference.clauses import (
    Clause,
    Literals,
    cell_of,
    clause_count,
    origin,
    text,
)
from mineproof.inference.knowledge import closed, tell_changes
from mineproof.inference.simple_risks import estimate_risks

FEW_UNKNOWN = 10
"""Add the mine count if at most this many cells are unknown."""
FEW_CLAUSES = 1000
"""Also add the mine count if it takes fewer clauses than this."""
EQUAL_LENGTHS = 5
"""With `stuck=five`, the agent is stuck if KB has the same size in this many rounds in a row."""


@agent(
    "resolution",
    idea="propositional clauses: resolution, subsumption, unit propagation",
    source="the Capstone report (000)",
    proves="with kb0, the cells that basic proves; with kb or both, what two-literal clauses imply",
    cannot_prove="cells that need clauses of three or more literals resolved with each other",
    strength=15,
)
class ResolutionAgent(KnowledgeAgent):
    """Keeps clauses about unopened cells; guesses from the shortest one."""

    def __init__(
        self,
        *,
        matching: Annotated[
            Literal["kb0", "kb", "both"],
            "match clauses with known literals, with two-literal clauses, or with both",
        ] = "kb0",
        stuck: Annotated[
            Literal["fixpoint", "five"],
            "stuck when a round changes nothing, or when five rounds have equally many clauses",
        ] = "fixpoint",
        mine_count: Annotated[bool, "add the mine count as clauses late in the game"] = False,
        rules: Annotated[
            Literal["repaired", "as-written"],
            "follow the report's intent, or its program literally",
        ] = "repaired",
        clues: TrustedClues = "trust",
    ) -> None:
        """Set the options."""
        if rules == "as-written" and (mine_count or stuck == "five" or clues == "model"):
            raise AgentError("rules=as-written accepts no option except matching")
        self._as_written = rules == "as-written"
        self._written: PlayerAsWritten | None = None
        self._matching = matching
        self._matches_pairs = matching != "kb0"
        self._stuck = stuck
        self._mine_count = mine_count
        self._clues = clues

    def forget(self) -> None:
        """Start with an empty knowledge base."""
        if self._as_written:
            self._written = PlayerAsWritten(self.rules, self._matching)
        self.base = ClauseBase()
        self.rounds = 0
        """The number of matching rounds so far."""
        self.steps = 0
        """The number of moves that the agent was asked for."""
        self._has_counted = False

    def decide(self, observation: Observation) -> Decision | None:
        """Decide as every `KnowledgeAgent` does, and count the step."""
        if self._written is not None:
            self._follow(observation)
            return self._written.decide(observation)
        decision = super().decide(observation)
        self.steps += 1
        return decision

    @property
    def stop_reason(self) -> str:
        """Why the literal program makes no move; empty for the repaired program."""
        return "" if self._written is None else self._written.stop_reason

    @property
    def counters(self) -> Counter[str]:
        """Statistics about the knowledge base: its size and the work done on it."""
        if self._written is not None:
            return self._written.counters
        base = self.base
        return Counter(
            {
                "steps": self.steps,
                "clauses": len(base.kb),
                "clauses at most": base.largest,
                "known literals": len(base.kb0),
                "rounds": self.rounds,
                "resolvents": base.resolvents,
                "subsumed": base.subsumed,
                "contradictions": base.contradictions,
                "hasty guesses": 0,
            }
        )

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Add the opened cells and the clauses of their clues."""
        if self._written is not None:
            self._written.learn(observation, changes)
            return
        self.base.weaker.clear()
        model = self.rules.clues if self._clues == "model" else EXACT
        tell_changes(self.base, observation, changes, model)
        self._conclude_units()

    def think(self, observation: Observation) -> None:
        """Match pairs until there is a move or nothing new follows; then add the mine count."""
        if not self._match() and self._mine_count and not self._has_counted:
            self._count_mines(observation)
            self._match()

    def guess(self, observation: Observation) -> Decision | None:
        """Open a cell with a negative literal in the shortest clauses that have one, else any.

        If there are several cells, choose the one with the lowest estimated risk, then at random.
        """
        risks = self._risks(observation)
        clauses = self._negative_literals(risks)
        cells = list(clauses or risks)
        if not cells:
            return None
        lowest = min(risks[index] for index in cells)
        best = [index for index in cells if risks[index] == lowest]
        index = best[self.random.below(len(best))]
        if index in clauses:
            why = (
                f"a guess from one of the shortest clauses: {text(clauses[index], self.rules.grid)}"
            )
        else:
            why = "no clause has a negative literal, so this guess has the lowest estimated risk"
        return self.open_cell(index, Reason(why), proved=False, risk=lowest)

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return KB (shortest clauses first), KB0 and the clauses subsumed since the last move.

        Clauses in KB and KB0 are shown with their origins.
        """
        base, grid = self.base, self.rules.grid
        clauses = sorted(base.kb.values(), key=lambda one: len(one.literals))
        weaker = (f"{text(one, grid)}, for [{text(other, grid)}]" for one, other in base.weaker)
        return {
            "KB": tuple(map(self._with_origin, clauses)),
            "KB0": tuple(map(self._with_origin, base.kb0.values())),
            "subsumed since the last move": tuple(weaker),
        }

    def knowledge(self) -> Knowledge:
        """Return the clauses, with the counters as the title."""
        if self._written is not None:
            return self._written.knowledge()
        shown = super().knowledge()
        shown.title = ", ".join(f"{name} {count}" for name, count in self.counters.items())
        return shown

    def _match(self) -> bool:
        """Match pairs, round by round, until there is a move or the agent is stuck."""
        lengths: list[int] = []
        while self._matches_pairs and not self._is_stuck(lengths):
            self.rounds += 1
            inserted, known = self.base.inserted, len(self.base.kb0)
            self.base.match_pairs()
            if self._conclude_units():
                return True
            if len(self.base.kb0) > known:
                lengths.clear()
            elif self.base.inserted == inserted:
                return False
            lengths.append(len(self.base.kb))
        return False

    def _is_stuck(self, lengths: list[int]) -> bool:
        """Return whether `stuck=five` applies. `_match` itself checks for a fixpoint."""
        last = lengths[-EQUAL_LENGTHS:]
        return self._stuck == "five" and len(last) == EQUAL_LENGTHS and len(set(last)) == 1

    def _count_mines(self, observation: Observation) -> None:
        """Add the mine count as clauses over all unknown cells, if there are not too many."""
        mines = self.rules.mines
        if mines is None:
            return
        cells = closed(observation, range(observation.grid.size))
        unknown = sum(not self.base.is_known(index) for index in cells)
        left = mines - sum(self.base.is_mine(index) for index in cells)
        if unknown <= FEW_UNKNOWN or clause_count(unknown, Bounds(left, left)) < FEW_CLAUSES:
            self._has_counted = True
            self.base.tell(cells, Bounds(mines, mines))
            self._conclude_units()

    def _conclude_units(self) -> bool:
        """Record the cells that new single literals prove.

        Return whether one of them allows a move.
        """
        units = self.base.take_units()
        for unit in units:
            self.conclude(unit.cell_index, unit.mined, self._reason(unit.clause))
        return any(self.rules.marks_matter or not unit.mined for unit in units)

    def _reason(self, clause: Clause) -> Reason:
        return clause.evidence().reason(self._with_origin(clause), self.rules.grid)

    def _with_origin(self, clause: Clause) -> str:
        grid = self.rules.grid
        return f"{text(clause.literals, grid)}, from {origin(clause, grid)}"

    def _negative_literals(self, cells: Container[int]) -> dict[int, Literals]:
        """Return the cells with a negative literal in the shortest clauses that have one."""
        found: dict[int, Literals] = {}
        shortest = 0
        for literals in sorted(self.base.kb, key=len):
            if found and len(literals) > shortest:
                break
            shortest = len(literals)
            doubted = (cell_of(mark) for mark in literals if mark < 0)
            found.update((index, literals) for index in doubted if index in cells)
        return found

    def _risks(self, observation: Observation) -> dict[int, float]:
        """Return the estimated risk of every cell that can be guessed."""
        known = {index: one.mined for index, one in self.conclusions.items()}
        risks = estimate_risks(observation, known)
        return {i: risk for i, risk in risks.items() if not observation.marks[i]}
