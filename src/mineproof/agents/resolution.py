"""`resolution`: propositional clauses, resolution and unit propagation.

The agent of the Capstone report. Each opened cell adds clauses about its neighbours to KB. In each
turn:

- If KB has a single literal, open or flag its cell. The literal then moves to KB0.
- Otherwise match clauses: KB with KB0, pairs within KB, or both.
- When stuck, open the cell of the first negative literal in a shortest clause.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Literal

from mineproof.agents.as_written import PlayerAsWritten
from mineproof.agents.knowledge import KnowledgeAgent, opening_action
from mineproof.agents.options import TrustedClues
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT, UNOPENED, Bounds
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.clause_base import ClauseBase
from mineproof.inference.clauses import Clause, Literals, cell_of, clause_count, origin, text
from mineproof.inference.clauses_as_written import Rank, seeded_rank
from mineproof.inference.knowledge import closed, clues_to_read
from mineproof.inference.simple_risks import estimate_risks

FEW_UNKNOWN = 10
"""Add the mine count if at most this many cells are unknown."""
FEW_CLAUSES = 1000
"""Also add the mine count if it takes fewer clauses than this."""
EQUAL_LENGTHS = 5
"""With `stuck=five`, the agent is stuck if KB has the same size in this many turns in a row."""
STUCK = {
    "fixpoint": "a round of matching changed nothing",
    "five": "KB had the same length in five turns",
}
"""Why the agent guesses, by the option `stuck`."""


@agent(
    "resolution",
    idea="propositional clauses: resolution, subsumption, unit propagation",
    source="the Capstone report (000)",
    proves="with kb0, the cells that basic proves; with both, also what two-literal clauses imply",
    cannot_prove="cells that need clauses of three or more literals resolved with each other",
    strength=15,
)
class ResolutionAgent(KnowledgeAgent):
    """Keeps clauses about unopened cells; guesses from the shortest one."""

    rank: Rank | None = None
    """The order of sets for `rules=as-written`; None for a seeded one. See `clauses_as_written`."""

    def __init__(  # noqa: PLR0913  (one parameter per option)
        self,
        *,
        matching: Annotated[
            Literal["kb0", "kb", "both", "all"],
            "match KB with KB0, pairs within KB, both, or KB0 and all pairs within KB",
        ] = "kb0",
        stuck: Annotated[
            Literal["fixpoint", "five"],
            "stuck when a round changes nothing, or when five rounds have equally many clauses",
        ] = "fixpoint",
        guess: Annotated[
            Literal["first", "risk"],
            "guess the first negative literal of a shortest clause, or the one of lowest risk",
        ] = "first",
        mine_count: Annotated[bool, "add the mine count as clauses late in the game"] = False,
        rules: Annotated[
            Literal["repaired", "as-written"],
            "follow the report's intent, or its program literally",
        ] = "repaired",
        clues: TrustedClues = "trust",
    ) -> None:
        """Set the options."""
        changed = mine_count or (stuck, guess, clues) != ("fixpoint", "first", "trust")
        if rules == "as-written" and (changed or matching == "all"):
            raise AgentError("rules=as-written accepts no option except matching=kb0, kb or both")
        self._as_written = rules == "as-written"
        self.written: PlayerAsWritten | None = None
        self._matching = matching
        self._stuck = stuck
        self._guess = guess
        self._mine_count = mine_count
        self._clues = clues

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        if self._as_written:
            self._rank = self.rank or seeded_rank(rules.grid, seed)
        super().start(rules, seed)

    def forget(self) -> None:
        """Start with an empty knowledge base."""
        if self._as_written:
            self.written = PlayerAsWritten(self.rules, self._matching, self._rank)
        self.base = ClauseBase(all_pairs=self._matching == "all")
        self.rounds = 0
        """The number of matching rounds so far."""
        self.steps = 0
        """The number of moves that the agent was asked for."""
        self._has_counted = False
        self._waiting: deque[int] = deque()

    def decide(self, observation: Observation) -> Decision | None:
        """Decide as every `KnowledgeAgent` does, and count the step."""
        if self.written is not None:
            self._follow(observation)
            return self.written.decide(observation)
        decision = super().decide(observation)
        self.steps += 1
        return decision

    @property
    def stop_reason(self) -> str:
        """Why the literal program makes no move; empty for the repaired program."""
        return "" if self.written is None else self.written.stop_reason

    @property
    def counters(self) -> Mapping[str, int]:
        """Statistics about the knowledge base: its size and the work done on it."""
        if self.written is not None:
            return self.written.counters
        base = self.base
        return {
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

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Add the opened cells and the clauses of their clues."""
        if self.written is not None:
            self.written.learn(observation, changes)
            return
        self.base.start_turn()
        for index in clues_to_read(self.base.see, observation, changes):
            self._read(observation, index)
        self._conclude_units(observation)

    def think(self, observation: Observation) -> None:
        """Match clauses until there is a move or the agent is stuck; then add the mine count."""
        if not self._match(observation) and self._mine_count and not self._has_counted:
            self._count_mines(observation)
            self._match(observation)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell of a negative literal in a shortest clause that has one, else any cell."""
        risks = self._risks(observation)
        clauses = self._negative_literals(risks)
        cells = list(clauses or risks)
        if not cells:
            return None
        if self._guess == "risk" or not clauses:
            lowest = min(risks[index] for index in cells)
            cells = [index for index in cells if risks[index] == lowest]
            index = cells[self.random.below(len(cells))]
        else:
            index = cells[0]
        why = "KB has no negative literal to guess, so this guess has the lowest estimated risk"
        if index in clauses:
            clause = text(clauses[index], self.rules.grid)
            why = f"{STUCK[self._stuck]}, so this is a guess from a shortest clause: {clause}"
        return self.open_cell(index, Reason(why), proved=False, risk=risks[index])

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the new clauses and KB (shortest first), KB0 (latest first) and weaker clauses.

        Clauses in KB and KB0 are shown with their origins.
        """
        base, grid = self.base, self.rules.grid
        clauses = sorted(base.kb.values(), key=lambda one: len(one.literals))
        recent = (one for one in base.new if base.kb.get(one.literals) is one)
        new = sorted(recent, key=lambda one: len(one.literals))
        weaker = (f"{text(one, grid)}, for [{text(other, grid)}]" for one, other in base.weaker)
        return {
            "new in KB since the last move": tuple(map(self._with_origin, new)),
            "KB": tuple(map(self._with_origin, clauses)),
            "KB0": tuple(map(self._with_origin, reversed(base.kb0.values()))),
            "subsumed since the last move": tuple(weaker),
        }

    def knowledge(self) -> Knowledge:
        """Return the clauses, with the counters as the title."""
        known = super().knowledge() if self.written is None else self.written.knowledge()
        known.title += "; it looks for more only when it has no proved move"
        return known

    def _proved_move(self, observation: Observation) -> Decision | None:
        """Take the single literals from KB in turn, until one of them is a move."""
        while self._waiting:
            index = self._waiting[0]
            if observation.shown[index] == UNOPENED:
                if not self.conclusions[index].mined:
                    return self._decision(opening_action(observation, index), index, risk=0.0)
                if self.rules.marks_matter and not observation.marks[index]:
                    return self._decision(Action.MARK, index, risk=1.0)
            self.base.settle(index)
            self._waiting.popleft()
        return None

    def _match(self, observation: Observation) -> bool:
        """Match clauses, round by round, until there is a move or the agent is stuck."""
        sizes: list[tuple[int, ...]] = [self.base.sizes]
        while not self._is_stuck(sizes):
            self.rounds += 1
            if self._matching != "kb0":
                self.base.match_pairs()
            if self._matching != "kb":
                self.base.match_known()
            if self._conclude_units(observation):
                if self._proved_move(observation) is not None:
                    return True
                sizes.clear()
            sizes.append(self.base.sizes)
        return False

    def _is_stuck(self, sizes: list[tuple[int, ...]]) -> bool:
        """Return whether the last round changed nothing, or KB kept its size for five rounds."""
        if self._stuck == "fixpoint":
            return len(sizes) > 1 and sizes[-1] == sizes[-2]
        last = [clauses for clauses, *_ in sizes[-EQUAL_LENGTHS:]]
        return len(last) == EQUAL_LENGTHS and len(set(last)) == 1

    def _read(self, observation: Observation, index: int) -> None:
        """Add the clauses of an open cell's clue; its own literal moves to KB0."""
        shown = observation.shown[index]
        if shown < UNOPENED:
            near = observation.grid.neighbours(index)
            rule = self.rules.clues if self._clues == "model" else EXACT
            self.base.tell(near, rule.bounds(shown, len(near)), clue=index)
        if shown != UNOPENED:
            self.base.settle(index)

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
            self._conclude_units(observation)

    def _conclude_units(self, observation: Observation) -> bool:
        """Record the unopened cells that new single literals prove. Return whether any exist."""
        shown = observation.shown
        units = [one for one in self.base.take_units() if shown[one.cell_index] == UNOPENED]
        for unit in units:
            if self.conclude(unit.cell_index, unit.mined, self._reason(unit.clause)):
                self._waiting.append(unit.cell_index)
        return bool(units)

    def _reason(self, clause: Clause) -> Reason:
        found = clause.evidence()
        proved = tuple(index for index in found.known if index in self.conclusions)
        return found._replace(known=proved).reason(self._with_origin(clause), self.rules.grid)

    def _with_origin(self, clause: Clause) -> str:
        grid = self.rules.grid
        return f"{text(clause.literals, grid)}, from {origin(clause, grid)}"

    def _negative_literals(self, cells: Container[int]) -> dict[int, Literals]:
        """Return the cells with a negative literal in the shortest clauses that have one.

        They are in the order of KB, and within a clause in row order.
        """
        found: dict[int, Literals] = {}
        shortest = 0
        for literals in sorted(self.base.kb, key=len):
            if found and len(literals) > shortest:
                break
            shortest = len(literals)
            doubted = sorted(cell_of(mark) for mark in literals if mark < 0)
            for index in doubted:
                if index in cells:
                    found.setdefault(index, literals)
        return found

    def _risks(self, observation: Observation) -> dict[int, float]:
        """Return the estimated risk of every cell that can be guessed."""
        known = {index: one.mined for index, one in self.conclusions.items()}
        risks = estimate_risks(observation, known)
        return {i: risk for i, risk in risks.items() if not observation.marks[i]}
