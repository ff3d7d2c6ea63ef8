"""User agents in separate processes: each of their faults becomes a one-line error."""

from __future__ import annotations

import json
import math
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import ShowsKnowledge
from mineproof.cli.main import mineproof_command
from mineproof.core.errors import AgentError
from mineproof.core.random import hashed_seed
from mineproof.match.batch import Played, dealt, play_deals
from mineproof.match.isolated import IsolatedAgent, Isolation, described, player
from mineproof.match.isolated_check import check_isolated
from mineproof.match.play import play

HEAD = '''
import os, sys, time
from mineproof import Action, Decision, Move, Reason

class Stop(BaseException):
    """An exception that `except Exception` does not catch."""

class Own(object):
    def start(self, rules, seed):
        self.rules, self.seed, self.seen = rules, seed, 0

    def decide(self, observation):
        self.seen += 1
        {body}
        cell = self.rules.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), False, Reason("first", clues=[]))
'''
STUBBORN = "while True:\n            try: time.sleep(9)\n            except BaseException: pass"
FAULTS = {
    "while True: pass": "move 1: no answer within 2 s",
    STUBBORN: "move 1: no answer",
    "os._exit(0)": "move 1: the agent ended its process (status 0)",
    "sys.exit(0)": "Own.decide raised SystemExit: 0",
    "raise Stop('enough')": "Own.decide raised Stop: enough",
    "raise KeyboardInterrupt": "raised KeyboardInterrupt",
    "return 7": "a Cell or None (observation.grid.cell(7) is a Cell)",
}


def write(folder: Path, body: str = "pass") -> str:
    """Write an agent whose decisions start with a statement. Return its name."""
    file = folder / "own.py"
    file.write_text(HEAD.replace("{body}", body))
    return f"{file}:Own"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(mineproof_command, list(arguments))


@pytest.mark.parametrize("body", FAULTS)
@pytest.mark.parametrize("command", ["watch", "games"])
def test_every_fault_is_one_line(tmp_path: Path, body: str, command: str) -> None:
    """If an agent loops, exits or raises, the error names the agent, and other games continue."""
    name = write(tmp_path, body)
    more = ["--count", "1", "--jobs", "1"] if command == "games" else []
    limit = "2" if "while" in body else "100"  # a busy machine needs some time to create an agent
    level = ["--level", "5x5/4", "--seed", "1"]
    result = run(command, "--agent", name, *level, "--decision-seconds", limit, *more)
    if command == "games":  # the game fails, and the run continues
        assert result.exit_code == 0
        assert result.stdout.startswith("0 failed ")
        (last,) = (line for line in result.stderr.splitlines() if line.startswith("game 0: "))
    else:
        assert result.exit_code == 2, result.output
        last = result.stderr.strip().splitlines()[-1]
        assert last.startswith("mineproof: error: ")
    assert FAULTS[body] in last
    assert "Own" in last


def test_no_error_of_an_agent_ends_a_run_or_refuses_a_game(tmp_path: Path) -> None:
    """An agent that could refuse a game before its risky moves would win all games that count."""
    errors = (
        "mw.WorkLimitError('too hard')",
        "mw.NotationError('wrong')",
        "mw.AgentError('no', code='refused')",
        "ValueError('\\x1b[31mred')",
    )
    name = write(tmp_path, "raise next(errors)")
    with (tmp_path / "own.py").open("a") as file:
        file.write(f"import mineproof as mw\nerrors = iter([{', '.join(errors)}])\n")
    found: list[Played] = []
    play_deals(name, dealt(mw.BEGINNER, 4), found.extend)
    assert [game.result for game in found] == [mw.Result.FAILED] * 4
    assert "move 1: it raised WorkLimitError: too hard" in found[0].error
    assert "\x1b" not in found[3].error


def test_play_goes_on_after_a_loop(tmp_path: Path) -> None:
    """After an agent is stopped, its move is lost, but you can ask the agent again."""
    name = write(tmp_path, "while self.seen == 1: pass")
    arguments = [
        "play",
        "--agent",
        name,
        "--level",
        "5x5/4",
        "--seed",
        "1",
        "--decision-seconds",
        "2",
    ]
    result = CliRunner().invoke(mineproof_command, arguments, input="open 0 0\nai\nmark 4 4\n")
    assert result.exit_code == 0
    assert "move 1: no answer within 2 s" in result.stdout
    assert "3 mines left" in result.stdout


def test_what_it_prints_stays_out_of_our_lines(tmp_path: Path) -> None:
    """Text that an agent prints does not appear in output for programs."""
    name = write(tmp_path, "print('noise')")
    result = run("watch", "--agent", name, "--level", "5x5/4", "--seed", "1", "--json")
    assert result.exit_code == 0
    assert all(isinstance(json.loads(line), dict) for line in result.stdout.splitlines())


def test_one_that_closes_its_pipe_ends_without_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """An agent that closes its pipe leaves no traceback among Mineproof's lines."""
    name = write(tmp_path, "os.closerange(3, 30)")
    done = run("games", "--count", "1", "--level", "beginner", "--agent", name)
    assert done.exit_code == 0
    assert "the agent ended its process" in done.stderr
    assert "Traceback" not in capfd.readouterr().err


