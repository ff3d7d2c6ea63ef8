"""Batches of games, played in this process or in several.

The result of a game depends only on the agent's text and the `Deal`. So a chunk of games can be
played anywhere, and played again if its worker process dies.
"""

from __future__ import annotations

import atexit
import math
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import groupby
from typing import Any

from mineproof.agents.loading import file_of, is_foreign, is_trusted, make_agent
from mineproof.agents.protocol import PlaysWhole, SimpleAgent
from mineproof.agents.registry import name_of
from mineproof.backend import native
from mineproof.core.board import Board, deal
from mineproof.core.errors import AgentError
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.random import MASK, hashed_seed, short_seed
from mineproof.core.rules import Rules, StartKind
from mineproof.match.contract import DECISION_SECONDS, REFUSED, Failures
from mineproof.match.engines import EngineAgent
from mineproof.match.isolated import IsolatedAgent, Isolation, described, is_apart, is_huge
from mineproof.match.play import play
from mineproof.notation.boards import BoardLine
from mineproof.notation.plain_forms import plain_form
from mineproof.workers.batch import Here, Processes, Runner
from mineproof.workers.errors import AnswerError, ChunkError

CHUNK_SECONDS = 0.25
"""Seconds that a chunk of games should take: few, so that Ctrl-C works quickly and loses little."""
LARGEST_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Deal:
    """One game to play. Without `mined`, the board is dealt from the seed."""

    index: int
    rules: Rules
    seed: int
    first: Cell | None
    mined: bytes | None = None

    def board(self) -> Board:
        """Return the board, dealt if necessary: in the native core, if that can deal it."""
        rules, seed, size = self.rules, self.seed, (self.rules.rows, self.rules.columns)
        if self.mined is not None:
            return Board(*size, self.mined)
        is_plain = seed <= MASK and rules.start.kind is not StartKind.NO_GUESS
        if native is None or self.first is None or not is_plain:
            return deal(rules, seed, self.first)
        kind, index = rules.start.kind.value, rules.grid.index(self.first)
        return Board(*size, native.deal(*size, rules.mines, kind, index, seed))


@plain_form("index", "result", "guesses", "moves", "ms", "false_proofs")
@dataclass(frozen=True, slots=True, order=True)
class Played:
    """The result of one game."""

    index: int
    result: Result
    guesses: int
    moves: int
    milliseconds: float
    false_proofs: int | None = None
    """The number of moves wrongly called proved; None if read from a line, which omits it."""
    error: str = field(default="", compare=False)
    """Why the game failed or was refused."""

    def __str__(self) -> str:
        """Return the line `index win|loss|stuck|failed|refused guesses moves ms`."""
        head = f"{self.index} {self.result} {self.guesses} {self.moves}"
        return f"{head} {self.milliseconds:.3f}"

    @classmethod
    def parse(cls, line: str) -> Played:
        """Return the result that a line like `str(played)` contains.

        The number of false proofs may follow.

        Raises:
            ValueError: if the line has a different form.
        """
        try:
            index, result, guesses, moves, milliseconds, *more = line.split()
            proofs = int(more.pop()) if more else None
            played = cls(
                int(index), Result(result), int(guesses), int(moves), float(milliseconds), proofs
            )
            counts = played.guesses, played.moves, played.milliseconds, played.false_proofs or 0
            if more or not all(0 <= number < math.inf for number in counts):
                raise ValueError
        except ValueError:
            raise ValueError(
                f"expected index {'|'.join(Result)} guesses moves ms, got {line!r}"
            ) from None
        return played

    @property
    def ms(self) -> float:
        """The time in milliseconds, rounded to three decimals as in files."""
        return round(self.milliseconds, 3)


Report = Callable[[Sequence[Played]], None]


class DealtGames(Sequence[Deal]):
    """Games dealt from consecutive seeds, built on demand because millions need too much memory."""

    def __init__(self, rules: Rules, seed: int, indices: Sequence[int]) -> None:
        """Choose the games. Game i is dealt from seed + i."""
        self._rules = rules
        self._seed = seed
        self._indices = indices

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._indices)

    def __getitem__(self, item: Any) -> Any:
        """Return one game, or a part of the games."""
        index = self._indices[item]
        if not isinstance(index, int):
            return DealtGames(self._rules, self._seed, index)
        return Deal(index, self._rules, (self._seed + index) & MASK, self._rules.first_cell)

    def without(self, done: Container[int]) -> DealtGames:
        """Return the games except those with these indices."""
        left = array("I", (index for index in self._indices if index not in done))
        return DealtGames(self._rules, self._seed, left)


