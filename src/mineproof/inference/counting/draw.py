"""Exact random choices with weights of any size."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.core.random import Stream


def pick(weights: Sequence[int], stream: Stream) -> int:
    """Draw a position with a probability proportional to its weight, exactly."""
    value = below(sum(weights), stream)
    for position, weight in enumerate(weights):
        value -= weight
        if value < 0:
            return position
    raise AssertionError("the value is below the sum of the weights")


def below(bound: int, stream: Stream) -> int:
    """Draw a number from 0 to `bound - 1` of any size, exactly uniform (by rejection)."""
    bits = bound.bit_length()
    while True:
        value = 0
        for _ in range(0, bits, 64):
            value = value << 64 | stream.next()
        value >>= -bits % 64
        if value < bound:
            return value
