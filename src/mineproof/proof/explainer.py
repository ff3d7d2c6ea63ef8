"""Explanations for the cells of one position. Work that all cells share is done once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Reason
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import AROUND_FIRST
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.inference.counting import Density, Facts, count
from mineproof.inference.counting.facts import with_clues
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.easiest import WORK, EasiestProofs
from mineproof.proof.explanation import Explanation, ProofStep, Proved
from mineproof.proof.kinds import Deduction, Proof, Rule, count_steps, difficulty, rule_of
from mineproof.proof.mine_count import derive_with_count
from mineproof.proof.patterns import find_pattern
from mineproof.proof.phrases import upper
from mineproof.proof.ranking import LARGE
from mineproof.proof.risks import describe_risk, find_surroundings
from mineproof.proof.smallest import Prover, ProvingSet
from mineproof.proof.statements import Reading
from mineproof.proof.wording import ProofWriter

SEEDS = 3
"""Maximum number of layouts to draw until one fits the position, if risks are estimates."""
COUNTING = 0.4
"""The share of the time limit for counting layouts. An estimate may take the same time again."""
CLOSE = 12
"""On a large board, look for proofs within this many rows and columns of the cell."""
CELL_BYTES = 100
"""Bytes of memory to reserve per cell for the explanation itself."""
REASON_WORK = 2_000
"""Maximum number of conclusions to draw for a proof by cases in an agent's reason."""
REASON_STEPS = 6
"""Maximum number of steps of a proof that an agent's reason spells out."""


def explain(
    position: Observation, cell: tuple[int, int], budget: Budget | None = None
) -> Explanation:
    """Explain why a cell is safe or a mine, or what its risk depends on.

    Before the first click, any cell is safe to open, unless the start rule is `any`.

    Raises:
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: the budget is too small to decide whether the cell is proved.
    """
    where, rules = position.grid.cell(position.grid.index(cell)), position.rules
    is_around = rules.start.kind in AROUND_FIRST and rules.mines != position.grid.size
    if position.is_new and is_around:
        return _given(where, "safe", f"{where} is safe: the first cell is never a mine.")
    return PositionExplainer(position, budget=budget).explain(where)


