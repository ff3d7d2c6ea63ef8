"""The Lab 3 report (001): a sentence agent that stops when it is stuck."""

from __future__ import annotations

from mineproof.lab.experiment import Experiment, Figure, Reported

LEVELS = ("easy", "medium", "hard")
STOPS = "sentences:stuck=stop"
_STUDENTS = "pure logic, public results of other students, 100 boards"
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
            ),
            Figure(
                "lab3-stuck-share",
                "Stuck games by share of given cells",
                "stuck",
                x="given_share",
                series=("level",),
                where={"agent": STOPS},
                claim="The usual given cells are 11.1, 6.3 and 4.6 % of the board.",
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
                        "Types 1 and 2: two cells with one mine, or scattered given cells.",
                    ),
                    (
                        "mine-count",
                        "Stuck where the mine count would help",
                        "Types 3 and 4 are solved by the mine count as one more sentence.",
                    ),
                    (
                        "reasoning",
                        "Stuck where more reasoning would help",
                        "The report does not tell these apart.",
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
                claim=f"On hard boards 78.7 to 96.2 % of the cells ({_STUDENTS}).",
                reported=tuple(
                    Reported(given, value, f"{value:.1%} of the cells")
                    for given, value in _MARKED.items()
                ),
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
            ),
            Figure(
                "lab3-matching-cost",
                "CPU time by when sentences are matched",
                "ms",
                x="level",
                kind="bars",
            ),
        ),
    ),
    Experiment(
        "lab3-levels",
        "Success by level",
        "How often is a level solved without a guess?",
        agents=(STOPS, f"{STOPS},mine_count=on"),
        rules={"goal": "mark", "given": 1},
        vary={"level": LEVELS},
        games=1000,
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-levels",
                "Games solved by mine share of the three levels",
                "won",
                x="density",
                claim="Success falls with the mine share (12.3, 9.8 and 20.6 %).",
                reported=tuple(
                    Reported(share, won, f"{level}: {won:.0%} ({_STUDENTS})", games=100)
                    for level, (share, won) in _SOLVED.items()
                ),
            ),
        ),
    ),
    Experiment(
        "lab3-density",
        "Success by mine share",
        "How does success fall with the mine share on a board of one size?",
        agents=(STOPS, f"{STOPS},mine_count=on"),
        rules={"level": "medium", "goal": "mark", "given": 1},
        vary={"density": (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22)},
        games=1000,
        source="the Lab 3 report (001)",
        figures=(
            Figure(
                "lab3-density",
                "Games solved by mine share, 16x16",
                "won",
                x="density",
                claim="Success and mine share are negatively correlated.",
            ),
        ),
    ),
)
