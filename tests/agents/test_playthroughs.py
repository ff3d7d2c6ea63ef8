"""Recorded games of every agent, replayed and compared line by line."""

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
    """After an intended change, run `tests/playthroughs/record.py` to record the games again."""
    expected = path.read_text("utf-8")
    found = record(read_header(expected))
    for number, lines in enumerate(zip_longest(expected.splitlines(), found.splitlines()), 1):
        assert lines[0] == lines[1], f"{path.name}, line {number}"


def test_every_agent_has_a_recorded_game() -> None:
    """Run `tests/playthroughs/record.py` to record a game of a new agent."""
    headers = (read_header(path.read_text("utf-8")) for path in FILES)
    recorded = {parse_agent(header[AGENT])[0].id for header in headers}
    assert set(agents()) - recorded == set()


def test_recorded_games_are_long_enough() -> None:
    """A recorded game has at least ten moves, except for `random`."""
    for path in FILES:
        moves = path.read_text("utf-8").partition("\n\n")[2].splitlines()[:-1]
        assert len(moves) >= (2 if path.stem == "random" else 10), path.name
