"""The codec: values survive a round trip, and every error names the field or item."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoiling import check_reader, spoilt_value
from strategies import records, rules

from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import NotationError, RulesError
from mineproof.core.game import Outcome
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.rules import EXPERT, Goal, PublicRules, Rules
from mineproof.notation.codec import (
    Between,
    Length,
    dump_json,
    from_plain,
    plain_form,
    text_form,
    to_plain,
)
from mineproof.notation.records import Record, Step
from mineproof.notation.text import load_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Height(IntEnum):
    LOW = 1
    HIGH = 2


class Pair(NamedTuple):
    name: str
    colour: Colour


class Word:
    """A type with a text form."""

    def __init__(self, text: str) -> None:
        self.text = text


@dataclass
class Everything:
    """A class with a field of each kind."""

    count: Annotated[int, Between(0, 9)]
    share: Annotated[float | None, Between(0, 1)]
    name: Annotated[str, Length(5)]
    cells: list[Cell]
    pairs: tuple[Pair, ...] = ()
    whole: tuple[int, str] = (1, "a")
    kind: Literal["a", "b", 3] = "a"
    colour: Colour = Colour.RED
    height: Height = Height.LOW
    value: str | float | bool | None = None
    numbers: frozenset[int] = frozenset()
    by_colour: Mapping[Colour, int] = field(default_factory=dict)
    by_number: dict[int, float] = field(default_factory=dict)
    few: Annotated[list[int], Length(3, least=1)] = field(default_factory=lambda: [1])
    anything: Any = None


FULL = Everything(
    count=3,
    share=0.5,
    name="abc",
    cells=[Cell(1, 2), Cell(3, 4)],
    pairs=(Pair("x", Colour.BLUE),),
    whole=(2, "b"),
    kind=3,
    colour=Colour.BLUE,
    height=Height.HIGH,
    value=True,
    numbers=frozenset({3, 1, 2}),
    by_colour={Colour.RED: 1},
    by_number={7: 0.5, -1: 1.0},
    few=[1, 2],
    anything={"a": [1, None]},
)
NEEDED: dict[str, Any] = {"count": 3, "share": None, "name": "", "cells": []}


def candidates() -> st.SearchStrategy[Candidate]:
    """Draw a candidate move with the fields that its plain form has."""
    number = st.none() | st.floats(allow_nan=False, allow_infinity=False)
    return st.builds(Candidate, st.builds(Cell, st.integers(), st.integers()), number, win=number)


def decisions() -> st.SearchStrategy[Decision]:
    """Draw an agent's decision."""
    side = st.integers(0, 999)
    cells = st.lists(st.builds(Cell, side, side), max_size=3).map(tuple)
    return st.builds(
        Decision,
        st.builds(Move, st.sampled_from(Action), st.builds(Cell, side, side)),
        st.booleans(),
        st.builds(Reason, st.text(), cells, cells, st.booleans()),
        st.none() | st.floats(0, 1),
        st.lists(candidates(), max_size=3).map(tuple),
    )


def fails(kind: Any, value: Any, message: str, where: str = "") -> None:
    """Check the whole message for a value that does not fit."""
    with pytest.raises(NotationError) as caught:
        from_plain(kind, value, where)
    assert str(caught.value) == message


def test_every_kind_of_field_comes_back() -> None:
    """Plain values survive a round trip through JSON."""
    plain = to_plain(FULL)
    assert json.loads(json.dumps(plain)) == plain
    assert plain["cells"] == [[1, 2], [3, 4]]
    assert plain["by_number"] == {"7": 0.5, "-1": 1.0}
    assert plain["numbers"] == [1, 2, 3]
    assert from_plain(Everything, plain) == FULL
    assert dump_json(FULL) == json.dumps(plain, separators=(",", ":"))


def test_fields_with_defaults_may_be_missing() -> None:
    """Fields without a default are required."""
    assert from_plain(Everything, NEEDED) == Everything(3, None, "", [])
    fails(Everything, {"count": 3, "name": ""}, 'missing fields "share", "cells"')


