"""The report: one self-contained HTML page, with figures as files and tables as CSV."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from mineproof.arena.grids import format_grid
from mineproof.core.errors import InputError
from mineproof.core.words import counted
from mineproof.lab import report_page
from mineproof.lab.board_search import LISTED
from mineproof.lab.catalogue import experiments, find
from mineproof.lab.charts import draw, draw_inline, has_bars, save, to_svg
from mineproof.lab.compare import DUEL
from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import Figure
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.names import (
    base_name,
    column_name,
    difference,
    group_name,
    label,
    labels,
    short_agent,
    with_interval,
    x_text,
)
from mineproof.lab.replayed import Extreme, ended_games, extremes
from mineproof.lab.store import Store, stores
from mineproof.lab.styles import series_styles
from mineproof.lab.tables import Gap, Point, gaps, is_about, summarise, write_csv, write_rows
from mineproof.lab.trends import point_text
from mineproof.lab.verdicts import Judgement, judge
from mineproof.match.certainty import p_text

MANY_POINTS = 24
"""A bar chart with more points than this is too wide for a phone, so it scrolls sideways."""
SPECIFICATION = "The specification (002) makes no claim that games can test."


@dataclass
class LabReport:
    """The contents of the page, collected one experiment at a time."""

    out: Path
    sections: list[str] = field(default_factory=list)
    judged: list[Judgement] = field(default_factory=list)
    colours: set[str] = field(default_factory=set)

    @property
    def figures(self) -> Path:
        """The folder for drawings."""
        return self.out / "figures"

    @property
    def tables(self) -> Path:
        """The folder for tables."""
        return self.out / "tables"

    def add(self, store: Store) -> None:
        """Add a section about an experiment."""
        experiment = store.experiment
        figures = experiment.figures or (_default_figure(experiment),)
        blocks = [self._figure(store, one) for one in figures]
        question = f"<p>{escape(experiment.question)}</p>" if experiment.question else ""
        self.sections.append(
            f'<section><h2 id="experiment-{experiment.name}">{escape(experiment.title)}</h2>'
            f"{question}{_facts(store)}{_unfinished(store)}{_false_proofs(store)}{''.join(blocks)}</section>"
        )

    def _figure(self, store: Store, figure: Figure) -> str:
        if figure.kind == "extremes":
            return self._extremes(store, figure)
        if figure.kind == "boards":
            return self._boards(store, figure)
        points, differences = summarise(store, figure), gaps(store, figure)
        write_csv(self.tables / f"{figure.name}.csv", figure, points, differences)
        judged = [one for claim in figure.claims if (one := judge(store, figure, claim))]
        self.judged += judged
        drawn = differences if figure.kind == "differences" else points
        texts = ("" if judged else _range_text(figure, points), figure.note)
        if not drawn:
            return report_page.block(figure, "", texts)
        save(draw(figure, drawn), self.figures, figure.name)
        tables = self._write_tables(figure, points, differences)
        return report_page.block(figure, self._pictures(figure, drawn), texts, tables, judged)

    def _write_tables(
        self, figure: Figure, points: Sequence[Point], differences: Sequence[Gap]
    ) -> str:
        """Write the tables of a figure as Markdown and LaTeX, and return them as HTML."""
        grids = [*_table(figure, points), *_gap_table(figure, differences)]
        for kind, suffix in (("markdown", "md"), ("latex", "tex")):
            blocks = [format_grid(kind, *report_page.filled(*grid[:2])) for grid in grids]
            text = "\n\n".join(blocks) + "\n"
            (self.tables / f"{figure.name}.{suffix}").write_text(text, encoding="utf-8")
        html = "".join(report_page.table(*grid) for grid in grids)
        return html + report_page.files(figure.name, tables=("csv", "md", "tex"))

    def _pictures(self, figure: Figure, drawn: Sequence[Point]) -> str:
        """Return a figure with its legend as HTML."""
        if figure.kind == "map":
            from mineproof.lab.maps import draw_maps

            svg = to_svg(draw_maps(figure, drawn, is_titled=False), figure.name)
            return f"<div class=card>{report_page.panels([svg], figure.title)}</div>"
        styles = series_styles(figure, drawn)
        self.colours |= {style.colour for style in styles.values()} | {"#888888"}
        wide = figure.kind == "bars" and len(drawn) > MANY_POINTS
        pictures = report_page.panels(draw_inline(figure, drawn), figure.title, wide)
        names = labels(figure, styles)
        return pictures + report_page.legend(figure, styles, names, has_bars(figure, drawn))

    def _extremes(self, store: Store, figure: Figure) -> str:
        """List the games with the largest values, and draw the first one."""
        found = extremes(store, figure)
        write_rows(self.tables / f"{figure.name}.csv", Extreme._fields, found)
        svg = found[0].draw(store)
        (self.figures / f"{figure.name}.svg").write_text(svg, encoding="utf-8")
        axis = METRICS[figure.metric].axis
        rows = [
            (str(one.seed), short_agent(one.agent), f"{one.value:g}", str(one.steps))
            for one in found
        ]
        values = ", ".join(f"{one.value:g} (seed {one.seed})" for one in found[:5])
        text = f"The largest values ({axis}): {values}. The figure shows the first of these games."
        table = report_page.table(["seed", "agent", axis, "steps"], rows)
        table += report_page.files(figure.name, ("svg",))
        return report_page.block(figure, report_page.images([(svg, "")]), [text], table)

    def _boards(self, store: Store, figure: Figure) -> str:
        """Add the final boards of games that were won and lost."""
        games = ended_games(store, figure)
        drawn = [(one.draw(store), one.text) for one in games]
        for (svg, _), one in zip(drawn, games, strict=True):
            (self.figures / f"{figure.name}-{one.name}.svg").write_text(svg, encoding="utf-8")
        head = ["level", "K", "result", "seed", "CPU ms"]
        rows = [
            (one.level, f"{one.times:g}", one.result, str(one.seed), f"{one.milliseconds:.1f}")
            for one in games
        ]
        table = report_page.table(head, rows)
        return report_page.block(figure, report_page.images(drawn), [figure.note], table)

    def page(self, chosen: Sequence[Store]) -> str:
        """Return the whole page."""
        body = (
            f"<h1>Lab report</h1>{_banner(chosen)}{_introduction(chosen, self.judged)}"
            f"{report_page.scorecard(self.judged)}{READING}{''.join(self.sections)}"
        )
        return report_page.page(body, self.colours)


READING = (
    '<p class=soft id="reading">How to read the figures: whiskers are 95&nbsp;% confidence '
    "intervals. Agents under the same rules play the same boards and are compared board by board. "
    "Open diamonds show reported values.</p>"
)


def write_report(out: Path, names: Sequence[str] = ()) -> Path:
    """Write the report on the experiments in a folder, and return the path of the page.

    Args:
        out: the folder with the results, which also receives the report.
        names: the experiments to report; by default all.

    Raises:
        InputError: there is nothing to report.
    """
    found = {store.folder.name: store for store in stores(out) if store.finished}
    for name in names:
        if name not in found:
            raise InputError(f"{out} has no results for {name!r}, only for {', '.join(found)}")
    chosen = [found[name] for name in _in_order(found) if not names or name in names]
    if not chosen:
        raise InputError(f"{out} has no finished chunks to report. Run an experiment first")
    report = LabReport(out)
    for folder in (report.figures, report.tables):
        folder.mkdir(parents=True, exist_ok=True)
    for store in chosen:
        report.add(store)
    verdicts = report_page.verdict_tables(report.judged)
    (report.tables / "verdicts.md").write_text(verdicts, encoding="utf-8")
    path = out / "report.html"
    path.write_text(report.page(chosen), encoding="utf-8")
    return path


def _in_order(names: Iterable[str]) -> list[str]:
    """Sort experiments in the order of `lab list`, with the user's own ones last."""
    listed = list(experiments())
    return sorted(names, key=lambda name: listed.index(name) if name in listed else len(listed))


