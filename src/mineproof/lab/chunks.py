"""Chunks of work: some games of one condition, a pure function of what the chunk says.

A chunk is named by a hash of all that decides its games. A part that exists under that name
needs no more playing, and a chunk that is played twice gives the same part.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path

from mineproof.agents.loading import parse_agent
from mineproof.agents.protocol import PlaysWhole
from mineproof.lab.experiment import Condition, Experiment

FORMAT = 1
"""Changes when the same chunk would give another part."""
WANTED_MS = 1000.0
"""How long a chunk should take."""
MOST_GAMES = 250
"""Games of a chunk at most: some games take much longer than most."""
MOST_WHOLE = 10_000
"""The same where whole games run in the native core."""
USUAL_COST = 20.0
"""Microseconds of CPU a cell of a game that is played in Python."""
COSTS = {"random": 12.0, "resolution": 100.0, "exact": 40.0}
"""The same for agents that are far from the usual."""
WHOLE_COST = 0.15
"""The same where whole games run in the native core."""
PROBE_COSTS = {"board": 2.0, "luck": 25.0, "completeness": 25.0, "chains": 10.0, "stuck": 5.0}
NOISY_FACTOR = 10.0
"""How much longer games take whose clues are unreliable and weighed as such."""


@dataclass(frozen=True)
class Chunk:
    """Games `start` to `start + count - 1` of a condition; game i has the seed `seed + i`."""

    condition: Condition
    probes: tuple[str, ...]
    seed: int
    start: int
    count: int

    @cached_property
    def key(self) -> str:
        """The name of the chunk's part: a hash of everything that decides its content."""
        return hashlib.sha256(json.dumps(self.plain, sort_keys=True).encode()).hexdigest()[:24]

    @property
    def plain(self) -> dict[str, object]:
        """All that decides the content, as plain values for JSON."""
        condition = self.condition
        return {
            "format": FORMAT,
            "version": version("mineproof"),
            "condition": condition.columns,
            "file": _file_mark(condition.agent),
            "probes": sorted(self.probes),
            "seed": self.seed,
            "start": self.start,
            "count": self.count,
        }


@lru_cache(maxsize=64)
def _file_mark(agent: str) -> str:
    """Give a hash of the file that an agent of the user's own comes from; else nothing."""
    spec, options = parse_agent(agent)
    path = agent.partition(".py")[0] + ".py" if ".py" in agent else ""
    path = str(options.get("file", path)) if spec.id == "cs50" else path
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else ""


def chunk_games(condition: Condition, probes: tuple[str, ...]) -> int:
    """Say how many games a chunk should have, from a rough estimate of what they cost."""
    spec, options = parse_agent(condition.agent)
    whole = not probes and condition.first is not None and isinstance(spec.make(), PlaysWhole)
    cost = WHOLE_COST if whole else COSTS.get(spec.id, USUAL_COST)
    cost += sum(PROBE_COSTS[probe] for probe in probes)
    noisy = str(condition.rules.clues) not in ("exact", "withheld:1.0")
    if noisy and (options.get("clues") == "model" or spec.id == "exact"):
        cost *= NOISY_FACTOR
    milliseconds = cost * condition.rules.grid.size / 1000
    most = MOST_WHOLE if whole else MOST_GAMES
    return int(max(1, min(WANTED_MS / milliseconds, most)))


def plan(experiment: Experiment, games: int) -> list[Chunk]:
    """Cut an experiment into chunks, in the order of their games.

    So agents stay together, and what a broken-off run has is of all conditions.
    """
    chunks = (c for one in experiment.conditions for c in _chunks_of(experiment, one, games))
    return sorted(chunks, key=lambda chunk: chunk.start)


def _chunks_of(experiment: Experiment, condition: Condition, games: int) -> Iterator[Chunk]:
    size = chunk_games(condition, experiment.probes)
    for start in range(0, games, size):
        count = min(size, games - start)
        yield Chunk(condition, experiment.probes, experiment.seed, start, count)
