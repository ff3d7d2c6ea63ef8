"""The WebAssembly build of the core, which replaces `mineproof._native` in browsers.

It has the interface that `_native.pyi` describes, except `VectorEnv`, which browsers do not need.
It can be imported only if Pyodide has loaded the core (`web/site/core.js`). Each question is one
call with flat bytes, which `native/wasm/border.cpp` reads and answers. There is only one thread, so
the number of `cores` has no effect.
"""

from __future__ import annotations

import struct

from mineproof.wasm import border
from mineproof.wasm.border import WorkLimit
from mineproof.wasm.no_guess import NoGuessDealer
from mineproof.wasm.position import SolvedPosition
from mineproof.wasm.settings import DeepSettings, Evaluation, GuessSettings, Limits

__all__ = [
    "DeepSettings",
    "Evaluation",
    "GuessSettings",
    "Limits",
    "NoGuessDealer",
    "SolvedPosition",
    "WorkLimit",
    "deal",
    "play_games",
    "solve_text",
    "tally_games",
    "time_text",
    "trace_games",
]


def _settings_or_none(settings: GuessSettings | None) -> bytes:
    if settings is None:
        return b"\0"
    border.expect(GuessSettings, settings)
    return b"\1" + settings.flat


def deal(rows: int, columns: int, mines: int, start: str, first: int, seed: int) -> bytes:
    """Return the board that `mineproof.core.board.deal` deals, with one byte per cell."""
    return border.ask(
        "deal", border.pack("<iiiqQ", rows, columns, mines, first, seed), border.lettered(start)
    )


def solve_text(text: str, limits: Limits) -> SolvedPosition | None:
    """Read and solve one plain position. Return None if it is not plain."""
    border.expect(Limits, limits)
    try:
        letters = border.lettered(text)
    except UnicodeEncodeError:  # text with lone surrogates cannot be encoded
        return None
    answer = border.ask("solve_text", limits.flat, letters)
    return SolvedPosition.kept(answer) if answer else None


def time_text(text: str, nodes: int, repeats: int) -> float:
    """Return how long the core takes to read and solve a plain position, in seconds."""
    answer = border.ask("time_text", border.pack("<qi", nodes, repeats), border.lettered(text))
    return float(struct.unpack("<d", answer)[0])


def play_games(
    rows: int,
    columns: int,
    mines: int,
    boards: bytes,
    first: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> list[tuple[str, int, int, float, int]]:
    """Play boards as the agent `champion` does, or (without settings) as `exact` does."""
    head = border.pack("<iiiqq", rows, columns, mines, first, nodes)
    answer = border.ask("play_games", head, _settings_or_none(settings), border.counted(boards))
    names = ("win", "loss", "stuck")
    return [
        (names[result], guesses, moves, milliseconds, false_proofs)
        for result, guesses, moves, milliseconds, false_proofs in struct.iter_unpack(
            "<iqqdq", answer
        )
    ]


def tally_games(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> tuple[int, int, int, int, int, int, int, int]:
    """Deal boards from consecutive seeds and play them. Return the totals."""
    head = border.pack("<iiiqqQq", rows, columns, mines, first, nodes, seed, games)
    answer = border.ask("tally_games", head, _settings_or_none(settings), border.lettered(start))
    won, lost, stuck, guesses, moves, opened, proofs, false_proofs = struct.unpack("<8q", answer)
    return won, lost, stuck, guesses, moves, opened, proofs, false_proofs


def trace_games(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> bytes:
    """Deal boards from consecutive seeds and play them. Return 32 bytes per game."""
    head = border.pack("<iiiqqQq", rows, columns, mines, first, nodes, seed, games)
    return border.ask("trace_games", head, _settings_or_none(settings), border.lettered(start))
