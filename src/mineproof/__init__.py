"""Mineproof: a Minesweeper laboratory.

Play, watch agents reason, ask why a cell is safe, and measure how strong each way of reasoning is.
`__all__` lists the public names. Large modules are imported when a name is first used.
"""

from __future__ import annotations

import sys

if (
    # what was started, without the interpreter and its own options
    (_started := sys.orig_argv[-len(sys.argv) :][:1]) == ["mineproof"] and sys.argv[0] == "-m"
) or (
    _started == sys.argv[:1] and sys.argv[0].endswith(("/mineproof", "\\mineproof.exe"))
):  # the command is starting, not a user's program: Ctrl-C ends it without a traceback
    from mineproof.core import interrupts

    interrupts.exit_at_once()

import importlib.util
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
    from mineproof import arena as arena
    from mineproof.advice.analysis import Analysis, analyse
    from mineproof.advice.proofs import explain
    from mineproof.agents.loading import make_agent
    from mineproof.arena.many import Comparison, GamesResult, compare, play_games
    from mineproof.generate.boards import OrderedBoard, deal_no_guess
    from mineproof.generate.solvability import Solvability, solvability
    from mineproof.inference.budget import Budget
    from mineproof.match.play import play
    from mineproof.notation.position_text import parse_position
    from mineproof.notation.records import Record
    from mineproof.proof.explanation import Explanation
    from mineproof.review.replays import read_replay
    from mineproof.web.notebook import show

__version__ = "0.2.0"

_LAZY = {
    "advice.analysis": ("Analysis", "analyse"),
    "advice.proofs": ("explain",),
    "agents.loading": ("make_agent",),
    "generate.boards": ("OrderedBoard", "deal_no_guess"),
    "generate.solvability": ("Solvability", "solvability"),
    "inference.budget": ("Budget",),
    "arena.many": ("Comparison", "GamesResult", "compare", "play_games"),
    "match.play": ("play",),
    "notation.position_text": ("parse_position",),
    "notation.records": ("Record",),
    "proof.explanation": ("Explanation",),
    "review.replays": ("read_replay",),
    "web.notebook": ("show",),
}
"""The modules that are imported only when needed, each with its public names."""

__all__ = ["BEGINNER", "CLASSIC_BEGINNER", "EASY", "EXPERT", "HARD", "INTERMEDIATE", "MEDIUM"]
__all__ += ["LEVELS", "Board", "Cell", "ClueRule", "Game", "Observation", "PublicRules", "Rules"]
__all__ += ["Action", "Candidate", "Decision", "Move", "Outcome", "Reason", "Record", "Result"]
__all__ += ["AgentError", "ContradictionError", "IllegalMoveError", "InputError", "NotationError"]
__all__ += ["RulesError", "WorkLimitError"]
__all__ += ["Analysis", "Budget", "Explanation", "OrderedBoard", "Solvability"]
__all__ += ["Comparison", "GamesResult", "compare", "play_games"]
__all__ += ["analyse", "backend", "deal", "deal_no_guess", "draw", "explain", "make_agent"]
__all__ += ["parse_position", "play", "read_replay", "register_clue_rule", "show", "solvability"]


def __getattr__(name: str) -> Any:
    """Import the module of a lazy name, or a subpackage, when it is first used."""
    for module, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(f"mineproof.{module}"), name)
    if name.startswith("_") or importlib.util.find_spec(f"mineproof.{name}") is None:
        wrong = f"module 'mineproof' has no attribute {name!r}"
        raise AttributeError(wrong, name=name, obj=sys.modules[__name__])
    return importlib.import_module(f"mineproof.{name}")


def __dir__() -> list[str]:
    """Return the public names, for `dir`, `help` and completion."""
    return [*__all__, "__version__", "arena"]
