"""Moves: what a player can do in one step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell


class Action(StrEnum):
    """The kinds of moves."""

    OPEN = "open"
    MARK = "mark"
    UNMARK = "unmark"
    CHORD = "chord"


@dataclass(frozen=True)
class Move:
    """An action on a cell; the text form is `open 3,4`."""

    action: Action
    cell: Cell

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move such as `open 3,4`."""
        match = re.fullmatch(r"\s*([a-z]+)\s+(\d{1,4})\s*[,\s]\s*(\d{1,4})\s*", text, re.ASCII)
        if match is None or match[1] not in set(Action):
            raise NotationError(
                f"expected a move such as 'open 3,4' (open, mark, unmark, chord), got {text!r}"
            )
        return cls(Action(match[1]), Cell(int(match[2]), int(match[3])))

    def __str__(self) -> str:
        """Write the move as `Move.parse` reads it."""
        return f"{self.action} {self.cell.row},{self.cell.column}"
