"""Figures: matplotlib without its global state, the same bytes for the same points."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from mineproof.lab.experiment import Figure
from mineproof.lab.findings import AXES, reported_interval
from mineproof.lab.metrics import METRICS
from mineproof.lab.statistics import Estimate
from mineproof.lab.tables import Point

COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"),
    *("#6A3D9A", "#666666", "#8C510A", "#111111"),
)
"""Told apart by all common kinds of sight (Okabe and Ito), and four more."""
MARKERS = "osD^vPX*<>"
MANY_BARS = 24
"""From here on a figure of bars is wider."""
WHOLE = ("times", "given", "mines", "cells")
"""Columns of whole numbers, whose ticks are the values themselves."""
MOST_TICKS = 10
SOURCE_COLOUR = "#222222"
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "svg.fonttype": "none",
    "svg.hashsalt": "mineproof",
    "figure.facecolor": "white",
}


def draw(figure: Figure, points: Sequence[Point]) -> Canvas:
    """Draw a figure of points."""
    with mpl.rc_context(STYLE):
        if figure.kind == "map":
            from mineproof.lab.pictures import draw_maps

            return draw_maps(figure, points)
        return _draw_panels(figure, points)


def save(canvas: Canvas, folder: Path, name: str) -> str:
    """Write a figure as SVG and PNG; give the SVG for a page of HTML."""
    with mpl.rc_context(STYLE):
        canvas.savefig(folder / f"{name}.png", dpi=130, bbox_inches="tight")
        text = io.StringIO()
        canvas.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    svg = _own_names(text.getvalue(), name)
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    return svg[svg.index("<svg") :]


def _own_names(svg: str, name: str) -> str:
    """Give the parts of a drawing names that no other drawing on the same page has."""
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = svg.replace("url(#", f"url(#{name}-")
    return svg.replace('href="#', f'href="#{name}-')


def _draw_panels(figure: Figure, points: Sequence[Point]) -> Canvas:
    panels = list(dict.fromkeys(point.panel for point in points)) or [""]
    series = list(dict.fromkeys(point.series for point in points))
    rows = -(-max(1, len(series) + bool(figure.reported)) // (2 if len(panels) > 1 else 1))
    many = figure.kind == "bars" and len(points) > MANY_BARS
    width = (11.0 if many else 7.2) if len(panels) == 1 else 4.0 * len(panels)
    canvas = Canvas(figsize=(width, 3.9 + 0.22 * rows), layout="constrained")
    axes = canvas.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for place, panel in zip(axes, panels, strict=True):
        shown = [point for point in points if point.panel == panel]
        if figure.kind == "bars":
            _draw_bars(place, figure, shown, series)
        else:
            _draw_lines(place, figure, shown, series)
        _draw_reported(place, figure, panel)
        _label(place, figure, shown, panel)
    _set_range(axes[0], figure, points)
    axes[0].set_ylabel(_value_label(figure))
    canvas.suptitle(figure.title, fontsize=12, fontweight="bold")
    _add_legend(canvas, axes[0], figure, len(panels))
    return canvas


def _value_label(figure: Figure) -> str:
    return "share of games (%)" if figure.kind == "histogram" else METRICS[figure.metric].axis


def _scale(figure: Figure) -> float:
    return 100.0 if figure.kind == "histogram" else METRICS[figure.metric].scale


def _errors(found: Sequence[Estimate], scale: float) -> list[list[float]]:
    """Give how far the intervals reach down and up."""
    low = [max(0.0, (one.value - one.low) * scale) for one in found]
    high = [max(0.0, (one.high - one.value) * scale) for one in found]
    return [low, high]


def _draw_lines(axes: Axes, figure: Figure, points: Sequence[Point], series: Sequence[str]) -> None:
    scale = _scale(figure)
    looks = zip(series, cycle(COLOURS), cycle(MARKERS), strict=False)
    for number, (name, colour, marker) in enumerate(looks):
        mine = [point for point in points if point.series == name]
        found = [point.estimate for point in mine]
        shift = (number - (len(series) - 1) / 2) * _dodge(figure, points)
        axes.errorbar(
            [_place(figure, point.x) + shift for point in mine],
            [one.value * scale for one in found],
            yerr=_errors(found, scale),
            label=name or "all",
            color=colour,
            marker=marker,
            markersize=5,
            capsize=2.5,
            linewidth=1.6,
            elinewidth=1,
        )


def _place(figure: Figure, x: str | float) -> float:
    """Give where a value lies on the axis: shares are shown in per cent."""
    return float(x) * 100 if figure.x in ("density", "given_share") else float(x)


def _dodge(figure: Figure, points: Sequence[Point]) -> float:
    """Give how far apart series stand at the same x, so that their whiskers can be seen."""
    places = [_place(figure, point.x) for point in points]
    return (max(places) - min(places)) * 0.008


def _draw_bars(axes: Axes, figure: Figure, points: Sequence[Point], series: Sequence[str]) -> None:
    scale = _scale(figure)
    places = list(dict.fromkeys(str(point.x) for point in points))
    width = 0.8 / max(1, len(series))
    for number, (name, colour) in enumerate(zip(series, cycle(COLOURS), strict=False)):
        mine = [point for point in points if point.series == name]
        found = [point.estimate for point in mine]
        shift = (number - (len(series) - 1) / 2) * width
        axes.bar(
            [places.index(str(point.x)) + shift for point in mine],
            [one.value * scale for one in found],
            width * 0.92,
            yerr=_errors(found, scale),
            label=name,
            color=colour,
            error_kw={"capsize": 2.5, "elinewidth": 1, "ecolor": "#333333"},
        )
    axes.set_xticks(range(len(places)), places)
    axes.grid(visible=False, axis="x")


def _draw_reported(axes: Axes, figure: Figure, panel: str) -> None:
    """Draw the source's own numbers, with the intervals that its samples allow."""
    mine = [point for point in figure.reported if point.panel in ("", panel)]
    scale = _scale(figure)
    look: dict[str, Any] = {"color": SOURCE_COLOUR, "fillstyle": "none", "zorder": 5, "capsize": 3}
    for number, point in enumerate(mine):
        known = reported_interval(point)
        errors = None if known is None else _errors([known], scale)
        name = None if number else "the source's number"
        axes.errorbar(
            [_place(figure, point.x)],
            [point.value * scale],
            yerr=errors,
            fmt="d",
            markersize=8,
            elinewidth=0.8,
            label=name,
            **look,
        )


