"""Chains of influence: their parents, lengths and reach."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules, seeds

from mineproof.agents.loading import make_agent
from mineproof.core.board import Board, deal_given
from mineproof.core.decision import Decision, Reason
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import EASY, HARD, PublicRules, Rules
from mineproof.match.play import play
from mineproof.review.chains import Chains, Extent, Origin, Tracer, trace

AGENTS = st.sampled_from(
    ["random", "basic", "sentences", "possibility", "backtracking", "clue-heap"]
)


class Scripted:
    """An agent that plays a fixed list of decisions."""

    def __init__(self, *decisions: Decision) -> None:
        self._decisions = iter(decisions)

    def start(self, rules: PublicRules, seed: int) -> None:
        """Do nothing."""

    def decide(self, observation: Observation) -> Decision | None:
        return next(self._decisions, None)


def opens(column: int, *clues: int, proved: bool = True) -> Decision:
    """Open a cell of row 0 because of clues in row 0."""
    reason = Reason("scripted", tuple(Cell(0, clue) for clue in clues))
    return Decision(Move(Action.OPEN, Cell(0, column)), proved, reason)


def row(mines: list[int], *, flood: bool = False) -> Game:
    rules = Rules(1, 12, len(mines), flood=flood)
    return Game(rules, board=Board.from_mines(1, 12, mines), first=(0, 0))


def columns(cells: tuple[Cell, ...]) -> list[int]:
    return [cell.column for cell in cells]


def test_a_conclusion_lengthens_the_longest_chain_it_inherits() -> None:
    """If 3 follows from 0, 5 from 3, and 7 from 3 and 5, then the chain of 7 goes through 5."""
    game = row([1, 9, 11])
    chains = trace(game, Scripted(opens(3, 0), opens(5, 3), opens(7, 3, 5)))
    assert chains.nodes[Cell(0, 7)].parents == (Cell(0, 3), Cell(0, 5))
    assert columns(chains.longest) == [0, 3, 5, 7]
    assert chains.length == 3
    assert chains.lengths == (1, 2, 3)
    assert chains.reach == 7
    assert chains.reaches == (3, 5, 7)
    assert (Cell(0, 3), Cell(0, 7)) in chains.edges


def test_a_guess_is_a_root() -> None:
    game = row([1, 9, 11])
    chains = trace(game, Scripted(opens(3, 0), opens(8, 3, proved=False), opens(7, 8)))
    assert chains.nodes[Cell(0, 8)].origin is Origin.GUESS
    assert chains.nodes[Cell(0, 8)].parents == ()
    assert columns(chains.chain(Cell(0, 7))) == [8, 7]
    assert chains.length == 1
    assert chains.lengths == (1, 1, 1)


def test_flooded_cells_come_from_the_opened_one() -> None:
    game = row([1, 8], flood=True)
    chains = trace(game, Scripted(opens(4, 0), opens(10, 7)))
    assert game.observation.clue((0, 7)) == 1
    flooded = chains.nodes[Cell(0, 7)]
    assert flooded.origin is Origin.FLOOD
    assert flooded.parents == (Cell(0, 4),)
    assert flooded.length == 1
    assert columns(chains.longest) == [0, 4, 7, 10]
    assert chains.length == 2
    assert chains.reach == 10


def test_the_start_is_a_root_with_its_flood() -> None:
    game = Game(Rules(1, 6, 1), board=Board.from_mines(1, 6, [4]), first=(0, 0))
    chains = trace(game, Scripted(opens(5, 3)))
    assert chains.nodes[Cell(0, 0)].origin is Origin.START
    assert chains.nodes[Cell(0, 3)].parents == (Cell(0, 0),)
    assert columns(chains.longest) == [0, 3, 5]


@pytest.mark.parametrize("seed", range(5))
def test_given_cells_are_roots(seed: int) -> None:
    game = Game(EASY, seed)
    assert game.board is not None
    given = {EASY.grid.cell(i) for i in deal_given(EASY, game.board, seed)}
    chains = trace(game, make_agent("basic"))
    starts = {node.cell for node in chains.nodes.values() if node.origin is Origin.START}
    assert starts == given


def test_mines_that_were_not_played_are_links() -> None:
    """A mine that was concluded but never flagged is part of the chain."""
    game = Game(Rules(1, 6, 1), board=Board.from_mines(1, 6, [1]), first=(0, 0))
    chains = trace(game, make_agent("backtracking:mine_count=off"))
    assert chains.nodes[Cell(0, 1)].origin is Origin.CONCLUSION
    assert chains.nodes[Cell(0, 1)].move == 1
    tracer = Tracer()
    play(Game(HARD, 0), make_agent("basic"), watcher=tracer)
    played = tracer.chains
    assert len(played.nodes) < len(trace(Game(HARD, 0), make_agent("basic")).nodes)


def test_chord_opens_what_rests_on_its_clue() -> None:
    game = Game(Rules(1, 5, 1), board=Board.from_mines(1, 5, [3]), first=(0, 2))
    mark = Decision(Move(Action.MARK, Cell(0, 3)), True, Reason("seen"))
    chord = Decision(Move(Action.CHORD, Cell(0, 2)), True, Reason("all found"))
    chains = trace(game, Scripted(mark, chord))
    assert chains.nodes[Cell(0, 1)].parents == (Cell(0, 2),)
    assert chains.nodes[Cell(0, 1)].origin is Origin.CONCLUSION
    assert chains.nodes[Cell(0, 0)].origin is Origin.FLOOD


def test_no_move() -> None:
    chains = trace(row([1]), Scripted())
    assert chains == Chains({}, (), ())
    assert (chains.length, chains.reach, chains.longest) == (0, 0, ())


def ancestors(chains: Chains, cell: Cell) -> set[Cell]:
    found, pending = {cell}, [cell]
    while pending:
        new = set(chains.nodes[pending.pop()].parents) - found
        found |= new
        pending.extend(new)
    return found


@given(AGENTS, rules(max_side=6), seeds())
def test_chains_of_all_agents(name: str, setting: Rules, seed: int) -> None:
    """The chains of whole games have no cycles, correct lengths, and a node for every open cell."""
    game = Game(setting, seed)
    chains = trace(game, make_agent(name))
    order = {cell: place for place, cell in enumerate(chains.nodes)}
    for node in chains.nodes.values():
        assert all(order[parent] < order[node.cell] for parent in node.parents)
        chain = chains.chain(node.cell)
        origins = [chains.nodes[cell].origin for cell in chain]
        assert origins.count(Origin.CONCLUSION) == node.length
        assert origins[0] in (Origin.START, Origin.GUESS, Origin.CONCLUSION)
        far = ancestors(chains, node.cell)
        row, column = node.cell
        assert node.reach == max(max(abs(row - r), abs(column - c)) for r, c in far)
    assert len(chains.lengths) == len(game.moves)
    if game.moves:
        opened = [i for i, code in enumerate(game.observation.shown) if code != 9]
        assert {setting.grid.cell(i) for i in opened} <= set(chains.nodes)
        assert chains.lengths[-1] == chains.length
        assert chains.reaches[-1] == chains.reach


def test_farthest_in_an_extent() -> None:
    extent = Extent(1, 1, 2, 2).join(Extent(4, 4, 9, 9))
    assert extent == Extent(1, 4, 2, 9)
    assert extent.farthest(Cell(2, 3)) == 6
    assert extent.farthest(Cell(4, 9)) == 7
