"""The commands of `mineproof lab`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from thieves import LOUD, QUIET, thief

import mineproof
from mineproof.cli.main import mineproof_command
from mineproof.lab.catalogue import experiments, members
from mineproof.lab.store import Store, stores

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment.toml"


def lab(*words: str | Path) -> Result:
    return CliRunner().invoke(mineproof_command, ["lab", *map(str, words)])


def test_list_names_every_experiment() -> None:
    result = lab("list")
    assert result.exit_code == 0
    for name, experiment in experiments().items():
        assert name in result.output
        assert experiment.source in result.output
    assert "documents" in result.output


def test_an_own_experiment_is_run_resumed_and_reported(tmp_path: Path) -> None:
    for games in ("2", "2", "3"):
        words = ("run", EXAMPLE, "--games", games, "--jobs", "1", "--out", tmp_path)
        result = lab(*words)
        assert result.exit_code == 0, result.output
    assert "experiment: 36 games, " in result.output
    assert Store(tmp_path / "experiment").query("SELECT count(*) FROM games") == [(36,)]
    result = lab("report", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "report.html").exists()


def test_other_agents_play_an_experiment(tmp_path: Path) -> None:
    words = ("--agent", "basic", "--agent", "exact", "--games", "2", "--jobs", "1")
    result = lab("run", "rutgers-order", *words, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    store = Store(tmp_path / "rutgers-order")
    assert store.query("SELECT DISTINCT agent FROM games ORDER BY 1") == [("basic",), ("exact",)]
    result = lab("report", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "figures" / "rutgers-order-hits.svg").exists()


SPY = """
import gc, os
from pathlib import Path
import mineproof as mw

class Spy:
    def start(self, rules, seed): pass
    def decide(self, observation):
        boards = sum(type(one).__name__ == "Board" for one in gc.get_objects())
        with Path(SEEN).open("a") as file:
            file.write(f"{boards}\\n")
        move = mw.Move("open", observation.grid.cell(observation.unopened[0]))
        return mw.Decision(move, False, mw.Reason("it is the first"))

class Quitter(Spy):
    def decide(self, observation): os._exit(0)
"""


@pytest.mark.parametrize("command", [("run", EXAMPLE), ("compare", "random")])
def test_an_isolated_agent_thinks_where_no_board_is(
    tmp_path: Path, command: tuple[str | Path, ...]
) -> None:
    """By default the agent's process holds no board; with the same salt, the games are the same."""
    path, seen = tmp_path / "spy.py", tmp_path / "spy.seen"
    path.write_text(f"SEEN = {str(seen)!r}{SPY}")
    agent = ("--agent", f"{path}:Spy") if command[0] == "run" else (f"{path}:Spy",)
    found = {}
    for flag in ("", "--no-isolated"):
        seen.unlink(missing_ok=True)
        out = tmp_path / f"out{flag}"
        words = [
            *command,
            *agent,
            "--games",
            "2",
            "--jobs",
            "1",
            "--salt",
            "ab",
            "--out",
            out,
            flag,
        ]
        result = lab(*filter(None, words))
        assert result.exit_code == 0, result.output
        assert {int(line) > 0 for line in seen.read_text().split()} == {bool(flag)}
        (store,) = stores(out)
        found[flag] = store.query("SELECT * EXCLUDE (ms) FROM games ORDER BY ALL")
        assert store.manifest.runs[-1].isolated == (not flag)
    assert found["--no-isolated"] == found[""] != []


def test_an_isolated_agent_that_ends_its_process_is_named(tmp_path: Path) -> None:
    path = tmp_path / "spy.py"
    path.write_text(SPY)
    words = ("--agent", f"{path}:Quitter", "--games", "1", "--out", tmp_path / "out")
    result = lab("run", EXAMPLE, *words)
    assert result.exit_code == 0
    assert "Quitter: 4 games failed" in result.output
    assert "move 1: the agent ended its process" in result.output


@pytest.mark.parametrize("source", ["Quitter", "import os; os._exit(0)"])
@pytest.mark.parametrize("flags", [(), ("--no-isolated",)])
def test_an_agent_that_ends_its_process_never_ends_ours(
    tmp_path: Path, source: str, flags: tuple[str, ...]
) -> None:
    """If an agent ends its process, the command reports it: a failed game, or bad input."""
    path = tmp_path / "spy.py"
    path.write_text(SPY if source == "Quitter" else source)
    words = ("random", f"{path}:Quitter", "--games", "1", "--jobs", "1", *flags)
    program = [sys.executable, "-m", "mineproof", "lab", "compare", *words, "--out", tmp_path]
    ended = subprocess.run(list(map(str, program)), check=False, capture_output=True, text=True)
    assert ended.returncode == (0 if source == "Quitter" and not flags else 2), ended.stderr
    assert f"{path}:Quitter" in ended.stderr.splitlines()[-1]


