"""Many games from Python: `play_games` and `compare`, with confidence intervals."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from mineproof.agents.protocol import Agent
from mineproof.core.errors import AgentError, InputError
from mineproof.core.game import Result
from mineproof.core.random import MASK, check_seed
from mineproof.core.rules import Rules, as_rules
from mineproof.core.words import points, share
from mineproof.match.batch import Played, check_player, dealt, play_deals
from mineproof.match.certainty import Pairs, wilson
from mineproof.match.results import Summary
from mineproof.notation.codec import to_plain

Progress = bool | Callable[[int, int], None]
"""True to show progress on stderr, or a function that is called with (games done, all games)."""
MOST_GAMES = 10**8
MOST_JOBS = 1024


@dataclass(frozen=True, repr=False)
class GamesResult:
    """The results of many games of one agent."""

    agent: str
    rules: Rules
    seed: int
    """The seed of game 0. Game i is `Game(rules, seed + i)`."""
    rows: tuple[Played, ...]
    """The results of the games, in order: index, result, guesses, moves, milliseconds."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.rows)

    @property
    def wins(self) -> int:
        """The number of games won."""
        return sum(row.result is Result.WIN for row in self.rows)

    @property
    def rate(self) -> float:
        """The win rate: the share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    def to_pandas(self) -> Any:
        """Return the rows as a pandas `DataFrame`.

        Raises:
            ImportError: if pandas is not installed.
        """
        table = _pandas().DataFrame(to_plain(self.rows))
        table.insert(1, "seed", [(self.seed + row.index) & MASK for row in self.rows])
        return table

    def __repr__(self) -> str:
        """Return the agent, the level and the number of wins."""
        return f"<GamesResult {self.agent}, {self.rules.level}: {self.wins} of {self.games} won>"

    def __str__(self) -> str:
        """Return the statistics in one line."""
        summary = Summary()
        summary.add(self.rows)
        return f"{self.agent}, {self.rules.level}: {summary}"

    def _repr_html_(self) -> str:
        """Return the statistics as a table, for notebooks."""
        return _table([_cells(self)])


@dataclass(frozen=True, repr=False)
class Comparison:
    """The results of two agents on the same boards."""

    first: GamesResult
    second: GamesResult

    @property
    def rows(self) -> tuple[tuple[Played, Played], ...]:
        """The results of both agents, paired by board."""
        return tuple(zip(self.first.rows, self.second.rows, strict=True))

    @cached_property
    def pairs(self) -> Pairs:
        """The number of boards won by each agent."""
        return Pairs.count((a.result is Result.WIN, b.result is Result.WIN) for a, b in self.rows)

    @property
    def only_first(self) -> int:
        """The number of boards that only the first agent won."""
        return self.pairs.only_first

    @property
    def only_second(self) -> int:
        """The number of boards that only the second agent won."""
        return self.pairs.only_second

    @property
    def difference(self) -> float:
        """The second agent's win rate minus the first agent's."""
        return self.pairs.difference.value

    @property
    def interval(self) -> tuple[float, float]:
        """The paired 95 % interval of the difference."""
        return self.pairs.difference.low, self.pairs.difference.high

    @property
    def p_value(self) -> float:
        """McNemar's exact p-value: the chance that equal agents differ at least this much."""
        return self.pairs.p_value

    def to_pandas(self) -> Any:
        """Return the pairs as a pandas `DataFrame`, with columns that end in `_first` or `_second`.

        Raises:
            ImportError: if pandas is not installed.
        """
        first, second = self.first.to_pandas(), self.second.to_pandas()
        return first.merge(second, on=["index", "seed"], suffixes=("_first", "_second"))

    def __repr__(self) -> str:
        """Return the names of the agents and the difference."""
        gap = f"{100 * self.difference:+.2f} percentage points"
        return f"<Comparison {self.first.agent}, {self.second.agent}: {gap}>"

    def __str__(self) -> str:
        """Return the statistics in three lines."""
        return f"{self.first}\n{self.second}\n{self._verdict()}"

    def _verdict(self) -> str:
        return (
            f"{self.second.agent} - {self.first.agent}: "
            f"{points(self.difference, *self.interval)}; p = {self.p_value:.2g}; "
            f"only {self.first.agent} won {self.only_first}, only {self.second.agent} "
            f"{self.only_second} of {self.first.games}"
        )

    def _repr_html_(self) -> str:
        """Return the statistics as a table, for notebooks."""
        table = _table([_cells(self.first), _cells(self.second)])
        return f"{table}<p>{escape(self._verdict())}</p>"


