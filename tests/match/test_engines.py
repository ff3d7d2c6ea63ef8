"""Engines: solvers in other processes that speak the engine protocol."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from strategies import observations

import mineproof as mw
from mineproof.agents.loading import parse_agent
from mineproof.core.errors import AgentError, NotationError
from mineproof.core.rules import Rules, with_options
from mineproof.match.checker import CheckReport, FoundFault, examinations
from mineproof.match.engine_protocol import (
    game_line,
    move_line,
    parse_game_line,
    parse_moves,
    parse_position_line,
    position_line,
)
from mineproof.match.engine_server import EngineServer
from mineproof.match.engines import EngineAgent
from mineproof.match.isolated import Isolation
from mineproof.match.isolated_check import check_isolated
from mineproof.match.play import play, prepare
from mineproof.match.race import run_race

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples" / "engines"
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


def bad_command(mode: str) -> str:
    return shlex.join([sys.executable, str(TESTS / "bad_engines.py"), mode])


def engine(command: str, **settings: Any) -> EngineAgent:
    return EngineAgent(Isolation(f"engine:{command}", **{"salt": "", **settings}))


def bad_engine(mode: str, **settings: Any) -> EngineAgent:
    return engine(bad_command(mode), **{"seconds": 2.0, **settings})


def game(seed: int = 1) -> mw.Game:
    return mw.Game("beginner", seed=seed)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("no-move", "at least one move"),
        ("nonsense", "got 'hello'"),
        ("off-board", "not on the board"),
        ("already-open", "already open"),
        ("contradictory", "unmark it first"),
        ("twice", "already open"),
        ("not-marked", "not marked"),
        ("bad-risk", "a risk from 0 to 1, got '1.5'"),
        ("stop-and-move", "got 'stop'"),
        ("info", "more than 1,000 info lines"),
        ("silent", "no `done` came within 2 s: does the engine flush its output?"),
        ("no-done", "no `done` came within 2 s, only 'open 0 "),
        ("long-line", "longer than 65,536 bytes"),
        ("endless", "expected done after at most"),
        ("binary", "UTF-8"),
        ("dies", "exited with status 3"),
        ("out-of-turn", "no output before the next line"),
        ("forks", "within 2 s"),
    ],
)
def test_a_fault_names_the_engine_the_line_and_what_was_expected(mode: str, expected: str) -> None:
    agent = bad_engine(mode)
    with pytest.raises(AgentError) as caught:
        play(game(), agent)
    text = str(caught.value)
    assert text.startswith("engine:")
    assert mode in text
    assert "after `position" in text
    assert expected in text
    assert caught.value.code == "engine-fault"
    agent.close()


def test_standard_error_is_shown_when_an_engine_dies() -> None:
    with pytest.raises(AgentError, match=r"Segmentation fault \(not really\)"):
        play(game(), bad_engine("dies"))


@pytest.mark.skipif(sys.platform != "linux", reason="the flag MAP_NORESERVE of Linux")
def test_an_engine_may_reserve_much_address_space() -> None:
    agent = bad_engine("reserves", memory=500_000_000)
    assert play(game(), agent).outcome is not None
    agent.close()


@needs_posix
def test_an_engine_that_takes_too_much_memory_is_ended() -> None:
    agent = bad_engine("memory", memory=300 * 2**20, seconds=20.0)
    with pytest.raises(AgentError, match="MB of memory"):
        play(game(), agent)


@pytest.mark.parametrize("mode", ["no-mep", "deaf"])
def test_a_program_that_is_no_engine_is_rejected_at_the_start(mode: str) -> None:
    with pytest.raises(AgentError, match="after `mep 1`"):
        bad_engine(mode, seconds=1.0)


def test_a_command_that_does_not_exist_is_rejected_at_the_start() -> None:
    with pytest.raises(AgentError, match="cannot start engine:no-such-program: No such file"):
        engine("no-such-program")


def test_an_engine_may_refuse_rules() -> None:
    with pytest.raises(AgentError, match="not these rules") as caught:
        play(game(), bad_engine("refuses"))
    assert caught.value.code == "refused"


def test_an_error_keeps_the_process() -> None:
    agent = bad_engine("error")
    before = agent.cpu_seconds
    for _ in range(2):
        with pytest.raises(AgentError, match="out of ideas") as caught:
            play(game(), agent)
        assert caught.value.code == "engine-error"
    assert agent.cpu_seconds >= before
    agent.close()


def test_a_fault_starts_a_fresh_process_for_the_next_game() -> None:
    agent = bad_engine("dies")
    for _ in range(2):
        with pytest.raises(AgentError, match="status 3"):
            play(game(), agent)


@needs_posix
def test_an_engine_that_ignores_quit_is_killed() -> None:
    agent = bad_engine("stays")
    started = time.monotonic()
    agent.close()
    assert time.monotonic() - started < 10


@needs_posix
def test_an_engine_may_leave_in_peace_when_its_caller_ends(tmp_path: Path) -> None:
    goodbye = tmp_path / "goodbye"
    code = f"""
