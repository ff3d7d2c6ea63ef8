"""Every question about a position, one function each: data in, data out.

The same for the game as it stands, a past move, a pasted position or a lane of a race; nothing
here knows a game. Each takes a `Budget` of time and of memory.
"""

from mineproof.advice.agents import decide, first_decision, knowledge, known, why_stuck
from mineproof.advice.analysis import Analysis, analyse
from mineproof.advice.budget import USUAL, Budget
from mineproof.advice.chances import Risks, risks, win_chances
from mineproof.advice.layouts import draw_layout
from mineproof.advice.proofs import GuessAnswer, Hint, Stage, hint, may_guess, verdict, why

__all__ = [
    "USUAL",
    "Analysis",
    "Budget",
    "GuessAnswer",
    "Hint",
    "Risks",
    "Stage",
    "analyse",
    "decide",
    "draw_layout",
    "first_decision",
    "hint",
    "knowledge",
    "known",
    "may_guess",
    "risks",
    "verdict",
    "why",
    "why_stuck",
    "win_chances",
]
