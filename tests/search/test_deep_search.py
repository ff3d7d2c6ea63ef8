"""Playouts are unbiased, limited, useful, and the same on any number of cores."""

from __future__ import annotations

import itertools
import math
import signal
import statistics
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import FrameType
from typing import Any

import pytest
from conftest import Require
from contest_oracle import Contest, estimate, expected_share
from search_positions import guess_positions, noisy_evaluation

import mineproof as mw
from mineproof.backend import native
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import MineCount, Rules
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import Choice, GuessSettings
from mineproof.search.deep import DEEP, DeepSettings, choose_deep
from mineproof.search.guessing import choose, core_settings
from mineproof.search.winning import win_chances

WELL_OPEN = 0.15
"""Share of open cells above which the evaluation's uncertainty no longer grows."""
UNTRAINED = 3
"""The uncertainty without an evaluation, as a multiple of that with one."""
FAR_BEHIND = 2.5
"""A candidate that trails the best estimate by this many uncertainties gets no playouts."""
LOOKING = GuessSettings(layouts=0)
"""Settings of a policy that solves no endgame and always guesses by look-ahead."""
SEED = 4
PLAYED = replace(DEEP, fast=LOOKING, endgame=LOOKING)
"""Settings that solve no endgame at the root, so that playouts decide."""


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", native is not None, "the native core has no playouts")
    return native


def opened(rules: Rules, clue: int) -> tuple[Observation, list[bytes]]:
    """Return the position after the first cell showed a clue, and all boards that fit it."""
    boards = []
    for mines in itertools.combinations(range(1, rules.rows * rules.columns), rules.mines):
        board = Board.from_mines(rules.rows, rules.columns, mines)
        if board.clues[0] == clue:
            boards.append(board.mined)
    shown = bytes([clue]) + bytes([UNOPENED]) * (rules.rows * rules.columns - 1)
    return Observation(rules.public(), shown), boards


def policy_value(core: Any, rules: Rules, boards: Sequence[bytes], policy: GuessSettings) -> float:
    """Return the share of all boards that the fast policy wins by playing each of them."""
    games = core.play_games(
        rules.rows, rules.columns, rules.mines, b"".join(boards), 0, core_settings(policy)
    )
    assert len(games) == len(boards)
    return float(sum(game[0] == "win" for game in games)) / len(boards)


def results(
    facts: Facts, cells: Sequence[int], policy: GuessSettings, layouts: int
) -> list[list[float]]:
    """Play layouts in the core with each cell opened first; return a row of results per cell."""
    rows = facts.solved.play_layouts(cells, core_settings(policy), layouts, math.inf, SEED)
    assert len(rows) == layouts
    return [list(each) for each in zip(*rows, strict=True)]


@pytest.mark.parametrize("policy", [LOOKING, GuessSettings(layouts=30)], ids=["looking", "endgame"])
@pytest.mark.parametrize(
    ("rules", "clue", "layouts"),
    [
        *((Rules(5, 5, 5), 1, 6_000), (Rules(5, 5, 5), 2, 6_000), (Rules(4, 5, 7), 2, 6_000)),
        (Rules(3, 6, 13), 2, 200_000),
    ],
    ids=str,
)
def test_playouts_have_the_mean_of_plain_games(
    core: Any, rules: Rules, clue: int, layouts: int, policy: GuessSettings
) -> None:
    """The mean of playouts is the policy's win rate. Playouts vary less than results of games.

    In the last position, the chance of winning is so low that many playouts are abandoned.
    """
    seen, boards = opened(rules, clue)
    value = policy_value(core, rules, boards, policy)
    facts = count(seen)
    choice = choose(facts, policy)
    assert choice is not None
    (won,) = results(facts, [facts.observation.grid.index(choice.cell)], policy, layouts)
    mean, error = estimate(won)
    assert abs(mean - value) < 4 * error
    assert statistics.pstdev(won) < 0.8 * math.sqrt(value * (1 - value))


def answers(facts: Facts, **given: Any) -> Choice:
    """Return the choice, which must exist."""
    choice = choose_deep(facts, **given)
    assert choice is not None
    return choice


@cache
def expert_guesses() -> tuple[Facts, ...]:
    """Return guesses from expert games with too many layouts for the exact endgame."""
    seen = [each for each in guess_positions() if each.rules == mw.EXPERT.public()]
    facts = [count(each) for each in seen]
    return tuple(each for each in facts if (each.layouts or 0) > 10**6)[:6]


def doubt_at(facts: Facts) -> float:
    """Return the uncertainty of the evaluation at a position."""
    shown = facts.observation.shown
    return DEEP.doubt * min(1.0, (1 - shown.count(UNOPENED) / len(shown)) / WELL_OPEN)


