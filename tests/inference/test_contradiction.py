"""Contradictions: the smallest conflicting set of clues, checked by trying all sets."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from layout_oracle import MODELS, Engine, Oracle, random_position
from suites import positions

from mineproof.core.clues import UNOPENED, WITHHELD, ClueRule
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference import contradiction
from mineproof.inference.budget import Budget
from mineproof.inference.contradiction import explain_contradiction
from mineproof.inference.counting import Density, Known, Prior, Range, count
from mineproof.inference.hitting import HittingSearch, drop_needless
from mineproof.notation.position_text import parse_position

ANY = Density(0.5)


def possible(seen: Observation, clues: set[int], prior: Prior) -> bool:
    """Return whether some layout fits these clues."""
    shown = bytes(
        WITHHELD if code < UNOPENED and index not in clues else code
        for index, code in enumerate(seen.shown)
    )
    return bool(Oracle(Observation(seen.rules, shown), prior).layouts)


def smallest(seen: Observation, prior: Prior) -> int:
    """Return the size of the smallest contradiction, found by trying all sets of clues."""
    clues = [index for index, code in enumerate(seen.shown) if code < UNOPENED]
    for size in range(len(clues) + 1):
        for chosen in combinations(clues, size):
            if not possible(seen, set(chosen), prior):
                return size
    raise AssertionError("the position has a layout")


def spoilt(seed: int, model: ClueRule) -> Observation:
    """Return a small position with some of its clues changed."""
    source = random.Random(seed)
    seen = random_position(seed, model, most_unopened=8)
    shown = bytearray(seen.shown)
    clues = [index for index, code in enumerate(shown) if code < UNOPENED][:8]
    for index, code in enumerate(shown):
        if code < UNOPENED and index not in clues:
            shown[index] = WITHHELD
    for index in source.sample(clues, min(len(clues), 2)):
        shown[index] = source.randint(0, len(seen.grid.neighbours(index)))
    return Observation(seen.rules, bytes(shown))


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_smallest_of_all(model: ClueRule) -> None:
    """No smaller set of clues is contradictory, and the mine count is named only if needed."""
    found = 0
    for seed in range(220):
        seen = spoilt(seed, model)
        assert seen.rules.mines is not None
        prior = Known(seen.rules.mines) if seed % 3 else Range(0, seen.rules.mines // 2)
        if Oracle(seen, prior).layouts:
            continue
        found += 1
        error = explain_contradiction(seen, prior, Budget())
        clues = {seen.grid.index(cell) for cell in error.conflict}
        alone = possible(seen, {i for i, code in enumerate(seen.shown) if code < UNOPENED}, ANY)
        assert error.uses_mine_count == alone
        assert not possible(seen, clues, prior if alone else ANY)
        assert len(clues) == smallest(seen, prior if alone else ANY)
    assert found > 20


@pytest.mark.parametrize(
    ("text", "conflict", "uses_mine_count"),
    [
        ("3x1x?\n0H1\n", ((0, 0), (0, 2)), False),
        ("3x3x?\nHHH\nH0H\n1HH\n", ((1, 1), (2, 0)), False),
        ("5x1x1\n1HHH1\n", ((0, 0), (0, 4)), True),
        ("3x1x2\n1H1\n", (), True),
        ("4x2x5\nHHHH\nH1HH\n", ((1, 1),), True),
    ],
)
def test_known_contradictions(
    engine: Engine, text: str, conflict: tuple[tuple[int, int], ...], uses_mine_count: bool
) -> None:
    """For small contradictions, the error names the clues that a person would name."""
    body = text.split("\n", 1)[1]
    rows = body.split()
    codes = bytes(UNOPENED if letter == "H" else int(letter) for row in rows for letter in row)
    mines = text.split("\n", 1)[0].split("x")[2]
    count_known = None if mines == "?" else int(mines)
    seen = Observation(PublicRules(len(rows), len(rows[0]), count_known), codes)
    prior = ANY if count_known is None else Known(count_known)
    with pytest.raises(ContradictionError) as caught:
        engine(seen, prior)
    assert caught.value.conflict == conflict
    assert caught.value.uses_mine_count is uses_mine_count


def test_the_message_names_clues_and_count() -> None:
    """The message names the clues with their cells, and the mine count if it is needed."""
    with pytest.raises(ContradictionError, match=r"the 0 at \(0, 0\) and the 1 at \(0, 2\)$"):
        count(parse_position("3x1x1\n0H1\n"))
    with pytest.raises(ContradictionError, match=r"and the mine count \(1 mine\)$"):
        count(parse_position("5x1x1\n1HHH1\n"))


def test_one_wrong_clue_on_an_expert_board() -> None:
    """After one clue is changed, every clue that the error names is needed."""
    source = random.Random(3)
    checked = 0
    for seen in source.sample(positions("expert-stuck"), 12):
        shown = bytearray(seen.shown)
        near = [i for i in range(480) if 0 < shown[i] < 8 and seen.rules.grid.neighbours(i)]
        index = source.choice(near)
        shown[index] += 1
        wrong = Observation(seen.rules, bytes(shown))
        try:
            count(wrong)
        except ContradictionError as error:
            clues = frozenset(seen.grid.index(cell) for cell in error.conflict)
            prior = Known(99) if error.uses_mine_count else ANY
            trials = contradiction.Trials(wrong, prior, Budget())
            assert trials.layout(clues) is None
            assert all(trials.layout(clues - {clue}) is not None for clue in clues)
            checked += 1
    assert checked >= 6


def test_irreducible_when_work_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the search is cut short, every clue that the error names is needed."""
    monkeypatch.setattr(contradiction, "SEARCHES", 1)
    seen = parse_position("5x3x?\nHHHHH\n14H41\nHHHHH\n")
    wrong = Observation(seen.rules, seen.shown.replace(b"\x01", b"\x00"))
    error = explain_contradiction(wrong, None, Budget())
    clues = {seen.grid.index(cell) for cell in error.conflict}
    assert not possible(wrong, clues, ANY)
    assert all(possible(wrong, clues - {clue}, ANY) for clue in clues)


