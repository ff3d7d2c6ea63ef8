"""The examples of docs/notation.md."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from mineproof.notation.game_id import format_game_id, parse_game_id

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")


def test_examples_run_in_order() -> None:
    """All examples on the page run as one session."""
    blocks = re.findall(r"^```pycon\n(.*?)^```", PAGE, re.DOTALL | re.M)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "notation", None, 0)
    assert len(test.examples) > 40
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_game_ids_of_the_table_are_ids() -> None:
    """Ids without a level's name are also written back unchanged."""
    ids = re.findall(r"^\| `([^`|]+:s[0-9][^`|]*)` \|", PAGE, re.M)
    assert len(ids) == 5
    for text in ids:
        written = format_game_id(parse_game_id(text))
        assert written == text.replace("expert", "16x30/99")
