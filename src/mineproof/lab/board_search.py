"""The source of an experiment's boards: dealt at random, or found by a search for long chains."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.agents.protocol import Agent
from mineproof.core.board import Board
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.review.long_chains import improve, sample

MOST_TRIES = 1_000_000
WAYS = {"sampled": sample, "improved": improve}


@dataclass(frozen=True)
class BoardSearch:
    """The method that finds the board of a game. If `way` is empty, the board is dealt."""

    way: str = ""
    tries: int = 0

    def __str__(self) -> str:
        """Return the text form, which `parse` can read."""
        return f"{self.way}:{self.tries}" if self.way else "dealt"

    @classmethod
    def parse(cls, text: str) -> BoardSearch:
        """Read `dealt`, `sampled:TRIES` or `improved:TRIES`.

        Raises:
            NotationError: the text has another form.
        """
        way, _, tries = text.partition(":")
        if text == "dealt":
            return DEALT
        if way in WAYS and re.fullmatch("[0-9]{1,7}", tries) and 1 <= int(tries) <= MOST_TRIES:
            return cls(way, int(tries))
        raise NotationError(
            f"expected boards dealt, sampled:TRIES or improved:TRIES with 1 to {MOST_TRIES:,} "
            f"tries, got {text!r}"
        )

    def find(self, rules: Rules, agent: Agent, seed: int, first: Cell | None) -> Board | None:
        """Return the board for a seed; None if the board is dealt as usual."""
        if not self.way:
            return None
        return WAYS[self.way](rules, agent, seed, self.tries, first).board


DEALT = BoardSearch()
