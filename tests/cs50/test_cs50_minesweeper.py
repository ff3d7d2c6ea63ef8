"""The solution in minesweeper.py meets the CS50 specification."""

from __future__ import annotations

import ast
import itertools
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.cs50.project import read

A, B, C = (0, 0), (0, 1), (0, 2)
D, E, F = (1, 0), (1, 1), (1, 2)
G, H, I = (2, 0), (2, 1), (2, 2)  # noqa: E741  (as in the text)
Cell = tuple[int, int]
Facts = set[tuple[frozenset[Cell], int]]


def told(module: ModuleType, height: int, width: int, *clues: tuple[Cell, int]) -> Any:
    ai = module.MinesweeperAI(height=height, width=width)
    for cell, count in clues:
        ai.add_knowledge(cell, count)
    return ai


def facts(ai: Any) -> list[tuple[frozenset[Cell], int]]:
    return [(frozenset(s.cells), s.count) for s in ai.knowledge]


def naive_closure(sentences: Facts, mines: set[Cell], safes: set[Cell]) -> Facts:
    """Draw all conclusions by comparing all pairs until nothing changes (the oracle).

    Extends `mines` and `safes`.
    """
    while True:
        before = (set(sentences), set(mines), set(safes))
        simple = {(cells - mines - safes, count - len(cells & mines)) for cells, count in sentences}
        sentences = {(cells, count) for cells, count in simple if cells}
        for cells, count in sentences:
            mines |= cells if count == len(cells) else set()
            safes |= cells if count == 0 else set()
        for (small, few), (large, many) in itertools.permutations(sentences.copy(), 2):
            if small < large:
                sentences.add((large - small, many - few))
        if (sentences, mines, safes) == before:
            return sentences


def neighbours(cell: Cell, height: int, width: int) -> frozenset[Cell]:
    near = itertools.product(range(cell[0] - 1, cell[0] + 2), range(cell[1] - 1, cell[1] + 2))
    return frozenset(
        other
        for other in near
        if other != cell and 0 <= other[0] < height and 0 <= other[1] < width
    )


@st.composite
def openings(draw: st.DrawFn) -> tuple[int, int, frozenset[Cell], list[Cell]]:
    height, width = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    cells = list(itertools.product(range(height), range(width)))
    order = draw(st.permutations(cells))
    mines = draw(st.integers(0, len(cells) - 1))
    opened = draw(st.integers(1, len(cells) - mines))
    return height, width, frozenset(order[:mines]), order[mines : mines + opened]


def play(module: ModuleType, opening: tuple[int, int, frozenset[Cell], list[Cell]]) -> Any:
    height, width, mines, opened = opening
    ai = module.MinesweeperAI(height, width)
    for cell in opened:
        ai.add_knowledge(cell, len(neighbours(cell, height, width) & mines))
    return ai


