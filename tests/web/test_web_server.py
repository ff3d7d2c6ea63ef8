"""The server, tested through its socket: games, tabs, reconnecting, and the command."""

from __future__ import annotations

import base64
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import replay_files
from click.testing import CliRunner
from conftest import import_extra
from web_server import PATIENCE, Tab, WebServer, web_server

import mineproof as mw
from mineproof.cli import web
from mineproof.cli.main import mineproof_command
from mineproof.notation.records import parse_record
from mineproof.web.server import AT_A_TIME, listen

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_agent.py"


def test_a_game_with_everything_a_person_can_ask(server: WebServer) -> None:
    """A page makes moves, asks for help, uses agents and the timeline, and shares a game."""
    with Tab(server) as tab:
        view = tab.ask("new", level="beginner", seed="7")["view"]
        assert (view["id"], view["state"]) == ("9x9/10:s7", "ready")
        view = tab.ask("open", cell=[4, 4])["view"]
        game = mw.Game(mw.BEGINNER, 7, (4, 4))
        assert "".join(view["cells"]) == "".join("012345678H"[c] for c in game.observation.shown)
        assert tab.ask("hint")["hint"]["stages"]
        assert "may" in tab.ask("may_guess")["may_guess"]
        risk = tab.ask("risks")["risks"]["risk"]
        expected = [x for row in mw.analyse(game.observation).risk for x in row]
        assert risk == pytest.approx(
            [None if x is None else round(x, 5) for x in expected], nan_ok=True
        )
        known = tab.ask("knowledge")["knowledge"]
        assert known["next"]["action"] == "open"
        assert tab.ask("agent_move")["made"]
        assert tab.ask("verdict")["verdict"]["kind"] == "proved"
        assert tab.ask("position", step=0)["cells"] == ["H" * 9] * 9
        assert tab.ask("position", step=9)["error"].startswith("expected a step")
        shared = tab.ask("share")
        assert parse_record(shared["record"]).seed == 7
        assert shared["position"].startswith("9x9x10\n")
        assert tab.ask("undo")["view"]["step"] == 1


def test_newer_questions_replace_older_ones(server: WebServer) -> None:
    """Each question is answered or cancelled, and the last one is answered."""
    with Tab(server) as tab:
        tab.ask("new", level="expert", seed="7")
        tab.ask("open", cell=[8, 15])
        for _ in range(8):
            numbers = []
            for _ in range(6):
                numbers.append(tab.send("risks"))
                tab.ask("position", step=0)  # wait, so that some are nearly done
            last = tab.answer(numbers[-1])
            assert last["risks"]["exact"]
            answers = [tab.kept[number] for number in numbers[:-1]]
            assert all("risks" in one or one.get("cancelled") for one in answers), answers


def test_an_agent_that_may_not_guess_does_not(server: WebServer) -> None:
    """If guesses are not allowed, the agent's guess is shown but not made."""
    with Tab(server) as tab:
        tab.ask("new", level="expert", seed="1")
        tab.ask("agent", name="random")
        tab.ask("open", cell=[0, 0])
        answer = tab.ask("agent_move", guess=False)
        assert not answer["made"]
        assert not answer["decision"]["proved"]
        assert answer["view"]["moves"] == 0


def test_tabs_do_not_disturb_each_other(server: WebServer) -> None:
    """Two pages have two games. Two pages with the same game see the same moves."""
    with Tab(server) as one, Tab(server) as two:
        assert one.hello["key"] != two.hello["key"]
        one.ask("new", level="beginner", seed="1")
        two.ask("new", level="expert", seed="2")
        one.ask("open", cell=[0, 0])
        assert two.ask("undo")["error"]
        with Tab(server, one.hello["key"]) as same:
            assert same.hello["view"]["step"] == 1
            one.ask("undo")
            assert same.receive()["view"]["step"] == 0


def test_a_closed_tab_finds_its_game_again(tmp_path: Path) -> None:
    """A new tab finds the last game without its key, even after a restart of the server."""
    with web_server(tmp_path) as server:
        with Tab(server) as tab:
            tab.ask("new", level="beginner", seed="9")
            before = tab.ask("open", cell=[4, 4])["view"]
        with Tab(server) as tab:
            assert tab.hello["view"]["cells"] == before["cells"]
            assert tab.hello["view"]["state"] == "playing"
    with web_server(tmp_path) as server, Tab(server) as tab:
        assert tab.hello["view"]["cells"] == before["cells"]
        assert tab.hello["view"]["id"] == before["id"]
        with Tab(server) as other:
            assert other.hello["view"]["step"] == 0


def test_a_result_is_counted_once(tmp_path: Path) -> None:
    """A game that ends again after undo does not count again."""
    with web_server(tmp_path) as server, Tab(server) as tab:
        tab.ask("new", level="beginner", seed="7", start="any")
        board = mw.Game(mw.Rules(9, 9, 10, mw.core.rules.ANY), 7, (4, 4)).board
        assert board is not None
        tab.ask("open", cell=[4, 4])
        mine = list(board.grid.cell(board.mine_indices[0]))
        assert tab.ask("open", cell=mine)["view"]["state"] == "lost"
        assert tab.ask("undo")["view"]["deaths"] == 1
        assert tab.ask("open", cell=mine)["view"]["state"] == "lost"
        assert tab.ask("review")["review"]["guesses"] == 1
        deadline = time.monotonic() + PATIENCE
        while (found := tab.ask("statistics"))["count"] == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert found["count"] == 1
        assert found["groups"][0]["played"] == 1
        assert len(found["groups"][0]["trends"]["risks"]) == 1
        assert tab.ask("erase")["count"] == 0


