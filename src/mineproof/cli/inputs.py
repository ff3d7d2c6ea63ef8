"""Read the games, positions and cells that are given on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mineproof import InputError, NotationError, Record
from mineproof.cli.options import RuleOptions
from mineproof.core.words import printable
from mineproof.notation.files import read_stream, read_text, unpacked
from mineproof.notation.game_id import GameId
from mineproof.notation.inputs import KINDS, Input, as_game, parse_inputs, read_inputs
from mineproof.notation.text import decode


def read_input(file: str) -> str:
    """Return the text of a file, or of stdin for `-`.

    Raises:
        NotationError: there is no such file, it is not text, or it is too large.
    """
    if file == "-":
        return decode(unpacked(read_stream(sys.stdin.buffer, "stdin"), "stdin"))
    if not Path(file).exists():
        raise NotationError(f"expected {KINDS}, but there is no file {file!r}", file=file)
    return read_text(file)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Start every error message with the name of the file, unless the message has it already.

    Raises:
        NotationError: something is wrong with the file.
    """
    try:
        yield
    except InputError as error:
        name = "" if "file" in error.values else f"{printable(file)}: "
        raise NotationError(f"{name}{error}") from None


def is_game_id(argument: str) -> bool:
    """Return whether an argument must be a game id: it has a colon and no file has this name."""
    return argument != "-" and ":" in argument and not Path(argument).is_file()


def read_given(argument: str, **how: Any) -> list[Input]:
    """Return the games or positions that an argument names: a file, `-` for stdin, or a game id.

    Args:
        argument: the argument.
        **how: how to read positions; see `parse_inputs`.

    Raises:
        NotationError: it holds neither games nor positions.
    """
    if argument == "-":
        return parse_inputs(read_input(argument), **how)
    return read_inputs(argument, **how)


def read_game(argument: str, rules: RuleOptions) -> GameId | Record:
    """Return the (first) game that an argument names.

    Raises:
        InputError: it is not a game, or options ask for other rules.
    """
    rules.check_unused()
    return as_game(read_given(argument)[0])
