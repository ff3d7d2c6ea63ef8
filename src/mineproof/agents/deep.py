"""`deep`: the strongest within a time budget. Proves like `champion`, guesses by playouts.

The cells that come near the best are played to the end of the game on random layouts, the same
for all of them, and the cell that wins most is opened (`mineproof.search.rollouts`).
"""

from __future__ import annotations

import multiprocessing
import os
import re
import zlib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from mineproof.agents.champion import ChampionAgent
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import AgentError, WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import PublicRules
from mineproof.inference.counting import Known
from mineproof.search.rollouts import MOST_CORES, UNLIMITED, DeepChoice, DeepOption, choose_deep

_TIME = re.compile(r"(\d+\.?\d*|\.\d+)\s*(ms|s)?")
LONGEST = 3600.0
"""Seconds that a guess may take at most."""


def read_seconds(text: str) -> float:
    """Read a time such as `0.2s`, `200ms` or `0.2`.

    Raises:
        AgentError: it is none, or not above 0, or more than an hour.
    """
    match = _TIME.fullmatch(text.strip().lower())
    seconds = 0.0 if match is None else float(match[1]) / (1000 if match[2] == "ms" else 1)
    if not 0 < seconds <= LONGEST:
        raise AgentError(f"expected a time up to an hour such as 0.2s or 200ms, got {text!r}")
    return seconds


@agent(
    "deep",
    idea="guesses by playouts on random layouts, within a time budget; proves all there is",
    source="our own; playouts with weights instead of deaths, sequential halving",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="nothing that is true in all layouts; guesses are judged by an estimate",
    strength=100,
    takes_time=True,
)
class DeepAgent(ChampionAgent):
    """Opens what is proved; else the cell that wins most playouts."""

    def __init__(
        self,
        *,
        budget: Annotated[str, "the time for a guess, such as 0.2s or 200ms"] = "0.2s",
        playouts: Annotated[
            int, "playouts for a guess instead of a time: repeatable; 0 is none"
        ] = 0,
        cores: Annotated[int, "threads that play; 0 is all cores, but one in a worker process"] = 0,
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
        super().__init__(clues=clues, evaluation=evaluation)
        if not 0 <= playouts <= UNLIMITED:
            raise AgentError(f"expected playouts from 0 to {UNLIMITED}, got {playouts}")
        if not 0 <= cores <= MOST_CORES:
            raise AgentError(f"expected cores from 0 to {MOST_CORES}, got {cores}")
        seconds = read_seconds(budget)
        self._playouts = playouts or None
        self._seconds = None if playouts else seconds
        self._cores = cores or usual_cores()

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        super().start(rules, seed)
        self._seed = seed

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell that wins most playouts; what `champion` opens where none can be made."""
        choice = self._search_deep(observation)
        if choice is None:
            return super().guess(observation)
        candidates = self._deep_candidates(choice)
        action = Action.UNMARK if observation.marks[choice.index] else Action.OPEN
        reason = Reason(self._deep_words(choice))
        move = Move(action, candidates[0].cell)
        return Decision(move, False, reason, candidates[0].risk, candidates)

    def _core_games(self) -> Callable[..., list[tuple[Any, ...]]] | None:
        """Whole games are not played inside the core: the time is in the guesses."""
        return None

    def _search_deep(self, observation: Observation) -> DeepChoice | None:
        """Play candidates; None where playouts make no sense, or nothing came of them."""
        facts = self._facts
        if facts is None or not facts.exact or observation.hits or self.rules.clues != EXACT:
            return None
        if not isinstance(facts.prior, Known):
            return None
        try:
            choice = choose_deep(
                facts,
                playouts=self._playouts,
                seconds=self._seconds,
                cores=self._cores,
                seed=self._seed_for(observation),
                evaluation=self._evaluation,
            )
        except WorkLimitError:
            return None
        return choice if choice is not None and choice.options[0].win is not None else None

    def _seed_for(self, observation: Observation) -> int:
        """Give a seed for a position: the same whatever was asked before."""
        key = zlib.crc32(observation.shown)
        return Stream(self._seed, Purpose.AGENT, key).next()

    def _deep_candidates(self, choice: DeepChoice) -> tuple[Candidate, ...]:
        assert self._facts is not None
        cell, risk = self.rules.grid.cell, self._facts.risk
        return tuple(
            Candidate(
                cell(each.option.index),
                risk[each.option.index],
                None if choice.exact else each.option.next_safety,
                each.win,
                choice.exact,
            )
            for each in choice.options
        )

    def _deep_words(self, choice: DeepChoice) -> str:
        assert self._facts is not None
        best = choice.options[0]
        cell = self.rules.grid.cell(choice.index)
        if choice.exact:
            return f"{self._facts.layouts} layouts are left: best play wins {best.win:.1%}"
        text = f"nothing is proved safe; opening {cell} risks {self._facts.risk[choice.index]:.1%}"
        return f"{text} and wins {_chance(best)} of {best.playouts} playouts{self._beaten(choice)}"

    def _beaten(self, choice: DeepChoice) -> str:
        """Name the best other cell that was played as often."""
        if len(choice.options) == 1:
            return ""
        other = choice.options[1]
        return f", before {self.rules.grid.cell(other.option.index)} with {_chance(other)}"


def _chance(option: DeepOption) -> str:
    low, high = option.interval
    return f"{option.win:.1%} (95 %: {low:.1%} to {high:.1%})"


def usual_cores() -> int:
    """Give the cores to use: one in a worker process, whose siblings have the others."""
    if multiprocessing.parent_process() is not None:
        return 1
    available = getattr(os, "sched_getaffinity", None)
    count = len(available(0)) if available is not None else os.cpu_count() or 1
    return min(count, MOST_CORES)
