"""Records as JSON lines: reading, writing, replaying, and every field that can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moves import mark_cell, open_cell
from strategies import attempt, records

from mineproof.core.board import Board
from mineproof.core.errors import NotationError
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.rules import HARD, Rules
from mineproof.notation.records import (
    Record,
    Step,
    format_record,
    parse_record,
    read_records,
    verify,
    write_records,
)

MINES = (2, 5)
WON = Record(
    Rules(2, 3, 2),
    7,
    Cell(0, 0),
    MINES,
    (
        Step(open_cell(0, 1), True, 0.0, "the 0 at (0, 0)"),
        Step(mark_cell(0, 2)),
        Step(open_cell(1, 1), False, 0.25),
        Step(open_cell(1, 0)),
    ),
    Outcome(Result.WIN, 0, 0, 0.5),
    "somebody",
    12.5,
    3,
)
NO_FLOOD = replace(WON, rules=replace(WON.rules, flood=False))


def test_the_line_holds_everything() -> None:
    """The exact form of a record's line matters, because other programs rely on it."""
    assert format_record(NO_FLOOD) == (
        '{"format":"mineproof-record","version":1,'
        '"rules":{"rows":2,"columns":3,"mines":2,"start":"safe","goal":"open",'
        '"explosion":"lose","clues":"exact","mine_count":"known","flood":false},'
        '"seed":7,"first":[0,0],"mines":[2,5],"steps":['
        '{"move":"open 0,1","proved":true,"risk":0.0,"reason":"the 0 at (0, 0)"},'
        '{"move":"mark 0,2"},{"move":"open 1,1","proved":false,"risk":0.25},{"move":"open 1,0"}],'
        '"outcome":{"result":"win","hits":0,"false_marks":0,"score":0.5},'
        '"player":"somebody","milliseconds":12.5,"deaths":3}'
    )
    assert parse_record(format_record(NO_FLOOD)) == NO_FLOOD


def test_a_record_replays_to_its_outcome() -> None:
    game = verify(NO_FLOOD).replay()
    assert game.board == Board.from_mines(2, 3, MINES)
    assert [step.move for step in NO_FLOOD.steps] == game.moves
    assert game.outcome == NO_FLOOD.outcome


def test_a_stopped_and_an_unfinished_game_are_told_apart() -> None:
    """A player who stopped is stuck. An unfinished game has no outcome."""
    steps = NO_FLOOD.steps[:2]
    stuck = replace(NO_FLOOD, steps=steps, outcome=Outcome(Result.STUCK, 0, 0, 0.5))
    unfinished = replace(NO_FLOOD, steps=steps, outcome=None)
    assert stuck.replay().outcome == stuck.outcome
    assert unfinished.replay().outcome is None


def test_a_game_that_has_not_begun_can_be_kept() -> None:
    """Before the board is dealt, there are no mines to store."""
    record = Record(Rules(2, 3, 2), 7, None, (), (), None)
    again = parse_record(format_record(record))
    assert again == record
    assert not again.replay().has_started


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"outcome": Outcome(Result.LOSS, 1, 0, 0.5)},
            r"says loss \(hits 1, .*score 0.5\), but its 4 moves end in win \(hits 0",
        ),
        ({"outcome": None}, "says an unfinished game, but its 4 moves end in win"),
        ({"steps": NO_FLOOD.steps * 2}, "at move 5, open 0,1: "),
        ({"steps": (Step(open_cell(0, 0)),)}, "at move 1, open 0,0: "),
        ({"steps": (Step(open_cell(5, 5)),)}, "at move 1, open 5,5: expected a cell on"),
        ({"mines": (0, 5)}, "does not replay at the start: expected a first cell without a mine"),
        (
            {"mines": (1,)},
            r"at the start: expected a board with \(rows, columns, mines\)",
        ),
    ],
)
def test_a_record_that_does_not_replay_is_refused(change: dict[str, Any], message: str) -> None:
    """Replaying a record detects a wrong outcome, an impossible move and wrong mines."""
    with pytest.raises(NotationError, match=message):
        verify(replace(NO_FLOOD, **change))


