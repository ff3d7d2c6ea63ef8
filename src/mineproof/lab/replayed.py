"""Replays games from a store to draw their final boards and longest chains."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game
from mineproof.draw import draw
from mineproof.lab.experiment import Condition, Experiment
from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.store import Store
from mineproof.lab.tables import where_sql
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

    def draw(self, experiment: Experiment) -> str:
        """Replay the game and draw its final board."""
        condition = _condition(experiment, self.agent, self.level, self.first, times=self.times)
        game = Game(condition.rules, self.seed, condition.first)
        play(game, make_agent(condition.agent))
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

    def draw(self, experiment: Experiment) -> str:
        """Replay the game and draw its longest chain of influence."""
        condition = _condition(experiment, self.agent, self.level, self.first, boards=self.boards)
        agent = make_agent(condition.agent)
        board = condition.boards.find(condition.rules, agent, self.seed, condition.first)
        chains = trace(Game(condition.rules, self.seed, condition.first, board), agent)
        return draw_chains(chains, condition.rules.rows, condition.rules.columns)


def _condition(
    experiment: Experiment, agent: str, level: str, first: str, **columns: str | float
) -> Condition:
    """Return the condition of a game."""
    return next(
        one
        for one in experiment.conditions
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
