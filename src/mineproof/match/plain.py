"""The answers of isolated agents as plain values, sent from their processes to this one.

Such an agent may answer anything, and may write anything to the pipe that carries its answers. So
its process sends only plain values, and this process builds decisions from values that the codec
has checked.

Decisions and knowledge are sent as lists instead of objects with named fields. There is an answer
for every move, and lists take half the time to write, send and read.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from mineproof.agents.protocol import Knowledge
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.notation.codec import Between, Plain, from_plain, to_plain

# The fields of these dataclasses, in order.
_REASON = tuple[str, tuple[Cell, ...], tuple[Cell, ...], bool]
_CANDIDATE = tuple[Cell, float | None, float | None, float | None, bool, float | None, float, int]
_DECISION = tuple[Action, Cell, bool, _REASON, float | None, tuple[_CANDIDATE, ...]]
_ACTIONS = {action.value: action for action in Action}
_INDEX = Annotated[int, Between(0)]
_KNOWLEDGE = tuple[
    str, dict[str, list[str]], frozenset[_INDEX], frozenset[_INDEX], dict[_INDEX, float]
]


@dataclass(frozen=True)
class OptionDescription:
    """The plain form of an agent's option."""

    name: str
    type: str
    default: bool | int | float | str | None
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class AgentDescription:
    """The plain form of an `AgentSpec`."""

    id: str
    idea: str
    source: str
    proves: str
    cannot_prove: str
    takes_time: bool
    options: tuple[OptionDescription, ...]


# ---- in the agent's process


def write_decision(decision: Decision, reasons: bool) -> Plain:
    """Return a decision as plain values. With `reasons`, compute reasons that are made on demand.

    Raises:
        Exception: if an attribute has the wrong type.
    """
    move, reason = decision.move, decision.reason
    text = str(reason.text if reasons else reason.brief)
    clues, conclusions = map(_write_cell, reason.clues), map(_write_cell, reason.conclusions)
    return [
        move.action.value,
        _write_cell(move.cell),
        bool(decision.proved),
        [text, [*clues], [*conclusions], bool(reason.uses_mine_count)],
        _write_number(decision.risk),
        [_write_candidate(one) for one in decision.candidates],
    ]


def write_knowledge(known: Knowledge) -> Plain:
    """Return an agent's knowledge as plain values.

    Raises:
        Exception: if an attribute has the wrong type.
    """
    return [
        str(known.title),
        {str(name): [str(line) for line in lines] for name, lines in known.groups.items()},
        [operator.index(index) for index in known.safe],
        [operator.index(index) for index in known.mined],
        {operator.index(index): float(risk) for index, risk in known.risks.items()},
    ]


def _write_candidate(one: Candidate) -> Plain:
    numbers = map(_write_number, (one.risk, one.next_safety, one.win))
    rest = bool(one.win_exact), _write_number(one.expected), float(one.error)
    return [_write_cell(one.cell), *numbers, *rest, operator.index(one.playouts)]


def _write_cell(cell: Iterable[Any]) -> Plain:
    row, column = cell
    return [operator.index(row), operator.index(column)]


def _write_number(number: Any) -> Plain:
    return None if number is None else float(number)


# ---- in this process


def read_decision(plain: Plain) -> Decision | None:
    """Build a decision from plain values. Return None if the agent is stuck.

    Raises:
        NotationError: if the values are not a decision.
    """
    match plain:
        case None:
            return None
        case [str(action), [row, column], bool(proved), [str(text), [], [], False], None, []]:
            if type(row) is type(column) is int and action in _ACTIONS:  # by far the most frequent
                move = Move(_ACTIONS[action], Cell(row, column))
                return Decision(move, proved, Reason(text))
    action, cell, proved, reason, risk, candidates = from_plain(_DECISION, plain)
    options = tuple(Candidate(*one) for one in candidates)
    return Decision(Move(action, cell), proved, Reason(*reason), risk, options)


def read_knowledge(plain: Plain, cells: int) -> Knowledge:
    """Build knowledge from plain values, for a board with this many cells.

    Raises:
        NotationError: if the values are not knowledge.
    """
    known = Knowledge(*from_plain(_KNOWLEDGE, plain))
    for index in (*known.safe, *known.mined, *known.risks):
        if index >= cells:
            raise NotationError(f"expected a cell's index below {cells}, got {index}")
    return known


def read_spec(plain: Plain) -> dict[str, Any]:
    """Check and return the description of an agent, the plain form of its `AgentSpec`.

    Raises:
        NotationError: if the values are not a description.
    """
    return dict(to_plain(from_plain(AgentDescription, plain)))
