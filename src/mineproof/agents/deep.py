"""`deep`: the strongest agent, with a time budget. Proves like `champion`, guesses by playouts.

It plays the best candidates to the end of the game on the same random layouts and opens the cell
with the highest expected chance of winning (`mineproof.search.deep`). Clear decisions stop early
and save time for close ones later in the game. Playouts need the C++ core.
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

# Each digit can match in only one way, so the expression never backtracks.
_TIME = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s)?")
LONGEST = 3600.0
"""The longest budget, in seconds."""
MOST_AT_ONCE = 4
"""The longest a guess may take, as a multiple of its share of the budget.

It takes more than its share only if earlier guesses saved the time."""
PATIENCE = 10.0
"""The longest a guess may take with saved time, in seconds. A player may be waiting."""
ONE_CORE = "MINEPROOF_ONE_CORE"
"""The environment variable that `mineproof.workers.batch` sets in its worker processes."""


def read_seconds(text: str) -> float:
    """Return the seconds in a time such as `0.2s`, `200ms` or `0.2`.

    Raises:
        AgentError: the text is not a time, or the time is 0 or longer than an hour.
    """
    match = _TIME.fullmatch(text.strip().lower())
    seconds = 0.0 if match is None else float(match[1]) / (1000 if match[2] == "ms" else 1)
    if not 0 < seconds <= LONGEST:
        raise AgentError(f"expected a time of at most an hour, such as 0.2s or 200ms, got {text!r}")
    return seconds


class GuessBudget:
    """The budget for the guesses of one game. Its average per guess is at most `share`.

    A guess may spend its own share plus the time that earlier guesses saved. The number of unopened
    cells identifies a guess, so that the same guess gets the same budget again, for example after
    an undo.
    """

    def __init__(self, share: float, patience: float = math.inf) -> None:
        """Start a game without saved time. Saved time never extends a guess beyond `patience`."""
        self.share = share
        self._most = max(share, min(MOST_AT_ONCE * share, patience))
        self._left: dict[int, float] = {}

    def of(self, unopened: int) -> float:
        """Return the amount that the guess with this many unopened cells may spend."""
        saved = sum(left for cells, left in self._left.items() if cells > unopened)
        return min(self.share + max(saved, 0.0), self._most)

    def spend(self, unopened: int, amount: float) -> None:
        """Record the amount that a guess spent.

        Spending more than `of` allows does not reduce the budget of later guesses.
        """
        self._left[unopened] = self.share - min(amount, self.of(unopened))


@agent(
    "deep",
    idea="proves like exact; guesses by playouts on random layouts, within a time budget",
    source="a new search; playouts on shared layouts, with weights instead of deaths",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="only which guess is best, because guesses are compared by an estimate",
    strength=100,
    takes_time=True,
)
class DeepAgent(KnowledgeAgent):
    """Opens proved cells, else the cell with the best expected chance after playouts."""

    proving: Counting
    time_limit = math.inf
    """Maximum time for a guess in seconds, regardless of its budget."""

    def __init__(
        self,
        *,
        budget: Annotated[str, "average time per guess, such as 0.2s or 200ms"] = "0.2s",
        playouts: Annotated[
            int, "average number of playouts per guess, for repeatable games; 0 uses the time"
        ] = 0,
        cores: Annotated[int, "threads; 0 uses all cores, or one in a worker process"] = 0,
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
                "agent deep needs the C++ core: install a C++ compiler, then reinstall Mineproof, "
                "or use champion, which works without the core"
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
        self._budget = GuessBudget(self._share, math.inf if self._counts_playouts else PATIENCE)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell that is best after playouts. Without playouts, choose like `champion`."""
        facts = self.proving.searchable(observation)
        choice = None if facts is None else self._play_out(facts)
        if facts is None or choice is None:
            return guess_by_search(self, self.proving, observation, self._evaluation)
        return self.guess_first(observation, choice.candidates, _words(facts, choice))

    def _play_out(self, facts: Facts) -> Choice | None:
        """Choose by playouts. Return None if they do not apply or gave no result."""
        if not isinstance(facts.prior, Known):
            return None
        unopened = len(facts.observation.unopened)
        allowed = self._budget.of(unopened)
        start = time.perf_counter()
        try:
            choice = choose_deep(
                facts,
                playouts=min(int(allowed), UNLIMITED) if self._counts_playouts else UNLIMITED,
                seconds=math.inf if self._counts_playouts else min(allowed, self.time_limit),
                cores=self._cores,
                seed=self._seed_for(facts.observation),
                evaluation=self._evaluation,
            )
        except WorkLimitError:
            return None
        played = 0 if choice is None else choice.playouts
        spent = played if self._counts_playouts else time.perf_counter() - start
        self._budget.spend(unopened, spent)
        return choice if choice is not None and choice.win is not None else None

    def _seed_for(self, observation: Observation) -> int:
        """Return the seed for a position. It does not depend on earlier questions."""
        key = zlib.crc32(observation.shown)
        return Stream(self._seed, Purpose.AGENT, key).next()


def _words(facts: Facts, choice: Choice) -> str:
    best, *others = choice.candidates
    if choice.exact:
        return f"{facts.layouts} layouts are left: best play wins {percent(best.win)} of them"
    text = f"nothing is proved safe; opening {best.cell} has a risk of {percent(best.risk)}"
    text += f" and wins {_chance(best)} of {best.playouts} playouts"
    if not others:
        return text
    other = f"{others[0].cell} with {_chance(others[0])} of {others[0].playouts}"
    if (others[0].win or 0) <= (best.win or 0):
        return f"{text}, ahead of {other}"
    return f"{text}; the lead of {other} is too small to outweigh the first estimates"


def _chance(candidate: Candidate) -> str:
    low, high = candidate.interval
    return f"{percent(candidate.win)} (95 %: {percent(low)} to {percent(high)})"


def usual_cores() -> int:
    """Return the number of cores to use.

    In a worker process it is one, because other workers need the rest.
    """
    if ONE_CORE in os.environ or multiprocessing.parent_process() is not None:
        return 1
    available = getattr(os, "sched_getaffinity", None)
    count = len(available(0)) if available is not None else os.cpu_count() or 1
    return min(count, MOST_CORES)
