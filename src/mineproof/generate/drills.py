"""Drills: positions of real games where one kind of reasoning gives the next safe cell.

A board is played as somebody does who knows the easier kinds alone: every cell that they prove
is opened, until they prove none. The position is a drill if the kind that is wanted goes on from
there; whether or not it does, the game does, with all that is proved. Each drill is checked once
more on its own, by `drill_at`, as a learner sees it: without anything that was known before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mineproof.core.clues import UNOPENED
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.generate import DrillKind
from mineproof.generate.boards import MOST_SEEDS, Order, OrderedBoard, ordered_boards
from mineproof.generate.solvability import where_reasoning_ends
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.inference.counting import Density, count
from mineproof.notation.plain_forms import plain_form, text_form
from mineproof.notation.position_text import format_position, parse_position
from mineproof.proof.cases import easiest_by_cases
from mineproof.proof.closure import Closure
from mineproof.proof.easiest import WORK
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explanation import Explanation
from mineproof.proof.kinds import ReasoningKind
from mineproof.proof.patterns import find_pattern
from mineproof.proof.ranking import unopened_neighbours
from mineproof.proof.statements import Reading

STEPS = 1_000
"""Conclusions that may be drawn from two or several clues to see whether they prove anything."""


REASONING = {
    DrillKind.PATTERN: ReasoningKind.TWO_CLUES,
    DrillKind.SUBSET: ReasoningKind.TWO_CLUES,
    DrillKind.SEVERAL_CLUES: ReasoningKind.SEVERAL_CLUES,
    DrillKind.CASES: ReasoningKind.CASES,
    DrillKind.MINE_COUNT: ReasoningKind.MINE_COUNT,
}
"""The kind of reasoning that each kind of drill asks for."""
VARIETY = {kind: 3 if REASONING[kind] is ReasoningKind.TWO_CLUES else 1 for kind in DrillKind}
"""Of so many drills of a board each may be taken; the rare ones are taken where they are."""


text_form(Observation, parse_position, format_position)


@plain_form("kind", "position", "answers")
@dataclass(frozen=True)
class Drill:
    """A position, what it trains, and the answers."""

    position: Observation
    kind: DrillKind
    answers: tuple[Cell, ...]
    """All cells that are proved safe: some by this kind of reasoning, none by an easier one."""

    @cached_property
    def explanation(self) -> Explanation:
        """The easiest proof of one of the answers."""
        found = PositionExplainer(self.position).easiest()
        assert found is not None
        return found


def shows_by_one_clue(position: Observation) -> bool:
    """Say whether single clues prove a cell safe, one after the other."""
    return _mines_by_one_clue(_statements(Reading(position))) is None


def drill_at(position: Observation, budget: Budget | None = None) -> Drill | None:
    """Say what a position trains.

    Returns:
        None where single clues prove a cell safe, where nothing does, and where a proof by cases
        is too long to find.
    """
    reading = Reading(position)
    statements = _statements(reading)
    mines = _mines_by_one_clue(statements)
    closure = None if mines is None else _conclude(statements, mines)
    if closure is None:
        return None
    if not _safe(closure):
        return _hard_drill(position, closure, budget)
    several = closure.kind is ReasoningKind.SEVERAL_CLUES
    kind = DrillKind.SEVERAL_CLUES if several else _two_clues(reading, closure)
    return _drill(position, kind, count(position, budget=budget).safe)


def drill_of(board: OrderedBoard, kind: DrillKind) -> Drill | None:
    """Find a drill of a kind on the way through a board; None if there is none.

    The first is not taken always: the seed says how many are left out, if there are more.
    """
    found, left_out = None, board.seed % VARIETY[kind]
    easier = ReasoningKind(REASONING[kind] - 1)
    for position in where_reasoning_ends(board.board, board.first, easier):
        drill = drill_at(position)
        if drill is not None and drill.kind is kind:
            found, left_out = drill, left_out - 1
            if left_out < 0:
                break
    return found


def find_drill(order: Order, kind: DrillKind, seed: int, index: int = 0) -> Drill:
    """Give drill `index` of a kind: a pure function of order, kind, seed and index.

    Args:
        order: which boards it is taken from, one of each.
        kind: what it trains.
        seed: which drills.
        index: which of them.

    Raises:
        WorkLimitError: as many boards as are looked at have none.
    """
    for board in ordered_boards(order, seed, index):
        found = drill_of(board, kind) if order.fits(board) else None
        if found is not None:
            return found
    raise WorkLimitError(
        f"expected a drill of {kind} on {MOST_SEEDS:,} boards of {order.rules.level}, got none"
    )


def format_drill(drill: Drill, title: str = "", proof: bool = False) -> str:
    """Write a drill as `.mine` text, its kind and answers (and the proof) as comments before it."""
    cells = " ".join(f"{row},{column}" for row, column in drill.answers)
    lines = [f"# {title}{drill.kind}; safe: {cells}"]
    if proof:
        lines.append(f"# {drill.explanation.cell} is safe: {drill.explanation.text}")
    return "\n".join([*lines, format_position(drill.position)])


def _statements(reading: Reading) -> list[Statement]:
    seen = reading.observation
    unopened = unopened_neighbours(seen)
    clues = (clue for clue, code in enumerate(seen.shown) if code < UNOPENED and unopened[clue])
    return [reading.statement(clue) for clue in clues]


def _mines_by_one_clue(statements: list[Statement]) -> set[int] | None:
    """Give the mines that single clues show, one after the other; None where a cell is safe."""
    near: dict[int, list[Statement]] = {}
    for statement in statements:
        for cell in statement.cells:
            near.setdefault(cell, []).append(statement)
    mines: set[int] = set()
    pending = list(statements)
    while pending:
        _, cells, least, most = pending.pop()
        left = [cell for cell in cells if cell not in mines]
        found = len(cells) - len(left)
        if left and most == found:
            return None
        if least - found == len(left):
            mines.update(left)
            pending += [statement for cell in left for statement in near[cell]]
    return mines


def _conclude(statements: list[Statement], mines: set[int]) -> Closure | None:
    """Conclude by ever harder kinds until one proves a cell safe; None if that is too much work.

    A harder kind takes what the easier ones know as given: it comes to the same, in less time.
    """
    known: Mapping[int, bool] = dict.fromkeys(sorted(mines), True)
    for kind in (ReasoningKind.TWO_CLUES, ReasoningKind.SEVERAL_CLUES):
        found = Closure(statements, kind, Budget(nodes=STEPS), known)
        try:
            found.run(None if kind is ReasoningKind.TWO_CLUES else lambda _, mined: not mined)
        except WorkLimitError:
            return None
        if _safe(found):
            break
        known = found.known
    return found


def _safe(closure: Closure) -> list[int]:
    return [cell for cell, mined in closure.known.items() if not mined]


def _two_clues(reading: Reading, closure: Closure) -> DrillKind:
    """Say whether some cell is safe by a pattern with a name."""
    steps = closure.needed(_safe(closure))
    named = any(find_pattern(reading, step, closure.known) for step in steps)
    return DrillKind.PATTERN if named else DrillKind.SUBSET


def _hard_drill(position: Observation, closure: Closure, budget: Budget | None) -> Drill | None:
    facts = count(position, prior=Density(0.5), budget=budget)
    if not facts.safe:
        safe = count(position, budget=budget).safe
        return _drill(position, DrillKind.MINE_COUNT, safe) if safe else None
    proved = {**dict.fromkeys(facts.safe, False), **dict.fromkeys(facts.mined, True)}
    closure.budget = Budget(nodes=WORK)
    try:
        found = easiest_by_cases(closure, proved)
    except WorkLimitError:
        found = None
    return None if found is None else _drill(position, DrillKind.CASES, facts.safe)


def _drill(position: Observation, kind: DrillKind, safe: Sequence[int]) -> Drill:
    return Drill(position, kind, tuple(position.grid.cell(index) for index in sorted(safe)))
