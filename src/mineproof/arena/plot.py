"""The plot of win rate against CPU time per game, as SVG that follows the page's theme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from mineproof.core.words import share

if TYPE_CHECKING:
    from mineproof.arena.tables import Row

_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 570, 16, 356
"""The edges of the area that the axes enclose."""


def strength_plot(rows: Sequence[Row]) -> str:
    """Return the plot for these agents, or an empty text if no CPU time is known.

    Agents without a CPU time are left out.
    """
    timed = {row: math.log10(row.cpu_ms) for row in rows if row.cpu_ms}
    if not timed:
        return ""
    low = math.floor(min(timed.values()))
    high = max(low + 1, math.ceil(max(timed.values())))
    tens = math.ceil(10 * max(row.interval[1] for row in timed))

    def across(power: float) -> float:
        return _LEFT + (power - low) / (high - low) * (_RIGHT - _LEFT)

    def down(rate: float) -> float:
        return _BOTTOM - 10 * rate / tens * (_BOTTOM - _TOP)

    parts = [_text((_LEFT + _RIGHT) / 2, _HEIGHT - 6, "CPU time per game", "middle")]
    for power in range(low, high + 1):
        parts.append(_line((across(power), _TOP), (across(power), _BOTTOM)))
        parts.append(_text(across(power), _BOTTOM + 18, f"{10.0**power:g} ms", "middle"))
    for rate in (step / 10 for step in range(tens + 1)):
        parts.append(_line((_LEFT, down(rate)), (_RIGHT, down(rate))))
        parts.append(_text(_LEFT - 6, down(rate) + 4, share(rate, 0), "end"))
    for row, place in timed.items():
        x, y = across(place), down(row.rate)
        ends = [(x, down(end)) for end in row.interval]
        parts.append(_line(ends[0], ends[1], "bar"))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        parts.append(_text(x + 8, y + 4, row.agent))
    label = "Win rate against CPU time per game"
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class=strength {size} role=img aria-label="{label}">{"".join(parts)}</svg>'


def _line(start: tuple[float, float], end: tuple[float, float], kind: str = "grid") -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class={kind} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor={anchor}>{escape(text)}</text>'
