"""The agent `deep`, which guesses by playouts and states a confidence interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from agent_games import play_game
from conftest import Require
from hypothesis import given
from hypothesis import strategies as st
from search_positions import guesses

import mineproof as mw
from mineproof.agents import deep
from mineproof.agents.deep import MOST_AT_ONCE, GuessBudget, read_seconds, usual_cores
from mineproof.agents.protocol import PlaysWhole
from mineproof.agents.registry import strongest
from mineproof.backend import native
from mineproof.core.clues import ClueRule
from mineproof.core.decision import Candidate, Decision
from mineproof.core.errors import AgentError
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, MineCount, Rules
from mineproof.match.batch import dealt, play_deals
from mineproof.notation.position_text import parse_position
from mineproof.workers.batch import Processes


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", native is not None, "the native core has no playouts")
    return native


def ask(seen: Observation, agent: str = "deep", **options: object) -> Decision:
    player = mw.make_agent(agent, **options)
    player.start(seen.rules, 1)
    decision = player.decide(seen)
    assert decision is not None
    return decision


def test_a_guess_says_how_often_it_wins(core: Any) -> None:
    """Each candidate has a risk, a next safety and a win chance. The reason states an interval."""
    seen = next(guesses(mw.EXPERT, 3))
    decision = ask(seen, playouts=300)
    assert not decision.proved
    best, *others = decision.candidates
    assert best.cell == decision.move.cell
    assert best.risk == decision.risk
    assert others
    for each in decision.candidates:
        assert each.win is not None
        assert each.next_safety is not None
        assert 0 < each.win < 1 - (each.risk or 0)
        assert not each.win_exact
    assert "playouts" in decision.reason.text
    assert "(95 %: " in decision.reason.text


def test_a_guess_that_playouts_do_not_favour_says_so(core: Any) -> None:
    """A few playouts do not overrule the first estimates, and the reason says so."""
    said = []
    for seed, playouts in product((1, 2, 4, 11), (20, 40, 60)):
        decision = ask(next(guesses(mw.EXPERT, seed)), playouts=playouts)
        if len(decision.candidates) > 1 and not decision.candidates[0].win_exact:
            best, other = (each.win or 0 for each in decision.candidates[:2])
            assert ("outweigh" in decision.reason.text) == (other > best)
            said.append(other > best)
    assert set(said) == {False, True}


def test_a_solved_endgame_is_exact(core: Any) -> None:
    """If few layouts are left, the chance of winning is exact, as it is with `champion`."""
    seen = parse_position("5x5x4\n12HHH\nHHHHH\nHHHHH\nHHHHH\nHHHHH\n")
    layouts = mw.analyse(seen, moves=False).layouts
    assert layouts is not None
    assert 500 < layouts <= 5000
    decision = ask(seen, playouts=10)
    assert decision.candidates[0].win_exact
    assert "best play wins" in decision.reason.text


def test_the_same_seed_plays_the_same_game(core: Any) -> None:
    """With a fixed number of playouts, `deep` plays the same game on any number of cores."""
    games = [
        play_game(f"deep:playouts=60,cores={cores}", mw.INTERMEDIATE, 5)[1] for cores in (1, 3)
    ]
    assert games[0] == games[1]
    seen = next(guesses(mw.EXPERT, 3))
    agent = mw.make_agent("deep", playouts=60)
    agent.start(seen.rules, 1)
    assert agent.decide(seen) == agent.decide(seen)


@given(st.floats(0.01, 1e6), st.lists(st.floats(0, 1), max_size=30))
def test_guesses_spend_on_average_no_more_than_their_share(
    share: float, parts: list[float]
) -> None:
    """A guess may take its share plus the time that earlier guesses saved, up to a limit."""
    budget = GuessBudget(share)
    spent = [0.0]
    for number, part in enumerate(parts):
        unopened = 1000 - number
        allowed = budget.of(unopened)
        saved = number * share - sum(spent)
        assert share <= allowed <= MOST_AT_ONCE * share
        assert allowed == pytest.approx(min(share + saved, MOST_AT_ONCE * share))
        budget.spend(unopened, part * allowed)
        assert budget.of(unopened) == allowed
        budget.spend(unopened, part * allowed)
        spent.append(part * allowed)
    assert sum(spent) <= len(parts) * share * (1 + 1e-9)
    assert budget.of(1001) == share


def test_what_took_too_long_is_not_taken_from_later_guesses() -> None:
    """If a guess takes far too long, later guesses still get their full share of time."""
    budget = GuessBudget(0.2)
    budget.spend(400, 600.0)
    assert budget.of(300) == 0.2
    budget.spend(300, 0.0)
    assert budget.of(200) == 0.4


def test_a_look_back_takes_no_savings() -> None:
    """A question about an earlier position does not change the budget for the current one."""
    budget = GuessBudget(100)
    for unopened in (400, 350):
        budget.spend(unopened, 0)
    assert budget.of(300) == 300
    assert budget.of(400) == 100
    assert budget.of(300) == 300


def test_savings_do_not_try_the_patience_of_who_waits() -> None:
    """Saved time extends a short budget up to the limit, and never extends a longer budget."""
    for share, most in ((0.2, 0.8), (5.0, 10.0), (60.0, 60.0)):
        budget = GuessBudget(share, 10.0)
        for unopened in range(20, 0, -1):
            budget.spend(unopened, 0.0)
        assert budget.of(0) == pytest.approx(most)


def test_a_game_keeps_to_its_playouts(core: Any) -> None:
    """Guesses stay within the playouts budgeted so far, and some use playouts saved earlier."""
    most = 0
    for seed in range(9):
        game = mw.Game(mw.EXPERT, seed, mw.EXPERT.first_cell)
        player = mw.make_agent("deep", playouts=60)
        player.start(game.rules.public(), seed)
        counts: list[int] = []
        while not game.is_over and (decision := player.decide(game.observation)) is not None:
            if not decision.proved:
                counts.append(sum(each.playouts for each in decision.candidates))
                assert sum(counts) <= 60 * len(counts)
            game.play(decision.move)
        most = max(most, *counts, 0)
    assert 60 < most <= 60 * MOST_AT_ONCE


def test_games_are_not_those_of_champion(core: Any) -> None:
    """`deep` plays whole games move by move, with the same results in several processes."""
    assert not isinstance(mw.make_agent("deep"), PlaysWhole)
    alone: list[Any] = []
    together: list[Any] = []
    deals = dealt(mw.CLASSIC_BEGINNER, 6, seed=40)
    play_deals("deep:playouts=40", deals, alone.extend)
    play_deals("deep:playouts=40", deals, together.extend, jobs=2)
    results = [
        sorted((game.index, game.result, game.guesses, game.moves) for game in games)
        for games in (alone, together)
    ]
    assert len(results[0]) == 6
    assert results[0] == results[1]


OTHER_RULES = [
    replace(mw.BEGINNER, mine_count=MineCount.UNKNOWN),
    replace(mw.BEGINNER, clues=ClueRule.parse("withheld:0.8")),
    replace(mw.BEGINNER, clues=ClueRule.parse("cautious")),
]


@pytest.mark.parametrize("rules", OTHER_RULES, ids=["unknown", "withheld", "cautious"])
def test_elsewhere_it_plays_like_champion(core: Any, rules: Rules) -> None:
    """Without exact clues or a known mine count, `deep` plays like `champion`."""
    ours, theirs = (play_game(agent, rules, 3)[1] for agent in ("deep:playouts=20", "champion"))
    assert ours == theirs


@pytest.mark.parametrize(
    "rules",
    [
        replace(mw.BEGINNER, goal=Goal.MARK),
        replace(mw.BEGINNER, explosion=Explosion.CONTINUE),
        Rules(1, 1, 0),
        Rules(1, 9, 4),
        Rules(3, 3, 8),
    ],
    ids=["mark", "continue", "1x1", "1x9", "3x3"],
)
def test_every_game_comes_to_an_end(core: Any, rules: Rules) -> None:
    """Games end under other goals and on tiny boards."""
    for seed in range(3):
        play_game("deep:playouts=20", rules, seed)


def test_no_time_is_no_harm(core: Any) -> None:
    """If there is no time for a playout, `deep` makes `champion`'s guess."""
    seen = next(guesses(mw.EXPERT, 3))
    assert ask(seen, budget="0.0001ms").move == ask(seen, "champion").move


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0.2s", 0.2), ("200ms", 0.2), ("1.5", 1.5), (" 2 S ", 2.0), (".5s", 0.5), ("3600", 3600.0)],
)
def test_times_are_read(text: str, seconds: float) -> None:
    assert read_seconds(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1s", "0", "0s", "nan", "inf", "1h", "3601s", "1e9"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(AgentError, match=r"expected a time of at most an hour, such as 0\.2s"):
        mw.make_agent("deep", budget=text)


@pytest.mark.parametrize("options", [{"playouts": -1}, {"cores": -1}, {"cores": 10_000}])
def test_numbers_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(AgentError, match=r"expected (playouts|cores) from 0 to"):
        mw.make_agent("deep", **options)


def test_it_has_to_be_asked_for() -> None:
    assert strongest() == "champion"


def count_cores(chunk: int) -> Iterator[tuple[int, int]]:
    """Return the number of cores that `deep` would use. Called in a worker process."""
    yield chunk, usual_cores()


@pytest.mark.parametrize(("jobs", "expected"), [(2, 1), (1, usual_cores())])
def test_worker_processes_use_one_core(jobs: int, expected: int) -> None:
    """With several workers, each uses one core. A single worker uses all cores."""
    found: dict[int, int] = {}

    def take(_: int, parts: list[tuple[int, int]], __: float) -> bool:
        found.update(parts)
        return True

    with Processes(jobs) as workers:
        workers.run(count_cores, [1, 2, 3], take)
    assert found == dict.fromkeys([1, 2, 3], expected)


def test_a_worker_of_a_cluster_uses_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process started by `multiprocessing` uses one core."""
    monkeypatch.setattr("multiprocessing.parent_process", object)
    assert usual_cores() == 1


def test_a_single_playout_says_nothing_of_its_error() -> None:
    """After a single playout, the interval is 0 to 1."""
    assert Candidate(mw.Cell(0, 0), 0.1, win=0.6, playouts=1).interval == (0.0, 1.0)
    low, high = Candidate(mw.Cell(0, 0), 0.1, win=0.6, error=0.1, playouts=9).interval
    assert 0.3 < low < 0.6 < high < 0.9


def test_without_the_core_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says that `deep` needs the core, and names an agent that works without it."""
    monkeypatch.setattr(deep, "native", None)
    with pytest.raises(AgentError, match=r"agent deep needs the C\+\+ core") as raised:
        mw.make_agent("deep")
    assert "champion, which works without the core" in str(raised.value)
