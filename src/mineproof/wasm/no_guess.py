"""No-guess boards from the WebAssembly core."""

from __future__ import annotations

import struct

from mineproof.wasm.border import ask, counted, drop, pack


class NoGuessDealer:
    """A dealer of boards that can be won without a guess."""

    _number = 0

    def __init__(
        self, rows: int, columns: int, mines: int, first: int, nodes: int = 1000000
    ) -> None:
        """Set the size, the number of mines and the first cell."""
        kept = ask("no_guess_dealer", pack("<iiiqq", rows, columns, mines, first, nodes))
        (self._number,) = struct.unpack("<I", kept)

    def __del__(self) -> None:
        """Free the dealer in the core."""
        drop(self._number)

    def find(self, seed: int, begin: int, end: int) -> tuple[int, bytes | None]:
        """Return the first attempt that deals such a board, and the board; else `end` and None."""
        answer = ask("find_no_guess", pack("<IQQQ", self._number, seed, begin, end))
        (attempt,) = struct.unpack_from("<Q", answer)
        return attempt, answer[8:] or None

    def is_no_guess(self, mined: bytes) -> bool:
        """Return whether a board (one byte per cell) can be won without a guess."""
        return ask("is_no_guess", pack("<I", self._number), counted(mined)) != b"\0"

    def solve(self, mined: bytes) -> bytes:
        """Return the position after all proved moves on a board, with one code per cell."""
        return ask("solve_by_proofs", pack("<I", self._number), counted(mined))
