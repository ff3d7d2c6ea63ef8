"""Checks of `make_safe_move` and `make_random_move`."""

from __future__ import annotations

from mineproof.cs50check.case import Case, ContractError
from mineproof.cs50check.checks import Checks
from mineproof.cs50check.picture import show

checks = Checks()

SAFE_MOVE = "MinesweeperAI.make_safe_move"
RANDOM_MOVE = "MinesweeperAI.make_random_move"
STATE = ("moves_made", "mines", "safes", "knowledge")


def _expect_choice(case: Case, function: str, allowed: set[tuple[int, int]], why: str) -> None:
    got = case.value(f"ai.{function}()")
    if type(got) is not tuple or got not in allowed:
        raise ContractError(f"one of {show(allowed)}", show(got), why)


@checks.add(SAFE_MOVE, "gives a cell that is known to be safe")
def _gives_safe(case: Case) -> None:
    case.ai(3, 3)
    case.run("ai.safes.update({(0, 1), (2, 2)})")
    case.run("ai.mines.add((0, 0))")
    _expect_choice(case, "make_safe_move", {(0, 1), (2, 2)}, "These are the safe cells.")


@checks.add(SAFE_MOVE, "does not give a cell that has been chosen before")
def _not_made(case: Case) -> None:
    why = "The others have been opened already."
    case.ai(3, 3)
    case.run("ai.safes.update({(0, 0), (0, 1), (1, 2), (2, 2)})")
    case.run("ai.moves_made.update({(0, 0), (0, 1), (2, 2)})")
    _expect_choice(case, "make_safe_move", {(1, 2)}, why)
    case.run("ai.safes = {(2, 0), (2, 1)}")
    case.run("ai.moves_made = {(2, 1)}")
    _expect_choice(case, "make_safe_move", {(2, 0)}, why)


@checks.add(SAFE_MOVE, "gives None when no safe cell is left")
def _none_safe(case: Case) -> None:
    case.ai(3, 3)
    case.expect("ai.make_safe_move()", None, "Nothing is known to be safe yet.")
    case.run("ai.safes.add((1, 1))")
    case.run("ai.moves_made.add((1, 1))")
    case.expect("ai.make_safe_move()", None, "The only safe cell has been opened.")


@checks.add(RANDOM_MOVE, "gives a cell of the board")
def _on_board(case: Case) -> None:
    for height, width in ((2, 4), (4, 2)):
        case.ai(height, width)
        cells = {(i, j) for i in range(height) for j in range(width)}
        for _ in range(30):
            _expect_choice(case, "make_random_move", cells, f"{height} rows, {width} columns.")


@checks.add(RANDOM_MOVE, "does not give a cell that has been chosen before, or a known mine")
def _not_taken(case: Case) -> None:
    why = "All other cells are open or known to be mines."
    case.ai(2, 3)
    case.run("ai.moves_made.update({(0, 0), (0, 1)})")
    case.run("ai.mines.update({(1, 0), (1, 1)})")
    for _ in range(20):
        _expect_choice(case, "make_random_move", {(0, 2), (1, 2)}, why)
    case.run("ai.moves_made = {(0, 2), (1, 2), (0, 0)}")
    case.run("ai.mines = {(0, 1)}")
    for _ in range(20):
        _expect_choice(case, "make_random_move", {(1, 0), (1, 1)}, why)


@checks.add(RANDOM_MOVE, "gives None when no cell is left")
def _none_left(case: Case) -> None:
    case.ai(2, 2)
    case.run("ai.moves_made.update({(0, 0), (0, 1)})")
    case.run("ai.mines.update({(1, 0), (1, 1)})")
    case.expect("ai.make_random_move()", None, "Every cell is open or known to be a mine.")


@checks.add(RANDOM_MOVE, "chooses at random: each cell can come")
def _random(case: Case) -> None:
    case.ai(1, 3)
    wanted = {(0, 0), (0, 1), (0, 2)}
    got = {case.value("ai.make_random_move()") for _ in range(100)}
    if got != wanted:
        missing = show(wanted - got)
        raise ContractError("each of the three cells in 100 calls", f"never {missing}")


@checks.add(SAFE_MOVE, "changes nothing")
def _safe_only_reads(case: Case) -> None:
    _only_reads(case, "make_safe_move")


@checks.add(RANDOM_MOVE, "changes nothing")
def _random_only_reads(case: Case) -> None:
    _only_reads(case, "make_random_move")


def _only_reads(case: Case, function: str) -> None:
    case.ai(3, 3).tell((0, 0), 0)
    before = {name: show(case.peek(f"ai.{name}")) for name in STATE}
    case.run(f"ai.{function}()")
    for name, old in before.items():
        new = show(case.peek(f"ai.{name}"))
        if old != new:
            raise ContractError(
                f"ai.{name} is still {old}",
                new,
                "The AI learns of the move when add_knowledge is called, and not before.",
            )