def dealt(rules: Rules, count: int, seed: int = 0) -> DealtGames:
    """Return games to play. Game i is dealt from seed + i, with the default first cell."""
    return DealtGames(rules, seed, range(count))


def from_boards(
    boards: Iterable[BoardLine],
    change: Callable[[Rules], Rules] = lambda rules: rules,
    seed: int = 0,
) -> list[Deal]:
    """Return the games of a board file. Game i has the seed seed + i.

    Args:
        boards: the games.
        change: sets the rules that a board file does not contain; by default none.
        seed: determines what unreliable clues show, and the agent's random choices.
    """
    changed = lru_cache(change)
    return [
        Deal(i, changed(line.rules), (seed + i) & MASK, line.first, line.board.mined)
        for i, line in enumerate(boards)
    ]


Player = str | Isolation | SimpleAgent
"""A player: an agent's name, an `Isolation` (a name and the limits of its process), or an agent."""
Salt = str | None
"""Random digits from which the seeds of user code are made; None if the agent is trusted."""


def left(deals: Sequence[Deal], done: Container[int]) -> Sequence[Deal]:
    """Return the games whose index is not in `done`."""
    if isinstance(deals, DealtGames):
        return deals.without(done)
    return [deal for deal in deals if deal.index not in done]


def play_deals(  # noqa: PLR0913  (all but three have defaults, and are given by name)
    agent: Player,
    deals: Sequence[Deal],
    report: Report,
    jobs: int = 1,
    runner: Runner | None = None,
    *,
    isolated: bool = True,
    salt: str = "",
    seconds: float = DECISION_SECONDS,
) -> None:
    """Play games and report each of them once, in any order.

    Args:
        agent: the agent's name, from which each process makes the agent; an agent; or an
            `Isolation`, which runs the agent in a separate process. User code given by name
            also runs in a separate process.
        deals: the games.
        report: called in this process with games that have just ended. Ctrl-C never interrupts
            it, and takes effect only after all finished games have been reported.
        jobs: the number of processes. 1 plays in this process, unless the name refers to a file,
            because user code may end its process.
        runner: plays the games elsewhere, such as on a cluster.
        isolated: False to run a user's file in the process that plays the games, for debugging.
            It still gets neither boards nor games' seeds.
        salt: random digits from which the seeds of user code in such a process are made.
        seconds: the time limit for a move of a built-in agent on a huge board.

    A game that an isolated agent breaks off is reported as failed, and the run continues.

    Raises:
        AgentError: if there is no such agent, or it failed; the message names the game.
        WorkLimitError: if too many games in a row failed.
        KeyboardInterrupt: if Ctrl-C was pressed.
    """
    if isinstance(agent, str) and is_apart(agent, isolated):
        agent = Isolation(agent)
    check_player(agent, seconds)
    chunks, failures = Chunks(deals, jobs), Failures()

    def take(_chunk: Sequence[Deal], results: list[list[Played]], seconds: float) -> bool:
        games = [game for group in results for game in group]
        report(games)
        for game in games:
            failures.add(game.result, game.error)
        chunks.learn(len(games), seconds)
        return True

    work = partial(play_chunk, agent, salt=None if _is_trusted(agent) else salt, seconds=seconds)
    is_own = isinstance(agent, str) and file_of(agent) is not None
    in_processes = is_own or (jobs > 1 and len(deals) > 1)
    with runner or (Processes(jobs) if in_processes else Here()) as chosen:
        try:
            chosen.run(work, chunks, take)
        except ChunkError as error:
            first = error.chunk[0].index
            raise AgentError(f"{error} (agent {_name(agent)}, near game {first})") from error
        except AnswerError as error:
            raise AgentError(
                f"{_name(agent)} cannot play in other processes; use FILE.py:Class ({error})"
            ) from error


