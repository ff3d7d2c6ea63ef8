"""Many games from Python: `play_games` and `compare`, with confidence intervals."""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mineproof.agents.loading import as_agent, is_foreign, is_trusted
from mineproof.agents.protocol import SimpleAgent
from mineproof.agents.registry import name_of
from mineproof.arena.results import LETTERS
from mineproof.arena.sets import board_set
from mineproof.arena.tables import Pair, Row, Table, pandas, shared_boards
from mineproof.core.errors import AgentError, InputError, whole_number
from mineproof.core.random import MASK, check_seed
from mineproof.core.rules import Rules, as_rules
from mineproof.core.words import points
from mineproof.match.batch import Deal, Played, check_player, dealt, play_deals
from mineproof.match.certainty import Pairs, p_text
from mineproof.match.contract import DECISION_SECONDS, check_seconds
from mineproof.match.isolated import Isolation, new_salt
from mineproof.match.play import Player
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
    isolated: bool = False
    """Whether the agent ran in a separate process, which holds no boards."""
    salt: str = ""
    """Random digits from which the seeds of user code were made; empty for built-in agents."""
    boards: str = ""
    """The name of the board set or file; empty if the boards were dealt from `rules` and `seed`."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.rows)

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self._summary.wins

    @property
    def rate(self) -> float:
        """The win rate: the share of games won, without refused games."""
        return self.table().rows[0].rate

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return self.table().rows[0].interval

    def to_pandas(self) -> Any:
        """Return the rows as a pandas `DataFrame`.

        Raises:
            ImportError: if pandas is not installed.
        """
        table = pandas().DataFrame(to_plain(self.rows))
        table.insert(1, "seed", [(self.seed + row.index) & MASK for row in self.rows])
        return table

    def table(self) -> Table:
        """Return the statistics as a table with one row."""
        total = self._summary
        totals = (total.guesses, total.false_proofs, total.milliseconds)
        return Table((Row.of(self._where, self.agent, self._letters, *totals),))

    @property
    def _letters(self) -> str:
        return "".join(LETTERS[row.result] for row in self.rows)

    @property
    def _where(self) -> str:
        return self.boards or self.rules.level

    @property
    def _summary(self) -> Summary:
        summary = Summary()
        summary.add(self.rows)
        return summary

    def __repr__(self) -> str:
        """Return the agent, the level and the number of wins."""
        return f"<GamesResult {self.agent}, {self._where}: {self.wins} of {self.games} won>"

    def __str__(self) -> str:
        """Return the statistics in one line."""
        return f"{self.agent}, {self._where}: {self._summary}"

    def _repr_html_(self) -> str:
        """Return the statistics as a table, for notebooks."""
        return self.table()._repr_html_()


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
        """The number of boards won by each agent, without boards that one of them refused."""
        return shared_boards(self.first._letters, self.second._letters)

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

    def table(self) -> Table:
        """Return both agents and their difference as a table."""
        rows = self.first.table().rows + self.second.table().rows
        pair = Pair(rows[0].set, rows[0].agent, rows[1].agent, self.pairs, self.p_value)
        return Table(rows, (pair,))

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
            f"{points(self.difference, *self.interval)}; p {p_text(self.p_value)}; "
            f"only {self.first.agent} won {self.only_first}, only {self.second.agent} "
            f"{self.only_second} of {self.first.games}"
        )

    def _repr_html_(self) -> str:
        """Return the statistics as a table, for notebooks."""
        return self.table()._repr_html_()


def play_games(  # noqa: PLR0913  (one keyword for each thing that can be set)
    agent: Player,
    rules: Rules | str | None = None,
    *,
    count: int | None = None,
    seed: int = 0,
    boards: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    progress: Progress = False,
    salt: str | None = None,
    decision_seconds: float = DECISION_SECONDS,
) -> GamesResult:
    """Play many games with an agent. The fast built-in agents play in the native core.

    Args:
        agent: an agent's name, an agent, its class, or a function from observation to cell. User
            code given by name (`FILE.py:Class`, an engine) runs in a separate process. An object
            runs here, but gets neither boards nor the seeds of games; `isolated` of the result is
            then False.
        rules: `Rules`, a level's name or `ROWSxCOLUMNS/MINES`; by default expert.
        count: the number of games; by default 100, or all boards of `boards`.
        seed: the seed of game 0. Game i is dealt from seed + i, with its default first cell opened.
        boards: play these boards instead of dealing them: a board file (plain, `.gz` or `.xz`), or
            the name of a board set. They have their own rules and seeds.
        jobs: the number of processes. With more than one, an agent object must be picklable.
        progress: True to show progress on stderr, or a function of (games done, all games).
        salt: the salt of an earlier result, to repeat the random choices of user code.
        decision_seconds: the time limit for a move of a named file or engine, and of a built-in
            agent on a board with more than 40,000 cells. After it, the game counts as failed.

    Raises:
        InputError: if a number is out of range, or there is no such board set or file.
        AgentError: if there is no such agent, or it failed; the message names the game.
    """
    agent = agent if isinstance(agent, str) else as_agent(agent)
    name = agent if isinstance(agent, str) else name_of(agent)
    deals, source = _deals(rules, count, seed, boards)
    _check("jobs", jobs, MOST_JOBS)
    check_seconds(decision_seconds)
    trusted = not is_foreign(agent) if isinstance(agent, str) else is_trusted(agent)
    salt = "" if trusted else salt or new_salt()
    player = _checked(agent, jobs, salt, decision_seconds)
    found: list[Played] = []
    show = _shower(progress, name)

    def report(games: Sequence[Played]) -> None:
        found.extend(games)
        show(len(found), len(deals))

    play_deals(player, deals, report, jobs, salt=salt, seconds=decision_seconds)
    first, is_apart = deals[0], isinstance(player, Isolation)
    return GamesResult(name, first.rules, first.seed, tuple(sorted(found)), is_apart, salt, source)


def _deals(
    rules: Rules | str | None, count: int | None, seed: int, boards: str | os.PathLike[str] | None
) -> tuple[Sequence[Deal], str]:
    """Return the games to play, and the name of their board set."""
    if count is not None:
        _check("count", count, MOST_GAMES)
    check_seed(seed)
    if boards is None:
        return dealt(as_rules("expert" if rules is None else rules), count or 100, seed), ""
    if rules is not None or seed:
        raise InputError("boards have their own rules and seeds. Omit rules and seed")
    chosen = board_set(os.fspath(boards))
    return chosen.deals(count), chosen.name


def compare(  # noqa: PLR0913  (as for play_games)
    first: Player,
    second: Player,
    rules: Rules | str | None = None,
    *,
    count: int | None = None,
    seed: int = 0,
    boards: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    progress: Progress = False,
    salt: str | None = None,
    decision_seconds: float = DECISION_SECONDS,
) -> Comparison:
    """Play the same boards with two agents. The arguments are those of `play_games`."""
    how: dict[str, Any] = {"count": count, "seed": seed, "boards": boards, "jobs": jobs}
    how |= {"progress": progress, "salt": salt, "decision_seconds": decision_seconds}
    return Comparison(*(play_games(agent, rules, **how) for agent in (first, second)))


def _check(name: str, value: int, most: int) -> None:
    if not 1 <= whole_number(value, name) <= most:
        raise InputError(f"expected {name} from 1 to {most:,}, got {value!r}")


def _checked(
    agent: str | SimpleAgent, jobs: int, salt: str, seconds: float
) -> str | SimpleAgent | Isolation:
    """Return the player. Raise `AgentError` if it cannot play, here or in other processes."""
    if isinstance(agent, str):
        player = Isolation(agent, seconds, salt=salt) if is_foreign(agent) else agent
        check_player(player)
        return player
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
