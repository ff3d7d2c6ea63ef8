"""Playing, storing, resuming and comparing chunks of games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from lab_small import every, small

from mineproof.agents.loading import make_agent
from mineproof.backend import native
from mineproof.core.errors import AgentError, InputError
from mineproof.core.game import Game
from mineproof.core.rules import BEGINNER, EXPERT
from mineproof.lab.chunks import Chunk, plan
from mineproof.lab.compare import Duel, duel
from mineproof.lab.experiment import Experiment
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.statistics import Sequential, SequentialVerdict
from mineproof.lab.store import Store, stores
from mineproof.lab.work import ChunkAnswer, play_chunk
from mineproof.match.batch import dealt
from mineproof.match.batch import play_chunk as play_batch
from mineproof.match.engines import EngineAgent
from mineproof.match.isolated import IsolatedAgent, Isolation
from mineproof.match.play import play
from mineproof.review.chains import trace_record
from mineproof.workers.batch import Here, Processes


def test_a_chunk_gives_the_games_of_the_batch() -> None:
    answer = play_chunk(plan(small(games=12), 12)[0])
    games = [game for part in play_batch("basic", dealt(BEGINNER, 12), None) for game in part]
    assert answer.columns["result"] == [game.result.value for game in games]
    assert answer.columns["steps"] == [game.moves for game in games]
    assert answer.columns["guesses"] == [game.guesses for game in games]


@pytest.mark.skipif(native is None, reason="without the core there are no whole games")
def test_whole_games_are_the_same_as_single_ones() -> None:
    """Whole games in the native core have the same results as games played move by move."""
    rules = {"level": "expert"}
    whole = play_chunk(plan(small(agents=("exact",), rules=rules), 6)[0])
    single = play_chunk(plan(small(agents=("exact",), rules=rules, probes=("board",)), 6)[0])
    for name in ("seed", "result", "steps", "guesses"):
        assert whole.columns[name] == single.columns[name]
    assert "bbbv" not in whole.columns
    assert len(whole.columns["seed"]) == 6
    assert Game(EXPERT, 0, (0, 0)).board is not None


def test_built_in_agents_have_a_time_limit_on_huge_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit changes no game that keeps it, but games could fail, so the key contains it."""
    limits: list[float] = []

    class Seen(Isolation):
        def make(self) -> IsolatedAgent | EngineAgent:
            limits.append(self.seconds)
            return super().make()

    (usual,) = plan(small(games=2), 2)
    limited = replace(usual, seconds=7.0)
    assert limited.key == usual.key
    monkeypatch.setattr("mineproof.lab.work.Isolation", Seen)
    monkeypatch.setattr("mineproof.match.isolated.HUGE_BOARD", 80)
    assert play_chunk(limited).columns["steps"] == play_chunk(usual).columns["steps"]
    assert limits == [7.0, 10.0]
    assert replace(usual, seconds=8.0).key != usual.key == replace(usual, seconds=10.0).key


def test_probes_measure_what_they_promise() -> None:
    rules = {"level": "easy", "goal": "mark"}
    probes = ("board", "luck", "completeness", "chains", "stuck")
    agents = ("sentences:stuck=stop",)
    answer = play_chunk(plan(small(agents=agents, rules=rules, probes=probes), 25)[0])
    found = answer.columns
    assert all(0 <= risk <= 1 for risk in found["risk"])  # type: ignore[operator]
    assert all(p <= q for p, q in zip(found["proved"], found["provable"], strict=True))  # type: ignore[operator]
    assert found["unsound"] == [0] * answer.games
    assert max(found["chain"]) > 3  # type: ignore[type-var, operator]
    assert min(found["bbbv"]) >= 1  # type: ignore[type-var, operator]
    assert min(found["kb"]) >= 1  # type: ignore[type-var, operator]
    for result, lack in zip(found["result"], found["lack"], strict=True):
        assert (lack is not None) == (result == "stuck")
    assert "stuck" in found["result"]


