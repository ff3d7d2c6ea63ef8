"""Damaged input for parsers: strings, bytes and JSON values with a few changes.

A parser may return a value or raise an error of `mineproof.core.errors`. Anything else is a bug.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from conftest import FUZZ_SEED

from mineproof.core.errors import InputError, WorkLimitError

REFUSALS = (InputError, WorkLimitError)
PIECES = (
    *("", "0", "-1", "9", "99999999999999999999", "1e999", "nan", "é", "\0", "\n", "\n\n", " "),
    *("x", ":", ",", "/", "?", "H", "[", "]", "{", "}", '"', "null", "true", "\ud800", "\ufeff"),
    *("²", "٣", "\x1b[31m", "\x85", "\u2028", "1_0", "+1", "0x1", "Infinity", "#", "=", "..", "-"),
    *("[" * 3000, "9" * 5000),
    *("[" * deep + "]" * deep for deep in (40, 900, 950, 985, 1500)),  # valid JSON, deeply nested
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 9, 2**31, 2**63, 2**64, 10**40, 10**400, 0.5, -0.5, 1e308),
    *("", "0", "-1", "x", "nan", "1e999", "\0", "\ud800", "x" * 5000, "9" * 5000, "\x1b[31m"),
    *([], [0], [-1], [[]], [None], [10**400], [""], {}, {"": 0}, {"x": {}}, {"x": [None]}),
)


def spoilt(text: str, dice: random.Random) -> str:
    """Change a few characters of a string."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        place = dice.randrange(len(text) + 1)
        cut = dice.choice((0, 0, 1, 1, 7))
        text = text[:place] + dice.choice(PIECES) + text[place + cut :]
    return text


def spoilt_bytes(data: bytes, dice: random.Random) -> bytes:
    """Change some bytes, most of them near the start, where formats describe what follows."""
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        near = min(len(found), dice.choice((40, 200, 10**9)))
        place = dice.randrange(near) if near else 0
        way = dice.random()
        if way < 0.6:
            found[place : place + 1] = bytes([dice.choice((0, 1, 127, 255, dice.randrange(256)))])
        elif way < 0.8:
            del found[dice.randrange(len(found) + 1) :]
        else:
            found[place:place] = dice.randbytes(dice.choice((1, 4, 50)))
    return bytes(found)


def spoilt_value(value: Any, dice: random.Random) -> Any:
    """Replace, remove or add some values, at any depth."""
    found = copy.deepcopy(value)
    for _ in range(dice.choice((1, 1, 2, 4))):
        places = list(_places(found))
        if not places:
            return dice.choice(VALUES)
        holder, key = dice.choice(places)
        way = dice.random()
        if way < 0.15:
            del holder[key]
        elif way < 0.25 and isinstance(holder, dict):
            holder[dice.choice(("", "x", "version", "0" * 32))] = dice.choice(VALUES)
        else:
            holder[key] = copy.deepcopy(dice.choice(VALUES))
    return found


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return all containers and keys within a value."""
    holders, found = [value], []
    while holders:
        one = holders.pop()
        keys = one.keys() if isinstance(one, dict) else range(len(one))
        inner = [(one, key) for key in keys]
        found += inner
        holders += [one[key] for _, key in inner if isinstance(one[key], (dict, list))]
    return found


def check_reader(
    read: Callable[[Any], object], spoil: Callable[[random.Random], Any], rounds: int
) -> int:
    """Call a parser with input damaged at random. Return how often it raised an expected error."""
    dice = random.Random(FUZZ_SEED)
    rejected = 0
    for _ in range(rounds):
        wrong = spoil(dice)
        try:
            read(wrong)
        except REFUSALS:
            rejected += 1
        except Exception as error:
            shown = repr(wrong)
            shown = shown if len(shown) < 4000 else f"{shown[:4000]}... ({len(shown)} letters)"
            pytest.fail(f"seed {FUZZ_SEED}: {shown} gave {error!r}", pytrace=False)
    return rejected
