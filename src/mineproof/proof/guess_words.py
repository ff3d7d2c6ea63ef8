"""Why an agent chose a guess, in words, from the agent's own evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.core.decision import Candidate, Decision
from mineproof.proof.phrases import number
from mineproof.proof.ranking import EQUAL
from mineproof.proof.risks import percent


def tell_choice(decision: Decision) -> list[str]:
    """Say what else the agent looked at and why it chose this cell.

    Where the agent estimates chances of winning they decide, else risks; an agent that shows
    no candidates is quoted.
    """
    cell = decision.move.cell
    own = next((c for c in decision.candidates if c.cell == cell), None)
    others = [c for c in decision.candidates if c.cell != cell]
    if own is None:
        return [_quoted(decision)]
    if not others:
        return ["The agent saw no other cell to open."]
    if own.win is not None:
        return list(_by_win(own, own.win, others))
    if own.risk is not None:
        return list(_by_risk(own, own.risk, others))
    return [_quoted(decision)]


def _quoted(decision: Decision) -> str:
    return f"The agent says: {decision.reason.text.rstrip('.')}."


def _by_win(own: Candidate, win: float, others: Sequence[Candidate]) -> Iterator[str]:
    kind = "" if own.win_exact else "an estimated "
    yield f"The agent gives it {kind or 'a '}chance of winning of {percent(win)}."
    rivals = [(other, other.win) for other in others if other.win is not None]
    if not rivals:
        return
    best, chance = max(rivals, key=lambda rival: rival[1])
    if chance > win + EQUAL:
        return
    even = "the same" if chance >= win - EQUAL else percent(chance)
    looked = number(len(others) + 1)
    yield f"The next of the {looked} cells it looked at is {best.cell}, with {even}."
    safer = [other for other in others if _is_safer(other, own)]
    if safer:
        least = min(safer, key=lambda other: other.risk or 0.0)
        risk = percent(least.risk or 0.0)
        yield f"{least.cell} is safer, with a risk of {risk}, but wins less often."


def _is_safer(other: Candidate, own: Candidate) -> bool:
    if other.risk is None or own.risk is None:
        return False
    return other.risk < own.risk - EQUAL and (other.win or 0.0) < (own.win or 0.0) - EQUAL


def _by_risk(own: Candidate, risk: float, others: Sequence[Candidate]) -> Iterator[str]:
    rivals = [(other, other.risk) for other in others if other.risk is not None]
    if not rivals:
        return
    best, least = min(rivals, key=lambda rival: rival[1])
    looked = f"the {number(len(others) + 1)} cells that the agent looked at"
    if least < risk - EQUAL:
        yield f"Of {looked}, {best.cell} has a lower risk, {percent(least)}."
    elif least > risk + EQUAL:
        yield f"Of {looked}, it has the lowest risk."
        yield f"The next is {best.cell} with {percent(least)}."
    else:
        equal = sum(1 for _, other in rivals if other <= risk + EQUAL)
        yield f"Of {looked}, {number(equal)} more {'has' if equal == 1 else 'have'} the same risk."
    if own.next_safety is not None:
        yield f"After it, the safest next move is expected to be {percent(own.next_safety)} safe."
