"""What an agent answers as plain values, and back: all that crosses from its process to ours.

An agent of somebody's own may answer anything, and may write anything where its answers go. So
each value is made plain over there, and here a decision is built anew from numbers, texts and
lists whose types are checked one by one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from mineproof.agents.protocol import Knowledge
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Move

Plain = Any
"""None, a bool, a number, a text, or a list of such, or such by name."""
_WORDS = ("id", "idea", "source", "proves", "cannot_prove")


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
    action, cell, proved, text, clues, conclusions, uses, risk, candidates = a_list(plain, 9)
    return Decision(
        Move(a_text(action), _cell(cell)),
        _flag(proved),
        Reason(a_text(text), _cells(clues), _cells(conclusions), _flag(uses)),
        _number(risk),
        tuple(map(_candidate, a_list(candidates))),
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

    title, groups, safe, mined, risks = a_list(plain, 5)
    named = [a_list(group, 2) for group in a_list(groups)]
    pairs = [a_list(pair, 2) for pair in a_list(risks)]
    return Knowledge(
        a_text(title),
        {a_text(name): [a_text(line) for line in a_list(lines)] for name, lines in named},
        frozenset(map(index_of, a_list(safe))),
        frozenset(map(index_of, a_list(mined))),
        {index_of(index): _known(risk) for index, risk in pairs},
    )


def read_spec(plain: Plain) -> dict[str, Any]:
    """Build the description of an agent, as `AgentSpec.to_plain` gives it.

    Raises:
        ValueError: the values are not those of one.
    """
    found = a_dict(plain, (*_WORDS, "takes_time", "options"))
    words = {name: a_text(found[name]) for name in _WORDS}
    options = [_option(one) for one in a_list(found["options"])]
    return {**words, "takes_time": _flag(found["takes_time"]), "options": options}


def _option(plain: Plain) -> dict[str, Any]:
    found = a_dict(plain, ("name", "type", "default", "choices", "help"))
    words = {name: a_text(found[name]) for name in ("name", "type", "help")}
    default = found["default"]
    if type(default) not in (bool, str):
        default = _whole(default) if type(default) is int else _number(default)
    return {
        **words,
        "default": default,
        "choices": [a_text(one) for one in a_list(found["choices"])],
    }


def _candidate(plain: Plain) -> Candidate:
    cell, risk, next_safety, win, expected, error, win_exact, playouts = a_list(plain, 8)
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
    return tuple(map(_cell, a_list(plain)))


def _cell(plain: Plain) -> Cell:
    return Cell(*map(_whole, a_list(plain, 2)))


def a_list(plain: Plain, count: int | None = None) -> list[Plain]:
    """Give a list of so many values."""
    if type(plain) is not list or count not in (None, len(plain)):
        many = "a list" if count is None else f"a list of {count}"
        raise ValueError(f"expected {many}, got {_shown(plain)}")
    return plain


def a_dict(plain: Plain, names: Sequence[str]) -> dict[str, Plain]:
    """Give values by these names."""
    if type(plain) is not dict or not set(names) <= set(plain):
        raise ValueError(f"expected values of {', '.join(names)}, got {_shown(plain)}")
    return plain


def a_text(plain: Plain) -> str:
    """Give a text that can be written anywhere."""
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
