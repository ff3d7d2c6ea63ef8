"""The checker reports files that misbehave, and never crashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cs50_mutant import SOLUTION
from thieves import LOOT

from mineproof.core.errors import InputError
from mineproof.cs50check.case import FAIL, PASS, SKIPPED
from mineproof.cs50check.report import report_text
from mineproof.cs50check.supervisor import ALL_CHECKS, FileReport, check_file

LEARN = "        self.moves_made.add(cell)\n"
SOME = tuple(check for check in ALL_CHECKS if "has been made" in check.title)[:1] + tuple(
    check for check in ALL_CHECKS if check.name == "Sentence.mark_safe"
)
"""One check of `add_knowledge`, followed by checks of `Sentence.mark_safe`."""
LONG = 100.0
"""A time limit in seconds that a check never reaches, even on a busy machine."""

FORGER = """
def message(data):
    import struct, sys
    # A forger may know the number of the question, which the process stores here.
    frame = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    return struct.pack("<2scQQ", b"\\xa5\\x5a", b"d", frame.f_locals["number"], len(data)) + data
"""


def report_on(tmp_path: Path, code: str, seconds: float = LONG) -> FileReport:
    path = tmp_path / "minesweeper.py"
    path.write_text(SOLUTION.replace(LEARN, f"{LEARN}        {code}\n"), encoding="utf-8")
    return check_file(path, seconds, SOME)


def test_the_solution_passes_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(SOLUTION, encoding="utf-8")
    report = check_file(path, LONG)
    assert report.passed
    assert len(report.results) == len(ALL_CHECKS)
    assert report_text(report).endswith(f"All {len(ALL_CHECKS)} checks pass.")


@pytest.mark.parametrize(
    ("code", "got"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3 in line"),
        ("import os; os._exit(5)", "the whole Python process ended, with status 5"),
        ("raise KeyError(cell)", "KeyError: (1, 1) in line"),
        ("return self.add_knowledge(cell, count)", "RecursionError"),
        ("raise NotImplementedError", "NotImplementedError"),
        ("input()", "EOFError"),
        ("raise BaseException('x')", "the whole Python process ended, with status 1"),
    ],
)
def test_an_end_of_any_kind_is_reported(tmp_path: Path, code: str, got: str) -> None:
    """The check fails and shows the call that failed. The other checks still run."""
    report = report_on(tmp_path, code)
    first, *others = report.results
    assert first.status == FAIL
    assert got in first.got
    assert first.given[-1] == "ai.add_knowledge((1, 1), 1)"
    assert [result.status for result in others] == [PASS] * len(others)


SPILLED = {
    "a pickle": "pickle.dumps(Loot())",
    "two pickles": "pickle.dumps(('done', pickle.dumps(Loot())))",
    "bytes": "b'garbage'",
    "no reply": "message(b'{}')",
    "nothing": "message(b'null')",
    "another value": "message(b'\"[17]\"')",
    "depth": "message(b'\"' + b'[' * 9999 + b'\"')",
}


@pytest.mark.parametrize("what", SPILLED)
def test_a_file_cannot_reach_the_checker(tmp_path: Path, what: str) -> None:
    """Data that user code writes to the answer pipe is never executed, and the check fails."""
    note, path = tmp_path / "loot", tmp_path / "minesweeper.py"
    code = SOLUTION.replace(LEARN, f"{LEARN}        spill({SPILLED[what]})\n")
    path.write_text(code + LOOT.format(note=str(note)) + FORGER, encoding="utf-8")
    first, *others = check_file(path, LONG, SOME).results
    assert not note.exists()
    assert first.status == FAIL
    assert first.expected == "an answer"
    assert "invalid data" in first.got
    assert [result.status for result in others] == [PASS] * len(others)


@pytest.mark.parametrize("code", ["while True: pass", "while True: print('x' * 1000)"])
def test_an_endless_loop_is_ended(tmp_path: Path, code: str) -> None:
    first, *others = report_on(tmp_path, code, seconds=3.0).results
    assert first.status == FAIL
    assert first.expected == "an answer within 3 seconds"
    assert first.given[-1] == "ai.add_knowledge((1, 1), 1)"
    assert first.position[2] == "1 . 1 . . ."
    assert all(result.status in (PASS, SKIPPED) for result in others)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def (", "SyntaxError"),
        ("import nowhere_at_all", "`import nowhere_at_all`). Your file can only import"),
        ("raise SystemExit(1)", "SystemExit: 1"),
        ("input('level? ')", "EOFError"),
        ("import os; os._exit(0)", "the whole Python process ended"),
        ("\0", "null bytes"),
    ],
)
def test_a_file_that_cannot_be_imported(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(source)
    with pytest.raises(InputError, match="cannot import") as caught:
        check_file(path, LONG)
    assert message in str(caught.value)


def test_an_import_that_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(SOLUTION + "\nwhile True: pass\n")
    with pytest.raises(InputError, match="The import does not finish"):
        check_file(path, 1.5)


SPY = """

class Spy(MinesweeperAI):
    def add_knowledge(self, cell, count):
        import gc
        super().add_knowledge(cell, count)
        found = [
            one for one in gc.get_objects()
            if "Position" in type(one).__name__ and hasattr(one, "mines")
        ]
        found += [m for m in list(__import__("sys").modules) if "position_checks" in m]
        if found:
            self.mines = {"the board was found"}


MinesweeperAI = Spy
"""


def test_an_ai_that_looks_for_the_board_finds_none(tmp_path: Path) -> None:
    """The student's process never holds a board, and code that looks for a board fails a check."""
    path = tmp_path / "minesweeper.py"
    path.write_text(SOLUTION + SPY, encoding="utf-8")
    wanted = ("never calls a mine safe", "plays whole games", "access beyond the game")
    checks = tuple(one for one in ALL_CHECKS if any(word in one.behaviour for word in wanted))
    report = check_file(path, LONG, checks)
    assert {one.behaviour[:15]: one.status for one in report.results} == {
        "imports nothing": FAIL,
        "never calls a m": PASS,
        "plays whole gam": PASS,
    }


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*nothing\.py"):
        check_file(tmp_path / "nothing.py")


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text("")
    report = check_file(path, LONG)
    assert not report.passed
    assert report.failures[0].expected == "a class Minesweeper"


def test_files_beside_it_stand_in_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "minesweeper.py").write_text(SOLUTION, encoding="utf-8")
    (tmp_path / "random.py").write_text("raise RuntimeError")
    monkeypatch.chdir(tmp_path)
    assert check_file(Path("minesweeper.py"), LONG, SOME).passed
