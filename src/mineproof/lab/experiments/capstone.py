"""The Capstone report (000): a resolution agent, by level, given cells and kind of matching."""

from __future__ import annotations

from mineproof.lab.experiment import Experiment, Figure, Reported

LEVELS = ("easy", "medium", "hard")
_WON = {
    ("easy", 1): 9,
    ("medium", 1): 9,
    ("hard", 1): 1,
    ("easy", 5): 10,
    ("medium", 5): 9,
    ("hard", 5): 4,
    ("hard", 10): 7,
}
"""Games won of ten, by level and K."""
_SECONDS = {
    ("easy", 1): "about 1",
    ("medium", 1): "about 5",
    ("hard", 1): "at most 30",
    ("easy", 5): "1",
    ("medium", 5): "5",
    ("hard", 5): "at most 25",
    ("hard", 10): "at most 20",
}
"""Seconds a game, the report's text, by level and K."""


def _reported_wins() -> tuple[Reported, ...]:
    return tuple(
        Reported(times, won / 10, f"{won} of 10", "resolution", level, games=10)
        for (level, times), won in _WON.items()
    )


def _reported_seconds() -> tuple[Reported, ...]:
    return tuple(
        Reported(times, 1000.0 * float(text.split()[-1]), f"{text} s", "resolution", level)
        for (level, times), text in _SECONDS.items()
    )


EXPERIMENTS = (
    Experiment(
        "capstone-wins",
        "Win rate and time by given cells",
        "How often does the resolution agent win with 1, 5 and 10 times the usual given cells?",
        agents=("resolution", "resolution:matching=both"),
        rules={"goal": "mark"},
        vary={"level": LEVELS, "given": (1, 5, 10)},
        games=1000,
        source="the Capstone report (000)",
        figures=(
            Figure(
                "capstone-wins",
                "Games won by given cells",
                "won",
                x="times",
                panel="level",
                claim="Hard games are won 1, 4 and 7 times of 10 with K = 1, 5 and 10; easy and "
                "medium ones 9 or 10 times.",
                reported=_reported_wins(),
            ),
            Figure(
                "capstone-time",
                "CPU time by given cells",
                "ms",
                x="times",
                panel="level",
                log=True,
                claim="Games get shorter with K: hard ones take at most 30, 25 and 20 s.",
                expect="falls",
                reported=_reported_seconds(),
            ),
        ),
    ),
    Experiment(
        "capstone-matching",
        "The three kinds of matching",
        "What do matching with KB0, with KB, and with both win and cost?",
        agents=("resolution",),
        rules={"goal": "mark", "given": 1},
        vary={"level": LEVELS, "option.matching": ("kb0", "kb", "both")},
        games=1000,
        source="the Capstone report (000)",
        figures=(
            Figure(
                "capstone-matching-wins",
                "Games won by kind of matching",
                "won",
                x="level",
                kind="bars",
                claim="Matching with KB0 alone is good enough; the agent uses it.",
                baseline=("resolution:matching=kb0",),
            ),
            Figure(
                "capstone-matching-cost",
                "CPU time by kind of matching",
                "ms",
                x="level",
                kind="bars",
                log=True,
                baseline=("resolution:matching=kb0",),
            ),
            Figure(
                "capstone-matching-step",
                "CPU time a step by kind of matching",
                "ms_step",
                x="level",
                kind="bars",
                log=True,
                claim="The other kinds of matching cost a lot of time for every step.",
            ),
            Figure(
                "capstone-matching-size",
                "Size of the knowledge base by kind of matching",
                "kb",
                x="level",
                kind="bars",
                claim="Matching only pairs with a clause of two literals keeps KB from growing.",
                baseline=("resolution:matching=kb0",),
            ),
        ),
    ),
)
