"""Functions that answer questions about a position, one per question.

The page, the terminal and the package's public functions all use them, so that the same question
has the same answer everywhere. A position may come from the game in progress, a past move, pasted
text or a race. Modules are loaded when a question first needs them, so that asking for risks does
not load the code for proofs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mineproof.inference.budget import Budget

if TYPE_CHECKING:
    from mineproof.advice.agents import decide, first_decision, knowledge, known, why_stuck
    from mineproof.advice.analysis import Analysis, analyse
    from mineproof.advice.chances import Chances, Risks, draw_layout, risks, win_chances
    from mineproof.advice.proofs import GuessAnswer, Hint, explain, hint, may_guess, verdict, why

__all__ = ["Budget", "decide", "first_decision", "knowledge", "known", "why_stuck"]
__all__ += ["Analysis", "Chances", "Risks", "analyse", "draw_layout", "risks", "win_chances"]
__all__ += ["GuessAnswer", "Hint", "explain", "hint", "may_guess", "verdict", "why"]

_FILES = {
    "agents": ("decide", "first_decision", "knowledge", "known", "why_stuck"),
    "analysis": ("Analysis", "analyse"),
    "chances": ("Chances", "Risks", "draw_layout", "risks", "win_chances"),
    "proofs": ("GuessAnswer", "Hint", "explain", "hint", "may_guess", "verdict", "why"),
}


def __getattr__(name: str) -> Any:
    """Load the module for a question when the question is first asked."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(importlib.import_module(f"mineproof.advice.{file}"), name)
    raise AttributeError(f"module 'mineproof.advice' has no attribute {name!r}")
