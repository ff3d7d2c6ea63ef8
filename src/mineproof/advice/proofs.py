"""Proofs for a player: why a cell is safe or mined, a hint in stages, whether to guess.

A hint gives the easiest proof there is, whoever else plays. It never points to a cell that is
not proved; where none is, it says so and gives the best guesses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mineproof.advice.agents import first_decision
from mineproof.advice.analysis import given_position
from mineproof.advice.chances import win_chances
from mineproof.core.clues import ClueRule
from mineproof.core.decision import Candidate, Decision
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.words import percent
from mineproof.inference.budget import Budget, question_budget
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explainer import explain as explain_cell
from mineproof.proof.explanation import Explanation
from mineproof.review.verdicts import Verdict
from mineproof.review.verdicts import verdict as judge_move

GUESSES = 3
"""Guesses that a hint names."""
LISTED = 8
"""Clues that a hint names at most."""
PROOF_SHARE = 0.6
"""The share of the time in which a proof is searched for; guesses get the rest."""


@dataclass(frozen=True)
class Stage:
    """One stage of a hint: words, and the cells to look at."""

    text: str
    clues: tuple[Cell, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Hint:
    """A hint in stages, from where to look to what to do."""

    proved: bool
    """Whether the cell is proved safe; otherwise nothing is."""
    cell: Cell | None
    """The cell to open; None where nothing is left to open."""
    stages: tuple[Stage, ...]
    why: Explanation | None = None
    """The easiest proof, of a proved cell."""
    guesses: tuple[Candidate, ...] = ()
    """The best guesses, where nothing is proved."""


@dataclass(frozen=True)
class GuessAnswer:
    """The answer to "May I guess now?"."""

    may: bool
    """Whether nothing is proved safe."""
    text: str
    why: Explanation | None = None
    """The easiest proof of a safe cell, where the answer is no."""


def why(position: Observation, cell: tuple[int, int], budget: Budget | None = None) -> Explanation:
    """Return why a cell is safe or a mine, or what its risk depends on.

    If time runs out, `smallest` is false, a proof that is too long to find has one step that
    says so, and risks are estimates.

    Raises:
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    return replace(explain_cell(position, cell, question_budget(budget)), position=position)


def explain(  # noqa: PLR0913  (one keyword for each option of the command)
    position: Observation | str,
    cell: tuple[int, int],
    *,
    clues: ClueRule | str | None = None,
    flags_are_mines: bool = False,
    budget: Budget | float | None = None,
    memory: int | None = None,
) -> Explanation:
    """Ask `why` about a position in any form.

    Args:
        position: an observation, or `.mine` text that holds one position.
        cell: row and column.
        clues: what the digits mean, a model or its text form; by default what the
            observation's rules say, and exact clues for text.
        flags_are_mines: take every mark as a fact.
        budget: the time limit in seconds, or all limits as a `Budget`; by default the work is
            limited in nodes, so that answers are repeatable.
        memory: the memory limit in bytes, 1 GB by default.

    Raises:
        NotationError: the text is not a position.
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    limits = budget if isinstance(budget, Budget) else Budget(budget, memory)
    return why(given_position(position, clues, flags_are_mines), cell, limits)


def hint(position: Observation, budget: Budget | None = None) -> Hint:
    """Return a hint in stages: where to look and what to do.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    if position.is_new:
        return _first_hint(first_decision(position.rules))
    budget = question_budget(budget)
    found = _easiest(position, budget)
    if found is not None:
        return Hint(True, found.cell, _proof_stages(found), found)
    guesses = win_chances(position, budget).moves[:GUESSES]
    cell = guesses[0].cell if guesses else None
    return Hint(False, cell, _guess_stages(guesses), guesses=guesses)


def may_guess(position: Observation, budget: Budget | None = None) -> GuessAnswer:
    """Say whether a guess is called for; if not, with the easiest proof of a safe cell.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    if position.is_new:
        first = first_decision(position.rules)
        return GuessAnswer(True, "Yes." if first is None else f"Yes: {first.reason}.")
    found = _easiest(position, question_budget(budget))
    if found is None:
        return GuessAnswer(True, "Yes: no cell is proved safe.")
    return GuessAnswer(False, f"No: {found.cell} is proved safe. {found.text}", found)


def verdict(
    position: Observation, move: Move, budget: Budget | None = None, number: int = 1
) -> Verdict | None:
    """Judge a move in the position before it; None for marks, which are notes, or too much work.

    Raises:
        ContradictionError: no layout fits the position.
    """
    return judge_move(position, move, number, question_budget(budget))


def _easiest(position: Observation, budget: Budget) -> Explanation | None:
    return PositionExplainer(position, budget=budget.share(PROOF_SHARE)).easiest()


def _first_hint(decision: Decision | None) -> Hint:
    if decision is None:
        return Hint(False, None, (Stage("Open any cell."),))
    cell = decision.move.cell
    stage = Stage(f"Open {cell}: {decision.reason}.", cells=(cell,))
    return Hint(decision.proved, cell, (stage,))


def _proof_stages(found: Explanation) -> tuple[Stage, ...]:
    clues = tuple(dict.fromkeys(clue for step in found.steps for clue in step.clues))
    stages = []
    if clues:
        counted = any(step.uses_mine_count for step in found.steps)
        count = " and at the mine count" if counted else ""
        stages.append(Stage(f"Look near {_region((*clues, found.cell))}."))
        stages.append(Stage(f"Look at {_listed(clues)}{count}.", clues))
    last = Stage(f"Open {found.cell}: {found.text}", clues, (found.cell,))
    return (*stages, last)


def _guess_stages(guesses: tuple[Candidate, ...]) -> tuple[Stage, ...]:
    first = Stage("Nothing is proved safe: any move is a guess.")
    if not guesses:
        return (first,)
    best = guesses[0]
    win = "" if best.win is None else f" and a chance to win of {percent(best.win)}"
    text = f"The best guess is {best.cell}, with a risk of {percent(best.risk or 0.0)}{win}."
    return first, Stage(text, cells=(best.cell,))


def _region(cells: Iterable[Cell]) -> str:
    rows = sorted(cell.row for cell in cells)
    columns = sorted(cell.column for cell in cells)
    return f"{_span('row', rows)}, {_span('column', columns)}"


def _span(name: str, numbers: list[int]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{name} {low}" if low == high else f"{name}s {low} to {high}"


def _listed(cells: tuple[Cell, ...]) -> str:
    if len(cells) == 1:
        return f"the clue at {cells[0]}"
    if len(cells) > LISTED:
        return f"these {len(cells)} clues"
    return f"the clues at {', '.join(map(str, cells[:-1]))} and {cells[-1]}"
