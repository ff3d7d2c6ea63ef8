"""The win rates of the Capstone report and the stuck games of the Lab 3 report.

    python benchmarks/documents_tables.py wins [AGENT ...] [--games 500] [--write]
    python benchmarks/documents_tables.py stuck [AGENT ...] [--games 500] [--write]

`wins` plays each level with 1, 5 and 10 times the usual number of given cells. `stuck` plays with
agents that stop when stuck, from few given cells to many, and says what each stuck position lacks:
nothing can be proved, only the mine count proves something, or more reasoning does.
The goal is `mark`, as in both reports; game i has the seed i. `--write` brings
`results/documents_wins.md` or `results/documents_stuck.md` up to date.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

from result_table import format_table, update

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game, Result
from mineproof.core.rules import LEVELS, Rules, with_options
from mineproof.play.match import play
from mineproof.play.results import wilson
from mineproof.play.stuck import Lack, why_stuck

DOCUMENTS_LEVELS = ("easy", "medium", "hard")
REPORTED = {
    ("easy", "1"): "9 of 10",
    ("medium", "1"): "9 of 10",
    ("hard", "1"): "1 of 10",
    ("easy", "5"): "10 of 10",
    ("medium", "5"): "9 of 10",
    ("hard", "5"): "4 of 10",
    ("hard", "10"): "7 of 10",
}
"""What the Capstone report's agent won, by level and times."""

WINS_AGENTS = ("resolution", "resolution:matching=both", "resolution:matching=both,mine_count=on")
WINS_COLUMNS = ("agent", "level", "given", "games", "won", "95 % interval", "reported", "ms a game")

STUCK_AGENTS = ("sentences:stuck=stop", "sentences:stuck=stop,mine_count=on")
STUCK_COLUMNS = (
    "agent",
    "level",
    "mine share",
    "given",
    "games",
    "stuck",
    "95 % interval",
    *(lack.value for lack in Lack),
)


def rules_of(level: str, times: str) -> Rules:
    """Give the rules of a level of the documents with so many times the given cells."""
    return with_options(LEVELS[level], start=f"given:{times}", goal="mark")


def share(part: int, whole: int) -> tuple[str, str]:
    """Write a share and its interval in per cent."""
    low, high = wilson(part, whole)
    return f"{part / whole:.1%}", f"{low:.1%} to {high:.1%}"


def wins_row(name: str, level: str, times: str, games: int) -> list[str]:
    """Play the games of one cell of the Capstone report's tables."""
    rules = rules_of(level, times)
    wins, milliseconds = 0, 0.0
    for seed in range(games):
        record = play(Game(rules, seed), make_agent(name))
        assert record.outcome is not None
        wins += record.outcome.result is Result.WIN
        milliseconds += record.milliseconds
    rate, interval = share(wins, games)
    reported = REPORTED.get((level, times), "")
    given = f"{times} x, {rules.given_count}"
    speed = f"{milliseconds / games:.1f}"
    return [f"`{name}`", level, given, str(games), rate, interval, reported, speed]


def stuck_row(name: str, level: str, times: str, games: int) -> list[str]:
    """Count the stuck games of one number of given cells, and what they lack."""
    rules = rules_of(level, times)
    agent = make_agent(name)
    lacks: Counter[Lack] = Counter()
    for seed in range(games):
        game = Game(rules, seed)
        play(game, agent)
        assert game.outcome is not None
        if game.outcome.result is Result.STUCK:
            found = why_stuck(agent, game.observation)
            assert found is not None, f"{level}, given:{times}, seed {seed}"
            lacks[found.lack] += 1
    rate, interval = share(lacks.total(), games)
    density = f"{rules.mines / rules.grid.size:.1%}"
    given = f"{times} x, {rules.given_count}"
    by_lack = [str(lacks[lack]) for lack in Lack]
    return [f"`{name}`", level, density, given, str(games), rate, interval, *by_lack]


TABLES: dict[
    str, tuple[Callable[..., list[str]], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
]
TABLES = {
    "wins": (wins_row, WINS_AGENTS, ("1", "5", "10"), WINS_COLUMNS),
    "stuck": (stuck_row, STUCK_AGENTS, ("0.5", "1", "2", "3", "5"), STUCK_COLUMNS),
}
INTROS = {
    "wins": "# Win rates by given cells\n\n"
    "The tables of the Capstone report, whose samples were ten games; goal `mark`",
    "stuck": "# Stuck games by given cells\n\n"
    "The experiments of the Lab 3 report, and what the stuck positions lack; goal `mark`",
}


def main() -> None:
    """Fill one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", choices=list(TABLES))
    parser.add_argument("agents", nargs="*", metavar="AGENT")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    make_row, names, all_times, columns = TABLES[options.table]
    rows = []
    for name in options.agents or names:
        for level in DOCUMENTS_LEVELS:
            for times in all_times:
                rows.append(make_row(name, level, times, options.games))
                print(*rows[-1], flush=True)
    print(format_table(columns, rows))
    if options.write:
        command = f"`python benchmarks/documents_tables.py {options.table} --write`"
        intro = f"{INTROS[options.table]} ({command})."
        print(update(f"documents_{options.table}", intro, columns, rows, columns.index("games")))


if __name__ == "__main__":
    main()
