"""The agent `possibility`: its map of values, its unproved flags, and fixed defects."""

from __future__ import annotations

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, conclusions, same_in_all
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import drawn_positions, observations, rules, seeds

from mineproof.agents.basic import BasicAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.possibility import EXPLORED, FLAGGED, UNEXPLORED, PossibilityAgent
from mineproof.core.board import Board
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import SAFE, PublicRules, Rules, with_options
from mineproof.match.play import play
from mineproof.notation.documents import parse_play_ground
from mineproof.notation.position_text import parse_position

OPTIONS = st.sampled_from(
    [
        "possibility",
        "possibility:threshold=0.3",
        "possibility:threshold=1",
        "possibility:threshold=0.01",
    ]
)


def agent_on(text: str, **options: object) -> tuple[PossibilityAgent, Observation]:
    """Return a started agent, and the position that it should decide."""
    agent = make_agent("possibility", **options)
    assert isinstance(agent, PossibilityAgent)
    observation = parse_position(text)
    agent.start(observation.rules, 0)
    return agent, observation


def decided(text: str, **options: object) -> tuple[PossibilityAgent, Decision]:
    """Return the agent and its decision."""
    agent, observation = agent_on(text, **options)
    decision = agent.decide(observation)
    assert decision is not None
    return agent, decision


@given(OPTIONS | st.just("possibility:order=lowest"), rules(max_side=6), seeds())
def test_all_rules_and_options(name: str, setting: Rules, seed: int) -> None:
    """Games end under all rules, and no proved move is wrong."""
    play_game(name, setting, seed)


@given(observations(max_side=5, plain=True), OPTIONS)
def test_proved_means_true_in_all_layouts(observation: Observation, name: str) -> None:
    """Conclusions hold in all layouts, even with wrong flags, and include those of `basic`."""
    agent = make_agent(name)
    assert isinstance(agent, PossibilityAgent)
    found = conclusions(agent, observation)
    assert found == conclusions(BasicAgent(), observation)
    assume(len(observation.unopened) <= MOST_UNOPENED)
    expected = same_in_all(observation, mine_count=False)
    assert expected is not None
    assert found.items() <= expected.items()


@given(drawn_positions(max_side=6), OPTIONS)
def test_survives_contradictions(observation: Observation, name: str) -> None:
    """If clues contradict each other, the answer is still a legal move or None."""
    agent = make_agent(name)
    assert isinstance(agent, PossibilityAgent)
    agent.start(observation.rules, 0)
    decision = agent.decide(observation)
    assert decision is None or observation.is_unopened(decision.move.cell)


def test_one_clue_with_seven_unknown_neighbours() -> None:
    """In the report's example, each cell has the possibility 1/7, not 1/8."""
    agent, _ = decided("4x3x?\nHHHH\n-1HH\nHHHH", threshold=0.9)
    assert agent.ground[5] == EXPLORED
    assert {round(agent.ground[i], 3) for i in (0, 1, 2, 6, 8, 9, 10)} == {0.143}
    assert agent.ground[3] == UNEXPLORED
    ground = parse_play_ground("\n".join(agent.knowledge().lines))
    assert ground == [[0.143, 0.143, 0.143, -2], [0, 0, 0.143, -2], [0.143, 0.143, 0.143, -2]]


def test_combination() -> None:
    """If two clues give values for a cell, the values are combined as 1 - (1 - old)(1 - new)."""
    agent, decision = decided("5x1x?\nH1H1H", threshold=0.9)
    assert agent.ground == [0.5, EXPLORED, 0.75, EXPLORED, 0.5]
    assert agent.knowledge().risks == {0: 0.5, 2: 0.75, 4: 0.5}
    assert decision.move == Move(Action.OPEN, Cell(0, 0))
    assert decision.risk == 0.5
    assert not decision.proved