class Chunks:
    """Games divided into chunks that take about equal time, as estimated from earlier chunks."""

    def __init__(self, deals: Sequence[Deal], jobs: int) -> None:
        """Start with single games, because the agent's speed is not known yet."""
        self._deals = deals
        self._jobs = jobs
        self._size = 1

    def __iter__(self) -> Iterator[Sequence[Deal]]:
        """Yield all chunks. The size of each chunk is chosen just before it is yielded."""
        start = 0
        while left := len(self._deals) - start:
            end = start + max(1, min(self._size, left // (2 * self._jobs)))
            yield self._deals[start:end]
            start = end

    def learn(self, games: int, seconds: float) -> None:
        """Adjust the chunk size, given how long this many games took."""
        wanted = games * CHUNK_SECONDS / max(seconds, 1e-6)
        self._size = int(max(1, min(wanted, 4 * games, LARGEST_CHUNK)))


def _name(player: Player) -> str:
    if isinstance(player, str):
        return player
    return player.agent if isinstance(player, Isolation) else name_of(player)


def _is_trusted(player: Player) -> bool:
    """Return whether the agent may get seeds; an `Isolation` hides them from the user's code."""
    if isinstance(player, str):
        return not is_foreign(player)
    return isinstance(player, Isolation) or is_trusted(player)


def play_chunk(
    player: Player, deals: Iterable[Deal], salt: Salt, seconds: float = DECISION_SECONDS
) -> Iterator[list[Played]]:
    """Play games: many at a time if the agent is trusted and can, otherwise one by one.

    Raises:
        AgentError: if the agent failed; the message names the game.
    """
    usual = agent_here(player)
    for (rules, first), alike in groupby(deals, key=lambda deal: (deal.rules, deal.first)):
        group = list(alike)
        if salt is None and (whole := _play_whole(usual, rules, first, group)):
            yield whole
        else:
            agent = usual
            if isinstance(player, str) and is_huge(player, rules.grid.size):
                agent = agent_here(Isolation(player, seconds, salt=""))
            yield from ([_play_one(agent, each, salt)] for each in group)


def check_player(player: Player, seconds: float = DECISION_SECONDS) -> None:
    """Check that an agent can be made. User code is loaded in a separate process.

    There, it has as many `seconds` as for a move.

    Raises:
        AgentError: if there is no such agent, or it cannot be made.
    """
    if isinstance(player, str) and is_foreign(player):
        described(Isolation(player, seconds))
    else:
        agent_here(player)


def agent_here(player: Player) -> SimpleAgent:
    """Return the agent of a player. A named agent is made only once; `start` resets it."""
    return _made(player) if isinstance(player, str | Isolation) else player


@lru_cache(maxsize=4)
def _made(player: str | Isolation) -> SimpleAgent:
    return make_agent(player) if isinstance(player, str) else player.make()


atexit.register(_made.cache_clear)  # engines are asked to quit


def _play_whole(
    agent: SimpleAgent, rules: Rules, first: Cell | None, group: list[Deal]
) -> list[Played]:
    """Return the results of games played in the native core; empty if the agent cannot do that."""
    if first is None or not isinstance(agent, PlaysWhole):
        return []
    games = agent.play_whole(rules, [each.board() for each in group], first)
    if not games:
        return []
    return [Played(each.index, *game) for each, game in zip(group, games, strict=True)]


def _play_one(agent: SimpleAgent, each: Deal, salt: Salt) -> Played:
    board = None if each.mined is None else each.board()
    seed = short_seed(each.seed) if salt is None else hashed_seed(each.seed, salt)
    try:
        record = play(Game(each.rules, each.seed, each.first, board), agent, seed=seed)
    except AgentError as error:
        text = f"game {each.index}: {error}"
        return Played(each.index, end_of(agent, error, text), 0, 0, 0.0, 0, text)
    assert record.outcome is not None
    return Played(
        each.index,
        record.outcome.result,
        record.guesses,
        len(record.steps),
        record.milliseconds,
        len(record.false_proofs),
    )


def end_of(agent: SimpleAgent, error: AgentError, text: str) -> Result:
    """Return how a game ends that an agent in its own process broke off: failed, or refused.

    Raises:
        AgentError: if the agent runs in this process; the message is `text`.
    """
    if not isinstance(agent, IsolatedAgent | EngineAgent):
        raise AgentError(text) from error
    return Result.REFUSED if error.code == REFUSED else Result.FAILED
