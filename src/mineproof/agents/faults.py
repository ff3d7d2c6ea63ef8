"""How the failures of an agent are told."""

from __future__ import annotations

from mineproof.core.decision import Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation


class Fault(Exception):  # noqa: N818  (a fault of the agent, not of the program)
    """Something an agent did against its contract."""

    def __init__(self, kind: str, text: str, observation: Observation | None = None) -> None:
        """Say what, in one sentence, and in which position."""
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.observation = observation


def told(error: BaseException) -> str:
    """Tell an exception in one line, with the place where it was raised."""
    import traceback

    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    # A file that cannot be read as Python fails inside the importer, which is no place to look.
    if not frames or frames[-1].filename.startswith("<frozen"):
        return what
    return f"{what} ({frames[-1].filename}, line {frames[-1].lineno})"


def check_form(decision: Decision, seen: Observation) -> None:
    """Check that an answer is a decision with all of its parts.

    Raises:
        Fault: it is none, or a part is not what it must be.
    """
    if not isinstance(decision, Decision):
        text = f"decide returned {decision!r}, not a Decision or None"
        raise Fault("type", text, seen)
    move = decision.move
    if not isinstance(move, Move):
        raise Fault("type", f"the decision's move is {move!r}, not a Move", seen)
    if not isinstance(move.action, Action):
        raise Fault("type", f"the move's action is {move.action!r}, not an Action", seen)
    if not isinstance(move.cell, Cell):
        raise Fault("type", f"the move's cell is {move.cell!r}, not a Cell", seen)
    if not isinstance(decision.proved, bool):
        raise Fault("type", f"the decision's proved is {decision.proved!r}, not a bool", seen)
    if not isinstance(decision.reason, Reason) or not isinstance(decision.reason.text, str):
        raise Fault("type", f"the decision's reason is {decision.reason!r}, not a Reason", seen)
    risk = decision.risk
    if risk is not None and not (isinstance(risk, int | float) and 0 <= risk <= 1):
        raise Fault("risk", f"the decision's risk is {risk!r}, not from 0 to 1", seen)
