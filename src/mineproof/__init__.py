"""Mineproof: a Minesweeper laboratory.

Play, watch agents reason, ask why a cell is safe, and measure how strong each way of reasoning is.
`__all__` lists the public names. Large modules are imported when a name is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# `backend` and `draw` cannot be imported lazily: modules of the same name would hide them.
from mineproof.backend import backend
from mineproof.core.board import Board, deal
from mineproof.core.clues import ClueRule, register_clue_rule
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

if TYPE_CHECKING:
    from mineproof.advice.analysis import Analysis, analyse
    from mineproof.advice.proofs import explain
    from mineproof.agents.loading import make_agent
    from mineproof.generate.boards import OrderedBoard, deal_no_guess
    from mineproof.generate.solvability import Solvability, solvability
    from mineproof.match.many import Comparison, GamesResult, compare, play_games
    from mineproof.match.play import play
    from mineproof.notation.position_text import parse_position
    from mineproof.notation.records import Record
    from mineproof.proof.explanation import Explanation

__version__ = "0.2.0"

_LAZY = {
    "advice.analysis": ("Analysis", "analyse"),
    "advice.proofs": ("explain",),
    "agents.loading": ("make_agent",),
    "generate.boards": ("OrderedBoard", "deal_no_guess"),
    "generate.solvability": ("Solvability", "solvability"),
    "match.many": ("Comparison", "GamesResult", "compare", "play_games"),
    "match.play": ("play",),
    "notation.position_text": ("parse_position",),
    "notation.records": ("Record",),
    "proof.explanation": ("Explanation",),
}
"""The modules that are imported only when needed, each with its public names."""

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
    "ClueRule",
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
    "OrderedBoard",
    "Outcome",
    "PublicRules",
    "Reason",
    "Record",
    "Result",
    "Rules",
    "RulesError",
    "Solvability",
    "WorkLimitError",
    "analyse",
    "backend",
    "compare",
    "deal",
    "deal_no_guess",
    "draw",
    "explain",
    "make_agent",
    "parse_position",
    "play",
    "play_games",
    "register_clue_rule",
    "solvability",
]


def __getattr__(name: str) -> Any:
    """Import the module of a lazy name when the name is first used."""
    for module, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(f"mineproof.{module}"), name)
    raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
