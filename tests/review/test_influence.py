"""Chains of influence of a record, as data and as a picture."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mineproof as mw
from mineproof.core.move import Move
from mineproof.core.rules import Rules
from mineproof.notation.codec import to_plain
from mineproof.notation.records import Record, Step
from mineproof.review.chains import READER, Chains, Origin, reader_of, trace, trace_record
from mineproof.review.chains_svg import draw_chains

SVG = "{http://www.w3.org/2000/svg}"


def row(columns: int, mines: tuple[int, ...], *moves: str) -> Record:
    steps = tuple(Step(Move.parse(move)) for move in moves)
    return Record(Rules(1, columns, len(mines)), 0, mw.Cell(0, 0), mines, steps, None)


def test_conclusions_rest_on_the_clues_of_their_proofs() -> None:
    """Once the first mine is known, the clue opened by the guess proves the next mine."""
    chains = trace_record(row(8, (1, 3, 6), "mark 0,1", "open 0,2", "mark 0,3", "open 0,4"))
    assert chains.nodes[mw.Cell(0, 1)].parents == ((0, 0),)
    assert chains.nodes[mw.Cell(0, 2)].origin is Origin.GUESS
    assert chains.nodes[mw.Cell(0, 3)].parents == ((0, 2),)
    assert chains.nodes[mw.Cell(0, 4)].origin is Origin.GUESS
    assert chains.length == 1
    assert chains.lengths == (1, 1, 1, 1)


def test_chains_grow_along_conclusions() -> None:
    record = mw.play(mw.Game(mw.BEGINNER, 4), mw.make_agent("exact"))
    chains = trace_record(record)
    assert len(chains.lengths) == len(record.steps)
    assert chains.length > 2
    for node in chains.conclusions:
        assert all(chains.nodes[parent].move <= node.move for parent in node.parents)
        lengths = [chains.nodes[parent].length for parent in node.parents]
        assert node.length == 1 + max(lengths, default=0)


@pytest.mark.parametrize(
    "agent", ["random", "basic", "sentences", "possibility", "backtracking", "clue-heap", "exact"]
)
def test_a_record_has_the_chains_of_the_game(agent: str) -> None:
    for seed in range(3):
        game = mw.Game("easy", seed)
        played = trace(game, mw.make_agent(agent))
        record = mw.play(mw.Game("easy", seed), mw.make_agent(agent), player=agent)
        assert trace_record(record) == played


def test_a_reader_can_be_chosen() -> None:
    """Moves that the chosen agent cannot prove are guesses."""
    record = mw.play(mw.Game("hard", 7), mw.make_agent("clue-heap"), player="clue-heap")
    assert reader_of(record) == "clue-heap"
    own, other = trace_record(record), trace_record(record, "basic")
    assert len(own.conclusions) > len(other.conclusions)
    assert len(own.nodes) >= len(other.nodes)
    with pytest.raises(mw.AgentError, match="expected an agent"):
        trace_record(record, "nobody")


@pytest.mark.parametrize("player", ["", "Anna", "evil.py:Agent", "cs50:evil.py", "basic:x=1"])
def test_people_and_files_are_read_by_the_usual_reader(player: str) -> None:
    """A record cannot make the program run a file, and an unknown player is not an error."""
    record = Record(Rules(1, 3, 1), 0, mw.Cell(0, 0), (2,), (), None, player=player)
    assert reader_of(record) == READER


def test_a_file_that_reads_a_record_runs_apart(tmp_path: Path) -> None:
    """The record contains the board, so user code never runs in the process that holds it."""
    file, note = tmp_path / "own.py", tmp_path / "process"
    file.write_text(
        "import os\nfrom mineproof.agents.basic import BasicAgent as Own\n"
        f"open({str(note)!r}, 'w').write(str(os.getpid()))\n"
    )
    record = mw.play(mw.Game("beginner", 4), mw.make_agent("basic"), player="basic")
    assert trace_record(record, f"{file}:Own").lengths
    assert int(note.read_text()) != os.getpid()


def test_a_persons_chord_and_mark_rest_on_what_the_reader_proved() -> None:
    """A chord is a conclusion if the chosen agent has proved every cell that it opens."""
    chains = trace_record(row(7, (1, 5), "mark 0,1", "open 0,2", "chord 0,2"))
    opened = chains.nodes[mw.Cell(0, 3)]
    assert opened.origin is Origin.CONCLUSION
    assert set(opened.parents) >= {(0, 2)}
    assert chains.nodes[mw.Cell(0, 4)].origin is Origin.FLOOD


def test_data_says_it_all() -> None:
    chains = trace_record(row(8, (1, 3, 6), "mark 0,1", "open 0,2", "mark 0,3"))
    plain = json.loads(json.dumps(to_plain(chains)))
    assert (plain["length"], plain["reach"], plain["lengths"]) == (1, 1, [1, 1, 1])
    assert [node["origin"] for node in plain["nodes"]] == [
        "start", "conclusion", "guess", "conclusion",
    ]  # fmt: skip
    assert plain["nodes"][3]["parents"] == [[0, 2]]


def test_a_picture_shows_every_cell_and_the_longest_chain() -> None:
    """The SVG is well formed: one square per cell, one number per conclusion, one line per link."""
    record = mw.play(mw.Game(mw.BEGINNER, 4), mw.make_agent("exact"))
    chains = trace_record(record)
    root = ElementTree.fromstring(draw_chains(chains, 9, 9))
    squares = [one for one in root.iter(f"{SVG}g") if one.find(f"{SVG}title") is not None]
    assert len(squares) == 81
    (edges,) = (one for one in root.iter(f"{SVG}path") if "opacity" in one.attrib)
    origins = [chains.nodes[child].origin for _, child in chains.edges]
    assert edges.attrib["d"].count("M") == origins.count(Origin.CONCLUSION)
    longest = root.findall(f"{SVG}g[@transform]/{SVG}path")
    assert len(longest) == 2 * (len(chains.longest) - 1)
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert f"longest chain {chains.length}, farthest reach {chains.reach}" in words
    rulers = 9 + 9
    assert sum(bool(word and word.isdigit()) for word in words) == len(chains.conclusions) + rulers


def test_huge_boards_are_not_drawn() -> None:
    with pytest.raises(mw.InputError, match="expected a board of up to 10,000 cells"):
        draw_chains(Chains({}, (), ()), 1000, 1000)
