"""The checker passes the solution, and it finds and names every deliberate bug."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from cs50_bugs import MUTANTS
from cs50_mutant import NAIVE, SOLUTION, Mutant

from mineproof.cs50check.case import draw, from_plain, show
from mineproof.cs50check.checks import Check
from mineproof.cs50check.position_checks import SmallPosition, random_positions, shrink
from mineproof.cs50check.student import MODULE, Student, plain
from mineproof.cs50check.supervisor import ALL_CHECKS, run_check

QUICK = tuple(check for check in ALL_CHECKS if "fast enough" not in check.behaviour)


@pytest.fixture
def alone() -> Iterator[None]:
    yield
    sys.modules.pop(MODULE, None)


def results(
    source: str, folder: Path, checks: tuple[Check, ...] = QUICK
) -> dict[Check, dict[str, Any]]:
    """Run checks in this process, counting printed lines as the worker does."""
    path = folder / "minesweeper.py"
    path.write_text(source, encoding="utf-8")
    student = Student()
    student.load(str(path))
    with redirect_stdout(student.sink):
        found = {check: run_check(check, student.answer, source) for check in checks}
    return json_of(found)


def json_of(found: dict[Check, dict[str, Any]]) -> dict[Check, dict[str, Any]]:
    """Write the results as JSON and return them as read again."""
    return {check: json.loads(json.dumps(result)) for check, result in found.items()}


def failures(source: str, folder: Path) -> dict[Check, dict[str, Any]]:
    return {
        check: result
        for check, result in results(source, folder).items()
        if result["status"] == "fail"
    }


def test_the_solution_passes(tmp_path: Path, alone: None) -> None:
    found = results(SOLUTION, tmp_path, ALL_CHECKS)
    assert {result["status"] for result in found.values()} == {"pass"}


def test_another_right_answer_passes_what_is_required(tmp_path: Path, alone: None) -> None:
    """A correct but simple solution fails only recommended checks."""
    failed = failures(SOLUTION + NAIVE, tmp_path)
    assert not [check.title for check in failed if check.required]
    assert any("no empty sentence" in check.title for check in failed)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.bug.replace(" ", "-"))
def test_a_seeded_bug_is_found_and_named(mutant: Mutant, tmp_path: Path, alone: None) -> None:
    failed = failures(mutant.source(), tmp_path)
    named = [
        result
        for check, result in failed.items()
        if check.name == mutant.name and mutant.behaviour in check.behaviour
    ]
    assert named, [check.title for check in failed]
    assert named[0]["expected"]
    assert named[0]["got"]
    assert named[0]["why"]


def test_a_failure_can_be_pasted_and_seen(tmp_path: Path, alone: None) -> None:
    """The code in a report reproduces the failure, and the report draws the position."""
    bug = next(mutant for mutant in MUTANTS if "one way only" in mutant.bug)
    failed = failures(bug.source(), tmp_path)
    result = next(r for check, r in failed.items() if "a subset of an older one" in check.behaviour)
    student = Student()
    student.load(str(tmp_path / "minesweeper.py"))
    student.clear("")
    student.run("\n".join(result["given"]))
    assert (0, 2) not in student.value("ai.safes")
    assert "(0, 2), (1, 2)" in result["expected"]
    assert result["position"] == [
        "  0 1 2 3",
        "0 1 1 S .",
        "1 . . S .",
        "S  safe, as the clues prove",
    ]


def test_a_safe_cell_called_a_mine_is_found(tmp_path: Path, alone: None) -> None:
    """The AI calls all cells of a sentence mines although one of them is safe."""
    wrong = "0 < self.count >= len(self.cells) - 1"
    source = SOLUTION.replace("self.count == len(self.cells)", wrong)
    check = next(one for one in ALL_CHECKS if "a safe cell a mine" in one.behaviour)
    (result,) = results(source, tmp_path, (check,)).values()
    assert result["status"] == "fail"
    assert result["expected"].endswith("is not in ai.mines")


def test_random_failures_are_small(tmp_path: Path, alone: None) -> None:
    bug = next(mutant for mutant in MUTANTS if mutant.bug == "no subset rule")
    failed = failures(bug.source(), tmp_path)
    result = next(r for check, r in failed.items() if "its rules can prove" in check.behaviour)
    assert len(result["given"]) <= 4


def test_checks_have_distinct_titles() -> None:
    assert len({check.title for check in ALL_CHECKS}) == len(ALL_CHECKS)


def test_every_function_of_the_students_is_checked() -> None:
    from mineproof.cs50.project import STUDENTS_WORK

    names = {check.name for check in ALL_CHECKS}
    wanted = {f"{owner}.{name}" for owner, work in STUDENTS_WORK.items() for name in work}
    assert wanted <= names


def test_positions_repeat_and_are_true() -> None:
    one, other = list(random_positions(20, seed=5)), list(random_positions(20, seed=5))
    assert one == other
    assert all(not position.mines & set(position.opened) for position in one)
    corner = SmallPosition(2, 2, frozenset({(0, 1), (1, 1)}), ((0, 0),))
    assert corner.clue((0, 0)) == 2


def test_shrink_keeps_what_matters() -> None:
    cells = tuple((0, j) for j in range(8))
    position = SmallPosition(1, 9, frozenset({(0, 8)}), cells)
    small = shrink(position, lambda p: {(0, 2), (0, 5)} <= set(p.opened))
    assert set(small.opened) == {(0, 2), (0, 5)}


def test_values_cross_as_they_are() -> None:
    """Plain values keep their types when sent as JSON. Other values are sent as text."""
    values: list[Any] = [None, True, 1, "a", (0, 1), [(0, 1)], {(0, 1)}, frozenset({1}), [()]]
    for value in values:
        crossed = from_plain(json.loads(json.dumps(plain(value))))
        assert crossed == value
        assert type(crossed) is type(value)
    assert show(from_plain(plain(object))) == "<class 'object'>"


def test_a_harmless_import_is_only_advised_against(tmp_path: Path, alone: None) -> None:
    failed = failures("import copy\n" + SOLUTION, tmp_path)
    assert [check.required for check in failed] == [False]


def test_show() -> None:
    assert show({(1, 0), (0, 1)}) == "{(0, 1), (1, 0)}"
    assert show(set()) == "set()"
    assert show([None, "a"]) == "[None, 'a']"
    assert show(list(range(1000))).endswith(" ...")


def test_draw_aligns_wide_boards() -> None:
    lines = draw((11, 12), {(10, 11): "1"})
    assert lines[0].split() == [str(j) for j in range(12)]
    assert len({len(line) for line in lines}) == 1
    assert lines[-1].startswith("10")
    assert lines[-1].endswith("1")


def test_the_solution_is_the_one_in_the_package() -> None:
    assert (files("mineproof.cs50") / "minesweeper.py").read_text("utf-8") == SOLUTION
