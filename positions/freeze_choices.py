"""Freeze the decisions of `champion`, so that a test notices when they change.

`python positions/freeze_choices.py` plays seeded games with `champion` and collects positions in
which it guesses (`champion.mine`). Then it asks `champion` about these and about two suites with
exact counts, and writes a `.choices` file for each. A line lists the compared cells of a position,
the chosen one first. `3,4:0.41` is a cell with its estimated chance of winning, `3,4=0.5` one with
its exact chance, and `3,4` one without either. `-` is a position that needs no guess. The trained
evaluation exists only in the C++ core, so these files are its oracle. Write them again only if
`champion` should decide differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mineproof
from mineproof.core.decision import Candidate
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, BEGINNER, EXPERT, INTERMEDIATE, OPENING, Rules
from mineproof.notation.position_text import format_positions, parse_positions

FOLDER = Path(__file__).parent
SUITES = ("champion", "expert-stuck", "games")
GAMES = (
    (EXPERT, 50),
    (replace(EXPERT, start=OPENING), 50),
    (INTERMEDIATE, 60),
    (BEGINNER, 60),
    (Rules(4, 4, 6), 15),
    (Rules(1, 30, 7), 15),
    (Rules(2, 40, 20), 10),
    (Rules(7, 25, 45, ANY), 10),
    (Rules(12, 12, 60), 10),
)
"""Rules, and the number of positions for each."""
SHOWN = 4
"""The most candidates of a position to write."""


def guesses(rules: Rules, wanted: int) -> Iterator[Observation]:
    """Return different positions in which `champion` guesses: guess (i mod 6) of game i."""
    seed, found = 0, set[bytes]()
    while len(found) < wanted:
        game = mineproof.Game(rules, seed, rules.first_cell)
        steps = mineproof.play(game, mineproof.make_agent("champion")).steps
        turns = [turn for turn, step in enumerate(steps) if not step.proved]
        if len(turns) > seed % 6:
            game = mineproof.Game(rules, seed, rules.first_cell)
            for step in steps[: turns[seed % 6]]:
                game.play(step.move)
            if game.observation.shown not in found:
                found.add(game.observation.shown)
                yield game.observation
        seed += 1


def written(candidate: Candidate) -> str:
    """Return a candidate as text: its cell, and its chance of winning if there is one."""
    cell = f"{candidate.cell[0]},{candidate.cell[1]}"
    if candidate.win is None:
        return cell
    return f"{cell}{'=' if candidate.win_exact else ':'}{candidate.win:.6f}"


def choice(position: Observation) -> str:
    """Return the line of a position."""
    agent = mineproof.make_agent("champion")
    agent.start(position.rules, 1)
    decision = agent.decide(position)
    if decision is None or decision.proved:
        return "-"
    return " ".join(map(written, decision.candidates[:SHOWN]))


def main() -> None:
    """Write all files."""
    if mineproof.backend() == "python":
        raise SystemExit("the C++ core is missing. It contains the trained evaluation")
    found = [position for rules, wanted in GAMES for position in guesses(rules, wanted)]
    (FOLDER / "champion.mine").write_text(format_positions(found))
    for name in SUITES:
        positions = parse_positions((FOLDER / f"{name}.mine").read_text())
        lines = [f"{choice(position)}\n" for position in positions]
        (FOLDER / f"{name}.choices").write_text("".join(lines))


if __name__ == "__main__":
    main()
