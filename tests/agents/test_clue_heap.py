"""The agent `clue-heap`: its two heaps, the search over several clues, rules and options."""

from __future__ import annotations

from typing import Literal

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, conclusions, same_in_all
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import drawn_positions, observations, rules, seeds

from mineproof.agents.backtracking import BacktrackingAgent
from mineproof.agents.basic import BasicAgent
from mineproof.agents.clue_heap import ClueHeapAgent, ClueHeaps
from mineproof.agents.loading import make_agent
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import HARD, Rules
from mineproof.inference.clue_graph import ClueGraph
from mineproof.notation.position_text import parse_position

OPTIONS = st.builds(
    "clue-heap:backtracking={},early_stop={},components={},order={},mine_count={},clues={}".format,
    st.sampled_from(["on", "on", "off"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["apart", "together"]),
    st.sampled_from(["smallest", "largest"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["trust", "model"]),
)
CORNERS = "5x2x?\nH2H1H\nH----"


def decide(text: str, **options: object) -> tuple[ClueHeapAgent, Observation]:
    """Return a started agent, and the position that it should decide."""
    agent = make_agent("clue-heap", **options)
    assert isinstance(agent, ClueHeapAgent)
    observation = parse_position(text)
    agent.start(observation.rules, 0)
    return agent, observation


@given(OPTIONS, rules(max_side=6), seeds())
def test_all_rules_and_options(name: str, setting: Rules, seed: int) -> None:
    """Games end under all rules and options, and no proved move is wrong."""
    play_game(name, setting, seed)


@given(observations(max_side=5), OPTIONS)
def test_concludes_only_what_is_so(observation: Observation, name: str) -> None:
    """Every conclusion holds in all layouts. With backtracking, no conclusion is missing."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    trust, count = "clues=trust" in name, "mine_count=on" in name
    expected = same_in_all(observation, trust=trust, mine_count=count)
    assume(expected is not None)
    assert expected is not None
    agent = make_agent(name)
    assert isinstance(agent, ClueHeapAgent)
    found = conclusions(agent, observation)
    assert found.items() <= expected.items()
    assert "backtracking=off" in name or found == expected


@given(observations(max_side=6, plain=True), OPTIONS)
def test_includes_basic(observation: Observation, name: str) -> None:
    """With any options, `clue-heap` proves everything that single clues prove."""
    agent = make_agent(name)
    assert isinstance(agent, ClueHeapAgent)
    found = conclusions(agent, observation).items()
    assert conclusions(BasicAgent(), observation).items() <= found


@given(observations(max_side=6), st.sampled_from(["apart", "together"]))
def test_proves_what_backtracking_proves(
    observation: Observation, components: Literal["apart", "together"]
) -> None:
    agent = ClueHeapAgent(clues="model", components=components)
    other = BacktrackingAgent(clues="model")
    assert conclusions(agent, observation) == conclusions(other, observation)


@given(drawn_positions(max_side=6), OPTIONS)
def test_survives_contradictions(observation: Observation, name: str) -> None:
    """Clues that contradict each other are ignored. The answer is a legal move or None."""
    agent = make_agent(name)
    assert isinstance(agent, ClueHeapAgent)
    agent.start(observation.rules, 0)
    decision = agent.decide(observation)
    assert decision is None or observation.is_unopened(decision.move.cell)
    assert agent.knowledge().title


def test_clues_that_give_nothing_are_hard() -> None:
    """A clue that decides nothing moves from the easy heap to the hard heap."""
    agent, observation = decide(CORNERS)
    agent.decide(observation)
    assert agent.heaps.easy == []
    assert [(one.least, one.clue) for one in agent.heaps.hard_clues()] == [(1, 3), (2, 1)]
    clues = ("(0, 3): 1 of (0, 2), (0, 4)", "(0, 1): 2 of (0, 0), (0, 2), (1, 0)")
    groups = agent.knowledge().groups
    assert groups == {"easy heap, in reading order": clues, "hard heap": clues}


def test_words_of_a_guess_without_backtracking() -> None:
    """Without backtracking, the reason for a guess mentions only single clues."""
    agent, observation = decide(CORNERS, backtracking=False)
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.reason.text == "no single clue proves a cell, so this is a random guess"


def test_order_of_the_heaps() -> None:
    agent, observation = decide(CORNERS, order="largest")
    agent.decide(observation)
    assert [one.clue for one in agent.heaps.hard_clues()] == [1, 3]


@pytest.mark.parametrize(("smallest", "expected"), [(True, [1, 2, 3]), (False, [3, 2, 1])])
def test_small_numbers_are_read_first(smallest: bool, expected: list[int]) -> None:
    """Clues that share no cell are read from the smallest to the largest, or in reverse."""
    observation = parse_position("9x3x?\nHHHHHHHHH\nH3H1HHH2H\nHHHHHHHHH")
    graph = ClueGraph(observation.rules, trust=True)
    heaps = ClueHeaps(smallest=smallest, together=False, searched=True)
    heaps.forget(graph)
    numbers: list[int] = []

    def read(clue: int) -> list[int]:
        numbers.append(graph.shown[clue])
        return []

    heaps.follow(graph.update(observation.shown, range(len(observation.shown))), read)
    assert numbers == expected


def test_a_new_mine_pushes_its_neighbours() -> None:
    """When a mine is found next to a hard clue, the clue is read again and becomes easy."""
    agent, observation = decide("4x2x?\n1H2H\n11--")
    agent.decide(observation)
    assert {i: one.mined for i, one in agent.conclusions.items()} == {1: True, 3: True}
    assert agent.proving.counters["searches"] == 0


TOGETHER = "4x2x?\nHHHH\n1221"


def test_backtracking_tries_hard_clues_together() -> None:
    """All clues together solve the pattern 1-2-2-1 along a wall. Single clues do not."""
    agent, observation = decide(TOGETHER)
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.proved
    agent, observation = decide(TOGETHER, backtracking=False)
    decision = agent.decide(observation)
    assert decision is not None
    assert not decision.proved
    assert agent.proving.counters["searches"] == 0


def test_early_stop_ends_with_the_first_safe_cell() -> None:
    """With early stop, the search ends at the first safe cell, and otherwise it finds all."""
    early, observation = decide(TOGETHER)
    early.decide(observation)
    late, _ = decide(TOGETHER, early_stop=False)
    late.decide(observation)
    assert len(late.conclusions) == 4
    safe = [one for one in late.conclusions.values() if not one.mined]
    assert len(safe) == 2
    assert early.proving.counters["steps"] < late.proving.counters["steps"]


def test_components_together() -> None:
    """Searching two components together gives the same result as searching them separately."""
    text = "9x2x?\nHHHH-HHHH\n1221-1221"
    apart, observation = decide(text, early_stop=False)
    together, _ = decide(text, early_stop=False, components="together")
    assert conclusions(apart, observation) == conclusions(together, observation)
    assert together.proving.counters["searches"] < apart.proving.counters["searches"]


def test_listing_too_much_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without early stop, nothing is proved if there are too many solutions to list."""
    monkeypatch.setattr("mineproof.inference.clue_search.MOST_LISTED", 1)
    text = "10x2x?\nHHHH-H1H1H\n1221------"
    agent, observation = decide(text, early_stop=False, components="together")
    assert conclusions(agent, observation) == {}
    monkeypatch.undo()
    assert conclusions(agent, observation) != {}


def test_mine_count_decides_special_cases() -> None:
    """If the mines left are none or fill all cells, the mine count alone decides."""
    agent, observation = decide("5x1x1\n1H...", backtracking=False)
    agent.decide(observation)
    assert [one.mined for _, one in sorted(agent.conclusions.items())] == [True] + 3 * [False]
    assert agent.conclusions[4].reason.uses_mine_count
    unused, observation = decide("5x1x1\n1H...", backtracking=False, mine_count=False)
    unused.decide(observation)
    assert list(unused.conclusions) == [1]


@pytest.mark.parametrize("seed", range(3))
def test_heaps_follow_the_game(seed: int) -> None:
    """After every move, the hard heap holds exactly the clues that still constrain cells."""
    game = Game(HARD, seed)
    agent = ClueHeapAgent()
    agent.start(HARD.public(), 0)
    while not game.is_over:
        decision = agent.decide(game.observation)
        assert decision is not None
        assert agent.heaps.easy == []
        assert {one.clue for one in agent.heaps.hard_clues()} == set(
            agent.proving.graph.constraints
        )
        game.play(decision.move)
