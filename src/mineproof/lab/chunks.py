"""Chunks of work: groups of games by one agent, which can be played in any order.

The name of a chunk is a hash of everything that determines its games. If a result file with that
name exists, the chunk is not played again, because its games would be the same.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version

from mineproof.agents.loading import file_of, is_foreign, make_agent
from mineproof.agents.protocol import PlaysWhole
from mineproof.core.board import deal
from mineproof.core.rules import SAFE, Rules
from mineproof.lab.experiment import Condition, Experiment
from mineproof.lab.names import agent_id
from mineproof.match.contract import DECISION_SECONDS
from mineproof.match.isolated import is_huge

FORMAT = 1
"""The version of the result files. It changes if the same chunk would give different results."""
WANTED_MS = 1000.0
"""The target duration of a chunk, in milliseconds of CPU time."""
MOST_GAMES = 250
"""The maximum number of games in a chunk, because some games take much longer than others."""
MOST_WHOLE = 50_000
"""The maximum number of games in a chunk if the native core plays whole games."""
USUAL_COST = 20.0
"""The CPU time per cell of a game that is played in Python, in microseconds."""
COSTS = {"random": 12.0, "resolution": 100.0, "exact": 40.0, "deep": 1000.0}
"""The CPU time per cell for agents that are much faster or slower than `USUAL_COST`."""
WHOLE_COST = 0.15
"""The CPU time per cell if the native core plays whole games."""
WHOLE_COSTS = {"champion": 0.5}
"""The CPU time per cell in the native core for agents that think longer than `exact`."""
SMALL = Rules(8, 8, 10)
"""The board used to find out whether the native core can play an agent's games."""
PROBE_COSTS = {"board": 2.0, "luck": 25.0, "completeness": 25.0, "chains": 10.0, "stuck": 5.0}
"""The additional CPU time per cell for each probe."""
NOISY_FACTOR = 10.0
"""The factor for games whose unreliable clues are modelled."""


@dataclass(frozen=True)
class Chunk:
    """Games `start` to `start + count - 1` of each condition; game i has the seed `seed + i`.

    All conditions have the same agent.
    """

    conditions: tuple[Condition, ...]
    probes: tuple[str, ...]
    seed: int
    start: int
    count: int
    isolated: bool = True
    """Whether the user's own agent runs in a separate process. This does not change its games."""
    salt: str = ""
    """Random digits from which the seeds of the user's own agent are made."""
    seconds: float = DECISION_SECONDS
    """The time limit for a move of the user's own agent, or of any agent on a huge board."""

    @property
    def agent(self) -> str:
        """The agent text."""
        return self.conditions[0].agent

    @property
    def games(self) -> int:
        """The total number of games."""
        return self.count * len(self.conditions)

    @cached_property
    def key(self) -> str:
        """The name of the chunk's result file: a hash of everything that determines its games."""
        return hashlib.sha256(json.dumps(self.plain, sort_keys=True).encode()).hexdigest()[:24]

    @property
    def plain(self) -> dict[str, object]:
        """Everything that determines the games, as plain values for JSON."""
        columns = [condition.columns for condition in self.conditions]
        return {
            "format": FORMAT,
            "version": version("mineproof"),
            "condition": columns[0] if len(columns) == 1 else columns,
            "file": _file_mark(self.agent),
            "probes": sorted(self.probes),
            "seed": self.seed,
            "start": self.start,
            "count": self.count,
            **({"salt": self.salt} if is_foreign(self.agent) else {}),
            **({"seconds": self.seconds} if self._is_limited else {}),
        }

    @property
    def _is_limited(self) -> bool:
        """Whether games can fail because of a time limit other than the default."""
        sizes = (condition.rules.grid.size for condition in self.conditions)
        own = is_foreign(self.agent) or any(is_huge(self.agent, size) for size in sizes)
        return own and self.seconds != DECISION_SECONDS


@lru_cache(maxsize=64)
def _file_mark(agent: str) -> str:
    """Return a hash of the user's own agent file, or an empty string for built-in agents."""
    path = file_of(agent)
    return "" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()


def runs_in_core(condition: Condition, probes: tuple[str, ...]) -> bool:
    """Return whether the native core can play whole games of a condition."""
    if probes or condition.first is None or condition.boards.way:
        return False
    rules = condition.rules
    return _runs_in_core(
        condition.agent, replace(rules, rows=SMALL.rows, columns=SMALL.columns, mines=SMALL.mines)
    )


@lru_cache(maxsize=256)
def _runs_in_core(agent: str, rules: Rules) -> bool:
    """Test the agent on a small board, because only the agent knows which rules it supports."""
    if is_foreign(agent):  # do not run user code in this process
        return False
    made, first = make_agent(agent), rules.grid.cell(0)
    if not isinstance(made, PlaysWhole):
        return False
    board = deal(replace(rules, start=SAFE), 0, first)
    return bool(made.play_whole(rules, [board], first))


def chunk_games(condition: Condition, probes: tuple[str, ...]) -> int:
    """Return the number of games for a chunk, from a rough estimate of their CPU time."""
    id = agent_id(condition.agent)
    whole = runs_in_core(condition, probes)
    costs, usual = (WHOLE_COSTS, WHOLE_COST) if whole else (COSTS, USUAL_COST)
    cost = costs.get(id, usual) + sum(PROBE_COSTS[probe] for probe in probes)
    noisy = str(condition.rules.clues) not in ("exact", "withheld:1.0")
    if noisy and (id == "exact" or "clues=model" in condition.agent):
        cost *= NOISY_FACTOR
    milliseconds = cost * condition.rules.grid.size / 1000 * (condition.boards.tries + 1)
    most = MOST_WHOLE if whole else MOST_GAMES
    return int(max(1, min(WANTED_MS / milliseconds, most)))


def plan(experiment: Experiment, games: int) -> list[Chunk]:
    """Divide an experiment into chunks, sorted by the number of their first game.

    An interrupted run then has games from all conditions.
    """
    chunks = (
        Chunk(group, experiment.probes, experiment.seed, start, min(size, games - start))
        for group, size in _groups(experiment, games)
        for start in range(0, games, size)
    )
    return sorted(chunks, key=lambda chunk: chunk.start)


def _groups(experiment: Experiment, games: int) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Yield the conditions that share a chunk, and the number of games per condition.

    Most conditions have their own chunks. If the core can play all games of a condition very
    quickly, it shares a chunk with other conditions of the same agent. The cost of other games is
    too uncertain for that.
    """
    short: dict[str, list[tuple[Condition, int]]] = defaultdict(list)
    for condition in experiment.conditions:
        size = chunk_games(condition, experiment.probes)
        if size >= 2 * games and runs_in_core(condition, experiment.probes):
            short[condition.agent].append((condition, size))
        else:
            yield (condition,), size
    for sized in short.values():
        yield from ((group, games) for group in _packed(sized, games))


def _packed(sized: Iterable[tuple[Condition, int]], games: int) -> Iterator[tuple[Condition, ...]]:
    """Group conditions so that the games of each group fit into a chunk."""
    group: list[Condition] = []
    filled = 0.0
    for condition, size in sized:
        if group and filled + games / size > 1:
            yield tuple(group)
            group, filled = [], 0.0
        group.append(condition)
        filled += games / size
    if group:
        yield tuple(group)
