"""The arena: board sets, result files and tables."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import mineproof as mw
from mineproof import arena
from mineproof.arena.many import play_games
from mineproof.arena.results import LETTERS, AgentIdentity, ArenaResult
from mineproof.arena.sets import board_sets, file_set
from mineproof.arena.tables import table
from mineproof.core.errors import InputError, NotationError
from mineproof.match.batch import Played, dealt
from mineproof.match.certainty import Pairs, holm, p_text
from mineproof.match.isolated import Isolation
from mineproof.notation.boards import format_boards, read_boards
from mineproof.notation.codec import to_plain
from mineproof.notation.files import open_locked

SPRINT, PEER = "sprint-2026", "peer-expert-corner"
AGENT = """
class Own:
    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return observation.grid.cell(observation.unopened[0])
"""
ENGINE = Path(__file__).parents[2] / "examples" / "engines" / "simple.py"


def interrupt(games: Sequence[Played]) -> None:
    if games:
        raise KeyboardInterrupt


def run(tmp_path: Path, agent: str = "exact", **settings: object) -> ArenaResult:
    out = tmp_path / f"{agent.rsplit(maxsplit=1)[-1].rsplit('/', maxsplit=1)[-1]}.json"
    return arena.run(SPRINT, agent, out, **{"first": 20, **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [SPRINT, PEER])
def test_the_sums_of_the_short_sets(name: str, tmp_path: Path) -> None:
    board_sets()[name].write(tmp_path / "set.boards")
    data = (tmp_path / "set.boards").read_bytes()
    assert hashlib.sha256(data).hexdigest() == board_sets()[name].sha256
    assert len(read_boards(tmp_path / "set.boards")) == data.count(b"\n") in (8_000, 12_000)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in board_sets() if name not in (SPRINT, PEER)])
def test_the_sums_of_the_large_sets(name: str, tmp_path: Path) -> None:
    board_sets()[name].write(tmp_path / "set.boards")
    assert (tmp_path / "set.boards").read_bytes().count(b"\n") == 100_000


def test_a_wrong_sum_is_noticed(tmp_path: Path) -> None:
    found = board_sets()[SPRINT]
    wrong = type(found)(SPRINT, "", "0" * 64, found.most, found.sources)
    with pytest.raises(InputError, match="should be 0000"):
        wrong.write(tmp_path / "set.boards")
    assert not (tmp_path / "set.boards").exists()


def test_the_sprint_is_the_beginning_of_the_large_sets() -> None:
    sprint = board_sets()[SPRINT]
    parts = [deal for name in sprint.sources for deal in board_sets()[name].deals(3)]
    assert [deal.board() for deal in sprint.deals(3)] == [deal.board() for deal in parts]
    assert [deal.index for deal in sprint.deals(3)] == [*range(12)]


def test_sets_hold_their_recipe() -> None:
    for name, level, first in (
        ("expert-corner-2026", "expert", (0, 0)),
        ("expert-opening-2026", "expert", (3, 3)),
        ("intermediate-corner-2026", "intermediate", (0, 0)),
        ("beginner-corner-2026", "beginner", (0, 0)),
    ):
        for deal in board_sets()[name].deals(50):
            board, rules = deal.board(), mw.Rules.parse(level)
            assert (deal.first, len(board.mine_indices)) == (first, rules.mines)
            around = board.grid.neighbours(board.grid.index(first))
            assert not board.mined[board.grid.index(first)]
            assert "opening" not in name or not any(board.mined[i] for i in around)


@pytest.mark.parametrize("first", [0, 2001, -1])
def test_a_set_has_only_so_many_boards(first: int) -> None:
    with pytest.raises(InputError, match="--first from 1 to 2,000"):
        board_sets()[SPRINT].deals(first)


def test_unknown_sets_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"did you mean {SPRINT}"):
        arena.board_set("sprint-2025")
    (tmp_path / "empty.boards").write_text("# nothing\n")
    with pytest.raises(InputError, match="contains no boards"):
        file_set(tmp_path / "empty.boards")


def test_a_result_says_what_happened_on_each_board(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.results == arena.read_result(tmp_path / "exact.json").results
    start = 20 * list(board_sets()[SPRINT].sources).index("beginner-corner-2026")
    seed = board_sets()["beginner-corner-2026"].deals(1)[0].seed
    games = play_games("exact", "beginner", count=20, seed=seed)
    assert result.results[start : start + 20] == "".join(LETTERS[row.result] for row in games.rows)
    assert not list(tmp_path.glob("*.games*"))
    assert list(arena.replay(result, 20)) == []


def test_the_arena_needs_no_import_of_its_own() -> None:
    code = "import mineproof; mineproof.arena.run; assert 'arena' in dir(mineproof)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_engine_plays_in_the_arena(tmp_path: Path) -> None:
    result = run(tmp_path, f"engine:{sys.executable} {ENGINE}", first=3)
    assert (result.agent.name, result.agent.version) == ("simple", "1")
    assert result.isolated
    assert set(result.results) <= set("WL")
    assert list(arena.replay(result, 12)) == []  # the same salt gives the same random choices


def test_the_options_of_an_engine_belong_to_its_result(tmp_path: Path) -> None:
    """They are set again for a replay, never mixed by --resume, and shown in tables."""
    engine = f"engine:{sys.executable} -m mineproof engine --agent sentences"
    results = []
    for value in ("stop", "random"):
        how = Isolation(engine, options=(("stuck", value),))
        results.append(arena.run(SPRINT, how, tmp_path / f"{value}.json", first=2))
    assert "S" in results[0].results
    assert "S" not in results[1].results
    assert list(arena.replay(arena.read_result(tmp_path / "stop.json"), 8)) == []
    assert "sentences" in str(table(results))
    assert "stuck=stop" in str(table(results))
    with pytest.raises(KeyboardInterrupt):
        arena.run(SPRINT, how, tmp_path / "new.json", first=2, report=interrupt)
    with pytest.raises(NotationError, match="with options"):
        arena.run(SPRINT, replace(how, options=()), tmp_path / "new.json", first=2, resume=True)


def test_compressed_board_files_have_the_name_of_the_file(tmp_path: Path) -> None:
    text = format_boards((deal.board(), (0, 0)) for deal in dealt(mw.BEGINNER, 5))
    (tmp_path / "some.boards").write_text(text)
    (tmp_path / "some.boards.gz").write_bytes(gzip.compress(text.encode()))
    plain, packed = (file_set(tmp_path / f"some.boards{end}") for end in ("", ".gz"))
    assert plain.name == packed.name
    result = arena.run(packed, "basic", tmp_path / "basic.json")
    (tmp_path / "some.boards").unlink()
    with contextlib.chdir(tmp_path):
        assert list(arena.replay(result, 5)) == []


def test_existing_results_are_kept(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(InputError, match="--force"):
        run(tmp_path)
    run(tmp_path, force=True)


def test_a_result_on_a_board_file_is_played_again_on_those_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = [tmp_path / f"{name}.boards" for name in ("mine", "other")]
    for number, file in enumerate(boards):
        lines = (deal.board() for deal in dealt(mw.BEGINNER, 5, 5 * number))
        file.write_text(format_boards((board, (0, 0)) for board in lines))
    result = arena.run(boards[0], "basic", tmp_path / "mine.json")
    with pytest.raises(InputError, match=r"expected a board set .* got 'mine\.boards'"):
        list(arena.replay(result, 5))
    assert list(arena.replay(result, 5, boards=boards[0])) == []
    with pytest.raises(InputError, match="does not contain the boards"):
        list(arena.replay(result, 5, boards=boards[1]))
    monkeypatch.chdir(tmp_path)
    assert list(arena.replay(result, 5)) == []


def test_the_time_limit_covers_built_in_agents_on_huge_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mineproof.match.isolated.HUGE_BOARD", 80)
    how = Isolation("sentences", 0.0001)
    with pytest.raises(mw.AgentError, match=r"no answer within 0\.0001 s"):
        arena.run("beginner-corner-2026", how, tmp_path / "out.json", first=1)


def test_a_killed_run_continues(tmp_path: Path) -> None:
    out = tmp_path / "basic.json"
    code = f"from mineproof import arena; arena.run({SPRINT!r}, 'basic', {str(out)!r}, first=40)"
    process = subprocess.Popen([sys.executable, "-c", code])
    games = tmp_path / "basic.json.games"
    deadline = time.monotonic() + 60
    while not (games.exists() and games.read_bytes().count(b"\n") > 5):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = games.read_bytes().count(b"\n")
    new: list[Played] = []
    result = arena.run(SPRINT, "basic", out, first=40, resume=True, report=new.extend)
    assert len(new) == 160
    assert kept > 5
    whole = arena.run(SPRINT, "basic", tmp_path / "b.json", first=40)
    assert result.results == whole.results
    assert result.wall_seconds is None  # the time between both runs is unknown
    assert whole.wall_seconds is not None
    with pytest.raises(InputError, match="already exists"):
        arena.run(SPRINT, "basic", out, first=40, resume=True)


def test_a_run_has_one_writer_and_one_agent(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(AGENT)
    out = tmp_path / "own.json"
    games = tmp_path / "own.json.games"
    with pytest.raises(KeyboardInterrupt):
        arena.run(SPRINT, f"{file}:Own", out, first=40, report=interrupt)
    with open_locked(games), pytest.raises(InputError, match="in use by another run"):
        arena.run(SPRINT, f"{file}:Own", out, first=40, resume=True)
    file.write_text(f"{AGENT}# changed\n")
    with pytest.raises(NotationError, match=r"cannot resume .* with file"):
        arena.run(SPRINT, f"{file}:Own", out, first=40, resume=True)
    file.write_text(AGENT)
    assert len(arena.run(SPRINT, f"{file}:Own", out, first=2, force=True).results) == 8


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("format", "other/1", "format"),
        ("results", "WLX", "unknown letter 'X'"),
        ("results", "W", "expected 80 letters, got 1"),
        ("sha256", "0" * 64, "not the checksum"),
        ("first", 3000, "only 2,000"),
        ("guesses", -1, "guesses"),
    ],
)
def test_a_wrong_result_file_is_rejected(
    field: str, value: object, message: str, tmp_path: Path
) -> None:
    run(tmp_path)
    path = tmp_path / "exact.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(NotationError, match=message) as caught:
        arena.read_result(path)
    assert "exact.json" in str(caught.value)


def test_a_forged_result_is_found_by_playing_again(tmp_path: Path) -> None:
    result = run(tmp_path)
    forged = type(result)(**{**vars(result), "results": "W" * 80})
    found = list(arena.replay(forged, 80))
    assert len(found) == 80 - result.results.count("W")
    assert "W in the file, L when played again" in found[0]


def results_of(*letters: str) -> list[ArenaResult]:
    base = {
        "format": "mineproof-arena/1",
        "set": "some.boards@12345678",
        "sha256": "1" * 64,
        "salt": "",
        "isolated": False,
        "machine": {},
        "guesses": 7,
        "false_proofs": 0,
        "cpu_seconds": 1.5,
        "wall_seconds": 2.0,
        "date": "2026-01-01",
    }
    return [
        ArenaResult(
            **base,  # type: ignore[arg-type]
            first=len(text),
            results=text,
            agent=AgentIdentity(f"agent-{number}", "1", "", ""),
        )
        for number, text in enumerate(letters)
    ]


def test_a_table_compares_on_shared_boards_only() -> None:
    found = table(results_of("WWLWR", "WLL", "RRRRR"))
    assert [(row.agent, row.games, row.wins) for row in found.rows[:2]] == [
        ("agent-0 1", 4, 3),
        ("agent-1 1", 3, 1),
    ]
    assert [(pair.pairs.games, pair.pairs.only_first) for pair in found.pairs] == [(3, 1)]


def test_the_counts_of_a_pair_follow_the_agents_as_named() -> None:
    """The difference is the first name minus the second, so the counts have the same order."""
    pair = table(results_of("WWLW", "WLLL")).pairs[0]
    _, names, _, difference, only_first, only_second, _ = pair.cells()
    assert names == "agent-1 1 - agent-0 1"
    assert difference.startswith("-50.00")
    assert (only_first, only_second) == ("0", "2")


@pytest.mark.parametrize("kind", ["text", "markdown", "latex", "csv", "html"])
def test_a_table_in_every_format(kind: str) -> None:
    text = table(results_of("WWLW", "WLLL")).format(kind)  # type: ignore[arg-type]
    assert "agent-0" in text
    assert text.endswith("\n")
    if kind == "html":
        assert "<svg" in text
        assert "prefers-color-scheme: dark" in text
    with pytest.raises(InputError, match="expected one of the formats"):
        table([]).format("word")  # type: ignore[arg-type]


def test_a_page_counts_the_games_of_a_set_with_parts_once() -> None:
    (one,) = results_of("WL" * 4)
    page = table([replace(one, set=SPRINT, first=2)]).format("html")
    assert "8 games." in page
    assert page.count("<svg") == 1  # the CPU time is only known for the whole set
    assert "No CPU times" not in page
    (other,) = results_of("WL")
    assert "No CPU times" in table([replace(other, cpu_seconds=None)]).format("html")


def test_a_table_as_a_data_frame() -> None:
    pytest.importorskip("pandas")
    frame = table(results_of("WWLW")).to_pandas()
    assert frame["rate"].tolist() == [0.75]


def test_one_agent_appears_once() -> None:
    with pytest.raises(InputError, match="two results"):
        table(results_of("W") + results_of("L"))


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.9]) == [1.0, 1.0]


def test_a_p_value_is_never_printed_as_zero() -> None:
    value = Pairs(0, 0, 5000, 0).p_value
    assert value > 0
    assert p_text(value) == "< 1e-100"
    assert p_text(0.0123) == "= 0.012"


def test_equal_agents_are_rarely_called_different() -> None:
    """Among 5 equal agents, at most 5 % of the tables may show a significant difference."""
    source = random.Random(1)
    tables, wrong = 300, 0
    for _ in range(tables):
        boards = [source.random() for _ in range(200)]
        letters = [
            "".join("W" if source.random() < 0.2 + 0.6 * board else "L" for board in boards)
            for _ in range(5)
        ]
        wrong += any(pair.is_significant for pair in table(results_of(*letters)).pairs)
    assert wrong <= 0.05 * tables + 3 * (0.05 * 0.95 * tables) ** 0.5


def test_a_result_survives_its_file(tmp_path: Path) -> None:
    result = results_of("WLSFR")[0]
    result.save(tmp_path / "one.json")
    assert to_plain(arena.read_result(tmp_path / "one.json")) == to_plain(result)
