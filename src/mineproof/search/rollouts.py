"""Which cell to guess when there is time: playouts on layouts that all candidates share.

If the endgame can be solved, it is. Otherwise the cells that come near the best are played to
the end of the game by the fast policy, on layouts drawn from all that are possible, in rounds
of sequential halving. The native core does it on several cores; without it the same idea runs
here in plain Python, far slower and on other layouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.random import check_seed
from mineproof.inference.counting import NODES, Facts, Known
from mineproof.search.choice import Choice, GuessOption
from mineproof.search.contest import Contest, Entrant, estimate, expected_share
from mineproof.search.evaluation import Evaluation
from mineproof.search.guessing import choose, choose_in_python, core_settings
from mineproof.search.playouts import Playouts
from mineproof.search.settings import USUAL, GuessSettings

SECONDS = 0.2
"""How long a guess may take where nothing else is said."""
LAYOUTS_ALONE = 100
"""Layouts that a single candidate plays: for an estimate, there is nothing to choose."""
FAR_BEHIND = 2.5
"""A candidate that an evaluation sees so many times the doubt behind has no chance."""
SPREAD = 1.96
"""Standard errors on either side of a mean that make a 95 % interval."""
UNLIMITED = 100_000_000
MOST_CORES = 256

GoesOn = Callable[[], bool]
"""Asked now and then; False ends the search, which answers with what it has."""


WIDE = replace(USUAL, reach=0.85, inner_reach=0.90, margin=0.3, finalists=100)
ENDGAME = replace(USUAL, layouts=5000, endgame_work=3_000_000)
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, reach=0.90, inner_reach=0.95, margin=0.0)


@dataclass(frozen=True)
class DeepSettings:
    """How candidates are found and played."""

    fast: GuessSettings = USUAL
    """The policy whose choice is kept unless another cell is better."""
    wide: GuessSettings = WIDE
    """What finds the candidates."""
    endgame: GuessSettings = ENDGAME
    """What the core solves exactly instead."""
    playout: GuessSettings = PLAYOUT
    """The policy that plays on: by survival alone, which is faster and says as much."""
    candidates: int = 8
    doubt: float = 0.02
    """How far apart two candidates may be against all expectation, as a share of the chance to
    win: the larger, the more is left to the playouts."""


DEEP = DeepSettings()
"""What the agent `deep` plays with."""


class Limits(NamedTuple):
    """What bounds and directs a search."""

    playouts: int
    seconds: float
    seed: int
    cores: int
    goes_on: GoesOn | None


@dataclass(frozen=True, slots=True)
class DeepOption:
    """A candidate with what playouts say of it."""

    option: GuessOption
    """What was known of it before."""
    win: float | None
    """The chance to win: the mean of its playouts, or exact; None if nothing was played."""
    error: float
    """The standard error of `win`."""
    playouts: int

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval around the chance to win, as far as chances go."""
        win = 0.0 if self.win is None else self.win
        return max(win - SPREAD * self.error, 0.0), min(win + SPREAD * self.error, 1.0)


@dataclass(frozen=True, slots=True)
class DeepChoice:
    """The cell to guess, and what was played to find it."""

    fast: int
    """The cell that the fast policy opens."""
    exact: bool
    """Whether the endgame was solved: then there is one option, and its `win` is exact."""
    options: tuple[DeepOption, ...]
    """The candidates, the choice first."""

    @property
    def index(self) -> int:
        """The cell to open."""
        return self.options[0].option.index

    @property
    def playouts(self) -> int:
        """How many playouts there were in all."""
        return sum(option.playouts for option in self.options)


def choose_deep(  # noqa: PLR0913  (each bounds or directs the search in its own way)
    facts: Facts,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    cores: int = 1,
    seed: int = 0,
    settings: DeepSettings = DEEP,
    evaluation: Evaluation | None = None,
    goes_on: GoesOn | None = None,
) -> DeepChoice | None:
    """Choose a guess; None if no cell is left.

    Args:
        facts: the exact facts of a position with exact clues and a known number of mines, in
            which no cell is proved safe.
        playouts: how many in all: then equal seeds give equal answers, on any number of cores.
        seconds: how long; without either it is `SECONDS`.
        cores: threads of the native core.
        seed: decides which layouts are drawn.
        settings: how candidates are found and played.
        evaluation: a trained value that guesses are judged by.
        goes_on: a function that can end the search early.

    Raises:
        InputError: some cell is proved safe, or the facts are of another kind.
        WorkLimitError: counting once more takes too many states.
    """
    _check(facts)
    if playouts is None and seconds is None:
        seconds = SECONDS
    limits = Limits(
        UNLIMITED if playouts is None else playouts,
        math.inf if seconds is None else seconds,
        check_seed(seed),
        cores,
        goes_on,
    )
    _check_limits(limits)
    if native is None:
        return choose_deep_in_python(facts, settings, evaluation, limits)
    return _choose_native(native, facts, settings, evaluation, limits)