@given(rules())
def test_rules_come_back(drawn: Rules) -> None:
    """Rules are an object, with the start and the clues as text."""
    assert from_plain(Rules, to_plain(drawn)) == drawn
    assert from_plain(PublicRules, to_plain(drawn.public())) == drawn.public()


@given(decisions())
def test_decisions_come_back(drawn: Decision) -> None:
    assert from_plain(Decision, json.loads(json.dumps(to_plain(drawn)))) == drawn


@given(records())
def test_records_come_back(drawn: Record) -> None:
    """Even records that `parse_record` would reject survive a round trip."""
    assert from_plain(Record, json.loads(dump_json(drawn))) == drawn


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"cells": [[1, 2], [3, 4], "x"]},
            'field "cells", item 3: expected [row, column], got "x"',
        ),
        ({"cells": [[1, "x"]]}, 'field "cells", item 1, column: expected a whole number, got "x"'),
        (
            {"cells": [[1, 2, 3]]},
            'field "cells", item 1: expected [row, column], got a list of 3 items',
        ),
        ({"cells": {}}, 'field "cells": expected a list, got an object'),
        ({"count": True}, 'field "count": expected a whole number from 0 to 9, got true'),
        ({"count": 10}, 'field "count": expected a whole number from 0 to 9, got 10'),
        (
            {"count": 10**999},
            'field "count": expected a whole number from 0 to 9, got a longer number',
        ),
        ({"count": 1.0}, 'field "count": expected a whole number from 0 to 9, got 1.0'),
        ({"share": float("nan")}, 'field "share": expected a number from 0 to 1, got nan'),
        ({"share": "x"}, 'field "share": expected a number from 0 to 1, got "x"'),
        ({"name": "abcdef"}, 'field "name": expected text of up to 5 characters, got "abcdef"'),
        ({"name": None}, 'field "name": expected text of up to 5 characters, got nothing'),
        ({"few": []}, 'field "few": expected a list of 1 to 3 items, got an empty list'),
        ({"few": [1, False]}, 'field "few", item 2: expected a whole number, got false'),
        ({"kind": "c"}, 'field "kind": expected a, b or 3, got "c"'),
        ({"kind": True}, 'field "kind": expected a, b or 3, got true'),
        ({"colour": "rde"}, 'field "colour": expected red or blue, got "rde"; did you mean red?'),
        ({"height": True}, 'field "height": expected 1 or 2, got true'),
        (
            {"value": []},
            'field "value": expected text, a number or true or false, got an empty list',
        ),
        ({"whole": [1]}, 'field "whole": expected a list of 2 items, got a list of 1 item'),
        ({"whole": ["a", 1]}, 'field "whole", item 1: expected a whole number, got "a"'),
        (
            {"by_colour": {"red": "x"}},
            'field "by_colour", field "red": expected a whole number, got "x"',
        ),
        ({"by_number": {"x": 1}}, 'field "by_number", field "x": expected a whole number, got "x"'),
        ({"names": 1}, 'unknown field "names"; did you mean name?'),
    ],
)
def test_messages_name_the_place(changed: dict[str, Any], message: str) -> None:
    """An error states the path first, then the expected type, then the actual value."""
    fails(Everything, {**NEEDED, **changed}, message)
    between = ": " if message.startswith("unknown") else ", "
    fails(Everything, {**NEEDED, **changed}, f"a.toml{between}{message}", "a.toml")


def test_the_outermost_value_has_no_place() -> None:
    fails(int, "1", 'expected a whole number, got "1"')
    fails(list[int], "1", 'a list of numbers: expected a list, got "1"', "a list of numbers")
    fails(float, 10**400, "expected a number, got a longer number")
    assert from_plain(int | None, None) is None
    assert from_plain(float, 1) == 1.0
    assert type(from_plain(int | float, 1)) is int
    assert type(from_plain(float | None, 1)) is float


