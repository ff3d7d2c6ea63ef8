"""Many games from Python: the results and their statistics."""

from __future__ import annotations

import gzip
import lzma
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import import_extra

import mineproof
from mineproof import arena
from mineproof.arena.many import Comparison, GamesResult
from mineproof.core.decision import Decision
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.match.certainty import Pairs, sign_test
from mineproof.notation.boards import format_boards


class Leftmost:
    """An agent that opens the first unopened cell."""

    def start(self, rules: PublicRules, seed: int) -> None:
        pass

    def decide(self, observation: Observation) -> Decision:
        move = mineproof.Move("open", observation.grid.cell(observation.unopened[0]))
        return Decision(move, False, mineproof.Reason("the first one"))


class Secretive(Leftmost):
    """An agent that cannot be sent to another process."""

    def __init__(self) -> None:
        """Keep an attribute that cannot be pickled."""
        self.secret = lambda: None


def without_time(result: GamesResult) -> list[tuple[object, ...]]:
    """Return the rows without their milliseconds."""
    return [(row.index, row.result, row.guesses, row.moves) for row in result.rows]


@pytest.mark.parametrize("agent", ["basic", "exact", "champion"])
def test_games_are_those_of_play(agent: str) -> None:
    """Game i is the game that `play` plays for seed + i, even in the native core."""
    result = mineproof.play_games(agent, "beginner", count=6, seed=40)
    records = [
        mineproof.play(mineproof.Game("beginner", 40 + i), mineproof.make_agent(agent))
        for i in range(6)
    ]
    wanted = [
        (i, record.outcome and record.outcome.result, record.guesses, len(record.steps))
        for i, record in enumerate(records)
    ]
    assert without_time(result) == wanted
    assert result.games == 6
    assert result.wins == sum(row[1] == "win" for row in wanted)
    assert result.rate == result.wins / 6
    low, high = result.interval
    assert low < result.rate <= high


def test_agents_by_name_and_as_objects_play_alike() -> None:
    named = mineproof.play_games("basic", mineproof.BEGINNER, count=8)
    objects = [
        mineproof.play_games(mineproof.make_agent("basic"), "9x9/10", count=8, jobs=jobs)
        for jobs in (1, 2)
    ]
    assert [without_time(result) for result in objects] == [without_time(named)] * 2
    assert objects[0].agent == "basic"


def test_agents_from_outside_play_too() -> None:
    """Any object with `start` and `decide` can play. For several processes, it must pickle."""
    result = mineproof.play_games(Leftmost(), "3x3/1", count=10)
    assert 0 < result.wins < 10
    assert without_time(mineproof.play_games(Secretive(), "3x3/1", count=10)) == without_time(
        result
    )
    with pytest.raises(mineproof.AgentError, match="cannot be pickled for 2 jobs"):
        mineproof.play_games(Secretive(), "3x3/1", count=10, jobs=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agent": "nobody"}, "expected an agent"),
        ({"rules": "exprt"}, "expected a level"),
        ({"count": 0}, "expected count from 1 to"),
        ({"count": 2.5}, "expected count as a whole number"),
        ({"jobs": 0}, "expected jobs from 1 to"),
        ({"seed": -1}, "expected a seed from 0"),
    ],
)
def test_bad_input_is_named(arguments: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"agent": "basic", "rules": "3x3/1", "count": 2}
    with pytest.raises(mineproof.InputError, match=message):
        mineproof.play_games(**usual | arguments)


def test_a_comparison_is_by_pairs() -> None:
    """The statistics of a comparison equal those that the test counts pair by pair."""
    found = mineproof.compare("random", "exact", "beginner", count=40, seed=3)
    won = [(a.result == "win", b.result == "win") for a, b in found.rows]
    pairs = Pairs(*(won.count((a, b)) for a in (True, False) for b in (True, False)))
    assert (found.only_first, found.only_second) == (pairs.only_first, pairs.only_second)
    assert found.only_second > 20
    assert found.difference == pytest.approx(found.second.rate - found.first.rate)
    assert found.difference == pairs.difference.value
    assert found.interval == pytest.approx((pairs.difference.low, pairs.difference.high))
    assert found.p_value == pytest.approx(pairs.p_value)
    assert len(found.rows) == 40


@pytest.mark.full
@pytest.mark.parametrize(
    ("fewer", "more"), [(0, 0), (0, 1), (3, 9), (9, 3), (7, 7), (450, 550), (20_000, 20_500)]
)
def test_the_sign_test_is_exact(fewer: int, more: int) -> None:
    """The result of the sign test equals that of scipy's binomial test."""
    stats = import_extra("scipy.stats")
    wanted = stats.binomtest(fewer, fewer + more).pvalue if fewer + more else 1.0
    assert sign_test(fewer, more) == pytest.approx(wanted, rel=1e-9)


