"""Tables, figures and the page of a report."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest
from lab_small import every, small
from matplotlib.figure import Figure as Canvas
from scipy import stats

from mineproof.agents.registry import agents
from mineproof.arena.sets import board_set
from mineproof.core.errors import InputError
from mineproof.lab.catalogue import experiments, find, members
from mineproof.lab.charts import draw, save, to_svg
from mineproof.lab.compare import duel
from mineproof.lab.figure import Claim, Figure, Reported
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import label, labels, number, short_agent
from mineproof.lab.replayed import _restarted, ended_games, extremes
from mineproof.lab.report import _gap_table, write_report
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.styles import AGENTS, SeriesStyle, series_styles
from mineproof.lab.tables import Point, gaps, summarise
from mineproof.match.certainty import Estimate, Pairs
from mineproof.match.play import play
from mineproof.workers.batch import Here

CLAIMS = (
    Claim("<falls>", "falls", of={"agent": ("basic",)}),
    Claim("no", "falls", of={"agent": ("exact",)}),
)
FIGURES = (
    Figure("lines", "Won & lost", "won", x="mines", claims=CLAIMS, threshold=0.5),
    Figure("bars", "Steps", "steps", x="mines", kind="bars", log=True),
    Figure("panels", "Hits", "hit_chance", x="density", panel="first", series=("agent", "mines")),
    Figure("bins", "Open", "opened_lost", kind="histogram"),
    Figure("chains", "Chains", "chain", kind="histogram"),
    Figure("by-chain", "Efficiency", "efficiency", x="guesses"),
    Figure("top", "Longest", "chain", kind="extremes"),
    Figure(
        "theirs",
        "Source",
        "won",
        x="mines",
        reported=(Reported(8, 0.9, "9 of 10", games=10), Reported(16, 0.5, "half")),
    ),
)


ENDS = Figure("ends", "Boards", "won", kind="boards", where={"agent": ("basic",)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run two small experiments and write their report. One experiment has a map."""
    out = tmp_path_factory.mktemp("out")
    main = small(
        agents=("basic", "sentences"),
        vary={"mines": (8, 16)},
        probes=("board", "chains"),
        figures=(*FIGURES, ENDS),
        games=12,
    )
    carry_out(prepare(main, 12, Store(out / "small")), Here(), every)
    place = Figure("place", "Map", "won", x="first", kind="map", panel="level")
    rules = {"level": "3x4/3", "first": "every"}
    chart = small("chart", agents=("exact",), rules=rules, figures=(place,))
    carry_out(prepare(chart, 6, Store(out / "chart")), Here(), every)
    carry_out(prepare(small("plain"), 3, Store(out / "plain")), Here(), every)
    write_report(out)
    return out


class Page(HTMLParser):
    """Collects the ids on a page and the tags that would load something."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.names += [values["id"] or ""] if "id" in values else []
        source = values.get("src") or values.get("href") or ""
        if tag in ("img", "script", "link", "iframe") and source and source[:5] != "data:":
            self.loaded.append(tag)


def test_a_report_replays_a_users_agent_in_another_process(tmp_path: Path) -> None:
    """The replayed agent gets the same salted seeds as in the run, and again no board."""
    file, note = tmp_path / "own.py", tmp_path / "seeds"
    file.write_text(
        "import os\nfrom mineproof.agents.random import RandomAgent\nclass Own(RandomAgent):\n"
        "    def start(self, rules, seed):\n"
        f"        open({str(note)!r}, 'a').write(f'{{os.getpid()}} {{seed}}\\n')\n"
        "        super().start(rules, seed)\n"
    )
    figure = Figure("ends", "Boards", "won", kind="boards")
    made = small(agents=(f"{file}:Own",), rules={"level": "easy"}, games=4, figures=(figure,))
    carry_out(prepare(made, 4, Store(tmp_path / "out" / "small")), Here(), every)
    run = [line.split() for line in note.read_text().splitlines()]
    note.unlink()
    write_report(tmp_path / "out")
    replayed = [line.split() for line in note.read_text().splitlines()]
    assert {seed for _, seed in replayed} <= {seed for _, seed in run}
    assert str(os.getpid()) not in {pid for pid, _ in run + replayed}


def test_a_report_replays_the_boards_of_a_set(tmp_path: Path) -> None:
    """The final board of a lost game has the mines of the set's board, not of a dealt one."""
    figure = Figure("ends", "Boards", "won", kind="boards")
    rules = {"boards": "set:beginner-corner-2026"}
    store = Store(tmp_path / "small")
    carry_out(prepare(small(rules=rules, games=8, figures=(figure,)), 8, store), Here(), every)
    boards = {deal.seed: deal.board() for deal in board_set("beginner-corner-2026").deals()[:8]}
    for one in ended_games(store, figure):
        with _restarted(store.experiment.conditions[0], one.seed, "") as (game, agent):
            assert game.board == boards[one.seed]
            assert play(game, agent).outcome.result == one.result  # type: ignore[union-attr]


