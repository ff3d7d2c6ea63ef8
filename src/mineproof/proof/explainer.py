"""Explains the cells of one position; what is the same for all of them is done once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.decision import Reason
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import AROUND_FIRST
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.inference.counting import Density, Facts, count
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.easiest import WORK, EasiestProofs
from mineproof.proof.explanation import Explanation, ProofStep, Proved
from mineproof.proof.kinds import Deduction, Proof, Rule, count_steps, difficulty, rule_of
from mineproof.proof.mine_count import derive_with_count
from mineproof.proof.patterns import find_pattern
from mineproof.proof.phrases import upper
from mineproof.proof.ranking import LARGE
from mineproof.proof.risks import find_surroundings, tell_risk
from mineproof.proof.smallest import Prover, ProvingSet
from mineproof.proof.statements import Reading
from mineproof.proof.wording import ProofWriter

SEEDS = 3
"""Layouts that are drawn, where risks are estimates, until one agrees with the position."""
COUNTING = 0.4
"""The share of a budget for counting layouts; estimates may take as much again."""

CLOSE = 12
"""Rows and columns on either side of a cell in which its proof is looked for on a large board."""
_FORGET = bytes(WITHHELD if code < UNOPENED else code for code in range(256))

CELL_BYTES = 100
"""What a cell takes, with all that is said of it."""

REASON_WORK = 2_000
"""Conclusions that may be drawn by cases for the words of an agent's reason."""
REASON_STEPS = 6
"""The most steps of a proof that an agent's reason writes out."""


def explain(
    position: Observation, cell: tuple[int, int], budget: Budget | None = None
) -> Explanation:
    """Explain a cell: why it is safe or a mine, or what its risk depends on.

    Before anything is open the start rule answers: unless it is `any`, the first cell is safe.

    Raises:
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: what the layouts say of the cell takes more than the budget.
    """
    where, rules = position.grid.cell(position.grid.index(cell)), position.rules
    is_around = rules.start.kind in AROUND_FIRST and rules.mines != position.grid.size
    if position.is_new and is_around:
        text = f"{where} is safe: the first cell is never a mine."
        return Explanation(where, "safe", (), False, True, "given", 0.0, 0.0, text)
    return PositionExplainer(position, budget=budget).explain(where)


