"""Every reader of text gets spoilt input: it answers or refuses, and never breaks.

The seed is new in every run and printed with a failure; `MINEPROOF_FUZZ_SEED` repeats it.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import FUZZ_SEED

import mineproof as mw
from mineproof.agents.loading import parse_agent
from mineproof.cli.options import parse_cell
from mineproof.core.clues import ClueModel
from mineproof.core.errors import InputError
from mineproof.core.move import Move
from mineproof.core.rules import Rules, Start
from mineproof.lab.catalogue import read_experiments
from mineproof.match.batch import Played
from mineproof.notation import documents
from mineproof.notation.boards import format_board_line, format_mbf, parse_boards, parse_mbf
from mineproof.notation.game_id import format_game_id, parse_game_id
from mineproof.notation.position_text import format_position, parse_positions
from mineproof.notation.records import format_record, parse_record
from mineproof.service.fields import read_message

ROUNDS = 400
PIECES = (
    *("", "0", "-1", "9", "99999999999999999999", "1e999", "nan", "é", "\0", "\n", "\n\n", " "),
    *("x", ":", ",", "/", "?", "H", "[", "]", "{", "}", '"', "null", "true", "\ud800", "\ufeff"),
    "[" * 3000,
)


def played() -> mw.Game:
    """Give a game that has been played a little."""
    game = mw.Game("beginner", seed=7)
    game.open(0, 0)
    game.mark(8, 8)
    return game


def samples() -> dict[str, tuple[Callable[[str], Any], str]]:
    """Give for each reader a text that it takes."""
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
        "clues": (ClueModel.parse, "withheld:0.25"),
        "move": (Move.parse, "open 3,4"),
        "cell": (parse_cell, "3,4"),
        "result": (Played.parse, "3 win 1 20 0.5"),
        "agent": (parse_agent, "resolution:matching=both,stuck=five"),
        "message": (read_message, '{"n": 1, "do": "hint", "position": {"rows": 3}}'),
        "experiment": (_read_toml, experiment.read_text()),
    }


def _read_toml(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoilt.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read_experiments(path)


def spoilt(text: str, dice: random.Random) -> str:
    """Change a text in a few places."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        place = dice.randrange(len(text) + 1)
        cut = dice.choice((0, 0, 1, 1, 7))
        text = text[:place] + dice.choice(PIECES) + text[place + cut :]
    return text


@pytest.mark.parametrize("name", sorted(samples()))
def test_spoilt_text_is_read_or_refused(name: str) -> None:
    """A reader raises what subclasses a builtin's ValueError, or gives an answer."""
    read, text = samples()[name]
    read(text)
    dice = random.Random(FUZZ_SEED)
    for _ in range(ROUNDS):
        wrong = spoilt(text, dice)
        try:
            read(wrong)
        except (InputError, ValueError, mw.WorkLimitError):
            continue
        except Exception as error:
            pytest.fail(f"seed {FUZZ_SEED}: {wrong!r} gave {error!r}", pytrace=False)


def test_spoilt_bytes_are_read_or_refused() -> None:
    """The same for the one form that is no text."""
    dice = random.Random(FUZZ_SEED)
    whole = format_mbf(mw.deal(mw.Rules(9, 9, 10), 1, (0, 0)))
    for _ in range(10 * ROUNDS):
        data = bytearray(whole[: dice.choice((len(whole), dice.randrange(len(whole) + 1)))])
        for _ in range(dice.randrange(4)):
            if data:
                data[dice.randrange(len(data))] = dice.choice((0, 1, 255, dice.randrange(256)))
        try:
            parse_mbf(bytes(data))
        except InputError:
            continue
        except Exception as error:
            pytest.fail(f"seed {FUZZ_SEED}: {data!r} gave {error!r}", pytrace=False)
