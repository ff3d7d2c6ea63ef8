"""Hints and reasons: what can be said about a position, in small steps.

`Explainer` explains better than the agent itself: a function from a position and a cell to a
`Why`, given to the session. By default that is `session.reasons`, which proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from mineproof.agents.protocol import Agent, Conclusion, GivesReasons, Knowledge, ShowsKnowledge
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation

LISTED = 8
"""Clues that a hint names at most."""


@dataclass(frozen=True)
class Why:
    """What is known of a cell, and what that rests on."""

    cell: Cell
    proved: Literal["safe", "mined"] | None
    text: str
    clues: tuple[Cell, ...] = ()
    conclusions: tuple[Cell, ...] = ()
    uses_mine_count: bool = False
    risk: float | None = None
    rule: str = ""
    """The hardest rule of the proof, where there is one."""
    difficulty: float = 0.0


Explainer = Callable[[Observation, Cell], Why | None]
"""Says why a cell is safe or mined; None to leave the answer to the agent."""


@dataclass(frozen=True)
class HintStep:
    """One step of a hint: words, and the cells to look at."""

    text: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Hint:
    """A hint in steps, from where to look to what to do."""

    proved: bool
    """Whether the move is proved; otherwise nothing is, and a guess is advised."""
    steps: tuple[HintStep, ...]
    decision: Decision | None
    """The move that the last step names; None where the agent is stuck."""


def make_hint(decision: Decision | None, why: Why | None = None, choice: str = "") -> Hint:
    """Cut an agent's decision into a hint.

    Args:
        decision: what the agent would do; None if it is stuck.
        why: a proof of the cell that is better than the agent's own reason.
        choice: why a guess was chosen, better than the agent says it.
    """
    if decision is None:
        stuck = HintStep("the agent is stuck: it proves nothing and does not guess")
        return Hint(False, (stuck,), None)
    steps = [] if decision.proved else [HintStep("nothing is proved: this will be a guess")]
    proof = why if decision.proved and why is not None and why.proved else None
    clues = decision.reason.clues if proof is None else proof.clues
    if clues:
        steps.append(HintStep(f"look near {_region((*clues, decision.move.cell))}", ()))
        count = " and at the mine count" if proof is not None and proof.uses_mine_count else ""
        steps.append(HintStep(f"look at {_listed(clues)}{count}", clues))
    text = choice if proof is None else proof.text
    steps.append(HintStep(_advice(decision, text), (decision.move.cell,)))
    return Hint(decision.proved, tuple(steps), decision)


def agent_why(agent: Agent, observation: Observation, cell: Cell) -> Why:
    """Say what an agent knows of a cell; it has seen the position already."""
    shown = observation[cell]
    if shown != UNOPENED:
        return Why(cell, None, _opened(cell, shown))
    index = observation.grid.index(cell)
    known = agent.conclusion_of(index) if isinstance(agent, GivesReasons) else None
    if known is not None:
        return _from_conclusion(cell, known)
    knowledge = agent.knowledge() if isinstance(agent, ShowsKnowledge) else None
    if knowledge is not None and index in knowledge.safe | knowledge.mined:
        return _without_reason(cell, index, knowledge)
    risk = None if knowledge is None else knowledge.risks.get(index)
    text = f"{cell} is not proved either way"
    if risk is not None:
        text += f"; the agent puts its risk at {risk:.1%}"
    return Why(cell, None, text, risk=risk)


def _from_conclusion(cell: Cell, known: Conclusion) -> Why:
    value: Literal["safe", "mined"] = "mined" if known.mined else "safe"
    reason = known.reason
    return Why(
        cell,
        value,
        f"{cell} is {value}: {reason}",
        reason.clues,
        reason.conclusions,
        reason.uses_mine_count,
        float(known.mined),
    )


def _without_reason(cell: Cell, index: int, knowledge: Knowledge) -> Why:
    value: Literal["safe", "mined"] = "mined" if index in knowledge.mined else "safe"
    text = f"{cell} is {value}; this agent keeps no reasons"
    return Why(cell, value, text, risk=float(value == "mined"))


def _opened(cell: Cell, shown: int) -> str:
    if shown == EXPLODED:
        return f"{cell} is a mine that is shown"
    return f"{cell} is open" + (f" and shows {shown}" if shown < UNOPENED else " without a clue")


def _advice(decision: Decision, better: str) -> str:
    text = f"{decision.move.action} {decision.move.cell}: {better or decision.reason}"
    if not better and not decision.proved and decision.risk is not None:
        text += f" (risk {decision.risk:.1%})"
    return text


def _region(cells: Iterable[Cell]) -> str:
    rows = sorted(cell.row for cell in cells)
    columns = sorted(cell.column for cell in cells)
    return f"{_span('row', rows)}, {_span('column', columns)}"


def _span(name: str, numbers: list[int]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{name} {low}" if low == high else f"{name}s {low} to {high}"


def _listed(cells: tuple[Cell, ...]) -> str:
    if len(cells) == 1:
        return f"the clue at {cells[0]}"
    if len(cells) > LISTED:
        return f"these {len(cells)} clues"
    return f"the clues at {', '.join(map(str, cells[:-1]))} and {cells[-1]}"
