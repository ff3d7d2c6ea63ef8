"""Rules: levels, text forms, parsing, limits and error messages."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import clue_models, rules, starts

from mineproof.core.clues import ClueRule, Withheld
from mineproof.core.errors import RulesError
from mineproof.core.rules import (
    ANY,
    EXPERT,
    LEVELS,
    NO_GUESS,
    OPENING,
    SAFE,
    Explosion,
    Goal,
    MineCount,
    Rules,
    Start,
    StartKind,
    with_options,
)


@pytest.mark.parametrize(
    ("name", "rows", "columns", "mines", "start"),
    [
        ("easy", 9, 9, 10, "given:1"),
        ("medium", 16, 16, 25, "given:1"),
        ("hard", 16, 30, 99, "given:1"),
        ("beginner", 9, 9, 10, "safe"),
        ("classic-beginner", 8, 8, 10, "safe"),
        ("intermediate", 16, 16, 40, "safe"),
        ("expert", 16, 30, 99, "safe"),
    ],
)
def test_levels(name: str, rows: int, columns: int, mines: int, start: str) -> None:
    """Each level has its size, mine count and start. Capitals and spaces do not matter."""
    assert Rules.parse(f" {name.upper()} ") == Rules(rows, columns, mines, Start.parse(start))
    assert LEVELS[name] == Rules.parse(name)


def test_usual_rules() -> None:
    """A custom size uses the start `safe` and the default rules."""
    usual = Rules.parse("16x30/99")
    assert usual == EXPERT
    assert (usual.start, usual.goal, usual.explosion) == (SAFE, Goal.OPEN, Explosion.LOSE)
    assert (str(usual.clues), usual.mine_count, usual.flood) == ("exact", MineCount.KNOWN, True)


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("10x10/0.15", 15),
        ("10x10/.15", 15),
        ("1000x1000/0.12", 120_000),
        ("9x9/0", 0),
        ("9x9/0.0", 0),
        ("1x1/0.4", 0),
        ("9X9/10", 10),
        ("3x3/8", 8),
    ],
)
def test_mines_are_a_count_or_a_density(text: str, mines: int) -> None:
    """A whole number is the number of mines. A decimal fraction is their share of the cells."""
    assert Rules.parse(text).mines == mines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"expected a level \(easy, .*\) or ROWSxCOLUMNS/MINES such as 16x30/99, got ''"),
        ("exprt", "got 'exprt'"),
        ("9x9", "got '9x9'"),
        ("9x9x10", "got '9x9x10'"),
        ("-9x9/10", "got '-9x9/10'"),
        ("٩x9/10", "expected a level"),
        ("0x9/0", "expected 1 to 1000 rows, got 0"),
        ("9x1001/10", "expected 1 to 1000 columns, got 1001"),
        ("9x9/81", r"expected 0 to 80 mines on a 9x9 board \(at least one cell is safe\), got 81"),
        ("1x1/0.9", "expected 0 to 0 mines on a 1x1 board"),
        ("9x9/-1", "a whole number or a density from 0 to below 1, got '-1'"),
        ("9x9/1.0", "a density from 0 to below 1, got '1.0'"),
        ("9x9/1e-99999999", "got '1e-99999999'"),
        ("9x9/nan", "got 'nan'"),
        ("9x9/", "expected a level"),
    ],
)
def test_levels_that_are_none(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


@pytest.mark.parametrize("value", [0, -1, 1001])
def test_sides_out_of_range(value: int) -> None:
    """A side is from 1 to 1,000."""
    with pytest.raises(RulesError, match="expected 1 to 1000 rows, got"):
        Rules(value, 9, 0)
    with pytest.raises(RulesError, match="expected 1 to 1000 columns, got"):
        Rules(9, value, 0)


@pytest.mark.parametrize("value", [1.0, True, "1", None])
@pytest.mark.parametrize("name", ["rows", "columns", "mines"])
def test_sides_and_mines_are_whole_numbers(name: str, value: object) -> None:
    sizes: dict[str, Any] = {"rows": 9, "columns": 9, "mines": 0, name: value}
    with pytest.raises(TypeError, match=f"expected {name} as a whole number, got"):
        Rules(**sizes)


@given(rules(max_side=40))
def test_level_texts_survive(setting: Rules) -> None:
    again = Rules.parse(setting.level)
    assert (again.rows, again.columns, again.mines) == (
        setting.rows,
        setting.columns,
        setting.mines,
    )


@given(starts())
def test_start_texts_survive(start: Start) -> None:
    """The text of a start can be parsed again, even if K is a fraction."""
    assert Start.parse(str(start)) == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("any", ANY),
        (" SAFE ", SAFE),
        ("opening", OPENING),
        ("no-guess", NO_GUESS),
        ("no-guess:exact", NO_GUESS),
        ("No-Guess:clue-heap", Start(StartKind.NO_GUESS, agent="clue-heap")),
        ("given", Start(StartKind.GIVEN, Fraction(1))),
        ("given:5", Start(StartKind.GIVEN, Fraction(5))),
        ("given:0.5", Start(StartKind.GIVEN, Fraction(1, 2))),
        ("given:.5", Start(StartKind.GIVEN, Fraction(1, 2))),
        ("given:2/3", Start(StartKind.GIVEN, Fraction(2, 3))),
        ("given:0.0000001", Start(StartKind.GIVEN, Fraction(1, 10_000_000))),
    ],
)
def test_starts(text: str, start: Start) -> None:
    assert Start.parse(text) == start
    assert Start.parse(str(start)) == start


@pytest.mark.parametrize(
    "text",
    ["given:", "given:0", "given:-1", "given:1/0", "given:x", "given:1e99999999", "given:1000001"],
)
def test_starts_with_a_wrong_k(text: str) -> None:
    """A K that is not a positive number is rejected without delay."""
    with pytest.raises(RulesError, match="expected given:K with a positive number K"):
        Start.parse(text)


@pytest.mark.parametrize("text", ["", "soon", "safe:", "any:1"])
def test_starts_that_are_none(text: str) -> None:
    """The error for an unknown start lists all starts."""
    with pytest.raises(
        RulesError, match="start to be any, safe, opening, given:K or no-guess, got"
    ):
        Start.parse(text)


@pytest.mark.parametrize("text", ["no-guess:", "no-guess:a:b", "no-guess:x.py", "no-guess:a=1"])
def test_no_guess_names_an_agent_without_options(text: str) -> None:
    """The rules check the form of the agent's name, but not whether the agent exists."""
    with pytest.raises(RulesError, match=r"needs an agent|expected no-guess:AGENT"):
        Start.parse(text)


