"""The user's own agents on the page: they cannot reach the board, and faults are reported."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from service_rig import Memory, Rig, run, wait_for
from thieves import LOUD, QUIET, thief

import mineproof as mw
from mineproof.notation.records import format_record
from mineproof.service.answering import make_answerer
from mineproof.web.app import Server

AGENT = """
import os, sys, time
from mineproof import Action, Decision, Move, Reason

class MyAgent:
    def start(self, rules, seed):
        {start}

    def decide(self, observation):
        {decide}
        cell = observation.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("first"))
"""


def own(tmp_path: Path, start: str = "pass", decide: str = "pass") -> str:
    """Write the file of an agent and return its name."""
    file = tmp_path / "own.py"
    file.write_text(AGENT.format(start=start, decide=decide))
    return f"{file}:MyAgent"


def race(names: list[str], seed: int = 3) -> tuple[list[Any], dict[str, Any]]:
    """Run a race as a worker of the server does. Return its frames and its result."""
    game = mw.Game("beginner", seed, (4, 4))
    parts: list[Any] = []
    values = {"record": format_record(mw.play(game, mw.make_agent("basic"))), "agents": names}
    end = make_answerer(isolated=True)(("race", values, 60.0), parts.append)
    return [json.loads(part)["frame"] for part in parts[1:]], json.loads(end)


@pytest.mark.parametrize(
    ("decide", "fault"),
    [
        ("os._exit(3)", "ended its process (status 3)"),
        ("sys.exit(0)", "SystemExit"),
        ("self.eaten = bytearray(10**11)", "MemoryError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_what_an_agent_does_to_itself_is_its_own_fault(
    tmp_path: Path, decide: str, fault: str
) -> None:
    """A fault names the agent that caused it, and the other agent continues."""
    frames, _end = race([own(tmp_path, decide=decide), "basic"])
    assert fault in frames[0][0]["fault"]
    assert frames[-1][1]["result"] in ("win", "loss", "stuck")


def test_a_loop_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.match.isolated.DECISION_SECONDS", 0.5)
    frames, _end = race([own(tmp_path, decide="time.sleep(60)")])
    assert "no answer within" in frames[0][0]["fault"]


def test_what_it_prints_disturbs_nobody(tmp_path: Path) -> None:
    frames, _end = race([own(tmp_path, decide="print('x' * 100)")])
    assert [frame[0]["fault"] for frame in frames if frame[0]["fault"]] == []


def test_an_engine_races_over_a_series_of_boards() -> None:
    """An engine that the server was started with plays like the agent behind it."""
    engine = f"engine:{shlex.quote(sys.executable)} -m mineproof engine --agent exact"
    values = {"agents": [engine, "exact"], "rules": mw.BEGINNER, "seed": 5, "boards": 6}
    parts: list[str] = []
    end = make_answerer(isolated=True)(("series", values, 60.0), parts.append)
    assert json.loads(end) == {"boards": 6}
    last = json.loads(parts[-1])
    assert last["only"] == [0, 0]
    assert last["wins"][0] == last["wins"][1] > 0


def test_it_thinks_in_a_process_that_never_had_the_board(tmp_path: Path) -> None:
    note = tmp_path / "process"
    frames, end = race([own(tmp_path, start=f"open({str(note)!r}, 'w').write(str(os.getpid()))")])
    assert int(note.read_text()) != os.getpid()
    assert frames[-1][0]["result"] in ("win", "loss")
    assert end["seed"] == "3"


def test_seeds_are_long_and_told_afterwards(tmp_path: Path) -> None:
    """An agent cannot find the board by trying seeds. At the end, a hash proves the seed."""

    async def test(rig: Rig) -> None:
        view = (await rig.ask("new", level="2x2/3", start="safe"))["view"]
        seal, game = view["seed"], rig.page.game.session
        assert game.seed > 2**64
        assert view["id"] is None
        view = (await rig.ask("open", cell=[0, 0]))["view"]
        assert view["end"] is not None
        assert view["seed"] == str(game.seed)
        assert seal == hashlib.sha256(view["seed"].encode()).hexdigest()
        assert str(game.seed) in view["id"]
        mines = mw.deal(game.rules, int(view["seed"]), (0, 0)).mine_indices
        assert view["end"]["mines"] == list(mines)
        view = (await rig.ask("new", level="beginner", seed="7"))["view"]
        assert view["seed"] == "7"  # a person chose this seed

    run(test, own_agents={own(tmp_path): None})


def test_mines_are_in_no_file_while_an_own_agent_plays(tmp_path: Path) -> None:
    """Games are saved when they end, and `share` reveals nothing before that."""
    store, name = Memory(), own(tmp_path)

    async def test(rig: Rig) -> None:
        rig.service.games.save_seconds = 0.0
        await rig.ask("new", level="9x9/10", start="opening")
        view = (await rig.ask("open", cell=[4, 4]))["view"]
        assert not view["saved"]
        assert (await rig.ask("games"))["games"] == []
        await rig.ask("export")
        shared = await rig.ask("share")
        assert (shared["id"], shared["record"], shared["board"]) == (None, None, None)
        assert not store.kept
        view = (await rig.ask("stop"))["view"]
        assert view["saved"]
        await wait_for(lambda: bool(store.kept))
        assert str(rig.page.game.session.seed) in (await rig.ask("share"))["record"]

    run(test, store=store, own_agents={name: None})


def test_an_own_agent_does_not_play_a_saved_game(tmp_path: Path) -> None:
    """It could have read the mines in the file. Other agents still play the game."""
    store, name = Memory(), own(tmp_path)

    async def save(rig: Rig) -> None:
        rig.service.games.save_seconds = 0.0
        await rig.ask("new", level="9x9/10", start="opening", seed="7")
        await rig.ask("open", cell=[4, 4])
        await wait_for(lambda: bool(store.kept))

    async def play(rig: Rig) -> None:
        assert rig.page.game.session.step == 0  # it was not restored without being asked for
        await rig.ask("open_game", key=next(iter(store.kept)))
        assert rig.page.game.session.step == 1
        for question in ("agent_move", "decide", "knowledge"):
            assert (await rig.ask(question, agent=name))["code"] == "saved-game"
        assert (await rig.ask("race", agents=[name], same=True))["code"] == "saved-game"
        assert (await rig.ask("agent_move", agent="basic"))["view"]["step"] == 2

    run(save, store=store)
    run(play, store=store, own_agents={name: None})


def test_without_own_agents_seeds_stay_short() -> None:
    async def test(rig: Rig) -> None:
        view = (await rig.ask("new", level="beginner"))["view"]
        assert int(view["seed"]) < 2**64

    run(test)


@pytest.mark.parametrize("steal", ["a candidate", "a reason", "candidates", "the pipe"])
def test_a_racer_cannot_reach_the_board(tmp_path: Path, steal: str) -> None:
    """A racing agent cannot run code in the race's process, and every attempt is reported."""
    name, note = thief(tmp_path, {**LOUD, **QUIET}[steal])
    frames, _end = race([name, "basic"])
    assert not note.exists()
    assert bool(frames[0][0]["fault"]) is (steal in LOUD)
    assert steal not in LOUD or name in frames[0][0]["fault"]
    assert frames[-1][1]["result"] in ("win", "loss", "stuck")


