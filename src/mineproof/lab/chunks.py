"""Chunks of work: some games of one agent, a pure function of what the chunk says.

A chunk is named by a hash of all that decides its games. A part that exists under that name
needs no more playing, and a chunk that is played twice gives the same part.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version

from mineproof.agents.loading import file_of, make_agent, parse_agent
from mineproof.agents.protocol import PlaysWhole, is_ours
from mineproof.core.board import deal
from mineproof.core.rules import SAFE, Rules
from mineproof.lab.experiment import Condition, Experiment

FORMAT = 1
"""Changes when the same chunk would give another part."""
WANTED_MS = 1000.0
"""How long a chunk should take."""
MOST_GAMES = 250
"""Games of a chunk at most: some games take much longer than most."""
MOST_WHOLE = 50_000
"""The same where whole games run in the native core."""
USUAL_COST = 20.0
"""Microseconds of CPU a cell of a game that is played in Python."""
COSTS = {"random": 12.0, "resolution": 100.0, "exact": 40.0, "deep": 1000.0}
"""The same for agents that are far from the usual."""
WHOLE_COST = 0.15
"""The same where whole games run in the native core."""
WHOLE_COSTS = {"champion": 0.5}
"""The same for agents that think longer than `exact`."""
SMALL = Rules(8, 8, 10)
"""The size of the board on which an agent shows whether its whole games run in the core."""
PROBE_COSTS = {"board": 2.0, "luck": 25.0, "completeness": 25.0, "chains": 10.0, "stuck": 5.0}
NOISY_FACTOR = 10.0
"""How much longer games take whose clues are unreliable and weighed as such."""


@dataclass(frozen=True)
class Chunk:
    """Games `start` to `start + count - 1` of each condition; game i has the seed `seed + i`.

    All conditions are of one agent.
    """

    conditions: tuple[Condition, ...]
    probes: tuple[str, ...]
    seed: int
    start: int
    count: int
    isolated: bool = False
    """Whether the agent is one's own and thinks in a process of its own; its games are the same."""

    @property
    def agent(self) -> str:
        """The text that names the agent."""
        return self.conditions[0].agent

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return self.count * len(self.conditions)

    @cached_property
    def key(self) -> str:
        """The name of the chunk's part: a hash of everything that decides its content."""
        return hashlib.sha256(json.dumps(self.plain, sort_keys=True).encode()).hexdigest()[:24]

    @property
    def plain(self) -> dict[str, object]:
        """All that decides the content, as plain values for JSON."""
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
        }


@lru_cache(maxsize=64)
def _file_mark(agent: str) -> str:
    """Give a hash of the file that an agent of the user's own comes from; else nothing."""
    path = file_of(agent)
    return "" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()


def runs_in_core(condition: Condition, probes: tuple[str, ...]) -> bool:
    """Say whether whole games of a condition run in the native core."""
    if probes or condition.first is None or condition.boards.way:
        return False
    rules = condition.rules
    return _runs_in_core(
        condition.agent, replace(rules, rows=SMALL.rows, columns=SMALL.columns, mines=SMALL.mines)
    )


@lru_cache(maxsize=256)
def _runs_in_core(agent: str, rules: Rules) -> bool:
    """Let the agent try it on a small board: it alone knows which rules the core has."""
    if file_of(agent):  # no code of somebody's own runs here
        return False
    made, first = make_agent(agent), rules.grid.cell(0)
    if not is_ours(made) or not isinstance(made, PlaysWhole):
        return False
    board = deal(replace(rules, start=SAFE), 0, first)
    return bool(made.play_whole(rules, [board], first))


def _named(agent: str) -> tuple[str, dict[str, object]]:
    """Give the id and the options of an agent; of a file's class none, which is not run here."""
    if file_of(agent) and not agent.lower().startswith("cs50:"):
        return "", {}
    spec, options = parse_agent(agent)
    return spec.id, options


def chunk_games(condition: Condition, probes: tuple[str, ...]) -> int:
    """Say how many games a chunk should have, from a rough estimate of what they cost."""
    id, options = _named(condition.agent)
    whole = runs_in_core(condition, probes)
    costs, usual = (WHOLE_COSTS, WHOLE_COST) if whole else (COSTS, USUAL_COST)
    cost = costs.get(id, usual) + sum(PROBE_COSTS[probe] for probe in probes)
    noisy = str(condition.rules.clues) not in ("exact", "withheld:1.0")
    if noisy and (options.get("clues") == "model" or id == "exact"):
        cost *= NOISY_FACTOR
    milliseconds = cost * condition.rules.grid.size / 1000 * (condition.boards.tries + 1)
    most = MOST_WHOLE if whole else MOST_GAMES
    return int(max(1, min(WANTED_MS / milliseconds, most)))


def plan(experiment: Experiment, games: int) -> list[Chunk]:
    """Cut an experiment into chunks, in the order of their games.

    So agents stay together, and what a broken-off run has is of all conditions.
    """
    chunks = (
        Chunk(group, experiment.probes, experiment.seed, start, min(size, games - start))
        for group, size in _groups(experiment, games)
        for start in range(0, games, size)
    )
    return sorted(chunks, key=lambda chunk: chunk.start)


def _groups(experiment: Experiment, games: int) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Give conditions that are played together, and how many games of each make a chunk.

    A condition is mostly alone. Where the core plays all of its games in a moment it shares a
    chunk with others of the same agent: of other games nobody knows so well what they cost.
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
    """Pack conditions until their games fill a chunk."""
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
