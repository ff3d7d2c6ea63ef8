"""A trained estimate of the chance to win with a guess: a small network.

A row of weights for each cell of the pattern and what it is, for its risk, and for each number
are summed; to them, for each value that the candidate can show, rows for what would be left then.
Two layers follow. They give what the rest of the game leaves of the chance to survive the move
after that value.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Any

from mineproof.backend import native
from mineproof.core.errors import InputError
from mineproof.search.features import (
    AFTER_CELLS,
    AFTER_SCALARS,
    CELLS,
    KINDS,
    SCALARS,
    Features,
    ShownValue,
)

FORM = b"MINEVAL3"
"""The letters that the data begin with."""
WIDEST = 256
RISK_ROWS = CELLS * KINDS
SCALAR_ROWS = RISK_ROWS + CELLS
CONSTANT_ROW = SCALAR_ROWS + SCALARS
VALUE_ROWS = CONSTANT_ROW + 1
AFTER_ROWS = VALUE_ROWS + 9
AFTER_RISK_ROWS = AFTER_ROWS + AFTER_SCALARS
ROWS = AFTER_RISK_ROWS + AFTER_CELLS
FILE = "evaluation.bin"


class Evaluation:
    """The network; the same numbers as in the native core, but for rounding to 32 bits."""

    def __init__(self, data: bytes) -> None:
        """Read the form, the widths of the two layers, and all weights, 16 bits each.

        Raises:
            InputError: the data are of another form, or broken.
        """
        if not data.startswith(FORM) or len(data) % 2:
            raise InputError(f"expected an evaluation of the form {FORM.decode()}, got another")
        widths = _numbers("I", data[8:16], 4)
        weights = array("f", _numbers("e", data[16:], 2))
        if len(widths) < 2 or not all(1 <= width <= WIDEST for width in widths):
            raise InputError(f"expected two layers of 1 to {WIDEST} numbers, got {list(widths)}")
        width, inner = widths
        sizes = ROWS * width, (width + 1) * inner, inner + 1
        if len(weights) != sum(sizes):
            raise InputError(f"expected {sum(sizes)} weights, got {len(weights)}")
        if not all(map(math.isfinite, weights)):
            raise InputError("expected finite weights")
        self._data = data
        self._rows = _cut(weights[: sizes[0]], width)
        second = _cut(weights[sizes[0] : sizes[0] + sizes[1]], inner)
        self._second = list(zip(*second, strict=True))
        self._last = weights[sizes[0] + sizes[1] :]

    @cached_property
    def native(self) -> Any:
        """The same for the native core, which must be there."""
        assert native is not None
        return native.Evaluation(self._data)

    def win(self, features: Features) -> float:
        """Estimate the chance to win if the candidate is opened."""
        rows = [(1.0, CONSTANT_ROW)]
        rows += [(1.0, cell * KINDS + kind) for cell, kind in enumerate(features.kind)]
        rows += [(risk, RISK_ROWS + cell) for cell, risk in enumerate(features.risk) if risk > 0]
        rows += [(value, SCALAR_ROWS + i) for i, value in enumerate(features.scalar)]
        candidate = self._sum([0.0] * len(self._rows[0]), rows)
        parts = (
            shown.survival / (1 + math.exp(-self._judge(shown, candidate)))
            for shown in features.shown
        )
        return features.safety * sum(parts)

    def _sum(self, sums: list[float], rows: Iterable[tuple[float, int]]) -> list[float]:
        for factor, row in rows:
            weights = self._rows[row]
            sums = [total + factor * weight for total, weight in zip(sums, weights, strict=True)]
        return sums

    def _judge(self, shown: ShownValue, candidate: list[float]) -> float:
        rows = [(1.0, VALUE_ROWS + shown.value)]
        rows += [(value, AFTER_ROWS + i) for i, value in enumerate(shown.scalar)]
        rows += [(risk, AFTER_RISK_ROWS + cell) for cell, risk in enumerate(shown.risk) if risk > 0]
        first = [max(value, 0.0) for value in self._sum(candidate, rows)]
        inner = [max(_weighed(weights, first), 0.0) for weights in self._second]
        return _weighed(self._last, inner)


def _numbers(kind: str, data: bytes, size: int) -> tuple[Any, ...]:
    """Read numbers, the least byte first."""
    return struct.unpack(f"<{len(data) // size}{kind}", data[: len(data) // size * size])


def _cut(weights: array[float], width: int) -> list[Sequence[float]]:
    return [weights[at : at + width] for at in range(0, len(weights), width)]


def _weighed(weights: Sequence[float], values: Iterable[float]) -> float:
    """Sum up values by their weights; the last weight is a constant."""
    return weights[-1] + sum(map(float.__mul__, weights, values))


@cache
def load_evaluation() -> Evaluation | None:
    """Give the evaluation that comes with the package; None if there is none."""
    file = resources.files("mineproof.search") / FILE
    return Evaluation(file.read_bytes()) if file.is_file() else None
