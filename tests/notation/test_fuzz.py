"""Damaged input for every text parser: it must return a value or raise an `InputError`.

Each run uses a new seed and prints it. Set `MINEPROOF_FUZZ_SEED` to repeat a run.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spoiling import check_reader, spoilt, spoilt_bytes, spoilt_value

import mineproof as mw
from mineproof.agents.deep import read_seconds
from mineproof.agents.loading import make_agent, parse_agent
from mineproof.cli.options import parse_cell, player_text
from mineproof.core.clues import ClueRule
from mineproof.core.move import Move
from mineproof.core.rules import Rules, Start
from mineproof.lab.catalogue import read_experiments
from mineproof.notation import documents
from mineproof.notation.boards import format_board_line, format_mbf, parse_boards, parse_mbf
from mineproof.notation.game_id import format_game_id, parse_game_id
from mineproof.notation.inputs import parse_inputs
from mineproof.notation.position_text import format_position, parse_positions
from mineproof.notation.records import format_record, parse_record
from mineproof.service.page import read_message

ROUNDS = 400


def played() -> mw.Game:
    """Return a game after a few moves."""
    game = mw.Game("beginner", seed=7)
    game.open(0, 0)
    game.mark(8, 8)
    return game


def samples() -> dict[str, tuple[Callable[[str], Any], str]]:
    """Return valid text for each parser."""
    game = played()
    seen, board = game.observation, mw.deal(game.rules, 7, (0, 0))
    record = mw.play(mw.Game("beginner", seed=3), mw.make_agent("basic"))
    experiment = Path(__file__).parents[2] / "examples" / "experiment.toml"
    return {
        "positions": (lambda text: list(parse_positions(text)), format_position(seen)),
        "analysis": (lambda text: mw.analyse(text, moves=False), format_position(seen)),
        "boards": (parse_boards, format_board_line(board, (0, 0))),
        "game id": (parse_game_id, format_game_id(game)),
        "record": (parse_record, format_record(record)),
        "letters": (documents.parse_letters, documents.format_letters(seen)),
        "numbers": (documents.parse_numbers, documents.format_numbers(seen)),
        "board numbers": (documents.parse_board_numbers, documents.format_board_numbers(board)),
        "rules": (Rules.parse, "16x30/0.21"),
        "start": (Start.parse, "given:0.5"),
        "clues": (ClueRule.parse, "withheld:0.25"),
        "move": (Move.parse, "open 3,4"),
        "cell": (parse_cell, "3,4"),
        "agent": (parse_agent, "resolution:matching=both,stuck=five"),
        "agent made": (make_agent, "resolution:matching=both,stuck=five"),
        "budget": (read_seconds, "200ms"),
        "budget of an agent": (lambda text: make_agent(player_text(None, text)), "0.2s"),
        "any input": (parse_inputs, format_record(record)),
        "message": (read_message, '{"n": 1, "do": "hint", "position": {"rows": 3}}'),
        "experiment": (_read_toml, experiment.read_text()),
    }


def _read_toml(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoilt.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read_experiments(path)


@pytest.mark.parametrize("name", sorted(samples()))
def test_spoilt_text_is_read_or_refused(name: str) -> None:
    read, text = samples()[name]
    read(text)
    check_reader(read, lambda dice: spoilt(text, dice), ROUNDS)


def test_spoilt_bytes_are_read_or_refused() -> None:
    """Damaged bytes are tried only with `.mbf`, the only format that is not text."""
    whole = format_mbf(mw.deal(mw.Rules(9, 9, 10), 1, (0, 0)))
    assert check_reader(parse_mbf, lambda dice: spoilt_bytes(whole, dice), 10 * ROUNDS)


def test_a_record_with_any_values_is_read_or_refused() -> None:
    """Wrong values at any depth reach more code of a parser than wrong letters do."""
    whole = json.loads(samples()["record"][1])
    assert check_reader(
        parse_record, lambda dice: json.dumps(spoilt_value(whole, dice)), 2 * ROUNDS
    )
