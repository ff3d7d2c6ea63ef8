"""Commands overwrite files only with --force, and reject endless input."""

from __future__ import annotations

import errno
import os
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
"""A memory limit in bytes. The commands tested here need far less."""
POSITION = "5x4x3\nF1000\nH2000\nH1011\nH101H\n"


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a command in this process, and return its exit status and output."""
    result = CliRunner().invoke(mineproof_command, [*map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def limited(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a separate shell with limited memory."""
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


def test_a_board_file_cut_in_its_first_line_is_started_again(tmp_path: Path) -> None:
    out = tmp_path / "some.boards"
    order = ("generate", "--level", "beginner", "--jobs", "1", "--output", out)
    assert run(*order) == (0, "")
    whole = out.read_bytes()
    for kept in (0, 30):
        out.write_bytes(whole[:kept])
        assert run(*order, "--resume") == (0, "")
        assert out.read_bytes() == whole


@pytest.mark.parametrize("command", ["games", "generate"])
def test_output_must_be_a_file(command: str) -> None:
    said = run(command, "--level", "beginner", "--count", "1", "--output", "/dev/null")
    assert said[0] == 2
    assert "cannot write to /dev/null" in said[1]


@pytest.mark.parametrize("command", ["games", "generate"])
def test_too_many_games_are_rejected(command: str) -> None:
    status, said = run(command, "--count", "100000000000")
    assert status == 2
    assert "expected a whole number from 1 to 100000000, got '100000000000'" in said


@pytest.mark.full
@pytest.mark.parametrize("command", ["games --agent random", "generate"])
def test_many_games_are_not_kept_in_memory(command: str) -> None:
    """Games are dealt only when they are needed, so the first lines appear immediately."""
    done = limited(f"mineproof {command} --level 4x4/2 --count 100000000 --jobs 1 | head -3")
    assert len(done.stdout.splitlines()) == 3, done.stderr


@pytest.mark.full
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
def test_endless_input_is_rejected(line: str, most: str) -> None:
    done = limited(line)
    assert done.returncode == 2, done.stderr
    assert f"is too large: the limit is {most}" in done.stderr


@pytest.mark.parametrize("agent", ["cs50:{}", "{}:Agent"])
def test_endless_programs_are_rejected(tmp_path: Path, agent: str) -> None:
    file = tmp_path / "agent.py"
    file.symlink_to("/dev/zero")
    done = limited(f"mineproof watch --agent {agent.format(file)}")
    message = f"mineproof: error: {file} is too large: the limit is 16 MiB\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_endless_commands_are_rejected() -> None:
    done = limited("mineproof play --level beginner --seed 1 < /dev/zero")
    assert done.returncode == 2, done.stderr
    assert "a command has at most 100,000 characters" in done.stderr