@pytest.mark.parametrize(("name", "text"), [("clues", "cautious"), ("mine_count", "unknown")])
def test_no_guess_needs_clues_and_mine_count_that_prove(name: str, text: str) -> None:
    """`no-guess` is rejected if clues may be wrong or the mine count is unknown."""
    with pytest.raises(RulesError, match=f"the start no-guess needs .*, got {text}"):
        with_options(EXPERT, start="no-guess", **{name: text})


def test_contradictory_starts_are_refused() -> None:
    """A start that takes no number rejects a number."""
    with pytest.raises(RulesError, match="the start safe takes no K, got 2"):
        Start(StartKind.SAFE, Fraction(2))
    with pytest.raises(RulesError, match="expected given:K with a positive number K"):
        Start(StartKind.GIVEN)


@pytest.mark.parametrize(
    ("level", "times", "count"),
    [
        ("9x9/10", "1", 9),
        ("16x16/25", "1", 16),
        ("16x30/99", "1", 22),
        ("9x9/10", "5", 45),
        ("16x16/25", "5", 80),
        ("16x30/99", "5", 110),
        ("16x30/99", "10", 220),
        ("9x9/10", "0.5", 5),
        ("9x9/10", "1/3", 3),
        ("16x30/99", "0.01", 1),
        ("9x9/10", "10", 71),
        ("3x3/8", "7", 1),
        ("1x1/0", "1", 1),
    ],
)
def test_how_many_cells_are_given(level: str, times: str, count: int) -> None:
    """`given:K` gives K x round(sqrt(cells)) cells, rounded up, but at most all safe cells."""
    assert with_options(Rules.parse(level), start=f"given:{times}").given_count == count


