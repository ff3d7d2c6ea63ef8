"""The Lab 3 report (001): a sentence agent that stops when it is stuck."""

from __future__ import annotations

from mineproof.lab.experiment import Experiment, Figure, Reported

LEVELS = ("easy", "medium", "hard")
STOPS = "sentences:stuck=stop"
_LOGIC = (STOPS, f"{STOPS},mine_count=on", "exact")
"""Pure logic, and all that can be proved: the metric `solved` leaves out games with a guess."""
_STUDENTS = "other students' number"
_SOLVED = {"easy": (10 / 81, 0.93), "medium": (25 / 256, 0.92), "hard": (99 / 480, 0.48)}
"""Mine share and games solved by pure logic, by level."""
_MARKED = {22: 0.787, 44: 0.898, 66: 0.953, 88: 0.962}
"""Cells marked on hard boards, by given cells."""

EXPERIMENTS = (
    Experiment(
        "lab3-stuck",
        "Stuck games by given cells",
        "How does the share of stuck games fall with the number and the share of given cells?",
        agents=(STOPS, f"{STOPS},mine_count=on"),
        rules={"goal": "mark"},
        vary={"level": LEVELS, "given": (0.5, 1, 2, 3, 4, 5)},
        games=1000,
        probes=("stuck",),
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-stuck-number",
                "Stuck games by number of given cells",
                "stuck",
                x="given",
                panel="level",
                claim="Stuck games fall with the number of given cells, less clearly on hard.",
                expect="falls",
            ),
            Figure(
                "lab3-stuck-share",
                "Stuck games by share of given cells",
                "stuck",
                x="given_share",
                series=("level",),
                where={"agent": STOPS},
                claim="Stuck games fall with the share of given cells; the usual ones are 11.1, "
                "6.3 and 4.6 % of the board.",
                expect="falls",
            ),
            Figure(
                "lab3-stuck-when",
                "How much is known when a game is stuck, usual given cells",
                "known_stuck",
                kind="histogram",
                panel="level",
                where={"times": "1.0"},
                claim="Games are stuck at the opening (type 2) or near the end (the others).",
            ),
            *(
                Figure(
                    f"lab3-stuck-{name}",
                    title,
                    f"stuck_{name.replace('-', '_')}",
                    x="given",
                    series=("agent",),
                    panel="level",
                    claim=claim,
                )
                for name, title, claim in (
                    (
                        "nothing",
                        "Stuck where nobody could go on",
                        "In types 1 and 2 nothing follows: two cells with one mine, or given "
                        "cells too far apart.",
                    ),
                    (
                        "mine-count",
                        "Stuck where the mine count would help",
                        "Types 3 and 4 are solved by the mine count as one more sentence.",
                    ),
                    (
                        "reasoning",
                        "Stuck where more reasoning would help",
                        "",
                    ),
                )
            ),
            Figure(
                "lab3-known",
                "Cells opened or marked by given cells",
                "known",
                x="given",
                series=("agent",),
                where={"level": "hard"},
                claim="Other students' agents mark 78.7, 89.8, 95.3 and 96.2 % of the cells of "
                "100 hard boards with 22, 44, 66 and 88 given cells.",
                reported=tuple(
                    Reported(given, value, f"{value:.1%} of the cells")
                    for given, value in _MARKED.items()
                ),
                reported_by=_STUDENTS,
            ),
        ),
    ),
    Experiment(
        "lab3-matching",
        "Matching after every move or only when stuck",
        "Does it matter when sentences are matched?",
        agents=("sentences:stuck=stop",),
        rules={"goal": "mark", "given": 1},
        vary={"level": LEVELS, "option.matching": ("always", "stuck")},
        games=1000,
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-matching-stuck",
                "Stuck games by when sentences are matched",
                "stuck",
                x="level",
                kind="bars",
                claim="The assignment suggests it only when stuck; the report does it always.",
                baseline=(f"{STOPS},matching=always",),
            ),
            Figure(
                "lab3-matching-cost",
                "CPU time by when sentences are matched",
                "ms",
                x="level",
                kind="bars",
                baseline=(f"{STOPS},matching=always",),
            ),
        ),
    ),
    Experiment(
        "lab3-levels",
        "Success by level",
        "How often is a level solved without a guess?",
        agents=_LOGIC,
        rules={"goal": "mark", "given": 1},
        vary={"level": LEVELS},
        games=1000,
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-levels",
                "Games solved by mine share: medium, easy and hard",
                "solved",
                x="density",
                claim="Success falls with the mine share (easy 12.3, medium 9.8, hard 20.6 %). "
                "Other students' pure logic solves 93, 92 and 48 of 100 boards.",
                expect="falls",
                reported=tuple(
                    Reported(share, won, f"{level}: {won:.0%}", games=100)
                    for level, (share, won) in _SOLVED.items()
                ),
                reported_by=_STUDENTS,
                note="What exact solves without a guess is all that can be proved: no logic solves "
                "more under these rules.",
            ),
        ),
    ),
    Experiment(
        "lab3-density",
        "Success by mine share",
        "How does success fall with the mine share on a board of one size?",
        agents=_LOGIC,
        rules={"level": "medium", "goal": "mark", "given": 1},
        vary={"density": (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22)},
        games=1000,
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-density",
                "Games solved by mine share, 16x16",
                "solved",
                x="density",
                claim="Success and mine share are negatively correlated.",
                expect="falls",
            ),
        ),
    ),
)
