"""Explanations of the mistake behind a failure, from the cells and sentences that the AI holds.

Each function returns a few sentences for the student, or an empty string if the AI's state does
not show the cause.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Cell = tuple[int, int]
REPEAT = "Each new cell or sentence can decide others, so repeat until nothing changes."
MOST_APART = 4
"""A sentence that differs from the expected one by more cells than this is not compared with it.

A sentence that only lacks cells is always compared.
"""


@dataclass(frozen=True)
class TheirSentence:
    """The cells and the count of one of the student's sentences."""

    cells: Any
    count: Any

    def decides(self, name: str) -> bool:
        """Return whether all cells belong in `mines`, or in `safes`."""
        return bool(self.count == (len(self.cells) if name == "mines" else 0))

    def minus(self, smaller: TheirSentence) -> TheirSentence:
        """Return the sentence that the subset rule gives for a smaller sentence."""
        return TheirSentence(self.cells - smaller.cells, self.count - smaller.count)


@dataclass(frozen=True)
class AIState:
    """The sets and sentences of a student's AI."""

    moves_made: set[Cell]
    mines: set[Cell]
    safes: set[Cell]
    knowledge: list[TheirSentence]

    def without_known(self, sentence: TheirSentence) -> TheirSentence:
        """Return a sentence without the cells that are known."""
        mines = sentence.cells & self.mines
        return TheirSentence(sentence.cells - mines - self.safes, sentence.count - len(mines))