@pytest.mark.parametrize("steal", ["a candidate", "two pickles"])
def test_an_isolated_thief_gets_nothing(tmp_path: Path, steal: str) -> None:
    name, note = thief(tmp_path, {**QUIET, **LOUD}[steal])
    words = ("--games", "2", "--jobs", "1", "--level", "5x5/4")
    result = lab("compare", "random", name, *words, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert (
        steal not in LOUD or "the agent wrote to the pipe that carries its answers" in result.output
    )
    assert not note.exists()


def test_compare_prints_intervals_and_the_test(tmp_path: Path) -> None:
    words = ("compare", "random", "basic", "--level", "beginner", "--jobs", "1", "--out", tmp_path)
    result = lab(*words, "--games", "2000", "--sprt", "--effect", "0.3")
    assert result.exit_code == 0, result.output
    for text in ("95 % interval", "difference", "McNemar", "LLR", "ruled out below -2.97"):
        assert text in result.output
    assert "verdict: the second is better" in result.output
    assert "nan" not in result.output
    assert " pairs, second - first " in result.stderr
    again = lab(*words, "--games", "30", "--json")
    assert again.exit_code == 0, again.output
    found = json.loads(again.stdout)
    assert found["pairs"] == 30
    assert found["difference"][1] <= found["difference"][0] <= found["difference"][2]
    assert len(stores(tmp_path)) == 1


def test_a_board_set_is_compared_in_every_format(tmp_path: Path) -> None:
    """`--boards` plays a set, resumes with more games, and prints a table."""
    words = ("compare", "basic", "exact", "--boards", "beginner-corner-2026", "--jobs", "1")
    assert "41 pairs" not in lab(*words, "--games", "40", "--out", tmp_path).output
    latex = lab(*words, "--games", "41", "--format", "latex", "--out", tmp_path).stdout
    assert latex.count("\\begin{tabular}") == 2
    lines = lab(*words, "--games", "41", "--format", "csv", "--out", tmp_path).stdout.splitlines()
    names = lines[0].split(",")
    assert {"difference", "low", "high", "only_first", "only_second", "p"} <= set(names)
    found = mineproof.compare("basic", "exact", boards="beginner-corner-2026", count=41)
    pair = dict(zip(names, lines[-1].split(","), strict=True))
    assert int(pair["only_second"]) == found.only_second
    assert lab("report", "--out", tmp_path).exit_code == 0
    (table,) = (tmp_path / "tables").glob("*.csv")
    heads, *rows = table.read_text().splitlines()
    assert heads.endswith("difference,difference low,difference high,only baseline,only this,p")
    assert rows[-1].split(",")[-2] == str(found.only_second)
    assert "| --- |" in table.with_suffix(".md").read_text()
    assert "--boards beginner-corner-2026" in (tmp_path / "report.html").read_text()
    wrong = lab(*words, "--level", "expert", "--out", tmp_path)
    assert wrong.exit_code == 2


def test_a_comparison_without_a_verdict_says_so(tmp_path: Path) -> None:
    """A test that runs out of games reports no verdict."""
    words = ("compare", "random", "basic", "--level", "beginner", "--jobs", "1", "--out", tmp_path)
    result = lab(*words, "--games", "1", "--sprt")
    assert result.exit_code == 0, result.output
    assert "verdict: undecided" in result.output
    assert "second - first, 1 pair: " in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("run", "nothing"),
        ("run", "missing.toml"),
        ("run", "ladder", "--games", "99999999999"),
        ("run", "ladder", "--agent", "nobody"),
        ("report", "--out", "nowhere"),
        ("compare", "basic", "basic"),
        ("compare", "basic", "nobody"),
        ("compare", "basic", "random", "--sprt", "--alpha", "2"),
        ("run", "ladder", "--cluster", "nonsense://here"),
    ],
)
def test_bad_input_is_status_2(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = lab(*words)
    assert result.exit_code == 2
    assert "mineproof: error: " in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    for words in (("run", "ladder"), ("report",), ("compare", "basic", "exact")):
        result = lab(*words)
        assert result.exit_code == 2
        assert "pip install 'mineproof[lab]'" in result.output


def test_the_list_needs_no_extra() -> None:
    blocked = "import sys; sys.modules |= dict.fromkeys(('duckdb', 'scipy', 'matplotlib', 'numpy'))"
    listed = "from mineproof.cli.main import main; sys.argv[1:] = ['lab', 'list']; main()"
    found = subprocess.run(
        [sys.executable, "-c", f"{blocked}; {listed}"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert "capstone-wins" in found.stdout


@pytest.mark.timeout(1800)  # takes minutes on a busy machine
def test_all_documents_are_played_and_drawn(tmp_path: Path) -> None:
    # Enough games for some long chains, and for some stuck games.
    few = {"documents": 2, "rutgers-chain-efficiency": 100, "lab3-types": 40}
    for name, games in few.items():
        result = lab("run", name, "--games", str(games), "--out", tmp_path)
        assert result.exit_code == 0, result.output
    result = lab("report", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    for experiment in members("documents"):
        store = Store(tmp_path / experiment.name)
        counts = store.query("SELECT count(*), count(DISTINCT (agent, seed)) FROM games")
        assert counts[0][0] == few.get(experiment.name, 2) * len(experiment.conditions)
        for figure in experiment.figures:
            each = "-*" if figure.kind == "boards" else ""  # one drawing per game
            assert any((tmp_path / "figures").glob(f"{figure.name}{each}.svg")), figure.name
