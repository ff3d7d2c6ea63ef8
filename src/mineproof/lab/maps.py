"""Maps of the board that show the win rate of each first cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import number
from mineproof.lab.tables import Point


def draw_maps(figure: Figure, points: Sequence[Point], is_titled: bool = True) -> Canvas:
    """Draw a board for each panel, coloured by each first cell's difference from the mean.

    Because differences are drawn, all panels share a colour scale even if their win rates differ.
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
    for axis, panel, grid, mean in zip(axes, panels, grids, means, strict=True):
        gaps = (grid - mean) * metric.scale
        shown = axis.imshow(gaps, cmap="PuOr", vmin=-far, vmax=far)
        title = f"{panel}: {number(mean, metric)} on average"
        axis.set(title=title.removeprefix(": "), xlabel="column", ylabel="row")
        axis.grid(visible=False)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    canvas.colorbar(
        shown, ax=list(axes), shrink=0.6, label=f"{metric.label}, difference from the mean"
    )
    if is_titled:
        canvas.suptitle(figure.title, fontsize=12, fontweight="bold")
    return canvas


def _height(grid: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """Return the height of a board drawing, as a share of the page width."""
    rows, columns = grid.shape
    return min(rows / columns, 0.75) * 0.75


def _grid(points: Sequence[Point]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    cells = [tuple(map(int, str(point.x).split(","))) for point in points]
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    grid = np.full((rows, columns), np.nan)
    for (row, column), point in zip(cells, points, strict=True):
        grid[row, column] = point.estimate.value
    return grid
