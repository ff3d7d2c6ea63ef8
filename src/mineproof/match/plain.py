"""The answers of isolated agents as plain values, sent from their processes to this one.

Such an agent may answer anything, and may write anything to the pipe that carries its answers. So
its process sends only plain values, and this process builds decisions from values that the codec
has checked.

Decisions and knowledge are sent as lists instead of objects with named fields. There is an answer
for every move, and lists take half the time to write, send and read. A decision without clues and
candidates is shorter still: only the first fields, which are read without the codec.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Annotated, Any

from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import AgentDescription
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.notation.codec import Between, Plain, from_plain, to_plain
from mineproof.notation.plain_forms import harmless

# The fields of these dataclasses, in order.
_CELLS = tuple[Cell, ...]
_CANDIDATE = tuple[Cell, float | None, float | None, float | None, bool, float | None, float, int]
_SHORT = 6
"""The number of fields that every decision has."""
_DECISION = tuple[
    Action, int, int, bool, str, float | None, _CELLS, _CELLS, bool, tuple[_CANDIDATE, ...]
]
_KINDS = (str, int, int, bool, str)
_ACTIONS = {action.value: action for action in Action}
_INDEX = Annotated[int, Between(0)]
_KNOWLEDGE = tuple[
    str, dict[str, list[str]], frozenset[_INDEX], frozenset[_INDEX], dict[_INDEX, float]
]


# ---- in the agent's process


def write_decision(decision: Decision, reasons: bool) -> Plain:
    """Return a decision as plain values. With `reasons`, compute reasons that are made on demand.

    Raises:
        Exception: if an attribute has the wrong type.
    """
    move, reason, risk = decision.move, decision.reason, decision.risk
    row, column = _write_cell(move.cell)
    short = [
        move.action.value,
        row,
        column,
        bool(decision.proved),
        str(reason.text if reasons else reason.brief),
        None if risk is None else float(risk),
    ]
    clues, conclusions = reason.clues, reason.conclusions
    if not (clues or conclusions or reason.uses_mine_count or decision.candidates):
        return short
    cells = [*map(_write_cell, clues)], [*map(_write_cell, conclusions)]
    candidates = [_write_candidate(one) for one in decision.candidates]
    return [*short, *cells, bool(reason.uses_mine_count), candidates]


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
    if plain is None:
        return None
    if type(plain) is list and len(plain) == _SHORT:
        plain = [*plain, [], [], False, []]
        # Most decisions end here. The codec would take ten times as long.
        action, row, column, proved, text, risk, *_ = plain
        kinds = type(action), type(row), type(column), type(proved), type(text)
        is_risk = risk is None or (type(risk) is float and 0 <= risk <= 1)
        if is_risk and kinds == _KINDS and action in _ACTIONS:
            return Decision(Move(_ACTIONS[action], Cell(row, column)), proved, Reason(text), risk)
    action, row, column, proved, text, risk, *reason, candidates = from_plain(_DECISION, plain)
    options = tuple(Candidate(*one) for one in candidates)
    return Decision(Move(action, Cell(row, column)), proved, Reason(text, *reason), risk, options)


def read_knowledge(plain: Plain, cells: int) -> Knowledge:
    """Build knowledge from plain values, for a board with this many cells.

    Raises:
        NotationError: if the values are not knowledge.
    """
    title, groups, *facts = from_plain(_KNOWLEDGE, plain)
    known = Knowledge(harmless(title), harmless(groups), *facts)
    for index in (*known.safe, *known.mined, *known.risks):
        if index >= cells:
            raise NotationError(f"expected a cell's index below {cells}, got {index}")
    return known


def read_spec(plain: Plain) -> dict[str, Any]:
    """Check and return the description of an agent, the plain form of its `AgentSpec`.

    Raises:
        NotationError: if the values are not a description.
    """
    return dict(harmless(to_plain(from_plain(AgentDescription, plain))))
