"""Where a student's own printing goes: nowhere, but its lines are counted."""

from __future__ import annotations

import io
import sys


class CountingSink(io.TextIOBase):
    """A text stream that keeps nothing but the number of lines."""

    def __init__(self) -> None:
        """Start at no lines."""
        self.lines = 0

    def writable(self) -> bool:
        """Say that one can write."""
        return True

    def write(self, text: str) -> int:
        """Count the lines of a text."""
        self.lines += text.count("\n")
        return len(text)


def lines_printed() -> int:
    """Give the lines printed so far; 0 where the output is not counted."""
    return sys.stdout.lines if isinstance(sys.stdout, CountingSink) else 0
