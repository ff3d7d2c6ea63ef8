"""Drills: positions from real games in which one kind of reasoning proves the next safe cell.

A game is first played with easier kinds of reasoning only. Every safe cell that they prove is
opened, until they prove none. The position is a drill if the wanted kind proves a safe cell there.
In any case, all proved safe cells are then opened and the game continues. `drill_at` checks each
drill again as the learner sees it, without conclusions from earlier moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.generate import DrillKind
from mineproof.generate.boards import MOST_SEEDS, Order, OrderedBoard, ordered_boards
from mineproof.generate.solvability import is_safe, where_reasoning_ends
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.inference.counting import Density, count
from mineproof.notation.plain_forms import plain_form, text_form
from mineproof.notation.position_text import format_position, parse_position
from mineproof.proof.cases import easiest_by_cases
from mineproof.proof.closure import Closure
from mineproof.proof.easiest import PLAIN, WORK, EasiestProofs
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explanation import Explanation
from mineproof.proof.kinds import ReasoningKind
from mineproof.proof.patterns import find_pattern
from mineproof.proof.statements import Reading

STEPS = 1_000
"""Maximum number of conclusions to draw from two or more clues in search of a safe cell."""


REASONING = {
    DrillKind.ONE_CLUE: ReasoningKind.ONE_CLUE,
    DrillKind.PATTERN: ReasoningKind.TWO_CLUES,
    DrillKind.SUBSET: ReasoningKind.TWO_CLUES,
    DrillKind.SEVERAL_CLUES: ReasoningKind.SEVERAL_CLUES,
    DrillKind.CASES: ReasoningKind.CASES,
    DrillKind.MINE_COUNT: ReasoningKind.MINE_COUNT,
}
"""The kind of reasoning that each kind of drill needs."""
VARIETY = {kind: 3 if REASONING[kind] <= ReasoningKind.TWO_CLUES else 1 for kind in DrillKind}
"""Number of drills to choose from on each board. For rare kinds, the first drill is used."""


text_form(Observation, parse_position, format_position)


@plain_form("kind", "position", "answers")
@dataclass(frozen=True)
class Drill:
    """A position, the technique that it trains, and the answers."""

    position: Observation
    kind: DrillKind
    answers: tuple[Cell, ...]
    """All proved safe cells. Some need this kind of reasoning; easier kinds prove none of them."""

    @cached_property
    def explanation(self) -> Explanation:
        """The easiest proof of one of the answers."""
        found = PositionExplainer(self.position).easiest()
        assert found is not None
        return found


def drill_at(position: Observation, budget: Budget | None = None) -> Drill | None:
    """Return a position as a drill.

    Returns:
        None if nothing is proved safe, or if a proof by cases is too long.
    """
    reading = Reading(position)
    closure = _conclude(EasiestProofs(reading, Budget()).statements)
    if closure is None:
        return None
    if not _safe(closure):
        return _hard_drill(position, closure, budget)
    found = [kind for kind in DrillKind if REASONING[kind] is closure.kind]
    kind = found[0] if len(found) == 1 else _two_clues(reading, closure)
    return _drill(position, kind, count(position, budget=budget).safe)


def can_be_missed(drill: Drill) -> bool:
    """Return whether some cell without a flag is no answer."""
    shown = with_known_mines(drill)
    return len(shown.unopened) - sum(shown.marks) > len(drill.answers)


def with_known_mines(drill: Drill) -> Observation:
    """Return the position of a drill with flags on the mines that easier reasoning proves.

    Single clues prove the mines of the easiest drills.
    """
    position = drill.position
    easier = min(max(REASONING[drill.kind] - 1, 1), ReasoningKind.SEVERAL_CLUES)
    statements = EasiestProofs(Reading(position), Budget()).statements
    closure = Closure(statements, ReasoningKind(easier), Budget(nodes=STEPS))
    with suppress(WorkLimitError):  # flag the mines found so far
        closure.run()
    mines = {cell for cell, mined in closure.known.items() if mined}
    marks = bytes(index in mines for index in range(position.grid.size))
    return Observation(position.rules, position.shown, marks)


def drill_of(board: OrderedBoard, kind: DrillKind) -> Drill | None:
    """Return a drill from a game on a board; None if the game has no drill of this kind.

    If the game has several drills, the seed decides how many of them are skipped.
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
    """Return drill `index` of a kind. The same arguments always return the same drill.

    Args:
        order: the requirements for the boards. Each board gives at most one drill.
        kind: the technique that the drill trains.
        seed: the seed of the series of drills.
        index: the number of the drill in the series.

    Raises:
        WorkLimitError: none of `MOST_SEEDS` boards has such a drill.
    """
    for board in ordered_boards(order, seed, index):
        found = drill_of(board, kind) if order.fits(board) else None
        if found is not None:
            return found
    raise WorkLimitError(
        f"none of {MOST_SEEDS:,} boards of {order.rules.level} has a drill of kind {kind}"
    )


def format_drill(drill: Drill, title: str = "", proof: bool = False) -> str:
    """Return a drill as `.mine` text, with its kind, answers and optional proof as comments."""
    cells = " ".join(f"{row},{column}" for row, column in drill.answers)
    lines = [f"# {title}{drill.kind}; safe: {cells}"]
    if proof:
        lines.append(f"# {drill.explanation.cell} is safe: {drill.explanation.text}")
    return "\n".join([*lines, format_position(drill.position)])


def _conclude(statements: list[Statement]) -> Closure | None:
    """Draw conclusions with ever harder kinds of reasoning until a safe cell is proved.

    A harder kind starts with the conclusions from easier kinds, which gives the same result
    faster. Return None if the limit on conclusions is reached.
    """
    known: Mapping[int, bool] = {}
    for kind in PLAIN:
        found = Closure(statements, kind, Budget(nodes=STEPS), known)
        try:
            found.run(None if kind is ReasoningKind.TWO_CLUES else is_safe)
        except WorkLimitError:
            return None
        if _safe(found):
            break
        known = found.known
    return found


def _safe(closure: Closure) -> list[int]:
    return [cell for cell, mined in closure.known.items() if not mined]


def _two_clues(reading: Reading, closure: Closure) -> DrillKind:
    """Return `PATTERN` if a named pattern proves some cell safe, else `SUBSET`."""
    steps = closure.needed(_safe(closure))
    named = any(find_pattern(reading, step, closure.known) for step in steps)
    return DrillKind.PATTERN if named else DrillKind.SUBSET


def _hard_drill(position: Observation, closure: Closure, budget: Budget | None) -> Drill | None:
    safe = count(position, budget=budget).safe
    facts = count(position, prior=Density(0.5), budget=budget)  # without the mine count
    if not facts.safe:
        return _drill(position, DrillKind.MINE_COUNT, safe) if safe else None
    closure.budget = Budget(nodes=WORK)
    try:
        found = easiest_by_cases(closure, facts.proved)
    except WorkLimitError:
        found = None
    return None if found is None else _drill(position, DrillKind.CASES, safe)


def _drill(position: Observation, kind: DrillKind, safe: Sequence[int]) -> Drill:
    return Drill(position, kind, tuple(position.grid.cell(index) for index in sorted(safe)))
