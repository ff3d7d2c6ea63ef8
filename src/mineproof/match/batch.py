"""Many games, in this process or in several: the same lines in any order.

A game is a pure function of the agent's text and a `Deal`, so a chunk of games can be
played anywhere and, after a worker process died, once more.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import overload

from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, PlaysWhole, is_ours
from mineproof.backend import native
from mineproof.core.board import Board, deal
from mineproof.core.errors import AgentError
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.random import MASK
from mineproof.core.rules import Rules, StartKind
from mineproof.match.isolated import Isolation, described
from mineproof.match.play import name_of, play
from mineproof.notation.boards import BoardLine
from mineproof.notation.plain_forms import plain_form
from mineproof.workers.batch import Here, Processes
from mineproof.workers.errors import AnswerError, ChunkError

CHUNK_SECONDS = 0.25
"""How long a chunk of games should take: short, so that little is lost and Ctrl-C is quick."""
LARGEST_CHUNK = 1000


def deal_quickly(rules: Rules, seed: int, first: Cell | None) -> Board:
    """Deal as `deal` does, by its twin in the native core where that is there."""
    is_plain = seed <= MASK and rules.start.kind is not StartKind.NO_GUESS
    if native is None or first is None or not is_plain:
        return deal(rules, seed, first)
    size, index = (rules.rows, rules.columns), rules.grid.index(first)
    return Board(*size, native.deal(*size, rules.mines, rules.start.kind.value, index, seed))


@dataclass(frozen=True, slots=True)
class Deal:
    """One game to be played; without `mined` the board is dealt from the seed."""

    index: int
    rules: Rules
    seed: int
    first: Cell | None
    mined: bytes | None = None

    def board(self) -> Board:
        """Give the board."""
        if self.mined is None:
            return deal_quickly(self.rules, self.seed, self.first)
        return Board(self.rules.rows, self.rules.columns, self.mined)


@plain_form("index", "result", "guesses", "moves", "ms", "false_proofs")
@dataclass(frozen=True, slots=True, order=True)
class Played:
    """What became of one game."""

    index: int
    result: Result
    guesses: int
    moves: int
    milliseconds: float
    false_proofs: int | None = None
    """Moves called proved that were not; None of a game read from a line, which has no room."""

    def __str__(self) -> str:
        """Write the line `index win|loss|stuck guesses moves ms`."""
        head = f"{self.index} {self.result} {self.guesses} {self.moves}"
        return f"{head} {self.milliseconds:.3f}"

    @classmethod
    def parse(cls, line: str) -> Played:
        """Read such a line.

        Raises:
            ValueError: it is not one.
        """
        try:
            index, result, guesses, moves, milliseconds = line.split()
            played = cls(int(index), Result(result), int(guesses), int(moves), float(milliseconds))
            if min(played.guesses, played.moves) < 0 or not 0 <= played.milliseconds < math.inf:
                raise ValueError
        except ValueError:
            raise ValueError(
                f"expected index win|loss|stuck guesses moves ms, got {line!r}"
            ) from None
        return played

    @property
    def ms(self) -> float:
        """The milliseconds as they are written, to three decimals."""
        return round(self.milliseconds, 3)


Report = Callable[[Sequence[Played]], None]


class DealtGames(Sequence[Deal]):
    """Games dealt from seeds that follow each other; each is made when it is asked for.

    A list of all games that may be asked for would take more memory than there is.
    """

    def __init__(self, rules: Rules, seed: int, indices: Sequence[int]) -> None:
        """Say which games these are: game i is dealt from seed + i."""
        self._rules = rules
        self._seed = seed
        self._indices = indices

    def __len__(self) -> int:
        """Say how many there are."""
        return len(self._indices)

    @overload
    def __getitem__(self, place: int) -> Deal: ...

    @overload
    def __getitem__(self, place: slice) -> list[Deal]: ...

    def __getitem__(self, place: int | slice) -> Deal | list[Deal]:
        """Give a game, or a list of some."""
        if isinstance(place, slice):
            return [self._deal(index) for index in self._indices[place]]
        return self._deal(self._indices[place])

    def _deal(self, index: int) -> Deal:
        return Deal(index, self._rules, (self._seed + index) & MASK, self._rules.first_cell)

    def without(self, done: Container[int]) -> DealtGames:
        """Leave out some games, by index."""
        left = array("I", (index for index in self._indices if index not in done))
        return DealtGames(self._rules, self._seed, left)


def dealt(rules: Rules, count: int, seed: int = 0) -> DealtGames:
    """Give games to play: game i is dealt from seed + i, with the usual first cell."""
    return DealtGames(rules, seed, range(count))


def from_boards(
    boards: Iterable[BoardLine], change: Callable[[Rules], Rules], seed: int = 0
) -> list[Deal]:
    """Give the games of a board file: game i has the seed seed + i.

    Args:
        boards: the games.
        change: sets the rules that a board file does not.
        seed: decides what unreliable clues show, and the agent's random choices.
    """
    changed = lru_cache(change)
    return [
        Deal(i, changed(line.rules), (seed + i) & MASK, line.first, line.board.mined)
        for i, line in enumerate(boards)
    ]


Player = str | Isolation | Agent
"""Who plays: the text that names an agent, the same in a process of its own, or an agent."""


def play_deals(agent: Player, deals: Sequence[Deal], report: Report, jobs: int = 1) -> None:
    """Play games and report each that ends, in any order, each exactly once.

    Args:
        agent: the text that names the agent, of which each process makes its own; or an agent;
            or an `Isolation`, with which each process lets it think in another one.
        deals: the games.
        report: called in this process with games that have just ended. Ctrl-C never cuts
            it in half, and games that have ended are reported before Ctrl-C takes effect.
        jobs: the number of processes; 1 plays here, unless the text names a file: code of
            somebody's own may end its process, and that must not be this one.

    Raises:
        AgentError: there is no such agent, or it failed; the message names the game.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    name = agent if isinstance(agent, str) else _name(agent)
    check_player(agent)
    chunks = Chunks(deals, jobs)

    def take(_chunk: Sequence[Deal], parts: list[list[Played]], seconds: float) -> bool:
        games = [game for part in parts for game in part]
        report(games)
        chunks.learn(len(games), seconds)
        return True

    apart = is_own(agent) or (jobs > 1 and len(deals) > 1)
    with Processes(jobs) if apart else Here() as runner:
        try:
            runner.run(partial(play_chunk, agent), chunks, take)
        except ChunkError as error:
            first = error.chunk[0].index
            raise AgentError(f"{error} (the agent {name} near game {first})") from error
        except AnswerError as error:
            raise AgentError(
                f"expected {name} to play in other processes, where FILE.py:Class does: {error}"
            ) from error


