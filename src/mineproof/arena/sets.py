"""Board sets: lists of boards that never change.

A set is a recipe (rules, first cell, number of boards, first seed) and the SHA-256 sum of its board
file; `sets.toml` lists them. Sets are dealt when they are needed.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path

from mineproof.core.errors import InputError, did_you_mean
from mineproof.core.rules import as_rules, with_options
from mineproof.match.batch import Deal, dealt, from_boards
from mineproof.notation.boards import format_boards, read_boards
from mineproof.notation.files import write_text

_FOLDER = Path(__file__).parent
PACKED = (".gz", ".xz")
"""The endings of compressed files. They are not part of a set's name."""


@dataclass(frozen=True)
class BoardSet:
    """A named list of boards."""

    name: str
    about: str
    """A one-line description of the boards."""
    sha256: str
    """The SHA-256 sum of the board file as uncompressed text without comments."""
    most: int
    """The number of boards. If there are several parts, the number in each part."""
    sources: dict[str, Callable[[], Sequence[Deal]]]
    """Functions that return the boards of each part, by the name of the set that it belongs to.
    Tables combine results on parts with the same name."""

    def deals(self, first: int | None = None) -> Sequence[Deal]:
        """Return the first boards of each part, or all boards, as one list indexed from 0.

        Raises:
            InputError: the set does not have that many boards.
        """
        if first is not None and not 1 <= first <= self.most:
            raise InputError(f"{self.name}: expected --first from 1 to {self.most:,}, got {first}")
        parts = [source()[: first or self.most] for source in self.sources.values()]
        if len(parts) == 1:
            return parts[0]
        return [replace(deal, index=index) for index, deal in enumerate(chain(*parts))]

    def write(self, path: Path) -> None:
        """Write the board file and check its sum.

        Raises:
            InputError: the boards differ from those of the set, because this build deals
                differently.
        """
        deals = self.deals()
        text = format_boards((deal.board(), deal.first) for deal in deals if deal.first)
        found = _sum(text)
        if found != self.sha256:
            raise InputError(
                f"this build does not deal the boards of {self.name}: their checksum is {found}, "
                f"but should be {self.sha256}"
            )
        write_text(path, text)


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _shipped(file: str) -> list[Deal]:
    return from_boards(read_boards(_FOLDER / file))


@cache
def board_sets() -> dict[str, BoardSet]:
    """Return all board sets by name."""
    sets: dict[str, BoardSet] = {}
    for name, one in tomllib.loads((_FOLDER / "sets.toml").read_text(encoding="utf-8")).items():
        match one:
            case {"parts": parts}:
                sources = {part: sets[part].sources[part] for part in parts}
            case {"file": file}:
                sources = {name: partial(_shipped, file)}
            case _:
                rules = with_options(as_rules(one["level"]), start=one["start"])
                sources = {name: partial(dealt, rules, one["boards"], one["seed"])}
        sets[name] = BoardSet(name, one["about"], one["sha256"], one["boards"], sources)
    return sets


def board_set(text: str) -> BoardSet:
    """Return the set with a name, or a board file as a set.

    Raises:
        InputError: there is no such set or file.
        NotationError: the file is not a board file.
    """
    known = board_sets()
    if text in known:
        return known[text]
    path = Path(text)
    if not path.exists():
        near = did_you_mean(text, known)
        raise InputError(
            f"expected a board set ({', '.join(known)}) or a board file, got {text!r}{near}"
        )
    return file_set(path)


def file_set(path: Path) -> BoardSet:
    """Return the boards of a file as a set, named after the file and its sum.

    Raises:
        InputError: the file holds no boards.
    """
    lines = read_boards(path)
    if not lines:
        raise InputError(f"{path} contains no boards")
    deals = from_boards(lines)
    total = _sum(format_boards(lines))
    name = f"{path.stem if path.suffix in PACKED else path.name}@{total[:8]}"
    return BoardSet(name, f"the file {path}", total, len(deals), {name: lambda: deals})
