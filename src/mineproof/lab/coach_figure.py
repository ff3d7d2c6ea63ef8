"""A chart of the coach's findings: which reasoning was missed, and its cost in each game."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from mineproof.core.words import counted
from mineproof.lab.charts import STYLE, file_bytes
from mineproof.notation.files import write_whole
from mineproof.review.coaching import Coaching

COST, MEAN = "#D55E00", "#0072B2"


def save_coaching(found: Coaching, path: Path) -> None:
    """Draw the coach's findings and save them in the format of the path's suffix."""
    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(8.0, 6.2), layout="constrained")
        above, below = canvas.subplots(2, 1)
        _draw_missed(above, found)
        _draw_games(below, found)
        write_whole(path, file_bytes(canvas, "coach", path.suffix))


def _draw_missed(axes: Axes, found: Coaching) -> None:
    """Draw a bar for each kind of reasoning that was missed, the costliest at the top."""
    shown = [one for one in found.missed if one.times][::-1]
    wins = [max(0.0, 100 * one.cost / len(found.games)) for one in shown]
    bars = axes.barh([one.missed.words for one in shown], wins, color=COST)
    axes.bar_label(bars, [counted(one.times, "time") for one in shown], padding=4)
    axes.set(title="What was missed", xlabel="wins lost per 100 games")
    axes.margins(x=0.15)
    axes.grid(visible=False, axis="y")


def _draw_games(axes: Axes, found: Coaching) -> None:
    """Draw the cost of each game, in order, and the running mean."""
    costs = [max(0.0, game.cost) for game in found.games]
    numbers = range(1, len(costs) + 1)
    means = [sum(costs[:number]) / number for number in numbers]
    axes.bar(numbers, costs, color=COST, alpha=0.55)
    axes.plot(numbers, means, color=MEAN, label="running mean")
    axes.set(title="Game by game", xlabel="game", ylabel="wins lost through\navoidable risks")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)