def _set(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(fields: Any) -> None:
        for key in path[:-1]:
            fields = fields[key]
        fields[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _set("format", value="pgn"),
            'expected "format": "mineproof-record" and "version": 1, got "pgn" and 1',
        ),
        (_set("version", value=2), 'got "mineproof-record" and 2'),
        (_set("extra", value=1), 'unknown field "extra"'),
        (lambda fields: fields.pop("seed"), 'missing field "seed"'),
        (_set("seed", value=-1), r"expected a seed from 0 to 2\*\*128 - 1, got -1"),
        (_set("seed", value="7"), 'field "seed": expected a whole number, got "7"'),
        (_set("seed", value=True), 'field "seed": expected a whole number, got true'),
        (_set("seed", value=7.0), 'field "seed": expected a whole number, got 7.0'),
        (
            _set("rules", value=[]),
            'field "rules": expected an object with rows, .*, got an empty list',
        ),
        (_set("rules", "rows", value=0), "expected 1 to 1000 rows, got 0"),
        (_set("rules", "rows", value=-2), 'field "rules": expected 1 to 1000 rows, got -2'),
        (_set("rules", "mines", value=6), "expected 0 to 5 mines"),
        (_set("rules", "start", value="soon"), "opening, given:K or no-guess, got 'soon'"),
        (_set("rules", "goal", value=1), '"rules", field "goal": expected open or mark, got 1'),
        (_set("rules", "clues", value="maybe"), "expected clues exact"),
        (_set("rules", "flood", value=1), '"rules", field "flood": expected true or false, got 1'),
        (_set("first", value=[0]), r'field "first": expected \[row, column\], got a list'),
        (_set("first", value=[2, 0]), r"expected a cell on the 2x3 board .*, got \(2, 0\)"),
        (_set("first", value=[0, "a"]), 'field "first", column: expected a whole number, got "a"'),
        (_set("first", value=None), "but its 4 moves end in"),
        (_set("rules", "start", value="given:1"), "expected no first cell with start given:K"),
        (_set("mines", value=[2]), "expected 2 mines, got 1"),
        (_set("mines", value=[5, 2]), "expected distinct mines in increasing order"),
        (_set("mines", value=[2, 2]), "expected distinct mines in increasing order"),
        (_set("mines", value=[2, 6]), "expected mines from 0 to 5, got 6"),
        (_set("mines", value=[-1, 2]), "expected mines from 0 to 5, got -1"),
        (_set("steps", value={}), 'field "steps": expected a list, got an object'),
        (
            _set("steps", 0, value=1),
            'field "steps", item 1: expected an object with move, .*, got 1',
        ),
        (_set("steps", 0, "move", value="jump 1,1"), "expected a move such as 'open 3,4'"),
        (
            _set("steps", 0, "move", value="open 9,9"),
            'field "steps", item 1: expected a cell on the 2x3 board',
        ),
        (
            _set("steps", 0, "proved", value=1),
            'item 1, field "proved": expected true or false, got 1',
        ),
        (
            _set("steps", 0, "risk", value=1.5),
            'item 1, field "risk": expected a number from 0 to 1, got 1.5',
        ),
        (_set("steps", 0, "risk", value="x"), '"risk": expected a number from 0 to 1, got "x"'),
        (
            _set("steps", 0, "risk", value=10**400),
            '"risk": expected a number from 0 to 1, got a longer number',
        ),
        (
            _set("steps", 1, "reason", value=[]),
            'item 2, field "reason": expected text, got an empty list',
        ),
        (_set("steps", 1, "why", value=""), 'field "steps", item 2: unknown field "why"'),
        (
            _set("outcome", value=[]),
            'field "outcome": expected an object with result, .*, got an empty list',
        ),
        (
            _set("outcome", "result", value="draw"),
            'field "result": expected win, loss, stuck',
        ),
        (
            _set("outcome", "result", value=[]),
            'field "result": expected win, loss, stuck',
        ),
        (_set("outcome", "hits", value=-1), r"expected a possible outcome, got win \(hits -1,"),
        (_set("outcome", "score", value=2), "expected a possible outcome, got win .*score 2.0"),
        (_set("milliseconds", value=-1), 'field "milliseconds": expected a number from 0, got -1'),
        (_set("deaths", value=0.5), 'field "deaths": expected a whole number from 0, got 0.5'),
        (_set("player", value=None), 'field "player": expected text, got nothing'),
    ],
)
def test_a_wrong_field_is_named(change: Callable[[dict[str, Any]], None], message: str) -> None:
    fields = json.loads(format_record(NO_FLOOD))
    change(fields)
    with pytest.raises(NotationError, match=message):
        verify(parse_record(json.dumps(fields)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected a record as JSON: Expecting value"),
        ("{", "expected a record as JSON"),
        ("null", "a record: expected an object, got nothing"),
        ('{"seed":NaN}', "expected a record as JSON: expected a number, got NaN"),
        ("[" * 100_000, "nested too deeply"),
        ('{"seed":' + "9" * 5000 + "}", "expected a record as JSON"),
    ],
)
def test_what_is_no_json_is_refused(line: str, message: str) -> None:
    """Text that is not JSON is rejected, and so are NaN, deep nesting and very long numbers."""
    with pytest.raises(NotationError, match=message):
        parse_record(line)


