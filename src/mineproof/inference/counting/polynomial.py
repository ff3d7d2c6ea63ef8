"""Polynomials that count layouts: the coefficient of x^m counts the layouts with m mines.

For computations, a polynomial is packed into one Python integer with `width` bits per coefficient
(Kronecker substitution). Adding, shifting and multiplying polynomials are then single operations on
integers. The width must be large enough for every coefficient that can occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Polynomial(NamedTuple):
    """The coefficients, starting with the coefficient of x^least."""

    least: int
    counts: list[int]

    @property
    def most(self) -> int:
        """The largest power of x."""
        return self.least + len(self.counts) - 1

    def count(self, power: int) -> int:
        """Return the coefficient of a power; 0 outside `least` and `most`."""
        return self.counts[power - self.least] if self.least <= power <= self.most else 0

    def trimmed(self) -> Polynomial:
        """Drop zero coefficients at both ends, so that equal polynomials compare equal."""
        used = [power for power, count in enumerate(self.counts) if count]
        if not used:
            return Polynomial(0, [])
        return Polynomial(self.least + used[0], self.counts[used[0] : used[-1] + 1])

    def __mul__(self, other: Polynomial) -> Polynomial:  # type: ignore[override]
        """Return the product, which counts combinations of layouts of two sets of cells."""
        short, long = sorted((self, other), key=lambda factor: len(factor.counts))
        least = self.least + other.least
        if len(short.counts) == 1:
            factor = short.counts[0]
            return Polynomial(least, [factor * count for count in long.counts])
        bits = max(short.counts).bit_length() + max(long.counts).bit_length()
        width = round_up(bits + len(short.counts).bit_length())
        return Polynomial(
            least, unpack(pack(short.counts, width) * pack(long.counts, width), width)
        )


ONE = Polynomial(0, [1])
SHORT = 100
"""Up to this many pairs, products are summed one by one, because packing would take longer."""


def round_up(bits: int) -> int:
    """Round up to a multiple of 8, so that coefficients are whole bytes."""
    return -(-bits // 8) * 8


def pack(counts: Sequence[int], width: int) -> int:
    """Pack coefficients into one integer; `width` is a multiple of 8."""
    size = width // 8
    return int.from_bytes(b"".join([count.to_bytes(size, "little") for count in counts]), "little")


def unpack(packed: int, width: int) -> list[int]:
    """Return the coefficients packed in an integer; `width` is a multiple of 8."""
    size = width // 8
    data = packed.to_bytes(-(-packed.bit_length() // width) * size, "little")
    read = int.from_bytes
    return [read(data[start : start + size], "little") for start in range(0, len(data), size)]


def correlate(weights: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Return the sum of counts[j] * weights[k + j] over j, for every k for which it is defined."""
    length = len(weights) - len(counts) + 1
    if length * len(counts) <= SHORT:
        return [dot(counts, weights[k:]) for k in range(length)]
    bits = max(counts).bit_length() + max(weights).bit_length() + len(counts).bit_length()
    width = round_up(bits)
    product = unpack(pack(counts[::-1], width) * pack(weights, width), width)
    product += [0] * (len(weights) + len(counts) - 1 - len(product))
    return product[len(counts) - 1 : len(weights)]


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the sum of products of two lists, up to the length of the shorter one."""
    return sum(map(int.__mul__, left, right))


def shared_power(values: Iterable[int], width: int) -> int:
    """Return the largest power of x that divides all of these packed polynomials."""
    merged = 0
    for value in values:
        merged |= value
    return ((merged & -merged).bit_length() - 1) // width