def play_games(  # noqa: PLR0913  (one keyword for each thing that can be set)
    agent: str | Agent,
    rules: Rules | str = "expert",
    *,
    count: int = 100,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = False,
) -> GamesResult:
    """Play many games with an agent. The fast built-in agents play in the native core.

    Args:
        agent: an agent's name, or an agent.
        rules: `Rules`, a level's name or `ROWSxCOLUMNS/MINES`.
        count: the number of games.
        seed: the seed of game 0. Game i is dealt from seed + i, with its default first cell opened.
        jobs: the number of processes. With more than one, an agent object must be picklable.
        progress: True to show progress on stderr, or a function of (games done, all games).

    Raises:
        InputError: if a number is out of range.
        AgentError: if there is no such agent, or it failed; the message names the game.
    """
    setting = as_rules(rules)
    _check(count, jobs)
    check_seed(seed)
    name = agent if isinstance(agent, str) else type(agent).__name__
    player = _checked(agent, jobs)
    found: list[Played] = []
    show = _shower(progress, name)

    def report(games: Sequence[Played]) -> None:
        found.extend(games)
        show(len(found), count)

    play_deals(player, dealt(setting, count, seed), report, jobs)
    return GamesResult(name, setting, seed, tuple(sorted(found)))


def compare(  # noqa: PLR0913  (as for play_games)
    first: str | Agent,
    second: str | Agent,
    rules: Rules | str = "expert",
    *,
    count: int = 100,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = False,
) -> Comparison:
    """Play the same boards with two agents. The arguments are those of `play_games`."""
    both = [
        play_games(agent, rules, count=count, seed=seed, jobs=jobs, progress=progress)
        for agent in (first, second)
    ]
    return Comparison(*both)


def _check(count: int, jobs: int) -> None:
    for name, value, most in (("count", count, MOST_GAMES), ("jobs", jobs, MOST_JOBS)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise InputError(f"expected {name} from 1 to {most:,}, got {value!r}")


def _checked(agent: str | Agent, jobs: int) -> str | Agent:
    """Raise `AgentError` if the agent cannot play, here or in other processes."""
    if isinstance(agent, str):
        check_player(agent)
        return agent
    if not isinstance(agent, Agent):
        raise AgentError(
            f"expected an agent's name, or an object with start and decide, got {agent!r}"
        )
    if jobs > 1:
        try:
            pickle.dumps(agent)
        except Exception as error:
            raise AgentError(
                f"this agent cannot be pickled for {jobs} jobs; use its name ({error})"
            ) from error
    return agent


def _shower(progress: Progress, name: str) -> Callable[[int, int], None]:
    if callable(progress):
        return progress
    shown = 0.0

    def show(done: int, count: int) -> None:
        nonlocal shown
        if not progress or (done < count and time.monotonic() < shown + 0.1):
            return
        shown = time.monotonic()
        end = "\n" if done == count else ""
        print(f"\r{name}: {done:,} of {count:,} games", end=end, file=sys.stderr, flush=True)

    return show


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(
            "pandas is not installed. Run `pip install pandas`, or use the attribute `rows`"
        ) from None
    return pandas


def _cells(result: GamesResult) -> Iterator[str]:
    low, high = result.interval
    yield from (result.agent, result.rules.level, f"{result.games:,}", f"{result.wins:,}")
    yield share(result.rate)
    yield f"{share(low)} to {share(high)}"


def _table(rows: Sequence[Iterator[str]]) -> str:
    heads = ("agent", "level", "games", "wins", "rate", "95 % interval")
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