def show(value: object) -> str:
    """Format a value as Python does, with sets sorted and sentences as `{cells} = count`."""
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(show, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    if isinstance(value, TheirSentence):
        return f"{show(value.cells)} = {show(value.count)}"
    return repr(value)


def missing_cells(state: AIState, name: str, missing: set[Cell]) -> str:
    """Explain why cells are not in `mines` (or `safes`)."""
    if wrong := misplaced(state, name, missing):
        kind = name.removesuffix("s")
        return f"{wrong} Call `self.mark_{kind}` for the cells that `known_{name}` returns."
    found = _unmarked(state, missing) or _stale(state, name, missing)
    return found or _unused_pair(state, missing) or _dropped(state, missing)


def misplaced(state: AIState, name: str, missing: set[Cell]) -> str:
    """Say so if the code put cells into `safes` that belong in `mines`, or the reverse."""
    other = "safes" if name == "mines" else "mines"
    wrong = missing & getattr(state, other)
    return f"Your code put {show(wrong)} into ai.{other}, not into ai.{name}." if wrong else ""


def _unmarked(state: AIState, missing: set[Cell]) -> str:
    known = state.mines | state.safes
    decided = [
        one
        for one in state.knowledge
        if one.cells - known and (one.decides("mines") or one.decides("safes"))
    ]
    if not decided:
        return ""
    sentence = max(decided, key=lambda one: len(one.cells & missing))
    return (
        f"ai.knowledge contains {show(sentence)}, which decides its cells, "
        "but your code did not mark them. "
        f"Ask every sentence for its known mines and safe cells. {REPEAT}"
    )


def _stale(state: AIState, name: str, missing: set[Cell]) -> str:
    for sentence in state.knowledge:
        shorter = state.without_known(sentence)
        if shorter.cells & missing and shorter.decides(name):
            return (
                f"ai.knowledge still contains {show(sentence)}. Without the cells that are already "
                f"known, it is {show(shorter)}. Remove each cell that you mark from every sentence."
            )
    return ""


def _unused_pair(state: AIState, missing: set[Cell]) -> str:
    for smaller, larger in itertools.permutations(state.knowledge, 2):
        rest = larger.minus(smaller)
        is_new = rest not in state.knowledge and rest.cells & missing
        if smaller.cells and smaller.cells < larger.cells and is_new:
            pair = f"ai.knowledge contains {show(smaller)}, which is part of {show(larger)}"
            return f"{pair}. {_difference(state, smaller, larger)}"
    return ""


def _dropped(state: AIState, missing: set[Cell]) -> str:
    gone = missing.difference(*(one.cells for one in state.knowledge))
    if not gone:
        return ""
    return (
        f"No sentence in ai.knowledge contains any of {show(gone)}. "
        "Remove a sentence only after all of its cells have been marked."
    )


def _difference(state: AIState, smaller: TheirSentence, larger: TheirSentence) -> str:
    rest = larger.minus(smaller)
    for one in state.knowledge:
        if one.cells == rest.cells:
            return (
                f"Your code stored their difference as {show(one)}, but its count must be "
                f"{larger.count} - {smaller.count} = {rest.count}."
            )
    return (
        f"But ai.knowledge does not contain their difference {show(rest)}. "
        f"Compare all pairs of sentences, in both directions. {REPEAT}"
    )


def missing_sentence(state: AIState, wanted: TheirSentence, size: tuple[int, int]) -> str:
    """Explain how the closest sentence differs from the expected one."""
    if found := _no_sentence(state, wanted):
        return found
    closest = min(state.knowledge, key=lambda one: len(one.cells ^ wanted.cells))
    if closest.cells == wanted.cells:
        return f"Your sentence has the right cells, but the count {closest.count}."
    if wanted.minus(closest) in state.knowledge:
        return f"It looks as if your code changed this sentence into {show(closest)}."
    if pair := _unused_pair(state, wanted.cells):
        return pair
    extra, lacking = closest.cells - wanted.cells, wanted.cells - closest.cells
    if not closest.cells & wanted.cells or (extra and len(extra | lacking) > MOST_APART):
        return ""
    words = [f"also contains {show(extra)}{_role(state, extra, size)}"] if extra else []
    words += [f"lacks {show(lacking)}"] if lacking else []
    return f"Your sentence {show(closest)} {' and '.join(words)}."


def _no_sentence(state: AIState, wanted: TheirSentence) -> str:
    for name in ("mines", "safes"):
        if marked := wanted.cells & getattr(state, name):
            return f"Your code has already put {show(marked)} into ai.{name}."
    return "" if state.knowledge else "Your code added no sentence: append it to self.knowledge."


def _role(state: AIState, cells: set[Cell], size: tuple[int, int]) -> str:
    on_board = set(itertools.product(range(size[0]), range(size[1])))
    roles = {
        "off the board": not cells & on_board,
        "known to be mines": cells <= state.mines,
        "already open": cells <= state.moves_made,
        "known to be safe": cells <= state.safes,
    }
    return next((f", {role}" for role, fits in roles.items() if fits), "")


def wrong_choice(
    state: AIState, cell: Any, allowed: Iterable[Cell] = (), *, are_safe: bool = False
) -> str:
    """Explain why a move is not allowed; `allowed` are the cells that could be chosen at first."""
    if are_safe and (removed := set(allowed) - state.safes):
        return f"Your function removed {show(removed)} from ai.safes. It must only choose a cell."
    if added := state.moves_made.intersection(allowed):
        return (
            f"Your function added {show(added)} to ai.moves_made. It must only choose a cell: "
            "`add_knowledge` records the move."
        )
    if cell is None:
        return "Your function returned None. Does each way through it end with `return`?"
    if type(cell) is not tuple:
        return "A cell is a tuple (row, column)."
    if cell in state.moves_made:
        return f"{cell} is in ai.moves_made, so it is already open."
    return f"{cell} is in ai.mines." if cell in state.mines else ""


def false_sentence(false: TheirSentence, true: Sequence[TheirSentence]) -> str:
    """Explain a false sentence that looks like the difference of two true ones."""
    for one, other in itertools.permutations(true, 2):
        if one.cells & other.cells and other.cells - one.cells == false.cells:
            if not one.cells <= other.cells:
                return _not_nested(one, other)
            count = other.count - one.count
            return f"{show(other)} minus {show(one)} must have the count {count}."
    for one in true:
        if false.cells < one.cells and false.count == one.count:
            return (
                f"It looks like {show(one)} without {show(one.cells - false.cells)}, with the same "
                "count. For each mine that you leave out, subtract one from the count."
            )
    return ""


def false_cell(cell: Cell, name: str, true: Iterable[TheirSentence]) -> str:
    """Explain a false conclusion about a cell that two overlapping sentences could lead to."""
    for one, other in itertools.permutations(true, 2):
        rest = other.minus(one)
        overlap = one.cells & other.cells and not one.cells <= other.cells
        if overlap and cell in rest.cells and rest.decides(name):
            return _not_nested(one, other)
    return ""


def _not_nested(one: TheirSentence, other: TheirSentence) -> str:
    return (
        f"It looks as if your code subtracts {show(one)} from {show(other)}. "
        f"But {show(one.cells - other.cells)} is only in the first. "
        "Subtract a sentence only if all its cells are in the other one (`<=`, not `&`)."
    )
