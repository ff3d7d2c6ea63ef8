"""The checker explains the mistake that a student made, and not only its symptom."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cs50_bugs import MUTANTS
from cs50_mutant import NAIVE, SOLUTION

from mineproof.cs50check.case import FAIL, PASS
from mineproof.cs50check.mistakes import AIState, TheirSentence, missing_sentence, wrong_choice
from mineproof.cs50check.report import report_text, summary, to_fix
from mineproof.cs50check.student import MODULE, Student, _stop_loop
from mineproof.cs50check.supervisor import (
    ALL_CHECKS,
    CheckResult,
    FileReport,
    check_file,
    run_check,
)

LEARN = """

class TheirAI(MinesweeperAI):
    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.mark_safe(cell)
        cells = self.neighbours(cell)
        {count}
        self.knowledge.append(Sentence(cells - self.mines - self.safes, count))
{rest}

    def mark_all(self):
        new = False
        for sentence in list(self.knowledge):
            for one in sentence.known_mines() - self.mines:
                self.mark_mine(one)
                new = True
            for one in sentence.known_safes() - self.safes:
                self.mark_safe(one)
                new = True
        return new

    def pairs(self):
        return [(a, b) for a in self.knowledge for b in self.knowledge
                if a.cells and a.cells < b.cells]


MinesweeperAI = TheirAI
"""
SUBTRACT = "count -= len(cells & self.mines)"
ENDLESS = (("grows", """        for a in self.knowledge:
            for b in list(self.knowledge):
                if a.cells <= b.cells:
                    self.knowledge.append(Sentence(b.cells - a.cells, b.count - a.count))""",
     "(`for a in self.knowledge:`) never ends because it adds to `self.knowledge` while"),
    ("flag", """        changed = True
        while changed:
            self.mark_all()
            for a, b in self.pairs():
                changed = True""",
     "(`while changed:`) never ends because nothing in it sets `changed` to False"),
    ("no-break", """        while True:
            self.mark_all()""",
     "(`while True:`) never ends because nothing leaves it: it has no `break`"),
    ("again", """        while True:
            self.mark_all()
            found = [Sentence(b.cells - a.cells, b.count - a.count) for a, b in self.pairs()]
            self.knowledge.extend(found[:9])
            if not found and len(self.knowledge) > 1:
                break""",
     "never ends because it "),
    ("same-news", """        changed = True
        while changed:
            changed = False
            for sentence in self.knowledge:
                if sentence.cells:
                    changed = True""",
     "it finds the same things again and counts them as new. Count only real news"),
    ("impossible", """        new = True
        while new:
            new = [Sentence(b.cells - a.cells, a.count - b.count) for a, b in self.pairs()]
            new.append(Sentence({cell}, -len(self.knowledge)))
            self.knowledge.extend(new)""",
     "never ends because it makes ever new sentences that cannot be true, such as {(1, 1)} = -1."),
)  # fmt: skip


def report_on(folder: Path, text: str, *words: str) -> FileReport:
    """Check a file with the checks whose title contains one of the words, or with all."""
    path = folder / "minesweeper.py"
    path.write_text(text, encoding="utf-8")
    chosen = tuple(one for one in ALL_CHECKS if any(word in one.title for word in words))
    return check_file(path, 100.0, chosen or ALL_CHECKS)


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    yield
    sys.modules.pop(MODULE, None)


@pytest.fixture
def quick_stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop loops after a fraction of a second, in this process."""
    monkeypatch.setattr("mineproof.cs50check.student.LOOP_SECONDS", 0.2)
    before = signal.signal(signal.SIGPROF, _stop_loop)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer for CPU time")
@pytest.mark.parametrize(("rest", "why"), [e[1:] for e in ENDLESS], ids=[e[0] for e in ENDLESS])
def test_an_endless_loop_is_explained(
    tmp_path: Path, quick_stop: None, rest: str, why: str
) -> None:
    """The report names the loop and says why it never ends, in any check."""
    text = SOLUTION + LEARN.format(count=SUBTRACT, rest=rest)
    path = tmp_path / "minesweeper.py"
    path.write_text(text, encoding="utf-8")
    student = Student()
    student.load(str(path))
    student.stops_loops = True
    check = next(one for one in ALL_CHECKS if "records the cell as a move" in one.title)
    found = run_check(check, student.answer, text)
    assert found["expected"] == "an answer within 0.2 seconds"
    assert why in found["why"]
    line = int(found["why"].partition("line ")[2].split()[0])
    assert text.splitlines()[line - 1].strip().startswith(("for", "while"))
    report = FileReport("f.py", (CheckResult(check.name, check.behaviour, True, **found),))
    first = summary(report).partition("Fix this first: ")[2]
    assert first.startswith("MinesweeperAI.add_knowledge is still running in line")


