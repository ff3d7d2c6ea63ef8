"""`champion`: the strongest agent that needs no thinking time. Chooses guesses by search.

It proves cells like `exact`. It compares guesses by their consequences, not by their risk alone:
one move ahead while many cells are hidden, and to the end of the game when few layouts are left
(`mineproof.search`). A trained evaluation decides between close guesses, but only in the C++ core.
Without the core, the chance of survival decides, and the reason says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Literal

from mineproof.agents.exact import CANDIDATES, by_risk, guess_safest, play_in_core
from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import WeighedClues
from mineproof.agents.protocol import WholeGame
from mineproof.agents.registry import agent
from mineproof.backend import native
from mineproof.core.board import Board
from mineproof.core.decision import Candidate, Decision
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules
from mineproof.core.words import percent
from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.bands import BandFacts
from mineproof.proof.counting import Counting
from mineproof.proof.ranking import rank
from mineproof.search.choice import USUAL, Choice
from mineproof.search.guessing import Evaluation, choose, core_settings, load_evaluation
from mineproof.search.winning import is_familiar

Evaluating = Annotated[
    Literal["trained", "none"],
    "compare close guesses by a trained evaluation (needs the C++ core), or by survival alone",
]
"""The option `evaluation`."""
CERTAIN = 1 - 1e-9
"""Safety above this counts as 1, because the difference is only a rounding error."""
UNTRAINED = " by survival (the trained evaluation needs the C++ core)"
"""Text added to the reason if the evaluation is requested but not available."""


@agent(
    "champion",
    idea="proves like exact; guesses by look-ahead, a trained evaluation and exact endgames",
    source="a new search; two-move survival is common to all strong solvers",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="only which early guess is best: early guesses are compared by an estimate",
    strength=90,
)
class ChampionAgent(KnowledgeAgent):
    """Opens proved cells, else the cell with the best chance of winning the game."""

    proving: Counting

    def __init__(
        self, *, clues: WeighedClues = "model", evaluation: Evaluating = "trained"
    ) -> None:
        """Set the options."""
        self.proving = Counting(clues, count_quickly)
        self._evaluation = load_evaluation() if evaluation == "trained" else None
        self._lacking = UNTRAINED if evaluation == "trained" and native is None else ""

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell with the best chance of winning, or the safest if that is unknown."""
        return guess_by_search(self, self.proving, observation, self._evaluation, self._lacking)

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards inside the C++ core. Return [] if it cannot play them."""
        if native is None:
            return []
        return play_in_core(rules, boards, first, core_settings(USUAL, self._evaluation))


def count_quickly(observation: Observation) -> Facts | None:
    """Count all layouts. If that takes too much work, estimate the risks in bands of the board."""
    for counting in (count, BandFacts):
        with suppress(WorkLimitError):
            return counting(observation)
    return None


def guess_by_search(
    agent: KnowledgeAgent,
    counting: Counting,
    observation: Observation,
    evaluation: Evaluation | None,
    lacking: str = "",
) -> Decision | None:
    """Open the cell with the best chance of winning, or the safest if that is unknown.

    Args:
        agent: the agent that guesses.
        counting: the object that counts layouts for this agent.
        observation: the current position.
        evaluation: the trained evaluation that decides between close candidates.
        lacking: text to add to the reason if cells were compared.
    """
    facts = counting.searchable(observation)
    choice = None
    if facts is not None:
        with suppress(WorkLimitError):
            choice = choose(facts, USUAL, evaluation)
    if facts is None or choice is None:
        return guess_safest(agent, counting.facts, observation)
    candidates = _candidates(facts, choice)
    return agent.guess_first(observation, candidates, _words(facts, choice, lacking))


def _candidates(facts: Facts, choice: Choice) -> tuple[Candidate, ...]:
    """Return the chosen cell and the cells it was compared with, or the safest other cells."""
    if choice.best.next_safety is not None:
        return choice.candidates[:CANDIDATES]
    chosen = facts.observation.grid.index(choice.cell)
    others = [index for index in rank(facts) if index != chosen]
    return (choice.best, *by_risk(facts, others)[: CANDIDATES - 1])


def _words(facts: Facts, choice: Choice, lacking: str) -> str:
    best = choice.best
    if choice.exact:
        return f"{facts.layouts} layouts are left: best play wins {percent(choice.win)} of them"
    text = f"nothing is proved safe; opening {best.cell} has a risk of {percent(best.risk)}"
    if best.next_safety is None:
        return f"{text} and is best play in a separate part of the board"
    if best.next_safety > CERTAIN:
        text += ", and whatever it shows, the next move is safe"
    else:
        text += f", and the next move is then {percent(best.next_safety)} safe on average"
    if choice.win is not None and is_familiar(facts.observation.rules):
        return f"{text}; estimated chance of winning: {percent(choice.win)}"
    count = len(choice.candidates)
    return text if count == 1 else f"{text}; the best of {count} cells{lacking}"
