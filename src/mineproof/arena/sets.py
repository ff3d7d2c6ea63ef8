"""Board sets: lists of boards that never change.

A set is a recipe (rules, first cell, number of boards, first seed) and the SHA-256 sum of its board
file. Sets are dealt when they are needed. A set with a mistake is replaced by a set with a new
name. The sum of a set never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path

from mineproof.core.board import Board
from mineproof.core.errors import InputError, did_you_mean
from mineproof.core.grid import Cell
from mineproof.core.rules import OPENING, Rules, as_rules, with_options
from mineproof.match.batch import Deal, dealt, from_boards
from mineproof.notation.boards import format_boards, read_boards
from mineproof.notation.files import write_text

PEER = "peer-expert-corner"
SPRINT = "sprint-2026"
SPRINT_BOARDS = 2000
"""Number of boards that `sprint-2026` takes from each of the large sets."""


Parts = dict[str, Sequence[Deal]]
"""Boards, grouped by the name of their set. Tables join results by these names."""


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
    deal: Callable[[int], Parts]
    """Deals the first N boards of each part."""

    def parts(self, first: int | None = None) -> Parts:
        """Return the first boards of each part; all by default.

        Raises:
            InputError: the set does not have that many boards.
        """
        if first is not None and not 1 <= first <= self.most:
            raise InputError(f"{self.name}: expected --first from 1 to {self.most:,}, got {first}")
        return self.deal(first or self.most)

    def deals(self, first: int | None = None) -> Sequence[Deal]:
        """Return the boards of all parts as one list, indexed from 0."""
        parts = list(self.parts(first).values())
        if len(parts) == 1:
            return parts[0]
        return [replace(deal, index=index) for index, deal in enumerate(chain(*parts))]

    def write(self, path: Path) -> None:
        """Write the board file and check its sum.

        Raises:
            InputError: the boards differ from those of the set, because this build deals
                differently.
        """
        text = format_boards(_lines(self.deals()))
        found = hashlib.sha256(text.encode()).hexdigest()
        if found != self.sha256:
            raise InputError(
                f"this build deals other boards than {self.name} has: their checksum is {found}, "
                f"but should be {self.sha256}"
            )
        write_text(path, text)


def _lines(deals: Iterable[Deal]) -> Iterator[tuple[Board, Cell]]:
    for deal in deals:
        assert deal.first is not None
        yield deal.board(), deal.first


_EXPERT, _CORNER = as_rules("expert"), "safe first cell (0, 0)"
_LARGE: dict[str, tuple[Rules, int, str]] = {
    "expert-corner-2026": (_EXPERT, 20_261_000_000, f"expert, {_CORNER}"),
    "expert-opening-2026": (
        with_options(_EXPERT, start=str(OPENING)),
        20_262_000_000,
        "expert, opening at (3, 3)",
    ),
    **{
        f"{level}-corner-2026": (as_rules(level), seed, f"{level}, {_CORNER}")
        for level, seed in (("intermediate", 20_263_000_000), ("beginner", 20_264_000_000))
    },
}
_LARGE_COUNT = 100_000
_SUMS = {
    "expert-corner-2026": "d4a86c20c09a6af872cb0d65123e353728eccae2f3d122a5e9f42e1f99198042",
    "expert-opening-2026": "889d69ef5b24c9178b8e8b2f4714b56569d62883361cf3801553adfcc6664599",
    "intermediate-corner-2026": "2bf89b9c5acf5986b71dcb1ae2ab60756a64883b029c9daeb6364959e2a036ec",
    "beginner-corner-2026": "449f270e8a39e6d533f146b7a8d28f586df64f9972b783e7e7d5579aa136bbf8",
    SPRINT: "a45bf34700b871ff571a004e614e840128f302a9355338a9118ca848421b1a52",
    PEER: "833f2b8581efa0d0598267a88f28c1ef2f6fe4449feef09621800291d88ffd8e",
}


@lru_cache(maxsize=1)
def _peer_boards() -> list[Deal]:
    return from_boards(read_boards(Path(__file__).with_name(f"{PEER}.boards.xz")))


def _deal_large(names: tuple[str, ...], first: int) -> Parts:
    return {name: dealt(_LARGE[name][0], first, _LARGE[name][1]) for name in names}


@cache
def board_sets() -> dict[str, BoardSet]:
    """Return all board sets by name."""
    sets = [
        BoardSet(name, about, _SUMS[name], _LARGE_COUNT, partial(_deal_large, (name,)))
        for name, (_, _, about) in _LARGE.items()
    ]
    about = f"the first {SPRINT_BOARDS:,} boards of each set above, for slow solvers"
    deal = partial(_deal_large, tuple(_LARGE))
    sets.append(BoardSet(SPRINT, about, _SUMS[SPRINT], SPRINT_BOARDS, deal))
    about = "expert, safe first cell (0, 0), with the results of the strongest public solver"
    sets.append(BoardSet(PEER, about, _SUMS[PEER], 12_000, lambda n: {PEER: _peer_boards()[:n]}))
    return {one.name: one for one in sets}


def board_set(text: str) -> BoardSet:
    """Return the set with a name, or a board file as a set.

    Raises:
        InputError: there is no such set or file.
        NotationError: the file is not a board file.
    """
    if text in board_sets():
        return board_sets()[text]
    path = Path(text)
    if not path.exists():
        near = did_you_mean(text, board_sets())
        raise InputError(
            f"expected a board set ({', '.join(board_sets())}) or a board file, got {text!r}{near}"
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
    total = hashlib.sha256(format_boards(lines).encode()).hexdigest()
    name = f"{path.name}@{total[:8]}"
    return BoardSet(name, f"the file {path}", total, len(deals), lambda n: {name: deals[:n]})