@pytest.mark.parametrize("evaluated", [False, True])
def test_the_number_of_cores_changes_nothing(core: Any, evaluated: bool) -> None:
    """The same seed gives exactly the same answer, and another seed gives a different answer."""
    evaluation = noisy_evaluation() if evaluated else None
    facts = expert_guesses()[1]
    one, two, many = (
        answers(facts, playouts=400, cores=cores, seed=9, evaluation=evaluation)
        for cores in (1, 2, 7)
    )
    assert one == two == many
    assert one != answers(facts, playouts=400, seed=10, evaluation=evaluation)
    assert 100 <= one.playouts <= 400


def test_the_contest_in_the_core_is_that_in_python(core: Any) -> None:
    """Given equal results, core and Python rank, estimate and drop candidates in the same way."""
    for facts in expert_guesses():
        of = facts.observation.grid.index
        choice = answers(facts, playouts=600, seed=SEED)
        candidates = {each.cell: each for each in choice.candidates}
        assert choice.fast is not None
        first = [candidates.pop(choice.fast)]
        wide = choose(facts, replace(DEEP.wide, endgame_layouts=0))
        assert wide is not None
        rest = [candidates[each.cell] for each in wide.candidates if each.cell in candidates]
        contest = Contest([*first, *rest], UNTRAINED * DEEP.doubt, 600)
        while layouts := contest.next_layouts:
            start = contest.layouts
            cells = [of(cell) for cell in contest.playing]
            played = results(facts, cells, DEEP.playout, start + layouts)
            contest.add(zip(*(each[start:] for each in played), strict=True))
        for ours, entrant in zip(choice.candidates, contest.entrants, strict=True):
            mean, error = estimate(entrant.results)
            assert ours.cell == entrant.candidate.cell
            assert ours.playouts == len(entrant.results)
            assert ours.win == pytest.approx(mean, abs=1e-12)
            assert ours.error == pytest.approx(error, abs=1e-12)


def test_what_is_seen_far_behind_is_left_out(core: Any) -> None:
    """Candidates that are hopeless by the evaluation get no playouts."""
    dropped = 0
    for facts in expert_guesses():
        choice = answers(facts, playouts=20, evaluation=noisy_evaluation())
        candidates = {each.cell: each for each in choice.candidates}
        assert choice.fast is not None
        for each in candidates.values():
            share = expected_share(each, candidates[choice.fast])
            assert each.expected is None or share >= -FAR_BEHIND * doubt_at(facts)
        dropped += len(answers(facts, playouts=20).candidates) - len(candidates)
    assert dropped > 0


def test_no_time_gives_the_fast_choice(core: Any) -> None:
    for facts in expert_guesses():
        choice = answers(facts, seconds=0.0)
        fast = choose(facts, DEEP.fast)
        assert fast is not None
        assert choice.cell == choice.fast == fast.cell
        assert choice.playouts == 0
        assert all(each.win is None for each in choice.candidates)


def test_time_ends_the_search(core: Any) -> None:
    """A search that would take hours returns an answer within a short time limit."""
    facts = expert_guesses()[0]
    for seconds in (0.05, 0.5, 5.0, 50.0):  # a busy machine may play nothing in such a short time
        choice = answers(facts, playouts=10**8, seconds=seconds, cores=3)
        if choice.playouts:
            break
    assert 0 < choice.playouts < 10**6


def test_it_can_be_told_to_stop(core: Any) -> None:
    """The callback runs in the calling thread. The search stops if it returns False."""
    asked = []
    threads = threading.active_count()

    def goes_on() -> bool:
        asked.append(threading.get_ident())
        return len(asked) < 3

    choice = answers(expert_guesses()[0], playouts=10**8, cores=3, goes_on=goes_on)
    assert choice.playouts < 10**6
    assert 3 <= len(asked) <= 4
    assert set(asked) == {threading.get_ident()}
    assert threading.active_count() <= threads


def test_an_error_in_between_comes_out(core: Any) -> None:
    """An exception in the callback ends all threads and reaches the caller."""

    def goes_on() -> bool:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        choose_deep(expert_guesses()[0], playouts=10**8, cores=3, goes_on=goes_on)


