"""Replays games from a store to draw their final boards and longest chains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from mineproof.agents.protocol import Agent
from mineproof.core.game import Game
from mineproof.draw import draw
from mineproof.lab.experiment import Condition
from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.store import Store
from mineproof.lab.tables import where_sql
from mineproof.match.isolated import Isolation, player
from mineproof.match.play import play
from mineproof.review.chains import trace
from mineproof.review.chains_svg import draw_chains

WORDS = {"win": "won", "loss": "lost"}
EXTREMES = 10
"""The number of games that a figure of kind `extremes` lists."""


class EndedGame(NamedTuple):
    """A game whose final board is drawn."""

    level: str
    times: float
    agent: str
    first: str
    result: str
    seed: int
    milliseconds: float

    @property
    def text(self) -> str:
        """A caption with the game and its result."""
        times = f", K = {self.times:g}" if self.times else ""
        end = f"{WORDS[self.result]} in {self.milliseconds:.0f} ms"
        return f"{self.level}{times}, seed {self.seed}: {end}"

    @property
    def name(self) -> str:
        """A name for the file of the drawing."""
        return f"{self.level.replace('/', '-')}-{self.times:g}-{WORDS[self.result]}"

    def draw(self, store: Store) -> str:
        """Replay the game and draw its final board."""
        condition = _condition(store, self.agent, self.level, self.first, times=self.times)
        with _restarted(condition, self.seed, store.salt) as (game, agent):
            play(game, agent)
        return draw(game, theme="light")


class Extreme(NamedTuple):
    """A game with an extreme value, and the columns needed to replay it."""

    seed: int
    agent: str
    level: str
    first: str
    start: str
    boards: str
    value: float
    steps: int

    def draw(self, store: Store) -> str:
        """Replay the game and draw its longest chain of influence."""
        condition = _condition(store, self.agent, self.level, self.first, boards=self.boards)
        with _restarted(condition, self.seed, store.salt) as (game, agent):
            chains = trace(game, agent)
        return draw_chains(chains, game.rules.rows, game.rules.columns)


@contextmanager
def _restarted(condition: Condition, seed: int, salt: str) -> Iterator[tuple[Game, Agent]]:
    """Make the agent again, and begin its game with this seed. User code runs isolated."""
    rules, first, boards = condition.rules, condition.first, condition.boards
    with player(Isolation(condition.agent, salt=salt)) as agent:
        if boards.listed:
            deal = next(one for one in boards.deals if one.seed == seed)
            yield Game(deal.rules, seed, deal.first, deal.board()), agent
        else:
            yield Game(rules, seed, first, boards.find(rules, agent, seed, first)), agent


def _condition(
    store: Store, agent: str, level: str, first: str, **columns: str | float
) -> Condition:
    """Return the condition of a game."""
    return next(
        one
        for one in store.experiment.conditions
        if (one.agent, one.level, one.columns["first"] or "") == (agent, level, first)
        and all((one.columns[name] or 0) == value for name, value in columns.items())
    )


def ended_games(store: Store, figure: Figure) -> list[EndedGame]:
    """Return the first game won and the first game lost in each condition."""
    sql = (
        "SELECT level, coalesce(times, 0), agent, coalesce(first, ''), result, min(seed), "
        f"arg_min(ms, seed) FROM games WHERE {where_sql(figure.where)} "
        "AND result IN ('win', 'loss') GROUP BY ALL ORDER BY min(cells), 2, 3, 4, 5 DESC"
    )
    return [EndedGame(*row) for row in store.query(sql)]


def extremes(store: Store, figure: Figure) -> list[Extreme]:
    """Return the games with the largest values."""
    metric = METRICS[figure.metric]
    sql = (
        f"SELECT seed, agent, level, coalesce(first, ''), start, boards, "
        f"({metric.value})::DOUBLE AS v, steps FROM games WHERE {where_sql(figure.where)} "
        f"AND v IS NOT NULL ORDER BY v DESC, seed LIMIT {EXTREMES}"
    )
    return [Extreme(*row) for row in store.query(sql)]
