"""Creating agents from text: ids with options, and classes in a user's file."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import mineproof as mw
from mineproof.agents.loading import load_module, make_agent, parse_agent
from mineproof.agents.protocol import Agent
from mineproof.agents.registry import agent, agents, strongest
from mineproof.core.errors import AgentError

AGENT = '''
from typing import Literal


class Mine:
    """Opens nothing.

    More words.
    """

    def __init__(self, mode: Literal["a", "b"] = "a", depth: int = 1):
        self.mode = mode
        self.depth = depth

    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return None


class Half:
    def start(self, rules, seed):
        pass


class Broken(Mine):
    def __init__(self):
        raise RuntimeError("not today")


number = 3
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file that defines agents."""
    path = tmp_path / "mine.py"
    path.write_text(AGENT)
    return path


@pytest.mark.parametrize("name", list(agents()))
def test_every_id_makes_an_agent(name: str) -> None:
    """Every registered agent can be created, with and without explicit default options."""
    assert isinstance(make_agent(name), Agent)
    spec = agents()[name]
    defaults = {option.name: option.default for option in spec.options.values()}
    assert isinstance(make_agent(name, **defaults), Agent)
    written = ",".join(f"{key}={value}" for key, value in defaults.items())
    assert isinstance(make_agent(f"{name}:{written}"), Agent)
    assert (spec.idea and spec.source and spec.proves and spec.cannot_prove) != ""


def test_the_strongest_is_the_last() -> None:
    """Agents are listed by strength, and `random` is the weakest."""
    names = [name for name, spec in agents().items() if not spec.takes_time]
    assert (names[0], names[-1]) == ("random", strongest())


def test_an_id_is_taken_once() -> None:
    class Other:
        """Another agent."""

    register = agent("basic", idea="x", source="x", proves="x", cannot_prove="x")
    with pytest.raises(AgentError, match="agent id 'basic' is used twice"):
        register(Other)


def test_a_class_in_a_file(file: Path) -> None:
    """Options follow a second colon after `FILE.py:Class`. Keyword arguments override them."""
    assert isinstance(make_agent(f"{file}:Mine"), Agent)
    made = make_agent(f"{file}:Mine:mode=b,depth=4", depth=5)
    assert (made.mode, made.depth) == ("b", 5)  # type: ignore[attr-defined]
    spec, options = parse_agent(f"{file}:Mine:mode=b")
    assert (spec.idea, spec.source) == ("Opens nothing.", f"{file}:Mine:mode=b")
    assert options == {"mode": "b"}


def test_options_may_name_files(file: Path) -> None:
    """Only the first `.py:` ends the file name."""
    assert parse_agent(f"{file}:Mine:mode=x.py:y")[1] == {"mode": "x.py:y"}


def test_a_file_may_import_its_neighbours(file: Path) -> None:
    """An agent file can import a second file from its folder, as a script can."""
    file.with_name("neighbour_of_mine.py").write_text("NUMBER = 7\n")
    file.write_text("from neighbour_of_mine import NUMBER\n" + AGENT)
    assert load_module(file).NUMBER == 7


def test_a_changed_file_is_read_again(file: Path) -> None:
    """An unchanged file is loaded only once, and a changed file is loaded again."""
    assert load_module(file) is load_module(file)
    first = load_module(file)
    file.write_text(AGENT + "\nmore = 1\n")
    assert load_module(file) is not first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "expected an agent (random"),
        ("", "expected an agent (random"),
        ("basic:depth", "expected options as name=value,name=value, got 'depth'"),
        ("random:depth=3", "agent random: expected an option of this agent (none), got 'depth'"),
        ("FILE", "expected FILE.py:Class, got"),
        ("FILE:", "expected FILE.py:Class, got"),
        ("cs50 :file=mine.PY", "expected FILE.py:Class, got"),  # else it would count as built in
        ("cs50:file=a\nmine.PY", "expected FILE.py:Class, got"),
        ("FILE:Nobody", "has no class or function 'Nobody'"),
        ("FILE:number", "has no class or function 'number'"),
        ("FILE:Half", "Half has no method 'decide'"),
        ("FILE:Broken", "cannot create agent Broken: RuntimeError: not today ("),
        ("FILE:Mine:mode=c", "agent Mine: expected mode=a|b, got 'c'"),
        ("nowhere.py:Mine", "cannot read nowhere.py: No such file"),
    ],
)
def test_what_cannot_be_loaded(file: Path, text: str, message: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(text.replace("FILE", str(file)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("def decide(:\n", "SyntaxError"),
        ("import nothing_like_this\n", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("raise SystemExit(0)\n", "SystemExit: 0"),
        ("1 / 0\n", "ZeroDivisionError: division by zero ("),
    ],
)
def test_files_that_fail_on_import(file: Path, content: str, message: str) -> None:
    """The error names the file, the cause and the line."""
    file.write_text(content)
    with pytest.raises(AgentError) as caught:
        make_agent(f"{file}:Mine")
    assert f"cannot import {file}: {message}" in str(caught.value)


def test_own_agents_play(file: Path) -> None:
    record = mw.play(mw.Game(mw.BEGINNER, 7), make_agent(f"{file}:Mine"))
    assert record.outcome is not None
    assert record.outcome.result is mw.Result.STUCK


def test_an_option_is_given_once() -> None:
    with pytest.raises(AgentError, match="'stuck' is given twice"):
        parse_agent("sentences:stuck=stop,stuck=random")


def test_modules_that_moved_still_work_with_a_warning() -> None:
    """A user's agent that imports a module by its old name still works."""
    with pytest.warns(DeprecationWarning, match=r"import mineproof\.proof\.counting"):
        counting = importlib.import_module("mineproof.agents.counting").Counting
    assert counting.__module__ == "mineproof.proof.counting"
    with pytest.warns(DeprecationWarning, match=r"import Bounds from mineproof\.core\.clues"):
        bounds = importlib.import_module("mineproof.inference.bounds").Bounds
    assert bounds.__module__ == "mineproof.core.clues"
