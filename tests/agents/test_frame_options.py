"""Options of agents: types, defaults, choices and help texts, as read from `__init__`."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from mineproof.agents.options import Option, options_of, read_options
from mineproof.core.errors import AgentError


class Optioned:
    """An agent with one option of each type."""

    def __init__(
        self,
        on: Annotated[bool, "a switch"] = True,
        count: Annotated[int, "a number"] = 3,
        share: float = 0.5,
        name: str = "x",
        choice: Annotated[Literal["a", "b"], "one of two"] = "a",
        *rest: object,
        keyword: int = 0,
        **more: object,
    ) -> None:
        """Accept all options."""


class Plain:
    """An agent without options."""


def test_options_are_read_from_the_signature() -> None:
    assert options_of(Optioned) == {
        "on": Option("on", bool, True, "a switch"),
        "count": Option("count", int, 3, "a number"),
        "share": Option("share", float, 0.5, ""),
        "name": Option("name", str, "x", ""),
        "choice": Option("choice", str, "a", "one of two", ("a", "b")),
        "keyword": Option("keyword", int, 0, ""),
    }
    assert options_of(Plain) == {}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("on", "off", False),
        ("on", "Yes", True),
        ("count", "-7", -7),
        ("share", "0.25", 0.25),
        ("share", "2", 2.0),
        ("name", "hello", "hello"),
        ("choice", "b", "b"),
    ],
)
def test_text_becomes_a_value(name: str, text: str, value: object) -> None:
    found = read_options(options_of(Optioned), {name: text})
    assert found == {name: value}
    assert type(found[name]) is type(value)
    assert read_options(options_of(Optioned), {name: value}) == {name: value}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("on", "maybe", "expected on=on|off, got 'maybe'"),
        ("count", "3.5", "expected count=a whole number, got '3.5'"),
        ("count", True, "expected count=a whole number, got True"),
        ("share", "much", "expected share=a number, got 'much'"),
        ("share", "nan", "expected share=a number, got nan"),
        ("share", "inf", "expected share=a number, got inf"),
        ("choice", "c", "expected choice=a|b, got 'c'"),
        ("name", 3, "expected name=text, got 3"),
        ("colour", "red", "expected an option of this agent (on, count"),
    ],
)
def test_wrong_values_are_refused(name: str, value: object, message: str) -> None:
    """The message lists the values that the option accepts."""
    with pytest.raises(AgentError) as caught:
        read_options(options_of(Optioned), {name: value})
    assert message in str(caught.value)


def test_a_whole_number_is_a_number() -> None:
    assert read_options(options_of(Optioned), {"share": 1}) == {"share": 1.0}


def test_options_need_defaults_and_plain_types() -> None:
    class NoDefault:
        def __init__(self, depth: int) -> None: ...

    class Strange:
        def __init__(self, cells: list[int] = []) -> None: ...  # noqa: B006

    class Numbered:
        def __init__(self, depth: Literal[1, 2] = 1) -> None: ...

    class Unknown:
        def __init__(self, depth: Nowhere = 1) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(AgentError, match="'depth' has no default"):
        options_of(NoDefault)
    with pytest.raises(AgentError, match="expected bool, int, float, str or Literal for 'cells'"):
        options_of(Strange)
    with pytest.raises(AgentError, match="expected bool, int, float, str or Literal for 'depth'"):
        options_of(Numbered)
    with pytest.raises(AgentError, match=r"annotations of Unknown\.__init__"):
        options_of(Unknown)