def test_knowledge_of_a_thief_is_plain(tmp_path: Path) -> None:
    """The knowledge that an agent shows is also rebuilt from plain values."""
    name, note = thief(tmp_path, "pass")
    file = Path(name.partition(":")[0])
    file.write_text(
        file.read_text() + "    def knowledge(self):\n"
        "        from mineproof.agents.protocol import Knowledge\n"
        "        return Knowledge(Words('title'), {Words('group'): [Words('line')]})\n"
    )
    seen = mw.Game("beginner", 3, (4, 4)).observation
    asked = {"agent": name, "key": "", "seed": 1, "position": seen}
    answer = make_answerer(isolated=True)(("knowledge", asked, 15.0), lambda _part: None)
    found = json.loads(answer)
    assert (found["title"], found["items"][0]["text"]) == ("title", "line")
    assert not note.exists()


def test_the_server_loads_no_file_of_an_agent(tmp_path: Path) -> None:
    """The server holds the games, so a separate process describes the agent."""
    name, note = own(tmp_path), tmp_path / "process"
    file = Path(name.partition(":")[0])
    note_it = f"import os\nopen({str(note)!r}, 'a').write(str(os.getpid()) + ' ')\n"
    file.write_text(note_it + file.read_text())
    server = Server(Memory(), [name])
    assert server.service.hello()["agents"][-1]["id"] == name
    assert str(os.getpid()) not in note.read_text().split()
    file.write_text("import os; os._exit(0)")
    with pytest.raises(mw.AgentError, match="the agent ended its process"):
        Server(Memory(), [name])