def _check(facts: Facts) -> None:
    rules = facts.observation.rules
    if not facts.exact or rules.clues != EXACT or not isinstance(facts.prior, Known):
        raise InputError("expected exact facts from exact clues and a known count, got others")
    if facts.safe:
        cell = facts.observation.grid.cell(facts.safe[0])
        raise InputError(f"expected a position in which no cell is proved safe, got {cell}")


def _check_limits(limits: Limits) -> None:
    if not 1 <= limits.playouts <= UNLIMITED:
        raise InputError(f"expected 1 to {UNLIMITED} playouts, got {limits.playouts}")
    if not limits.seconds >= 0:
        raise InputError(f"expected seconds from 0 on, got {limits.seconds}")
    if not 1 <= limits.cores <= MOST_CORES:
        raise InputError(f"expected 1 to {MOST_CORES} cores, got {limits.cores}")


def _choose_native(
    core: Any,
    facts: Facts,
    settings: DeepSettings,
    evaluation: Evaluation | None,
    limits: Limits,
) -> DeepChoice | None:
    assert isinstance(facts.prior, Known)
    position = facts.rows, facts.columns, facts.prior.mines, facts.observation.shown
    policies = settings.fast, settings.wide, settings.endgame, settings.playout
    trained = None if evaluation is None else evaluation.native
    try:
        answer = core.guess_deep(
            *position,
            *map(core_settings, policies),
            trained,
            settings.candidates,
            settings.doubt,
            *limits,
            NODES,
        )
    except core.WorkLimit:
        raise WorkLimitError(f"expected at most {NODES} states to count, got more") from None
    if answer is None:
        return None
    fast, exact, options = answer
    return DeepChoice(fast, exact, tuple(map(_option, options)))


def _option(plain: tuple[Any, ...]) -> DeepOption:
    index, safety, after, survival, expected, win, error, playouts = plain
    return DeepOption(GuessOption(index, safety, after, survival, expected), win, error, playouts)


def choose_deep_in_python(
    facts: Facts, settings: DeepSettings, evaluation: Evaluation | None, limits: Limits
) -> DeepChoice | None:
    """Choose a guess without the native core's playouts; see `choose_deep`."""
    return _Search(facts, settings, evaluation, limits).choose()


class _Search:
    """The search in plain Python."""

    def __init__(
        self,
        facts: Facts,
        settings: DeepSettings,
        evaluation: Evaluation | None,
        limits: Limits,
    ) -> None:
        self._start = time.monotonic()
        self._facts = facts
        self._settings = settings
        self._evaluation = evaluation
        self._limits = limits
        self._playouts = Playouts(facts, self._policy, limits.seed)
        self._next = 0

    def choose(self) -> DeepChoice | None:
        own = choose(self._facts, self._settings.fast, self._evaluation)
        if own is None:
            return None
        if own.exact:  # a larger endgame would take too long here
            return DeepChoice(own.index, True, (DeepOption(self._alone(own), own.win, 0.0, 0),))
        contest = Contest(self._candidates(own), self._settings.doubt)
        for number in range(1, contest.rounds + 1):
            if number > 1:
                contest.halve()
            self._play(contest, number / contest.rounds)
        return DeepChoice(own.index, False, tuple(map(_summary, contest.entrants)))

    def _alone(self, choice: Choice) -> GuessOption:
        """Give a choice that was compared with no other."""
        return GuessOption(choice.index, 1 - self._facts.risk[choice.index], 0.0, 0.0, None)

    def _policy(self, facts: Facts) -> Choice | None:
        return choose(facts, self._settings.playout)

    def _candidates(self, own: Choice) -> list[GuessOption]:
        """Give the choice of the fast policy, then the others that come near it."""
        if not own.options:  # best play in a part of its own
            return [self._alone(own)]
        wide = replace(self._settings.wide, endgame_layouts=0)  # which is not to solve anything
        found = choose_in_python(self._facts, wide, self._evaluation)
        assert found is not None
        options = sorted(found.options, key=lambda option: option.index != own.index)
        if options[0].index != own.index:
            options.insert(0, own.options[0])
        least = -FAR_BEHIND * self._settings.doubt
        near = [
            option
            for option in options
            if option.win is None or expected_share(option, options[0]) >= least
        ]
        return near[: self._settings.candidates]

    def _play(self, contest: Contest, share: float) -> None:
        """Play a round, which may last until a share of the time is over."""
        layouts = self._limits.playouts // contest.rounds // contest.left
        if contest.left == 1:
            layouts = min(layouts, LAYOUTS_ALONE)
        rows = []
        for _ in range(max(layouts, 1)):
            if not self._has_time(share):
                break
            rows.append(self._playouts.play(self._next, contest.playing))
            self._next += 1
        contest.add(rows)

    def _has_time(self, share: float) -> bool:
        if time.monotonic() >= self._start + share * self._limits.seconds:
            return False
        return self._limits.goes_on is None or self._limits.goes_on()


def _summary(entrant: Entrant) -> DeepOption:
    win, error = estimate(entrant.results)
    played = len(entrant.results)
    return DeepOption(entrant.option, win if played else None, error, played)
