"""The page of a report: one file that loads nothing, light and dark, for screen and paper."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from mineproof.lab.agreement import is_about, reported_interval
from mineproof.lab.figure import Figure
from mineproof.lab.looks import Look, on_dark
from mineproof.lab.names import counted
from mineproof.lab.tables import Gap, Point
from mineproof.lab.trends import ClaimVerdict
from mineproof.lab.verdicts import Judgement
from mineproof.match.certainty import Estimate

CSS = Path(__file__).with_name("report.css")
CLASSES = {ClaimVerdict.KEPT: "kept", ClaimVerdict.BROKEN: "broken", ClaimVerdict.OPEN: "open"}
WIDTH, HEIGHT = 120.0, 38.0
"""Of the small pictures of the scorecard."""


def page(body: str, colours: Iterable[str]) -> str:
    """Give the whole page."""
    used = sorted({colour.lower() for colour in colours})
    light = "".join(f"--c{one[1:]}:{one};" for one in used)
    dark = "".join(f"--c{one[1:]}:{on_dark(one)};" for one in used)
    style = (
        f"{CSS.read_text(encoding='utf-8')}:root{{{light}}}"
        f"@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Mineproof: the lab's report</title><style>{style}</style></head>"
        f"<body>{body}</body></html>\n"
    )


def scorecard(judged: Sequence[Judgement]) -> str:
    """Give every claim in one table: verdict, the two numbers that decide it, a small picture."""
    if not judged:
        return ""
    by_source: dict[str, list[Judgement]] = defaultdict(list)
    for one in judged:
        by_source[one.document].append(one)
    counts = [sum(one.verdict is verdict for one in judged) for verdict in ClaimVerdict]
    told = (
        f"{counted(len(judged), 'claim')}: {counts[0]} as claimed, {counts[1]} not as claimed, "
        f"{counts[2]} that these games cannot tell."
    )
    tables = "".join(_score_table(name, group) for name, group in by_source.items())
    return f'<h2 id="scorecard">Scorecard</h2><p>{told}</p>{tables}'


def _score_table(name: str, group: Sequence[Judgement]) -> str:
    head = "<tr><th>Claim</th><th>Verdict</th><th>What decides</th><th></th></tr>"
    title = f"<h3>{escape(name[:1].upper() + name[1:])}</h3>" if name else ""
    rows = "".join(map(_score_row, group))
    return f"{title}<table class=score><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _score_row(one: Judgement) -> str:
    numbers = "".join(f"<span>{escape(text)}</span>" for text in one.decisive.shown.numbers)
    verdict = f'<a class=verdict href="#{one.figure.name}">{escape(one.head)}</a>'
    place = f" <span class=soft>{escape(one.claim.source)}</span>" if one.claim.source else ""
    return (
        f"<tr class={CLASSES[one.verdict]}><td class=says>{escape(one.claim.says)}{place}</td>"
        f"<td>{verdict}</td><td class=numbers>{numbers}</td>"
        f"<td class=picture>{spark(one)}</td></tr>"
    )


def spark(one: Judgement) -> str:
    """Draw the values that decide a claim, with their intervals, as small as a word."""
    points = one.decisive.points
    known = [point for point in points if not math.isnan(point.estimate.low)]
    if not known:
        return ""
    marks = [end for end in (one.claim.low, one.claim.high) if end is not None]
    marks += [0.0] if isinstance(points[0], Gap) and not marks else []
    lines = _spark_lines([point.estimate for point in known], marks, list(_theirs(one, known)))
    words = escape(" and ".join(one.decisive.shown.numbers))
    return (
        f'<svg class=spark viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{words}">'
        f"{''.join(lines)}</svg>"
    )


def _theirs(one: Judgement, known: Sequence[Point]) -> Iterator[tuple[int, Estimate]]:
    """Give what sources report of points that are to agree with them, with the points' places."""
    for place, point in enumerate(known if one.claim.expect == "agrees" else ()):
        for number in one.figure.reported:
            found = is_about(number, point) and reported_interval(one.figure, number, point)
            if found:
                yield place, found


