"""`exact`: the exact risk of every cell. Opens what is proved, else the safest cell.

What is proved, and the risks, come from the part `Counting`. Of equally safe cells the one with
the fewest unopened neighbours is opened, then the first in row order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import WeighedClues
from mineproof.agents.protocol import WholeGame
from mineproof.agents.registry import agent
from mineproof.backend import native
from mineproof.core.board import Board
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.game import Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules
from mineproof.core.words import percent
from mineproof.inference.counting import Facts
from mineproof.proof.counting import Counting
from mineproof.proof.ranking import rank, unopened_neighbours

CANDIDATES = 8
"""Cells that a guess shows."""


@agent(
    "exact",
    idea="the exact risk of every cell; opens what is proved, else the safest",
    source="layouts counted by dynamic programming over the frontier; see the engine's page",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="nothing that is true in all layouts; which guess is best in the long run",
    strength=80,
)
class ExactAgent(KnowledgeAgent):
    """Knows every risk; looks no move ahead."""

    proving: Counting

    def __init__(self, *, clues: WeighedClues = "model") -> None:
        """Set the options."""
        self.proving = Counting(clues)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the safest cell."""
        return guess_safest(self, self.proving.facts, observation)

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards inside the native core; empty if it cannot do it."""
        return play_in_core(rules, boards, first)


def guess_safest(
    agent: KnowledgeAgent, facts: Facts | None, observation: Observation
) -> Decision | None:
    """Open the safest cell; where marks count and all are likely mines, mark the likeliest."""
    if facts is None:
        return agent.guess_random(observation, "counting is too much work: a random guess")
    cells = [index for index in rank(facts) if not agent.is_known_mine(index)]
    if agent.rules.marks_matter:
        cells = [index for index in cells if not observation.marks[index]]
    if not cells:
        return None
    risk = facts.risk
    if not agent.rules.marks_matter or risk[cells[0]] <= 0.5:
        why = _why_safest(facts, observation, cells)
        return agent.guess_first(observation, by_risk(facts, cells), why)
    cells.sort(key=lambda index: (-risk[index], index))
    text = f"{percent(risk[cells[0]])} likely to be a mine, and no cell is likely to be safe"
    candidates = by_risk(facts, cells)
    move = Move(Action.MARK, candidates[0].cell)
    return Decision(move, False, Reason(text), candidates[0].risk, candidates)


def by_risk(facts: Facts, cells: Sequence[int]) -> tuple[Candidate, ...]:
    """Return the first few of these cells as candidates, each with its risk."""
    cell = facts.observation.grid.cell
    return tuple(Candidate(cell(index), facts.risk[index]) for index in cells[:CANDIDATES])


def _why_safest(facts: Facts, observation: Observation, cells: Sequence[int]) -> str:
    risk = facts.risk[cells[0]]
    kind = "risk" if facts.exact else "estimated risk"
    text = f"nothing is proved safe; a {kind} of {percent(risk)}"
    if len(cells) == 1:
        return f"{text}, and no other cell is left"
    if facts.risk[cells[1]] > risk + 1e-10:
        return f"{text} is the lowest"
    near = unopened_neighbours(observation)[cells[0]]
    return f"{text} is the lowest, and of equal cells it has the fewest unopened around ({near})"


def play_in_core(
    rules: Rules, boards: Sequence[Board], first: Cell, settings: Any = None
) -> list[WholeGame]:
    """Play whole games inside the native core; empty if it cannot do it.

    Args:
        rules: the rules of all games.
        boards: the boards.
        first: the cell that is opened on each of them.
        settings: how guesses are chosen, as the core takes it; None for the safest cell.
    """
    if native is None or not rules.is_classic:
        return []
    mined = b"".join(board.mined for board in boards)
    index = rules.grid.index(first)
    games = native.play_games(rules.rows, rules.columns, rules.mines, mined, index, settings)
    return [WholeGame(Result(result), *rest) for result, *rest in games]
