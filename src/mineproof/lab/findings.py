"""What a figure shows, in sentences made from its points: they cannot disagree with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.names import (
    AXES,
    GROWING,
    at_place,
    base_name,
    counted,
    difference,
    full_place,
    group_name,
    label,
    number,
    place,
    round_number,
    told_as,
    with_interval,
)
from mineproof.lab.tables import Gap, Point
from mineproof.lab.trends import CLEAR, trend_z, turn
from mineproof.proof.phrases import joined

MOST_TOLD = 6
"""Lines of a figure whose values a sentence gives; of more there is the table."""
CHANCE = 0.05
"""Below which p-value two agents are told apart."""


def finding(figure: Figure, points: Sequence[Point], gaps: Sequence[Gap] = ()) -> list[str]:
    """Say in a few sentences what a figure shows.

    Args:
        figure: the figure.
        points: what it draws.
        gaps: what series have more than their baseline, board by board.
    """
    if not points:
        return ["No game has this figure."]
    tell = {"lines": _trends, "bars": _ranks, "map": _best, "histogram": _usual}.get(figure.kind)
    is_compared = figure.kind == "bars" and any(gaps)  # then the comparison says it all
    told = "" if tell is None or is_compared else tell(figure, points)
    compared = _duels(figure, gaps) if figure.kind == "differences" else _compared(figure, gaps)
    return [text for text in (told, compared, _above(figure, points), figure.note) if text]


def _grouped(figure: Figure, points: Sequence[Point]) -> dict[str, list[Point]]:
    """Give the points by panel and series, in words."""
    found: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        found[group_name(figure, point.panel, point.series) or "all"].append(point)
    return found


def movement(group: Sequence[Point]) -> str:
    """Say what the values of a series do along the axis; only what is no chance counts."""
    up, down = turn(group, -1), turn(group, 1)
    if up and down:
        first_up = group.index(up[1]) <= group.index(down[1])
        return "rising, then falling" if first_up else "falling, then rising"
    z = trend_z(group)
    if abs(z) > CLEAR:
        return "rising" if z > 0 else "falling"
    return "rising" if up else "falling" if down else "no clear change"


def _trends(figure: Figure, points: Sequence[Point]) -> str:
    """Say what rises, falls or stays along the axis."""
    metric, groups = METRICS[figure.metric], _grouped(figure, points)
    kinds: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for group in groups.values():
        panel = told_as(figure.panel, group[0].panel) if figure.panel else ""
        kinds[movement(group)][label(figure, group[0].series)].append(panel)
    panels = len({point.panel for point in points})
    told = [f"{kind}{_for(names, panels, len(kinds))}" for kind, names in kinds.items()]
    grows = GROWING.get(figure.x, f"with {AXES.get(figure.x, figure.x)}")
    text = f"{metric.title} {grows}: {'; '.join(told)}."
    if len(groups) > MOST_TOLD:
        return text
    ends = (
        f"{name} {number(group[0].estimate.value, metric)} to "
        f"{number(group[-1].estimate.value, metric)}"
        for name, group in groups.items()
    )
    span = f"{full_place(figure, points[0].x)} to {full_place(figure, points[-1].x)}"
    return f"{text} From {span}: {'; '.join(ends)}."


def _for(names: dict[str, list[str]], panels: int, kinds: int) -> str:
    """Say for whom: for all, or for these series, each with the panels where it is so."""
    if kinds == 1:
        return " for all" if len(names) > 1 or panels > 1 else ""
    told = (
        name if len(shown) == panels else f"{name} ({', '.join(shown)})"
        for name, shown in names.items()
    )
    return f" for {'; '.join(told)}"


def _ranks(figure: Figure, points: Sequence[Point]) -> str:
    """Say who is highest and lowest at each x, and whether the intervals are apart."""
    places: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        at = at_place(figure, point.x)
        panel = f", {told_as(figure.panel, point.panel)}" if point.panel else ""
        places[f"{at}{panel}"].append(point)
    told = [f"{at} {_range(figure, group)}" for at, group in places.items()]
    return f"{METRICS[figure.metric].title}: {'; '.join(told)}."


def _range(figure: Figure, group: Sequence[Point]) -> str:
    """Say from which series to which the values reach."""
    metric = METRICS[figure.metric]
    values = [point.estimate.value for point in group]
    top, bottom = (
        [point for point in group if point.estimate.value == end(values)] for end in (max, min)
    )
    high, low = (number(ends[0].estimate.value, metric) for ends in (top, bottom))
    if len(top) == len(group):
        return f"{high}{' for all' if len(group) > 1 else ''}"
    named = [joined([label(figure, one.series) for one in ends]) for ends in (bottom, top)]
    text = f"from {low} ({named[0]}) to {high} ({named[1]})"
    apart = top[0].estimate.differs(bottom[0].estimate)
    return text if apart else f"no clear difference, {text}"


def _best(figure: Figure, points: Sequence[Point]) -> str:
    metric, told = METRICS[figure.metric], []
    for name, group in _grouped(figure, points).items():
        best = max(group, key=lambda point: point.estimate.value)
        worst = min(group, key=lambda point: point.estimate.value)
        told.append(
            f"{name}: the best first cell is {best.x} with {with_interval(best.estimate, metric)}, "
            f"the worst {worst.x} with {with_interval(worst.estimate, metric)}"
        )
    return f"{'; '.join(told)}. (The best and the worst of many are partly luck.)"


def _usual(figure: Figure, points: Sequence[Point]) -> str:
    told = []
    for name, group in _grouped(figure, points).items():
        peak = max(group, key=lambda point: point.estimate.value)
        mean = sum(float(p.x) * p.estimate.value for p in group)
        told.append(f"{name} most often about {float(peak.x):g}, on average {mean:.1f}")
    axis = METRICS[figure.metric].axis
    return f"{axis[:1].upper()}{axis[1:]}: {'; '.join(told)}."


def _compared(figure: Figure, gaps: Sequence[Gap]) -> str:
    """Say how far series are from their baseline, where they are farthest."""
    if not gaps:
        return ""
    metric = METRICS[figure.metric]
    told, same = [], []
    for name, group in _grouped(figure, gaps).items():
        if all(map(_is_same, group)):
            same.append(name)
            told.append(f"{name} is the same in every game")
        elif figure.kind == "bars":
            told.append(f"{name} {', '.join(_gap(figure, metric, one) for one in group)}")
        else:
            most = max(group, key=lambda one: abs(one.estimate.value))
            told.append(f"{name} {_gap(figure, metric, most)}")
    base = base_name(figure)
    if len(same) == len(told):
        return f"{joined(same)}: in every game the same as {base}, on the same boards."
    most_of = "" if figure.kind == "bars" else ", where they differ most"
    return f"Compared with {base} on the same boards{most_of}: {'; '.join(told)}."


def _is_same(point: Point) -> bool:
    """Say whether two series are the same game by game."""
    pairs = point.pairs if isinstance(point, Gap) else None
    return not pairs.discordant if pairs else point.estimate.low == point.estimate.high == 0


def _gap(figure: Figure, metric: Metric, point: Point) -> str:
    if _is_same(point):
        return f"the same {at_place(figure, point.x)}"
    return f"{difference(point.estimate, metric)} {at_place(figure, point.x)}"


def _duels(figure: Figure, gaps: Sequence[Gap]) -> str:
    """Tell of two agents on the same boards, by McNemar's test where each board has a winner."""
    return " ".join(_duel(figure, gap) for gap in gaps)