from mineproof.match.isolated import Isolation
import os, mineproof
name, options = {"engine:" + bad_command("leaves")!r}, (("file", {str(goodbye)!r}),)
agent = Isolation(name, options=options).make()
mineproof.play(mineproof.Game("beginner", seed=1), agent)
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    deadline = time.monotonic() + 10
    while not goodbye.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert goodbye.read_text() in ("", "end\n")  # it left at the end of its input


def test_an_error_after_the_end_changes_nothing() -> None:
    agent = bad_engine("ends-badly")
    assert play(game(), agent).outcome is not None
    agent.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the clocks of other processes")
def test_the_time_of_an_engine_behind_a_script_counts(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"{shlex.quote(sys.executable)} {EXAMPLES / 'simple.py'}\nexit\n")
    agent = engine(f"sh {script}")
    play(game(), agent)
    assert agent.cpu_seconds > 0.01  # the shell alone takes about 0.001 s
    agent.close()


def engines() -> list[str]:
    found = [f"{shlex.quote(sys.executable)} {EXAMPLES / 'simple.py'}"]
    if shutil.which("node"):
        found.append(f"node {EXAMPLES / 'simple.mjs'}")
    return found


@pytest.mark.parametrize("command", engines(), ids=lambda command: Path(command).name)
def test_the_templates_play_and_prove_only_the_truth(command: str) -> None:
    agent = engine(command)
    wins = 0
    for seed in range(20):
        record = play(game(seed), agent)
        assert record.outcome is not None
        agent.finish(record.outcome.result)
        assert not record.false_proofs
        wins += record.outcome.result.value == "win"
    agent.close()
    assert wins > 3


def test_the_template_in_c_plays(tmp_path: Path) -> None:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler here")
    program = tmp_path / "simple"
    source = EXAMPLES / "simple.cpp"
    subprocess.run([compiler, "-std=c++17", "-O1", "-o", program, source], check=True)
    test_the_templates_play_and_prove_only_the_truth(str(program))


def test_the_adapter_for_ms_toollib_opens_the_safest_cell() -> None:
    pytest.importorskip("ms_toollib")
    agent = engine(shlex.join([sys.executable, str(EXAMPLES / "toollib.py")]))
    wins = 0
    for seed in range(20):
        played = game(seed)
        record = play(played, agent)
        assert record.outcome is not None
        assert not record.false_proofs
        wins += record.outcome.result.value == "win"
    agent.close()
    assert agent.identity["name"] == "ms_toollib"
    assert wins > 10


def test_the_docs_build_the_template_step_by_step(tmp_path: Path) -> None:
    page = (TESTS.parent / "docs" / "write-a-solver.md").read_text("utf-8")
    first, second, *rest = re.findall(r"```python\n(.*?)```", page, re.S)
    template = (EXAMPLES / "simple.py").read_text("utf-8")
    assert template.endswith("\n\n\n".join(block.strip() for block in rest) + "\n")
    program = tmp_path / "mine.py"
    for step in (first, second):
        program.write_text(step)
        agent = engine(shlex.join([sys.executable, str(program)]))
        agent.check_unknown_line()
        agent.start(mw.BEGINNER.public(), 1)
        agent.finish(mw.Result.LOSS)
        if step == second:
            assert play(game(), agent).outcome is not None
        assert agent.close()


@needs_posix
@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler here")
def test_a_java_program_plays_with_its_usual_memory_settings() -> None:
    agent = engine(f"java {TESTS / 'Simple.java'}")
    assert play(game(), agent).outcome is not None
    assert agent.identity["name"] == "Java"
    assert agent.close()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_the_templates_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < 60


