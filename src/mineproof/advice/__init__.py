"""Every question about a position, one function each: data in, data out.

The same for the game as it stands, a past move, a pasted position or a lane of a race; nothing
here knows a game. The page, the terminal and the public functions of the package all ask here, so
that one question has one answer everywhere. What a question needs is loaded when it is asked:
risks do without proofs, and in a browser somebody waits for all that is loaded.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mineproof.inference.budget import Budget

if TYPE_CHECKING:
    from mineproof.advice.agents import decide, first_decision, knowledge, known, why_stuck
    from mineproof.advice.analysis import Analysis, analyse
    from mineproof.advice.chances import Chances, Risks, draw_layout, risks, win_chances
    from mineproof.advice.proofs import (
        GuessAnswer,
        Hint,
        Stage,
        explain,
        hint,
        may_guess,
        verdict,
        why,
    )

__all__ = [
    "Analysis",
    "Budget",
    "Chances",
    "GuessAnswer",
    "Hint",
    "Risks",
    "Stage",
    "analyse",
    "decide",
    "draw_layout",
    "explain",
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

_FILES = {
    "agents": ("decide", "first_decision", "knowledge", "known", "why_stuck"),
    "analysis": ("Analysis", "analyse"),
    "chances": ("Chances", "Risks", "draw_layout", "risks", "win_chances"),
    "proofs": ("GuessAnswer", "Hint", "Stage", "explain", "hint", "may_guess", "verdict", "why"),
}


def __getattr__(name: str) -> Any:
    """Load a question when it is first asked."""
    for file, names in _FILES.items():
        if name in names:
            return getattr(importlib.import_module(f"mineproof.advice.{file}"), name)
    raise AttributeError(f"module 'mineproof.advice' has no attribute {name!r}")
