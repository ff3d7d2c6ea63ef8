"""Mineproof's random number generator, which returns the same numbers in Python and in C++.

It is SplitMix64 (Steele, Lea and Flood, 2014). The seed, a purpose and a key are hashed before use,
so that neighbouring seeds, and different purposes with the same seed, give independent streams.
`native/random.hpp` is the C++ version. Tests compare the two number by number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import IntEnum

from mineproof.core.errors import InputError, whole_number

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MAX_SEED = MASK
MAX_GAME_SEED = (1 << 128) - 1
"""The largest seed of a game. The range is so large that no one can find a seed by trying them
all."""


class Purpose(IntEnum):
    """The purpose of a stream of random numbers. Each purpose has a separate stream per seed."""

    DEAL = 1
    GIVEN = 2
    CLUE = 3
    AGENT = 4
    SAMPLE = 5
    MAKE = 6


def mix(value: int) -> int:
    """Mix 64 bits (the output function of SplitMix64)."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class Stream:
    """A repeatable stream of random numbers. A seed longer than 64 bits combines two."""

    __slots__ = ("_other", "_state")

    def __init__(self, seed: int, purpose: Purpose, key: int = 0) -> None:
        """Start the stream for a seed, a purpose and a key."""
        self._other = Stream(seed >> 64, purpose, key) if seed > MASK else None
        state = mix((seed + GOLDEN) & MASK)
        state = mix((state + purpose * GOLDEN) & MASK)
        self._state = mix((state + (key + 1) * GOLDEN) & MASK)

    def next(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + GOLDEN) & MASK
        value = mix(self._state)
        return value if self._other is None else value ^ self._other.next()

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound - 1`, exactly uniform (by rejection)."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            value = self.next()
            if value < limit:
                return value % bound

    def fraction(self) -> float:
        """Return a float in [0, 1) with 53 random bits."""
        return (self.next() >> 11) * 2.0**-53

    def choose(self, pool: list[int], count: int) -> list[int]:
        """Draw `count` distinct items by a partial Fisher-Yates shuffle of `pool`, in place."""
        size = len(pool)
        for index in range(count):
            other = index + self.below(size - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:count]


def check_seed(seed: int, most: int = MAX_SEED) -> int:
    """Return the seed as an `int` if it is valid. Games allow seeds up to `MAX_GAME_SEED`.

    Raises:
        TypeError: the seed is not a whole number.
        InputError: it is not from 0 to `most`.
    """
    number = whole_number(seed, "a seed")
    if not 0 <= number <= most:
        raise InputError(f"expected a seed from 0 to 2**{most.bit_length()} - 1, got {seed!r}")
    return number


def short_seed(seed: int) -> int:
    """Return a game's seed shortened to 64 bits; shorter seeds stay as they are."""
    return seed if seed <= MAX_SEED else Stream(seed, Purpose.AGENT).next()


def pick(weights: Sequence[int], stream: Stream) -> int:
    """Draw an index with a probability exactly proportional to its weight."""
    value = below(sum(weights), stream)
    for position, weight in enumerate(weights):
        value -= weight
        if value < 0:
            return position
    raise AssertionError("the value is below the sum of the weights")


def below(bound: int, stream: Stream) -> int:
    """Draw a number from 0 to `bound - 1`, exactly uniform (by rejection), for any bound."""
    bits = bound.bit_length()
    while True:
        value = 0
        for _ in range(0, bits, 64):
            value = value << 64 | stream.next()
        value >>= -bits % 64
        if value < bound:
            return value


def hashed_seed(seed: int, salt: str = "") -> int:
    """Return the seed for a user agent: a hash of the game's seed, which cannot be inverted.

    A random salt prevents the agent from finding the seed by trying all seeds that a run may use.
    """
    text = f"agent {salt} {seed}" if salt else f"agent {seed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
