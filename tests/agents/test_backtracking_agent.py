"""The agent `backtracking`: forward checking, proofs, guesses, openings, rules and options."""

from __future__ import annotations

from collections import Counter

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, conclusions, same_in_all
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import drawn_positions, observations, rules, seeds

import mineproof
from mineproof.agents.backtracking import BacktrackingAgent, influence
from mineproof.agents.basic import BasicAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.sentences import SentencesAgent
from mineproof.core.errors import AgentError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import HARD, PublicRules, Rules, with_options
from mineproof.notation.position_text import parse_position

OPTIONS = st.builds(
    "backtracking:order={},search={},opening={},mine_count={},clues={},work={}".format,
    st.sampled_from(["largest", "smallest"]),
    st.sampled_from(["proofs", "first"]),
    st.sampled_from(["random", "corners", "most"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["trust", "model"]),
    st.sampled_from([100_000, 5]),
)


def decide(text: str, **options: object) -> tuple[BacktrackingAgent, Observation]:
    """Return a started agent, and the position that it should decide."""
    agent = make_agent("backtracking", **options)
    assert isinstance(agent, BacktrackingAgent)
    observation = parse_position(text)
    agent.start(observation.rules, 0)
    return agent, observation


@given(OPTIONS, rules(max_side=6), seeds())
def test_all_rules_and_options(name: str, setting: Rules, seed: int) -> None:
    """Games end under all rules and options, and no proved move is wrong."""
    play_game(name, setting, seed)


@given(observations(max_side=5), st.booleans(), st.booleans())
def test_proves_exactly_what_is_so(observation: Observation, trust: bool, count: bool) -> None:
    """Proved cells are exactly those that all layouts share, with or without the mine count."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    expected = same_in_all(observation, trust=trust, mine_count=count)
    assume(expected is not None)
    agent = BacktrackingAgent(clues="trust" if trust else "model", mine_count=count)
    assert conclusions(agent, observation) == expected


@given(observations(max_side=5, plain=True))
def test_guesses_only_when_nothing_is_proved(observation: Observation) -> None:
    assume(len(observation.unopened) <= MOST_UNOPENED)
    agent = BacktrackingAgent()
    agent.start(observation.rules, 0)
    decision = agent.decide(observation)
    expected = same_in_all(observation)
    assert expected is not None
    if decision is not None:
        assert decision.proved == (False in expected.values())


@given(observations(max_side=6))
def test_includes_weaker_agents(observation: Observation) -> None:
    """`backtracking` proves everything that `basic` and `sentences` prove."""
    agent = BacktrackingAgent(clues="model")
    found = conclusions(agent, observation).items()
    exact = observation.rules.clues.floods
    assert not exact or conclusions(BasicAgent(), observation).items() <= found
    sentences = SentencesAgent(clues="model", mine_count=True)
    assert conclusions(sentences, observation).items() <= found


@given(drawn_positions(max_side=6))
def test_survives_contradictions(observation: Observation) -> None:
    """Clues that contradict each other are ignored. The answer is a legal move or None."""
    agent = BacktrackingAgent()
    agent.start(observation.rules, 0)
    decision = agent.decide(observation)
    if decision is None:
        return
    assert observation.is_unopened(decision.move.cell)
    assert agent.knowledge().title


def test_contradicting_clues_are_dropped() -> None:
    """Two clues that contradict each other are ignored, and the game continues elsewhere."""
    agent, observation = decide("5x3x?\n-H---\n1H2--\n-H-1H")
    decision = agent.decide(observation)
    assert agent.proving.graph.ignored == {5, 7}
    assert agent.proving.counters["contradictions"] == 1
    assert agent.conclusions[14].mined
    assert decision is not None
    assert decision.move.cell in (Cell(0, 1), Cell(1, 1), Cell(2, 1))


def test_forward_checking_comes_first() -> None:
    agent, observation = decide("3x2x?\n1H.\n11.")
    agent.decide(observation)
    assert agent.conclusions[1].mined
    assert agent.proving.counters["searches"] == 0


def test_forward_checking_takes_no_guess_for_a_fact() -> None:
    """If there are several solutions, the first solution found is not used as a proof."""
    agent, observation = decide("3x2x?\n1H1\nHHH")
    decision = agent.decide(observation)
    assert decision is not None
    assert not decision.proved
    assert agent.conclusions == {}
    assert agent.proving.counters["searches"] == 1


def test_guess_is_mined_in_the_fewest_solutions() -> None:
    """The agent guesses the cell that is a mine in the fewest solutions."""
    agent, observation = decide("5x2x?\nH2H1H\nH----")
    decision = agent.decide(observation)
    assert agent.shares() == {0: 2 / 3, 5: 2 / 3, 2: 2 / 3, 4: 1 / 3}
    assert decision is not None
    assert decision.move.cell == Cell(0, 4)
    assert decision.risk == 1 / 3


def test_guess_that_influences_most() -> None:
    """Among equally risky cells, the agent opens the cell connected to the most unknown cells."""
    agent, observation = decide("7x3x?\n1HHHHHH\nHHHHHHH\nHHHHHH1", guess="influence")
    decision = agent.decide(observation)
    assert decision is not None
    index = observation.grid.index(decision.move.cell)
    graph = agent.proving.graph
    reached = {cell: influence(graph, observation, cell) for cell in observation.unopened}
    assert reached[index] == max(reached.values())
    assert reached[8] == 7, "its neighbours, which hold its component"
    assert reached[9] == 8 + 1, "its neighbours, and the components of two of them"
    assert reached[10] == 8, "its neighbours alone"
    assert not decision.proved
    assert f"connects to {reached[index]} unknown cells" in decision.reason.text


def test_influence_gives_way_to_risk() -> None:
    """A clearly safer cell is opened even if it is connected to few unknown cells."""
    agent, observation = decide("5x2x?\nH2H1H\nH----", guess="influence")
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.move.cell == Cell(0, 4)


def test_shares_of_solutions() -> None:
    """Interchangeable cells have the same risk, and the reason states it."""
    agent, observation = decide("3x3x?\nHHH\nH1H\nHHH")
    decision = agent.decide(observation)
    assert agent.shares() == dict.fromkeys(set(range(9)) - {4}, 1 / 8)
    assert decision is not None
    assert decision.risk == 1 / 8
    assert "12\u00a0% of the solutions" in str(decision.reason)
    assert agent.knowledge().risks == agent.shares()


def test_interior_risk_from_the_mine_count() -> None:
    """The mines that a solution leaves over are spread over the cells that no clue touches."""
    agent, observation = decide("6x1x1\n1H....")
    assert agent.decide(observation) is not None
    assert agent.conclusions[1].mined
    assert not agent.conclusions[5].mined
    agent, observation = decide("8x2x4\n1HHHHHHH\nHHHHHHHH")
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.risk == pytest.approx(3 / 12)
    assert "no clue" in str(decision.reason)


def test_interior_risk_without_the_mine_count() -> None:
    """If the mine count is unknown, the risk of interior cells is estimated from the clues."""
    agent, observation = decide("8x2x?\n1HHHHHHH\nHHHHHHHH")
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.risk == pytest.approx(1 / 4)


def first_openings(opening: str, side: int = 5) -> Counter[Cell]:
    """Count how often an agent opens each cell first on a new board."""
    rules = PublicRules(side, side, 5)
    found: Counter[Cell] = Counter()
    for seed in range(40):
        agent = make_agent("backtracking", opening=opening)
        agent.start(rules, seed)
        decision = agent.decide(Observation(rules, bytes([9]) * side * side))
        assert decision is not None
        found[decision.move.cell] += 1
    return found


def test_openings() -> None:
    corners = {Cell(0, 0), Cell(0, 4), Cell(4, 0), Cell(4, 4)}
    assert set(first_openings("corners")) == corners
    inner = {Cell(row, column) for row in (1, 2, 3) for column in (1, 2, 3)}
    assert set(first_openings("most")) == inner
    anywhere = set(first_openings("random"))
    assert anywhere - inner
    assert anywhere & inner


def test_four_corners_of_five_by_five_see_twelve_cells() -> None:
    """The four corners have 12 neighbours in total. The source claims that they cover the board."""
    grid = PublicRules(5, 5, 5).grid
    seen = {near for corner in (0, 4, 20, 24) for near in grid.neighbours(corner)}
    assert len(seen) == 12


def test_work_limit_is_not_a_proof() -> None:
    """If a search exceeds the work limit, the agent guesses, and a counter records the event."""
    agent, observation = decide("5x3x?\nHHHHH\nH1H1H\nHHHHH", work=0)
    decision = agent.decide(observation)
    assert decision is not None
    assert not decision.proved
    assert agent.proving.counters["work limits"] == 1
    assert agent.shares() == {}


def test_reason_names_clues_and_conclusions() -> None:
    """A reason names the clues that refute the opposite value, and the proved cells it uses."""
    agent, observation = decide("4x3x?\nHHHH\n1221\nH..H")
    found = conclusions(agent, observation)
    assert found
    for index in found:
        reason = agent.conclusions[index].reason
        assert reason.clues
        assert all(observation.clue(cell) is not None for cell in reason.clues)


def test_mine_count_is_named_in_the_reason() -> None:
    """The reason mentions the mine count if the clues alone do not prove the cell."""
    text = "5x1x1\nH1H.."
    agent, observation = decide(text)
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.proved
    assert decision.reason.uses_mine_count
    assert decision.move.cell in (Cell(0, 3), Cell(0, 4))
    without, observation = decide(text, mine_count=False)
    decision = without.decide(observation)
    assert decision is not None
    assert not decision.proved


def test_knowledge_shows_the_graph() -> None:
    agent, observation = decide("7x1x?\nH1H.H1H")
    agent.decide(observation)
    shown = agent.knowledge()
    assert shown.lines == (
        "clues of component 1, which has 2 cells and 2 solutions: 1",
        "(0, 1): 1 of (0, 0), (0, 2)",
        "search of component 1 (1 if it fits, otherwise 0): 3",
        "(0, 0) = 1",
        "(0, 2) = 0, because 1 breaks the 1 at (0, 1)",
        "first solution: mines at (0, 0)",
        "clues of component 2, which has 2 cells and 2 solutions: 1",
        "(0, 5): 1 of (0, 4), (0, 6)",
        "search of component 2 (1 if it fits, otherwise 0): 3",
        "(0, 4) = 1",
        "(0, 6) = 0, because 1 breaks the 1 at (0, 5)",
        "first solution: mines at (0, 4)",
    )
    assert "2 components" in shown.title
    assert "searches 2" in shown.title
    assert shown.title.endswith("; it searches for proofs only when it has no proved move")


def test_knowledge_says_if_not_all_solutions_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.inference.clue_search.MOST_LISTED", 1)
    agent, observation = decide("5x1x?\nH1H1H")
    agent.decide(observation)
    assert "3 cells and at least 1 solution: 2" in agent.knowledge().lines[0]


def test_first_solution_may_be_the_wrong_one() -> None:
    """With `search=first`, the agent opens a 0 of its first solution, though it is a mine."""
    rules = mineproof.Rules(1, 3, 1)
    board = mineproof.Board(1, 3, bytes([0, 0, 1]))
    game = Game(rules, board=board, first=Cell(0, 1))
    outcome = mineproof.play(game, "backtracking:search=first").outcome
    assert outcome is not None
    assert outcome.result == "loss"


def test_first_solution_proves_nothing() -> None:
    """In this position, the agent proves a safe cell, but `search=first` calls it a guess."""
    text = "4x3x?\nHHHH\n1221\nH..H"
    agent, observation = decide(text, search="first")
    decision = agent.decide(observation)
    assert decision is not None
    assert not decision.proved
    assert "first solution" in decision.reason.text
    assert decide(text)[0].decide(observation).proved  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(4))
def test_follows_and_rebuilds_alike(seed: int) -> None:
    """A new agent proves every cell that an agent proved by following the game."""
    game = Game(HARD, seed)
    following = BacktrackingAgent()
    following.start(HARD.public(), 0)
    for _ in range(60):
        decision = following.decide(game.observation)
        if decision is None or not decision.proved:
            break
        game.play(decision.move)
        fresh = conclusions(BacktrackingAgent(), game.observation)
        following.decide(game.observation)
        unopened = set(game.observation.unopened)
        known = {i: one.mined for i, one in following.conclusions.items() if i in unopened}
        assert known.items() <= fresh.items()


@pytest.mark.parametrize("name", ["backtracking", "clue-heap", "clue-heap:components=together"])
@pytest.mark.parametrize("seed", range(2))
def test_no_guess_is_needless_on_large_boards(name: str, seed: int) -> None:
    """When the agent guesses, the exact engine proves no safe cell."""
    rules = with_options(HARD, explosion="continue")
    game, agent = Game(rules, seed), make_agent(name)
    agent.start(rules.public(), seed)
    guesses = 0
    while not game.is_over and guesses < 4:
        decision = agent.decide(game.observation)
        assert decision is not None
        if not decision.proved:
            guesses += 1
            assert list(mineproof.analyse(game.observation, moves=False).safe) == []
        game.play(decision.move)


def test_undo_is_noticed() -> None:
    """If a position does not follow the previous one, the agent reads it from scratch."""
    agent = BacktrackingAgent()
    rules = PublicRules(1, 3, 1)
    agent.start(rules, 0)
    before = Observation(rules, bytes((9, 9, 9)))
    after = Observation(rules, bytes((9, 9, 1)))
    agent.decide(after)
    assert set(agent.conclusions) == {0, 1}
    decision = agent.decide(before)
    assert decision is not None
    assert not decision.proved
    assert agent.conclusions == {}


def test_unknown_option() -> None:
    with pytest.raises(AgentError, match=r"order=largest\|smallest"):
        make_agent("backtracking:order=middle")