@pytest.mark.full
def test_an_endless_loop_is_stopped_in_the_students_process(tmp_path: Path) -> None:
    text = SOLUTION + LEARN.format(count=SUBTRACT, rest="        while True: pass")
    report = report_on(tmp_path, text, "records the cell as a move")
    assert "(`while True:`) never ends because nothing leaves it" in report.failures[0].why


WRONG = {
    "marked wrong": (
        SUBTRACT,
        """        for sentence in list(self.knowledge):
            for one in sentence.known_mines() | sentence.known_safes():
                self.mark_safe(one)""",
        "marks all neighbours as mines",
        "Your code put {(0, 1), (1, 0), (1, 1)} into ai.safes, not into ai.mines. Call "
        "`self.mark_mine` for the cells that `known_mines` returns.",
    ),
    "not repeated": (
        SUBTRACT,
        "        self.mark_all()",
        "repeats until nothing new",
        "which decides its cells, but your code did not mark them. Ask every sentence for its "
        "known mines and safe cells. Each new cell or sentence can decide others, so "
        "repeat until nothing changes.",
    ),
    "no pairs": (
        SUBTRACT,
        "        while self.mark_all():\n            pass",
        "when a new sentence is a subset",
        "ai.knowledge contains {(1, 0), (1, 1)} = 1, which is part of {(0, 2), (1, 0), (1, 1), "
        "(1, 2)} = 1. But ai.knowledge does not contain their difference {(0, 2), (1, 2)} = 0.",
    ),
    "not subtracted": (
        "pass",
        "        while self.mark_all():\n            pass",
        "leaves known mines out",
        "Your sentence has the right cells, but the count 4.",
    ),
    "too few neighbours": (
        SUBTRACT,
        "        self.knowledge[-1].cells -= {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)}",
        "a cell in the middle",
        "Your sentence {(0, 0), (0, 1), (1, 0)} = 2 lacks {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)}"
        ". A cell in the middle has eight neighbours: the rows are range(i - 1, i + 2)",
    ),
    "dropped": (
        SUBTRACT,
        """        self.mark_all()
        self.knowledge = [s for s in self.knowledge if not s.known_mines()]""",
        "when it learns of a safe cell",
        "No sentence in ai.knowledge contains any of {(1, 0)}. Remove a sentence only after all",
    ),
    "marked too early": (
        SUBTRACT,
        "        for one in self.knowledge.pop().cells:\n            self.mark_mine(one)",
        "a cell in a corner",
        "Your code has already put {(0, 1), (1, 0), (1, 1)} into ai.mines.",
    ),
    "no self": (
        SUBTRACT,
        "        mark_all()",
        "records the cell as a move",
        "A function or variable of the object needs `self.` before it.",
    ),
    "overlap": (
        SUBTRACT,
        """        while self.mark_all():
            for a in list(self.knowledge):
                for b in list(self.knowledge):
                    new = Sentence(b.cells - a.cells, b.count - a.count)
                    if a.cells & b.cells and new not in self.knowledge and new.count >= 0:
                        self.knowledge.append(new)""",
        "never calls a mine safe",
        "Subtract a sentence only if all its cells are in the other one (`<=`, not `&`).",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_explained(tmp_path: Path, mistake: str) -> None:
    count, rest, check, why = WRONG[mistake]
    report = report_on(tmp_path, SOLUTION + LEARN.format(count=count, rest=rest), check)
    assert why in report.failures[0].why


def test_a_set_that_is_not_updated_is_explained(tmp_path: Path) -> None:
    """The AI's own `mark_mine` was changed, so sentences keep cells that are known."""
    text = SOLUTION.replace("sentence.mark_safe(cell)\n\n    def add", "pass\n\n    def add")
    text += LEARN.format(count=SUBTRACT, rest="        while self.mark_all():\n            pass")
    report = report_on(tmp_path, text, "when it learns of a safe cell")
    assert "Remove each cell that you mark from every sentence." in report.failures[0].why


@pytest.mark.parametrize(
    ("right", "wrong", "check", "why"),
    [
        (
            "self.mines.add(cell)",
            "self.safes.add(cell)",
            "records the mine",
            "Your code put {(0, 1)} into ai.safes, not into ai.mines.",
        ),
        (
            "def make_safe_move(self):",
            "def make_safe_move(self):\n        return self.safes.pop() if self.safes else None",
            "returns a cell that is known to be safe",
            "from ai.safes. It must only choose a cell.",
        ),
        (
            "def make_safe_move(self):",
            "def make_safe_move(self):\n        left = self.safes - self.moves_made\n"
            "        self.moves_made |= left\n        return min(left, default=None)",
            "returns a cell that is known to be safe",
            "Your function added {(0, 1), (2, 2)} to ai.moves_made. It must only choose a cell: "
            "`add_knowledge` records the move.",
        ),
    ],
    ids=["the wrong set", "a choice that removes", "a choice that records"],
)
def test_a_wrong_line_is_explained(
    tmp_path: Path, right: str, wrong: str, check: str, why: str
) -> None:
    assert right in SOLUTION
    report = report_on(tmp_path, SOLUTION.replace(right, wrong, 1), check)
    assert why in report.failures[0].why


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer for CPU time")
def test_a_search_for_a_cell_that_never_ends_is_explained(tmp_path: Path, quick_stop: None) -> None:
    """With no allowed cell left, the loop is not about sentences."""
    path = tmp_path / "minesweeper.py"
    search = (
        "        while True:\n            if self.mines is None:\n                return (0, 0)"
    )
    start = "    def make_random_move(self):"
    path.write_text(SOLUTION.replace(start, f"{start}\n{search}"), encoding="utf-8")
    student = Student()
    student.load(str(path))
    student.stops_loops = True
    check = next(one for one in ALL_CHECKS if "returns None when no cell is left" in one.title)
    why = run_check(check, student.answer, "")["why"]
    assert (
        "(`while True:`) never ends because it looks for an allowed cell when none is left" in why
    )


@pytest.mark.parametrize(
    ("bug", "check", "why"),
    [
        ("the difference has the wrong count", "a subset of an older", "its count must be 1 - 1 ="),
        ("the larger sentence is changed in place", "keeps both", "changed this sentence into"),
        ("no subset rule", "adds the difference", "not contain their difference {(0, 3), (0, 4)}"),
        ("no safe move is an error", "None when no safe", "nothing left to choose from"),
        ("known_safes returns None", "records the cell as", "A function returned None instead"),
    ],
)
def test_a_seeded_bug_is_explained(tmp_path: Path, bug: str, check: str, why: str) -> None:
    mutant = next(one for one in MUTANTS if one.bug == bug)
    assert why in report_on(tmp_path, mutant.source(), check).failures[0].why


def test_sentences_and_moves_are_explained() -> None:
    state = AIState({(1, 1)}, {(0, 0)}, {(1, 1)}, [TheirSentence({(1, 1), (0, 1), (0, 2)}, 1)])
    wanted = TheirSentence({(0, 1), (0, 2)}, 1)
    assert "also contains {(1, 1)}, already open" in missing_sentence(state, wanted, (3, 3))
    off = AIState(set(), set(), set(), [TheirSentence({(-1, 0), (0, 1), (0, 2)}, 1)])
    assert "also contains {(-1, 0)}, off the board" in missing_sentence(off, wanted, (3, 3))
    assert wrong_choice(state, (1, 1)) == "(1, 1) is in ai.moves_made, so it is already open."
    assert wrong_choice(state, (0, 0)) == "(0, 0) is in ai.mines."
    assert wrong_choice(state, [0, 0]) == "A cell is a tuple (row, column)."


def test_a_correct_simple_file_gets_friendly_advice(tmp_path: Path) -> None:
    report = report_on(tmp_path, SOLUTION + NAIVE, "empty sentence", "keeps each", "known_mines")
    assert report.passed
    text = report_text(report)
    for word in ("FAIL", "Fix this first", "expected  "):
        assert word not in text
    assert "advice    MinesweeperAI.add_knowledge: leaves no empty sentence" in text
    assert "    better    " in text
    assert text.endswith("your file is correct. If you like, follow the advice above "
                         "to make it tidier or faster.")  # fmt: skip


def test_the_summary_names_what_to_fix_first() -> None:
    advised = CheckResult("Sentence", "is tidy", False, FAIL, expected="a", got="b")
    wrong = CheckResult("Sentence.mark_mine", "works", True, FAIL, expected="1", got="2")
    error = CheckResult("AI", "works", True, FAIL, expected="no error", got="E: x in line 3")
    report = FileReport("f.py", (advised, wrong, error, error))
    assert summary(report) == (
        "0 of 4 checks pass. Fix this first: Sentence.mark_mine: works. "
        "The advice is explained when all required checks pass."
    )
    assert to_fix(error) == "E: x in line 3."
    text = report_text(report)
    assert text.count("the same as above: E: x") == 1
    assert "advice    Sentence: is tidy (recommended)\nFAIL" in text, "mistakes come first"
    only_advised = FileReport("f.py", (advised, CheckResult("a", "b", True, PASS)))
    assert summary(only_advised).startswith("Well done! All required checks pass")