@given(rules(max_side=30))
def test_given_count_by_its_definition(setting: Rules) -> None:
    """Only the start `given:K` gives cells, and never more than are safe."""
    cells = setting.rows * setting.columns
    wanted = math.ceil(setting.start.times * round(math.sqrt(cells)))
    assert setting.given_count == min(wanted, cells - setting.mines)
    assert (setting.given_count > 0) == (setting.start.kind is StartKind.GIVEN)


def test_the_first_cell_of_each_start() -> None:
    """The default first cell is in or near a corner. `given` has no first cell."""
    assert Rules(16, 30, 99, ANY).first_cell == (0, 0)
    assert EXPERT.first_cell == (0, 0)
    assert Rules(16, 30, 99, OPENING).first_cell == (3, 3)
    assert Rules(2, 1, 1, OPENING).first_cell == (0, 0)
    assert LEVELS["hard"].first_cell is None


@given(rules())
def test_public_rules_hide_the_mines_that_are_unknown(setting: Rules) -> None:
    """The public rules contain the number of mines only if the mine count is known."""
    public = setting.public()
    known = setting.mine_count is MineCount.KNOWN
    assert public.mines == (setting.mines if known else None)
    for name in ("rows", "columns", "start", "goal", "explosion", "clues", "flood"):
        assert getattr(public, name) == getattr(setting, name)
    matter = setting.goal is Goal.MARK or setting.explosion is Explosion.CONTINUE
    assert public.marks_matter == matter
    assert public.grid is setting.grid


@given(rules())
def test_options_set_each_rule_by_its_text(setting: Rules) -> None:
    """Every rule can be set by its text, and None leaves a rule unchanged."""
    plain = Rules(setting.rows, setting.columns, setting.mines)
    assert with_options(setting) == setting
    assert setting == with_options(
        plain,
        start=str(setting.start),
        goal=setting.goal.upper(),
        explosion=setting.explosion.value,
        clues=str(setting.clues),
        mine_count=f" {setting.mine_count} ",
        flood=setting.flood,
    )


def test_options_that_are_none_list_the_choices() -> None:
    """The error quotes the wrong word and lists the valid words."""
    with pytest.raises(RulesError, match="expected goal open or mark, got 'win'"):
        with_options(EXPERT, goal="win")
    with pytest.raises(RulesError, match="expected explosion lose or continue, got ''"):
        with_options(EXPERT, explosion="")
    with pytest.raises(RulesError, match="expected mine count known or unknown, got 'few'"):
        with_options(EXPERT, mine_count="few")


@given(clue_models())
def test_clue_texts_survive(model: ClueRule) -> None:
    assert ClueRule.parse(str(model)) == model


@pytest.mark.parametrize(
    "text", ["withheld", "withheld:", "withheld:2", "withheld:nan", "withheld:x"]
)
def test_withheld_needs_a_probability(text: str) -> None:
    with pytest.raises(RulesError, match="expected withheld:P with a probability P from 0 to 1"):
        ClueRule.parse(text)


@pytest.mark.parametrize("text", ["", "true", "exact:1", "cautious:"])
def test_clues_that_are_none(text: str) -> None:
    """The error for an unknown clue rule lists all clue rules."""
    with pytest.raises(RulesError, match="expected clues exact, withheld:P, optimistic or"):
        ClueRule.parse(text)


@pytest.mark.parametrize("probability", [-0.1, 1.1, math.nan])
def test_a_probability_is_one(probability: float) -> None:
    """A clue rule rejects a number that is not a probability."""
    with pytest.raises(RulesError, match="expected a probability from 0 to 1"):
        Withheld(probability)


@given(st.text(max_size=30))
def test_any_text_is_a_level_or_refused(text: str) -> None:
    """Any text is parsed or raises `RulesError`, as a level, a start or a clue rule."""
    for parse in (Rules.parse, Start.parse, ClueRule.parse):
        try:
            parse(text)
        except RulesError:
            continue


def test_rules_compare_by_value() -> None:
    assert replace(EXPERT, flood=True) == EXPERT
    assert hash(replace(EXPERT)) == hash(EXPERT)
    assert replace(EXPERT, flood=False) != EXPERT
