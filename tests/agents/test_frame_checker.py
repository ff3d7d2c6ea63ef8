"""The agent checker reports every kind of fault, and good agents pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from mineproof.agents.exact import ExactAgent
from mineproof.agents.protocol import WholeGame
from mineproof.core.errors import AgentError
from mineproof.core.game import Result
from mineproof.match.checker import CheckReport, check_agent
from mineproof.match.isolated_check import check_isolated
from mineproof.notation.position_text import parse_position

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_agent.py"

BASE = """
import sys, time
from mineproof import *
from mineproof.agents.basic import BasicAgent
from mineproof.agents.protocol import Knowledge
from mineproof.agents.random import RandomAgent


def opening(observation, proved=False, **more):
    for index in observation.unopened:
        if not observation.marks[index]:
            move = Move(Action.OPEN, observation.grid.cell(index))
            return Decision(move, proved, Reason("first"), **more)
    return None


class Base:
    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return opening(observation)

"""


def check(tmp_path: Path, body: str, base: str = "Base", seconds: float = 10.0) -> CheckReport:
    """Check an agent that consists of the given methods."""
    file = tmp_path / "agent.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    file.write_text(f"{BASE}\nclass Bad({base}):\n{lines}")
    return check_agent(f"{file}:Bad", games=20, seconds=seconds)


FAULTS = {
    "takes no observation": ("signature", "def decide(self): return None", "decide must accept"),
    "start without a seed": ("signature", "def start(self, rules): pass", "start must accept"),
    "a string": ("type", "def decide(self, o): return 'x'", "decide returned 'x', not a Decision"),
    "a tuple for a move": (
        "type",
        "def decide(self, o): return Decision((0, 1), False, Reason('x'))",
        "the decision's move is (0, 1), not of type Move",
    ),
    "proved is not a bool": (
        "type",
        "def decide(self, o): return opening(o, proved='yes')",
        "the decision's proved is 'yes', not of type bool",
    ),
    "a reason that is text": (
        "type",
        "def decide(self, o): return Decision(opening(o).move, False, 'because')",
        "the decision's reason is 'because', not of type Reason",
    ),
    "a risk in percent": (
        "risk",
        "def decide(self, o): return opening(o, risk=50)",
        "the decision's risk is 50, not from 0 to 1",
    ),
    "a risk that is text": (
        "risk",
        "def decide(self, o): return opening(o, risk='high')",
        "the decision's risk is 'high', not from 0 to 1",
    ),
    "opens an open cell": (
        "illegal",
        "def decide(self, o): return Decision(Move(Action.OPEN, Cell(0, 0)), False, Reason('x'))",
        "decide made the impossible move open 0,0: cell (0, 0) is already open",
    ),
    "off the board": (
        "illegal",
        "def decide(self, o): return Decision(Move(Action.OPEN, Cell(-1, 0)), False, Reason('x'))",
        "expected a cell on the",
    ),
    "always proved": (
        "false",
        "def decide(self, o): return opening(o, proved=True)",
        "proved, which is false",
    ),
    "marks safe cells as proved": (
        "false",
        "def decide(self, o):\n"
        "    free = [i for i in o.unopened if not o.marks[i]]\n"
        "    move = Move(Action.MARK, o.grid.cell(free[0])) if free else None\n"
        "    return Decision(move, True, Reason('x')) if move else None",
        "decide called mark",
    ),
    "false knowledge": (
        "false",
        "def knowledge(self): return Knowledge('all', mined=frozenset([0]))",
        "knowledge claims that (0, 0) is a mine, which is false",
    ),
    "knowledge of another type": (
        "type",
        "def knowledge(self): return {'safe': []}",
        "knowledge returned {'safe': []}, not a Knowledge",
    ),
    "raises": (
        "raises",
        "def decide(self, o): return o.no_such_thing",
        "decide raised AttributeError: ",
    ),
    "leaves the program": (
        "raises",
        "def decide(self, o): sys.exit(0)",
        "decide raised SystemExit",
    ),
    "start raises": ("raises", "def start(self, rules, seed): 1 / 0", "start raised ZeroDivision"),
    "fails without a mine count": (
        "raises",
        "def start(self, rules, seed): self.density = rules.mines / 2",
        "start raised TypeError",
    ),
    "changes the observation": (
        "changes",
        "def decide(self, o):\n    o.shown = b''\n    return None",
        "decide changed its observation",
    ),
    "marks for ever": (
        "endless",
        "def decide(self, o):\n"
        "    cell = o.grid.cell(o.unopened[0])\n"
        "    action = Action.UNMARK if o.is_marked(cell) else Action.MARK\n"
        "    return Decision(Move(action, cell), False, Reason('x'))",
        "the game does not end",
    ),
    "uses the clock as a seed": (
        "repeats",
        "def decide(self, o):\n"
        "    cells = [i for i in o.unopened if not o.marks[i]]\n"
        "    index = cells[time.perf_counter_ns() // 7 % len(cells)]\n"
        "    return Decision(Move(Action.OPEN, o.grid.cell(index)), False, Reason('x'))",
        "plays a different game with the same seed",
    ),
    "remembers the last game": (
        "repeats",
        "count = 0\n"
        "def start(self, rules, seed): self.count += 1\n"
        "def decide(self, o):\n"
        "    cells = [i for i in o.unopened if not o.marks[i]]\n"
        "    cell = o.grid.cell(cells[self.count % len(cells)])\n"
        "    return Decision(Move(Action.OPEN, cell), False, Reason('x'))",
        "the same agent, when started again, plays a different game",
    ),
    "believes changes alone": (
        "company",
        "def start(self, rules, seed): self.opened = set()\n"
        "def decide(self, o):\n"
        "    self.opened.update(o.changes)\n"
        "    closed = [i for i in range(len(o.shown)) if i not in self.opened]\n"
        "    move = Move(Action.OPEN, o.grid.cell(closed[0]))\n"
        "    return Decision(move, False, Reason('x'))",
        "after a person's moves, decide made the impossible move",
    ),
    "opens flagged cells": (
        "company",
        "def decide(self, o):\n"
        "    index = next((i for i in o.unopened if o.marks[i]), o.unopened[0])\n"
        "    return Decision(Move(Action.OPEN, o.grid.cell(index)), False, Reason('x'))",
        "after a person's moves, decide made the impossible move",
    ),
    "runs out of moves after an undo": (
        "undo",
        "def start(self, rules, seed): self.left = None\n"
        "def decide(self, o):\n"
        "    if self.left is None: self.left = list(o.unopened)\n"
        "    while o.shown[self.left[0]] != 9: self.left.pop(0)\n"
        "    return Decision(Move(Action.OPEN, o.grid.cell(self.left.pop(0))), False, Reason('x'))",
        "after an undo, decide raised IndexError",
    ),
    "needs an open cell": (
        "raises",
        "def decide(self, o):\n"
        "    assert any(code != 9 for code in o.shown), 'nothing is open'\n"
        "    return None",
        "decide raised AssertionError: nothing is open",
    ),
}


@pytest.mark.parametrize(("kind", "body", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_are_found(tmp_path: Path, kind: str, body: str, message: str) -> None:
    """Each fault is reported once, in one line, and its position can be parsed."""
    report = check(tmp_path, body)
    found = {finding.kind: finding for finding in report.findings}
    assert len(found) == len(report.findings)
    assert kind in found
    assert message in found[kind].text
    assert "\n" not in found[kind].text
    if found[kind].position:
        parse_position(found[kind].position)


def test_a_hang_is_found(tmp_path: Path) -> None:
    """An agent that never answers is stopped, even if it catches all exceptions."""
    body = (
        "def decide(self, o):\n"
        "    while True:\n"
        "        try: time.sleep(9)\n"
        "        except Exception: pass"
    )
    report = check(tmp_path, body, seconds=2)
    (finding,) = report.findings
    assert (finding.kind, finding.text) == ("hangs", "decide took more than 2 s")
    assert report.games == 1


def test_trusting_unreliable_clues_is_a_fault_of_its_own(tmp_path: Path) -> None:
    """An agent that trusts optimistic clues is reported for that fault only."""
    report = check(
        tmp_path,
        "def start(self, rules, seed):\n"
        "    super().start(rules, seed)\n"
        "    from dataclasses import replace\n"
        "    from mineproof.core.clues import EXACT\n"
        "    self.rules = replace(rules, clues=EXACT)",
        base="BasicAgent",
    )
    assert {finding.kind for finding in report.findings} == {"trusts"}
    assert "the clues are optimistic" in report.findings[0].text


@pytest.mark.parametrize("name", ["random", "basic", f"{EXAMPLE}:MyAgent:guess=stop"])
def test_good_agents_pass(name: str) -> None:
    """The checker finds no fault in correct agents, under all rules and on tiny boards."""
    report, checks = check_agent(name, games=10), 4 if ".py" in name else 5
    assert report.findings == []
    assert report.games == 10 + 4 * 2 * 2 * 4 * 2 * 2 + 6 * 16 + checks * 10


def test_whole_games_that_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games that a built-in agent plays in the native core are those that it plays here."""
    won = [WholeGame(Result.WIN, 0, 0, 0.0, 0)]
    monkeypatch.setattr(ExactAgent, "play_whole", lambda *_arguments: won)
    (found,) = check_agent("exact", games=0, classic=True).findings
    assert found.kind == "whole"
    assert found.text.startswith("play_whole returns (result, guesses, moves)")


def test_user_code_gets_no_boards_in_a_check(tmp_path: Path) -> None:
    body = (
        "def play_whole(self, rules, boards, first): raise ValueError\n"
        "def start(self, rules, seed): assert seed > 2**32"
    )
    assert check(tmp_path, body).findings == []


def test_nothing_to_check() -> None:
    """If an agent cannot be loaded, the checker raises an error instead of reporting a fault."""
    with pytest.raises(AgentError, match="cannot read nowhere"):
        check_agent("nowhere.py:Nobody")


def test_functions_are_checked(tmp_path: Path) -> None:
    """The command checks a function, in its own process, as thoroughly as a class."""
    file = tmp_path / "functions.py"
    file.write_text(
        f"{BASE}\ndef first(o):\n    return o.grid.cell(o.unopened[0])\n\n"
        "def wrong(o):\n    return 'x'\n"
    )
    report = check_isolated(f"{file}:first", games=1, classic=True)
    assert (report.games > 50, report.findings) == (True, [])
    (found,) = check_isolated(f"{file}:wrong", games=1, classic=True).findings[:1]
    assert found.text.startswith("decide returned 'x', not a Decision")