class PositionExplainer:
    """Explains any cell of a position."""

    def __init__(
        self,
        observation: Observation,
        facts: Facts | None = None,
        budget: Budget | None = None,
        work: int = WORK,
    ) -> None:
        """Count the layouts of a position, unless its facts are passed in.

        Args:
            observation: the position.
            facts: its facts.
            budget: limits on all questions together. If time runs out, answers are simpler:
                `Explanation.smallest` is false, and the proof is a single step.
            work: the maximum number of conclusions to draw for one proof by cases.

        Raises:
            ContradictionError: no layout fits the position.
            WorkLimitError: counting takes too much work.
        """
        self.observation = observation
        self._is_close = False
        self.reading = Reading(observation)
        self._budget = budget = (budget or Budget()).fork()
        if facts is None:
            for_counting = budget.share(COUNTING).reserve(CELL_BYTES * observation.grid.size)
            facts = count(observation, budget=for_counting, sampled=True)
        self.facts = facts
        self._easiest = EasiestProofs(self.reading, budget, work)

    def explain(self, cell: tuple[int, int]) -> Explanation:
        """Explain a cell.

        Raises:
            InputError: the cell is not on the board.
        """
        index = self.observation.grid.index(cell)
        if self.observation.shown[index] != UNOPENED:
            return self._given(index)
        if index not in self.facts.proved:
            return self._guess(index)
        close = self._close_to(index)
        return self._proved(index) if close is None else close.explain(cell)

    def easiest(self, near: int | None = None) -> Explanation | None:
        """Explain the safe cell with the easiest proof; return None if no cell is proved safe.

        If several proofs are equally easy, explain the cell nearest to `near`.
        """
        if not (safe := self.facts.safe):
            return None
        nearest = partial(self.reading.grid.distance, safe[0] if near is None else near)
        if (close := self._close_to(min(safe, key=nearest))) is not None:
            return close.easiest(near)
        try:
            found = self._easiest.find_any(near)
        except WorkLimitError:
            found = None
        if found is None or self.facts.proved.get(found) is not False:
            found = min(safe, key=lambda cell: (len(self.reading.near(cell)), cell))
        return self.explain(self._cell(found))

    def proof(self, index: int) -> Proof:
        """Return the easiest proof of a proved cell. It does not always use the fewest clues.

        If finding it takes too much work, return a single step, which states that all arrangements
        agree.
        """
        found = self._plain_proof(index)
        if found:
            return found
        try:
            clues = tuple(statement.clue for statement in self._easiest.statements)
        except WorkLimitError:
            clues = ()
        needed = ProvingSet(clues, self._needs_count(index, ()), False)
        return self._counted_proof(index, needed)

    def as_reason(self, proof: Proof) -> Reason:
        """Return a proof as an agent's reason, with its text, clues and earlier conclusions."""
        steps = self._steps(proof)
        clues = dict.fromkeys(clue for step in steps for clue in step.clues)
        before = dict.fromkeys(cell for step in steps[:-1] if step.proved for cell in step.cells)
        counted = any(step.uses_mine_count for step in steps)
        return Reason("; ".join(step.text for step in steps), tuple(clues), tuple(before), counted)

    def _close_to(self, index: int) -> PositionExplainer | None:
        """On a large board, return an explainer that uses only clues near a cell, if they prove it.

        Reading all clues would take too long there. The explainer does not use the mine count.
        """
        if self._is_close or self.observation.grid.size <= LARGE:
            return None
        lines = self.reading.grid.window(index, CLOSE)
        nearby = (cell for line in lines for cell in range(line.start, line.stop))
        seen = with_clues(self.observation, nearby)
        try:
            facts = count(seen, prior=Density(0.5), budget=self._budget)
        except WorkLimitError:
            return None
        if index not in facts.proved:
            return None
        close = PositionExplainer(seen, facts, self._budget, self._easiest.work)
        close._is_close = True
        return close

    @cached_property
    def _layout(self) -> bytes | None:
        """A layout that fits the position; None if no drawn layout fits."""
        for seed in range(1 if self.facts.exact else SEEDS):
            layout = self.facts.sample(seed)
            if self.facts.exact or self.reading.fits(layout):
                return layout
        return None

    def _plain_proof(self, index: int) -> Proof:
        """Return the easiest proof without the mine count; it is empty if none was found."""
        try:
            return self._easiest.find(index) or ()
        except WorkLimitError:
            return ()

    def _counted_proof(self, index: int, found: ProvingSet) -> Proof:
        """Return a proof by the mine count, or a single step that refers to all arrangements."""
        mined = self.facts.proved[index]
        if not found.uses_mine_count:
            return (Deduction(Rule.ARRANGEMENTS, (index,), mined, found.clues),)
        budget = self._budget.fork(self._easiest.work)
        return derive_with_count(self.reading, found.clues, index, mined, budget)

    def _smallest(self, index: int, proof: Proof) -> ProvingSet:
        mined = self.facts.proved[index]
        enough = sorted(_clues_of(proof))
        prover = Prover(
            self.reading, self._layout, index, mined, budget=self._budget, enough=enough
        )
        found = None if self._needs_count(index, proof) else prover.prove(False)
        found = found or prover.prove(True)
        assert found is not None
        return found

    def _needs_count(self, index: int, proof: Proof) -> bool:
        """Return whether a proof needs the mine count; False if finding out takes too much work."""
        if proof or self.observation.rules.mines is None:
            return False
        try:
            return index not in self._easiest.proved
        except WorkLimitError:
            return False

    def _proved(self, index: int) -> Explanation:
        mined = self.facts.proved[index]
        proof = self._plain_proof(index)
        found = self._smallest(index, proof)
        if not proof:
            proof = self._counted_proof(index, found)
        steps = self._steps(proof)
        return Explanation(
            cell=self._cell(index),
            proved="mined" if mined else "safe",
            clues=tuple(map(self._cell, found.clues)),
            uses_mine_count=found.uses_mine_count,
            smallest=found.smallest,
            rule=str(rule_of(proof)),
            difficulty=difficulty(proof),
            risk=float(mined),
            text=" ".join(f"{upper(step.text)}." for step in steps),
            steps=steps,
        )

    def _steps(self, proof: Proof) -> tuple[ProofStep, ...]:
        writer = ProofWriter(self.reading)
        return tuple(self._step(writer, deduction) for deduction in proof)

    def _step(self, writer: ProofWriter, step: Deduction) -> ProofStep:
        pattern = find_pattern(self.reading, step, writer.known)
        clues = sorted(_clues_of([step]))
        return ProofStep(
            rule=pattern or str(step.rule),
            kind=str(step.kind),
            clues=tuple(map(self._cell, clues)),
            uses_mine_count=MINE_COUNT in _all_clues(step),
            cells=tuple(map(self._cell, step.cells)),
            proved=None if step.mined is None else "mined" if step.mined else "safe",
            text=writer.write(step),
        )

    def _given(self, index: int) -> Explanation:
        code, cell = self.observation.shown[index], self._cell(index)
        mined = code == EXPLODED
        value: Proved = "mined" if mined else "safe"
        text = f"open and shows {code if code < UNOPENED else 'no clue'}"
        if mined:
            text = "a mine that is already shown"
        return _given(cell, value, f"{cell} is {text}.")

    def _guess(self, index: int) -> Explanation:
        found = find_surroundings(self.facts, index, self._budget)
        return Explanation(
            cell=self._cell(index),
            proved=None,
            clues=tuple(map(self._cell, found.clues)),
            uses_mine_count=self.reading.knows_mines,
            smallest=False,
            rule=str(Rule.GUESS),
            difficulty=0.0,
            risk=self.facts.risk[index],
            text=describe_risk(self.reading, self.facts, index, found),
        )

    def _cell(self, index: int) -> Cell:
        return self.observation.grid.cell(index)


