"""Mineproof: a Minesweeper laboratory.

Play, watch agents reason, ask why a cell is safe, and measure how strong each way of
reasoning is. The names below are the public interface; parts load when they are used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, cast

# `backend` and `draw` cannot load later: the module of the same name would hide the function.
from mineproof.backend import backend
from mineproof.core.board import Board, NoGuessDealer, deal, use_no_guess_dealer
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
    "Analysis": "mineproof.advice.analysis",
    "Comparison": "mineproof.match.many",
    "Explanation": "mineproof.proof.explanation",
    "GamesResult": "mineproof.match.many",
    "OrderedBoard": "mineproof.generate.boards",
    "Record": "mineproof.notation.records",
    "Solvability": "mineproof.generate.solvability",
    "analyse": "mineproof.advice.analysis",
    "compare": "mineproof.match.many",
    "deal_no_guess": "mineproof.generate.boards",
    "explain": "mineproof.advice.proofs",
    "make_agent": "mineproof.agents.loading",
    "parse_position": "mineproof.notation.position_text",
    "play": "mineproof.match.play",
    "play_games": "mineproof.match.many",
    "solvability": "mineproof.generate.solvability",
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


def _load_no_guess_dealer() -> NoGuessDealer:
    return cast("NoGuessDealer", importlib.import_module("mineproof.generate.no_guess"))


use_no_guess_dealer(_load_no_guess_dealer)


def __getattr__(name: str) -> Any:
    """Load a part of the package when it is first asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)
