"""`champion`: the strongest player at play speed. Proves like `exact`, guesses by search.

A guess is compared with others by what it leads to, not by its risk alone: one move ahead while
much is hidden, to the very end when few layouts are left (`mineproof.search`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal

from mineproof.agents.exact import CANDIDATES, ExactAgent
from mineproof.agents.registry import agent
from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.bands import BandFacts
from mineproof.proof.ranking import rank
from mineproof.search.choice import Choice
from mineproof.search.estimates import is_familiar
from mineproof.search.evaluation import load_evaluation
from mineproof.search.guessing import choose, core_settings
from mineproof.search.settings import USUAL

CERTAIN = 1 - 1e-9
"""A safety above this is 1 but for rounding."""


@agent(
    "champion",
    idea="proves all that can be proved; guesses by look-ahead, a trained value and exact endgames",
    source="our own search; two-move survival is common to all strong solvers",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="nothing that is true in all layouts; early guesses are judged by an estimate",
    strength=90,
)
class ChampionAgent(ExactAgent):
    """Opens what is proved; else the cell with the best chance to win the game."""

    def __init__(
        self,
        *,
        clues: Annotated[
            Literal["model", "trust"],
            "weigh unreliable clues by how they come about, or trust them",
        ] = "model",
        evaluation: Annotated[
            Literal["trained", "none"],
            "let a trained value decide between close guesses, or survival alone",
        ] = "trained",
    ) -> None:
        """Set the options."""
        super().__init__(clues=clues)
        self._evaluation = load_evaluation() if evaluation == "trained" else None

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell with the best chance to win; the safest where that cannot be told."""
        choice = self._search(observation)
        if choice is None:
            return super().guess(observation)
        cell = self.rules.grid.cell(choice.index)
        candidates = self._candidates(choice)
        action = Action.UNMARK if observation.marks[choice.index] else Action.OPEN
        reason = Reason(self._words(choice, candidates[0]))
        return Decision(Move(action, cell), False, reason, candidates[0].risk, candidates)

    def _count(self, observation: Observation) -> Facts | None:
        """Ask the engine; where that is too much work, estimate by bands: in a fixed time."""
        if not self._reads_single_clues or self._trusts:
            return super()._count(observation)
        for counting in (count, BandFacts):
            with suppress(WorkLimitError):
                return counting(observation)
        return None

    def _core_games(self) -> Callable[..., list[tuple[Any, ...]]] | None:
        plays = getattr(native, "play_champion", None)
        if plays is None:
            return None
        trained = None if self._evaluation is None else self._evaluation.native
        return partial(plays, settings=core_settings(USUAL), evaluation=trained)

    def _search(self, observation: Observation) -> Choice | None:
        """Search for the best guess; None where the safest cell is as good as it gets.

        A game with a hit cannot be won any more: then the score counts, and so does safety.
        """
        facts = self._facts
        if facts is None or not facts.exact or observation.hits or self.rules.clues != EXACT:
            return None
        try:
            return choose(facts, USUAL, self._evaluation)
        except WorkLimitError:
            return None

    def _candidates(self, choice: Choice) -> tuple[Candidate, ...]:
        """Give the cells that were compared, the chosen one first."""
        assert self._facts is not None
        cell, risk = self.rules.grid.cell, self._facts.risk
        if not choice.options:
            others = [index for index in rank(self._facts) if index != choice.index]
            rest = [Candidate(cell(index), risk[index]) for index in others[: CANDIDATES - 1]]
            best = Candidate(cell(choice.index), risk[choice.index], None, choice.win, choice.exact)
            return (best, *rest)
        return tuple(
            Candidate(cell(each.index), risk[each.index], each.next_safety, each.win)
            for each in choice.options[:CANDIDATES]
        )

    def _words(self, choice: Choice, best: Candidate) -> str:
        assert self._facts is not None
        if choice.exact:
            return f"{self._facts.layouts} layouts are left: best play wins {choice.win:.1%}"
        if best.next_safety is None:
            return (
                f"nothing is proved safe; opening {best.cell} risks {best.risk:.1%}, best play "
                "in a part of the board that has nothing to do with the rest"
            )
        text = f"nothing is proved safe; opening {best.cell} risks {best.risk:.1%}"
        if best.next_safety > CERTAIN:
            text += ", and whatever it shows, the next move is safe"
        else:
            text += f" and leaves {best.next_safety:.1%} for the next move"
        if choice.win is not None and is_familiar(self.rules):
            return f"{text}; estimated win {choice.win:.1%}"
        count = len(choice.options)
        return text if count == 1 else f"{text}, the best of {count} cells"
