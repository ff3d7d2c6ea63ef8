"""Board files: reading, writing, and every line that must be rejected."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import attempt, boards

from mineproof.core.board import Board, deal
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.rules import EXPERT, Rules
from mineproof.notation.boards import (
    BoardLine,
    format_board_line,
    format_boards,
    parse_boards,
    read_boards,
)

GOOD = "# two games\n\n2 3 2 0 0 2,4  # a corner\r\n   1 1 0 0 0\n"


def test_a_line_is_a_game_with_its_first_cell_open() -> None:
    first, second = parse_boards(GOOD)
    assert first == BoardLine(Rules(2, 3, 2), Board.from_mines(2, 3, [2, 4]), Cell(0, 0))
    game = first.game()
    assert game.first == (0, 0)
    assert game.observation[0, 0] == 1
    assert second.game().is_over


def test_files_are_read(tmp_path: Path) -> None:
    """A file may start with a byte order mark, which some editors write."""
    path = tmp_path / "some.boards"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_boards(path) == parse_boards(GOOD)
    assert parse_boards("# nothing\n") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2 3 2 0 0", "expected 2 mines, but 0 are listed"),
        ("2 3 2 0 0 2", "expected 2 mines, but 1 are listed"),
        ("2 3 0 0 0 2", "expected 0 mines, but 1 are listed"),
        ("2 3 2 0 0 2,6", "expected mines from 0 to 5, got 6"),
        ("2 3 2 0 0 2,2", "expected distinct mines, got 2 twice"),
        ("2 3 2 0 2 2,4", "expected a first cell without a mine, but (0, 2) is a mine"),
        ("2 3 2 2 0 2,4", "expected a first cell on the 2x3 board, got 2 0"),
        ("2 3 2 0 3 2,4", "expected a first cell on the 2x3 board, got 0 3"),
        ("2 3 6 0 0 0,1,2,3,4,5", "expected 0 to 5 mines on a 2x3 board"),
        ("0 3 0 0 0", "expected 1 to 1000 rows, got 0"),
        ("2 1001 0 0 0", "expected 1 to 1000 columns, got 1001"),
        ("2 3 2 0", "expected rows columns mines first_row first_column m1,m2,..."),
        ("2 3 2 0 -1 2,4", "whole numbers"),
        ("2 3 2 0 0 2,,4", "got '2 3 2 0 0 2,,4'"),
        ("2 3 2 0 0 2, 4", "whole numbers"),
        ("2 3 2 0 0 2,4 5", "whole numbers"),
        ("2 3 2 0 0 2,4.0", "whole numbers"),
        ("2 3 2 0 0 2,٤", "whole numbers"),
        ("2 3 2 0 0 2,1_0", "whole numbers"),
        ("2 3 2 0 0 \0", "whole numbers"),
        ("9999999999 3 2 0 0 2,4", "whole numbers"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    """A single wrong line makes the whole file invalid."""
    with pytest.raises(NotationError) as caught:
        parse_boards(f"2 3 2 0 0 2,4\n# comment\n{line}\n")
    assert str(caught.value).startswith("line 3: expected ")
    assert message in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "boards.gz"
    path.write_bytes(b"\x1f\x8b\x08\0\0")
    with pytest.raises(NotationError, match=r"cannot unpack .*boards\.gz"):
        read_boards(path)
    path.write_bytes(b"\xff\xfe\0")
    with pytest.raises(NotationError, match="expected UTF-8 text"):
        read_boards(path)


def test_a_mined_first_cell_is_not_written() -> None:
    with pytest.raises(NotationError, match=r"without a mine, but \(0, 1\) is a mine"):
        format_board_line(Board.from_mines(1, 2, [1]), (0, 1))


def test_expert_lines_survive() -> None:
    games = [BoardLine(EXPERT, deal(EXPERT, seed, (3, 4)), Cell(3, 4)) for seed in range(20)]
    assert parse_boards(format_boards(games)) == games


@given(boards(), st.data())
def test_format_then_parse_gives_the_game_back(board: Board, data: st.DataObject) -> None:
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    first = board.grid.cell(data.draw(st.sampled_from(safe)))
    [line] = parse_boards(format_boards([(board, first)]))
    assert (line.board, line.first) == (board, first)


@given(st.text() | st.text("0123456789 ,#\n"), st.integers(0, len(GOOD)))
def test_any_text_is_read_or_refused(text: str, place: int) -> None:
    """Any text is tried alone and inside a valid board file."""
    for whole in (text, GOOD[:place] + text + GOOD[place:]):
        games = attempt(parse_boards, whole)
        assert games is None or parse_boards(format_boards(games)) == games