def test_the_file_imports_itertools_and_random_only() -> None:
    """CS50's own checker uses only this file, so the file must not import any others."""
    tree = ast.parse(read("minesweeper.py"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [alias.name for node in imports for alias in node.names] == ["itertools", "random"]


def test_the_file_runs_alone(tmp_path: Path) -> None:
    (tmp_path / "minesweeper.py").write_text(read("minesweeper.py"), encoding="utf-8")
    code = (
        "import minesweeper as m; a = m.MinesweeperAI(); a.add_knowledge((0, 0), 0); print(a.safes)"
    )
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = ['.']; {code}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "(1, 1)" in done.stdout


def test_board(minesweeper: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    game = minesweeper.Minesweeper(height=2, width=3, mines=6)
    assert game.board == [[True] * 3] * 2
    assert game.nearby_mines((0, 1)) == 5
    assert game.mines_found == set()
    assert not game.won()
    game.mines_found.update(itertools.product(range(2), range(3)))
    assert game.won()
    game.print()
    assert capsys.readouterr().out == "-------\n|X|X|X|\n-------\n|X|X|X|\n-------\n"


def test_default_board(minesweeper: ModuleType) -> None:
    random.seed(1)
    game = minesweeper.Minesweeper()
    assert (game.height, game.width, len(game.mines)) == (8, 8, 8)
    assert all(game.is_mine((i, j)) == ((i, j) in game.mines) for i in range(8) for j in range(8))


def test_too_many_mines(minesweeper: ModuleType) -> None:
    with pytest.raises(ValueError, match="expected 0 to 6 mines, got 7"):
        minesweeper.Minesweeper(2, 3, 7)


def test_sentence_text_and_equality(minesweeper: ModuleType) -> None:
    sentence = minesweeper.Sentence([B], 1)
    assert str(sentence) == "{(0, 1)} = 1"
    assert sentence == minesweeper.Sentence({B}, 1)
    assert sentence != minesweeper.Sentence({B}, 0)
    assert sentence != "{(0, 1)} = 1"
    assert eval(repr(sentence), vars(minesweeper)) == sentence


@pytest.mark.parametrize(("count", "mines", "safes"), [(0, 0, 2), (1, 0, 0), (2, 2, 0)])
def test_known_cells(minesweeper: ModuleType, count: int, mines: int, safes: int) -> None:
    sentence = minesweeper.Sentence({A, B}, count)
    assert len(sentence.known_mines()) == mines
    assert len(sentence.known_safes()) == safes
    sentence.known_mines().clear()
    sentence.known_safes().clear()
    assert sentence == minesweeper.Sentence({A, B}, count)


def test_marks(minesweeper: ModuleType) -> None:
    """{A, B, C} = 2 becomes {A, B} = 2 if C is safe, and {A, B} = 1 if C is a mine."""
    cells = {A, B, C}
    safe, mine = minesweeper.Sentence(cells, 2), minesweeper.Sentence(cells, 2)
    for sentence in (safe, mine):
        sentence.mark_mine(D)
        sentence.mark_safe(D)
    safe.mark_safe(C)
    mine.mark_mine(C)
    assert safe == minesweeper.Sentence({A, B}, 2)
    assert mine == minesweeper.Sentence({A, B}, 1)
    assert cells == {A, B, C}


def test_worked_example_of_the_specification(minesweeper: ModuleType) -> None:
    clues = [(B, 0), (C, 0), (D, 0), (G, 0), (E, 1), (F, 1), (H, 1)]
    ai = told(minesweeper, 3, 3, *clues)
    assert ai.mines == {I}
    assert ai.safes == {A, B, C, D, E, F, G, H}
    assert ai.knowledge == []


@pytest.mark.parametrize(
    ("sentence", "mines", "safes"),
    [(({D, E, G}, 0), set(), {D, E, G}), (({E, F, H}, 3), {E, F, H}, set())],
)
def test_sentences_of_the_specification(
    minesweeper: ModuleType, sentence: tuple[set[Cell], int], mines: set[Cell], safes: set[Cell]
) -> None:
    ai = minesweeper.MinesweeperAI(9, 9)
    ai.knowledge.append(minesweeper.Sentence(*sentence))
    ai.add_knowledge((8, 8), 1)
    assert ai.mines == mines
    assert ai.safes == {*safes, (8, 8)}


def test_subset_rule_of_the_specification(minesweeper: ModuleType) -> None:
    """{A, B, C} = 1 and {A, B, C, D, E} = 2 give {D, E} = 1. All three sentences are kept."""
    ai = minesweeper.MinesweeperAI(9, 9)
    ai.knowledge.append(minesweeper.Sentence({A, B, C}, 1))
    ai.knowledge.append(minesweeper.Sentence({A, B, C, D, E}, 2))
    ai.add_knowledge((8, 8), 1)
    for cells, count in (({A, B, C}, 1), ({A, B, C, D, E}, 2), ({D, E}, 1)):
        assert minesweeper.Sentence(cells, count) in ai.knowledge


@given(opening=openings())
def test_conclusions_are_those_of_the_naive_closure(
    minesweeper: ModuleType, opening: tuple[int, int, frozenset[Cell], list[Cell]]
) -> None:
    height, width, truth, opened = opening
    ai = play(minesweeper, opening)
    clues = {
        (neighbours(c, height, width), len(neighbours(c, height, width) & truth)) for c in opened
    }
    mines: set[Cell] = set()
    safes = set(opened)
    sentences = naive_closure(clues, mines, safes)
    assert ai.mines == mines <= truth
    assert ai.safes == safes
    assert not safes & truth
    assert set(facts(ai)) == sentences
    assert len(ai.knowledge) == len(sentences)
    assert ai.moves_made == set(opened)


@given(opening=openings())
def test_moves(
    minesweeper: ModuleType, opening: tuple[int, int, frozenset[Cell], list[Cell]]
) -> None:
    height, width, _, _ = opening
    ai = play(minesweeper, opening)
    before = (set(ai.moves_made), set(ai.mines), set(ai.safes), facts(ai))
    safe, any_move = ai.make_safe_move(), ai.make_random_move()
    assert (safe is None) == (ai.safes <= ai.moves_made)
    assert safe is None or safe in ai.safes - ai.moves_made
    free = set(itertools.product(range(height), range(width))) - ai.moves_made - ai.mines
    assert (any_move is None) == (not free)
    assert any_move is None or any_move in free
    assert (ai.moves_made, ai.mines, ai.safes, facts(ai)) == before


def test_sets_that_a_caller_replaces(minesweeper: ModuleType) -> None:
    """The AI works correctly after a caller has replaced its sets."""
    ai = told(minesweeper, 2, 3, ((0, 0), 1))
    ai.mines, ai.safes, ai.moves_made = {(0, 1)}, {(1, 2)}, set()
    assert ai.make_safe_move() == (1, 2)
    ai.add_knowledge((0, 2), 2)
    assert ai.mines == {(0, 1), (1, 1)}
    ai.moves_made = set(itertools.product(range(2), range(3))) - {(1, 0), (1, 1)}
    assert ai.make_random_move() == (1, 0)


def test_cells_that_a_caller_adds_reach_old_sentences(minesweeper: ModuleType) -> None:
    """Mines and safe cells that a caller adds are applied to old sentences with the next clue."""
    ai = told(minesweeper, 3, 9, ((0, 0), 2))
    ai.mines.add((0, 1))
    ai.safes.add((1, 0))
    ai.add_knowledge((2, 8), 1)
    assert ai.mines == {(0, 1), (1, 1)}
    assert facts(ai) == [(frozenset({(1, 7), (1, 8), (2, 7)}), 1)]


def test_told_twice(minesweeper: ModuleType) -> None:
    ai = told(minesweeper, 4, 4, ((1, 1), 2))
    before = facts(ai)
    ai.add_knowledge((1, 1), 2)
    assert facts(ai) == before


def test_random_moves_reach_every_cell(minesweeper: ModuleType) -> None:
    random.seed(0)
    ai = minesweeper.MinesweeperAI(height=2, width=3)
    moves = {ai.make_random_move() for _ in range(200)}
    assert moves == set(itertools.product(range(2), range(3)))


@pytest.mark.parametrize("seed", range(5))
def test_clues_that_contradict_each_other(minesweeper: ModuleType, seed: int) -> None:
    """Wrong clues may lead to wrong conclusions, but no call hangs or fails."""
    stream = random.Random(seed)
    ai = minesweeper.MinesweeperAI(6, 6)
    for cell in stream.sample(list(itertools.product(range(6), range(6))), 30):
        ai.add_knowledge(cell, stream.randrange(9))
    assert all(s.cells for s in ai.knowledge)
    assert len(ai.knowledge) < 200


def test_a_sentence_about_all_cells(minesweeper: ModuleType) -> None:
    """If the caller adds the mine count, the AI uses it without storing many more sentences."""
    random.seed(4)
    game = minesweeper.Minesweeper(9, 9, 10)
    ai = minesweeper.MinesweeperAI(9, 9)
    cells = set(itertools.product(range(9), range(9)))
    ai.knowledge.append(minesweeper.Sentence(cells, 10))
    for cell in sorted(cells - game.mines)[:-1]:
        ai.add_knowledge(cell, game.nearby_mines(cell))
    assert len(ai.knowledge) < 100
    ai = minesweeper.MinesweeperAI(3, 9)
    ai.knowledge.append(minesweeper.Sentence(itertools.product(range(3), range(9)), 1))
    ai.add_knowledge((0, 0), 1)
    assert (2, 8) in ai.safes