@given(observations())
def test_positions_survive_the_line(seen: mw.Observation) -> None:
    again = parse_position_line(position_line(seen), seen.rules)
    assert (again.shown, again.marks) == (seen.shown, seen.marks)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"start": "opening", "flood": False},
        {"goal": "mark", "explosion": "continue"},
        {"clues": "withheld:0.7", "mine_count": "unknown"},
        {"start": "given:0.5", "clues": "cautious"},
    ],
)
def test_rules_survive_the_line(options: dict[str, str | bool]) -> None:
    rules = with_options(Rules(5, 7, 9), **options).public()
    line = game_line(rules, 2**64 - 1)
    assert parse_game_line(line) == (rules, 2**64 - 1)
    assert ("start=" in line) == ("start" in options)


@pytest.mark.parametrize(
    "line", ["game", "game 5 5", "game 5 5 x", "game 5 5 3 seed=-1", f"game 5 5 3 seed={2**64}"]
)
def test_wrong_game_lines_are_rejected(line: str) -> None:
    with pytest.raises(NotationError):
        parse_game_line(line)


def test_unknown_rules_are_rejected() -> None:
    with pytest.raises(mw.RulesError, match="unknown rule 'colour'"):
        parse_game_line("game 5 5 3 colour=red seed=1")


def answers(agent: str, *lines: str) -> list[str]:
    spec, options = parse_agent(agent)
    found: list[str] = []
    EngineServer(spec, options, "1").serve([f"{line}\r\n" for line in lines], found.append)
    return found


def test_an_agent_as_an_engine_answers_every_line() -> None:
    said = answers(
        "exact", "mep 1", "set clues trust", "game 1 3 1 seed=5", "position 1HH", "end lost", "quit"
    )
    assert said[0].startswith("id name exact\n")
    assert said[0].endswith("\nok\n")
    assert said[1:3] == ["ok\n", "ok\n"]
    assert said[3].startswith("open 0 ") or said[3].startswith("mark 0 ")
    assert said[3].endswith("\ndone\n")
    assert said[4:] == ["ok\n"]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("mep 2", "error expected mep 1"),
        ("hello", "error unknown hello"),
        ("position H", "error expected game before position"),
        ("game 3 3 99 seed=1", "error expected 0 to 8 mines"),
        ("set speed 3", "error"),
    ],
)
def test_an_agent_as_an_engine_explains_errors_and_continues(line: str, part: str) -> None:
    said = answers("exact", line, "mep 1")
    assert said[0].startswith(part)
    assert said[1].endswith("ok\n")


@pytest.mark.parametrize("name", ["exact", "sentences:stuck=stop", "champion"])
def test_an_agent_plays_the_same_games_as_an_engine(name: str) -> None:
    spec, options = parse_agent(name)
    server = EngineServer(spec, options, "1")
    for seed in range(3):
        direct = play(game(seed), spec.make(**options), seed=7)
        played = mw.Game("beginner", seed=seed)
        played.open(0, 0)
        said: list[str] = []
        server.serve([game_line(played.rules.public(), 7)], said.append)
        for step in direct.steps:
            server.serve([position_line(played.observation)], said.append)
            assert said[-1].startswith(str(step.move).replace(",", " "))
            played.play(step.move)