def _given(cell: Cell, proved: Proved, text: str) -> Explanation:
    """Return the explanation of a cell that does not need a proof."""
    risk = float(proved == "mined")
    return Explanation(cell, proved, (), False, True, str(Rule.GIVEN), 0.0, risk, text)


def _clues_of(proof: Iterable[Deduction]) -> set[int]:
    """Return the clues that a proof uses, without the mine count and groups."""
    return {clue for step in proof for clue in _all_clues(step) if 0 <= clue < FIRST_GROUP}


def _all_clues(step: Deduction) -> set[int]:
    """Return the clues that a step uses, including those inside assumptions."""
    found = set(step.clues).union(*map(_all_clues, step.inner))
    return found if step.clash is None else found.union(step.clash.clues)


class ProofReason(Reason):
    """The easiest proof of a cell as an agent's reason, computed when it is first read.

    An agent at full speed makes thousands of reasons, and only a few are ever read.
    """

    _facts: Facts
    _index: int
    _brief: str

    def __init__(self, facts: Facts, index: int, brief: str) -> None:
        """Prepare a reason.

        Args:
            facts: the facts of the position, which prove the cell.
            index: the cell.
            brief: the text to use if there is no short proof.
        """
        for name, value in (("_facts", facts), ("_index", index), ("_brief", brief)):
            object.__setattr__(self, name, value)  # `Reason` is frozen

    @cached_property
    def plain(self) -> Reason:
        """The reason as plain data."""
        explainer = PositionExplainer(self._facts.observation, self._facts, work=REASON_WORK)
        proof = explainer.proof(self._index)
        counted = any(step.rule is Rule.ARRANGEMENTS for step in proof)
        if counted or count_steps(proof) > REASON_STEPS:
            return Reason(self._brief, uses_mine_count=True)
        return explainer.as_reason(proof)

    @property
    def brief(self) -> str:
        """Short text that is available without computing the proof."""
        return self._brief

    @property
    def text(self) -> str:
        """The proof in words."""
        return self.plain.text

    @property
    def clues(self) -> tuple[Cell, ...]:
        """The opened cells whose clues were used."""
        return self.plain.clues

    @property
    def conclusions(self) -> tuple[Cell, ...]:
        """The earlier conclusions that were used."""
        return self.plain.conclusions

    @property
    def uses_mine_count(self) -> bool:
        """Whether the mine count was used."""
        return self.plain.uses_mine_count

    def __eq__(self, other: object) -> bool:
        """Compare the computed reasons."""
        return self.plain == (other.plain if isinstance(other, ProofReason) else other)

    def __hash__(self) -> int:
        """Hash the computed reason."""
        return hash(self.plain)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain `Reason`."""
        plain = self.plain
        return Reason, (plain.text, plain.clues, plain.conclusions, plain.uses_mine_count)
