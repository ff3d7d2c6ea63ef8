"""Charts, drawn by matplotlib without global state: the same points always give the same bytes.

A chart in a file includes its title and legend. On the page, each panel is a separate picture, so
that panels stack on a phone; the page adds title and legend.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from mineproof.lab.figure import SHARES, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import column_name, labels, value_text, x_text
from mineproof.lab.styles import SeriesStyle, series_styles
from mineproof.lab.tables import Gap, Point, reported_interval
from mineproof.match.certainty import Estimate

MANY_BARS = 24
"""A bar chart with more bars than this is drawn wider."""
WHOLE = ("times", "given", "mines", "cells")
"""Columns with whole numbers, which get a tick at each value."""
MOST_TICKS = 10
LETTERS = 13.5
"""The number of legend characters per inch."""
LABEL = 36
"""The number of characters per line in the label of an axis."""
FAR = 0.6
"""The axis does not start at 0 if all values exceed this share of the largest value."""
NEAR_ALL = 75
"""An axis of percentages goes up to 100 if the largest value exceeds this."""
ROOM = 0.03
"""The extra space at the ends of an axis, so that no marker is cut off."""
FEW_DECADES = 2.5
"""A logarithmic axis with fewer decades than this gets more ticks."""
SUFFIXES = (".svg", ".png", ".pdf")
"""The file formats of a drawing."""
INK, GRID, PAPER = "#222222", "#dddddd", "#ffffff"
"""Colours that change on a dark page."""
STYLE = mpl.rc_params_from_file(
    Path(__file__).with_name("charts.mplstyle"), use_default_template=False
)
"""The style of all charts. It uses the colours defined above."""
FORBIDDEN = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
"""Characters that XML forbids; the title of a user's experiment may contain them."""


def draw(figure: Figure, points: Sequence[Point]) -> Canvas:
    """Draw a figure with its title and legend."""
    with mpl.rc_context(STYLE):
        if figure.kind == "map":
            from mineproof.lab.maps import draw_maps

            return draw_maps(figure, points)
        return _draw_whole(figure, points)


def save(canvas: Canvas, folder: Path, name: str) -> None:
    """Save a figure as SVG, PNG and PDF, with the same layout."""
    canvas.draw_without_rendering()
    canvas.set_layout_engine("none")
    for suffix in SUFFIXES:
        (folder / f"{name}{suffix}").write_bytes(file_bytes(canvas, name, suffix))


def file_bytes(canvas: Canvas, name: str, suffix: str) -> bytes:
    """Return the contents of a drawing's file; the suffix is one of `SUFFIXES`."""
    if suffix == ".svg":
        return to_svg(canvas, name).encode()
    data = io.BytesIO()
    dateless = {"CreationDate": None} if suffix == ".pdf" else None
    with mpl.rc_context(STYLE):
        canvas.savefig(data, format=suffix[1:], dpi=130, metadata=dateless)
    return data.getvalue()


def draw_inline(figure: Figure, points: Sequence[Point]) -> list[str]:
    """Return each panel of a figure as SVG that uses the colours of the page."""
    panels = list(dict.fromkeys(point.panel for point in points))
    width = _width(figure, points, 1) if len(panels) == 1 else 3.7
    found = []
    for number, panel in enumerate(panels):
        with mpl.rc_context(STYLE):
            canvas = Canvas(figsize=(width, 3.2), layout="constrained")
            axes = canvas.subplots()
            _draw_panel(axes, figure, points, panel)
            _set_range(axes, figure, points)
            axes.set_ylabel(fill(_value_label(figure), LABEL))
        found.append(_in_page_colours(to_svg(canvas, f"{figure.name}-{number}", True)))
    return found


def to_svg(canvas: Canvas, name: str, transparent: bool = False) -> str:
    """Return a drawing as SVG whose ids are unique on the page."""
    text = io.StringIO()
    with mpl.rc_context(STYLE):
        canvas.savefig(text, format="svg", metadata={"Date": None}, transparent=transparent)
    drawn = FORBIDDEN.sub(" ", text.getvalue())
    svg = re.sub(r'\bid="', f'id="{name}-', drawn)
    svg = svg.replace("url(#", f"url(#{name}-").replace('href="#', f'href="#{name}-')
    return svg[svg.index("<svg") :]


def _in_page_colours(svg: str) -> str:
    """Replace colours by variables that the page defines."""
    for colour, variable in ((INK, "ink"), (GRID, "grid"), (PAPER, "paper")):
        svg = svg.replace(f": {colour}", f": var(--{variable})")
    return re.sub(r": #([0-9a-f]{6})\b", r": var(--c\1)", svg)


def _width(figure: Figure, points: Sequence[Point], panels: int) -> float:
    many = figure.kind == "bars" and len(points) > MANY_BARS
    return (10.0 if many else 6.0) if panels == 1 else 4.0 * panels


