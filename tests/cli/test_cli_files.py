"""The files of commands: none is overwritten unasked, none has two writers, all input ends."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command
from mineproof.core.rules import Rules
from mineproof.notation.files import open_locked
from mineproof.notation.records import Record, read_records, write_records

MEMORY = 2 << 30
"""Bytes that a command may take which never needs so many."""
POSITION = "5x4x3\nF1000\nH2000\nH1011\nH101H\n"


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a command here; give its status and all that it says."""
    result = CliRunner().invoke(mineproof_command, [*map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def limited(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell of its own, with bounded memory."""
    resource = pytest.importorskip("resource")
    return subprocess.run(
        ["bash", "-c", line.replace("mineproof", f"{sys.executable} -m mineproof")],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )


@pytest.mark.parametrize("how", ["--resume", "--force"])
def test_a_board_file_has_one_writer(tmp_path: Path, how: str) -> None:
    """A second run at the same file is refused, and changes nothing."""
    out = tmp_path / "some.boards"
    order = ("generate", "--level", "beginner", "--count", "2", "--jobs", "1", "--output", out)
    assert run(*order) == (0, "")
    before = out.read_bytes()
    with open_locked(out):
        status, said = run(*order, how)
    assert (status, f"{out} is in use" in said) == (2, True)
    assert out.read_bytes() == before
    assert run(*order, "--resume") == (0, "")
    assert out.read_bytes() == before


def test_a_board_file_cut_in_its_first_line_is_begun_again(tmp_path: Path) -> None:
    """A kill before the first board leaves nothing that stands in the way."""
    out = tmp_path / "some.boards"
    order = ("generate", "--level", "beginner", "--jobs", "1", "--output", out)
    assert run(*order) == (0, "")
    whole = out.read_bytes()
    for kept in (0, 30):
        out.write_bytes(whole[:kept])
        assert run(*order, "--resume") == (0, "")
        assert out.read_bytes() == whole


@pytest.mark.parametrize("command", ["games", "generate"])
def test_what_is_no_file_is_no_output(command: str) -> None:
    """The message says what was expected, and what it is."""
    said = run(command, "--level", "beginner", "--count", "1", "--output", "/dev/null")
    assert said[0] == 2
    assert "cannot write to /dev/null" in said[1]


@pytest.mark.parametrize("command", ["games", "generate"])
def test_games_without_number_are_refused_at_once(command: str) -> None:
    """There is a most, the same as for games from Python."""
    status, said = run(command, "--count", "100000000000")
    assert status == 2
    assert "expected a whole number from 1 to 100000000, got '100000000000'" in said


@pytest.mark.parametrize("command", ["games --agent random", "generate"])
def test_many_games_are_not_kept_in_memory(command: str) -> None:
    """They are made when their turn comes: the first lines come at once."""
    done = limited(f"mineproof {command} --level 4x4/2 --count 100000000 --jobs 1 | head -3")
    assert len(done.stdout.splitlines()) == 3, done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("mineproof analyse /dev/zero", "256 MiB"),
        ("cat /dev/zero | mineproof analyse -", "256 MiB"),
        ("mineproof why /dev/zero 0 0", "256 MiB"),
        ("mineproof convert /dev/zero --out /tmp/never.jsonl", "256 MiB"),
        ("mineproof games /dev/zero", "256 MiB"),
        ("mineproof cs50 check /dev/zero", "16 MiB"),
    ],
)
def test_input_without_end_is_refused(line: str, most: str) -> None:
    """So much is read and no more."""
    done = limited(line)
    assert done.returncode == 2, done.stderr
    assert f"is too large: the limit is {most}" in done.stderr


@pytest.mark.parametrize("agent", ["cs50:{}", "{}:Agent"])
def test_programs_without_end_are_refused(tmp_path: Path, agent: str) -> None:
    """An agent of one's own is a file as well."""
    file = tmp_path / "agent.py"
    file.symlink_to("/dev/zero")
    done = limited(f"mineproof watch --agent {agent.format(file)}")
    message = f"mineproof: error: {file} is too large: the limit is 16 MiB\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_commands_without_line_ends_are_refused() -> None:
    """A game in the terminal reads no endless line."""
    done = limited("mineproof play --level beginner --seed 1 < /dev/zero")
    assert done.returncode == 2, done.stderr
    assert "expected a command of up to 100,000 letters, got more" in done.stderr


def play(*arguments: str | Path, typed: str) -> str:
    """Play in the terminal; give what is said."""
    result = CliRunner().invoke(mineproof_command, ["play", *map(str, arguments)], input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Give a saved game."""
    file = tmp_path / "game.json"
    play("beginner:s7:f0,0", typed=f"save {file}\n")
    return file


def test_a_game_is_saved_over_its_own_file_alone(game: Path, tmp_path: Path) -> None:
    """Another file that is there is kept, until somebody says that it may go."""
    before = game.read_bytes()
    other = tmp_path / "other.json"
    said = play("beginner:s8:f0,0", typed=f"save {game}\nsave {other}\nsave {other}\nsave\n")
    assert f"expected `save --force {game}` to overwrite, since {game} exists" in said
    assert said.count(f"saved to {other}") == 3
    assert game.read_bytes() == before
    assert f"saved to {other}" in play(game, typed=f"save --force {other}\n")
    assert next(read_records(other)).seed == 7


def test_a_file_that_holds_more_is_not_a_games_own(game: Path) -> None:
    """Nor is that of the game before; `save` needs a name then, or nothing is written."""
    before = game.read_bytes()
    game.write_bytes(2 * before)
    nameless = "expected the name of a file, got none"
    assert nameless in play(game, typed="save\n")
    assert game.read_bytes() == 2 * before
    game.write_bytes(before)
    assert nameless in play(game, typed="new\nsave\n")
    assert game.read_bytes() == before


def test_practice_does_not_overwrite_the_game(game: Path) -> None:
    """What is played from a move on is another game."""
    play(game, typed="ai\nai\nsave\n")
    before = game.read_bytes()
    assert "expected the name of a file" in play(game, "--move", "2", typed="ai\nsave\n")
    assert game.read_bytes() == before


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_a_picture_is_overwritten_when_asked(tmp_path: Path, suffix: str) -> None:
    """Else it stays as it is."""
    position, out = tmp_path / "position.mine", tmp_path / f"kept{suffix}"
    position.write_text(POSITION)
    out.write_bytes(b"mine")
    status, said = run("draw", position, "--out", out)
    assert status == 2
    assert f"expected --force to overwrite, since {out} exists" in said
    assert out.read_bytes() == b"mine"
    assert run("draw", position, "--out", out, "--force") == (0, "")
    assert len(out.read_bytes()) > 100


def fail_to_write(path: Path, _data: object, **_how: object) -> int:
    """Write as a full disk does: a part, then no more."""
    with path.open("wb") as file:
        file.write(b"part")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_picture_that_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written whole or not at all, and the error has its name."""
    position, out = tmp_path / "position.mine", tmp_path / "kept.svg"
    position.write_text(POSITION)
    out.write_bytes(b"mine")
    monkeypatch.setattr(Path, "write_bytes", fail_to_write)
    status, said = run("draw", position, "--out", out, "--force")
    assert (status, f"got {out}: No space left on device" in said) == (2, True)
    assert out.read_bytes() == b"mine"
    assert sorted(tmp_path.iterdir()) == [out, position]


def test_a_project_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a full disk a second try finds nothing in its way; what is not ours stays."""
    folder, write = tmp_path / "project", Path.write_text

    def write_some(path: Path, text: str, **how: Any) -> int:
        return fail_to_write(path, text) if path.name == "rounds.py" else write(path, text, **how)

    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", write_some)
        status, said = run("cs50", "new", folder)
    assert status == 2
    assert f"got {folder / 'rounds.py'}: No space left on device" in said
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert run("cs50", "new", folder)[0] == 0


def test_chains_do_not_overwrite_the_game(game: Path) -> None:
    """Not even the record that they are made of."""
    play(game, typed="ai\nai\nsave\n")
    before = game.read_bytes()
    status, said = run("review", game, "--chains", game)
    assert status == 2
    assert f"expected --force to overwrite, since {game} exists" in said
    assert game.read_bytes() == before
    assert run("review", game, "--chains", game, "--force")[0] == 0
    assert b'"format"' not in game.read_bytes()


def test_large_boards_are_not_traced_for_a_picture(tmp_path: Path) -> None:
    """A board that cannot be drawn is refused before the work is done."""
    file = tmp_path / "large.json"
    write_records(file, [Record(Rules(101, 100, 9), 0, None, (), (), None)])
    for words in (("draw", file, "--out"), ("review", file, "--chains")):
        status, said = run(*words, tmp_path / "never.svg")
        assert (status, "expected a board of up to 10,000 cells, got 10,100" in said) == (2, True)
    status, said = run("draw", "200x200/1600:s1", "--out", tmp_path / "never.svg")
    assert (status, "got 40,000" in said) == (2, True)


def test_convert_names_the_file_that_is_wrong(game: Path, tmp_path: Path) -> None:
    """Of a folder with many; nothing is written."""
    (tmp_path / "bad.json").write_text("{}\n")
    out = tmp_path / "all.jsonl"
    status, said = run("convert", tmp_path, "--out", out)
    assert status == 2
    assert f"{tmp_path / 'bad.json'}: line 1: expected" in said
    assert not out.exists()
    assert game.exists()
