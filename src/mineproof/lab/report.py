"""The report: one page of HTML with everything in it, figures as files, tables as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from mineproof.core.errors import InputError
from mineproof.lab.catalogue import experiments
from mineproof.lab.charts import draw, save
from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import Figure
from mineproof.lab.findings import AXES, finding, is_about, place, with_interval
from mineproof.lab.looks import label
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.store import Store, stores
from mineproof.lab.tables import (
    Extreme,
    Point,
    extremes,
    gaps,
    summarise,
    write_csv,
    write_extremes,
)

CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 2px solid #ddd;
  padding-top: 1.5rem; }
figure { margin: 1.5rem 0 2.5rem; } svg { max-width: 100%; min-width: 34rem; height: auto; }
.wide { overflow-x: auto; } td { white-space: nowrap; } figcaption p { margin: .5rem 0; }
.claim { color: #555; } .note { color: #a33; } code { background: #f3f3f3; padding: 0 .2em; }
table { border-collapse: collapse; font-size: .85rem; margin: .5rem 0; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ddd; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
nav li { margin: .1rem 0; } summary { cursor: pointer; color: #0072B2; }
"""


@dataclass(frozen=True)
class Folders:
    """Where a report goes."""

    out: Path
    figures: Path
    tables: Path

    @classmethod
    def under(cls, out: Path) -> Folders:
        """Make the folders of a report."""
        made = cls(out, out / "figures", out / "tables")
        for folder in (made.figures, made.tables):
            folder.mkdir(parents=True, exist_ok=True)
        return made


def write_report(out: Path, names: Sequence[str] = ()) -> Path:
    """Write the report of what was run into a folder.

    Args:
        out: the folder; the report goes there too.
        names: the experiments to report; all if none is named.

    Returns:
        The path of the page.

    Raises:
        InputError: there is nothing to report.
    """
    found = {store.folder.name: store for store in stores(out) if store.finished}
    for name in names:
        if name not in found:
            raise InputError(f"expected results of {', '.join(found)} in {out}, got {name!r}")
    chosen = [found[name] for name in _in_order(found) if not names or name in names]
    if not chosen:
        raise InputError(f"expected finished chunks in {out}, got none")
    folders = Folders.under(out)
    sections = [_section(store, folders) for store in chosen]
    path = out / "report.html"
    path.write_text(_page(chosen, sections), encoding="utf-8")
    return path


def _in_order(names: Iterable[str]) -> list[str]:
    """Put experiments into the order in which they are listed, others behind them."""
    listed = list(experiments())
    return sorted(names, key=lambda name: listed.index(name) if name in listed else len(listed))


def _page(chosen: Sequence[Store], sections: Sequence[str]) -> str:
    links = [(store.experiment.name, store.experiment.title) for store in chosen]
    contents = "".join(f'<li><a href="#{n}">{escape(t)}</a></li>' for n, t in links)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Mineproof: the lab's report</title><style>{CSS}</style></head><body>"
        "<h1>Mineproof: the lab's report</h1><p>Whiskers are 95 % intervals. Agents under the "
        "same rules play the same boards, and are compared board by board. Diamonds are numbers "
        "that a source reports.</p>"
        f"<nav><ul>{contents}</ul></nav>{''.join(sections)}</body></html>\n"
    )