def test_chains_of_the_lab_are_those_of_the_record() -> None:
    experiment = small(agents=("clue-heap",), probes=("chains",))
    found = play_chunk(plan(experiment, 4)[0]).columns
    for seed, length, reach in zip(found["seed"], found["chain"], found["reach"], strict=True):
        assert isinstance(seed, int)
        record = play(Game(BEGINNER, seed), make_agent("clue-heap"), player="clue-heap")
        chains = trace_record(record)
        assert (chains.length, chains.reach) == (length, reach)


def test_boards_that_are_searched_for() -> None:
    """Improved boards have longer chains, and the same seed gives the same board."""
    vary = {"boards": ("dealt", "improved:30")}
    experiment = small(agents=("clue-heap",), probes=("chains",), vary=vary)
    dealt, improved = plan(experiment, 2)
    lengths = play_chunk(improved).columns["chain"]
    assert sum(map(int, lengths)) > sum(map(int, play_chunk(dealt).columns["chain"]))  # type: ignore[arg-type]
    assert play_chunk(improved).columns["chain"] == lengths


def test_what_is_stored_is_what_was_played(tmp_path: Path) -> None:
    """Result files hold every game once, with its condition. Missing values are not stored as 0."""
    experiment = small(agents=("basic", "random"), vary={"mines": (5, 10)})
    store = Store(tmp_path / "small")
    carry_out(prepare(experiment, 5, store), Here(), every)
    rows = store.query("SELECT agent, mines, seed, chain, result FROM games ORDER BY ALL")
    assert [row[:3] for row in rows] == [
        (agent, mines, seed)
        for agent in ("basic", "random")
        for mines in (5, 10)
        for seed in range(5)
    ]
    assert {row[3] for row in rows} == {None}
    assert store.experiment == experiment
    manifest = json.loads((tmp_path / "small" / "manifest.json").read_text())
    assert manifest["seeds"] == [0, 4]
    assert {"versions", "backend", "machine", "finished", "command"} <= set(manifest["runs"][0])
    assert [one.folder.name for one in stores(tmp_path)] == ["small"]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = Store(tmp_path)
    experiment = small(vary={"mines": (5, 10, 15)})
    taken: list[str] = []

    def take_two(chunk: Chunk, _answer: ChunkAnswer) -> bool:
        taken.append(chunk.key)
        return len(taken) < 2

    carry_out(prepare(experiment, 5, store), Here(), take_two)
    assert len(store.finished) == 2
    again = prepare(experiment, 5, store)
    assert [chunk.key for chunk in again.missing] == [c.key for c in again.chunks][2:]
    assert again.games_done == 10
    carry_out(again, Here(), every)
    assert store.query("SELECT count(*), count(DISTINCT (mines, seed)) FROM games") == [(15, 15)]
    carry_out(prepare(experiment, 8, store), Here(), every)
    assert store.query("SELECT count(*), count(DISTINCT (mines, seed)) FROM games") == [(24, 24)]


