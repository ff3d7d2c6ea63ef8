"""Mineproof: a Minesweeper laboratory.

Play, watch agents reason, ask why a cell is safe, and measure how strong each way of
reasoning is. The names below are the public interface; parts load when they are used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# Not lazy: importing a module or package of the same name later would hide the function.
from mineproof.backend import backend
from mineproof.core.board import Board, deal
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import (
    AgentError,
    ContradictionError,
    IllegalMoveError,
    InputError,
    NotationError,
    RulesError,
    WorkLimitError,
)
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import (
    BEGINNER,
    CLASSIC_BEGINNER,
    EASY,
    EXPERT,
    HARD,
    INTERMEDIATE,
    LEVELS,
    MEDIUM,
    PublicRules,
    Rules,
)
from mineproof.draw import draw
from mineproof.match.play import play
from mineproof.proof.explanation import Explanation, explain

if TYPE_CHECKING:
    from mineproof.advice.analysis import Analysis, analyse
    from mineproof.agents.loading import make_agent
    from mineproof.match.many import Comparison, GamesResult, compare, play_games
    from mineproof.notation.position_text import parse_position
    from mineproof.notation.records import Record

__version__ = "0.1.0"

_LAZY = {
    "Analysis": "mineproof.advice.analysis",
    "Comparison": "mineproof.match.many",
    "GamesResult": "mineproof.match.many",
    "Record": "mineproof.notation.records",
    "analyse": "mineproof.advice.analysis",
    "compare": "mineproof.match.many",
    "make_agent": "mineproof.agents.loading",
    "parse_position": "mineproof.notation.position_text",
    "play_games": "mineproof.match.many",
}

__all__ = [
    "BEGINNER",
    "CLASSIC_BEGINNER",
    "EASY",
    "EXPERT",
    "HARD",
    "INTERMEDIATE",
    "LEVELS",
    "MEDIUM",
    "Action",
    "AgentError",
    "Analysis",
    "Board",
    "Candidate",
    "Cell",
    "Comparison",
    "ContradictionError",
    "Decision",
    "Explanation",
    "Game",
    "GamesResult",
    "IllegalMoveError",
    "InputError",
    "Move",
    "NotationError",
    "Observation",
    "Outcome",
    "PublicRules",
    "Reason",
    "Record",
    "Result",
    "Rules",
    "RulesError",
    "WorkLimitError",
    "analyse",
    "backend",
    "compare",
    "deal",
    "draw",
    "explain",
    "make_agent",
    "parse_position",
    "play",
    "play_games",
]


def __getattr__(name: str) -> Any:
    """Load a part of the package when it is first asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)
