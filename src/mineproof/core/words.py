"""Functions that write numbers, percentages and exceptions in the same way everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

NO_BREAK = "\u00a0"
"""The no-break space between a number and its percent sign."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 move, 2 moves, 3,000 guesses."""
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural}"


def decimal(number: int) -> str:
    """Return an integer of any length as decimal digits. `str` rejects more than 4,300 digits."""
    return str(Decimal(number))


def joined(words: Sequence[str]) -> str:
    """Return words joined with commas and "and"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def printable(text: str) -> str:
    """Return text from a file or an agent on one line, without terminal control codes.

    The result also contains no character that XML forbids.
    """
    return "".join(sign if sign.isprintable() or sign == NO_BREAK else " " for sign in text)


def printable_lines(text: str) -> str:
    """Return text of several lines, each without terminal control codes."""
    return "\n".join(map(printable, text.splitlines()))


def percent(chance: float | None, decimals: int = 1) -> str:
    """Write a risk or a chance as a percentage that is never rounded to 0 % or 100 %.

    The page writes percentages in the same way (`words.js`).
    """
    if chance is None:
        return "unknown"
    step = 10.0 ** -(decimals + 2)
    if 0 < chance < step / 2:
        return f"below {share(step, decimals)}"
    if 1 - step / 2 < chance < 1:
        return f"above {share(1 - step, decimals)}"
    return share(chance, decimals)


def share(value: float, decimals: int = 2) -> str:
    """Write a share as a percentage, with a no-break space."""
    return f"{100 * value:.{decimals}f}{NO_BREAK}%"


def points(difference: float, low: float, high: float) -> str:
    """Write the difference between two shares in percentage points, with its 95 % interval."""
    return (
        f"{100 * difference:+.2f} percentage points "
        f"(95{NO_BREAK}% interval {100 * low:+.2f} to {100 * high:+.2f})"
    )


def error_line(error: BaseException) -> str:
    """Write an exception on one line, with the file and line that raised it."""
    import traceback

    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    # A file that is not valid Python fails inside the importer, so its line number does not help.
    if not frames or frames[-1].filename.startswith("<frozen"):
        return what
    return f"{what} ({frames[-1].filename}, line {frames[-1].lineno})"
