"""Agents that attack the process with the board: none of their code ever runs there."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from thieves import LOUD, QUIET, thief

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.cli.main import mineproof_command
from mineproof.core.errors import AgentError
from mineproof.core.random import hashed_seed
from mineproof.match.batch import Played, dealt, play_deals
from mineproof.match.isolated import Isolation, player
from mineproof.match.isolated_check import check_isolated
from mineproof.match.plain import read_decision, read_knowledge
from mineproof.match.play import play
from mineproof.workers.messages import MOST_PLAIN


def message(data: bytes, kind: bytes = b"d", number: int = 3, length: int | None = None) -> bytes:
    """Return a forged message, by default about the first move."""
    size = len(data) if length is None else length
    return struct.pack("<2scQQ", b"\xa5\x5a", kind, number, size) + data


GARBAGE = {
    "no module": b"\x80\x04cnosuch\nmodule\n.",
    "text": b"garbage",
    "a number": b"\x80\x04K\x01.",
    "more than memory": b"\x80\x04\x8e" + struct.pack("<Q", 2**62),
    "a long message": message(b"", length=2**62),
    "a message just too long": message(b"", length=MOST_PLAIN + 1),
    "an earlier message": message(b"null", number=2),
    "no JSON": message(b"[1"),
    "deep JSON": message(b"[" * 100_000),
    "no answer": message(b"17"),
    "no error": message(b'{"error":"Oh","text":""}'),
    "no decision": message(b'[0.0,"ho"]'),
    "no time": message(b'[1e308,["open",7,7,false,"x",null]]'),
    "out of turn": message(b"null", kind=b"r"),
}


def games(name: str, *more: str) -> Result:
    """Play some games on the command line."""
    level = ("--level", "beginner", "--seed", "5", "--count", "4", "--jobs", "1")
    return CliRunner().invoke(mineproof_command, ["games", "--agent", name, *level, *more])


@pytest.mark.parametrize("steal", QUIET)
def test_loot_in_an_answer_is_left_where_it_is(tmp_path: Path, steal: str) -> None:
    """An agent that hides code in its answers plays the same games as an honest one."""
    name, note = thief(tmp_path, QUIET[steal])
    found: list[Played] = []
    play_deals(Isolation(name), dealt(mw.BEGINNER, 4), found.extend)
    honest = thief(tmp_path, "pass")[0]
    expected: list[Played] = []
    play_deals(honest, dealt(mw.BEGINNER, 4), expected.extend)
    both = [[(one.index, one.result, one.moves) for one in some] for some in (found, expected)]
    assert sorted(both[0]) == sorted(both[1])
    assert not note.exists()


@pytest.mark.parametrize("steal", LOUD)
def test_whoever_reaches_further_is_named(tmp_path: Path, steal: str) -> None:
    """The game of an attacker fails, with a one-line error that names the agent and its move."""
    name, note = thief(tmp_path, LOUD[steal])
    result = games(name)
    assert result.exit_code == 0, result.output
    last = next(line for line in result.stderr.splitlines() if line.startswith("game "))
    assert name in last
    assert not note.exists()


@pytest.mark.parametrize("steal", [*LOUD, "a candidate"])
def test_a_check_takes_nothing_over(tmp_path: Path, steal: str) -> None:
    """`agents --check` also runs the agent in a separate process and accepts only plain values."""
    name, note = thief(tmp_path, {**LOUD, **QUIET}[steal])
    report = check_isolated(name, games=1)
    assert not note.exists()
    if "pi" in steal or "writing" in steal:
        assert [finding.kind for finding in report.findings] == ["garbles"]


@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_is_the_fault_of_the_agent(tmp_path: Path, what: str) -> None:
    """If an agent writes any bytes to the pipe, the error names the agent and its move."""
    name, _note = thief(tmp_path, f"spill({GARBAGE[what]!r})")
    with player(name) as agent, pytest.raises(AgentError) as caught:
        play(mw.Game("beginner", 5), agent)
    assert str(caught.value).startswith(f"{name}, move 1: ")


def test_a_forged_answer_is_told_from_the_next(tmp_path: Path) -> None:
    """A second answer to the same question is detected at the next question."""
    forged = message(b'[0.0,["mark",7,7,false,"x",null]]')
    name, _note = thief(tmp_path, f"spill({forged!r})")
    with player(name) as agent, pytest.raises(AgentError) as caught:
        play(mw.Game("beginner", 5), agent)
    assert "move 2: the agent wrote to the pipe that carries its answers" in str(caught.value)


@pytest.mark.parametrize("more", [(), ("--no-isolated",), ("--budget", "1s")])
def test_the_file_is_never_loaded_by_the_process_that_plays(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    """If an agent ends its own process, the error names the agent, and the exit status is 2."""
    file = tmp_path / "own.py"
    file.write_text(
        "import os\n"
        f"if os.getpid() == {os.getpid()}:\n"
        "    os._exit(0)\n"
        "class Own:\n"
        "    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): os._exit(0)\n"
    )
    result = games(f"{file}:Own", *more)
    assert result.exit_code == (2 if more else 0)
    assert "own.py:Own" in result.stderr or "option" in result.stderr
    file.write_text("import os\nos._exit(0)\n")
    result = games(f"{file}:Own", *more)
    assert result.exit_code == 2
    assert "the agent ended its process (status 0)" in result.stderr


SPOOF = """
from mineproof.agents.exact import ExactAgent
from mineproof.agents.protocol import WholeGame
from mineproof.core.game import Result
class Own(ExactAgent):
    __module__ = "mineproof.agents.own"
    def start(self, rules, seed):
        with open({note!r}, "a") as file:
            file.write(f"{{seed}} ")
    def decide(self, observation):
        return None
    def play_whole(self, rules, boards, first):
        with open({note!r}, "a") as file:
            file.write("boards ")
        return [WholeGame(Result.WIN, 0, 1, 0.1, 0)] * len(boards)
