"""Charts: matplotlib without its global state, the same bytes for the same points."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from mineproof.lab.figure import SHARES, Figure
from mineproof.lab.findings import AXES, reported_interval
from mineproof.lab.looks import Look, label, looks
from mineproof.lab.metrics import METRICS
from mineproof.lab.statistics import Estimate
from mineproof.lab.tables import Point

MANY_BARS = 24
"""From here on a figure of bars is wider."""
WHOLE = ("times", "given", "mines", "cells")
"""Columns of whole numbers, whose ticks are the values themselves."""
MOST_TICKS = 10
LETTERS = 13.5
"""Letters of the legend to an inch."""
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
    styles = looks(figure, list(dict.fromkeys(point.series for point in points)))
    many = figure.kind == "bars" and len(points) > MANY_BARS
    width = (11.0 if many else 7.2) if len(panels) == 1 else 4.0 * len(panels)
    names = [label(figure, name) for name in styles]
    columns = max(1, min(5, int(width * LETTERS / (max(map(len, names), default=0) + 8))))
    rows = -(-(len(names) + bool(figure.reported) + bool(figure.threshold_text)) // columns)
    canvas = Canvas(figsize=(width, 3.9 + 0.22 * rows), layout="constrained")
    axes = canvas.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for place, panel in zip(axes, panels, strict=True):
        shown = [point for point in points if point.panel == panel]
        _draw_series(place, figure, shown, styles)
        _draw_reported(place, figure, panel)
        _label(place, figure, shown, panel)
    set_range(axes[0], figure, points)
    axes[0].set_ylabel(_value_label(figure))
    canvas.suptitle(figure.title, fontsize=12, fontweight="bold")
    _add_legend(canvas, axes[0], columns)
    return canvas


def _value_label(figure: Figure) -> str:
    return "share of these games (%)" if figure.kind == "histogram" else METRICS[figure.metric].axis


class Drawn(NamedTuple):
    """Where the values of a series stand, and how far their intervals reach."""

    at: list[float]
    values: list[float]
    errors: list[list[float]]


def _draw_series(
    axes: Axes, figure: Figure, points: Sequence[Point], styles: dict[str, Look]
) -> None:
    """Draw every series of a panel: bars only where they can begin at 0."""
    places = list(dict.fromkeys(str(point.x) for point in points))
    is_bars = figure.kind == "bars" and is_from_zero(figure, points)
    if figure.kind == "bars":
        width = (0.8 if is_bars else 0.5) / len(styles)
    else:
        width = _dodge(figure, points, len(styles))
    for number, (name, look) in enumerate(styles.items()):
        mine = [point for point in points if point.series == name]
        shift = (number - (len(styles) - 1) / 2) * width
        bars = figure.kind == "bars"
        at = [places.index(str(p.x)) if bars else _place(figure, p.x) for p in mine]
        found, scale = [point.estimate for point in mine], scale_of(figure)
        values = [one.value * scale for one in found]
        errors = _errors(found, scale)
        if figure.kind == "histogram":  # whiskers over the many empty bins would hide the rest
            errors = [[e if v else 0.0 for e, v in zip(s, values, strict=True)] for s in errors]
        drawn = Drawn([one + shift for one in at], values, errors)
        title = label(figure, name) or "all"
        if is_bars:
            _draw_bars(axes, drawn, width * 0.92, look, title)
        else:
            _draw_marks(axes, drawn, figure.kind, look, title)
    if figure.kind == "bars":
        axes.set_xticks(range(len(places)), places)
        axes.grid(visible=False, axis="x")


def _draw_bars(axes: Axes, drawn: Drawn, width: float, look: Look, title: str) -> None:
    at, values, errors = drawn
    whiskers = {"capsize": 2.5, "elinewidth": 1, "ecolor": "#333333"}
    axes.bar(at, values, width, yerr=errors, label=title, color=look.colour, error_kw=whiskers)


def _draw_marks(axes: Axes, drawn: Drawn, kind: str, look: Look, title: str) -> None:
    """Draw points with whiskers, joined where the axis has numbers, as steps over bins."""
    at, values, errors = drawn
    axes.errorbar(
        at,
        values,
        yerr=errors,
        label=title,
        color=look.colour,
        marker="" if kind == "histogram" else look.marker,
        markerfacecolor="white" if look.is_hollow else look.colour,
        linestyle="none" if kind == "bars" else look.line,
        drawstyle="steps-mid" if kind == "histogram" else "default",
        markersize=5,
        capsize=2.5,
        linewidth=1.6,
        elinewidth=1,
    )


def _errors(found: Sequence[Estimate], scale: float) -> list[list[float]]:
    """Give how far the intervals reach down and up."""
    low = [max(0.0, (one.value - one.low) * scale) for one in found]
    high = [max(0.0, (one.high - one.value) * scale) for one in found]
    return [low, high]


def _place(figure: Figure, x: str | float) -> float:
    """Give where a value lies on the axis: shares are shown in per cent."""
    return float(x) * 100 if figure.x in SHARES else float(x)


def _dodge(figure: Figure, points: Sequence[Point], series: int) -> float:
    """Give how far apart series stand at the same x, so that their whiskers can be seen."""
    places = [_place(figure, point.x) for point in points]
    return (max(places) - min(places)) * min(0.008, 0.03 / series)


def _draw_reported(axes: Axes, figure: Figure, panel: str) -> None:
    """Draw the source's own numbers, with the intervals that its samples allow."""
    mine = [point for point in figure.reported if point.panel in ("", panel)]
    scale = scale_of(figure)
    for number, point in enumerate(mine):
        known = reported_interval(point)
        axes.errorbar(
            [_place(figure, point.x)],
            [point.value * scale],
            yerr=None if known is None else _errors([known], scale),
            fmt="d",
            markersize=8,
            elinewidth=0.8,
            label=None if number else figure.reported_by,
            color=SOURCE_COLOUR,
            fillstyle="none",
            zorder=5,
            capsize=3,
        )