def test_numbers_that_json_lacks_are_not_written() -> None:
    step = Step(open_cell(0, 1), None, float("nan"))
    with pytest.raises(NotationError, match="expected finite numbers"):
        format_record(replace(NO_FLOOD, steps=(step,)))


def test_files_of_records(tmp_path: Path) -> None:
    """A file has one record per line. Blank lines are ignored, and the error names a wrong line."""
    path = tmp_path / "games.jsonl"
    other = replace(NO_FLOOD, seed=8)
    write_records(path, [NO_FLOOD, other])
    assert list(read_records(path)) == [NO_FLOOD, other]
    path.write_bytes(b"\xef\xbb\xbf" + format_record(NO_FLOOD).encode() + b"\r\n\r\n{\n")
    reader = read_records(path)
    assert next(reader) == NO_FLOOD
    with pytest.raises(NotationError, match=r"^line 3: expected a record as JSON"):
        next(reader)
    path.write_bytes(b"\n\xff\n")
    with pytest.raises(NotationError, match=r"^line 2: expected UTF-8 text"):
        list(read_records(path))


def test_a_given_game_keeps_its_mines() -> None:
    """The record of a game with the start `given` has mines but no first cell."""
    game = Game(HARD, 3)
    assert game.board is not None
    record = Record(HARD, 3, None, game.board.mine_indices, (), None)
    again = parse_record(format_record(record))
    assert again == record
    assert again.replay().observation == game.observation


@given(records())
def test_format_then_parse_gives_the_record_back(record: Record) -> None:
    line = format_record(record)
    assert "\n" not in line
    again = parse_record(line)
    assert again == record
    assert verify(again).replay().outcome == record.outcome


@given(records(max_side=3, max_moves=3), st.data())
def test_a_changed_line_is_read_or_refused(record: Record, data: st.DataObject) -> None:
    """A record that can be read may still fail to replay, but only with a NotationError."""
    line = format_record(record)
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, min(len(line), start + 4)))
    letters = st.text(st.sampled_from('0189.,:[]{}"-etnul') | st.characters(), max_size=4)
    changed = attempt(parse_record, line[:start] + data.draw(letters) + line[end:])
    if changed is not None:
        assert parse_record(format_record(changed)) == changed
        attempt(verify, changed)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4
    )
)
def test_any_json_is_read_or_refused(value: object) -> None:
    """Any JSON value is tried alone and in any field of a record."""
    fields = json.loads(format_record(NO_FLOOD))
    for key in fields:
        attempt(parse_record, json.dumps(fields | {key: value}))
    attempt(parse_record, json.dumps(value))


def test_positions_are_made_when_asked_for() -> None:
    """Positions can be read in any order, and equal those seen in play."""
    game = NO_FLOOD.begin()
    seen = [game.observation]
    for step in NO_FLOOD.steps:
        game.play(step.move)
        seen.append(game.observation)
    positions = NO_FLOOD.positions()
    assert len(positions) == len(seen)
    assert list(positions) == seen
    assert [positions[i] for i in (3, 1, -1, 0)] == [seen[i] for i in (3, 1, -1, 0)]
    assert positions[1:3] == seen[1:3]
    with pytest.raises(IndexError):
        positions[5]


@pytest.mark.parametrize("name", ["record-0.1.json", "records-0.2.jsonl"])
def test_records_of_earlier_versions_are_read(name: str) -> None:
    """Records of earlier versions replay and are written back unchanged."""
    path = Path(__file__).with_name("data") / name
    found = [verify(record) for record in read_records(path)]
    assert "".join(f"{format_record(record)}\n" for record in found) == path.read_text("utf-8")