class PositionExplainer:
    """Says why, for any cell of a position."""

    def __init__(
        self,
        observation: Observation,
        facts: Facts | None = None,
        budget: Budget | None = None,
        work: int = WORK,
    ) -> None:
        """Take a position, and its facts if they are known already.

        Args:
            observation: the position.
            facts: what is known of it.
            budget: limits on everything that is asked; if time runs out, answers are plainer
                (`Explanation.smallest` is false, one step says all).
            work: conclusions that may be drawn for one proof by cases.

        Raises:
            ContradictionError: no layout agrees with the position.
            WorkLimitError: it takes too much work to know what the layouts say.
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
        if index not in self._safe and index not in self._mined:
            return self._guess(index)
        close = self._close_to(index)
        return self._proved(index, index in self._mined) if close is None else close.explain(cell)

    def easiest(self, near: int | None = None) -> Explanation | None:
        """Explain the safe cell whose proof is easiest; None if no cell is proved safe.

        Of equally easy ones the cell nearest to `near` is explained.
        """
        safe = self.facts.safe
        if not safe:
            return None
        nearest = partial(self.reading.grid.distance, safe[0] if near is None else near)
        close = self._close_to(min(safe, key=nearest))
        if close is not None:
            return close.easiest(near)
        try:
            found = self._easiest.find_any(near)
        except WorkLimitError:
            found = None
        if found is None or found not in self._safe:
            found = self._least_touched()
        return self.explain(self._cell(found))

    def proof(self, index: int) -> Proof:
        """Return the easiest proof of a cell that is proved, without a look for fewest clues.

        Where that is too much work it is a single step: all arrangements agree.
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
        """Return a proof as an agent's reason: its words, its clues, its earlier conclusions."""
        steps = self._steps(proof)
        clues = dict.fromkeys(clue for step in steps for clue in step.clues)
        before = dict.fromkeys(cell for step in steps[:-1] if step.proved for cell in step.cells)
        counted = any(step.uses_mine_count for step in steps)
        return Reason("; ".join(step.text for step in steps), tuple(clues), tuple(before), counted)

    def _close_to(self, index: int) -> PositionExplainer | None:
        """Return an explainer of what the clues close to a cell say, if they prove it.

        Only on a large board, where all clues would take long. Its mines do not count there.
        """
        if self._is_close or self.observation.grid.size <= LARGE:
            return None
        seen = only_close(self.observation, index)
        try:
            facts = count(seen, prior=Density(0.5), budget=self._budget)
        except WorkLimitError:
            return None
        proved = facts.mined if index in self._mined else facts.safe
        if index not in proved:
            return None
        close = PositionExplainer(seen, facts, self._budget, self._easiest.work)
        close._is_close = True
        return close

    @cached_property
    def _safe(self) -> frozenset[int]:
        return frozenset(self.facts.safe)

    @cached_property
    def _mined(self) -> frozenset[int]:
        return frozenset(self.facts.mined)

    @cached_property
    def _layout(self) -> bytes | None:
        """A layout that agrees with the position; None where drawing one did not work out."""
        for seed in range(1 if self.facts.exact else SEEDS):
            layout = self.facts.sample(seed)
            if self.facts.exact or self.reading.is_true_in(layout):
                return layout
        return None

    def _least_touched(self) -> int:
        """Return the safe cell next to the fewest clues: its proof is the simplest."""
        return min(self.facts.safe, key=lambda cell: (len(self.reading.near(cell)), cell))

    def _plain_proof(self, index: int) -> Proof:
        """Return the easiest proof without the mine count; none where it was not found."""
        try:
            return self._easiest.find(index) or ()
        except WorkLimitError:
            return ()

    def _counted_proof(self, index: int, found: ProvingSet) -> Proof:
        """Tell what no easy chain of steps shows: by the mine count, or as arrangements."""
        mined = index in self._mined
        if not found.uses_mine_count:
            return (Deduction(Rule.ARRANGEMENTS, (index,), mined, found.clues),)
        budget = self._budget.fork(self._easiest.work)
        return derive_with_count(self.reading, found.clues, index, mined, budget)

    def _smallest(self, index: int, proof: Proof) -> ProvingSet:
        """Return the smallest set of clues that proves a cell."""
        mined = index in self._mined
        enough = sorted(_clues_of(proof))
        prover = Prover(
            self.reading, self._layout, index, mined, budget=self._budget, enough=enough
        )
        found = None if self._needs_count(index, proof) else prover.prove(False)
        found = found or prover.prove(True)
        assert found is not None
        return found

    def _needs_count(self, index: int, proof: Proof) -> bool:
        """Return whether the clues alone do not prove a cell; no, if that is too much work."""
        if proof or self.observation.rules.mines is None:
            return False
        try:
            return index not in self._easiest.proved
        except WorkLimitError:
            return False

    def _proved(self, index: int, mined: bool) -> Explanation:
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
        """Put a proof into words."""
        writer = ProofWriter(self.reading)
        return tuple(self._step(writer, deduction) for deduction in proof)

    def _step(self, writer: ProofWriter, step: Deduction) -> ProofStep:
        pattern = find_pattern(self.reading, step, writer.known)
        clues = sorted(_clues_of([step]))
        return ProofStep(
            rule=pattern or str(step.rule),
            kind=str(step.kind),
            clues=tuple(map(self._cell, clues)),
            uses_mine_count=MINE_COUNT in all_clues(step),
            cells=tuple(map(self._cell, step.cells)),
            proved=None if step.mined is None else "mined" if step.mined else "safe",
            text=writer.write(step),
        )

    def _given(self, index: int) -> Explanation:
        code, cell = self.observation.shown[index], self._cell(index)
        if code == EXPLODED:
            text = f"{cell} is a mine that is shown."
        elif code < UNOPENED:
            text = f"{cell} is open and shows {code}."
        else:
            text = f"{cell} is open and shows no clue."
        mined = code == EXPLODED
        value: Proved = "mined" if mined else "safe"
        return Explanation(cell, value, (), False, True, str(Rule.GIVEN), 0.0, float(mined), text)

    def _guess(self, index: int) -> Explanation:
        found = find_surroundings(self.facts, index, self._budget)
        text = " ".join(tell_risk(self.reading, self.facts, index, found))
        return Explanation(
            cell=self._cell(index),
            proved=None,
            clues=tuple(map(self._cell, found.clues)),
            uses_mine_count=self.reading.knows_mines(),
            smallest=False,
            rule=str(Rule.GUESS),
            difficulty=0.0,
            risk=self.facts.risk[index],
            text=text,
        )

    def _cell(self, index: int) -> Cell:
        return self.observation.grid.cell(index)


def only_close(observation: Observation, index: int) -> Observation:
    """Return a position with the clues close to a cell alone; other opened cells show none."""
    shown = observation.shown
    forgotten = bytearray(shown.translate(_FORGET))
    for line in observation.grid.window(index, CLOSE):
        forgotten[line] = shown[line]
    return Observation(observation.rules, bytes(forgotten))


def _clues_of(proof: Iterable[Deduction]) -> set[int]:
    """Collect the clues that a proof uses, without the mine count and groups."""
    return {clue for step in proof for clue in all_clues(step) if 0 <= clue < FIRST_GROUP}


def all_clues(step: Deduction) -> set[int]:
    """Collect the clues that a step uses, those inside a supposition too."""
    found = set(step.clues).union(*map(all_clues, step.inner))
    return found if step.clash is None else found.union(step.clash.clues)


class ProofReason(Reason):
    """The reason for a proved cell in the words of its easiest proof, worked out when it is read.

    An agent that decides at play speed makes thousands of reasons of which few are read.
    """

    _facts: Facts
    _index: int
    _brief: str

    def __init__(self, facts: Facts, index: int, brief: str) -> None:
        """Prepare a reason.

        Args:
            facts: what is known of the position; the cell is proved in it.
            index: the cell.
            brief: the words if no short proof is found.
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
        """The cells concluded before that were used."""
        return self.plain.conclusions

    @property
    def uses_mine_count(self) -> bool:
        """Whether the mine count was used."""
        return self.plain.uses_mine_count

    def __eq__(self, other: object) -> bool:
        """Compare what is said."""
        return self.plain == (other.plain if isinstance(other, ProofReason) else other)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self.plain)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to other processes as plain data."""
        plain = self.plain
        return Reason, (plain.text, plain.clues, plain.conclusions, plain.uses_mine_count)
