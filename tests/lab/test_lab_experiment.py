"""Experiments as data: rules, varied values, conditions, TOML files and chunks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lab_small import small

from mineproof.backend import native
from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.rules import HARD, Rules, with_options
from mineproof.lab.catalogue import parse_experiment, read_experiments
from mineproof.lab.chunks import plan
from mineproof.lab.experiment import Setting, rules_of
from mineproof.lab.figure import Figure
from mineproof.notation.codec import to_plain

TOML = """
title = "Two agents"
agents = ["basic", "resolution"]
games = 30
probes = ["board"]

[rules]
level = "10x10/10"
start = "opening"

[vary]
mines = [5, 10]
option.matching = ["kb0", "both"]

[[figures]]
name = "won"
title = "Games won"
metric = "won"
x = "mines"

[[figures.reported]]
x = 5
value = 0.9
text = "9 of 10"
games = 10
"""


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"level": "hard"}, HARD),
        ({"level": "hard", "given": 5}, with_options(HARD, start="given:5")),
        ({"size": 10, "density": 0.15}, Rules(10, 10, 15)),
        ({"size": "8x9", "mines": 7}, Rules(8, 9, 7)),
        ({"level": "beginner", "density": 0.2, "mines": 3}, Rules(9, 9, 3)),
        ({"level": "9x9/10", "flood": False}, with_options(Rules(9, 9, 10), flood=False)),
    ],
)
def test_settings_make_rules(settings: dict[str, Setting], expected: Rules) -> None:
    assert rules_of(settings) == expected


def test_conditions_are_all_combinations() -> None:
    """An agent that lacks a varied option gets one condition, not one per value."""
    vary = {"mines": (5, 10), "option.matching": ("kb0", "both")}
    found = small(agents=("basic", "resolution:stuck=five"), vary=vary).conditions
    assert [(one.agent, one.rules.mines) for one in found] == [
        ("basic", 5),
        ("resolution:stuck=five,matching=kb0", 5),
        ("resolution:stuck=five,matching=both", 5),
        ("basic", 10),
        ("resolution:stuck=five,matching=kb0", 10),
        ("resolution:stuck=five,matching=both", 10),
    ]
    assert found[0].level == "9x9/5"


def test_first_cells_have_names() -> None:
    names = ("corner", "edge", "middle", "2,3")
    found = [one.first for one in small(vary={"first": names}).conditions]
    assert found == [(0, 0), (0, 4), (4, 4), (2, 3)]
    every = small(rules={"level": "beginner", "first": "every"}).conditions
    assert [one.first for one in every] == [Cell(r, c) for r in range(9) for c in range(9)]


@pytest.mark.parametrize(
    "changes",
    [
        {"agents": ()},
        {"games": 0},
        {"games": True},
        {"probes": ("luk",)},
        {"vary": {"sise": (1,)}},
        {"seed": -1},
        {"figures": (Figure("f", "F", "won", x="mines"),) * 2},
        {"figures": (Figure("f", "F", "chain", x="mines"),)},
    ],
)
def test_an_experiment_refuses_nonsense_at_once(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        small(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"agents": ("nobody",)},
        {"agents": ("basic:x=1",)},
        {"rules": {"level": "nowhere"}},
        {"rules": {"size": "ten"}},
        {"rules": {"level": "easy", "first": "corner"}},
        {"rules": {"first": "99,99"}},
        {"rules": {"first": "north"}},
        {"rules": {"mines": "many"}},
        {"rules": {"flood": "maybe"}},
    ],
)
def test_conditions_name_the_experiment_that_is_wrong(changes: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match="experiment small: "):
        _ = small(**changes).conditions


def test_a_toml_file_is_an_experiment(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TOML)
    (found,) = read_experiments(path)
    assert (found.name, found.agents, found.games) == ("two", ("basic", "resolution"), 30)
    assert len(found.conditions) == 6
    assert found.figures[0].reported[0].text == "9 of 10"
    assert parse_experiment(json.loads(json.dumps(to_plain(found))), "here") == found


@pytest.mark.parametrize(
    "change",
    [
        ("title =", "titel ="),
        ("games = 30", "games = 'x'"),
        ('agents = ["basic", "resolution"]', 'agents = "basic"'),
        ("mines = [5, 10]", "mines = 5"),
        ("mines = [5, 10]", "mines = [[5]]"),
        ('metric = "won"', 'metric = "fun"'),
        ('metric = "won"', "metric = 1"),
        ('x = "mines"', 'x = "agent"'),
        ('x = "mines"', 'x = "height"'),
        ("value = 0.9", "worth = 0.9"),
        ("value = 0.9", "value = 'most'"),
        ('x = "mines"', 'x = "mines"\nthreshold = "half"'),
        ('x = "mines"', 'x = "mines"\nthreshold = true'),
        ('x = "mines"', 'x = "mines"\nlog = "yes"'),
        ('x = "mines"', 'x = "mines"\nwhere = 3'),
        ('x = "mines"', 'x = "mines"\nkind = "differences"'),
        ("reported]]", "claims]]\nsays = 'no'\nexpect = 'much'\n[[figures.reported]]"),
        ("reported]]", "claims]]\nsays = 'no'\nexpect = 'less'\n[[figures.reported]]"),
        ("reported]]", "claims]]\nsays = 'no'\nexpect = 'within'\n[[figures.reported]]"),
        ("reported]]", "claims]]\nsays = 'no'\n[[figures.reported]]"),
        ("reported]]", "claims]]\nsays = 1\nexpect = 'rises'\n[[figures.reported]]"),
        (
            "reported]]",
            "claims]]\nsays = 'no'\nexpect = 'rises'\nof = { age = 1 }\n[[figures.reported]]",
        ),
        ('metric = "won"', 'metric = "chain"'),
        ("games = 30", "seed = -1"),
        ("[vary]", "[vary"),
    ],
)
def test_a_wrong_toml_file_is_refused_with_its_place(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TOML.replace(*change))
    with pytest.raises(InputError, match=r"two\.toml"):
        read_experiments(path)


SEVERAL = """
source = "a report"
games = 7

