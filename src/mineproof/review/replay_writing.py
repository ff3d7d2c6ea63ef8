"""Export of records as `.evf` replays (version 3), an open format that many programs can play.

Moves become clicks in the middle of their cells, at the time they were made. Moves without a time
are written at a steady pace. The replay has no checksum, so rankings will not accept it.
"""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.rules import Explosion, Goal
from mineproof.notation.records import Record
from mineproof.review.metrics import measure

SOFTWARE = "mineproof"
SIDE = 16
"""The side of a cell in pixels."""
PACE = 0.1
"""Seconds between moves that have no recorded time."""
MOST_ROWS, MOST_MINES, MOST_MILLISECONDS = 255, 65_535, (1 << 24) - 1
_VERSION, _END = 3, 255
_WON, _FAIR = 0x80, 0x20
_LEFT_DOWN, _LEFT_UP, _RIGHT_DOWN, _RIGHT_UP = 2, 3, 4, 5
_CLICKS = {
    Action.OPEN: (_LEFT_DOWN, _LEFT_UP),
    Action.MARK: (_RIGHT_DOWN, _RIGHT_UP),
    Action.UNMARK: (_RIGHT_DOWN, _RIGHT_UP),
    Action.CHORD: (_RIGHT_DOWN, _LEFT_DOWN, _LEFT_UP, _RIGHT_UP),
}


def format_evf(record: Record) -> bytes:
    """Return a record as the bytes of an `.evf` replay.

    Raises:
        InputError: the replay format cannot hold this game.
        NotationError: the record does not replay.
    """
    game = record.replay()
    _check(record, game)
    clicks = list(_clicks(record))
    seconds = clicks[-1][0]
    if seconds * 1000 > MOST_MILLISECONDS:
        raise InputError(f"expected at most {MOST_MILLISECONDS // 1000} seconds, got {seconds:.0f}")
    return b"".join(
        (
            _head(record, measure(game).bbbv, seconds),
            _mine_bits(record),
            *(_event(*click) for click in clicks),
            bytes([_END]),
        )
    )


def _check(record: Record, game: Game) -> None:
    rules = record.rules
    if record.first is None or game.board is None:
        raise InputError("the game has no first click, so it cannot be written as a replay")
    if max(rules.rows, rules.columns) > MOST_ROWS or rules.mines > MOST_MINES:
        raise InputError(
            f"expected a replay with at most {MOST_ROWS} rows and columns, got {rules.level}"
        )
    if not rules.is_classic:
        raise InputError(
            f"a replay can only hold a classic game (clues {EXACT}, goal {Goal.OPEN}, explosion "
            f"{Explosion.LOSE}, flood), but this game has other rules"
        )


def _clicks(record: Record) -> Iterator[tuple[float, Action, Cell]]:
    """Yield the time, action and cell of each click, including the first one."""
    assert record.first is not None
    now = 0.0
    yield now, Action.OPEN, record.first
    for step in record.steps:
        now = now + PACE if step.seconds is None else max(now, step.seconds)
        yield now, step.move.action, step.move.cell


def _head(record: Record, bbbv: int, seconds: float) -> bytes:
    rules, outcome = record.rules, record.outcome
    won = outcome is not None and outcome.result is Result.WIN
    flags = _FAIR | (_WON if won else 0)
    numbers = (
        *((_VERSION, 1), (flags, 1), (0, 1), (rules.rows, 1), (rules.columns, 1)),
        *((rules.mines, 2), (SIDE, 1), (0, 2), (bbbv, 2), (round(seconds * 1000), 3)),
    )
    texts = (SOFTWARE, record.player, "", "", "0", "0", "", "")
    # the fields after the player: race, identity, start, end, country and device; empty if unknown
    return b"".join(
        (
            *(number.to_bytes(size, "big") for number, size in numbers),
            *(text.replace("\0", " ").encode() + b"\0" for text in texts),
        )
    )


def _mine_bits(record: Record) -> bytes:
    """Return one bit per cell, in row order."""
    size = record.rules.grid.size
    bits = bytearray((size + 7) // 8)
    for mine in record.mines:
        bits[mine // 8] |= 0x80 >> mine % 8
    return bytes(bits)


def _event(seconds: float, action: Action, cell: Cell) -> bytes:
    """Return the mouse events of an action in the middle of a cell."""
    middle = b"".join((SIDE * n + SIDE // 2).to_bytes(2, "big") for n in reversed(cell))
    time = round(seconds * 1000).to_bytes(3, "big")
    return b"".join(bytes([button]) + time + middle for button in _CLICKS[action])
