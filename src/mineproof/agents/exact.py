"""`exact`: computes the exact risk of every cell. Opens proved cells, else the safest cell.

`Counting` finds the proved cells and the risks. Among equally safe cells, the agent opens the one
with the fewest unopened neighbours, then the first in row order.
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
from mineproof.core.words import counted, percent
from mineproof.inference.counting import Facts
from mineproof.proof.counting import Counting
from mineproof.proof.ranking import rank, unopened_neighbours

CANDIDATES = 8
"""Maximum number of candidates to show with a guess."""


@agent(
    "exact",
    idea="the exact risk of every cell; opens proved cells, else the safest",
    source="counts layouts by dynamic programming over the frontier; see the engine's page",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="only which guess is best in the long run",
    strength=80,
)
class ExactAgent(KnowledgeAgent):
    """Knows every risk, but does not look ahead."""

    proving: Counting

    def __init__(self, *, clues: WeighedClues = "model") -> None:
        """Set the options."""
        self.proving = Counting(clues)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the safest cell."""
        return guess_safest(self, self.proving.facts, observation)

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards inside the C++ core. Return [] if it cannot play them."""
        return play_in_core(rules, boards, first)


def guess_safest(
    agent: KnowledgeAgent, facts: Facts | None, observation: Observation
) -> Decision | None:
    """Open the safest cell.

    If flags count and every cell is probably a mine, flag the likeliest.
    """
    if facts is None:
        why = "counting the layouts takes too much work, so this is a random guess"
        return agent.guess_random(observation, why)
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
    text = f"a mine with a probability of {percent(risk[cells[0]])}; no cell is likely to be safe"
    candidates = by_risk(facts, cells)
    move = Move(Action.MARK, candidates[0].cell)
    return Decision(move, False, Reason(text), candidates[0].risk, candidates)


def by_risk(facts: Facts, cells: Sequence[int]) -> tuple[Candidate, ...]:
    """Return the first `CANDIDATES` of these cells as candidates, each with its risk."""
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
    near = counted(unopened_neighbours(observation)[cells[0]], "unopened neighbour")
    return f"{text} is the lowest, and no cell with that risk has fewer than {near}"


def play_in_core(
    rules: Rules, boards: Sequence[Board], first: Cell, settings: Any = None
) -> list[WholeGame]:
    """Play whole games inside the C++ core. Return [] if it cannot play them.

    Args:
        rules: the rules of all games.
        boards: the boards.
        first: the cell to open first on each board.
        settings: the core's settings for choosing guesses; None to choose the safest cell.
    """
    if native is None or not rules.is_classic:
        return []
    mined = b"".join(board.mined for board in boards)
    index = rules.grid.index(first)
    games = native.play_games(rules.rows, rules.columns, rules.mines, mined, index, settings)
    return [WholeGame(Result(result), *rest) for result, *rest in games]
