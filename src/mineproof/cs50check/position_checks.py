"""Checks on hundreds of random positions: nothing false is concluded, nothing is missed.

The truth decides what is false. What the contract's rules prove is asked of the solution
in `mineproof.cs50`; an AI may know more than that. A failure is shown on the smallest
position that leads to it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from mineproof.cs50check.case import Case, ContractError
from mineproof.cs50check.checks import Checks
from mineproof.cs50check.picture import show
from mineproof.cs50check.positions import Position, random_positions, shrink

checks = Checks()

LEARN = "MinesweeperAI.add_knowledge"
POSITIONS = 150
Judge = Callable[[Case, Position], None]


@checks.add(LEARN, "never calls a mine safe, or a safe cell a mine")
def _no_false_cell(case: Case) -> None:
    _try_positions(case, judge_cells, seed=1)


@checks.add(LEARN, "keeps only sentences that are true")
def _no_false_sentence(case: Case) -> None:
    _try_positions(case, judge_sentences, seed=2)


@checks.add(LEARN, "finds every safe cell and mine that follows by its rules")
def _no_missed_cell(case: Case) -> None:
    _try_positions(case, judge_completeness, seed=3)


@checks.add(LEARN, "leaves no known cell, no empty and no repeated sentence", required=False)
def _tidy(case: Case) -> None:
    _try_positions(case, judge_tidiness, seed=4)


def judge_cells(case: Case, position: Position) -> None:
    """Check the AI's safe cells and mines against the truth."""
    mines, safes = set(case.peek("ai.mines")), set(case.peek("ai.safes"))
    for cell in sorted(safes & position.mines):
        case.marks[cell] = "X"
        raise ContractError(
            f"{cell} is not in ai.safes", f"ai.safes is {show(safes)}", _example(position)
        )
    for cell in sorted(mines - position.mines):
        case.marks[cell] = "O"
        raise ContractError(
            f"{cell} is not in ai.mines", f"ai.mines is {show(mines)}", _example(position)
        )


def judge_sentences(case: Case, position: Position) -> None:
    """Check the AI's sentences against the truth."""
    for sentence in case.peek("ai.knowledge"):
        truth = len(set(sentence.cells) & position.mines)
        if truth != sentence.count:
            raise ContractError(
                "every sentence in ai.knowledge is true",
                f"{show(sentence)}, where {truth} of the cells are mines",
                _example(position),
            )


def judge_completeness(case: Case, position: Position) -> None:
    """Check that the AI knows what the solution knows."""
    model = solution().MinesweeperAI(position.height, position.width)
    for cell in position.opened:
        model.add_knowledge(cell, position.clue(cell))
    case.expect_mines(model.mines, "These clues prove it.")
    case.expect_safes(model.safes, "These clues prove it.")


def judge_tidiness(case: Case, position: Position) -> None:
    """Check that no sentence is empty, repeated, or speaks of a known cell."""
    knowledge = list(case.peek("ai.knowledge"))
    known = set(case.peek("ai.mines")) | set(case.peek("ai.safes"))
    for place, sentence in enumerate(knowledge):
        if not sentence.cells:
            raise ContractError("no sentence without cells", show(knowledge))
        if sentence in knowledge[:place]:
            raise ContractError("each sentence once", show(knowledge))
        if known & set(sentence.cells):
            cell = min(known & set(sentence.cells))
            raise ContractError(f"no sentence with {cell}, which is known", show(sentence))


def _try_positions(case: Case, judge: Judge, seed: int) -> None:
    for position in random_positions(POSITIONS, seed):
        if _is_telling(case, judge, position):
            smallest = shrink(position, lambda smaller: _is_telling(case, judge, smaller))
            _judge(case, judge, smallest)


def _is_telling(case: Case, judge: Judge, position: Position) -> bool:
    try:
        _judge(case, judge, position)
    except ContractError:
        return True
    return False


def _judge(case: Case, judge: Judge, position: Position) -> None:
    case.ai(position.height, position.width)
    for cell in position.opened:
        case.tell(cell, position.clue(cell))
    judge(case, position)


def _example(position: Position) -> str:
    return f"For example, the mines may be {show(position.mines)}."


@cache
def solution() -> Any:
    """Load the solution, by which completeness is measured."""
    path = files("mineproof.cs50") / "minesweeper.py"
    spec = importlib.util.spec_from_file_location("mineproof_cs50_solution", str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
