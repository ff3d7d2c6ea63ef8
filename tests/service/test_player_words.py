"""Refusals in a player's words."""

from __future__ import annotations

import pytest

from mineproof.service.player_words import player_words, with_words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("expected 1 marks next to (2, 2) to chord, its clue, got 0", "Mark one more neighbour"),
        ("expected 3 marks next to (2, 2) to chord, its clue, got 1", "Mark two more neighbours"),
        ("expected 1 marks next to (2, 2) to chord, its clue, got 2", "marked: take one away."),
        ("expected no moves, the game is paused: got open 1,2", "paused: press P"),
        ("expected 0 to 80 mines, got 999", "This board has room for 80 mines at most."),
        ("expected at most 40000 cells on the page, got 50000", "have 40,000 cells at most."),
        ("something else", "Something else"),
    ],
)
def test_refusals_say_what_to_do(error: str, words: str) -> None:
    """Known ones in players' words, others with a capital letter."""
    assert words in player_words(error)


def test_words_go_beside_the_error() -> None:
    """Programs read `error`, people `words`."""
    assert with_words({"n": 1, "error": "no"}) == {"n": 1, "error": "no", "words": "No"}
    assert with_words({"n": 1}) == {"n": 1}
