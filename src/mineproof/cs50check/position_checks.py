"""Checks on hundreds of random positions: the AI concludes nothing false and misses nothing.

Conclusions are compared with the actual mines, and with the conclusions of the solution in
`mineproof.cs50`. An AI may conclude more than the solution does. Each failure is reduced to the
smallest position that still shows it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from mineproof.cs50check.case import Case, ContractError, show
from mineproof.cs50check.checks import SOLUTION, Check
from mineproof.cs50check.mistakes import Cell, TheirSentence, false_cell, false_sentence

LEARN = "MinesweeperAI.add_knowledge"
EMPTY = "An empty sentence says nothing. You can delete it."
REPEATED = "A second copy of a sentence adds nothing. Add a sentence only if it is new."
STALE = "Mark each known cell in every sentence, including sentences that you add later."
POSITIONS = 150
SIZES = ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (1, 8), (2, 6))


@dataclass(frozen=True)
class SmallPosition:
    """A board with its mines, and the safe cells to open, in order."""

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
    """Return random positions; the same seed gives the same positions."""
    stream = random.Random(seed)
    for _ in range(count):
        yield random_position(stream, *stream.choice(SIZES), stream.uniform(0.1, 0.4))


def random_position(
    stream: random.Random, height: int, width: int, density: float
) -> SmallPosition:
    """Return a random board with some of its safe cells opened."""
    cells = list(itertools.product(range(height), range(width)))
    stream.shuffle(cells)
    mines = max(1, round(density * len(cells)))
    safe = cells[mines:]
    opened = safe[: stream.randint(1, len(safe))]
    return SmallPosition(height, width, frozenset(cells[:mines]), tuple(opened))


def shrink(position: SmallPosition, fails: Callable[[SmallPosition], bool]) -> SmallPosition:
    """Remove opened cells one at a time, as long as the smaller position still fails."""
    for opened in itertools.combinations(position.opened, len(position.opened) - 1):
        smaller = replace(position, opened=opened)
        if opened and fails(smaller):
            return shrink(smaller, fails)
    return position


Judge = Callable[[Case, SmallPosition], None]


def judge_cells(case: Case, position: SmallPosition) -> None:
    """Compare the AI's safe cells and mines with the actual mines."""
    mines, safes = set(case.peek("ai.mines")), set(case.peek("ai.safes"))
    claims = {
        "safes": (safes, safes & position.mines, "X"),
        "mines": (mines, mines - position.mines, "O"),
    }
    for name, (known, wrong, mark) in claims.items():
        if wrong:
            case.marks[min(wrong)] = mark
            raise ContractError(
                f"{min(wrong)} is not in ai.{name}",
                f"ai.{name} is {show(known)}",
                f"{_example(position)} {false_cell(min(wrong), name, _clues(position))}".strip(),
            )


def judge_sentences(case: Case, position: SmallPosition) -> None:
    """Compare the AI's sentences with the actual mines."""
    knowledge = case.peek("ai.knowledge")
    for sentence in knowledge:
        truth = len(set(sentence.cells) & position.mines)
        if truth != sentence.count:
            true = [one for one in knowledge if len(one.cells & position.mines) == one.count]
            cause = false_sentence(sentence, [*true, *_clues(position)])
            raise ContractError(
                "every sentence in ai.knowledge is true",
                f"{show(sentence)}, but {truth} of these cells are mines",
                f"{_example(position)} {cause}".strip(),
            )


def judge_completeness(case: Case, position: SmallPosition) -> None:
    """Check that the AI knows everything that the solution knows."""
    model = SOLUTION.MinesweeperAI(position.height, position.width)
    for cell in position.opened:
        model.add_knowledge(cell, position.clue(cell))
    case.expect_members("mines", model.mines, "The clues shown prove it.")
    case.expect_members("safes", model.safes, "The clues shown prove it.")


def judge_tidiness(case: Case, position: SmallPosition) -> None:
    """Check that no sentence is empty, repeated, or contains a known cell."""
    knowledge = list(case.peek("ai.knowledge"))
    known = set(case.peek("ai.mines")) | set(case.peek("ai.safes"))
    for index, sentence in enumerate(knowledge):
        if not sentence.cells:
            raise ContractError("every sentence with at least one cell", show(knowledge), EMPTY)
        if sentence in knowledge[:index]:
            raise ContractError("each sentence once", show(knowledge), REPEATED)
        if known & set(sentence.cells):
            cell = min(known & set(sentence.cells))
            wanted = f"no sentence with {cell}, which is known"
            raise ContractError(wanted, show(sentence), STALE)


def _check_positions(judge: Judge, seed: int, case: Case) -> None:
    for position in random_positions(POSITIONS, seed):
        if _fails(case, judge, position):
            smallest = shrink(position, lambda smaller: _fails(case, judge, smaller))
            _judge(case, judge, smallest)


def _fails(case: Case, judge: Judge, position: SmallPosition) -> bool:
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


def _clues(position: SmallPosition) -> list[TheirSentence]:
    """Return the sentences that the clues give."""
    model = SOLUTION.MinesweeperAI(position.height, position.width)
    opened = set(position.opened)
    return [TheirSentence(model.neighbours(c) - opened, position.clue(c)) for c in opened]


def _example(position: SmallPosition) -> str:
    return f"For example, these could be the mines: {show(position.mines)}."


def _check(behaviour: str, judge: Judge, seed: int, *, required: bool = True) -> Check:
    return Check(LEARN, behaviour, partial(_check_positions, judge, seed), required)


POSITION_CHECKS = (
    _check("never calls a mine safe, or a safe cell a mine", judge_cells, 1),
    _check("keeps only sentences that are true", judge_sentences, 2),
    _check("finds every safe cell and mine that its rules can prove", judge_completeness, 3),
    _check(
        "leaves no known cells in sentences, and no empty or repeated sentences",
        judge_tidiness,
        4,
        required=False,
    ),
)