def test_irreducible_on_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a large board, the error names clues even if the search is cut short."""
    monkeypatch.setattr(contradiction, "SEARCHES", 0)
    side = 51
    shown = bytearray([UNOPENED]) * (side * side)
    for index in range(16):
        shown[(3 * index + 1) * side + 3] = 2
    seen = Observation(PublicRules(side, side, 5), bytes(shown))
    error = explain_contradiction(seen, Known(5), Budget())
    clues = {seen.grid.index(cell) for cell in error.conflict}
    assert len(clues) == 3
    assert contradiction.Trials(seen, Known(5), Budget()).layout(clues) is None


def test_a_huge_board_is_searched_around_the_place() -> None:
    """On a board of 90,000 cells, only a window around the contradiction is searched."""
    side = 300
    shown = bytearray([UNOPENED]) * (side * side)
    for index, code in ((150 * side + 200, 0), (150 * side + 202, 8), (20 * side + 20, 3)):
        shown[index] = code
    error = explain_contradiction(
        Observation(PublicRules(side, side, None), bytes(shown)), None, Budget()
    )
    assert error.conflict == ((150, 200), (150, 202))


def test_a_wrong_mine_count_names_clues_on_a_large_board() -> None:
    """On a large board, the named clues contradict the mine count."""
    side = 51
    shown = bytearray([UNOPENED]) * (side * side)
    for index in range(4):
        shown[(6 * index + 3) * side + 3] = 2
    seen = Observation(PublicRules(side, side, 5), bytes(shown))
    error = explain_contradiction(seen, Known(5), Budget())
    clues = {seen.grid.index(cell) for cell in error.conflict}
    assert error.uses_mine_count
    assert len(clues) == 3
    assert contradiction.Trials(seen, Known(5), Budget()).layout(clues) is None


def smallest_hitting_set(sets: list[frozenset[int]]) -> frozenset[int]:
    """Return a smallest set that has an element in common with each of the sets."""

    def ask(chosen: tuple[int, ...]) -> frozenset[int] | None:
        return next((group for group in sets if group.isdisjoint(chosen)), None)

    found = HittingSearch(ask, lambda: None).run()
    assert found is not None
    return frozenset(found)


def test_a_set_that_cannot_be_hit_is_said() -> None:
    """No set can hit an empty set, and an endless search stops at its work limit."""
    assert HittingSearch(lambda _: frozenset(), lambda: None).run() is None
    endless = HittingSearch(lambda chosen: frozenset({len(chosen)}), Budget(nodes=50).spend)
    with pytest.raises(WorkLimitError):
        endless.run()


def test_what_is_not_needed_is_dropped() -> None:
    """Elements that are not needed are dropped."""
    for wanted in ({3, 7, 8}, {0}, set(), set(range(10))):
        assert set(drop_needless(range(10), wanted.issubset)) == wanted
    assert drop_needless([1, 2, 3], lambda _: False) == [1, 2, 3]


def test_smallest_hitting_sets() -> None:
    """The hitting set has an element in each set, and no smaller hitting set exists."""
    source = random.Random(1)
    assert smallest_hitting_set([]) == frozenset()
    for _ in range(200):
        sets = [
            frozenset(source.sample(range(8), source.randint(1, 4)))
            for _ in range(source.randint(1, 8))
        ]
        found = smallest_hitting_set(sets)
        assert all(found & group for group in sets)
        smaller = combinations(range(8), len(found) - 1)
        assert not any(all(set(chosen) & group for group in sets) for chosen in smaller)
