"""Boards as games left them: for each condition the first game that was won, and the first lost."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game
from mineproof.draw import draw
from mineproof.lab.experiment import Condition
from mineproof.lab.figure import Figure
from mineproof.lab.store import Store
from mineproof.lab.tables import where_sql
from mineproof.match.play import play

WORDS = {"win": "won", "loss": "lost"}


class EndedGame(NamedTuple):
    """A game that is drawn."""

    level: str
    times: float
    agent: str
    first: str
    result: str
    seed: int
    milliseconds: float

    @property
    def text(self) -> str:
        """Say which game it is, and how it went."""
        times = f", K = {self.times:g}" if self.times else ""
        end = f"{WORDS[self.result]} in {self.milliseconds:.0f} ms"
        return f"{self.level}{times}, seed {self.seed}: {end}"

    @property
    def name(self) -> str:
        """Give a name for a file."""
        return f"{self.level.replace('/', '-')}-{self.times:g}-{WORDS[self.result]}"


def ended_games(store: Store, figure: Figure) -> list[EndedGame]:
    """Give the first game won and the first lost of each condition."""
    sql = (
        "SELECT level, coalesce(times, 0), agent, coalesce(first, ''), result, min(seed), "
        f"arg_min(ms, seed) FROM games WHERE {where_sql(figure.where)} "
        "AND result IN ('win', 'loss') GROUP BY ALL ORDER BY min(cells), 2, 3, 4, 5 DESC"
    )
    return [EndedGame(*row) for row in store.query(sql)]


def draw_boards(store: Store, figure: Figure, games: Sequence[EndedGame], folder: Path) -> str:
    """Play the games again, write their boards into a folder, and give them for the page."""
    found = []
    for one in games:
        svg = draw(_replayed(_condition(store, one), one), theme="light")
        (folder / f"{figure.name}-{one.name}.svg").write_text(svg, encoding="utf-8")
        data = b64encode(svg.encode()).decode()
        image = f'<img alt="{escape(one.text)}" src="data:image/svg+xml;base64,{data}">'
        found.append(f"<div>{image}<p>{escape(one.text)}</p></div>")
    return f'<div class="panels several boards">{"".join(found)}</div>'


def _condition(store: Store, game: EndedGame) -> Condition:
    wanted = (game.level, game.times, game.agent, game.first)
    return next(
        one
        for one in store.experiment.conditions
        if (one.level, one.columns["times"] or 0, one.agent, one.columns["first"] or "") == wanted
    )


def _replayed(condition: Condition, one: EndedGame) -> Game:
    game = Game(condition.rules, one.seed, condition.first)
    play(game, make_agent(condition.agent))
    return game