def test_it_plays_the_very_games_that_it_plays_here(tmp_path: Path) -> None:
    name = write(tmp_path)
    found: dict[bool, list[Played]] = {True: [], False: []}
    for isolated in (True, False):
        who = Isolation(name, salt="ab") if isolated else name
        deals = dealt(mw.BEGINNER, 10)
        play_deals(who, deals, found[isolated].extend, isolated=isolated, salt="ab")
    alike = [[(g.result, g.guesses, g.moves) for g in games] for games in found.values()]
    assert alike[0] == alike[1]


def test_it_sees_what_changed_and_no_seed_of_the_board(tmp_path: Path) -> None:
    """An isolated agent sees each change once, and gets a hash instead of the board's seed."""
    name = write(tmp_path, "assert self.seed != 5 and (self.seen == 1 or observation.changes)")
    with player(name) as agent:
        assert isinstance(agent, IsolatedAgent)
        record = play(mw.Game(mw.BEGINNER, 5), agent)
    assert record.steps
    assert record.player == name


def test_cpu_time_is_the_agents_own(tmp_path: Path) -> None:
    """The time of a game includes the CPU time of the agent's process."""
    name = write(tmp_path, "sum(range(10 ** 6))")
    with player(name) as agent:
        record = play(mw.Game(mw.Rules(2, 2, 1), 5), agent)
    assert record.milliseconds > 2 * len(record.steps)


def test_waiting_for_an_agent_is_not_its_time(tmp_path: Path) -> None:
    name = write(tmp_path, "pass")
    with closing(IsolatedAgent(Isolation(name))) as agent:
        play(mw.Game("beginner", 5), agent)
        spent = agent.cpu_seconds
        agent._worker._spinner.seconds += 1
        assert agent.cpu_seconds == pytest.approx(spent - 1)


def test_knowledge_comes_over_where_there_is_any(tmp_path: Path) -> None:
    """An isolated agent shows its knowledge only if its class has a method for this."""
    file = tmp_path / "mine.py"
    file.write_text("from mineproof.agents.basic import BasicAgent as Mine\n")
    with closing(Isolation(f"{file}:Mine", salt="").make()) as agent:
        assert isinstance(agent, ShowsKnowledge)
        play(mw.Game(mw.BEGINNER, 5), agent)
        here = make_agent("basic")
        play(mw.Game(mw.BEGINNER, 5), here, seed=hashed_seed(5))
        assert isinstance(here, ShowsKnowledge)
        assert agent.knowledge().title == here.knowledge().title
    with player(write(tmp_path)) as agent:
        assert not isinstance(agent, ShowsKnowledge)


def test_texts_of_an_agent_hold_no_control_codes(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "from mineproof.agents.protocol import Knowledge\n"
        "class Own:\n"
        "    '\\x1b[31mred'\n"
        "    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): pass\n"
        "    def knowledge(self): return Knowledge('\\x1bK', {'\\x1bg': ['\\x1bl']})\n"
    )
    with closing(Isolation(f"{file}:Own").make()) as agent:
        assert isinstance(agent, IsolatedAgent)
        assert agent.description()["idea"] == " [31mred"
        agent.start(mw.BEGINNER.public(), 1)
        assert (agent.knowledge().title, agent.knowledge().groups) == (" K", {" g": [" l"]})


def test_built_in_agents_stay_here() -> None:
    """Built-in agents are never run in a separate process."""
    with player("basic") as agent:
        assert not isinstance(agent, IsolatedAgent)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """If the file or class is missing, or the import never ends, the error names the file."""
    with pytest.raises(AgentError, match="cannot read"):
        Isolation("/nowhere/x.py:Own").make()
    file = tmp_path / "slow.py"
    file.write_text("while True: pass\n")
    with pytest.raises(AgentError, match=r"start-up: no answer within 0\.5 s"):
        Isolation(f"{file}:Own", 0.5).make()
    result = run("agents", write(tmp_path))
    assert result.exit_code == 0
    assert "Own" in result.stdout


def test_python_sets_the_limit_per_move(tmp_path: Path) -> None:
    """`play`, `play_games` and `compare` pass the limit on, and reject one that makes no sense."""
    name = write(tmp_path, STUBBORN)
    with pytest.raises(AgentError, match="no answer within 2 s"):
        mw.play(mw.Game("beginner", 1), name, decision_seconds=2)
    duel = mw.compare("basic", name, "beginner", count=1, decision_seconds=2)
    assert "no answer within 2 s" in duel.second.rows[0].error
    for call in (mw.play_games, partial(mw.play, mw.Game("beginner", 1))):
        with pytest.raises(mw.InputError, match="decision_seconds above 0"):
            call("basic", decision_seconds=math.nan)


