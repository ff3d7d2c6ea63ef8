"""Build the suites of real games, and the exact answers of all large suites.

`python positions/build.py` plays seeded games with the agent `exact` and collects positions in
which it must guess (`games.mine`). It opens cells all over boards (`scattered.mine`), and writes
the answers of these and of `expert-stuck.mine` to `.counts` files. Each line contains the number of
layouts of a position, the numbers of proved safe cells and proved mines, and the lowest risk of a
cell that is not a proved mine. Like perft files in chess, these are numbers on which every complete
engine must agree. The pure-Python engine computes them. Tests compare all engines, and a few counts
with a model counter that shares no code with this project.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from mineproof.agents.exact import ExactAgent
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules, Start, StartKind
from mineproof.inference.counting import Known, reference
from mineproof.notation.position_text import format_positions, parse_positions

FOLDER = Path(__file__).parent
HEADING = "# layouts, cells proved safe, cells proved mined, least risk of the others\n"
GAMES = ((BEGINNER, 4), (INTERMEDIATE, 8), (EXPERT, 12), (Rules(24, 30, 160), 6))
SCATTERED = (
    (BEGINNER, 1, 2),
    (INTERMEDIATE, 4, 4),
    (EXPERT, 4, 4),
    (EXPERT, 7, 6),
    (EXPERT, 10, 4),
)


def guesses(rules: Rules, wanted: int) -> Iterator[Observation]:
    """Return positions in which the agent guesses, one per game: guess (i mod 4) of game i."""
    found = seed = 0
    while found < wanted:
        game = Game(rules, seed, rules.first_cell)
        positions: list[Observation] = []
        agent = ExactAgent()
        agent.start(rules.public(), seed)
        while not game.is_over:
            decision = agent.decide(game.observation)
            if decision is None:
                break
            if not decision.proved:
                positions.append(game.observation)
            game.play(decision.move)
        if len(positions) > seed % 4:
            yield positions[seed % 4]
            found += 1
        seed += 1


def scattered(rules: Rules, times: int, wanted: int) -> Iterator[Observation]:
    """Return boards with cells opened all over them, without flooding."""
    start = Start(StartKind.GIVEN, Fraction(times))
    for seed in range(wanted):
        spread = Rules(rules.rows, rules.columns, rules.mines, start, flood=False)
        yield Game(spread, seed).observation


def answer(observation: Observation) -> str:
    """Return the line of a position."""
    assert observation.rules.mines is not None
    facts = reference.count(observation, Known(observation.rules.mines))
    open_cells = set(observation.unopened).difference(facts.mined)
    least = min((facts.risk[index] for index in open_cells), default=1.0)
    return f"{facts.layouts} {len(facts.safe)} {len(facts.mined)} {least!r}\n"


def main() -> None:
    """Write all files."""
    games = [position for rules, wanted in GAMES for position in guesses(rules, wanted)]
    spread = [position for suite in SCATTERED for position in scattered(*suite)]
    (FOLDER / "games.mine").write_text(format_positions(games))
    (FOLDER / "scattered.mine").write_text(format_positions(spread))
    for name in ("expert-stuck", "games", "scattered"):
        positions = parse_positions((FOLDER / f"{name}.mine").read_text())
        lines = [answer(position) for position in positions]
        (FOLDER / f"{name}.counts").write_text(HEADING + "".join(lines))


if __name__ == "__main__":
    main()
