"""`exact`: the exact risk of every cell. Opens what is proved, else the safest cell.

What is proved, and the risks, come from the part `Counting`. Of equally safe cells the one with
the fewest unopened neighbours is opened, then the first in row order.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.agents.counting import Counting, WeighedClues, guess_safest, play_in_core
from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.protocol import WholeGame
from mineproof.agents.registry import agent
from mineproof.core.board import Board
from mineproof.core.decision import Decision
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules


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

    def __init__(
        self,
        *,
        clues: WeighedClues = "model",
    ) -> None:
        """Set the options."""
        self.proving = Counting(clues)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the safest cell."""
        return guess_safest(self, self.proving.facts, observation)

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards inside the native core; empty if it cannot do it."""
        return play_in_core(rules, boards, first)