def test_flagged_mines_are_subtracted() -> None:
    """A clue divides its remaining mines equally among its unknown neighbours."""
    agent, _ = decided("5x3x?\n-MHHH\n-2---\n--H--", threshold=0.9)
    assert agent.ground[2] == agent.ground[12] == 0.5
    assert agent.ground[1] == FLAGGED


def test_certainty_is_set() -> None:
    """Combined values are never 0 or 1.

    The value from a single clue can be 0 or 1, which is a proof.
    """
    agent, observation = agent_on("5x1x?\nH1-1H")
    assert agent.decide(observation) is None
    assert agent.ground == [FLAGGED, EXPLORED, EXPLORED, EXPLORED, FLAGGED]
    agent, decision = decided("3x2x?\n-M.\n-1.")
    assert decision.proved
    assert decision.move.action is Action.OPEN
    assert agent.ground[2] == agent.ground[5] == EXPLORED


def test_least_possibility_is_positive() -> None:
    """The codes for flagged and unexplored cells do not count as the lowest possibility."""
    agent, decision = decided("7x1x?\nM.H1H..", threshold=0.9)
    assert agent.ground == [FLAGGED, UNEXPLORED, 0.5, EXPLORED, 0.5, UNEXPLORED, UNEXPLORED]
    assert decision.move.cell == Cell(0, 2)
    assert "lowest possibility of a mine, 0.500" in str(decision.reason)


def test_order_of_the_report() -> None:
    """With `order=lowest`, the lowest possibility comes before a cell that a clue proves."""
    text = "6x3x?\n1H1H1H\n111HHH\nHHHHHH"
    _, first = decided(text)
    assert first.proved
    agent, decision = decided(text, order="lowest")
    assert not decision.proved
    assert not agent.conclusions
    lowest = min(value for value in agent.ground if value > 0)
    assert agent.ground[agent.rules.grid.index(decision.move.cell)] == lowest
    assert decision.move != first.move


def test_nothing_known_is_a_random_cell() -> None:
    """If no cell has a possibility, any unexplored cell is opened."""
    rules = PublicRules(3, 3, 2)
    found = set()
    for seed in range(30):
        agent = PossibilityAgent()
        agent.start(rules, seed)
        decision = agent.decide(Observation(rules, bytes([9] * 9)))
        assert decision is not None
        assert decision.risk is None
        found.add(decision.move.cell)
    assert len(found) > 5


def test_no_division_by_zero() -> None:
    """A clue without unknown neighbours is skipped, and a board of one cell can be played."""
    agent, _ = agent_on("1x1x0\n0")
    assert agent.decide(parse_position("1x1x0\n0")) is None
    _, decision = decided("1x1x0\nH")
    assert decision.move.cell == Cell(0, 0)


MARKING = "5x1x?\nH1H1H"
"""A position whose middle cell has the possibility 0.75."""


def test_flags_are_not_proved() -> None:
    """If flags count, a cell at the threshold is flagged, but the move is not called proved."""
    position = parse_position(MARKING)
    rules = with_options(Rules(1, 5, 2), goal="mark").public()
    agent = PossibilityAgent(threshold=0.7)
    agent.start(rules, 0)
    decision = agent.decide(Observation(rules, position.shown))
    assert decision is not None
    assert decision.move == Move(Action.MARK, Cell(0, 2))
    assert not decision.proved
    assert decision.risk == 0.75
    assert agent.flags == {2: 0.75}
    assert agent.conclusions == {}


def test_what_follows_from_a_flag_is_not_proved() -> None:
    """If the middle cell is flagged, both clues are satisfied, but opening an end is a guess."""
    agent, decision = decided(MARKING, threshold=0.7)
    assert agent.ground == [EXPLORED, EXPLORED, FLAGGED, EXPLORED, EXPLORED]
    assert decision.move == Move(Action.OPEN, Cell(0, 0))
    assert not decision.proved
    assert decision.risk is None
    assert agent.conclusions == {}