def test_describing_has_the_limits_of_deciding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that loops when it is imported cannot hold up `agents`, `lab` or the page."""
    file = tmp_path / "slow.py"
    file.write_text("while True: pass\n")
    monkeypatch.setattr("mineproof.match.isolated.DECISION_SECONDS", 0.5)
    with pytest.raises(AgentError, match=r"no answer within 0\.5 s"):
        described(f"{file}:Own")


@pytest.mark.parametrize("how", ["games", "games --no-isolated", "lab compare", "agents", "python"])
def test_loading_has_the_limit_that_the_caller_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """A file that is slow to load, such as one with a neural network, can be given more time."""
    name, file = write(tmp_path), tmp_path / "own.py"
    file.write_text(f"import time\ntime.sleep(0.6)\n{file.read_text()}")
    monkeypatch.setattr("mineproof.match.isolated.DECISION_SECONDS", 0.3)
    if how == "python":
        assert mw.play_games(name, "beginner", count=1, decision_seconds=60).games == 1
        return
    words = [*how.split(), "--level", "beginner", "--agent", name, "--count", "1"]
    if how == "lab compare":
        words[4:] = ["--games", "1", "random", name, "--out", str(tmp_path)]
    words = ["agents", name] if how == "agents" else words
    assert run(*words, "--decision-seconds", "60").exit_code == 0
    file.write_text("while True: pass\n")
    result = run(*words, "--decision-seconds", "0.5")
    assert result.exit_code == 2
    assert "no answer within 0.5 s" in result.stderr


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("os._exit(0)", "exits"),
        ("while True: pass", "hangs"),
        (STUBBORN, "hangs"),
        ("raise Stop", "raises"),
    ],
)
def test_a_check_cannot_be_left(tmp_path: Path, body: str, kind: str) -> None:
    """`agents --check` names the fault and exits with status 2."""
    name = write(tmp_path, body)
    report = check_isolated(Isolation(name, 0.3 if kind == "hangs" else 10), games=2)
    assert kind in [finding.kind for finding in report.findings]
    if body == "os._exit(0)":
        result = run("agents", "--check", name)
        assert result.exit_code == 2
        assert "the agent ended its process (status 0) in game 0" in result.stdout


def test_a_student_file_that_loops_is_stopped(tmp_path: Path) -> None:
    source = Path(mw.__file__).parent / "cs50" / "minesweeper.py"
    file = tmp_path / "minesweeper.py"
    text = source.read_text().replace(
        "    def make_safe_move(self):",
        "    def make_safe_move(self):\n        while True: pass",
        1,
    )
    assert text != source.read_text()
    file.write_text(text)
    result = run("watch", "--agent", f"cs50:{file}", "--level", "easy", "--decision-seconds", "4")
    assert result.exit_code == 2
    assert "move 1: no answer within 4 s" in result.stderr


DETACHED = """
import os, time
from pathlib import Path

def detach(loop):
    note = Path(__file__).with_name("pid")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            note.with_suffix(".tmp").write_text(str(os.getpid()))
            note.with_suffix(".tmp").rename(note)
            time.sleep(600)
        os._exit(0)
    while loop or not note.exists(): pass

class Own:
    def start(self, rules, seed): pass
    def decide(self, observation): detach({loop})

if {imported}: detach({loop})
"""


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="only Linux adopts orphans")
@pytest.mark.parametrize("loop", [True, False])
@pytest.mark.parametrize("imported", [True, False])
def test_detached_children_end_with_the_agent(tmp_path: Path, loop: bool, imported: bool) -> None:
    """A child in another session that keeps the pipe open neither delays nor outlives the agent."""
    file = tmp_path / "own.py"
    file.write_text(DETACHED.format(loop=loop, imported=imported))
    started = time.monotonic()
    with suppress(AgentError), player(Isolation(f"{file}:Own", 3.0)) as agent:
        play(mw.Game("9x9/35", 1), agent)
    assert time.monotonic() - started < 30  # starting Python takes seconds on a busy machine
    assert not _is_alive(int((tmp_path / "pid").read_text()))


CHILDREN = """
import os, time
def fill():
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(os.urandom(1) * (60 << 20))
            time.sleep(600)
    time.sleep(600)

class Own:
    def start(self, rules, seed): pass
    def decide(self, observation): fill()

if {imported}: fill()
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="memory is measured in /proc")
@pytest.mark.parametrize(("imported", "what"), [(False, "move 1"), (True, "start-up")])
def test_children_share_the_memory_limit(tmp_path: Path, imported: bool, what: str) -> None:
    file = tmp_path / "own.py"
    file.write_text(CHILDREN.format(imported=imported))
    who = Isolation(f"{file}:Own", 60.0, memory=300 << 20)
    with (
        pytest.raises(AgentError, match=rf"{what}: .*stopped: it took .* MB of memory"),
        player(who) as agent,
    ):
        play(mw.Game("9x9/35", 1), agent)


def test_a_file_that_eats_memory_is_described_within_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(f"kept = bytearray({4 << 30})\n")
    with pytest.raises(AgentError, match="MemoryError"):
        described(f"{file}:Own")


def test_a_check_ends_within_the_limit_if_loading_loops(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("while True:\n    try:\n        pass\n    except BaseException: pass\n")
    report = check_isolated(Isolation(f"{file}:Own", 1.0))
    assert [one.text for one in report.findings] == [
        "loading the agent took more than 1 s, so the agent was stopped"
    ]
