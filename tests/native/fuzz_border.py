"""Throw good and hostile arguments at the native core: `fuzz_border.py MODULE.so [ROUNDS]`.

Run by `test_sanitizers.py` with a core built to abort on any memory error. What is right must
equal the Python twin; what is wrong must raise one of `REFUSALS`. To cover a new function with
arguments that make sense, add a generator of calls to `SENSIBLE`.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

REFUSALS = (TypeError, ValueError, OverflowError, RuntimeError, MemoryError)
"""What a call may raise: builtins, or the classes of `mineproof.core.errors`, all of these."""

HOSTILE: tuple[object, ...] = (
    *(None, True, 0, 1, -1, 2, 9, 16, 255, 256, 999, 1000, 1001, 2**31 - 1, -(2**31), 2**31),
    *(2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**40, 0.5, float("nan"), float("inf"), 1j),
    *("", "any", "safe", "opening", "given", "lose", "\0", "\ud800", "x" * 10_000, "9x9x10\n"),
    *(b"", b"\0", b"\x09" * 81, b"\x0b" * 9, b"\xff" * 64, bytearray(9), memoryview(b"\0" * 9)),
    *([], [0], [-1], [2**70], [None], [[0]], (), (0, 0), {}, {0: 0}, {1, 2}, range(3), object),
)


def load(path: str) -> ModuleType:
    """Load the core at this path in place of the installed one."""
    spec = importlib.util.spec_from_file_location("mineproof._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["mineproof._native"] = module
    return module


def fuzz_deal(core: ModuleType, dice: random.Random) -> None:
    """Deal a board of any kind; it must be the one that Python deals."""
    from mineproof.core.board import deal
    from mineproof.core.rules import Rules, Start

    rows, columns = dice.choice((1, 2, 3, 9, 40)), dice.choice((1, 2, 5, 30, 1000))
    cells = rows * columns
    mines = dice.choice((0, cells // 5, cells - 1, dice.randrange(cells)))
    start = dice.choice(("any", "safe", "opening", "given"))
    first, seed = dice.randrange(cells), dice.choice((0, 2**64 - 1, dice.getrandbits(64)))
    dealt = core.deal(rows, columns, mines, start, first, seed)
    rules = Rules(rows, columns, mines, Start.parse(start))
    assert dealt == deal(rules, seed, divmod(first, columns)).mined, (rules, first, seed)


SENSIBLE: tuple[Callable[[ModuleType, random.Random], None], ...] = (fuzz_deal,)


def functions(core: ModuleType) -> dict[str, Callable[..., Any]]:
    """Give all that can be called at the border, by name: functions and classes."""
    return {name: value for name, value in vars(core).items() if callable(value)}


def hostile_calls(dice: random.Random) -> Iterator[tuple[object, ...]]:
    """Give arguments that nobody would pass: few or many, of any kind and size."""
    for count in range(10):
        for _ in range(1 + 4 * count):
            yield tuple(dice.choice(HOSTILE) for _ in range(count))


def bent_calls(dice: random.Random) -> Iterator[tuple[object, ...]]:
    """Give the arguments of a deal with one or two of them spoilt."""
    for _ in range(50):
        call: list[object] = [9, 9, 10, "safe", 40, 7]
        for _ in range(dice.choice((1, 1, 2))):
            call[dice.randrange(len(call))] = dice.choice(HOSTILE)
        yield tuple(call)


def survive(function: Callable[..., Any], arguments: tuple[object, ...]) -> bool:
    """Call a function; give whether it refused. Anything but an answer or a refusal is a bug."""
    try:
        function(*arguments)
    except REFUSALS:
        return True
    return False


def main(path: str, rounds: int = 20) -> None:
    """Fuzz the core and say how much was tried."""
    core = load(path)
    dice = random.Random(20)
    calls = refused = 0
    for _ in range(rounds):
        for name, function in functions(core).items():
            hostile = [*hostile_calls(dice), *(bent_calls(dice) if name == "deal" else ())]
            calls += len(hostile)
            refused += sum(survive(function, arguments) for arguments in hostile)
        for sensible in SENSIBLE:
            sensible(core, dice)
    assert refused > calls // 2, f"expected most hostile calls to be refused, got {refused}"
    print(f"{calls} hostile calls, {refused} refused; {rounds * len(SENSIBLE)} sensible ones")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