def _draw_whole(figure: Figure, points: Sequence[Point]) -> Canvas:
    panels = list(dict.fromkeys(point.panel for point in points)) or [""]
    names = labels(figure, dict.fromkeys(point.series for point in points)).values()
    width = _width(figure, points, len(panels))
    columns = max(1, min(5, int(width * LETTERS / (max(map(len, names), default=0) + 8))))
    rows = -(-(len(names) + bool(figure.reported) + bool(figure.threshold_text)) // columns)
    canvas = Canvas(figsize=(width, 3.9 + 0.22 * rows), layout="constrained")
    axes = canvas.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, figure, points, panel)
    _set_range(axes[0], figure, points)
    axes[0].set_ylabel(fill(_value_label(figure), LABEL))
    canvas.suptitle(figure.title, fontsize=12, fontweight="bold")
    _add_legend(canvas, axes[0], columns)
    return canvas


def _draw_panel(axes: Axes, figure: Figure, points: Sequence[Point], panel: str) -> None:
    """Draw one panel; series have the same style in all panels."""
    shown = [point for point in points if point.panel == panel]
    _draw_series(axes, figure, shown, series_styles(figure, points))
    _draw_reported(axes, figure, panel)
    _label(axes, figure, shown, panel)


def _value_label(figure: Figure) -> str:
    metric = METRICS[figure.metric]
    if figure.kind == "differences":
        unit = "percentage points" if metric.unit == "%" else metric.unit
        return f"difference in {metric.label} ({unit})" if unit else f"difference in {metric.label}"
    return "share of these games (%)" if figure.kind == "histogram" else metric.axis


def _has_named_x(figure: Figure) -> bool:
    """Return whether the x axis has names instead of numbers."""
    return figure.kind in ("bars", "differences")


def _draw_series(
    axes: Axes, figure: Figure, points: Sequence[Point], styles: dict[str, SeriesStyle]
) -> None:
    """Draw every series of a panel. Bars are used only if they can start at 0."""
    xs = list(dict.fromkeys(point.x for point in points))
    names = labels(figure, styles)
    is_bars = figure.kind == "bars" and has_bars(figure, points)
    width = _apart(figure, points, len(styles), is_bars)
    for number, (name, style) in enumerate(styles.items()):
        mine = [point for point in points if point.series == name]
        shift = (number - (len(styles) - 1) / 2) * width
        at = [xs.index(p.x) if _has_named_x(figure) else _x_value(figure, p.x) for p in mine]
        values, errors = _values_and_errors(figure, mine)
        data: dict[str, Any] = {"x": [one + shift for one in at], "yerr": errors}
        data |= {"label": names[name] or "all", "color": style.colour}
        if is_bars:
            whiskers = {"capsize": 2.5, "elinewidth": 1, "ecolor": INK}
            axes.bar(height=values, width=width * 0.92, error_kw=whiskers, **data)
        else:
            _draw_marks(axes, {"y": values, **data}, figure.kind, style)
    if _has_named_x(figure):
        axes.set_xticks(range(len(xs)), [x_text(figure, one) for one in xs])
        axes.set_xlim(-0.6, len(xs) - 0.4)
        axes.grid(visible=False, axis="x")


def has_bars(figure: Figure, points: Sequence[Point]) -> bool:
    """Return whether to draw bars; markers are used if an axis from 0 would hide differences."""
    return figure.kind in ("bars", "histogram") and _is_from_zero(figure, points)


def _values_and_errors(
    figure: Figure, points: Sequence[Point]
) -> tuple[list[float], list[list[float]]]:
    """Return the displayed values of points, and the lengths of their whiskers."""
    found, scale = [point.estimate for point in points], scale_of(figure)
    values = [one.value * scale for one in found]
    errors = _errors(found, scale)
    if figure.kind == "histogram":  # whiskers on the many empty bins would hide the rest
        errors = [[e if v else 0.0 for e, v in zip(s, values, strict=True)] for s in errors]
    return values, errors


def _apart(figure: Figure, points: Sequence[Point], series: int, is_bars: bool) -> float:
    """Return the distance between series at the same x, so that whiskers do not overlap."""
    if _has_named_x(figure):
        return (0.8 if is_bars else 0.5) / series
    xs = [_x_value(figure, point.x) for point in points]
    return (max(xs) - min(xs)) * min(0.008, 0.03 / series)


def _draw_marks(axes: Axes, data: dict[str, Any], kind: str, style: SeriesStyle) -> None:
    """Draw markers with whiskers, joined by lines if x is a number. Histograms get steps."""
    axes.errorbar(
        **data,
        marker="" if kind == "histogram" else style.marker,
        markerfacecolor=PAPER if style.is_hollow else style.colour,
        linestyle="none" if kind in ("bars", "differences") else style.line,
        drawstyle="steps-mid" if kind == "histogram" else "default",
        markersize=5,
        capsize=2.5,
        linewidth=1.6,
        elinewidth=1,
    )


