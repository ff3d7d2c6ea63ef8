"""Stuck positions: what a proof would need, for each agent."""

from __future__ import annotations

from pathlib import Path

import pytest
from brute_force import MOST_UNOPENED, same_in_all
from hypothesis import assume, given
from strategies import observations

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import EASY, HARD, with_options
from mineproof.match.play import play
from mineproof.notation.position_text import parse_positions
from mineproof.review.stuck import Lack, Stuck, classify, why_stuck

POSITIONS = Path(__file__).parents[2] / "positions"
MARKING = with_options(EASY, goal="mark").public()


def load(name: str) -> list[Observation]:
    """Read a suite whose positions are from games with the goal `mark`."""
    found = parse_positions((POSITIONS / name).read_text("utf-8"))
    return [Observation(MARKING, one.shown, one.marks) for one in found]


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("lab3-stuck.mine", 0, Stuck(Lack.NOTHING, type=1)),
        ("lab3-stuck.mine", 1, Stuck(Lack.MINE_COUNT, (), (Cell(8, 0),), type=3)),
        (
            "lab3-stuck.mine",
            2,
            Stuck(Lack.MINE_COUNT, (Cell(0, 0), Cell(2, 0)), (Cell(1, 0),), type=4),
        ),
        ("lab3-type2.mine", 0, Stuck(Lack.NOTHING, type=2)),
    ],
)
def test_types_of_lab_3(name: str, number: int, expected: Stuck) -> None:
    assert why_stuck(make_agent("sentences:stuck=stop"), load(name)[number]) == expected


def test_more_reasoning_than_sentences() -> None:
    """Overlapping clues prove seven safe cells, which only `resolution` finds."""
    (observation,) = load("lab3-reasoning.mine")
    found = why_stuck(make_agent("sentences"), observation)
    assert found is not None
    assert found.lack is Lack.REASONING
    assert found.type is None
    assert found.text.startswith("more reasoning about the same clues would prove something, for")
    assert len(found.safe) == 7
    assert found.mined == (Cell(1, 5),)
    assert why_stuck(make_agent("resolution:matching=both"), observation) is None


def test_mine_count_solves_types_3_and_4() -> None:
    agent = make_agent("sentences:stuck=stop,mine_count=on")
    found = [why_stuck(agent, one) for one in load("lab3-stuck.mine")]
    assert [None if one is None else one.lack for one in found] == [
        Lack.NOTHING,
        Lack.NOTHING,
        None,
    ]


def test_mines_count_only_where_marks_matter() -> None:
    """A proved mine gives no move if the goal is to open cells."""
    observation = load("lab3-stuck.mine")[1]
    plain = Observation(EASY.public(), observation.shown)
    assert why_stuck(make_agent("sentences:stuck=stop"), plain) == Stuck(Lack.NOTHING)


def test_unknown_mine_count() -> None:
    observation = load("lab3-stuck.mine")[2]
    rules = with_options(EASY, goal="mark", mine_count="unknown").public()
    found = why_stuck(make_agent("sentences:stuck=stop"), Observation(rules, observation.shown))
    assert found == Stuck(Lack.NOTHING)


def test_agents_without_conclusions() -> None:
    (observation,) = load("lab3-reasoning.mine")
    found = why_stuck(make_agent("random"), observation)
    assert found is not None
    assert found.lack is Lack.REASONING


def test_type_2_is_the_start_of_a_game() -> None:
    assert load("lab3-type2.mine")[0].shown == Game(EASY, seed=16).observation.shown


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3x1x1\nH1H", "type 1"),
        ("2x2x1\nHH\nH1", "forced guess"),  # three cells are unknown
        ("4x1x1\nH1HH", "counted end"),  # a cell that no clue touches, but not the last one
        ("3x1x2\nH2H", "forced guess"),  # both of the last two cells are mines
    ],
)
def test_other_positions_have_names_of_their_own(text: str, name: str) -> None:
    """Only the positions that the report describes are its types."""
    (position,) = parse_positions(text)
    assert classify(position).name == name


def test_a_stuck_game_far_from_the_end_is_no_type_1() -> None:
    rules = with_options(HARD, goal="mark")
    agent, game = make_agent("sentences:stuck=stop"), Game(rules, seed=9)
    play(game, agent)
    found = why_stuck(agent, game.observation)
    assert found is not None
    assert (found.type, found.unknown > 100) == (None, True)
    assert f"{found.unknown} unknown cells" in found.text


@given(observations(max_side=5))
def test_lack_is_what_layouts_say(observation: Observation) -> None:
    """What a proof needs agrees with a list of all layouts, with and without the mine count."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    by_clues = same_in_all(observation, trust=False, mine_count=False)
    by_all = same_in_all(observation, trust=False, mine_count=True)
    assert by_clues is not None
    assert by_all is not None
    found = classify(observation)
    for truth, lack in ((by_clues, Lack.REASONING), (by_all, Lack.MINE_COUNT)):
        moves = [
            i
            for i, mined in truth.items()
            if not mined or (observation.rules.marks_matter and not observation.marks[i])
        ]
        if moves:
            assert found.lack is lack
            return
    assert found.lack is Lack.NOTHING
    assert not found.safe
    assert not found.mined
