"""Chains of influence from a record, as data and as a picture."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import mineproof as mw
from mineproof.core.move import Move
from mineproof.core.rules import Rules
from mineproof.notation.position_text import parse_position
from mineproof.notation.records import Record, Step
from mineproof.review.chains import Chains, Origin, justify, trace_record
from mineproof.review.chains_svg import draw_chains

SVG = "{http://www.w3.org/2000/svg}"


def row(columns: int, mines: tuple[int, ...], *moves: str) -> Record:
    """Give a record on a board of one row, begun in its first cell."""
    steps = tuple(Step(Move.parse(move)) for move in moves)
    return Record(Rules(1, columns, len(mines)), 0, mw.Cell(0, 0), mines, steps, None)


def test_conclusions_rest_on_the_clues_of_their_proofs() -> None:
    """The last mine but one is marked from a guess, the last cell opened from that clue."""
    chains = trace_record(row(8, (1, 3, 6), "mark 0,1", "open 0,2", "mark 0,3", "open 0,4"))
    assert chains.nodes[mw.Cell(0, 1)].parents == ((0, 0),)
    assert chains.nodes[mw.Cell(0, 2)].origin is Origin.GUESS
    assert chains.nodes[mw.Cell(0, 3)].parents == ((0, 2),)
    assert chains.nodes[mw.Cell(0, 4)].origin is Origin.GUESS
    assert chains.length == 1
    assert chains.lengths == (1, 1, 1, 1)


def test_chains_grow_along_conclusions() -> None:
    """Each cell that is opened shows the clue from which the next one follows."""
    record = mw.play(mw.Game(mw.BEGINNER, 4), mw.make_agent("exact"))
    chains = trace_record(record)
    assert len(chains.lengths) == len(record.steps)
    assert chains.length > 2
    for node in chains.conclusions:
        assert all(chains.nodes[parent].move <= node.move for parent in node.parents)
        lengths = [chains.nodes[parent].length for parent in node.parents]
        assert node.length == 1 + max(lengths, default=0)


def test_a_move_is_justified_by_its_proof_or_not_at_all() -> None:
    """A mark rests on the proof of a mine, an open on the proof of a safe cell."""
    seen = parse_position("3x2x1\n1MH\n1HH\n")
    assert justify(seen, Move.parse("open 1,1")).reason.clues == ((0, 0),)
    assert not justify(seen, Move.parse("mark 1,1")).proved
    mined = justify(parse_position("2x1x1\n1H\n"), Move.parse("mark 0,1"))
    assert (mined.proved, mined.reason.clues) == (True, ((0, 0),))


def test_data_says_it_all() -> None:
    """The plain values go through JSON and name every node."""
    chains = trace_record(row(8, (1, 3, 6), "mark 0,1", "open 0,2", "mark 0,3"))
    plain = json.loads(json.dumps(chains.to_plain()))
    assert (plain["length"], plain["reach"], plain["lengths"]) == (1, 1, [1, 1, 1])
    assert [node["origin"] for node in plain["nodes"]] == [
        "start", "conclusion", "guess", "conclusion",
    ]  # fmt: skip
    assert plain["nodes"][3]["parents"] == [[0, 2]]


def test_a_picture_shows_every_cell_and_the_longest_chain() -> None:
    """The SVG is well formed: a square a cell, a number a conclusion, a line a link."""
    record = mw.play(mw.Game(mw.BEGINNER, 4), mw.make_agent("exact"))
    chains = trace_record(record)
    root = ElementTree.fromstring(draw_chains(chains, 9, 9))
    squares = [one for one in root.iter(f"{SVG}rect") if one.find(f"{SVG}title") is not None]
    assert len(squares) == 81
    assert len(list(root.iter(f"{SVG}circle"))) == len(chains.longest) - 1
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert f"longest chain {chains.length}, farthest reach {chains.reach}" in words
    assert sum(bool(word and word.isdigit()) for word in words) == len(chains.conclusions)


def test_huge_boards_are_not_drawn() -> None:
    """A picture of a million cells helps nobody."""
    with pytest.raises(mw.InputError, match="expected a board of up to 10,000 cells"):
        draw_chains(Chains({}, (), ()), 1000, 1000)
