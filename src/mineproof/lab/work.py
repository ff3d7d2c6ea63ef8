"""The work of a worker process: play the games of a chunk and measure them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import lru_cache

from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import Agent, PlaysWhole, ShowsKnowledge, is_ours
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, WorkLimitError
from mineproof.core.game import Game, Result
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.random import MASK
from mineproof.core.rules import PublicRules
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Condition
from mineproof.lab.metrics import GAME_COLUMNS
from mineproof.match.batch import deal_quickly
from mineproof.match.isolated import Isolation
from mineproof.match.play import agent_seed, play
from mineproof.notation.records import Record
from mineproof.review.chains import Tracer
from mineproof.review.metrics import measure
from mineproof.review.stuck import Completeness, completeness, why_stuck
from mineproof.review.verdicts import review

Value = int | float | str | None
Row = dict[str, Value]
Columns = dict[str, list[Value]]


@dataclass(frozen=True)
class ChunkAnswer:
    """The games of a chunk as columns, in the order of conditions and seeds."""

    columns: Columns
    seconds: float
    """The CPU time of the worker."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.columns["seed"])

    @property
    def wins(self) -> list[bool]:
        """Whether each game was won."""
        return [result == Result.WIN for result in self.columns["result"]]


def play_chunk(chunk: Chunk) -> ChunkAnswer:
    """Play a chunk, in the native core if the agent supports that.

    Raises:
        AgentError: the agent failed. The message names the game.
    """
    started = time.process_time()
    agent = _agent_of(threading.get_ident(), chunk.agent, chunk.isolated)
    seeds = [(chunk.seed + chunk.start + i) & MASK for i in range(chunk.count)]
    found = [_play_condition(chunk, one, agent, seeds) for one in chunk.conditions]
    return ChunkAnswer(_joined(found, chunk.count), time.process_time() - started)


def batch_work(chunk: Chunk) -> list[ChunkAnswer]:
    """Play a chunk and return its answer in a list, the form that batches need."""
    return [play_chunk(chunk)]


def _play_condition(chunk: Chunk, condition: Condition, agent: Agent, seeds: list[int]) -> Columns:
    if whole := _play_whole(chunk, condition, agent, seeds):
        return whole
    rows = [_play_one(chunk, condition, agent, seed) for seed in seeds]
    names = [name for name in GAME_COLUMNS if name in rows[0]]
    return {name: [row.get(name) for row in rows] for name in names}


def _joined(found: list[Columns], count: int) -> Columns:
    """Join the games of several conditions.

    A new column holds the number of each game's condition.
    """
    names = dict.fromkeys(name for columns in found for name in columns)
    nothing: list[Value] = [None] * count
    joined: Columns = {
        name: [value for columns in found for value in columns.get(name, nothing)] for name in names
    }
    return joined | {"condition": [number for number in range(len(found)) for _ in range(count)]}


@lru_cache(maxsize=8)
def _agent_of(_thread: int, text: str, isolated: bool) -> Agent:
    """Return the agent of a thread. It is created once and restarted for each game."""
    return Isolation(text).make() if isolated else make_agent(text)


def _play_whole(chunk: Chunk, condition: Condition, agent: Agent, seeds: list[int]) -> Columns:
    """Play all games in the native core; return an empty table if that is not possible."""
    rules, first = condition.rules, condition.first
    if chunk.probes or first is None or condition.boards.way or not is_ours(agent):
        return {}
    if not isinstance(agent, PlaysWhole):
        return {}
    games = agent.play_whole(rules, [deal_quickly(rules, seed, first) for seed in seeds], first)
    if not games:
        return {}
    results, guesses, steps, milliseconds, false_proofs = zip(*games, strict=True)
    return {
        "seed": [*seeds],
        "result": [str(result) for result in results],
        "guesses": [*guesses],
        "false_proofs": [*false_proofs],
        "steps": [*steps],
        "ms": [*milliseconds],
    }


def _play_one(chunk: Chunk, condition: Condition, agent: Agent, seed: int) -> Row:
    board = condition.boards.find(condition.rules, agent, seed, condition.first)
    game = Game(condition.rules, seed, condition.first, board)
    examined = _Examined(agent) if _is_examined(chunk, agent) else None
    tracer = Tracer(agent) if "chains" in chunk.probes else None
    try:
        record = play(game, examined or agent, watcher=tracer)
    except AgentError as error:
        raise AgentError(f"{condition.agent}, seed {seed}: {error}") from error
    row = _basic_columns(game, record, agent)
    if examined is not None:
        row |= examined.row
        row["ms"] = record.milliseconds - examined.seconds * 1000
    if tracer is not None:
        row |= {"chain": tracer.chains.length, "reach": tracer.chains.reach}
    return row | _probed(chunk, game, record, agent)


def _basic_columns(game: Game, record: Record, agent: Agent) -> Row:
    outcome, observation = game.outcome, game.observation
    assert outcome is not None
    shown, size = observation.shown, len(observation.shown)
    opened = size - shown.count(UNOPENED) - shown.count(EXPLODED)
    known = size - shown.count(UNOPENED) + observation.marks.count(1)
    sizes = getattr(agent, "counters", {})
    largest = [count for name, count in sizes.items() if name.endswith(" at most")]
    return {
        "seed": game.seed,
        "result": outcome.result.value,
        "guesses": record.guesses,
        "steps": len(record.steps),
        "ms": record.milliseconds,
        "false_proofs": len(record.false_proofs),
        "hits": outcome.hits,
        "false_marks": outcome.false_marks,
        "score": outcome.score,
        "opens": sum(step.move.action is Action.OPEN for step in record.steps),
        "opened_share": opened / (size - game.rules.mines),
        "known_share": known / size,
        "kb": largest[0] if largest else None,
        "hasty": sizes.get("hasty guesses"),
    }


def _probed(chunk: Chunk, game: Game, record: Record, agent: Agent) -> Row:
    """Return the columns of the probes, measured from the record and the last position."""
    row: Row = {}
    if "board" in chunk.probes:
        found = measure(game, record.steps)
        row |= {"bbbv": found.bbbv, "efficiency": found.efficiency}
    if "luck" in chunk.probes:
        judged = review(record, proofs=False)
        if judged.unjudged:
            raise WorkLimitError(f"cannot judge moves {judged.unjudged} within the work limit")
        row |= {"needless": judged.needless, "risk": 1 - judged.luck}
    if "stuck" in chunk.probes:
        assert game.outcome is not None
        is_stuck = game.outcome.result is Result.STUCK
        stuck = why_stuck(agent, game.observation, game.seed) if is_stuck else None
        row["lack"] = None if stuck is None else stuck.lack.value
    return row


def _is_examined(chunk: Chunk, agent: Agent) -> bool:
    return "completeness" in chunk.probes and isinstance(agent, ShowsKnowledge)


class _Examined:
    """An agent whose knowledge is examined whenever it has no proved move."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._found = Completeness()
        self.seconds = 0.0
        """The CPU time spent on examining the agent's knowledge."""

    @property
    def row(self) -> Row:
        found = self._found
        return {"provable": found.provable, "proved": found.proved, "unsound": found.unsound}

    def start(self, rules: PublicRules, seed: int) -> None:
        self._agent.start(rules, agent_seed(self._agent, seed))

    def decide(self, observation: Observation) -> Decision | None:
        decision = self._agent.decide(observation)
        if decision is None or not decision.proved:
            started = time.process_time()
            assert isinstance(self._agent, ShowsKnowledge)
            self._found += completeness(self._agent, observation)
            self.seconds += time.process_time() - started
        return decision
