"""What an agent answers as plain values, and back: all that crosses from its process to ours.

An agent of somebody's own may answer anything, and may write anything where its answers go. So
each value is made plain over there, and here a decision is built anew from numbers, texts and
lists whose types are checked one by one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

from mineproof.agents.checker import FoundFault
from mineproof.agents.protocol import Knowledge
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Move

Plain = Any
"""None, a bool, a number, a text, or a list of such."""


# ---- in the agent's process


def write_decision(decision: Decision, reasons: bool) -> Plain:
    """Make a decision plain; with `reasons`, those are worked out that are when they are read.

    Raises:
        Exception: it has a part that is not what it should be.
    """
    reason = decision.reason
    return [
        decision.move.action.value,
        _write_cell(decision.move.cell),
        bool(decision.proved),
        str(reason.text if reasons else reason.brief),
        [_write_cell(cell) for cell in reason.clues],
        [_write_cell(cell) for cell in reason.conclusions],
        bool(reason.uses_mine_count),
        _write_number(decision.risk),
        [_write_candidate(one) for one in decision.candidates],
    ]


def write_knowledge(known: Knowledge) -> Plain:
    """Make plain what an agent knows.

    Raises:
        Exception: it has a part that is not what it should be.
    """
    return [
        str(known.title),
        [[str(name), [str(line) for line in lines]] for name, lines in known.groups.items()],
        [operator.index(index) for index in known.safe],
        [operator.index(index) for index in known.mined],
        [[operator.index(index), _write_number(risk)] for index, risk in known.risks.items()],
    ]


def write_fault(fault: FoundFault) -> Plain:
    """Make a fault plain."""
    return [str(fault.kind), str(fault.text), str(fault.position)]


def _write_candidate(one: Candidate) -> Plain:
    numbers = (one.risk, one.next_safety, one.win, one.expected, one.error)
    rest = [bool(one.win_exact), operator.index(one.playouts)]
    return [_write_cell(one.cell), *map(_write_number, numbers), *rest]


def _write_cell(cell: Iterable[Any]) -> Plain:
    row, column = cell
    return [operator.index(row), operator.index(column)]


def _write_number(number: Any) -> Plain:
    return None if number is None else float(number)


# ---- in ours


def read_decision(plain: Plain) -> Decision:
    """Build a decision from plain values.

    Raises:
        ValueError: they are not those of a decision.
    """
    action, cell, proved, text, clues, conclusions, uses, risk, candidates = _some(plain, 9)
    return Decision(
        Move(_text(action), _cell(cell)),
        _flag(proved),
        Reason(_text(text), _cells(clues), _cells(conclusions), _flag(uses)),
        _number(risk),
        tuple(map(_candidate, _some(candidates))),
    )


def read_knowledge(plain: Plain, cells: int) -> Knowledge:
    """Build what an agent knows of a board with so many cells.

    Raises:
        ValueError: the values are not those of knowledge.
    """

    def index_of(value: Plain) -> int:
        index = _whole(value)
        if not 0 <= index < cells:
            raise ValueError(f"expected a cell's index below {cells}, got {index}")
        return index

    title, groups, safe, mined, risks = _some(plain, 5)
    named = [_some(group, 2) for group in _some(groups)]
    pairs = [_some(pair, 2) for pair in _some(risks)]
    return Knowledge(
        _text(title),
        {_text(name): [_text(line) for line in _some(lines)] for name, lines in named},
        frozenset(map(index_of, _some(safe))),
        frozenset(map(index_of, _some(mined))),
        {index_of(index): _known(risk) for index, risk in pairs},
    )


def read_faults(plain: Plain) -> list[FoundFault]:
    """Build the faults that a check found.

    Raises:
        ValueError: the values are not those of faults.
    """
    return [FoundFault(*map(_text, _some(fault, 3))) for fault in _some(plain)]


def _candidate(plain: Plain) -> Candidate:
    cell, risk, next_safety, win, expected, error, win_exact, playouts = _some(plain, 8)
    return Candidate(
        _cell(cell),
        _number(risk),
        _number(next_safety),
        _number(win),
        _flag(win_exact),
        _number(expected),
        _known(error),
        _whole(playouts),
    )


def _cells(plain: Plain) -> tuple[Cell, ...]:
    return tuple(map(_cell, _some(plain)))


def _cell(plain: Plain) -> Cell:
    return Cell(*map(_whole, _some(plain, 2)))


def _some(plain: Plain, count: int | None = None) -> list[Plain]:
    """Give a list of so many values."""
    if type(plain) is not list or count not in (None, len(plain)):
        many = "a list" if count is None else f"a list of {count}"
        raise ValueError(f"expected {many}, got {_shown(plain)}")
    return plain


def _text(plain: Plain) -> str:
    if type(plain) is not str:
        raise ValueError(f"expected a text, got {_shown(plain)}")
    return plain if plain.isascii() else plain.encode(errors="replace").decode()


def _flag(plain: Plain) -> bool:
    if type(plain) is not bool:
        raise ValueError(f"expected true or false, got {_shown(plain)}")
    return plain


def _whole(plain: Plain) -> int:
    if type(plain) is not int:
        raise ValueError(f"expected a whole number, got {_shown(plain)}")
    return plain


def _number(plain: Plain) -> float | None:
    return None if plain is None else _known(plain)


def _known(plain: Plain) -> float:
    if type(plain) not in (int, float) or not math.isfinite(plain):
        raise ValueError(f"expected a number, got {_shown(plain)}")
    return float(plain)


def _shown(plain: Plain) -> str:
    text = repr(plain)
    return text if len(text) <= 80 else text[:80] + " ..."
