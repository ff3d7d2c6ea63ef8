"""Saved games in the terminal: which file is a game's own, and what may be overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mineproof.core.errors import InputError, NotationError
from mineproof.notation.inputs import Input
from mineproof.notation.records import Record
from mineproof.review.replays import is_replay

FORCE = "--force"


def file_to_save(typed: str, own: str) -> str:
    """Give the file that `save [--force] [FILE]` means; the game's own needs no name.

    Raises:
        NotationError: there is no name.
        InputError: something else is there, and nobody said that it may be overwritten.
    """
    words = typed.split(maxsplit=1)
    forced = words[:1] == [FORCE]
    name = " ".join(words[1:]) if forced else typed
    file = a_name(name or own)
    if not forced and not _is_same(file, own) and Path(file).exists():
        raise InputError(f"expected `save {FORCE} {file}` to overwrite, since {file} exists")
    return file


def a_name(text: str) -> str:
    """Give the name of a file.

    Raises:
        NotationError: there is none.
    """
    if not text:
        raise NotationError("expected the name of a file, got none")
    return text


def own_file(argument: str, games: Sequence[Input]) -> str:
    """Give the file that a game was read from if it holds that game alone, as `save` writes it.

    Saving over a file of several games, or over a player's replay, would lose what it holds.
    """
    alone = len(games) == 1 and isinstance(games[0], Record) and not is_replay(argument)
    return argument if alone and argument != "-" else ""


def _is_same(file: str, own: str) -> bool:
    return bool(own) and Path(file).resolve() == Path(own).resolve()