def test_every_figure_has_its_files(folder: Path) -> None:
    for name in [figure.name for figure in FIGURES] + ["place", "plain-won"]:
        if name != "top":  # a chain is drawn only as SVG
            assert (folder / "figures" / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
            assert (folder / "figures" / f"{name}.pdf").read_bytes()[:4] == b"%PDF"
        assert "</svg>" in (folder / "figures" / f"{name}.svg").read_text()
        assert (folder / "tables" / f"{name}.csv").stat().st_size > 20
    lines = (folder / "tables" / "lines.csv").read_text().splitlines()
    rows = list(csv.DictReader(lines))
    assert [(row["agent"], row["mines"]) for row in rows] == [
        ("basic", "8"),
        ("basic", "16"),
        ("sentences", "8"),
        ("sentences", "16"),
    ]
    assert all(float(row["low"]) <= float(row["won"]) <= float(row["high"]) for row in rows)
    assert {row["games"] for row in rows} == {"12"}


def test_verdicts_are_a_table_per_document(folder: Path) -> None:
    """Each claim is under the heading of who makes it, with its verdict and the numbers."""
    text = (folder / "tables" / "verdicts.md").read_text()
    assert text.startswith("## ")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    assert any("claimed" in row or "Cannot tell" in row for row in rows)
    page = (folder / "report.html").read_text()
    assert len(rows) - text.count("## ") == page.count("<td class=says>")


def test_boards_of_games_are_drawn(folder: Path) -> None:
    drawn = sorted(path.name for path in (folder / "figures").glob("ends-*.svg"))
    assert "ends-9x9-16-0-lost.svg" in drawn
    assert "ends-9x9-8-0-won.svg" in drawn
    text = (folder / "report.html").read_text()
    assert (
        text.count("data:image/svg+xml;base64,") == len(drawn) + 1
    )  # plus the figure of the longest chain
    assert re.search(r"<p>9x9/8, seed \d+: won in \d+ ms</p>", text)


def test_the_page_stands_alone(folder: Path) -> None:
    """The page loads no other files, uses no id twice, and escapes text."""
    text = (folder / "report.html").read_text()
    page = Page()
    page.feed(text)
    assert page.loaded == []
    assert len(page.names) == len(set(page.names))
    panels = 1  # the only first cell of that experiment
    assert text.count("<svg") == len(FIGURES) + panels
    assert "Won &amp; lost" in text
    assert text.count("&lt;falls&gt;") == 2  # in the scorecard and below its figure
    assert "“no”" not in text  # the conditions of this claim were not played
    assert "9 of 10" in text
    for reference in re.findall(r'(?:url\(|href=")#([\w.-]+)', text):
        assert reference in page.names


def test_captions_name_the_highest_and_the_lowest_value(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    points = sorted(summarise(Store(folder / "small"), FIGURES[1]), key=lambda p: p.estimate.value)
    assert re.search(rf"Steps: highest \w+ {points[-1].estimate.value:.1f} \(.*lowest", text)
    assert "Games won: highest" in text  # reported values, but no claim
    assert text.count("Games won: highest") == 3


def test_figures_are_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    again = draw(FIGURES[0], summarise(Store(folder / "small"), FIGURES[0]))
    save(again, tmp_path, "lines")
    for kind in ("svg", "pdf"):
        name = f"lines.{kind}"
        assert (tmp_path / name).read_bytes() == (folder / "figures" / name).read_bytes()
    with pytest.raises(InputError, match="has no results for"):
        write_report(folder, ["nothing"])


def test_tables_agree_with_counting_by_hand(folder: Path) -> None:
    store = Store(folder / "small")
    games = store.query("SELECT agent, mines, result, hits, opens, chain, seed FROM games")
    for point in summarise(store, FIGURES[0]):
        mine = [game for game in games if game[:2] == (point.series, point.x)]
        assert point.estimate.value == sum(game[2] == "win" for game in mine) / 12
    for point in summarise(store, FIGURES[2]):
        mine = [game for game in games if f"{game[0]} · {game[1]}" == point.series]
        opens = sum(game[4] for game in mine)
        assert point.estimate.value == pytest.approx(sum(game[3] for game in mine) / opens)
    bins = summarise(store, FIGURES[4])
    assert sum(point.estimate.value for point in bins) == pytest.approx(2)
    best = extremes(store, FIGURES[6])[0]
    assert best.value == max(game[5] for game in games)


def test_two_agents_are_judged_by_the_paired_test(tmp_path: Path) -> None:
    """The report shows a comparison as a difference, with the p-value that `compare` prints."""
    experiment = duel("basic", "sentences", {"level": "beginner"}, 200, 0)
    store = Store(tmp_path / experiment.name)
    carry_out(prepare(experiment, 200, store), Here(), every)
    wins = store.query(
        "SELECT a.result = 'win', b.result = 'win' FROM games a JOIN games b USING (seed) "
        "WHERE a.agent = 'basic' AND b.agent = 'sentences'"
    )
    pairs = Pairs.count(wins)
    text = write_report(tmp_path).read_text()
    assert "Compared with basic on the same boards" in text
    assert f"<td>{pairs.p_value:.2g}</td>" in text
    assert f"<td>{pairs.difference.value * 100:+.1f} percentage points" in text
    assert "difference in games won" in text  # the label of the axis
    assert text.count("basic against sentences") == 1


def test_gaps_are_differences_board_by_board(folder: Path) -> None:
    """A gap is the mean difference on the same boards, with a t-interval."""
    store = Store(folder / "small")
    figure = Figure("g", "G", "steps", x="mines", baseline=("basic",))
    rows = store.query("SELECT agent, mines, seed, steps FROM games")
    steps = {row[:3]: row[3] for row in rows}
    found = gaps(store, figure)
    assert [(point.series, point.x) for point in found] == [("sentences", 8), ("sentences", 16)]
    for point in found:
        differences = [
            steps["sentences", point.x, seed] - steps["basic", point.x, seed] for seed in range(12)
        ]
        low, high = stats.t.interval(0.95, 11, loc=fmean(differences), scale=stats.sem(differences))
        estimate = point.estimate
        assert estimate.value == pytest.approx(fmean(differences))
        assert (estimate.low, estimate.high) == pytest.approx((low, high))
    equal = replace(found[0], estimate=Estimate(0.0, 0.0, 0.0, 12))
    ((_, shown, _),) = _gap_table(figure, [equal, found[1]])
    assert [row[2] for row in shown] == ["16"], "a condition that differs on no board is left out"
    assert not list(_gap_table(figure, [equal]))
    shares = gaps(store, Figure("s", "S", "won", x="mines", baseline=("basic",)))
    assert all(one.pairs is not None and one.pairs.games == 12 for one in shares)
    chances = gaps(store, Figure("n", "N", "hit_chance", x="mines", baseline=("basic",)))
    for gap in chances:
        assert gap.estimate.value == pytest.approx(gap.first.value - gap.second.value)
        assert gap.estimate.low < gap.estimate.value < gap.estimate.high


def styles(figure: Figure, *series: str) -> dict[str, SeriesStyle]:
    return series_styles(figure, [Point("", name, 0, Estimate(0, 0, 0, 1)) for name in series])


def test_agents_look_the_same_in_every_figure() -> None:
    """An agent has the same colour in every figure, and its variants have shades of it."""
    figure = Figure("f", "F", "won", x="mines")
    alone = styles(figure, "exact")["exact"]
    many = styles(figure, "basic", "exact", "basic:guess=1", "own.py:Agent")
    assert many["exact"] == alone
    assert len({style.colour for style in many.values()}) == 4
    assert many["basic"].marker == many["basic:guess=1"].marker
    turned = styles(figure, "basic:guess=1", "basic", "basic:guess=2")
    assert turned["basic"] == many["basic"]
    assert len({style.colour for style in turned.values()}) == 3
    assert set(AGENTS) >= set(agents())
    levels = styles(Figure("f", "F", "won", x="mines", series=("level",)), "easy", "hard")
    assert levels["easy"].colour != levels["hard"].colour


def test_series_are_named_for_people() -> None:
    """If a value alone would be unclear, its label also names the column."""
    figure = Figure("f", "F", "won", x="mines", series=("agent", "first", "mine_count"))
    assert label(figure, "basic · 0,0 · known") == "basic, from (0, 0), mine count known"
    assert short_agent("folder/my_agent.py:MyAgent") == "MyAgent"
    assert short_agent("cs50:folder/minesweeper.py") == "cs50 minesweeper"
    assert (
        short_agent("sentences:stuck=stop,mine_count=on") == "sentences, stuck stop, mine count on"
    )
    assert short_agent("deep:budget=2") == "deep, budget 2"
    plain = Figure("f", "F", "won", x="mines")
    same = ["a/own.py:Agent", "b/own.py:Agent"]
    assert list(labels(plain, same).values()) == same


def test_small_shares_are_not_written_as_zero() -> None:
    won = METRICS["won"]
    written = [number(share, won) for share in (0.0, 0.0003, 0.001, 0.4567)]
    assert written == [f"{share}{won.sign}" for share in ("0", "0.030", "0.1", "45.7")]


def test_built_in_experiments_are_sound() -> None:
    names = []
    for experiment in experiments().values():
        assert experiment.conditions
        for figure in experiment.figures:
            needs = METRICS[figure.metric].needs
            assert not needs or needs in experiment.probes, figure.name
            names.append(figure.name)
            columns = [condition.columns for condition in experiment.conditions]
            named = [figure.where, *(claim.of for claim in figure.claims)]
            named += [{n: (v,) for n, v in claim.than.items()} for claim in figure.claims]
            for name, values in (pair for table in named for pair in table.items()):
                assert set(values) <= {str(one[name]) for one in columns}, figure.name
            last = figure.series[-1] if figure.series else "agent"
            assert set(figure.baseline) <= {str(one[last]) for one in columns}, figure.name
            for one in figure.reported:
                assert not one.panel or one.panel in {str(c[figure.panel]) for c in columns}
                assert not one.series or one.series in {str(c[last]) for c in columns}
                assert one.x in {c[figure.x] for c in columns}, figure.name
    assert len(names) == len(set(names))
    assert {one.name for one in find("all")} == set(experiments())
    assert all(one.source for one in members("documents"))
    with pytest.raises(InputError, match=r"or FILE\.toml"):
        find("nothing")


def test_large_comparisons_have_every_agent() -> None:
    """Large comparisons leave out only `deep`, because it always uses its whole time budget."""
    assert list(experiments()["ladder"].agents) == [name for name in agents() if name != "deep"]
    for experiment in experiments().values():
        assert not any(agent.startswith("deep") for agent in experiment.agents)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_title_breaks_a_picture() -> None:
    canvas = Canvas()
    canvas.text(0.5, 0.5, "a\x1bb")
    root = ElementTree.fromstring(to_svg(canvas, "one"))
    assert "a b" in "".join(root.itertext())