def _label(axes: Axes, figure: Figure, points: Sequence[Point], panel: str) -> None:
    """Name the axes; few numbers on the lower one get a tick each."""
    metric = METRICS[figure.metric]
    label = AXES.get(figure.x, figure.x)
    if figure.kind == "histogram":
        label = metric.axis
    elif figure.x in ("density", "given_share"):
        label = f"{label} (%)"
    axes.set_xlabel(label)
    axes.set_title(panel)
    if figure.x in WHOLE and figure.kind == "lines":
        places = sorted({float(point.x) for point in points})
        if len(places) <= MOST_TICKS:
            axes.set_xticks(places, [f"{one:g}" for one in places])
    if figure.threshold:
        axes.axhline(figure.threshold * metric.scale, color="#888888", linestyle="--", linewidth=1)


def _set_range(axes: Axes, figure: Figure, points: Sequence[Point]) -> None:
    """Set the range of values, the same for all panels: from 0 unless all are far above it."""
    if figure.log:
        axes.set_yscale("log")
        return
    scale = _scale(figure)
    low = min(point.estimate.low for point in points) * scale
    high = axes.get_ylim()[1]
    far = figure.kind == "lines" and low > 0.6 * high
    bottom = axes.get_ylim()[0] if far else 0
    is_share = METRICS[figure.metric].unit == "%" and figure.kind != "histogram"
    axes.set_ylim(bottom, 101 if is_share and high > 75 else high)


def _add_legend(canvas: Canvas, axes: Axes, figure: Figure, panels: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if labels and (len(labels) > 1 or labels[0] not in ("", "all")):
        columns = 1 if panels == 1 and max(map(len, labels)) > 30 else 2
        canvas.legend(
            handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=9
        )
