"""Numbers with their nouns, as they are told everywhere."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: 1 move, 2 moves, 3 guesses."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{plural}"


def printable(text: str) -> str:
    """Give text from a file or an agent in one line, without codes that a terminal obeys.

    Nothing that XML forbids is left, either.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)