@pytest.mark.parametrize(("stranger", "asked"), [(False, 1), (True, 2)])
def test_waiting_moves_are_dropped_when_someone_else_moves(
    stranger: bool, asked: int, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    agent = bad_engine("all-at-once", log=log)
    played = mw.Game(mw.Rules(1, 9, 1), first=(0, 0), board=mw.Board.from_mines(1, 9, [8]))
    played = mw.Game(with_options(mw.Rules(1, 9, 1), flood=False), 0, (0, 0), played.board)
    prepare(agent, played.rules.public(), 1)
    for _ in range(3):
        decision = agent.decide(played.observation)
        assert decision is not None
        played.play(decision.move)
    if stranger:
        played.open(0, 6)
        assert agent.decide(played.observation) is not None
    agent.close()
    lines = log.read_text("utf-8").splitlines()
    assert sum(line.startswith("> position ") for line in lines) == asked
    assert lines[:2] == ["> mep 1", "< id name bad"]
    assert lines[-1] == "> quit"


def test_a_move_line_reads_back() -> None:
    seen = mw.parse_position("3x1x1\n1HH\n")
    decision = parse_moves(["open 0 1 proved risk 0.25 reason because it is"], seen)[0]
    assert decision.proved
    assert decision.risk == 0.25
    assert move_line(decision) == "open 0 1 proved risk 0.25 reason because it is"
    assert parse_moves(["stop"], seen) == []


@pytest.mark.full
@pytest.mark.parametrize("command", engines(), ids=lambda command: Path(command).name)
def test_the_templates_pass_the_checker(command: str) -> None:
    report = check_isolated(f"engine:{command}", games=5)
    assert not report.findings
    assert 0 < report.refused < report.games


def test_the_checker_rejects_an_engine_that_refuses_every_game() -> None:
    report = check_isolated(f"engine:{bad_command('refuses')}", games=1, classic=True)
    assert [found.kind for found in report.findings] == ["refuses"]


@pytest.mark.full
def test_the_checker_shows_the_line_of_a_position_that_an_engine_was_sent() -> None:
    report = check_isolated(f"engine:{bad_command('boasts')}", games=5)
    faults = {found.kind: found for found in report.findings}
    for kind in ("false", "unproved", "trusts"):
        _text, line = faults[kind].text.split("\n")
        assert line == position_line(mw.parse_position(faults[kind].position))
    dices = check_isolated(f"engine:{bad_command('dices')}", games=0, classic=True)
    assert "repeats" in {found.kind for found in dices.findings}


def test_the_checker_stops_if_an_engine_fails_ten_games_in_a_row() -> None:
    report = check_isolated(f"engine:{bad_command('dies')}")
    assert [found.kind for found in report.findings] == ["engine", "stopped"]
    assert report.games == 10


@pytest.mark.parametrize(
    ("mode", "kind", "expected"),
    [
        ("agrees", "engine", "after `hello`: expected error, got 'ok'"),
        ("stays", "hangs", "after `quit`: it did not exit within 2 s"),
        ("ends-fatally", "engine", "after `end lost`: the engine exited with status 3"),
    ],
)
def test_the_checker_sends_every_line(mode: str, kind: str, expected: str) -> None:
    """Among the first games are an unknown line, `quit` and the end of a game."""
    name = f"engine:{bad_command(mode)}"
    checks = islice(examinations(name, 2, 5.0, Isolation(name).make, classic=True), 3)
    fault = next(filter(None, (check() for check in checks)))
    assert fault.kind == kind
    assert expected in fault.text


def test_the_checker_names_every_fault_of_an_engine_once() -> None:
    report = CheckReport()
    for line, wrong in (
        ("position 1H/HH", "the move 'open 0 0' is illegal: the cell is already open"),
        ("position 2H/HH", "the move 'open 0 1' is illegal: the cell is already open"),
        ("position 2H/HH", "the move 'open 9 1' is not on the board"),
        ("end won", "the engine exited with status 3 before it answered"),
        ("position 2H/HH", "the engine exited with status 4 before it answered\nKeyError"),
    ):
        report.add(FoundFault("engine", f"engine:./mine: after `{line}`: {wrong}"))
    assert len(report.findings) == 4


def test_a_race_reports_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    agent = bad_engine("agrees", log=log)
    record = play(game(), mw.make_agent("exact"))
    run_race(record, ["mine"], lambda _name: agent, lambda _part: None)
    agent.close()
    assert "> end " in log.read_text("utf-8")


def test_a_refused_game_ends_a_race_only_for_the_engine_that_refuses() -> None:
    racers = {"picky": bad_engine("refuses"), "exact": mw.make_agent("exact")}
    parts: list[Any] = []
    run_race(play(game(), racers["exact"]), [*racers], racers.__getitem__, parts.append)
    picky, exact = zip(*(part["frame"] for part in parts[1:]), strict=True)
    assert "not these rules" in picky[0]["fault"]
    assert picky[1:] == (None,) * (len(picky) - 1)
    assert exact[-1]["result"] is not None


def test_champion_wins_the_same_boards_as_an_engine() -> None:
    engine = f"engine:{shlex.quote(sys.executable)} -m mineproof engine --agent champion"
    direct, asked = (mw.play_games(name, "8x10/14", count=60) for name in ("champion", engine))
    assert asked.isolated
    assert [row.result for row in asked.rows] == [row.result for row in direct.rows]
