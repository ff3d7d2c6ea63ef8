"""The report: one page of HTML with everything in it, figures as files, tables as CSV."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from mineproof.core.errors import InputError
from mineproof.core.words import counted
from mineproof.lab import report_page
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

MANY_POINTS = 24
"""From here on a chart of bars is too wide for a phone, and is moved sideways."""
ALONE = "The specification (002) claims nothing that games could show."


@dataclass
class LabReport:
    """What is put together for the page, experiment by experiment."""

    out: Path
    sections: list[str] = field(default_factory=list)
    judged: list[Judgement] = field(default_factory=list)
    colours: set[str] = field(default_factory=set)

    @property
    def figures(self) -> Path:
        """Where drawings go."""
        return self.out / "figures"

    @property
    def tables(self) -> Path:
        """Where tables go."""
        return self.out / "tables"

    def add(self, store: Store) -> None:
        """Report an experiment."""
        experiment = store.experiment
        blocks = [self._figure(store, one) for one in experiment.figures or (_usual(experiment),)]
        question = f"<p>{escape(experiment.question)}</p>" if experiment.question else ""
        self.sections.append(
            f'<section><h2 id="{experiment.name}">{escape(experiment.title)}</h2>'
            f"{question}{_facts(store)}{_false_proofs(store)}{''.join(blocks)}</section>"
        )

    def _figure(self, store: Store, figure: Figure) -> str:
        if figure.kind == "extremes":
            return self._extremes(store, figure)
        if figure.kind == "boards":
            return self._boards(store, figure)
        points, differences = summarise(store, figure), gaps(store, figure)
        write_csv(self.tables / f"{figure.name}.csv", figure, points)
        judged = [one for claim in figure.claims if (one := judge(store, figure, claim))]
        self.judged += judged
        drawn = differences if figure.kind == "differences" else points
        texts = (_ends(figure, points) if not judged else "", figure.note)
        if not drawn:
            return report_page.block(figure, "", texts)
        save(draw(figure, drawn), self.figures, figure.name)
        tables = _table(figure, points) + _gap_table(figure, differences)
        tables += report_page.files(figure.name)
        return report_page.block(figure, self._pictures(figure, drawn), texts, tables, judged)

    def _pictures(self, figure: Figure, drawn: Sequence[Point]) -> str:
        """Draw a figure for the page, with its legend."""
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
        """Show the games that stand out, and draw the first of them."""
        found = extremes(store, figure)
        write_rows(self.tables / f"{figure.name}.csv", Extreme._fields, found)
        svg = found[0].draw(store.experiment)
        (self.figures / f"{figure.name}.svg").write_text(svg, encoding="utf-8")
        axis = METRICS[figure.metric].axis
        rows = [
            (str(one.seed), short_agent(one.agent), f"{one.value:g}", str(one.steps))
            for one in found
        ]
        values = ", ".join(f"{one.value:g} (seed {one.seed})" for one in found[:5])
        text = f"The largest values, {axis}: {values}. The picture shows the first."
        table = report_page.table(["seed", "agent", axis, "steps"], rows)
        table += report_page.files(figure.name, ("svg",))
        return report_page.block(figure, report_page.images([(svg, "")]), [text], table)

    def _boards(self, store: Store, figure: Figure) -> str:
        """Show the boards of games that were won and lost, played again."""
        games = ended_games(store, figure)
        drawn = [(one.draw(store.experiment), one.text) for one in games]
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
        """Give the whole page."""
        body = (
            f"<h1>The lab's report</h1>{_banner(chosen)}{_opening(chosen, self.judged)}"
            f"{report_page.scorecard(self.judged)}{_reading()}{''.join(self.sections)}"
        )
        return report_page.page(body, self.colours)


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
    report = LabReport(out)
    for folder in (report.figures, report.tables):
        folder.mkdir(parents=True, exist_ok=True)
    for store in chosen:
        report.add(store)
    path = out / "report.html"
    path.write_text(report.page(chosen), encoding="utf-8")
    return path


def _in_order(names: Iterable[str]) -> list[str]:
    """Put experiments into the order in which they are listed, others behind them."""
    listed = list(experiments())
    return sorted(names, key=lambda name: listed.index(name) if name in listed else len(listed))


def _banner(chosen: Sequence[Store]) -> str:
    """Say on top that a run was a quick one."""
    quick = [store for store in chosen if is_quick(store)]
    if not quick:
        return ""
    what = "This is a quick run" if len(quick) == len(chosen) else "Some of this is a quick run"
    counts = [store.manifest.games for store in quick]
    games = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    return (
        f"<p class=banner><strong>{what}:</strong> {games} games of each condition, so that "
        "everything can be seen in a minute. Many claims need more games than that; without "
        "<code>--quick</code> they are played.</p>"
    )


def _opening(chosen: Sequence[Store], judged: Sequence[Judgement]) -> str:
    games = sum(store.query("SELECT count(*) FROM games")[0][0] for store in chosen)
    text = f"{counted(games, 'game')} in {counted(len(chosen), 'experiment')}."
    if judged:
        text += (
            " Each claim is put to the test: it is as claimed, or not as claimed, only where "
            "chance alone would show that less than once in a hundred times."
        )
    more = f" {ALONE}" if len({one.document for one in judged}) > 1 else ""
    return f"<p>{text}{more}</p>"


def _reading() -> str:
    return (
        '<p class=soft id="reading">How to read the figures: whiskers are 95 % intervals. Agents '
        "under the same rules play the same boards and are compared board by board. Open diamonds "
        "are numbers that a source reports.</p>"
    )


def _facts(store: Store) -> str:
    """Say how much was played, where, and how to play it again."""
    experiment, manifest = store.experiment, store.manifest
    run, missing = manifest.runs[-1], len(manifest.chunks) - len(store.finished)
    waits = f"{counted(missing, 'chunk')} of {counted(len(manifest.chunks), 'chunk')}"
    note = f"<p class=banner>Not finished yet: {waits} to go.</p>" if missing else ""
    each = " each" if len(experiment.conditions) > 1 else ""
    facts = (
        f"{counted(len(experiment.conditions), 'condition')} of "
        f"{counted(manifest.games, 'game')}{each}, seeds {manifest.seeds[0]} to "
        f"{manifest.seeds[1]}; mineproof {run.versions['mineproof']}, {run.backend} "
        f"backend, Python {run.versions['python']}, {run.machine}."
    )
    command = f"Repeat it: <code>{escape(repeat_command(store))}</code>"
    return f"{note}<p class=soft>{command}<br>{escape(facts)}</p>"


def _false_proofs(store: Store) -> str:
    """Name the agents that called moves proved that were not; nothing where all proofs held."""
    rows = store.query(
        "SELECT agent, sum(false_proofs), count_if(false_proofs > 0), count(*) FROM games "
        "GROUP BY agent HAVING sum(false_proofs) > 0 ORDER BY agent"
    )
    if not rows:
        return ""
    text = "; ".join(
        f"{short_agent(agent)} {counted(int(wrong), 'time')} in {spoilt:,} of "
        f"{counted(games, 'game')}"
        for agent, wrong, spoilt, games in rows
    )
    return (
        "<p class=banner>False proofs, moves that an agent called proved and that were not (they "
        f"are no guesses): {escape(text)}.</p>"
    )


def _usual(experiment: Experiment) -> Figure:
    """Give the figure of an experiment that has none: two agents are compared."""
    name, title = f"{experiment.name}-won", "Games won"
    if len(experiment.agents) == len(experiment.conditions) == 2:
        base = (experiment.conditions[0].agent,)
        return Figure(name, title, "won", x="level", kind="differences", baseline=base)
    return Figure(name, title, "won", x="level", kind="bars")


def _ends(figure: Figure, points: Sequence[Point]) -> str:
    """Write the highest and the lowest value of a figure."""
    if not points:
        return "No game has this figure."
    if figure.kind == "histogram":
        return ""
    ordered = sorted(points, key=lambda point: point.estimate.value)
    low, high = (
        f"{group_name(figure, one.panel, one.series, (figure.x,))} {point_text(figure, one)}"
        for one in (ordered[0], ordered[-1])
    )
    return f"{METRICS[figure.metric].title}: highest {high.strip()}; lowest {low.strip()}."


def _table(figure: Figure, points: Sequence[Point]) -> str:
    """Give the points of a figure as a table; a map has too many of them."""
    if figure.kind == "map":
        return ""
    metric = METRICS[figure.metric]
    x = column_name(figure.x)
    if figure.kind == "histogram":
        metric, x = Metric("share of games", "", unit="%"), metric.axis
    head = [
        column_name(figure.panel),
        ", ".join(map(column_name, figure.series)),
        x,
        metric.axis,
        "the source",
        "games",
    ]
    rows = [
        (
            point.panel,
            label(figure, point.series),
            x_text(figure, point.x),
            with_interval(point.estimate, metric),
            "; ".join(one.text for one in figure.reported if is_about(one, point)),
            f"{point.estimate.games:,}",
        )
        for point in points
    ]
    return report_page.table(head, rows)


def _gap_table(figure: Figure, differences: Sequence[Gap]) -> str:
    """Write what series have more than their baseline, with McNemar's p-value for shares."""
    metric = METRICS[figure.metric]
    head = [column_name(figure.panel), "series", column_name(figure.x)]
    head += ["difference", "p (McNemar)", "boards"]
    rows = [
        (
            gap.panel,
            label(figure, gap.series),
            x_text(figure, gap.x),
            difference(gap.estimate, metric),
            f"{gap.pairs.p_value:.2g}" if gap.pairs else "",
            f"{gap.estimate.games:,}",
        )
        for gap in differences
    ]
    title = f"Compared with {base_name(figure)} on the same boards" if rows else ""
    return report_page.table(head, rows, title) if rows else ""