def test_players_replays_are_read_where_a_crash_costs_nothing(server: WebServer) -> None:
    """The coach reads uploaded replays.

    A damaged replay causes an error message and affects no game.
    """
    import_extra("ms_toollib")
    clicks = ((0.0, "l", 0, 2), (0.5, "r", 1, 0), (1.25, "b", 1, 1), (2.5, "l", 3, 0))
    whole = replay_files.rmv(4, 4, (4, 15), clicks)
    with Tab(server) as tab:
        for name, data in (("bad.avf", b"nonsense" * 50), ("good.rmv", whole)):
            answer = tab.ask("coach", name=name, data=base64.b64encode(data).decode())
            assert ("words" in answer) == (name == "bad.avf")
        assert answer["coach"][0]["seconds"] == 2.5
        view = tab.ask("load", text=answer["coach"][0]["record"])["view"]
        assert view["end"]["result"] == "win"
        assert tab.ask("coaching")["coaching"]["won"] == 1


def test_games_positions_and_own_agents_from_the_command_line(tmp_path: Path) -> None:
    """The first page shows the game or position that the command line names."""
    position = tmp_path / "p.mine"
    position.write_text("2x1x1\n1H\n")
    agent = f"{EXAMPLE}:MyAgent"
    engine = f"engine:{sys.executable} {EXAMPLE.parent / 'engines' / 'simple.py'}"
    agents = ("--agent", agent, "--agent", engine)
    with web_server(tmp_path, "expert:s7", *agents) as server, Tab(server) as tab:
        assert tab.hello["view"]["id"] == "16x30/99:s7"
        assert tab.hello["view"]["agent"] == agent
        tab.ask("open", cell=[8, 8])
        assert tab.ask("agent_move")["made"]
        assert tab.ask("race", agents=[agent, engine], level="5x5/4", seed="3")["race"]["mines"]
    with web_server(tmp_path, str(position)) as server, Tab(server) as tab:
        assert tab.hello["position"] == "2x1x1\n1H\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the flag MAP_NORESERVE of Linux")
def test_an_engine_may_reserve_much_address_space_on_the_page(tmp_path: Path) -> None:
    """The page's workers limit their own address space, which would stop every Java program."""
    bad = EXAMPLE.parents[1] / "tests" / "bad_engines.py"
    agents = [f"engine:{sys.executable} {bad} reserves", "exact"]
    with web_server(tmp_path, "--agent", agents[0]) as server, Tab(server) as tab:
        how = {"agents": agents, "level": "5x5/4", "seed": "3"}
        assert tab.ask("race", **how)["race"]["mines"]
        assert tab.ask("series", boards=2, **how)["series"]["boards"] == 2


SLOW = """
import time
from mineproof.agents.random import RandomAgent
class Slow(RandomAgent):
    "Thinks for a while."
    def decide(self, observation):
        time.sleep(0.05)
        return super().decide(observation)
"""


def test_a_race_with_a_slow_agent_comes_round_by_round(tmp_path: Path) -> None:
    """Each round is sent when it is finished, and other pages can play."""
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    with (
        web_server(tmp_path, "--agent", f"{path}:Slow") as server,
        Tab(server) as tab,
        Tab(server) as other,
    ):
        tab.ask("new", level="20x20/1", seed="1")
        number = tab.send("race", agents=[f"{path}:Slow", "exact"], level="20x20/120", seed="3")
        seen = [tab.receive()["part"] for _ in range(2)]
        assert set(seen[0]) == {"cells", "agents", "rows", "columns", "mines"}
        assert len(seen[1]["frame"]) == 2
        assert other.ask("open", cell=[0, 0])["view"]["step"] == 1
        assert tab.answer(number)["race"]["mines"]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the error names the package and the command that installs it."""
    monkeypatch.setattr(web, "NEEDED", ("starlette", "no_such_package"))
    result = CliRunner().invoke(mineproof_command, ["web"])
    assert result.exit_code == 2
    assert "no_such_package" in result.stderr
    assert "python -m pip install 'mineproof[web]'" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "expected"),
        (["missing.mine"], "expected a game id, a record"),
        (["--agent", "missing.py:Agent"], "cannot read missing.py"),
        (["--port", "70000"], "70000"),
    ],
)
def test_bad_arguments(arguments: list[str], words: str) -> None:
    """Bad input gives exit status 2 before the server starts."""
    command = [sys.executable, "-m", "mineproof", "web", "--no-browser", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_a_port_that_is_taken(server: WebServer) -> None:
    """If the port is taken, the exit status is 2."""
    port = server.origin.rpartition(":")[2]
    command = [sys.executable, "-m", "mineproof", "web", "--no-browser", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "cannot use port" in done.stderr


def test_little_is_taken_in_at_a_time() -> None:
    """The server asks the system for small receive buffers, so that pages take turns."""
    with listen(0) as listener, socket.socket() as page:
        listener.listen()
        page.connect(listener.getsockname())
        taken, _ = listener.accept()
        with taken:  # the system doubles the requested size, for its own use
            assert taken.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) <= 2 * AT_A_TIME
            page.setblocking(False)
            with suppress(BlockingIOError):
                page.sendall(bytes(64 * 1024 * 1024))
            assert 0 < len(taken.recv(64 * 1024 * 1024)) <= 2 * AT_A_TIME