"""
"""An agent that pretends to be built in, and claims wins without playing."""


@pytest.mark.parametrize(
    "how", ["games", "games --no-isolated", "lab", "lab --no-isolated", "text", "object"]
)
def test_a_class_that_calls_itself_ours_is_not(tmp_path: Path, how: str) -> None:
    """A spoofed module changes nothing: the agent gets neither boards nor the games' seeds."""
    file, note = tmp_path / "own.py", tmp_path / "seeds"
    file.write_text(SPOOF.format(note=str(note)))
    name, flags = f"{file}:Own", ["--no-isolated"] if "--no" in how else []
    if how.startswith("games"):
        assert " win " not in games(name, *flags).stdout
    elif how.startswith("lab"):
        words = ["lab", "compare", name, "basic", "--level", "beginner", "--games", "3", *flags]
        done = CliRunner().invoke(mineproof_command, [*words, "--json", "--out", str(tmp_path)])
        assert json.loads(done.stdout.splitlines()[-1])["only_first"] == 0, done.output
    else:
        agent = name if how == "text" else make_agent(name)
        result = mw.play_games(agent, "beginner", count=3, seed=5)
        assert result.wins == 0
        assert result.isolated == (how == "text")
        again = mw.play_games(agent, "beginner", count=3, seed=5, salt=result.salt)
        assert note.read_text().split()[:3] == note.read_text().split()[3:6], again
    found = note.read_text().split()
    assert found
    assert all(seed.isdigit() and int(seed) > 2**32 for seed in found)
    assert not {hashed_seed(seed) for seed in range(20)} & set(map(int, found))  # salted


CANDIDATE = [[1, 2], 0.5, None, None, False, None, 0.0, 0]
SHORT: list[Any] = ["open", 1, 2, True, "why", 0.5]
GOOD: list[Any] = [*SHORT, [[0, 0]], [], False, [CANDIDATE]]


def test_a_decision_is_built_of_checked_values() -> None:
    """Each value has the right type, or the whole decision is rejected."""
    decision = read_decision(json.loads(json.dumps(GOOD)))
    assert decision is not None
    assert str(decision.move) == "open 1,2"
    assert decision.candidates[0].risk == 0.5
    assert decision.reason.clues == ((0, 0),)
    wrong = [7, "1", None, 1, ["x"], [0.5], [[0, "1"]], [[0, 0, 0]], 0, [[0]]]
    for good in (GOOD, SHORT):
        for place, value in enumerate(wrong[: len(good)]):
            with pytest.raises(ValueError, match="expected"):
                read_decision([*good[:place], value, *good[place + 1 :]])
        for value in (float("nan"), float("inf"), True, "0.5"):
            with pytest.raises(ValueError, match="expected a number"):
                read_decision([*good[:5], value, *good[6:]])
        with pytest.raises(ValueError, match="expected"):
            read_decision(good[:5])


def test_short_decisions_read_as_long_ones_do() -> None:
    for risk in (None, 0.0, 0.5, 1.0):
        short = [*SHORT[:5], risk]
        assert read_decision(short) == read_decision([*short, [], [], False, []])
    assert read_decision(None) is None


def test_knowledge_names_cells_of_the_board() -> None:
    assert read_knowledge(["t", {"g": ["a"]}, [3], [], {"0": 0.5}], 4).lines == ("a",)
    for bad in (["t", {}, [4], [], {}], ["t", {}, [], [-1], {}], ["t", {}, [], [], {"9": 0.5}]):
        with pytest.raises(
            ValueError, match=r"expected a (whole number from 0, got -1|cell's index below 4)"
        ):
            read_knowledge(bad, 4)