def test_results_can_be_read() -> None:
    found = mineproof.compare("basic", "exact", "beginner", count=20)
    first = found.first
    assert repr(first) == f"<GamesResult basic, 9x9/10: {first.wins} of 20 won>"
    assert str(first).startswith(f"basic, 9x9/10: 20 games: {first.wins} won (")
    assert first._repr_html_().count("<td>") == 8
    assert str(found).splitlines()[:2] == [str(first), str(found.second)]
    assert "exact - basic: +" in str(found)
    assert repr(found).startswith("<Comparison basic, exact: +")
    assert found._repr_html_().count("<tr>") == 5
    odd = GamesResult("<b>", first.rules, 0, first.rows)
    assert "<b>" not in Comparison(odd, odd)._repr_html_()


@pytest.mark.full
def test_tables_of_pandas() -> None:
    """A table has one row per game or pair, with its seed."""
    import_extra("pandas")
    found = mineproof.compare("basic", "exact", "beginner", count=5, seed=11)
    table = found.first.to_pandas()
    names = ["index", "seed", "result", "guesses", "moves", "ms", "false_proofs"]
    assert list(table.columns) == names
    assert list(table["seed"]) == [11, 12, 13, 14, 15]
    assert (table["result"] == "win").sum() == found.first.wins
    both = found.to_pandas()
    assert len(both) == 5
    assert (both["result_second"] == "win").sum() == found.second.wins


def test_without_pandas_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        mineproof.play_games("basic", "3x3/1", count=1).to_pandas()


def test_progress_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A function passed as `progress` is called at every step. True writes a line to stderr."""
    heard: list[tuple[int, int]] = []
    mineproof.play_games("exact", "3x3/1", count=9, progress=lambda *how: heard.append(how))
    assert heard[-1] == (9, 9)
    assert heard == sorted(heard)
    mineproof.play_games("exact", "3x3/1", count=9, progress=True)
    printed = capsys.readouterr()
    assert printed.err.endswith("\rexact: 9 of 9 games\n")
    assert not printed.out


def test_an_agent_of_the_script_itself_is_refused_for_several_jobs(tmp_path: Path) -> None:
    """Other processes never run the script, so they cannot import its classes."""
    script = tmp_path / "script.py"
    script.write_text(
        "import mineproof as mw\n"
        "class Own:\n"
        "    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): return None\n"
        "try:\n"
        "    mw.play_games(Own(), 'beginner', count=4, jobs=2)\n"
        "except mw.InputError as error:\n"
        "    print(error)\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "Own cannot play in other processes; use FILE.py:Class" in ended.stdout


def test_engines_are_compared_with_agents() -> None:
    engine = Path(__file__).parents[2] / "examples" / "engines" / "simple.py"
    duel = mineproof.compare("exact", f"engine:{sys.executable} {engine}", "beginner", count=5)
    assert [row.result for row in duel.first.rows] == [
        row.result for row in mineproof.play_games("exact", "beginner", count=5).rows
    ]
    assert duel.second.games == 5
    bad = f"engine:{sys.executable} {Path(__file__).parents[1] / 'bad_engines.py'} refuses"
    duel = mineproof.compare("exact", bad, "beginner", count=5)
    assert duel.pairs.games == 0
    assert math.isnan(duel.second.rate)


def test_board_files_and_sets_are_compared(tmp_path: Path) -> None:
    """Both agents play the boards of a file, plain or compressed, or of a set."""
    deals = arena.board_set("beginner-corner-2026").deals(30)
    text = format_boards((deal.board(), (0, 0)) for deal in deals)
    (tmp_path / "some.boards").write_text(text)
    (tmp_path / "some.boards.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "some.boards.xz").write_bytes(lzma.compress(text.encode()))
    found = [
        mineproof.compare("basic", "exact", boards=tmp_path / f"some.boards{end}")
        for end in ("", ".gz", ".xz")
    ]
    assert found[0].pairs == found[1].pairs == found[2].pairs
    assert (found[0].pairs.games, found[0].first.rules) == (30, mineproof.Rules(9, 9, 10))
    assert "some.boards@" in str(found[0])
    line = found[0].table().format("csv").splitlines()[-1]
    assert line.startswith("pair,some.boards@")
    of_set = mineproof.play_games("exact", boards="expert-corner-2026", count=20)
    seed = arena.board_set("expert-corner-2026").deals(1)[0].seed
    alike = mineproof.play_games("exact", count=20, seed=seed)
    assert [row.result for row in of_set.rows] == [row.result for row in alike.rows]
    for wrong in ({"boards": "sprint-2026", "seed": 3}, {"boards": "sprint-2025"}):
        with pytest.raises(mineproof.InputError):
            mineproof.play_games("exact", **wrong)
    (tmp_path / "torn.boards.xz").write_bytes(lzma.compress(text.encode())[:-20])
    with pytest.raises(mineproof.NotationError, match="cannot unpack"):
        mineproof.play_games("exact", boards=tmp_path / "torn.boards.xz")
