"""Whether a proof was ever false: whole expert games with every proved cell checked.

    python benchmarks/false_proofs.py OUT --agent champion --games 5000000 [--jobs J] [--write]

plays games inside the native core, on boards that consecutive seeds deal, and checks each cell
that is called proved, safe or mined, against the board. Pieces of 10,000 games are added to the
file OUT as they end; the same command goes on where it was stopped, also with more games, and
OUT holds any number of agents and versions. The totals of all of OUT are printed at the end; the
status is 1 if a proof was false. `--write` puts the totals into `results/false_proofs.md`.
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
"""Deals the first board: nothing was trained or tuned on the boards from here on."""
PIECE = 10_000
FIELDS = ("version", "agent", "seed", "games", "won", "proofs", "false")
LABELS = (
    "The number behind an agent is what the program called itself when it played: that was 0.1.0 "
    "until the day 0.2.0 was released, so games labelled 0.1.0 were played by what became 0.2.0, "
    "with its evaluation."
)
COLUMNS = ("agent", "games", "won %", "95 % interval", "cells called proved", "false")


class Piece(NamedTuple):
    """Some games of consecutive seeds, and what became of them."""

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
        """Say which games these are."""
        return self[:4]


def play(piece: Piece, rules: Rules = EXPERT) -> Piece:
    """Play the games of a piece: what a process does."""
    core: Any = native
    settings = core_settings(USUAL, load_evaluation()) if piece.agent == "champion" else None
    size = rules.rows, rules.columns, rules.mines
    won, _, _, _, _, _, proofs, false = core.tally_games(
        *size, "safe", 0, piece.seed, piece.games, settings
    )
    return piece._replace(won=won, proofs=proofs, false=false)


def read(file: TextIO) -> list[Piece]:
    """Give the pieces of a file; a last line that was cut off is taken out of it."""
    file.seek(0)
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    file.truncate(len(whole))
    return [Piece.parse(line) for line in whole.splitlines()[1:]]


def missing(agent: str, games: int, done: list[Piece]) -> Iterator[Piece]:
    """Give the pieces that are still to be played."""
    known = {piece.key for piece in done}
    for begin in range(0, games, PIECE):
        piece = Piece(__version__, agent, SEED + begin, min(PIECE, games - begin))
        if piece.key not in known:
            yield piece


def run(file: TextIO, agent: str, games: int, jobs: int) -> list[Piece]:
    """Play what is missing, and give all pieces of the file."""
    done = read(file)
    if file.tell() == 0:
        print(*FIELDS, file=file, flush=True)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for number, piece in enumerate(pool.imap(play, missing(agent, games, done)), 1):
            print(*piece, file=file, flush=True)
            done.append(piece)
            if number % 10 == 0:
                print(f"{agent}: {number * PIECE:,} games more", flush=True)
    return done


def rows(pieces: list[Piece]) -> list[list[str]]:
    """Add the pieces up for each agent of each version."""
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
    """Say what the table holds, how to repeat it, and what its labels mean."""
    known = {piece.key: piece for piece in pieces}.values()
    games, false = sum(piece.games for piece in known), sum(piece.false for piece in known)
    return (
        f"{games:,} expert games from a corner, every cell that was called proved checked against "
        f"the board: {false or 'none'} false.\n\n"
        "`python benchmarks/false_proofs.py OUT --agent AGENT --games 5000000 --write`, for each "
        f"agent ({machine()}).\n\n{LABELS}"
    )


def main() -> int:
    """Play, and print the totals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--agent", choices=["champion", "exact"], default="champion")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="put the totals into results/")
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