[rules]
level = "9x9/5"
start = "opening"

[[experiments]]
name = "one"
title = "One"
agents = ["basic"]

[[experiments]]
name = "two"
title = "Two"
agents = ["exact"]
games = 9
rules = { start = "safe" }
"""


def test_a_file_may_have_several_experiments(tmp_path: Path) -> None:
    path = tmp_path / "several.toml"
    path.write_text(SEVERAL)
    one, two = read_experiments(path)
    assert (one.name, one.source, one.games) == ("one", "a report", 7)
    assert (two.name, two.source, two.games) == ("two", "a report", 9)
    assert one.rules == {"level": "9x9/5", "start": "opening"}
    assert two.rules == {"level": "9x9/5", "start": "safe"}
    path.write_text(SEVERAL.replace('"two"', '"one"'))
    with pytest.raises(InputError, match=r"several\.toml has two experiments with the name one"):
        read_experiments(path)
    path.write_text(SEVERAL.replace('agents = ["exact"]', 'agent = "exact"'))
    with pytest.raises(
        InputError, match=r'several\.toml, two: unknown field "agent"; did you mean agents'
    ):
        read_experiments(path)


def test_chunks_cover_every_game_once() -> None:
    experiment = small(agents=("basic", "exact"), vary={"mines": (5, 10)}, games=2500)
    chunks = plan(experiment, 2500)
    for condition in experiment.conditions:
        mine = sorted((c.start, c.count) for c in chunks if condition in c.conditions)
        assert sum(count for _, count in mine) == 2500
        assert [start for start, _ in mine] == [
            sum(c for _, c in mine[:i]) for i in range(len(mine))
        ]


def test_keys_tell_chunks_apart_and_never_change() -> None:
    """The same games have the same key, even if more games are planned."""
    first, second = plan(small(games=3000), 3000), plan(small(games=9000), 9000)
    assert len({chunk.key for chunk in second}) == len(second)
    assert {chunk.key for chunk in first[:-1]} <= {chunk.key for chunk in second}
    for changes in ({"seed": 1}, {"probes": ("board",)}, {"rules": {"level": "9x9/11"}}):
        other = plan(small(**changes), 5)
        assert other[0].key != plan(small(), 5)[0].key


def test_the_key_of_an_own_agent_follows_its_file(tmp_path: Path) -> None:
    """If an agent's file has changed, its games are played again."""
    source = Path(__file__).parents[2] / "examples" / "my_agent.py"
    keys = set()
    for name, text in (("a", ""), ("b", "\n# changed\n")):
        path = tmp_path / name / "my_agent.py"
        path.parent.mkdir()
        path.write_text(source.read_text() + text)
        keys.add(plan(small(agents=(f"{path}:MyAgent",)), 1)[0].plain["file"])
    assert len(keys) == 2


@pytest.mark.skipif(native is None, reason="without the core no game is that short")
def test_short_conditions_share_a_chunk() -> None:
    """If the core plays the games quickly, the conditions of an agent share a chunk."""
    rules = {"level": "beginner", "first": "every"}
    experiment = small(agents=("exact", "basic"), rules=rules)
    chunks = plan(experiment, 5)
    assert sum(chunk.games for chunk in chunks) == 2 * 81 * 5
    assert [len(one.conditions) for one in chunks if one.agent == "exact"] == [81]
    assert {len(one.conditions) for one in chunks if one.agent == "basic"} == {1}
    slow = small(agents=("exact",), rules=rules | {"explosion": "continue"})
    assert {len(one.conditions) for one in plan(slow, 5)} == {1}
    assert len(plan(small(agents=("exact",), rules={"level": "expert"}), 10**5)) > 3


def test_figures_have_plain_names() -> None:
    """Figure names become file names, so they must not point to another folder."""
    with pytest.raises(NotationError, match="a name of letters, digits and -"):
        Figure("../f", "F", "won", x="mines")


def test_toml_that_is_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 100_000)
    with pytest.raises(InputError, match=r"deep\.toml .*nested too deeply"):
        read_experiments(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "# fine\n" + ".".join("a" * 20_000) + " = 1\n",
            "line 2: a line may have at most 200 dots",
        ),
        ("[" + ".".join("a" * 20_000) + "]\n", "line 1: a line may have at most 200 dots"),
        ("# a comment\n" * 30_000, "long.toml is too large: the limit is 256 KiB"),
    ],
)
def test_toml_that_takes_too_long_to_read(tmp_path: Path, text: str, message: str) -> None:
    """Parsing a dotted key takes quadratic time, so long keys are rejected before parsing."""
    path = tmp_path / "long.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_experiments(path)
    path.write_text(TOML + "\n# " + 200 * ".")
    assert len(read_experiments(path)) == 1