class Chunks:
    """Cuts a list of games into chunks of about equal time, learning how long a game takes."""

    def __init__(self, deals: Sequence[Deal], jobs: int) -> None:
        """Start with single games: nothing is known of the agent's speed."""
        self._deals = deals
        self._next = 0
        self._jobs = jobs
        self._size = 1

    def take(self) -> Sequence[Deal]:
        """Give the next chunk; empty at the end."""
        share = (len(self._deals) - self._next) // (2 * self._jobs)
        start, self._next = self._next, self._next + max(1, min(self._size, share))
        return self._deals[start : self._next]

    def __iter__(self) -> Iterator[Sequence[Deal]]:
        """Give all chunks, each as large as is wise when it is asked for."""
        while chunk := self.take():
            yield chunk

    def learn(self, games: int, seconds: float) -> None:
        """Take in how long some games took; the size grows step by step."""
        wanted = games * CHUNK_SECONDS / max(seconds, 1e-6)
        self._size = int(max(1, min(wanted, 4 * games, LARGEST_CHUNK)))


def _name(player: Isolation | Agent) -> str:
    return player.agent if isinstance(player, Isolation) else name_of(player)


def play_chunk(player: Player, deals: Iterable[Deal]) -> Iterator[list[Played]]:
    """Play games, many at a time where the agent can, else one by one.

    Raises:
        AgentError: the agent failed; the message names the game.
    """
    agent = agent_here(player)
    for (rules, first), alike in groupby(deals, key=lambda deal: (deal.rules, deal.first)):
        group = list(alike)
        if whole := _play_whole(agent, rules, first, group):
            yield whole
        else:
            yield from ([_play_one(agent, each)] for each in group)


def is_own(player: Player) -> bool:
    """Say whether the text of a player names a file, which is somebody's own code."""
    return isinstance(player, str) and file_of(player) is not None


def check_player(player: Player) -> None:
    """Refuse at once who cannot play; the code of a file is tried in a process of its own.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    if isinstance(player, str) and is_own(player):
        described(player)
    else:
        agent_here(player)


def agent_here(player: Player) -> Agent:
    """Give the agent; one that is named is made once, its `start` prepares it for each game."""
    return _made(player) if isinstance(player, str | Isolation) else player


@lru_cache(maxsize=4)
def _made(player: str | Isolation) -> Agent:
    return make_agent(player) if isinstance(player, str) else player.make()


def _play_whole(agent: Agent, rules: Rules, first: Cell | None, group: list[Deal]) -> list[Played]:
    """Play games inside the native core; empty where the agent cannot do that."""
    if first is None or not is_ours(agent) or not isinstance(agent, PlaysWhole):
        return []
    games = agent.play_whole(rules, [each.board() for each in group], first)
    if not games:
        return []
    return [Played(each.index, *game) for each, game in zip(group, games, strict=True)]


def _play_one(agent: Agent, each: Deal) -> Played:
    board = None if each.mined is None else each.board()
    try:
        record = play(Game(each.rules, each.seed, each.first, board), agent)
    except AgentError as error:
        raise AgentError(f"game {each.index}: {error}") from error
    assert record.outcome is not None
    return Played(
        each.index,
        record.outcome.result,
        record.guesses,
        len(record.steps),
        record.milliseconds,
        len(record.false_proofs),
    )
