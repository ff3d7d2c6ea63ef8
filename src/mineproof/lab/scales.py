"""The upright axis of a figure: where it begins and ends, and what its ticks say."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from mineproof.lab.experiment import Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.tables import Point

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
