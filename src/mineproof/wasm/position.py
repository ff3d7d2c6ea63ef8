"""Solved positions of the WebAssembly core."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from mineproof.wasm.border import ask, ask_while, counted, drop, expect, lettered, pack
from mineproof.wasm.settings import DeepSettings, GuessSettings, Limits

_HEAD = struct.Struct("<Iiiiiiq?")
_BEGIN = _HEAD.size
BOUNDS = ("states", "time", "memory", "width", "precision")
"""Names of the limits that can end the work, in the core's order."""
_Candidates = list[tuple[int, float, float | None, float | None, float, int]]


def _or_none(chance: float) -> float | None:
    return None if chance < 0 else chance


def _run(playouts: int, seconds: float, seed: int, cores: int, goes_on: object | None) -> bytes:
    return pack("<qdQi?", playouts, seconds, seed, cores, goes_on is not None)


class SolvedPosition:
    """A solved position in the core, which answers questions about it."""

    _number = 0

    def __init__(
        self,
        rows: int,
        columns: int,
        shown: bytes,
        clues: str,
        prior: tuple[str, float, float],
        limits: Limits,
    ) -> None:
        """Solve a position. `status` shows whether that was possible."""
        expect(Limits, limits)
        expect(tuple, prior)
        if len(prior) != 3:
            raise TypeError(f"expected a prior with three values, got {len(prior)}")
        kind, low, high = prior
        self._keep(
            ask(
                "solve",
                *(pack("<iidd", rows, columns, low, high), limits.flat),
                *(lettered(kind), lettered(clues), counted(shown)),
            )
        )

    def _keep(self, answer: bytes) -> None:
        self._answer = answer
        (
            self._number,
            self.rows,
            self.columns,
            self.mines,
            self.status,
            self._bound,
            self.nodes,
            self._has_results,
        ) = _HEAD.unpack_from(answer)

    @property
    def bound(self) -> str:
        """The limit that ended the work, if any."""
        return BOUNDS[self._bound]

    @property
    def shown(self) -> bytes:
        """The code of each cell."""
        return self._columns(0, 1)

    @property
    def risks(self) -> bytes:
        """The risk of each cell as a double; NaN unless the cell is unopened."""
        return self._columns(1, 9) if self._has_results else b""

    @property
    def verdicts(self) -> bytes:
        """The verdict of each cell as a byte: 0 open, 1 proved safe, 2 proved mine."""
        return self._columns(9, 10) if self._has_results else b""

    def _columns(self, begin: int, end: int) -> bytes:
        """Return some of the answer's ten columns. Each column has one byte per cell."""
        cells = self.rows * self.columns
        return self._answer[_BEGIN + begin * cells : _BEGIN + end * cells]

    @classmethod
    def kept(cls, answer: bytes) -> SolvedPosition:
        """Return the solved position in an answer of the core."""
        solved = cls.__new__(cls)
        solved._keep(answer)
        return solved

    def __del__(self) -> None:
        """Free the position in the core."""
        drop(self._number)

    def _ask(self, name: str, *parts: bytes) -> bytes:
        return ask(name, pack("<I", self._number), *parts)

    def layouts(self, limits: Limits) -> tuple[int, int, list[tuple[int, list[int]]]]:
        """Count the layouts exactly: (fixed mines, interior cells, components)."""
        expect(Limits, limits)
        answer = self._ask("layouts", limits.flat)
        fixed, interior, count = struct.unpack_from("<iiI", answer)
        at, components = 12, []
        for _ in range(count):
            low, terms, limbs = struct.unpack_from("<iii", answer, at)
            at += 12
            ends = range(at, at + 8 * limbs * terms, 8 * limbs) if limbs else [at] * terms
            counts = [int.from_bytes(answer[end : end + 8 * limbs], "little") for end in ends]
            at += 8 * limbs * terms
            components.append((low, counts))
        return fixed, interior, components

    def values(self, cell: int, limits: Limits) -> tuple[float, ...]:
        """Return the chances that a cell is safe and has 0, 1, … 8 mines around it."""
        expect(Limits, limits)
        return struct.unpack("<9d", self._ask("values", pack("<i", cell), limits.flat))

    def suppose(
        self, clues: Sequence[tuple[int, int]], limits: Limits
    ) -> tuple[bytes, bytes] | None:
        """Return (risks, verdicts) on the assumption that some unopened cells show these clues."""
        expect(Limits, limits)
        pairs = [pack("<ii", *pair) for pair in clues]
        answer = self._ask("suppose", limits.flat, pack("<I", len(pairs)), *pairs)
        cells = self.rows * self.columns
        return (answer[: 8 * cells], answer[8 * cells :]) if answer else None

    def sample(self, seed: int) -> bytes:
        """Return a random layout, drawn by weight, with one byte per cell."""
        return self._ask("sample", pack("<Q", seed))

    def win_chances(
        self, layouts: int, moves: bool, limits: Limits
    ) -> tuple[float | None, bool, int | None, bytes, int]:
        """Search for best play. Return (win, exact, best cell, wins, steps)."""
        expect(Limits, limits)
        expect(bool, moves)
        answer = self._ask("win_chances", pack("<i?", layouts, moves), limits.flat)
        head = "<?d?iq"
        known, win, exact, best, steps = struct.unpack_from(head, answer)
        wins = answer[struct.calcsize(head) :]
        return (win if known else None), exact, (best if best >= 0 else None), wins, steps

    def guess(
        self, settings: GuessSettings, limits: Limits
    ) -> tuple[int, bool, float | None, _Candidates] | None:
        """Choose a guess if no cell is proved safe. Return (cell, exact, win, candidates)."""
        expect(GuessSettings, settings)
        expect(Limits, limits)
        answer = self._ask("guess", settings.flat, limits.flat)
        if not answer:
            return None
        cell, exact, win = struct.unpack_from("<i?d", answer)
        return cell, exact, _or_none(win), _candidates(answer[13:])

    def guess_deep(
        self,
        settings: DeepSettings,
        playouts: int,
        seconds: float,
        seed: int,
        cores: int,
        goes_on: object | None,
        limits: Limits,
    ) -> tuple[int, bool, _Candidates] | None:
        """Choose a guess by playouts. Return (cell of the fast policy, exact, candidates)."""
        expect(DeepSettings, settings)
        expect(Limits, limits)
        run = _run(playouts, seconds, seed, cores, goes_on)
        parts = pack("<I", self._number), settings.flat, run, limits.flat
        answer = ask_while(goes_on, "guess_deep", *parts)
        if not answer:
            return None
        cell, exact = struct.unpack_from("<i?", answer)
        return cell, exact, _candidates(answer[5:])

    def play_layouts(
        self,
        cells: Sequence[int],
        policy: GuessSettings,
        layouts: int,
        seconds: float,
        seed: int,
        cores: int = 1,
        goes_on: object | None = None,
    ) -> list[list[float]]:
        """Play out random layouts after opening each of the cells. Return the win chances."""
        expect(GuessSettings, policy)
        many = pack(f"<I{len(cells)}i", len(cells), *cells)
        run = _run(layouts, seconds, seed, cores, goes_on)
        answer = ask_while(
            goes_on, "play_layouts", pack("<I", self._number), policy.flat, run, many
        )
        if not cells:
            return [[] for _ in range(*struct.unpack_from("<I", answer))]
        return [list(row) for row in struct.iter_unpack(f"<{len(cells)}d", answer[4:])]


def _candidates(answer: bytes) -> _Candidates:
    return [
        (cell, following, _or_none(win), _or_none(played), error, playouts)
        for cell, following, win, played, error, playouts in struct.iter_unpack("<iddddi", answer)
    ]
