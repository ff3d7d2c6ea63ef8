"""The commands `mineproof cs50 new` and `mineproof cs50 check`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from click.testing import CliRunner, Result
from cs50_bugs import MUTANTS
from cs50_mutant import SOLUTION

from mineproof.cli.main import mineproof_command
from mineproof.cs50.project import FILES


def run(*words: str | Path) -> Result:
    """Run a command. Checks get a long time limit, because the machine may be busy."""
    time = ("--timeout", "100") if words[0] == "check" else ()
    return CliRunner().invoke(mineproof_command, ["cs50", *map(str, words), *time])


def test_new_then_check(tmp_path: Path) -> None:
    done = run("new", tmp_path / "project", "--solution")
    assert done.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "project").iterdir()) == sorted(FILES)
    assert "runner.py" in done.output
    checked = run("check", tmp_path / "project" / "minesweeper.py")
    assert checked.exit_code == 0
    assert "checks pass" in checked.output


def test_new_refuses_to_overwrite(tmp_path: Path) -> None:
    run("new", tmp_path)
    before = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    done = run("new", tmp_path)
    assert done.exit_code == 2
    assert "already exists" in done.output
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == before


def test_check_of_a_skeleton(tmp_path: Path) -> None:
    run("new", tmp_path)
    done = run("check", tmp_path / "minesweeper.py")
    assert done.exit_code == 1
    assert "TO DO     Sentence.known_mines:" in done.output
    assert "Fix this first: Sentence.known_mines" in done.output


def test_check_explains_a_failure(tmp_path: Path) -> None:
    bug = next(mutant for mutant in MUTANTS if mutant.bug == "mark_mine forgets the count")
    path = tmp_path / "minesweeper.py"
    path.write_text(bug.source(), encoding="utf-8")
    done = run("check", path)
    assert done.exit_code == 1
    for part in ("FAIL      Sentence.mark_mine: removes", "given  ", "expected  ", "got  "):
        assert part in done.output
    assert "2 of the cells marked ? are mines" in done.output


def test_check_as_json(tmp_path: Path) -> None:
    bug = next(mutant for mutant in MUTANTS if mutant.bug == "empty sentences stay")
    path = tmp_path / "minesweeper.py"
    path.write_text(bug.source(), encoding="utf-8")
    done = run("check", path, "--json")
    report = json.loads(done.output)
    assert done.exit_code == 0, "what fails is only advised"
    assert report["passed"]
    assert report["counts"]["fail"] == sum(c["status"] == "fail" for c in report["checks"])
    failed = [check for check in report["checks"] if check["status"] == "fail"]
    assert all(not check["required"] for check in failed)
    assert set(failed[0]) >= {"name", "behaviour", "given", "expected", "got", "position", "why"}
    assert run("check", path, "--required-only").exit_code == 0


def test_check_of_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def (")
    for name in ("nothing.py", "bad.py"):
        done = run("check", tmp_path / name)
        assert done.exit_code == 2
        assert "error: cannot " in done.output


def test_check_of_a_class(tmp_path: Path) -> None:
    texts = {
        "right.py": SOLUTION,
        "bad.py": "def (",
        "wrong.py": SOLUTION.replace("if self.count == 0:", "if len(self.cells) == 0:"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in texts]
    done = run("check", *paths, "--csv")
    assert done.exit_code == 2
    rows = list(csv.DictReader(io.StringIO(done.output)))
    assert [row["verdict"] for row in rows] == ["right", "bad file", "wrong"]
    assert rows[0]["required_passed"] == rows[0]["required"]
    assert rows[1]["mend_first"].startswith("cannot import")
    assert rows[2]["mend_first"].startswith("Sentence.known_safes: ")
    done = run("check", paths[0], paths[2], "--required-only")
    assert done.exit_code == 1
    header, right, wrong = done.output.splitlines()
    assert header.split() == ["file", "verdict", "required", "recommended", "fix", "first"]
    assert " right " in right
    assert " wrong " in wrong
    lines = run("check", paths[0], paths[1], "--json", "--required-only").output.splitlines()
    assert [json.loads(line)["passed"] for line in lines] == [True, False]
