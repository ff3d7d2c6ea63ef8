"""Totals of games that the core simulated: results, time, and where lost games ended."""

from __future__ import annotations

import math
import struct
from collections import Counter
from dataclasses import dataclass, field

TRACE = struct.Struct("<4I4f")
"""One game in the output of `trace_games`."""
WON, LOST = 0, 1
OPENED = {"< 10 %": 0.1, "10-25 %": 0.25, "25-50 %": 0.5, "50-75 %": 0.75, "> 75 %": math.inf}
"""Bins for the share of safe cells open at the fatal guess: names and upper limits."""
LAYOUTS = {"<= 500": 500.5, "<= 10^6": 1e6, "<= 10^30": 1e30, "more": math.inf}
"""Bins for the number of layouts left at the fatal guess: names and upper limits."""


@dataclass
class Tally:
    """The totals of some games."""

    won: bytes = b""
    """One byte per game in the order of their seeds: 1 for a win."""
    losses: int = 0
    guesses: int = 0
    milliseconds: float = 0.0
    slowest_game: float = 0.0
    slowest_guess: float = 0.0
    fatal_safety: float = 0.0
    """The sum of the chances of survival at all fatal guesses."""
    opened: Counter[str] = field(default_factory=Counter)
    layouts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, traces: bytes, cells: int, mines: int) -> Tally:
        """Add up the games of a simulation on boards with this many cells and mines."""
        tally = cls()
        results = []
        for result, guesses, _, hidden, log_layouts, safety, took, slowest in TRACE.iter_unpack(
            traces
        ):
            results.append(result == WON)
            tally.guesses += guesses
            tally.milliseconds += took
            tally.slowest_game = max(tally.slowest_game, took)
            tally.slowest_guess = max(tally.slowest_guess, slowest)
            if result == LOST:
                tally.lose((cells - hidden) / (cells - mines), log_layouts, safety)
        tally.won = bytes(results)
        return tally

    def lose(self, opened: float, log_layouts: float, safety: float) -> None:
        """Count a lost game under the kind of its last guess."""
        self.losses += 1
        self.fatal_safety += safety
        self.opened[bin_of(opened, OPENED)] += 1
        self.layouts[bin_of(math.exp(min(log_layouts, 600.0)), LAYOUTS)] += 1

    def add(self, other: Tally) -> None:
        """Append the games of another tally."""
        self.won += other.won
        self.losses += other.losses
        self.guesses += other.guesses
        self.milliseconds += other.milliseconds
        self.slowest_game = max(self.slowest_game, other.slowest_game)
        self.slowest_guess = max(self.slowest_guess, other.slowest_guess)
        self.fatal_safety += other.fatal_safety
        self.opened += other.opened
        self.layouts += other.layouts

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.won)

    @property
    def wins(self) -> int:
        """The number of wins."""
        return self.won.count(1)

    @property
    def rate(self) -> float:
        """The win rate."""
        return self.wins / self.games if self.games else math.nan


def bin_of(value: float, bins: dict[str, float]) -> str:
    """Return the name of the first bin that ends above a value."""
    return next(name for name, end in bins.items() if value < end or end == math.inf)