def is_quick(store: Store) -> bool:
    """Say whether a run was one with `--quick`."""
    experiment, games = store.experiment, store.manifest.games
    return bool(games == experiment.quick < experiment.games)


def repeat_command(store: Store) -> str:
    """Write the command that plays the same games."""
    experiment, games = store.experiment, store.manifest.games
    if experiment.name.startswith(DUEL):
        return _written(["compare", *experiment.agents, *_flags(experiment), "--games", str(games)])
    name = experiment.file or experiment.name
    if not experiment.file and name not in experiments():  # made by a version that kept no file
        return shlex.join(store.manifest.runs[-1].command)
    agents = [word for agent in _other_agents(experiment, name) for word in ("--agent", agent)]
    if is_quick(store):
        return _written(["run", name, *agents, "--quick"])
    more = [] if games == experiment.games else ["--games", str(games)]
    return _written(["run", name, *agents, *more])


def _written(words: list[str]) -> str:
    return shlex.join(["mineproof", "lab", *words])


def _flags(experiment: Experiment) -> list[str]:
    """Give the rules of a comparison as flags."""
    words = ["--seed", str(experiment.seed)] if experiment.seed else []
    for name, value in experiment.rules.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _other_agents(experiment: Experiment, name: str) -> tuple[str, ...]:
    """Give who played instead of the experiment's own agents."""
    try:
        own = next(one for one in find(name) if one.name == experiment.name)
    except (InputError, OSError, StopIteration):  # the file is gone, or is another one now
        return ()
    return () if own.agents == experiment.agents else experiment.agents
