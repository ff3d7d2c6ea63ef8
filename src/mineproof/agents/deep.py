"""`deep`: the strongest within a time budget. Proves like `champion`, guesses by playouts.

The cells that come near the best are played to the end of the game on random layouts, the same
for all of them, and the cell that is expected to win most is opened (`mineproof.search.deep`).
What clear decisions leave of the budget, close ones later in the game may use. Playouts need the
native core.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import re
import time
import zlib
from typing import Annotated

from mineproof.agents.champion import Evaluating, count_quickly, guess_by_search
from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import WeighedClues
from mineproof.agents.registry import agent
from mineproof.backend import native
from mineproof.core.decision import Candidate, Decision
from mineproof.core.errors import AgentError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import PublicRules
from mineproof.core.words import percent
from mineproof.inference.counting import Facts, Known
from mineproof.proof.counting import Counting
from mineproof.search.choice import Choice
from mineproof.search.deep import MOST_CORES, UNLIMITED, choose_deep
from mineproof.search.guessing import load_evaluation

_TIME = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s)?")  # one way to read digits: no backtracking
LONGEST = 3600.0
"""The longest budget, in seconds."""
MOST_AT_ONCE = 4
"""The longest a guess may take, as a multiple of its share of the budget.

It takes more than its share only if earlier guesses saved the time."""
PATIENCE = 10.0
"""The most seconds a guess may take by using savings: a player may be waiting."""
ONE_CORE = "MINEPROOF_ONE_CORE"
"""Set in the environment of the processes of a batch (`mineproof.workers.batch`)."""


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


class Allowance:
    """What the guesses of one game may spend: on average no more than an equal share each.

    A guess may spend its own share and what earlier ones left of theirs. It is known by the
    number of unopened cells: asked again, or after an undo, it has what it had before.
    """

    def __init__(self, share: float, patience: float = math.inf) -> None:
        """Begin a game in which nothing is saved; savings are not spent beyond the patience."""
        self.share = share
        self._most = max(share, min(MOST_AT_ONCE * share, patience))
        self._left: dict[int, float] = {}

    def of(self, unopened: int) -> float:
        """Return what a guess may spend, given the number of unopened cells."""
        saved = sum(left for cells, left in self._left.items() if cells > unopened)
        return min(self.share + max(saved, 0.0), self._most)

    def spend(self, unopened: int, amount: float) -> None:
        """Note what that guess has spent; what went beyond its allowance is forgiven."""
        self._left[unopened] = self.share - min(amount, self.of(unopened))


@agent(
    "deep",
    idea="guesses by playouts on random layouts, within a time budget; proves all there is",
    source="our own; playouts with weights instead of deaths, on common layouts",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="nothing that is true in all layouts; guesses are judged by an estimate",
    strength=100,
    takes_time=True,
)
class DeepAgent(KnowledgeAgent):
    """Opens what is proved; else the cell that is expected to win most, after playouts."""

    proving: Counting
    time_limit = math.inf
    """The most seconds that a guess may take, whatever its budget."""

    def __init__(
        self,
        *,
        budget: Annotated[str, "the time for a guess on average, such as 0.2s or 200ms"] = "0.2s",
        playouts: Annotated[
            int, "playouts for a guess on average instead of a time: repeatable; 0 is none"
        ] = 0,
        cores: Annotated[int, "threads that play; 0 is all cores, but one in a worker process"] = 0,
        clues: WeighedClues = "model",
        evaluation: Evaluating = "trained",
    ) -> None:
        """Set the options."""
        if not 0 <= playouts <= UNLIMITED:
            raise AgentError(f"expected playouts from 0 to {UNLIMITED}, got {playouts}")
        if not 0 <= cores <= MOST_CORES:
            raise AgentError(f"expected cores from 0 to {MOST_CORES}, got {cores}")
        seconds = read_seconds(budget)
        if native is None:
            raise AgentError(
                "expected the native core for the agent deep, got pure Python: install a C++ "
                "compiler and then Mineproof again; champion plays without it"
            )
        self.proving = Counting(clues, count_quickly)
        self._evaluation = load_evaluation() if evaluation == "trained" else None
        self._counts_playouts = playouts > 0
        self._share = playouts or seconds
        self._cores = cores or usual_cores()

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        super().start(rules, seed)
        self._seed = seed
        self._allowance = Allowance(self._share, math.inf if self._counts_playouts else PATIENCE)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell that playouts make the best; what `champion` opens where there are none."""
        facts = self.proving.searchable(observation)
        choice = None if facts is None else self._play_out(facts)
        if facts is None or choice is None:
            return guess_by_search(self, self.proving, observation, self._evaluation)
        return self.guess_first(observation, choice.candidates, _words(facts, choice))

    def _play_out(self, facts: Facts) -> Choice | None:
        """Play candidates; None where playouts make no sense, or nothing came of them."""
        if not isinstance(facts.prior, Known):
            return None
        unopened = len(facts.observation.unopened)
        allowed = self._allowance.of(unopened)
        start = time.perf_counter()
        try:
            choice = choose_deep(
                facts,
                playouts=min(int(allowed), UNLIMITED) if self._counts_playouts else None,
                seconds=None if self._counts_playouts else min(allowed, self.time_limit),
                cores=self._cores,
                seed=self._seed_for(facts.observation),
                evaluation=self._evaluation,
            )
        except WorkLimitError:
            return None
        played = 0 if choice is None else choice.playouts
        spent = played if self._counts_playouts else time.perf_counter() - start
        self._allowance.spend(unopened, spent)
        return choice if choice is not None and choice.win is not None else None

    def _seed_for(self, observation: Observation) -> int:
        """Return a seed for a position: the same whatever was asked before."""
        key = zlib.crc32(observation.shown)
        return Stream(self._seed, Purpose.AGENT, key).next()


def _words(facts: Facts, choice: Choice) -> str:
    best, *others = choice.candidates
    if choice.exact:
        return f"{facts.layouts} layouts are left: best play wins {percent(best.win)}"
    text = f"nothing is proved safe; opening {best.cell} risks {percent(best.risk)}"
    text += f" and wins {_chance(best)} of {best.playouts} playouts"
    if not others:
        return text
    other = f"{others[0].cell} with {_chance(others[0])} of {others[0].playouts}"
    if (others[0].win or 0) <= (best.win or 0):
        return f"{text}, before {other}"
    return f"{text}; {other} is too little to overrule what was expected of the two"


def _chance(candidate: Candidate) -> str:
    low, high = candidate.interval
    return f"{percent(candidate.win)} (95 %: {percent(low)} to {percent(high)})"


def usual_cores() -> int:
    """Return the cores to use: one in a worker process, whose siblings have the others."""
    if ONE_CORE in os.environ or multiprocessing.parent_process() is not None:
        return 1
    available = getattr(os, "sched_getaffinity", None)
    count = len(available(0)) if available is not None else os.cpu_count() or 1
    return min(count, MOST_CORES)