def _banner(chosen: Sequence[Store]) -> str:
    """Return a banner if any of the runs used `--quick`."""
    counts = [store.manifest.games for store in chosen if is_quick(store)]
    if not counts:
        return ""
    text = "This is a quick run" if len(counts) == len(chosen) else "Some of these are quick runs"
    games = " to ".join(str(count) for count in dict.fromkeys((min(counts), max(counts))))
    return (
        f"<p class=banner><strong>{text}:</strong> {games} games per condition, so that everything "
        "finishes in about a minute. Many claims need more games. Run without <code>--quick</code> "
        "to play them.</p>"
    )


def _introduction(chosen: Sequence[Store], judged: Sequence[Judgement]) -> str:
    games = sum(store.query("SELECT count(*) FROM games")[0][0] for store in chosen)
    text = f"{counted(games, 'game')} in {counted(len(chosen), 'experiment')}."
    if judged:
        text += (
            " Each claim is tested. The verdict is <em>as claimed</em> or <em>not as claimed</em> "
            "only if chance alone would produce such a result less than 1&nbsp;% of the time."
        )
    more = f" {SPECIFICATION}" if len({one.document for one in judged}) > 1 else ""
    return f"<p>{text}{more}</p>"


def _facts(store: Store) -> str:
    """Return the number of games, the machine, and the command that repeats the run."""
    experiment, manifest = store.experiment, store.manifest
    run, missing = manifest.runs[-1], len(manifest.chunks) - len(store.finished)
    are = "is" if missing == 1 else "are"
    waits = f"{missing:,} of {counted(len(manifest.chunks), 'chunk')} {are} missing"
    note = f"<p class=banner>Incomplete: {waits}.</p>" if missing else ""
    each = " each" if len(experiment.conditions) > 1 else ""
    facts = (
        f"{counted(len(experiment.conditions), 'condition')} with "
        f"{counted(manifest.games, 'game')}{each}, seeds {manifest.seeds[0]} to "
        f"{manifest.seeds[1]}; mineproof {run.versions['mineproof']}, {run.backend} "
        f"backend, Python {run.versions['python']}, {run.machine}."
    )
    command = f"Repeat this with <code>{escape(repeat_command(store))}</code>"
    return f"{note}<p class=soft>{command}<br>{escape(facts)}</p>"


