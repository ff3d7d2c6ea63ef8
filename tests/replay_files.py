"""Write a game, given as clicks, as a replay file in each of the players' formats.

A click is a tuple of seconds, button (`l`, `r`, or `b` for both), row and column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

Click = tuple[float, str, int, int]
SIDE = 16
_NAMES = {"l": ("lc", "lr"), "r": ("rc", "rr"), "b": ("rc", "lc", "lr", "rr")}


def number(value: int, size: int) -> bytes:
    """Return a number as bytes, the highest byte first."""
    return value.to_bytes(size, "big")


def events(clicks: Sequence[Click]) -> Iterator[tuple[float, str, int, int]]:
    """Return seconds, event, x and y for each click, in the middle of its cell."""
    for seconds, button, row, column in clicks:
        for name in _NAMES[button]:
            yield seconds, name, SIDE * column + SIDE // 2, SIDE * row + SIDE // 2


def avf(rows: int, columns: int, mines: Sequence[int], clicks: Sequence[Click]) -> bytes:
    """Return an Arbiter replay: a custom level, mines, a line of text, and events of 8 bytes."""
    codes = {"lc": 3, "lr": 5, "rc": 9, "rr": 17}
    head = bytes([0, 0, 0, 0, 0, 6, columns - 1, rows - 1]) + number(len(mines), 2)
    places = bytes(part for mine in mines for part in (mine // columns + 1, mine % columns + 1))
    line = bytes(16) + b"\x7f9"  # a checksum, a country, and no question marks
    line += f"[3|W{columns}H{rows}M{len(mines)}|15.11.2026.20:00:00:0000|".encode()
    line += b"15.20:00:09:0000|B5T10.00]"
    body = b""
    for seconds, name, x, y in events(clicks):
        whole, part = int(seconds) + 1, round(seconds % 1 * 100)
        body += bytes(
            [codes[name], x >> 8, whole & 255, x & 255, part, y >> 8, whole >> 8, y & 255]
        )
    return head + places + line + body + bytes(8) + b"RealTime: 9.00\rSkin: none\rAn Arbiter\r"


def mvf(rows: int, columns: int, mines: Sequence[int], clicks: Sequence[Click]) -> bytes:
    """Return a Minesweeper Clone 0.97 replay: events of 40 bits in a special order."""
    head = b"\x11\x4d" + bytes(25) + b"5" + bytes(46) + bytes([11, 15]) + number(2026, 2)
    head += bytes([20, 0, 0, 4, 1]) + number(9, 2) + bytes([0]) + number(5, 2) + bytes(9)
    head += bytes([columns, rows]) + number(len(mines), 2)
    head += bytes(part for mine in mines for part in (mine % columns + 1, mine // columns + 1))
    name, leading = b"A Cloner", 12345
    held = {"lc": ("l", 1), "lr": ("l", 0), "rc": ("r", 1), "rr": ("r", 0)}
    down, rest = {"l": 0, "r": 0}, [(0.0, dict.fromkeys("lr", 0), 0, 0)]
    for seconds, event, x, y in events(clicks):
        button, state = held[event]
        down[button] = state
        rest.append((seconds, dict(down), x, y))
    body = b"".join(_mixed(leading, *one) for one in rest)
    tail = bytes([len(name)]) + name + number(leading, 2) + number(len(rest), 3)
    return head + tail + body


def _mixed(leading: int, seconds: float, down: dict[str, int], x: int, y: int) -> bytes:
    """Permute the bits of an event as the number in the header specifies."""
    fields = (down["r"], 1), (0, 1), (down["l"], 1), (y, 9), (x, 9)
    times = (round(seconds % 1 * 100), 7), (int(seconds), 10)
    bits = [value >> place & 1 for value, size in (*fields, *times) for place in range(size)]
    found = bytearray(5)
    for bit, place in zip(bits, _places(leading), strict=False):
        found[place // 8] |= bit << place % 8
    return bytes(found)


def _places(leading: int) -> list[int]:
    one, two = math.sqrt(leading), math.sqrt(leading + 1000)
    three = math.sqrt(one + 1000)
    numbers = (
        *(math.cos(three + 1000), math.sin(math.sqrt(two)), math.cos(three)),
        *(math.sin(math.sqrt(one) + 1000), math.cos(math.sqrt(two + 1000))),
    )
    digits = "".join(f"{round(abs(one) * 1e8):08}" for one in numbers)
    return sorted(range(40), key=lambda place: (digits[place], place))


def rmv(rows: int, columns: int, mines: Sequence[int], clicks: Sequence[Click]) -> bytes:
    """Return a Viennasweeper replay, which omits the first press of a button."""
    codes = {"lc": 2, "lr": 3, "rc": 4, "rr": 5}
    result, version, properties = b"x" * 20, b"y" * 10, 4
    head = b"*rmv" + number(1, 2) + bytes(4) + number(len(result) + 3, 2) + number(len(version), 2)
    head += bytes(4) + number(0, 2) + number(properties, 2) + bytes(7) + result + version + bytes(2)
    name = b"A Viennese"
    head += number(1, 2) + bytes([len(name)]) + name + bytes(4)
    head += bytes([columns, rows]) + number(len(mines), 2)
    head += bytes(part for mine in mines for part in (mine % columns, mine // columns))
    head += bytes([0, 0, 0, 3])
    body = b"".join(
        bytes([codes[event]])
        + number(round(seconds * 1000), 3)
        + b"\0"
        + number(x + 12, 2)
        + number(y + 56, 2)
        for seconds, event, x, y in list(events(clicks))[1:]
    )
    return head + body + bytes([15])
