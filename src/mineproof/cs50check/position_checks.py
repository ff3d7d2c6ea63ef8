"""Checks on hundreds of random positions: nothing false is concluded, nothing is missed.

The truth decides what is false. What the contract's rules prove is asked of the solution
in `mineproof.cs50`; an AI may know more than that. A failure is shown on the smallest
position that leads to it.
"""

from __future__ import annotations

import importlib
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from mineproof.cs50check.case import Case, Cell, ContractError, show
from mineproof.cs50check.checks import Check

LEARN = "MinesweeperAI.add_knowledge"
POSITIONS = 150
SOLUTION: Any = importlib.import_module("mineproof.cs50.minesweeper")
"""By which completeness is measured; it has no types."""
SIZES = ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (1, 8), (2, 6))


@dataclass(frozen=True)
class SmallPosition:
    """A board with its mines, and the safe cells that are opened, in order."""

    height: int
    width: int
    mines: frozenset[Cell]
    opened: tuple[Cell, ...]

    def clue(self, cell: Cell) -> int:
        """Count the mines around a cell."""
        i, j = cell
        near = itertools.product(range(i - 1, i + 2), range(j - 1, j + 2))
        return sum(other in self.mines for other in near if other != cell)


def random_positions(count: int, seed: int) -> Iterator[SmallPosition]:
    """Give random positions, the same for the same seed."""
    stream = random.Random(seed)
    for _ in range(count):
        yield random_position(stream, *stream.choice(SIZES), stream.uniform(0.1, 0.4))


def random_position(
    stream: random.Random, height: int, width: int, density: float
) -> SmallPosition:
    """Deal a board and open some of its safe cells."""
    cells = list(itertools.product(range(height), range(width)))
    stream.shuffle(cells)
    mines = max(1, round(density * len(cells)))
    safe = cells[mines:]
    opened = safe[: stream.randint(1, len(safe))]
    return SmallPosition(height, width, frozenset(cells[:mines]), tuple(opened))


def shrink(position: SmallPosition, is_telling: Callable[[SmallPosition], bool]) -> SmallPosition:
    """Leave out opened cells for as long as the position stays telling."""
    smaller = True
    while smaller:
        smaller = False
        for index in range(len(position.opened)):
            opened = position.opened[:index] + position.opened[index + 1 :]
            candidate = replace(position, opened=opened)
            if opened and is_telling(candidate):
                position, smaller = candidate, True
                break
    return position


Judge = Callable[[Case, SmallPosition], None]


def judge_cells(case: Case, position: SmallPosition) -> None:
    """Check the AI's safe cells and mines against the truth."""
    mines, safes = set(case.peek("ai.mines")), set(case.peek("ai.safes"))
    lies = {
        "safes": (safes, safes & position.mines, "X"),
        "mines": (mines, mines - position.mines, "O"),
    }
    for name, (known, wrong, mark) in lies.items():
        if wrong:
            case.marks[min(wrong)] = mark
            raise ContractError(
                f"{min(wrong)} is not in ai.{name}",
                f"ai.{name} is {show(known)}",
                _example(position),
            )


def judge_sentences(case: Case, position: SmallPosition) -> None:
    """Check the AI's sentences against the truth."""
    for sentence in case.peek("ai.knowledge"):
        truth = len(set(sentence.cells) & position.mines)
        if truth != sentence.count:
            raise ContractError(
                "every sentence in ai.knowledge is true",
                f"{show(sentence)}, where {truth} of the cells are mines",
                _example(position),
            )


def judge_completeness(case: Case, position: SmallPosition) -> None:
    """Check that the AI knows what the solution knows."""
    model = SOLUTION.MinesweeperAI(position.height, position.width)
    for cell in position.opened:
        model.add_knowledge(cell, position.clue(cell))
    case.expect_members("mines", model.mines, "These clues prove it.")
    case.expect_members("safes", model.safes, "These clues prove it.")


def judge_tidiness(case: Case, position: SmallPosition) -> None:
    """Check that no sentence is empty, repeated, or speaks of a known cell."""
    knowledge = list(case.peek("ai.knowledge"))
    known = set(case.peek("ai.mines")) | set(case.peek("ai.safes"))
    for index, sentence in enumerate(knowledge):
        if not sentence.cells:
            raise ContractError("no sentence without cells", show(knowledge))
        if sentence in knowledge[:index]:
            raise ContractError("each sentence once", show(knowledge))
        if known & set(sentence.cells):
            cell = min(known & set(sentence.cells))
            raise ContractError(f"no sentence with {cell}, which is known", show(sentence))


def _try_positions(judge: Judge, seed: int, case: Case) -> None:
    for position in random_positions(POSITIONS, seed):
        if _is_telling(case, judge, position):
            smallest = shrink(position, lambda smaller: _is_telling(case, judge, smaller))
            _judge(case, judge, smallest)


def _is_telling(case: Case, judge: Judge, position: SmallPosition) -> bool:
    try:
        _judge(case, judge, position)
    except ContractError:
        return True
    return False


def _judge(case: Case, judge: Judge, position: SmallPosition) -> None:
    case.ai(position.height, position.width)
    for cell in position.opened:
        case.tell(cell, position.clue(cell))
    judge(case, position)


def _example(position: SmallPosition) -> str:
    return f"For example, the mines may be {show(position.mines)}."


def _check(behaviour: str, judge: Judge, seed: int, *, required: bool = True) -> Check:
    return Check(LEARN, behaviour, partial(_try_positions, judge, seed), required)


POSITION_CHECKS = (
    _check("never calls a mine safe, or a safe cell a mine", judge_cells, 1),
    _check("keeps only sentences that are true", judge_sentences, 2),
    _check("finds every safe cell and mine that follows by its rules", judge_completeness, 3),
    _check(
        "leaves no known cell, no empty and no repeated sentence",
        judge_tidiness,
        4,
        required=False,
    ),
)
