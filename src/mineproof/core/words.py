"""How numbers, chances and exceptions are written everywhere."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: 1 move, 2 moves, 3,000 guesses."""
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural}"


def joined(words: Sequence[str]) -> str:
    """Join words with commas and `and`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def printable(text: str) -> str:
    """Return text from a file or an agent in one line, without codes that a terminal obeys.

    Nothing that XML forbids is left, either.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)


def percent(chance: float | None, decimals: int = 1) -> str:
    """Write a risk or a chance to win: what is not certain never looks so.

    The page says it in the same words (`words.js`).
    """
    if chance is None:
        return "unknown"
    step = 10.0**-decimals
    if 0 < chance < step / 200:
        return f"below {step:.{decimals}f}%"
    if 1 - step / 200 < chance < 1:
        return f"above {100 - step:.{decimals}f}%"
    return f"{chance:.{decimals}%}"


def error_line(error: BaseException) -> str:
    """Write an exception on one line, with the file and line that raised it."""
    import traceback

    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    # A file that is not valid Python fails inside the importer, which helps nobody.
    if not frames or frames[-1].filename.startswith("<frozen"):
        return what
    return f"{what} ({frames[-1].filename}, line {frames[-1].lineno})"