def _spark_lines(
    ours: Sequence[Estimate], marks: Sequence[float], theirs: Sequence[tuple[int, Estimate]]
) -> Iterator[str]:
    estimates = [*ours, *(found for _, found in theirs)]
    low = min([found.low for found in estimates] + [*marks])
    high = max([found.high for found in estimates] + [*marks])

    def height(value: float) -> float:
        return HEIGHT - 3 - (HEIGHT - 6) * ((value - low) / (high - low) if high > low else 0.5)

    step = (WIDTH - 12) / max(1, len(ours) - 1)
    across = [6 + step * place if len(ours) > 1 else WIDTH / 2 for place in range(len(ours))]
    for y in map(height, marks):
        yield f'<line class=mark x1="0" x2="{WIDTH:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
    placed = list(zip(across, ours, strict=True))
    path = " ".join(f"{x:.1f},{height(found.value):.1f}" for x, found in placed)
    yield f'<polyline class=line points="{path}"/>'
    for x, found in placed:
        yield (
            f'<line class=reach x1="{x:.1f}" x2="{x:.1f}" y1="{height(found.low):.1f}" '
            f'y2="{height(found.high):.1f}"/>'
            f'<circle class=dot cx="{x:.1f}" cy="{height(found.value):.1f}" r="2"/>'
        )
    for place, found in theirs:
        x, y = across[place] + 4, height(found.value)
        yield (
            f'<path class=theirs d="M{x:.1f} {y - 4:.1f}l3 4l-3 4l-3 -4z'
            f'M{x:.1f} {height(found.low):.1f}V{height(found.high):.1f}"/>'
        )


def claim_block(one: Judgement) -> str:
    """Give a claim with its verdict and what came out."""
    where = f" ({escape(one.claim.source)})" if one.claim.source else ""
    note = f"<p class=soft>{escape(one.claim.note)}</p>" if one.claim.note else ""
    return (
        f'<div class="claim {CLASSES[one.verdict]}"><p><span class=verdict>{escape(one.head)}:'
        f"</span> “{escape(one.claim.says)}”{where}</p><p>{escape(one.text)}</p>{note}</div>"
    )


def panels(pictures: Sequence[str], title: str, wide: bool = False) -> str:
    """Give the pictures of a figure, side by side where there is room."""
    named = [
        one.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1) for one in pictures
    ]
    kind = " wide" if wide else " several" if len(named) > 1 else ""
    return f'<div class="panels{kind}">{"".join(named)}</div>'


def legend(
    figure: Figure, styles: dict[str, Look], names: dict[str, str], are_bars: bool = False
) -> str:
    """Name the series of a figure by their signs."""
    entries = [
        f'<li><span style="color:var(--c{look.colour[1:].lower()})">'
        f"{'■' if are_bars else look.sign}</span> "
        f"{escape(names[name])}</li>"
        for name, look in styles.items()
        if names[name]
    ]
    extra = [f"◇ {figure.reported_by}"] if figure.reported else []
    extra += [f"┄ {figure.threshold_text}"] if figure.threshold_text else []
    entries += [f"<li>{escape(text)}</li>" for text in extra]
    return f"<ul class=legend>{''.join(entries)}</ul>" if entries else ""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table that opens on demand, without columns that are empty throughout."""
    kept = [i for i, _ in enumerate(head) if any(row[i] for row in rows)]
    top = "".join(f"<th>{escape(head[i])}</th>" for i in kept)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row[i])}</td>" for i in kept) + "</tr>" for row in rows
    )
    whole = f"<table class=data><tr>{top}</tr>{body}</table>"
    return f"<details><summary>Table</summary><div class=scroll>{whole}</div></details>"


def files(name: str) -> str:
    """Link to the files of a figure."""
    links = (
        *(f'<a href="figures/{name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "png", "pdf")),
        f'<a href="tables/{name}.csv">CSV</a>',
    )
    return f'<p class="soft files">{", ".join(links)}</p>'