def _errors(found: Sequence[Estimate], scale: float) -> list[list[float]]:
    """Return the lengths of the whiskers, down and up."""
    low = [max(0.0, (one.value - one.low) * scale) for one in found]
    high = [max(0.0, (one.high - one.value) * scale) for one in found]
    return [low, high]


def _x_value(figure: Figure, x: str | float) -> float:
    """Return the position of a value on the x axis; shares are shown as percentages."""
    return float(x) * 100 if figure.x in SHARES else float(x)


def _draw_reported(axes: Axes, figure: Figure, panel: str) -> None:
    """Draw the values that the source reports, with intervals if sample sizes are known."""
    mine = [point for point in figure.reported if point.panel in ("", panel)]
    scale = scale_of(figure)
    for number, point in enumerate(mine):
        known = reported_interval(figure, point, None)
        axes.errorbar(
            [_x_value(figure, point.x)],
            [point.value * scale],
            yerr=None if known is None else _errors([known], scale),
            fmt="d",
            markersize=8,
            elinewidth=0.8,
            label=None if number else figure.reported_by,
            color=INK,
            fillstyle="none",
            zorder=5,
            capsize=3,
        )


def _label(axes: Axes, figure: Figure, points: Sequence[Point], panel: str) -> None:
    """Label the axes, and give each x value a tick if there are few."""
    metric = METRICS[figure.metric]
    text = column_name(figure.x)
    if figure.kind == "histogram":
        text = metric.axis
    elif figure.x in SHARES:
        text = f"{text} (%)"
    axes.set_xlabel(fill(text, LABEL))
    axes.set_title(value_text(figure.panel, panel) if panel else "")
    if figure.x in WHOLE and figure.kind == "lines":
        xs = sorted({float(point.x) for point in points})
        if len(xs) <= MOST_TICKS:
            axes.set_xticks(xs, [f"{one:g}" for one in xs])
    line: dict[str, Any] = {"color": "#888888", "linestyle": "--", "linewidth": 1}
    if figure.kind == "differences":
        axes.axhline(0, **line)
    if figure.threshold:
        height = figure.threshold * metric.scale
        axes.axhline(height, **line, label=figure.threshold_text or None)


def scale_of(figure: Figure) -> float:
    """Return the factor by which values are multiplied for display."""
    return 100.0 if figure.kind == "histogram" else METRICS[figure.metric].scale


def _is_from_zero(figure: Figure, points: Sequence[Point]) -> bool:
    """Return whether the axis starts at 0, which bars require."""
    if figure.log or any(isinstance(point, Gap) for point in points):
        return False
    low = min(point.estimate.low for point in points)
    high = max(point.estimate.high for point in points)
    return figure.kind == "histogram" or not low > FAR * high


def _set_range(axes: Axes, figure: Figure, points: Sequence[Point]) -> None:
    """Set the range of values, the same for all panels."""
    if figure.log:
        _set_log(axes, figure, points)
        return
    if figure.kind == "differences":
        return
    scale = scale_of(figure)
    ends = [end * scale for point in points for end in (point.estimate.low, point.estimate.high)]
    ends += [one.value * scale for one in figure.reported]
    known = [end for end in ends if not math.isnan(end)] or [0.0, 1.0]
    low, high = min(known), max(*known, figure.threshold * scale)
    is_share = METRICS[figure.metric].unit == "%" and figure.kind != "histogram"
    is_zero = _is_from_zero(figure, points)
    low = 0.0 if is_zero else low
    high = 100.0 if is_share and (high > NEAR_ALL or not is_zero) else high
    room = ROOM * (high - low or 1.0)
    axes.set_ylim(low if is_zero and figure.kind == "bars" else low - room, high + room)


def _set_log(axes: Axes, figure: Figure, points: Sequence[Point]) -> None:
    """Use a logarithmic axis with plain numbers at its ticks."""
    axes.set_yscale("log")
    values = [one.estimate.value for one in points if one.estimate.value > 0]
    ends = [end for one in points for end in (one.estimate.low, one.estimate.high) if end > 0]
    ends += [one.value * scale_of(figure) for one in figure.reported]
    if values:
        low = max(min(ends), min(values) / 3)
        room = (max(ends) / low) ** ROOM * 1.1
        axes.set_ylim(low / room, max(ends) * room)
    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    subs = (1, 2, 3, 5, 7) if decades < 1 else (1, 2, 5) if decades < FEW_DECADES else (1,)
    axes.yaxis.set_major_locator(LogLocator(subs=subs))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _add_legend(canvas: Canvas, axes: Axes, columns: int) -> None:
    """Add a legend below the panels: the series first, then other lines."""
    entries = list(zip(*axes.get_legend_handles_labels(), strict=True))
    entries.sort(key=lambda entry: isinstance(entry[0], Line2D))
    if not entries or (len(entries) == 1 and entries[0][1] == "all"):
        return
    handles, names = zip(*entries, strict=True)
    canvas.legend(
        handles,
        names,
        loc="outside lower center",
        ncols=min(columns, len(names)),
        frameon=False,
        fontsize=9,
    )