def _section(store: Store, folders: Folders) -> str:
    experiment, manifest = store.experiment, store.manifest
    figures = experiment.figures or (_usual(experiment),)
    run = manifest["runs"][-1]
    missing = len(manifest["chunks"]) - len(store.finished)
    waits = f"{_counted(missing, 'chunk')} of {_counted(len(manifest['chunks']), 'chunk')}"
    note = f'<p class="note">Not finished yet: {waits}.</p>' if missing else ""
    source = f"Repeats {escape(experiment.source)}. " if experiment.source else ""
    facts = (
        f"{source}{_counted(len(experiment.conditions), 'condition')} of up to "
        f"{_counted(manifest['games'], 'game')}, "
        f"seeds {manifest['seeds'][0]} to {manifest['seeds'][1]}, mineproof "
        f"{run['versions']['mineproof']}, {run['backend']} backend, Python "
        f"{run['versions']['python']}, {run['machine']}."
    )
    return (
        f'<section><h2 id="{experiment.name}">{escape(experiment.title)}</h2>'
        f"<p>{escape(experiment.question)}</p><p class=claim>{facts} "
        f"<code>mineproof lab run {experiment.name}</code></p>{note}"
        f"{''.join(_figure(store, figure, folders) for figure in figures)}</section>"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _usual(experiment: Experiment) -> Figure:
    return Figure(f"{experiment.name}-won", experiment.title, "won", x="level", kind="bars")


def _figure(store: Store, figure: Figure, folders: Folders) -> str:
    if figure.kind == "extremes":
        return _extremes(store, figure, folders)
    points = summarise(store, figure)
    write_csv(folders.tables / f"{figure.name}.csv", figure, points)
    if not points:
        return f"<h3>{escape(figure.title)}</h3><p>No game has this figure.</p>"
    svg = save(draw(figure, points), folders.figures, figure.name)
    table = "" if figure.kind == "map" else _table(figure, points)
    return _block(figure, svg, finding(figure, points, gaps(store, figure)), table)


def _block(figure: Figure, svg: str, told: str, table: str) -> str:
    claim = f"<p class=claim>Claim: {escape(figure.claim)}</p>" if figure.claim else ""
    files = (
        f'<a href="figures/{figure.name}.svg">SVG</a>, '
        f'<a href="figures/{figure.name}.png">PNG</a>, '
        f'<a href="tables/{figure.name}.csv">CSV</a>'
    )
    named = svg.replace("<svg", f'<svg role="img" aria-label="{escape(figure.title)}"', 1)
    texts = "".join(f"<p>{escape(text)}</p>" for text in told.split("\n"))
    return (
        f"<figure><h3>{escape(figure.title)}</h3><div class=wide>{named}</div>"
        f"<figcaption>{claim}{texts}{table}<p class=claim>{files}</p></figcaption></figure>"
    )


def _table(figure: Figure, points: Sequence[Point]) -> str:
    metric = METRICS[figure.metric]
    if figure.kind == "histogram":
        metric = Metric("share of games", "", unit="%")
    x = METRICS[figure.metric].axis if figure.kind == "histogram" else AXES.get(figure.x, figure.x)
    head = [figure.panel, ", ".join(figure.series), x, metric.axis, "the source", "games"]
    rows = [
        (
            point.panel,
            label(figure, point.series),
            place(figure, point.x),
            with_interval(point.estimate, metric),
            "; ".join(one.text for one in figure.reported if is_about(one, point)),
            f"{point.estimate.games:,}",
        )
        for point in points
    ]
    return _html_table(head, rows)


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table that opens on demand, without columns that are empty throughout."""
    kept = [i for i, _ in enumerate(head) if any(row[i] for row in rows)]
    top = "".join(f"<th>{escape(head[i])}</th>" for i in kept)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row[i])}</td>" for i in kept) + "</tr>" for row in rows
    )
    table = f"<table><tr>{top}</tr>{body}</table>"
    return f"<details><summary>Table</summary><div class=wide>{table}</div></details>"


def _extremes(store: Store, figure: Figure, folders: Folders) -> str:
    """Show the games that stand out, and draw the first of them."""
    from mineproof.lab.pictures import draw_chain

    found = extremes(store, figure)
    write_extremes(folders.tables / f"{figure.name}.csv", found)
    top = found[0]
    condition = next(
        one
        for one in store.experiment.conditions
        if (one.agent, one.level, one.columns["first"] or "") == (top.agent, top.level, top.first)
    )
    svg = save(draw_chain(figure, condition, top), folders.figures, figure.name)
    head = ["seed", "agent", METRICS[figure.metric].axis, "steps"]
    rows = [(str(one.seed), one.agent, f"{one.value:g}", str(one.steps)) for one in found]
    return _block(figure, svg, _told(found), _html_table(head, rows))


def _told(found: Sequence[Extreme]) -> str:
    values = ", ".join(f"{one.value:g} (seed {one.seed})" for one in found[:5])
    return f"The largest: {values}."