def _unfinished(store: Store) -> str:
    """Return a banner with the agents whose games failed or were refused, if there were any."""
    text = store.unfinished()
    return text and (
        "<p class=banner>Failed games count as not won, and have no other values. "
        f"Refused games do not count. {escape(text)}.</p>"
    )


def _false_proofs(store: Store) -> str:
    """Return a banner with the agents that made false proofs, if there were any."""
    rows = store.query(
        "SELECT agent, sum(false_proofs), count_if(false_proofs > 0), count(*) FROM games "
        "GROUP BY agent HAVING sum(false_proofs) > 0 ORDER BY agent"
    )
    if not rows:
        return ""
    text = "; ".join(
        f"{short_agent(agent)} {counted(int(wrong), 'time')} in {affected:,} of "
        f"{counted(games, 'game')}"
        for agent, wrong, affected, games in rows
    )
    return (
        "<p class=banner>False proofs (moves an agent wrongly called proved; not counted as "
        f"guesses): {escape(text)}.</p>"
    )


def _default_figure(experiment: Experiment) -> Figure:
    """Return the default figure for an experiment without figures: a comparison of its agents."""
    name, title = f"{experiment.name}-won", "Games won"
    if len(experiment.agents) == len(experiment.conditions) == 2:
        base = (experiment.conditions[0].agent,)
        return Figure(name, title, "won", x="level", kind="differences", baseline=base)
    return Figure(name, title, "won", x="level", kind="bars")


def _range_text(figure: Figure, points: Sequence[Point]) -> str:
    """Return a sentence with the highest and the lowest value of a figure."""
    if not points:
        return "No game has a value for this figure."
    if figure.kind == "histogram":
        return ""
    ordered = sorted(points, key=lambda point: point.estimate.value)
    low, high = (
        f"{group_name(figure, one.panel, one.series, (figure.x,))} {point_text(figure, one)}"
        for one in (ordered[0], ordered[-1])
    )
    return f"{METRICS[figure.metric].title}: highest {high.strip()}; lowest {low.strip()}."


