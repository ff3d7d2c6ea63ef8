"""Every question about a position, one function each: data in, data out.

The same for the game as it stands, a past move, a pasted position or a lane of a race; nothing
here knows a game. Each takes a `Budget` of time and of memory. What a question needs is loaded
when it is asked: risks do without proofs, and in a browser somebody waits for all that is loaded.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mineproof.advice.budget import USUAL, Budget

if TYPE_CHECKING:
    from mineproof.advice.agents import decide, first_decision, knowledge, known, why_stuck
    from mineproof.advice.analysis import Analysis, analyse
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

_PLACES = {
    "agents": ("decide", "first_decision", "knowledge", "known", "why_stuck"),
    "analysis": ("Analysis", "analyse"),
    "chances": ("Risks", "risks", "win_chances"),
    "layouts": ("draw_layout",),
    "proofs": ("GuessAnswer", "Hint", "Stage", "hint", "may_guess", "verdict", "why"),
}


def __getattr__(name: str) -> Any:
    """Load a question when it is first asked for."""
    for place, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(f"mineproof.advice.{place}"), name)
    raise AttributeError(f"module 'mineproof.advice' has no attribute {name!r}")
