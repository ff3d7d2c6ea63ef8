"""Figures that are boards: win rates by first cell, and the longest chain of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from mineproof.agents.loading import make_agent
from mineproof.core.board import Board
from mineproof.core.game import Game
from mineproof.lab.charts import STYLE
from mineproof.lab.experiment import Condition
from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import number
from mineproof.lab.tables import Extreme, Point
from mineproof.review.chains import Chains, trace

PALE = LinearSegmentedColormap.from_list("pale", ("#fff7c2", "#a6dba0", "#74add1"))
"""Light from end to end, so that what stands on it can be read."""


def draw_maps(figure: Figure, points: Sequence[Point], is_titled: bool = True) -> Canvas:
    """Draw a board for each panel: by how much a first cell is above or below the others.

    So one scale serves all panels, however far apart their values are as such.
    """
    metric = METRICS[figure.metric]
    panels = list(dict.fromkeys(point.panel for point in points))
    grids = [_grid([point for point in points if point.panel == one]) for one in panels]
    means = [float(np.nanmean(grid)) for grid in grids]
    far = max(float(np.nanmax(abs(grid - mean))) for grid, mean in zip(grids, means, strict=True))
    far = far * metric.scale or 1.0
    canvas = Canvas(figsize=(7.5, 0.7 + 7.0 * sum(_height(grid) for grid in grids)))
    canvas.set_layout_engine("constrained")
    axes = canvas.subplots(
        len(panels), 1, squeeze=False, height_ratios=[_height(grid) for grid in grids]
    )[:, 0]
    for place, panel, grid, mean in zip(axes, panels, grids, means, strict=True):
        gaps = (grid - mean) * metric.scale
        shown = place.imshow(gaps, cmap="PuOr", vmin=-far, vmax=far)
        title = f"{panel}: {number(mean, metric)} on average"
        place.set(title=title.removeprefix(": "), xlabel="column", ylabel="row")
        place.grid(visible=False)
        place.xaxis.set_major_locator(MaxNLocator(integer=True))
        place.yaxis.set_major_locator(MaxNLocator(integer=True))
    canvas.colorbar(shown, ax=list(axes), shrink=0.6, label=f"{metric.label}, above the average")
    if is_titled:
        canvas.suptitle(figure.title, fontsize=12, fontweight="bold")
    return canvas


def _height(grid: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """Give how high a board is drawn, as a share of the width of the page."""
    rows, columns = grid.shape
    return min(rows / columns, 0.75) * 0.75


def _grid(points: Sequence[Point]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    cells = [tuple(map(int, str(point.x).split(","))) for point in points]
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    grid = np.full((rows, columns), np.nan)
    for (row, column), point in zip(cells, points, strict=True):
        grid[row, column] = point.estimate.value
    return grid


def draw_chain(condition: Condition, found: Extreme, is_titled: bool = True) -> Canvas:
    """Play a game again and draw its longest chain of influence."""
    agent = make_agent(condition.agent)
    board = condition.boards.find(condition.rules, agent, found.seed, condition.first)
    game = Game(condition.rules, found.seed, condition.first, board)
    chains = trace(game, agent)
    assert game.board is not None
    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(7.0, 5.9), layout="constrained")
        axes = canvas.subplots()
        _draw_board(axes, game.board)
        _draw_path(axes, chains)
        if is_titled:
            title = f"The longest of these: {chains.length} conclusions, seed {found.seed}"
            canvas.suptitle(title, fontsize=12, fontweight="bold")
    return canvas


def _draw_board(axes: Axes, board: Board) -> None:
    """Draw mines and clues."""
    axes.set(xlim=(-0.5, board.columns - 0.5), ylim=(board.rows - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(board.columns))
    axes.set_yticks(range(board.rows))
    axes.set(xlabel="column   (* is a mine; the chain is a line from start to end)", ylabel="row")
    axes.grid(visible=False)
    for index, mine in enumerate(board.mined):
        cell = board.grid.cell(index)
        look: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 3}
        if mine:
            axes.text(cell.column, cell.row + 0.12, "*", color="#c0392b", fontsize=16, **look)
        else:
            text = str(board.clues[index] or "")
            axes.text(cell.column, cell.row, text, color="#444444", **look)


def _draw_path(axes: Axes, chains: Chains) -> None:
    """Draw the chain from its root, the darker the farther along it is."""
    path = chains.longest
    places = [(cell.column, cell.row) for cell in path]
    columns, rows = zip(*places, strict=True)
    axes.plot(columns, rows, color="#0072B2", linewidth=1.5, alpha=0.6, zorder=1)
    shown = axes.scatter(columns, rows, c=range(len(path)), cmap=PALE, s=330, zorder=2)
    figure = axes.get_figure()
    assert figure is not None
    figure.colorbar(shown, ax=axes, shrink=0.75, label="place in the chain")
    for text, place in (("start", places[0]), ("end", places[-1])):
        axes.annotate(text, place, textcoords="offset points", xytext=(0, 12), ha="center")