def test_signals_end_the_search(core: Any) -> None:
    """Ctrl-C, or any signal handler that raises, ends the search."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(TimeoutError):
            choose_deep(expert_guesses()[0], playouts=10**8, cores=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def exact_wins(facts: Facts) -> dict[mw.Cell, float]:
    """Return the chance of winning with each cell under best play, from the exact endgame."""
    found = win_chances(facts, GuessSettings(layouts=20_000, endgame_work=10**9))
    assert found.exact
    assert found.win is not None
    return {facts.observation.grid.cell(index): win for index, win in found.moves.items()}


@cache
def small_positions() -> tuple[Facts, ...]:
    """Return non-trivial guesses on small boards that the endgame solves."""
    seen = [each for each in guess_positions() if each.rules.rows * each.rules.columns <= 144]
    facts = [count(each) for each in seen]
    return tuple(each for each in facts if 40 <= (each.layouts or 0) <= 3000)


def test_it_comes_closer_to_the_optimum_than_the_fast_policy(core: Any) -> None:
    """In solved positions, `deep` plays much closer to the optimum than the fast policy."""
    lost_fast = lost_deep = 0.0
    positions = small_positions()
    assert len(positions) >= 20
    for facts in positions:
        wins = exact_wins(facts)
        best = max(wins.values())
        choice = answers(facts, playouts=1500, seed=1, settings=PLAYED)
        assert choice.fast is not None
        lost_fast += best - wins[choice.fast]
        lost_deep += best - wins[choice.cell]
        assert wins[choice.cell] > wins[choice.fast] - 0.02
        for each in choice.candidates:
            assert each.win is not None
            assert each.win < wins[each.cell] + 5 * each.error + 1e-9
    assert lost_deep < 0.7 * lost_fast


def far_off(facts: Facts, choice: Choice) -> tuple[list[Candidate], list[Candidate]]:
    """Return the cells that win far more playouts than the choice, and those that win far less."""
    cells = [facts.observation.grid.index(each.cell) for each in choice.candidates]
    chosen, *others = results(facts, cells, PLAYED.playout, 1000)
    better: list[Candidate] = []
    worse: list[Candidate] = []
    for candidate, other in zip(choice.candidates[1:], others, strict=True):
        mean, error = estimate([a - b for a, b in zip(other, chosen, strict=True)])
        if abs(mean) > 0.01 + 5 * error:
            (better if mean > 0 else worse).append(candidate)
    return better, worse


def test_what_is_clear_takes_few_playouts_and_is_right(core: Any) -> None:
    """The search never drops a far better cell, and drops far worse cells early."""
    counts = []
    for facts in small_positions():
        choice = answers(facts, playouts=3000, seed=SEED + 1, settings=PLAYED)
        better, worse = far_off(facts, choice)
        assert not better
        counts += [each.playouts for each in worse]
    assert len(counts) > 50
    assert statistics.fmean(counts) < 100


def test_a_close_decision_takes_all_there_is(core: Any) -> None:
    """Some contests use all playouts, and none uses more."""
    counts = [answers(facts, playouts=600, settings=PLAYED).playouts for facts in expert_guesses()]
    assert 590 < max(counts) <= 600
    assert min(counts) < max(counts)


def test_a_solved_endgame_is_exact(core: Any) -> None:
    """If few layouts are left, the endgame is solved, and the only candidate is a best move."""
    solved = 0
    for facts in small_positions():
        choice = answers(facts, playouts=10)
        if not choice.exact:
            continue
        solved += 1
        wins = exact_wins(facts)
        assert choice.win == pytest.approx(max(wins.values()), abs=1e-9)
        assert wins[choice.cell] == pytest.approx(max(wins.values()), abs=1e-9)
        assert choice.best.interval == (choice.win,) * 2
        assert choice.best.win_exact
    assert solved > 15


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"playouts": 0}, "expected 1 to 100000000 playouts, got 0"),
        ({"seconds": -1.0}, "expected 0 or more seconds, got -1.0"),
        ({"seconds": math.nan}, "expected 0 or more seconds, got nan"),
        ({"cores": 0}, "expected 1 to 256 cores, got 0"),
        ({"seed": -1}, "expected a seed from 0"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(
    core: Any, given: dict[str, Any], expected: str
) -> None:
    shown = bytes([1]) + bytes([UNOPENED]) * 8
    facts = count(Observation(Rules(3, 3, 2).public(), shown))
    with pytest.raises(InputError, match=expected):
        choose_deep(facts, **given)


def test_positions_without_a_guess_are_refused() -> None:
    """Positions with proved safe cells, unreliable clues or an unknown mine count are rejected."""
    shown = bytes([0]) + bytes([UNOPENED]) * 8
    with pytest.raises(InputError, match="without proved safe cells"):
        choose_deep(count(Observation(Rules(3, 3, 1).public(), shown)))
    unknown = replace(Rules(3, 3, 2), mine_count=MineCount.UNKNOWN).public()
    facts = count(Observation(unknown, bytes([1]) + bytes([UNOPENED]) * 8))
    with pytest.raises(InputError, match="known mine count"):
        choose_deep(facts)


def test_settings_without_candidates_are_refused(core: Any) -> None:
    """The core rejects settings that allow no candidates."""
    with pytest.raises(ValueError, match="expected 1 to 1000 candidates"):
        choose_deep(small_positions()[0], settings=DeepSettings(candidates=0), playouts=10)
