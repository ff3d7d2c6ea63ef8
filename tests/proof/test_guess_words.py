"""Why an agent chose a guess, from its own candidates."""

from __future__ import annotations

from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import open_cell
from mineproof.proof.guess_words import tell_choice

A, B, C = Cell(0, 0), Cell(0, 1), Cell(0, 2)


def told(*candidates: Candidate) -> str:
    """Tell the choice of the first cell among candidates."""
    decision = Decision(open_cell(0, 0), False, Reason("it felt right"), 0.2, candidates)
    return " ".join(tell_choice(decision))


def test_chances_of_winning_decide_where_they_are_known() -> None:
    """A safer cell that wins less often is named."""
    text = told(Candidate(A, 0.2, win=0.5), Candidate(B, 0.3, win=0.4), Candidate(C, 0.1, win=0.3))
    assert text == (
        "The agent gives it an estimated chance of winning of 50.0%. "
        "The next of the three cells it looked at is (0, 1), with 40.0%. "
        "(0, 2) is safer, with a risk of 10.0%, but wins less often."
    )


def test_exact_chances_are_not_called_estimates() -> None:
    """Equal chances are said to be the same."""
    own = Candidate(A, 0.2, win=0.5, win_exact=True)
    assert told(own, Candidate(B, 0.2, win=0.5)) == (
        "The agent gives it a chance of winning of 50.0%. "
        "The next of the two cells it looked at is (0, 1), with the same."
    )


def test_risks_decide_otherwise() -> None:
    """The next lowest risk is named, and what is expected after the move."""
    text = told(Candidate(A, 0.2, next_safety=0.9), Candidate(B, 0.3), Candidate(C, 0.4))
    assert text == (
        "Of the three cells that the agent looked at, it has the lowest risk. "
        "The next is (0, 1) with 30.0%. "
        "After it, the safest next move is expected to be 90.0% safe."
    )
    assert "one more has the same risk" in told(Candidate(A, 0.2), Candidate(B, 0.2))
    assert "(0, 1) has a lower risk, 10.0%" in told(Candidate(A, 0.2), Candidate(B, 0.1))


def test_an_agent_without_candidates_is_quoted() -> None:
    """Its own reason must do."""
    assert told() == "The agent says: it felt right."
    assert told(Candidate(A), Candidate(B)) == "The agent says: it felt right."
    assert told(Candidate(A, 0.2)) == "The agent saw no other cell to open."