def test_a_torn_part_is_swept_away_and_never_read(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = prepare(small(), 5, store)
    store.results.mkdir(parents=True)
    torn = store.results / f"{run.chunks[0].key}.tmp"
    torn.write_bytes(b"PAR1")
    assert prepare(small(), 5, store).missing == run.missing
    carry_out(run, Here(), every)
    assert not torn.exists()
    assert store.query("SELECT count(*) FROM games") == [(5,)]


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.locked(), pytest.raises(InputError, match="in use by another run"):
        carry_out(prepare(small(), 5, Store(tmp_path)), Here(), every)


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no results"):
        stores(tmp_path)
    with pytest.raises(InputError, match=r"manifest\.json"):
        _ = Store(tmp_path).manifest
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(InputError, match=r"manifest\.json is not .*: expected an object"):
        _ = Store(tmp_path).manifest
    (tmp_path / "manifest.json").write_text('{"version": 99, "runs": [], "chunks": []}')
    with pytest.raises(
        InputError, match=r'manifest\.json .*field "version": expected 1 or 2, got 99'
    ):
        _ = Store(tmp_path).manifest


def test_a_copied_part_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    experiment = small(vary={"mines": (5, 10)})
    carry_out(prepare(experiment, 5, store), Here(), every)
    first, second = store.finished
    second.write_bytes(first.read_bytes())
    with pytest.raises(InputError, match=f"{second} .*another chunk, {first.stem}"):
        store.query("SELECT count(*) FROM games")


def test_a_damaged_part_is_played_again_or_named(tmp_path: Path) -> None:
    """A truncated result file counts as missing. Other damage to a result file is an error."""
    store = Store(tmp_path)
    experiment = small(vary={"mines": (5, 10)})
    carry_out(prepare(experiment, 5, store), Here(), every)
    part = store.finished[0]
    whole = part.read_bytes()
    part.write_bytes(whole[:-20])
    again = prepare(experiment, 5, store)
    assert [store.result_path(chunk.key) for chunk in again.missing] == [part]
    assert len(store.finished) == 1
    carry_out(again, Here(), every)
    assert store.query("SELECT count(*), count(DISTINCT (mines, seed)) FROM games") == [(10, 10)]
    part.write_bytes(whole[:4] + b"x" * 300 + whole[304:])
    with pytest.raises(InputError, match="cannot read the results in"):
        store.query("SELECT * FROM games")


def test_a_wrong_question_is_not_blamed_on_the_parts(tmp_path: Path) -> None:
    """Errors in the user's SQL are raised as the database reports them."""
    store = Store(tmp_path)
    carry_out(prepare(small(), 5, store), Here(), every)
    with pytest.raises(duckdb.BinderException, match="nothing"):
        store.query("SELECT nothing FROM games")


def test_numbers_of_games_that_nobody_means_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected 1 to 10,000,000 games"):
        prepare(small(), 10**14, Store(tmp_path))


def test_processes_give_the_same_parts_as_one(tmp_path: Path) -> None:
    experiment = small(agents=("basic", "sentences"), vary={"mines": (5, 10)}, games=7)
    sql = "SELECT agent, mines, seed, result, steps, guesses FROM games ORDER BY ALL"
    found = []
    for name, workers in (("one", Here()), ("two", Processes(2))):
        with workers:
            carry_out(prepare(experiment, 7, Store(tmp_path / name)), workers, every)
        found.append(Store(tmp_path / name).query(sql))
    assert found[0] == found[1]


def test_an_agent_that_fails_is_named(tmp_path: Path) -> None:
    """The error of an agent in this process names the agent, the seed and the exception."""
    path = tmp_path / "bad.py"
    path.write_text(
        "class Bad:\n"
        "    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): raise KeyError('lost')\n"
    )
    run = prepare(small(agents=(f"{path}:Bad",)), 5, Store(tmp_path / "out"), isolated=False)
    with pytest.raises(AgentError, match=r"bad\.py:Bad, seed 0: .*lost"):
        carry_out(run, Here(), every)


def pairs_of(experiment: Experiment, test: Sequential | None) -> Duel:
    match = Duel((experiment.agents[0], experiment.agents[1]), test)
    for chunk in plan(experiment, experiment.games):
        if not match.add(chunk, play_chunk(chunk).wins):
            break
    return match


def test_a_comparison_pairs_the_same_boards() -> None:
    """If an agent plays against itself, both sides win the same games."""
    match = pairs_of(
        duel("sentences", "sentences:stuck=random", {"level": "beginner"}, 40, 0), None
    )
    assert (match.pairs.games, match.pairs.only_first, match.pairs.only_second) == (40, 0, 0)


def test_a_sequential_comparison_stops_early() -> None:
    experiment = duel("random", "sentences", {"level": "beginner"}, 4000, 7)
    match = pairs_of(experiment, Sequential(effect=0.3))
    assert match.verdict is SequentialVerdict.SECOND
    assert match.pairs.games < 60
    assert "LLR" in match.describe()


def test_pairs_count_in_the_order_of_seeds() -> None:
    """A chunk that finishes early is counted only after the chunks before it."""
    experiment = small(agents=("basic", "sentences"), games=3000)
    chunks = plan(experiment, 3000)
    match = Duel(("basic", "sentences"))
    late = [chunk for chunk in chunks if chunk.start > 0][:2]
    for chunk in late:
        match.add(chunk, [True] * chunk.count)
    assert match.pairs.games == 0
    for chunk in chunks[:2]:
        match.add(chunk, [chunk.agent == "basic"] * chunk.count)
    assert match.pairs.only_first == chunks[0].count
    assert match.pairs.both == late[0].count


def test_an_agent_is_not_compared_with_itself() -> None:
    with pytest.raises(InputError, match="two different agents"):
        duel("basic", "basic", {}, 10, 0)


def test_games_that_share_a_chunk_keep_their_conditions(tmp_path: Path) -> None:
    rules = {"level": "4x5/4", "first": "every"}
    experiment = small(agents=("exact",), rules=rules)
    store = Store(tmp_path)
    carry_out(prepare(experiment, 5, store), Here(), every)
    rows = store.query("SELECT first, seed, result, steps, guesses FROM games ORDER BY ALL")
    assert len(store.finished) == (1 if native is not None else 20)
    assert len({row[:2] for row in rows}) == len(rows) == 100
    for condition in experiment.conditions:
        alone = play_chunk(Chunk((condition,), (), 0, 0, 5)).columns
        names = ("seed", "result", "steps", "guesses")
        wanted = list(zip(*(alone[name] for name in names), strict=True))
        first = f"{condition.first.row},{condition.first.column}"  # type: ignore[union-attr]
        assert [row[1:] for row in rows if row[0] == first] == wanted


def test_false_proofs_are_kept_and_reported(tmp_path: Path) -> None:
    """An agent that trusts unreliable clues makes false proofs, and the report says so."""
    from mineproof.lab.report import write_report

    rules = {"level": "easy", "clues": "optimistic"}
    trusting = small("liars", agents=("resolution:clues=trust", "random"), rules=rules, games=20)
    store = Store(tmp_path / "liars")
    carry_out(prepare(trusting, 20, store), Here(), every)
    wrong = dict(store.query("SELECT agent, sum(false_proofs) FROM games GROUP BY agent"))
    assert wrong["resolution:clues=trust"] > 0
    assert wrong["random"] == 0
    page = write_report(tmp_path).read_text("utf-8")
    assert f"clues trust {wrong['resolution:clues=trust']:,} times in" in page


def test_parts_without_a_later_column_are_read(tmp_path: Path) -> None:
    """A column that is missing in older result files is NULL, not 0."""
    store = Store(tmp_path / "small")
    carry_out(prepare(small(), 5, store), Here(), every)
    (part,) = store.finished
    with duckdb.connect() as database:
        old = f"SELECT * EXCLUDE false_proofs FROM read_parquet('{part}')"
        database.execute(f"COPY ({old}) TO '{part}.new' (FORMAT parquet)")
    Path(f"{part}.new").replace(part)
    assert store.query("SELECT count(*), sum(false_proofs) FROM games") == [(5, None)]


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
@pytest.mark.parametrize("size", [2_000, 9_000])
def test_a_full_disk_is_one_line(tmp_path: Path, size: int) -> None:
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
        "from mineproof.cli.main import main; sys.argv[0] = 'mineproof'; main()"
    )
    call = ["lab", "run", "lab3-levels", "--games", "400", "--jobs", "1", "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-c", script, *call], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert str(tmp_path) in done.stderr.splitlines()[-1]