def _rows(
    figure: Figure, points: Sequence[Point], *columns: Callable[[Any], str]
) -> list[tuple[str, ...]]:
    """Return a row for each point: its panel, series and x, followed by the given columns."""
    return [
        (
            point.panel,
            label(figure, point.series),
            x_text(figure, point.x),
            *(column(point) for column in columns),
            f"{point.estimate.games:,}",
        )
        for point in points
    ]


Grid = tuple[list[str], list[tuple[str, ...]], str]
"""The heads, rows and title of a table."""


def _table(figure: Figure, points: Sequence[Point]) -> Iterator[Grid]:
    """Yield the points of a figure as a table. Maps have too many points for a table."""
    if figure.kind == "map":
        return
    metric, x = METRICS[figure.metric], column_name(figure.x)
    if figure.kind == "histogram":
        metric, x = Metric("share of games", "", unit="%"), metric.axis
        points = [one for one in points if one.estimate.value]  # most bins of a peak are empty
    series = ", ".join(map(column_name, figure.series))
    head = [column_name(figure.panel), series, x, metric.axis, "reported", "games"]
    rows = _rows(
        figure,
        points,
        lambda point: with_interval(point.estimate, metric),
        lambda point: "; ".join(one.text for one in figure.reported if is_about(one, point)),
    )
    yield head, rows, "Table"


def _gap_table(figure: Figure, differences: Sequence[Gap]) -> Iterator[Grid]:
    """Yield the differences from the baseline as a table, with McNemar's p-value for shares.

    Conditions that differ on no board are left out.
    """
    differences = [one for one in differences if one.estimate.low != one.estimate.high]
    if not differences:
        return
    metric = METRICS[figure.metric]
    head = [column_name(figure.panel), "series", column_name(figure.x)]
    head += ["difference", "only baseline", "only this", "p (McNemar)", "boards"]
    rows = _rows(
        figure,
        differences,
        lambda gap: difference(gap.estimate, metric),
        lambda gap: f"{gap.pairs.only_first:,}" if gap.pairs else "",
        lambda gap: f"{gap.pairs.only_second:,}" if gap.pairs else "",
        lambda gap: p_text(gap.pairs.p_value).removeprefix("= ") if gap.pairs else "",
    )
    yield head, rows, f"Compared with {base_name(figure)} on the same boards, where they differ"


def is_quick(store: Store) -> bool:
    """Return whether a run used `--quick`."""
    experiment, games = store.experiment, store.manifest.games
    return bool(games == experiment.quick < experiment.games)


def repeat_command(store: Store) -> str:
    """Return the command that plays the same games."""
    experiment, games = store.experiment, store.manifest.games
    count = [] if games == experiment.games else ["--games", str(games)]
    if experiment.name.startswith(DUEL):
        words = ["compare", *experiment.agents, *_options(experiment), "--games", str(games)]
        return shlex.join(["mineproof", "lab", *words])
    name = experiment.file or experiment.name
    if not experiment.file and name not in experiments():  # an old version did not store the file
        return shlex.join(store.manifest.runs[-1].command)
    agents = [word for agent in _other_agents(experiment, name) for word in ("--agent", agent)]
    sample = ["--quick"] if is_quick(store) else count
    return shlex.join(["mineproof", "lab", "run", name, *agents, *sample])


def _options(experiment: Experiment) -> list[str]:
    """Return the rules of a comparison as command-line options."""
    words = ["--seed", str(experiment.seed)] if experiment.seed else []
    for name, value in experiment.rules.items():
        if name == "boards":
            words += ["--boards", str(value).removeprefix(LISTED)]
        elif isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _other_agents(experiment: Experiment, name: str) -> tuple[str, ...]:
    """Return the agents that replaced the experiment's own agents."""
    try:
        own = next(one for one in find(name) if one.name == experiment.name)
    except (InputError, OSError, StopIteration):  # the file was removed or changed
        return ()
    return () if own.agents == experiment.agents else experiment.agents