def _label(axes: Axes, figure: Figure, points: Sequence[Point], panel: str) -> None:
    """Name the axes; few numbers on the lower one get a tick each."""
    metric = METRICS[figure.metric]
    text = AXES.get(figure.x, figure.x)
    if figure.kind == "histogram":
        text = metric.axis
    elif figure.x in SHARES:
        text = f"{text} (%)"
    axes.set_xlabel(text)
    axes.set_title(panel)
    if figure.x in WHOLE and figure.kind == "lines":
        places = sorted({float(point.x) for point in points})
        if len(places) <= MOST_TICKS:
            axes.set_xticks(places, [f"{one:g}" for one in places])
    if figure.threshold:
        axes.axhline(
            figure.threshold * metric.scale,
            color="#888888",
            linestyle="--",
            linewidth=1,
            label=figure.threshold_text or None,
        )


def _add_legend(canvas: Canvas, axes: Axes, columns: int) -> None:
    """Name the series, then what else is drawn, below the panels."""
    entries = list(zip(*axes.get_legend_handles_labels(), strict=True))
    entries.sort(key=lambda entry: isinstance(entry[0], Line2D))
    if not entries or (len(entries) == 1 and entries[0][1] == "all"):
        return
    handles, labels = zip(*entries, strict=True)
    canvas.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=min(columns, len(labels)),
        frameon=False,
        fontsize=9,
    )


FAR = 0.6
"""Values that all lie above this share of the largest are shown without the way from 0."""
NEAR_ALL = 75
"""Per cent from which on an axis of shares goes up to 100."""
ROOM = 0.03
"""How much an axis goes beyond its ends, so that no marker is cut in half."""
FEW_DECADES = 2.5


def scale_of(figure: Figure) -> float:
    """Give by what values are multiplied for display."""
    return 100.0 if figure.kind == "histogram" else METRICS[figure.metric].scale


def is_from_zero(figure: Figure, points: Sequence[Point]) -> bool:
    """Say whether the axis begins at 0, as bars must."""
    if figure.log:
        return False
    low = min(point.estimate.low for point in points)
    high = max(point.estimate.high for point in points)
    return figure.kind == "histogram" or not low > FAR * high


def set_range(axes: Axes, figure: Figure, points: Sequence[Point]) -> None:
    """Set the range of values, the same for all panels."""
    if figure.log:
        _set_log(axes)
        return
    low, high = axes.get_ylim()
    is_share = METRICS[figure.metric].unit == "%" and figure.kind != "histogram"
    is_zero = is_from_zero(figure, points)
    if is_zero:
        low = 0.0
    if is_share and (high > NEAR_ALL or not is_zero):
        high = min(100.0, high) if not is_zero else 100.0
        high += ROOM * (high - low)
    if is_zero and figure.kind != "bars":
        low -= ROOM * high
    axes.set_ylim(low, high)


def _set_log(axes: Axes) -> None:
    """Use a logarithmic axis whose ticks are plain numbers."""
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    subs = (1, 2, 3, 5, 7) if decades < 1 else (1, 2, 5) if decades < FEW_DECADES else (1,)
    axes.yaxis.set_major_locator(LogLocator(subs=subs))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
