"""Compares two agents on the same boards, with a fixed number of games or as few as needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from mineproof.core.errors import InputError
from mineproof.core.words import counted, points
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment, Setting
from mineproof.lab.names import short_agent
from mineproof.lab.statistics import Sequential, SequentialVerdict
from mineproof.lab.work import Won
from mineproof.match.certainty import Pairs

DUEL = "compare-"
"""The prefix of the names of comparisons."""


def duel(first: str, second: str, rules: dict[str, Setting], games: int, seed: int) -> Experiment:
    """Return the experiment in which two agents play the same boards.

    Its name is a hash of the agents, rules and seed, so the same comparison resumes where it
    stopped.

    Raises:
        InputError: the two are the same agent.
    """
    if first == second:
        raise InputError(f"expected two different agents, got {first!r} twice")
    what = json.dumps([first, second, rules, seed], sort_keys=True)
    return Experiment(
        f"{DUEL}{hashlib.sha256(what.encode()).hexdigest()[:10]}",
        f"{short_agent(first)} against {short_agent(second)}",
        "Which agent wins more often?",
        agents=(first, second),
        rules=rules,
        games=games,
        quick=min(games, 20),
        seed=seed,
    )


class Duel:
    """The state of a comparison, updated after each chunk.

    Pairs are counted in the order of their seeds, up to the first unfinished one. Counting them as
    they arrive would favour boards that are played quickly. Boards that an agent refused are left
    out.
    """

    def __init__(self, names: tuple[str, str], test: Sequential | None = None) -> None:
        self.pairs = Pairs()
        self.verdict = SequentialVerdict.OPEN
        self._test = test
        self._names = names
        self._wins: dict[str, dict[int, Won]] = {name: {} for name in names}
        self._next = 0

    @property
    def has_test(self) -> bool:
        """Whether a sequential test may end the comparison."""
        return self._test is not None

    def add(self, chunk: Chunk, wins: Iterable[Won]) -> bool:
        """Add the games of a chunk; return False if the test has reached a verdict."""
        self._wins[chunk.agent].update(enumerate(wins, chunk.start))
        first, second = (self._wins[name] for name in self._names)
        while (
            self.verdict is SequentialVerdict.OPEN and self._next in first and self._next in second
        ):
            one, other = first.pop(self._next), second.pop(self._next)
            self._next += 1
            if one is None or other is None:
                continue
            self.pairs += Pairs.count([(one, other)])
            if self._test is not None:
                self.verdict = self._test.verdict(self.pairs.only_first, self.pairs.only_second)
        return self.verdict is SequentialVerdict.OPEN

    def describe(self) -> str:
        """Return the state in one line, with the test's bounds; empty before the first pair."""
        pairs, gap = self.pairs, self.pairs.difference
        if not pairs.games:
            return ""
        difference = points(gap.value, gap.low, gap.high)
        text = f"{counted(pairs.games, 'pair')}, second - first {difference}"
        if self._test is None:
            return text
        low, high = self._test.bounds
        ratios = self._test.ratios(pairs.only_first, pairs.only_second)
        return f"{text}; LLR {ratios[0]:+.2f} and {ratios[1]:+.2f} in [{low:.2f}, {high:.2f}]"