def test_wrong_flags_do_not_count_as_found() -> None:
    """The score counts only correct flags. False flags are counted separately."""
    rules = with_options(Rules(2, 2, 2), start="any", explosion="continue")
    game = Game(rules, board=Board.from_mines(2, 2, [1, 3]), first=(0, 0))
    agent = PossibilityAgent(threshold=0.6)
    play(game, agent)
    assert agent.flags == {1: 2 / 3, 2: 2 / 3}
    assert game.outcome == Outcome(Result.LOSS, hits=1, false_marks=1, score=0.5)


def test_a_fact_corrects_a_flag() -> None:
    """If a clue proves a flagged cell safe, the flag is removed before the cell is opened."""
    rules = with_options(Rules(1, 5, 2), goal="mark").public()
    agent = PossibilityAgent(threshold=0.7)
    agent.start(rules, 0)
    first = Observation(rules, parse_position(MARKING).shown)
    agent.decide(first)
    shown, marks = bytes((11, 1, 9, 1, 9)), bytes((0, 0, 1, 0, 0))
    later = Observation(rules, shown, marks, (0,), first.serial)
    decision = agent.decide(later)
    assert decision is not None
    assert decision.proved
    assert decision.move == Move(Action.UNMARK, Cell(0, 2))
    assert agent.flags == {}
    assert agent.conclusions[4].mined


def test_after_a_mine_it_goes_on_at_random() -> None:
    """After a hit, the agent opens a random unexplored cell."""
    rules = with_options(Rules(3, 9, 5), explosion="continue", mine_count="unknown").public()
    shown = bytearray(parse_position("9x3x?\nHHHHHHHHH\nH1HHHHHHH\nHHHHHHHHH").shown)
    found = set()
    for seed in range(30):
        agent = PossibilityAgent()
        agent.start(rules, seed)
        before = Observation(rules, bytes(shown))
        agent.decide(before)
        after = bytearray(shown)
        after[26] = 11
        decision = agent.decide(Observation(rules, bytes(after), None, (26,), before.serial))
        assert decision is not None
        assert agent.ground[26] == FLAGGED
        found.add(decision.move.cell)
    assert len(found) > 8


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.8])
@pytest.mark.parametrize("goal", ["open", "mark"])
def test_games_never_end_stuck(goal: str, threshold: float) -> None:
    """With exact clues, there is always a cell to explore until the game is over."""
    for seed in range(10):
        game = Game(with_options(Rules(6, 6, 9, SAFE), goal=goal), seed)
        play(game, PossibilityAgent(threshold=threshold))
        assert game.outcome is not None
        assert game.outcome.result is not Result.STUCK


def test_marks_are_taken_back_before_opening() -> None:
    """If every cell is flagged, the agent removes a flag and then opens that cell."""
    agent, observation = agent_on("3x1x?\nF1F")
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.move == Move(Action.UNMARK, Cell(0, 0))
    assert not decision.proved
    assert "not over" in str(decision.reason)
    marks = bytes((0, 0, 1))
    follower = Observation(observation.rules, observation.shown, marks, (), observation.serial)
    decision = agent.decide(follower)
    assert decision is not None
    assert decision.move == Move(Action.OPEN, Cell(0, 0))


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
def test_cannot_model_noisy_clues(clues: str) -> None:
    rules = with_options(Rules(5, 5, 5), clues=clues)
    with pytest.raises(AgentError, match=f"got {clues}"):
        make_agent("possibility:clues=model").start(rules.public(), 0)
    make_agent("possibility:clues=trust").start(rules.public(), 0)


def test_withheld_clues_are_modelled() -> None:
    """`clues=model` accepts withheld clues, because they carry no wrong information."""
    rules = with_options(Rules(6, 6, 6), clues="withheld:0.5")
    play_game("possibility:clues=model", rules, 3)


@pytest.mark.parametrize("threshold", ["0", "1.1", "-1"])
def test_threshold_is_a_probability(threshold: str) -> None:
    """Thresholds that would flag everything or nothing are rejected."""
    with pytest.raises(AgentError, match="expected a threshold above 0 and at most 1"):
        make_agent(f"possibility:threshold={threshold}")
