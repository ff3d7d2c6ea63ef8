"""The random generator: published values, exact uniformity and independent streams."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import seeds

import mineproof as mw
from mineproof.core.errors import InputError
from mineproof.core.random import (
    MAX_GAME_SEED,
    MAX_SEED,
    Purpose,
    Stream,
    check_seed,
    short_seed,
)


class Scripted(Stream):
    """A stream that returns prepared 64-bit values."""

    __slots__ = ("_script",)

    def __init__(self, script: Iterable[int]) -> None:
        self._script = iter(script)

    def next(self) -> int:
        return next(self._script)


def test_the_generator_is_splitmix64() -> None:
    """The generator returns the values that its authors published for the state 1234567."""
    stream = Stream(0, Purpose.DEAL)
    stream._state = 1234567
    assert [stream.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_the_streams_never_change() -> None:
    """Seeds must give the same boards in every version, so these values must never change."""
    assert Stream(0, Purpose.DEAL).next() == 2391539541053276776
    assert Stream(7, Purpose.CLUE, 3).next() == 4654387711283220681
    assert Stream(3, Purpose.SAMPLE).fraction() == 0.18773773223957824


def test_below_rejects_the_last_incomplete_round() -> None:
    """2**64 is not a multiple of 3, so the highest value is rejected and drawn again."""
    assert Scripted([MAX_SEED, 5]).below(3) == 2
    assert Scripted([MAX_SEED - 1]).below(3) == 2
    assert Scripted([MAX_SEED]).below(4) == 3
    assert Scripted([MAX_SEED]).below(1) == 0


@pytest.mark.parametrize(
    ("size", "count"), [(5, 0), (5, 1), (5, 2), (5, 4), (5, 5), (6, 3), (1, 1)]
)
def test_choosing_is_exactly_uniform(size: int, count: int) -> None:
    """If `below` is uniform, every ordered choice is equally likely."""
    bounds = [range(size - place) for place in range(count)]
    drawn = Counter(
        tuple(Scripted(script).choose(list(range(size)), count))
        for script in itertools.product(*bounds)
    )
    assert drawn == Counter(itertools.permutations(range(size), count))


@given(seeds(), st.integers(1, 2**64))
def test_below_stays_below(seed: int, bound: int) -> None:
    assert 0 <= Stream(seed, Purpose.SAMPLE).below(bound) < bound


@given(seeds(), st.sampled_from(Purpose), st.integers(0, 10**6))
def test_streams_repeat_and_differ(seed: int, purpose: Purpose, key: int) -> None:
    """The same arguments always give the same stream, and any other give another stream."""
    values = [Stream(seed, purpose, key).next(), Stream(seed, purpose, key).next()]
    others = [
        Stream((seed + 1) % 2**64, purpose, key).next(),
        Stream(seed, purpose, key + 1).next(),
        *(Stream(seed, other, key).next() for other in Purpose if other is not purpose),
    ]
    assert values[0] == values[1]
    assert values[0] not in others


@given(seeds())
def test_fractions_are_shares(seed: int) -> None:
    assert 0 <= Stream(seed, Purpose.SAMPLE).fraction() < 1
    assert Scripted([MAX_SEED]).fraction() < 1


def test_bits_are_fair() -> None:
    """Each of the 64 bits of the first value is set for about half of the seeds."""
    number = 4000
    values = [Stream(seed, Purpose.DEAL).next() for seed in range(number)]
    for bit in range(64):
        ones = sum(value >> bit & 1 for value in values)
        assert abs(ones - number / 2) < 5 * (number / 4) ** 0.5


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "7", None, True])
def test_what_is_no_seed(seed: Any) -> None:
    """A seed is an unsigned 64-bit integer."""
    error = r"from 0 to 2\*\*64 - 1" if type(seed) is int else "as a whole number"
    with pytest.raises(InputError, match=f"expected a seed {error}, got"):
        check_seed(seed)
    assert check_seed(MAX_SEED) == MAX_SEED


def test_long_seeds() -> None:
    """Both halves of a long seed matter, and short seeds keep their meaning."""
    long = 2**100 + 7
    first = [Stream(seed, Purpose.DEAL).next() for seed in (7, long, long + 1, long + 2**64)]
    assert len(set(first)) == 4
    assert short_seed(7) == 7
    assert short_seed(long) <= MAX_SEED
    board = mw.deal(mw.EXPERT, long, (0, 0))
    assert sum(board.mined) == 99
    game = mw.Game("expert", seed=long)
    assert game.seed == long
    for wrong in (-1, 2**128, True, "7"):
        with pytest.raises(mw.InputError, match=r"expected a seed (from 0 to|as a whole)"):
            check_seed(wrong, MAX_GAME_SEED)  # type: ignore[arg-type]
