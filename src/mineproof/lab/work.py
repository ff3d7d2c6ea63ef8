"""The work of a worker process: play the games of a chunk and measure them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from mineproof.agents.loading import is_foreign, is_trusted, make_agent
from mineproof.agents.protocol import Agent, PlaysWhole, ShowsKnowledge
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, WorkLimitError
from mineproof.core.game import Game, Result
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.random import MASK, hashed_seed, short_seed
from mineproof.core.rules import PublicRules
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Condition
from mineproof.lab.metrics import GAME_COLUMNS
from mineproof.match.batch import Deal, end_of
from mineproof.match.contract import Failures
from mineproof.match.isolated import Isolation, is_apart, is_huge
from mineproof.match.play import ask, play
from mineproof.notation.records import Record
from mineproof.review.chains import Tracer
from mineproof.review.metrics import measure
from mineproof.review.stuck import Completeness, completeness, why_stuck
from mineproof.review.verdicts import review

Value = int | float | str | None
Row = dict[str, Value]
Columns = dict[str, list[Value]]
Won = bool | None
"""Whether a game was won; None if the agent refused its rules."""
ERROR = "error"
"""The field of a failed game that says what happened. It is not stored."""


@dataclass(frozen=True)
class ChunkAnswer:
    """The games of a chunk as columns, in the order of conditions and seeds."""

    columns: Columns
    seconds: float
    """The CPU time of the worker."""
    error: str = ""
    """The error of the last failed game."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.columns["seed"])

    @property
    def wins(self) -> list[Won]:
        """Whether each game was won; None for a refused game, which does not count."""
        return [
            None if result == Result.REFUSED else result == Result.WIN
            for result in self.columns["result"]
        ]


def play_chunk(chunk: Chunk) -> ChunkAnswer:
    """Play a chunk, in the native core if the agent supports that.

    A game that an isolated agent breaks off is recorded as failed.

    Raises:
        AgentError: the agent cannot be made, or failed in this process.
        WorkLimitError: too many games in a row failed.
    """
    started = time.process_time()
    found = [_play_condition(chunk, one) for one in chunk.conditions]
    joined = _joined(found, chunk.count)
    errors = [str(error) for error in joined.pop(ERROR, ()) if error]
    return ChunkAnswer(joined, time.process_time() - started, (errors or [""])[-1])


def batch_work(chunk: Chunk) -> list[ChunkAnswer]:
    """Play a chunk and return its answer in a list, the form that batches need."""
    return [play_chunk(chunk)]


def _play_condition(chunk: Chunk, condition: Condition) -> Columns:
    deals, text = _deals(chunk, condition), chunk.agent
    how = Isolation(text, chunk.seconds, salt=chunk.salt)
    agent_of = partial(_agent_of, threading.get_ident(), how)
    agent = agent_of(is_apart(text, chunk.isolated))
    if whole := _play_whole(chunk, condition, agent, deals):
        return whole
    rows, failures = [], Failures()
    for deal in deals:
        player = agent_of(True) if is_huge(text, deal.rules.grid.size) else agent
        rows.append(_play_one(chunk, condition, player, deal))
        failures.add(str(rows[-1]["result"]), str(rows[-1].get(ERROR)))
    names = [name for name in (*GAME_COLUMNS, ERROR) if any(name in row for row in rows)]
    return {name: [row.get(name) for row in rows] for name in names}


def _deals(chunk: Chunk, condition: Condition) -> list[Deal]:
    numbers = range(chunk.start, chunk.start + chunk.count)
    if condition.boards.listed:
        return [condition.boards.deals[i] for i in numbers]
    return [Deal(i, condition.rules, (chunk.seed + i) & MASK, condition.first) for i in numbers]


def _joined(found: list[Columns], count: int) -> Columns:
    """Join the tables of games of several conditions."""
    names = dict.fromkeys(name for columns in found for name in columns)
    nothing: list[Value] = [None] * count
    return {
        name: [value for columns in found for value in columns.get(name, nothing)] for name in names
    }


@lru_cache(maxsize=8)
def _agent_of(_thread: int, how: Isolation, is_separate: bool) -> Agent:
    """Return the agent of a thread. It is created once and restarted for each game."""
    return how.make() if is_separate else make_agent(how.agent)


def _play_whole(chunk: Chunk, condition: Condition, agent: Agent, deals: Sequence[Deal]) -> Columns:
    """Play all games in the native core; return an empty table if that is not possible."""
    rules, first = condition.rules, condition.first
    alike = all((deal.rules, deal.first) == (rules, first) for deal in deals)
    if chunk.probes or first is None or condition.boards.way or not alike:
        return {}
    if is_foreign(chunk.agent) or not isinstance(agent, PlaysWhole):
        return {}
    games = agent.play_whole(rules, [deal.board() for deal in deals], first)
    if not games:
        return {}
    results, guesses, steps, milliseconds, false_proofs = zip(*games, strict=True)
    return {
        "seed": [deal.seed for deal in deals],
        "result": [str(result) for result in results],
        "guesses": [*guesses],
        "false_proofs": [*false_proofs],
        "steps": [*steps],
        "ms": [*milliseconds],
    }


def _play_one(chunk: Chunk, condition: Condition, agent: Agent, deal: Deal) -> Row:
    """Play and measure a game. If an isolated agent fails, only its failure is recorded."""
    try:
        return _measured(chunk, condition, agent, deal)
    except AgentError as error:
        text = f"{condition.agent}, seed {deal.seed}: {error}"
        return {"seed": deal.seed, "result": str(end_of(agent, error, text)), ERROR: text}


def _measured(chunk: Chunk, condition: Condition, agent: Agent, deal: Deal) -> Row:
    board = condition.boards.find(deal.rules, agent, deal.seed, deal.first)
    if deal.mined is not None:
        board = deal.board()
    game = Game(deal.rules, deal.seed, deal.first, board)
    examined = _Examined(agent) if _is_examined(chunk, agent) else None
    tracer = Tracer(agent) if "chains" in chunk.probes else None
    record = play(game, examined or agent, seed=_handed(agent, deal.seed, chunk), watcher=tracer)
    row = _basic_columns(game, record, agent)
    if examined is not None:
        row |= examined.row
        row["ms"] = record.milliseconds - examined.seconds * 1000
    if tracer is not None:
        row |= {"chain": tracer.chains.length, "reach": tracer.chains.reach}
    return row | _probed(chunk, game, record, agent)


def _handed(agent: Agent, seed: int, chunk: Chunk) -> int:
    """Return the seed for an agent; an isolated one hashes it before its process gets it."""
    return short_seed(seed) if is_trusted(agent) else hashed_seed(seed, chunk.salt)


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
        seed = _handed(agent, game.seed, chunk)
        stuck = why_stuck(agent, game.observation, seed) if is_stuck else None
        row["lack"] = None if stuck is None else stuck.lack.value
        row["stuck_name"] = None if stuck is None else stuck.name
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
        self._agent.start(rules, seed)

    def decide(self, observation: Observation) -> Decision | None:
        decision = ask(self._agent, observation)
        if decision is None or not decision.proved:
            started = time.process_time()
            assert isinstance(self._agent, ShowsKnowledge)
            self._found += completeness(self._agent, observation)
            self.seconds += time.process_time() - started
        return decision
