"""Recorded games of every agent, played again and compared line by line."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from playthroughs.record import AGENT, FOLDER, read_header, record

from mineproof.agents.loading import parse_agent
from mineproof.agents.registry import agents

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_game_is_played_as_recorded(path: Path) -> None:
    """The same moves for the same reasons, to the same end; `record.py` records a wanted change."""
    expected = path.read_text("utf-8")
    found = record(read_header(expected))
    for number, lines in enumerate(zip_longest(expected.splitlines(), found.splitlines()), 1):
        assert lines[0] == lines[1], f"{path.name}, line {number}"


def test_every_agent_has_a_recorded_game() -> None:
    """An agent without a recorded game is not finished: run `tests/playthroughs/record.py`."""
    headers = (read_header(path.read_text("utf-8")) for path in FILES)
    recorded = {parse_agent(header[AGENT])[0].id for header in headers}
    assert set(agents()) - recorded == set()


def test_recorded_games_are_long_enough() -> None:
    """A recorded game shows something: at least ten moves, unless the agent cannot reason."""
    for path in FILES:
        moves = path.read_text("utf-8").partition("\n\n")[2].splitlines()[:-1]
        assert len(moves) >= (2 if path.stem == "random" else 10), path.name
