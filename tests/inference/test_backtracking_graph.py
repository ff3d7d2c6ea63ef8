"""The graph of clues: its constraints, components and updates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import games, play_on

from mineproof.core.clues import EXPLODED, UNOPENED, ClueRule
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.clue_graph import MINE_COUNT, ClueGraph, Statement
from mineproof.notation.position_text import parse_position


def graph_of(observation: Observation, *, trust: bool = True) -> ClueGraph:
    graph = ClueGraph(observation.rules, trust=trust)
    for clue in graph.update(observation.shown, range(len(observation.shown))):
        graph.read(clue)
    return graph


def picture(graph: ClueGraph) -> tuple[dict[int, Statement], set[frozenset[int]]]:
    """Return the constraints of a graph and the clues in each component."""
    components = {
        frozenset(one.clue for one in component.constraints) for component in graph.components()
    }
    return graph.constraints, components


def test_clues_become_constraints() -> None:
    """A clue constrains its unknown neighbours. Shown mines are subtracted from it."""
    graph = graph_of(parse_position("3x2x2\n2MH\n.H."))
    assert graph.constraints == {0: Statement(0, (3, 4), 1, 1)}


@pytest.mark.parametrize(
    ("bounds", "decided"), [((0, 0), False), ((3, 3), True), ((1, 1), None), ((0, 2), None)]
)
def test_cases(bounds: tuple[int, int], decided: bool | None) -> None:
    """A statement is decided if its cells must be all safe or all mines."""
    assert Statement(0, (1, 2, 3), *bounds).decided is decided


@pytest.mark.parametrize(
    ("model", "bounds"),
    [("exact", (2, 2)), ("withheld:0.5", (2, 2)), ("optimistic", (2, 3)), ("cautious", (0, 2))],
)
def test_models_give_bounds(model: str, bounds: tuple[int, int]) -> None:
    """Optimistic clues are lower bounds, cautious clues are upper bounds, and others are exact."""
    observation = parse_position("2x2x2\n2H\nHH", clues=ClueRule.parse(model))
    constraint = graph_of(observation, trust=False).constraints[0]
    assert (constraint.least, constraint.most) == bounds
    trusted = graph_of(observation).constraints[0]
    assert (trusted.least, trusted.most) == (2, 2)


@pytest.mark.parametrize(("model", "clue"), [("optimistic", "0"), ("cautious", "3")])
def test_bounds_that_say_nothing(model: str, clue: str) -> None:
    """Bounds that allow any number of mines add no constraint."""
    observation = parse_position(f"2x2x?\n{clue}H\nHH", clues=ClueRule.parse(model))
    assert graph_of(observation, trust=False).constraints == {}


def test_contradicting_clue_says_nothing() -> None:
    """A clue with too many known mines around it is dropped."""
    graph = graph_of(parse_position("3x2x3\n1HH\nHH."))
    for index in (1, 3):
        graph.settle(index, mined=True)
    assert graph.read(0) is None


def test_mine_count() -> None:
    """The mine count, less the known mines, constrains all unknown cells."""
    graph = graph_of(parse_position("3x2x3\n2MH\n.H."))
    graph.settle(3, mined=True)
    assert graph.mine_count(3) == Statement(MINE_COUNT, (2, 4, 5), 1, 1)
    assert graph.mine_count(1) is None


def test_components_are_kept_while_nothing_touches_them() -> None:
    """Only a component that changed is rebuilt."""
    graph = graph_of(parse_position("7x1x2\nH1H.H1H"))
    left, right = graph.components()
    assert (left.cells, right.cells) == ((0, 2), (4, 6))
    for clue in graph.settle(6, mined=True):
        graph.read(clue)
    same, changed = graph.components()
    assert same is left
    assert changed.constraints == (Statement(5, (4,), 0, 0),)


def test_reading_a_clue_that_says_the_same_changes_nothing() -> None:
    """Opening a cell that is already proved safe does not rebuild the components around it."""
    observation = parse_position("4x1x?\nH1H.")
    graph = graph_of(observation)
    (before,) = graph.components()
    graph.settle(3, mined=False)
    for clue in graph.update(bytes((9, 1, 9, 10)), (3,)):
        graph.read(clue)
    graph.read(1)
    assert graph.components() == [before]


@given(games(max_side=6), st.randoms(use_true_random=False))
def test_updates_equal_a_fresh_graph(game: Game, chooser: object) -> None:
    """A graph updated after each move equals a graph built from the last position."""
    graph = graph_of(game.observation)
    graph.components()
    for _ in range(4):
        play_on(game, chooser, 1)  # type: ignore[arg-type]
        observation = game.observation
        for clue in graph.update(observation.shown, observation.changes):
            graph.read(clue)
        assert picture(graph) == picture(graph_of(observation))


def test_settled_cells_leave_with_their_opening() -> None:
    """When a cell is opened, an earlier conclusion about the cell is dropped."""
    rules = PublicRules(1, 3, 1)
    graph = ClueGraph(rules)
    graph.update(bytes((1, UNOPENED, UNOPENED)), (0,))
    graph.settle(1, mined=False)
    graph.update(bytes((1, EXPLODED, UNOPENED)), (1,))
    assert graph.known == {}
    assert graph.read(0) is None
