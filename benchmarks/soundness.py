"""Check every claim of proof that agents make in whole games.

    python benchmarks/soundness.py [AGENT ...] [--games 1000] [--write]

The script plays each level of the source documents (`easy`, `medium`, `hard`; goal `mark`) with
each agent, by default with all built-in ones. It counts wrong claims: moves called proved, and
cells that the agent concluded without a move. `--write` updates `results/soundness.md`. The status
is 1 if any claim is wrong.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from result_table import format_table, machine, update

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.registry import agents
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.move import Action
from mineproof.core.rules import LEVELS, Rules, with_options
from mineproof.match.play import play

DOCUMENTS_LEVELS = ("easy", "medium", "hard")
COLUMNS = ("agent", "level", "games", "claims", "wrong")


@dataclass
class Claims:
    """The number of claims of proof, and how many were wrong."""

    made: int = 0
    wrong: int = 0

    def check(self, claimed: bool, truth: bool) -> None:
        """Count a claim that a cell is a mine, or safe."""
        self.made += 1
        self.wrong += claimed is not truth


def check_game(name: str, rules: Rules, seed: int, claims: Claims) -> None:
    """Play one game and check each cell that the agent claimed to know, once."""
    agent = make_agent(name)
    game = Game(rules, seed)
    claimed: dict[int, bool] = {}

    def watch(game: Game, decision: Decision) -> None:
        if decision.proved and decision.move.action in (Action.OPEN, Action.MARK):
            index = rules.grid.index(decision.move.cell)
            claimed[index] = decision.move.action is Action.MARK

    play(game, agent, watcher=watch)
    if isinstance(agent, KnowledgeAgent):
        for index, conclusion in agent.conclusions.items():
            claimed.setdefault(index, conclusion.mined)
    assert game.board is not None
    for index, mined in claimed.items():
        claims.check(mined, bool(game.board.mined[index]))


def check_level(name: str, level: str, games: int) -> Claims:
    """Play games of a level from seed 0 on."""
    rules = with_options(LEVELS[level], goal="mark")
    claims = Claims()
    for seed in range(games):
        check_game(name, rules, seed, claims)
    return claims


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows, wrong = [], 0
    for name in options.agents or agents():
        for level in DOCUMENTS_LEVELS:
            claims = check_level(name, level, options.games)
            wrong += claims.wrong
            rows.append(
                [f"`{name}`", level, f"{options.games:,}", f"{claims.made:,}", str(claims.wrong)]
            )
            print(*rows[-1], flush=True)
    print(format_table(COLUMNS, rows))
    if options.write:
        intro = (
            "# Soundness\n\nClaims of proof in whole games, compared with the board "
            "(`python benchmarks/soundness.py --write`).\n"
            "A claim is a cell that the agent opened or flagged as proved, or concluded."
        )
        print(update("soundness", intro, COLUMNS, rows, keys=2), machine())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
