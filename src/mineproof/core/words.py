"""Numbers with their nouns, as they are told everywhere."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: 1 move, 2 moves, 3 guesses."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{plural}"
