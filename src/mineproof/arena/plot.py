"""The plot of win rate against CPU time per game, as SVG that follows the page's theme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof.arena.tables import Row

WIDTH, HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #667; --line: #d5d9e0; --dot: #1769c2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --soft: #9aa3b2; --line: #3a4250; --dot: #6cb2ff; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 72rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
svg .grid { stroke: var(--line); } svg .dot { fill: var(--dot); } svg .bar { stroke: var(--dot); }
@media print { :root { color-scheme: light; } body { margin: 0; max-width: none; } }
"""


def strength_plot(points: Sequence[Row]) -> str:
    """Return the plot for these agents. Agents without a CPU time are left out."""
    timed = [(one, math.log10(one.cpu_ms)) for one in points if one.cpu_ms]
    if not timed:
        return "<p>No CPU times are known.</p>"
    low = math.floor(min(x for _, x in timed))
    high = max(low + 1, math.ceil(max(x for _, x in timed)))
    top = min(1.0, max(one.interval[1] for one, _ in timed) * 1.05)

    def across(x: float) -> float:
        return _LEFT + (x - low) / (high - low) * (WIDTH - _LEFT - _RIGHT)

    def down(y: float) -> float:
        return HEIGHT - _BOTTOM - y / top * (HEIGHT - _TOP - _BOTTOM)

    lines = [
        f"<line class=grid x1={across(x):.1f} x2={across(x):.1f} y1={_TOP} y2={down(0):.1f} />"
        f"<text x={across(x):.1f} y={HEIGHT - 26} text-anchor=middle>{10.0**x:g} ms</text>"
        for x in range(low, high + 1)
    ]
    for step in range(5):
        y = top * step / 4
        lines.append(
            f"<line class=grid x1={_LEFT} x2={WIDTH - _RIGHT} y1={down(y):.1f} y2={down(y):.1f} />"
            f"<text x={_LEFT - 6} y={down(y) + 4:.1f} text-anchor=end>{100 * y:.0f}\u00a0%</text>"
        )
    for one, x in timed:
        ends = [down(end) for end in one.interval]
        lines.append(
            f"<line class=bar x1={across(x):.1f} x2={across(x):.1f} y1={ends[0]:.1f} "
            f"y2={ends[1]:.1f} />"
            f"<circle class=dot cx={across(x):.1f} cy={down(one.rate):.1f} r=4 />"
            f"<text x={across(x) + 8:.1f} y={down(one.rate) + 4:.1f}>{escape(one.agent)}</text>"
        )
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role=img '
        f'aria-label="Win rate against CPU time per game">{"".join(lines)}'
        f"<text x={middle} y={HEIGHT - 6} text-anchor=middle>CPU time per game</text></svg>"
    )
