"""Moves: actions on cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from mineproof.core.errors import InputError, NotationError, wrong_type
from mineproof.core.grid import Cell, as_cell


class Action(StrEnum):
    """The kinds of moves."""

    OPEN = "open"
    MARK = "mark"
    UNMARK = "unmark"
    CHORD = "chord"


@dataclass(frozen=True, init=False, repr=False)
class Move:
    """An action on a cell. Its text form is `open 3,4`."""

    action: Action
    cell: Cell

    def __init__(self, action: Action | str, cell: tuple[int, int]) -> None:
        """Create a move. Plain values are accepted, as in `Move("open", (3, 4))`.

        Raises:
            InputError: the action does not exist.
            TypeError: the action is not text, or the cell is not a row and a column.
        """
        is_action, is_cell = isinstance(action, Action), isinstance(cell, Cell)
        object.__setattr__(self, "action", action if is_action else _action(action))
        object.__setattr__(self, "cell", cell if is_cell else as_cell(cell))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Return the move for text such as `open 3,4`."""
        match = re.fullmatch(r"\s*([a-z]+)\s+(\d{1,4})\s*[,\s]\s*(\d{1,4})\s*", text, re.ASCII)
        if match is None or match[1] not in set(Action):
            raise NotationError(
                f"expected a move such as 'open 3,4' (open, mark, unmark, chord), got {text!r}"
            )
        return cls(Action(match[1]), Cell(int(match[2]), int(match[3])))

    def __repr__(self) -> str:
        return f"Move({self.action.value!r}, {tuple(self.cell)})"

    def __str__(self) -> str:
        """Return the text that `Move.parse` reads."""
        row, column = self.cell
        return self.action + f" {row},{column}"  # formatting an enum member would take longer


def _action(name: str) -> Action:
    choices = ", ".join(Action)
    if not isinstance(name, str):
        raise wrong_type(f"one of {choices}", name)
    try:
        return Action(name)
    except ValueError:
        raise InputError(f"expected one of {choices}, got {name!r}") from None


def as_move(move: Move | str) -> Move:
    """Return a `Move` for a move or its text form.

    Raises:
        TypeError: the value is of another type.
        NotationError: the text is not a move.
    """
    if isinstance(move, Move):
        return move
    if isinstance(move, str):
        return Move.parse(move)
    raise wrong_type("a Move, or text such as 'open 3,4'", move)
