"""Checks of the class `Sentence`."""

from __future__ import annotations

from mineproof.cs50check.case import Case
from mineproof.cs50check.checks import Checks

checks = Checks()

A, B, C, D, E = (0, 0), (0, 1), (0, 2), (1, 0), (1, 1)


@checks.add("Sentence", "is equal to another with the same cells and count (given code)")
def _equal(case: Case) -> None:
    case.sentence({A, B}, 1)
    case.expect("sentence == Sentence({(0, 1), (0, 0)}, 1)", True)
    case.expect("sentence == Sentence({(0, 0), (0, 1)}, 2)", False)
    case.expect("sentence == Sentence({(0, 0), (0, 2)}, 1)", False)
    case.expect("Sentence({(0, 0), (0, 1)}, 1) in [sentence]", True)


@checks.add("Sentence", "reads as its cells and its count (given code)")
def _text(case: Case) -> None:
    case.sentence({B}, 1)
    case.expect("str(sentence)", "{(0, 1)} = 1")


@checks.add("Sentence", "keeps a set of its own (given code)", required=False)
def _copies(case: Case) -> None:
    case.run("cells = {(0, 0), (0, 1)}")
    case.run("sentence = Sentence(cells, 1)")
    case.run("sentence.cells.discard((0, 0))")
    case.expect("cells", {A, B}, "What a caller passes must not change: keep `set(cells)`.")


@checks.add("Sentence.known_mines", "gives all cells when their number is the count")
def _full(case: Case) -> None:
    case.sentence({A, B, D}, 3)
    case.expect("sentence.known_mines()", {A, B, D}, "Three mines in three cells.")


@checks.add("Sentence.known_mines", "gives the empty set when a cell may be safe")
def _not_full(case: Case) -> None:
    why = "There are fewer mines than cells: nobody can tell which cells they are in."
    for count in (2, 1, 0):
        case.clear()
        case.sentence({A, B, D}, count)
        case.expect("sentence.known_mines()", set(), why)


@checks.add("Sentence.known_safes", "gives all cells when the count is 0")
def _zero(case: Case) -> None:
    case.sentence({A, B, D}, 0)
    case.expect("sentence.known_safes()", {A, B, D}, "No mines at all: every cell is safe.")


@checks.add("Sentence.known_safes", "gives the empty set when the count is not 0")
def _not_zero(case: Case) -> None:
    for count in (1, 2, 3):
        case.clear()
        case.sentence({A, B, D}, count)
        case.expect("sentence.known_safes()", set(), "Some of the cells are mines.")


@checks.add("Sentence.known_mines", "changes nothing")
def _mines_only_reads(case: Case) -> None:
    _only_reads(case, "known_mines")


@checks.add("Sentence.known_safes", "changes nothing")
def _safes_only_reads(case: Case) -> None:
    _only_reads(case, "known_safes")


def _only_reads(case: Case, function: str) -> None:
    for count in (0, 1, 2):
        case.clear()
        case.sentence({A, B}, count)
        case.run(f"sentence.{function}()")
        case.expect("sentence.cells", {A, B})
        case.expect("sentence.count", count)


@checks.add("Sentence.mark_mine", "takes the cell out and counts one mine less")
def _mark_mine(case: Case) -> None:
    case.sentence({A, B, C}, 2)
    case.run("sentence.mark_mine((0, 2))")
    case.expect("sentence.cells", {A, B}, "{A, B, C} = 2, and C is a mine: {A, B} = 1.")
    case.expect("sentence.count", 1, "{A, B, C} = 2, and C is a mine: {A, B} = 1.")


@checks.add("Sentence.mark_safe", "takes the cell out and leaves the count")
def _mark_safe(case: Case) -> None:
    case.sentence({A, B, C}, 2)
    case.run("sentence.mark_safe((0, 2))")
    case.expect("sentence.cells", {A, B}, "{A, B, C} = 2, and C is safe: {A, B} = 2.")
    case.expect("sentence.count", 2, "{A, B, C} = 2, and C is safe: {A, B} = 2.")


@checks.add("Sentence.mark_mine", "does nothing with a cell that is not in the sentence")
def _mark_mine_absent(case: Case) -> None:
    _absent(case, "mark_mine")


@checks.add("Sentence.mark_safe", "does nothing with a cell that is not in the sentence")
def _mark_safe_absent(case: Case) -> None:
    _absent(case, "mark_safe")


def _absent(case: Case, function: str) -> None:
    case.sentence({A, B, C}, 2)
    case.run(f"sentence.{function}((1, 1))")
    case.expect("sentence.cells", {A, B, C}, "The sentence does not speak of that cell.")
    case.expect("sentence.count", 2, "The sentence does not speak of that cell.")


@checks.add("Sentence.mark_mine", "can be repeated")
def _mark_twice(case: Case) -> None:
    case.sentence({A, B, C}, 2)
    case.run("sentence.mark_mine((0, 0))")
    case.run("sentence.mark_mine((0, 0))")
    case.expect("sentence.count", 1, "The second time the cell is not in the sentence any more.")


@checks.add("Sentence.known_mines", "gives a set of its own", required=False)
def _mines_own_set(case: Case) -> None:
    _own_set(case, "known_mines", 2)


@checks.add("Sentence.known_safes", "gives a set of its own", required=False)
def _safes_own_set(case: Case) -> None:
    _own_set(case, "known_safes", 0)


def _own_set(case: Case, function: str, count: int) -> None:
    case.sentence({A, B}, count)
    case.run(f"cells = sentence.{function}()")
    case.run("cells.clear()")
    case.expect(
        "sentence.cells",
        {A, B},
        f"{function} gave out sentence.cells itself: a loop over it that marks cells would change "
        "the set it goes over. Return a copy, `set(self.cells)`.",
    )
