"""What the source documents do not have: the ladder, maps, densities, costs, deaths."""

from __future__ import annotations

from mineproof.agents.registry import agents
from mineproof.lab.experiment import Experiment, Figure

LADDER = tuple(name for name in agents() if name != "deep")
"""All agents, weakest first, but for the one that thinks as long as it is allowed to."""
PROVERS = tuple(name for name in LADDER if name not in ("random", "possibility"))
"""Those that prove something."""
LEVELS = ("easy", "medium", "hard", "beginner", "classic-beginner", "intermediate", "expert")


def with_champion(*names: str) -> tuple[str, ...]:
    """Give these agents, and the strongest one where there is one."""
    return (*names, *(name for name in LADDER if name == "champion"))


EXPERIMENTS = (
    Experiment(
        "ladder",
        "All agents on all levels",
        "Who wins how often?",
        agents=LADDER,
        vary={"level": LEVELS},
        games=300,
        quick=3,
        figures=(
            Figure("ladder", "Games won by agent and level", "won", x="level", kind="bars"),
            Figure(
                "ladder-cost",
                "CPU time by agent and level",
                "ms",
                x="level",
                log=True,
                kind="bars",
                note="From a first cell the core plays whole games of some agents; from given "
                "cells all games are played move by move.",
            ),
        ),
    ),
    Experiment(
        "completeness",
        "How complete each agent is",
        "Which share of the provable cells does each agent prove?",
        agents=(*PROVERS, "resolution:matching=both"),
        vary={"level": ("beginner", "intermediate", "expert")},
        games=100,
        quick=3,
        probes=("completeness", "luck"),
        figures=(
            Figure(
                "completeness",
                "Provable cells that were proved, at guesses and ends",
                "completeness",
                x="level",
                kind="bars",
            ),
            Figure("needless", "Needless guesses by agent", "needless", x="level", kind="bars"),
            Figure("risk", "Risk taken in a game by agent", "risk", x="level", kind="bars"),
        ),
    ),
    Experiment(
        "first-cell",
        "Win rate by first cell",
        "Where should one begin?",
        agents=("exact",),
        rules={"first": "every"},
        vary={"level": ("beginner", "intermediate", "expert")},
        games=400,
        quick=10,
        figures=(
            Figure(
                "first-cell",
                "Games won by first cell",
                "won",
                x="first",
                kind="map",
                panel="level",
            ),
        ),
    ),
    Experiment(
        "density",
        "Win rate by density",
        "How does the win rate fall with the density?",
        agents=with_champion("random", "basic", "sentences", "clue-heap", "exact"),
        rules={"level": "intermediate"},
        vary={"density": (0.05, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25)},
        games=300,
        quick=5,
        figures=(
            Figure(
                "density",
                "Games won by density, 16x16",
                "won",
                x="density",
                threshold=0.5,
                threshold_text="half of the games",
            ),
        ),
    ),
    Experiment(
        "size-cost",
        "Cost by board size",
        "How does the time grow with the board?",
        agents=with_champion("basic", "sentences", "resolution", "clue-heap", "exact"),
        rules={"density": 0.15, "start": "opening", "explosion": "continue"},
        vary={"size": (8, 12, 16, 24, 32)},
        games=40,
        quick=2,
        figures=(
            Figure("size-cost", "CPU time by board size, density 0.15", "ms", x="cells", log=True),
            Figure(
                "size-cost-step",
                "CPU time a step by board size, density 0.15",
                "ms_step",
                x="cells",
                log=True,
            ),
        ),
    ),
    Experiment(
        "deaths",
        "Where games are lost",
        "How much of the board is open when a game is lost?",
        agents=with_champion("basic", "sentences", "exact"),
        vary={"level": ("intermediate", "expert")},
        games=500,
        quick=10,
        probes=("board",),
        figures=(
            Figure(
                "deaths",
                "Share of safe cells open when a game is lost",
                "opened_lost",
                kind="histogram",
                panel="level",
            ),
        ),
    ),
)