def play(*arguments: str | Path, typed: str) -> str:
    result = CliRunner().invoke(mineproof_command, ["play", *map(str, arguments)], input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    play("beginner:s7:f0,0", typed=f"save {file}\n")
    return file


def test_save_overwrites_only_the_games_own_file(game: Path, tmp_path: Path) -> None:
    before = game.read_bytes()
    other = tmp_path / "other.json"
    said = play("beginner:s8:f0,0", typed=f"save {game}\nsave {other}\nsave {other}\nsave\n")
    assert f"{game} already exists. Type `save --force {game}`" in said
    assert said.count(f"Saved to {other}") == 3
    assert game.read_bytes() == before
    assert f"Saved to {other}" in play(game, typed=f"save --force {other}\n")
    assert next(read_records(other)).seed == 7


def test_save_does_not_overwrite_a_file_of_several_games(game: Path) -> None:
    """`save` without a name must not overwrite a file that contains other games."""
    before = game.read_bytes()
    game.write_bytes(2 * before)
    nameless = "Type the name of a file"
    assert nameless in play(game, typed="save\n")
    assert game.read_bytes() == 2 * before
    game.write_bytes(before)
    assert nameless in play(game, typed="new\nsave\n")
    assert game.read_bytes() == before


def test_practice_does_not_overwrite_the_game(game: Path) -> None:
    play(game, typed="ai\nai\nsave\n")
    before = game.read_bytes()
    assert "Type the name of a file" in play(game, "--move", "2", typed="ai\nsave\n")
    assert game.read_bytes() == before


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_a_picture_is_overwritten_only_with_force(tmp_path: Path, suffix: str) -> None:
    position, out = tmp_path / "position.mine", tmp_path / f"kept{suffix}"
    position.write_text(POSITION)
    out.write_bytes(b"mine")
    status, said = run("draw", position, "--out", out)
    assert status == 2
    assert f"{out} already exists. Use --force" in said
    assert out.read_bytes() == b"mine"
    assert run("draw", position, "--out", out, "--force") == (0, "")
    assert len(out.read_bytes()) > 100


def fail_to_sync(_file: int) -> None:
    """Raise the error of a full disk when a file is synced."""
    raise OSError(errno.ENOSPC, "No space left on device")


def fail_to_write(path: Path, _data: object, **_how: object) -> int:
    """Write only part of the file and raise an error, as if the disk were full."""
    with path.open("wb") as file:
        file.write(b"part")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_keeps_the_old_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position, out = tmp_path / "position.mine", tmp_path / "kept.svg"
    position.write_text(POSITION)
    out.write_bytes(b"mine")
    monkeypatch.setattr(os, "fsync", fail_to_sync)
    status, said = run("draw", position, "--out", out, "--force")
    assert (status, f"cannot use {out}: No space left on device" in said) == (2, True)
    assert out.read_bytes() == b"mine"
    assert sorted(tmp_path.iterdir()) == [out, position]


@pytest.mark.parametrize(
    "command",
    [
        "generate --level beginner --count 400",
        "games --agent random --level beginner --count 400",
    ],
)
def test_a_full_disk_is_named_by_growing_files(tmp_path: Path, command: str) -> None:
    """The message names the file, although closing it fails a second time."""
    out = tmp_path / "out.txt"
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); "
    program = f"{limit}from mineproof.cli.main import main; sys.argv[0] = 'x'; main()"
    call = [sys.executable, "-B", "-c", program, *command.split(), "--output", str(out)]
    result = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert f"cannot use {out}: File too large" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_full_disk_leaves_no_partial_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full, partial files are removed, so that a second try succeeds."""
    folder, write = tmp_path / "project", Path.write_text

    def write_some(path: Path, text: str, **how: Any) -> int:
        return fail_to_write(path, text) if path.name == "rounds.py" else write(path, text, **how)

    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", write_some)
        status, said = run("cs50", "new", folder)
    assert status == 2
    assert f"cannot use {folder / 'rounds.py'}: No space left on device" in said
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert run("cs50", "new", folder)[0] == 0


def test_chains_do_not_overwrite_the_game(game: Path) -> None:
    play(game, typed="ai\nai\nsave\n")
    before = game.read_bytes()
    status, said = run("review", game, "--chains", game)
    assert status == 2
    assert f"{game} already exists. Use --force" in said
    assert game.read_bytes() == before
    assert run("review", game, "--chains", game, "--force")[0] == 0
    assert b'"format"' not in game.read_bytes()


def test_boards_that_are_too_large_are_rejected_before_the_work(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    write_records(file, [Record(Rules(101, 100, 9), 0, None, (), (), None)])
    for words in (("draw", file, "--out"), ("review", file, "--chains")):
        status, said = run(*words, tmp_path / "never.svg")
        assert (status, "expected a board of up to 10,000 cells, got 10,100" in said) == (2, True)
    status, said = run("draw", "200x200/1600:s1", "--out", tmp_path / "never.svg")
    assert (status, "got 40,000" in said) == (2, True)


def test_convert_names_the_bad_file(game: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}\n")
    out = tmp_path / "all.jsonl"
    status, said = run("convert", tmp_path, "--out", out)
    assert status == 2
    assert f"{tmp_path / 'bad.json'}: line 1: expected" in said
    assert not out.exists()
    assert game.exists()
