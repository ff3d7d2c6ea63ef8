"""Proofs for a player: why a cell is safe or a mine, hints in stages, and whether to guess.

A hint shows the easiest proof of a safe cell, regardless of the agent that plays. If no cell is
proved safe, it says so and lists the best guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mineproof.advice.agents import first_decision
from mineproof.advice.analysis import given_position
from mineproof.advice.chances import win_chances
from mineproof.core.clues import ClueRule
from mineproof.core.decision import Candidate, Decision
from mineproof.core.grid import Cell, as_cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.words import joined, percent
from mineproof.inference.budget import Budget, question_budget
from mineproof.notation.inputs import Source
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explainer import explain as explain_cell
from mineproof.proof.explanation import Explanation
from mineproof.proof.phrases import region
from mineproof.review.verdicts import Verdict
from mineproof.review.verdicts import verdict as judge_move

GUESSES = 3
"""Maximum number of guesses in a hint."""
LISTED = 8
"""Maximum number of clues that a hint lists."""
PROOF_SHARE = 0.6
"""The share of the time for finding a proof. Guesses get the rest."""


@dataclass(frozen=True)
class Stage:
    """One stage of a hint: text, and the cells to look at."""

    text: str
    clues: tuple[Cell, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Hint:
    """A hint in stages: first where to look, then what to do."""

    proved: bool
    """Whether the cell is proved safe. If not, no cell on the board is proved safe."""
    cell: Cell | None
    """The cell to open; None if nothing is left to open."""
    stages: tuple[Stage, ...]
    why: Explanation | None = None
    """The easiest proof, if the cell is proved safe."""
    guesses: tuple[Candidate, ...] = ()
    """The best guesses, if no cell is proved safe."""


@dataclass(frozen=True)
class GuessAnswer:
    """The answer to "May I guess now?"."""

    may: bool
    """Whether a guess is necessary, because no cell is proved safe."""
    text: str
    why: Explanation | None = None
    """The easiest proof that a cell is safe, if the answer is no."""


def why(position: Observation, cell: tuple[int, int], budget: Budget | None = None) -> Explanation:
    """Return why a cell is safe or a mine, or what its risk depends on.

    If time runs out, `smallest` is false and risks are estimates. A proof that could not be found
    in time has a single step that says so.

    Raises:
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    return replace(explain_cell(position, cell, question_budget(budget)), position=position)


def explain(  # noqa: PLR0913  (one keyword for each option of the command)
    position: Source,
    cell: tuple[int, int],
    *,
    move: int | None = None,
    clues: ClueRule | str | None = None,
    flags_are_mines: bool = False,
    budget: Budget | float | None = None,
    memory: int | None = None,
) -> Explanation:
    """Return why a cell is safe or a mine, or what its risk depends on; see `why`.

    Args:
        position: a game, an observation, a record, a game id, `.mine` text, or a path.
        cell: row and column.
        move: for a record, take the position before this move, counted from 1; by default the last.
        clues: the clue rule or its text form; by default the rule of the observation, and
            exact clues for text.
        flags_are_mines: treat every flag as a proved mine.
        budget: the time limit in seconds, or all limits as a `Budget`. By default, the limit is
            on work instead of time, so that answers are repeatable.
        memory: the memory limit in bytes, 1 GB by default.

    Raises:
        TypeError: the position or the cell is of another type.
        NotationError: the text is not a position.
        InputError: the cell is not on the board.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    limits = budget if isinstance(budget, Budget) else Budget(budget, memory)
    return why(given_position(position, clues, flags_are_mines, move), as_cell(cell), limits)


def hint(position: Observation, budget: Budget | None = None) -> Hint:
    """Return a hint in stages: first where to look, then what to do.

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
    """Return whether to guess now and, if not, the easiest proof of a safe cell.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more than the budget.
    """
    if position.is_new and position.rules.mines != 0:
        first = first_decision(position.rules)
        return GuessAnswer(True, "Yes." if first is None else f"Yes: {first.reason}.")
    found = _easiest(position, question_budget(budget))
    if found is None:
        return GuessAnswer(True, "Yes: no cell is proved safe.")
    return GuessAnswer(False, f"No: {found.cell} is proved safe. {found.text}", found)


def verdict(
    position: Observation, move: Move, budget: Budget | None = None, number: int = 1
) -> Verdict | None:
    """Judge a move by the position before it.

    Return None for flags, or if judging takes more than the budget.

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
        stages.append(Stage(f"Look near {region((*clues, found.cell))}."))
        stages.append(Stage(f"Look at {_listed(clues)}{count}.", clues))
    last = Stage(f"Open {found.cell}: {found.text}", clues, (found.cell,))
    return (*stages, last)


def _guess_stages(guesses: tuple[Candidate, ...]) -> tuple[Stage, ...]:
    first = Stage("Nothing is proved safe: any move is a guess.")
    if not guesses:
        return (first,)
    best = guesses[0]
    win = "" if best.win is None else f" and a {percent(best.win)} chance of winning"
    text = f"The best guess is {best.cell}, with a risk of {percent(best.risk or 0.0)}{win}."
    return first, Stage(text, cells=(best.cell,))


def _listed(cells: tuple[Cell, ...]) -> str:
    if len(cells) > LISTED:
        return f"these {len(cells)} clues"
    return f"the clue{'s' * (len(cells) > 1)} at {joined([*map(str, cells)])}"
