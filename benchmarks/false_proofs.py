"""Check every proof in whole expert games, to see whether one was ever false.

    python benchmarks/false_proofs.py OUT --agent champion --games 5000000 [--jobs J] [--write]

The script plays games in the native core on boards of consecutive seeds, and compares each proved
cell, safe or mine, with the board. It appends chunks of 10,000 games to the file OUT. The same
command resumes an interrupted run, also with more games. OUT can contain any number of agents and
versions. At the end the script prints the totals of all of OUT. The status is 1 if a proof was
false. `--write` puts the totals into `results/false_proofs.md`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from result_table import format_table, machine, update

from mineproof import EXPERT, __version__
from mineproof.backend import native
from mineproof.core.rules import Rules
from mineproof.match.certainty import share
from mineproof.notation.files import lock_file
from mineproof.search.choice import USUAL
from mineproof.search.guessing import core_settings, load_evaluation

SEED = 4 * 10**12
"""The seed of the first board. No seed from here on was used for training or tuning."""
PIECE = 10_000
FIELDS = ("version", "agent", "seed", "games", "won", "proofs", "false")
LABELS = (
    "The number after an agent is the program's version number at the time. It stayed 0.1.0 until "
    "0.2.0 was released. Games labelled 0.1.0 were therefore played by the code that became 0.2.0, "
    "with its evaluation. Games labelled 0.2.0 were played by the core that became 0.3.0, on "
    "19 November 2026; after its last change, all of them were repeated with the same results."
)
COLUMNS = ("agent", "games", "won %", "95 % interval", "cells called proved", "false")


class Piece(NamedTuple):
    """A chunk of games with consecutive seeds, and its results."""

    version: str
    agent: str
    seed: int
    games: int
    won: int = 0
    proofs: int = 0
    false: int = 0

    @classmethod
    def parse(cls, line: str) -> Piece:
        """Read a line of the file."""
        version, agent, *numbers = line.split()
        return cls(version, agent, *map(int, numbers))

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The agent, version and seeds of the games."""
        return self[:4]


def play(piece: Piece, rules: Rules = EXPERT) -> Piece:
    """Play the games of a chunk in a worker process."""
    core: Any = native
    settings = core_settings(USUAL, load_evaluation()) if piece.agent == "champion" else None
    size = rules.rows, rules.columns, rules.mines
    won, _, _, _, _, _, proofs, false = core.tally_games(
        *size, "safe", 0, piece.seed, piece.games, settings
    )
    return piece._replace(won=won, proofs=proofs, false=false)


def read(file: TextIO) -> list[Piece]:
    """Return the chunks of a file, and remove an incomplete last line from it."""
    file.seek(0)
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    file.truncate(len(whole))
    return [Piece.parse(line) for line in whole.splitlines()[1:]]


def missing(agent: str, games: int, done: list[Piece]) -> Iterator[Piece]:
    """Return the chunks that are missing."""
    known = {piece.key for piece in done}
    for begin in range(0, games, PIECE):
        piece = Piece(__version__, agent, SEED + begin, min(PIECE, games - begin))
        if piece.key not in known:
            yield piece


def run(file: TextIO, agent: str, games: int, jobs: int) -> list[Piece]:
    """Play the missing chunks, and return all chunks of the file."""
    done = read(file)
    if file.tell() == 0:
        print(*FIELDS, file=file, flush=True)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for number, piece in enumerate(pool.imap(play, missing(agent, games, done)), 1):
            print(*piece, file=file, flush=True)
            done.append(piece)
            if number % 10 == 0:
                print(f"{agent}: {number * PIECE:,} more games", flush=True)
    return done


def rows(pieces: list[Piece]) -> list[list[str]]:
    """Return the totals of each agent and version."""
    groups: dict[str, list[Piece]] = {}
    for piece in {piece.key: piece for piece in pieces}.values():
        groups.setdefault(f"{piece.agent} {piece.version}", []).append(piece)
    return [_row(name, group) for name, group in sorted(groups.items())]


def _row(name: str, pieces: list[Piece]) -> list[str]:
    games, won, proofs, false = (
        sum(column) for column in zip(*(piece[3:] for piece in pieces), strict=True)
    )
    rate = share(won, games)
    between = f"{100 * rate.low:.3f} to {100 * rate.high:.3f}"
    return [name, f"{games:,}", f"{100 * won / games:.3f}", between, f"{proofs:,}", f"{false:,}"]


def introduction(pieces: list[Piece]) -> str:
    """Return text that describes the table, its command and its labels."""
    known = {piece.key: piece for piece in pieces}.values()
    games, false = sum(piece.games for piece in known), sum(piece.false for piece in known)
    return (
        f"{games:,} expert games from a corner. Every proved cell was compared with the board: "
        f"{false or 'none'} were false.\n\n"
        "`python benchmarks/false_proofs.py OUT --agent AGENT --games 5000000 --write`, for each "
        f"agent ({machine()}).\n\n{LABELS}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--agent", choices=["champion", "exact"], default="champion")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="write the totals to results/")
    options = parser.parse_args()
    with options.out.open("a+", encoding="ascii") as file:
        lock_file(file, options.out)
        pieces = run(file, options.agent, options.games, options.jobs)
    print(format_table(COLUMNS, rows(pieces)))
    if options.write:
        update("false_proofs", introduction(pieces), COLUMNS, rows(pieces), 1)
    return 1 if any(piece.false for piece in pieces) else 0


if __name__ == "__main__":
    sys.exit(main())