def test_what_a_type_refuses_itself_has_a_place() -> None:
    """The error of the type itself is the cause of the codec's error."""
    plain = {**to_plain(EXPERT), "mines": 481}
    with pytest.raises(NotationError, match="item 1: expected 0 to 479 mines") as caught:
        from_plain(list[Rules], [plain])
    assert isinstance(caught.value.__cause__, RulesError)
    fails(
        Rules,
        {**plain, "start": "sfe"},
        "field \"start\": expected start to be any, safe, opening, given:K or no-guess, got 'sfe'; "
        "did you mean safe?",
    )
    fails(Rules, {**plain, "goal": 1}, 'field "goal": expected open or mark, got 1')


def test_types_can_have_a_text_form() -> None:
    """Subclasses have the text form of their base class."""
    text_form(Word, Word, lambda word: word.text)

    class Longer(Word):
        pass

    assert to_plain([Word("a"), Longer("b")]) == ["a", "b"]
    assert from_plain(Word, "a").text == "a"
    fails(Word, 1, "expected text, got 1")


def test_forms_choose_and_rename_attributes() -> None:
    """Attributes that are not fields are written, but not read."""

    @dataclass
    class Chosen:
        name: str
        count: int = 2
        reason: Reason = field(default_factory=lambda: Reason("so"))

        @property
        def twice(self) -> int:
            return 2 * self.count

    @plain_form("title=name", "count", "twice", "why=reason.text")
    @dataclass
    class Shown(Chosen):
        pass

    assert to_plain(Shown("x")) == {"title": "x", "count": 2, "twice": 4, "why": "so"}
    assert from_plain(Shown, {"title": "x", "count": 3}) == Shown("x", 3)
    fails(Shown, {"count": 3}, 'missing field "title"')
    fails(Shown, {"name": "x"}, 'unknown field "name"')


def test_defaults_can_be_left_out() -> None:
    @plain_form("*", omit_defaults=True)
    @dataclass
    class Short:
        name: str
        count: int | None = None

    assert to_plain([Short("x"), Short("x", 0)]) == [{"name": "x"}, {"name": "x", "count": 0}]


def test_what_has_no_plain_form_is_an_error_of_the_programmer() -> None:
    with pytest.raises(TypeError, match="type object have no plain form"):
        to_plain([object()])
    with pytest.raises(TypeError, match="a type that the codec can read"):
        from_plain(complex, 1)
    with pytest.raises(TypeError, match="two types both accept"):
        from_plain(Colour | str, "red")


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    """JSON can contain halves of surrogate pairs, but files cannot."""
    assert from_plain(str, "a\ud800b") == "a?b"


def test_json_is_bounded() -> None:
    """Numbers must be finite. The number of values and the depth can be limited."""
    assert load_json('["a,b,c[[", 1]', "a list", values=2, depth=2) == ["a,b,c[[", 1]
    for text in ("[NaN]", "[1e999]", "[Infinity]", "[", "[" * 100_000):
        with pytest.raises(NotationError, match="expected a list as JSON"):
            load_json(text, "a list")
    with pytest.raises(NotationError, match="expected a list with at most 2 values"):
        load_json("[1, 2, 3]", "a list", values=2)
    with pytest.raises(NotationError, match="expected a list nested at most 2 levels deep"):
        load_json("[[[]]]", "a list", depth=2)
    with pytest.raises(NotationError, match="expected finite numbers"):
        dump_json([float("inf")])


SAMPLES: list[tuple[Any, Any]] = [
    (Everything, FULL),
    (Rules, EXPERT),
    (Goal, Goal.OPEN),
    (list[Step], [Step(Move("open", (1, 2)), True, 0.5, "so")]),
    (Outcome | None, None),
    (Decision, Decision(Move("open", (1, 2)), True, Reason("so", (Cell(0, 0),)), 0.5)),
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample[0]))
def test_spoilt_values_are_refused(sample: tuple[Any, Any]) -> None:
    """The codec returns a value or raises its own error, for any input."""
    kind, value = sample
    plain = to_plain([value])
    check_reader(
        lambda wrong: from_plain(kind, wrong[0] if isinstance(wrong, list) and wrong else wrong),
        lambda dice: spoilt_value(plain, dice),
        300,
    )