def _duel(figure: Figure, gap: Gap) -> str:
    metric = METRICS[figure.metric]
    ours = label(figure, gap.series)
    theirs = base_name(figure)
    text = (
        f"On the same {counted(gap.estimate.games, 'board')} of {full_place(figure, gap.x)}, "
        f"{metric.label}: {ours} {number(gap.first.value, metric)}, "
        f"{theirs} {number(gap.second.value, metric)}, a difference of "
        f"{difference(gap.estimate, metric)}"
    )
    if gap.pairs is None:
        return f"{text}."
    pairs, p = gap.pairs, gap.pairs.p_value
    test = f"McNemar's exact test gives p = {p:.2g}"
    alone = (
        f"Of these, {ours} alone has {pairs.only_second:,} and {theirs} alone {pairs.only_first:,}"
    )
    if p >= CHANCE:
        return f"{text}. {alone}; {test}: that could be chance."
    better = ours if pairs.only_second > pairs.only_first else theirs
    return f"{text}. {alone}; {test}: {better} wins more often."


def _above(figure: Figure, points: Sequence[Point]) -> str:
    """Say where values are above the threshold."""
    if not figure.threshold:
        return ""
    told = [
        f"{name} {_where(figure, [one.estimate.value >= figure.threshold for one in group], group)}"
        for name, group in _grouped(figure, points).items()
    ]
    least = round_number(figure.threshold, METRICS[figure.metric])
    return f"At least {least}: {'; '.join(told)}."


def _where(figure: Figure, above: Sequence[bool], group: Sequence[Point]) -> str:
    """Say at which values of the axis something is so."""
    at = [place(figure, one.x) for one, is_above in zip(group, above, strict=True) if is_above]
    if len(at) in (0, len(group)):
        return "everywhere" if at else "nowhere"
    changes = sum(first != second for first, second in pairwise(above))
    if changes > 1:
        return f"at {', '.join(at)}"
    first, last = (
        full_place(figure, one.x)
        for one in (group[above.index(True)], group[len(at) - 1 if above[0] else -1])
    )
    return f"up to {last}" if above[0] else f"from {first} on"
