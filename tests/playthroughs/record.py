"""Records games of agents, move by move with reasons, for `tests/agents/test_playthroughs.py`.

`python tests/playthroughs/record.py` plays the game of every file again, and adds a file for each
agent without one. With file names, it records only those. Check the differences before you commit
them: a change here is a change in how an agent plays or explains its moves.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mineproof.agents.loading import make_agent
from mineproof.agents.registry import agents
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.rules import Rules, with_options
from mineproof.match.play import play

FOLDER = Path(__file__).parent
LEVEL = "level"
SEED = "seed"
AGENT = "agent"
DEFAULTS = {LEVEL: "9x9/14", "start": "given:1", "explosion": "continue", SEED: "7"}
"""The header for an agent that has no file yet."""


def read_header(text: str) -> dict[str, str]:
    """Return the lines `name: value` up to the first blank line."""
    head, _, _ = text.partition("\n\n")
    pairs = (line.partition(": ") for line in head.splitlines())
    return {name: value for name, _, value in pairs}


def record(header: dict[str, str]) -> str:
    """Play the game that a header describes and return its text."""
    named = dict(header)
    agent = make_agent(named.pop(AGENT))
    seed, level = int(named.pop(SEED)), named.pop(LEVEL)
    game = Game(with_options(Rules.parse(level), **named), seed)
    lines = [f"{name}: {value}" for name, value in header.items()]
    lines.append("")
    play(game, agent, watcher=lambda _, decision: lines.append(move_line(decision)))
    assert game.outcome is not None
    lines.append(f"{game.outcome.result}, score {game.outcome.score:.4f}")
    return "\n".join(lines) + "\n"


def move_line(decision: Decision) -> str:
    """Return the line of a move: the move, whether it is proved or its risk, and the reason."""
    risk = "?" if decision.risk is None else f"{decision.risk:.4f}"
    claim = "proved" if decision.proved else f"guess {risk}"
    return f"{decision.move} | {claim} | {decision.reason}"


def main(names: list[str]) -> None:
    paths = [FOLDER / name for name in names] or sorted(
        {*FOLDER.glob("*.txt"), *(FOLDER / f"{name}.txt" for name in agents())}
    )
    for path in paths:
        header = {AGENT: path.stem, **DEFAULTS}
        if path.exists():
            header = read_header(path.read_text("utf-8"))
        path.write_text(record(header), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
