"""The HTML of the report: one self-contained page, with a dark theme and a print style."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape

from mineproof.arena.grids import Cells, format_grid, html_page
from mineproof.core.words import counted
from mineproof.lab.figure import Figure
from mineproof.lab.styles import SeriesStyle, on_dark
from mineproof.lab.trends import ClaimVerdict
from mineproof.lab.verdicts import Judgement

CLASSES = {ClaimVerdict.KEPT: "kept", ClaimVerdict.BROKEN: "broken", ClaimVerdict.OPEN: "open"}


def page(body: str, colours: Iterable[str]) -> str:
    """Return the whole page."""
    used = sorted({colour.lower() for colour in colours})
    light = "".join(f"--c{one[1:]}:{one};" for one in used)
    dark = "".join(f"--c{one[1:]}:{on_dark(one)};" for one in used)
    dark = f"@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    return html_page("Mineproof lab report", body, f":root{{{light}}}{dark}")


def scorecard(judged: Sequence[Judgement]) -> str:
    """Return a table of all claims with their verdicts and the deciding numbers."""
    if not judged:
        return ""
    counts = [sum(one.verdict is verdict for one in judged) for verdict in ClaimVerdict]
    text = (
        f"{counted(len(judged), 'claim')}: {counts[0]} as claimed, {counts[1]} not as claimed, "
        f"{counts[2]} undecided by these games."
    )
    tables = "".join(_score_table(name, group) for name, group in by_document(judged).items())
    return f'<h2 id="scorecard">Scorecard</h2><p>{text}</p>{tables}'


def by_document(judged: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    """Group verdicts by who makes the claim."""
    found: dict[str, list[Judgement]] = defaultdict(list)
    for one in judged:
        found[one.document[:1].upper() + one.document[1:]].append(one)
    return found


def verdict_tables(judged: Sequence[Judgement]) -> str:
    """Return all verdicts with their deciding numbers as Markdown, a table per document."""
    blocks = []
    for name, group in by_document(judged).items():
        rows = [
            (one.claim.says, one.head, "; ".join(filter(None, [*shown.numbers, shown.test])))
            for one in group
            for shown in [one.decisive.evidence]
        ]
        blocks += [f"## {name}", format_grid("markdown", ["claim", "verdict", "evidence"], rows)]
    return "\n\n".join(blocks) + "\n"


def _score_table(name: str, group: Sequence[Judgement]) -> str:
    head = "<tr><th>Claim</th><th>Verdict</th><th>Evidence</th></tr>"
    title = f"<h3>{escape(name)}</h3>" if name else ""
    rows = "".join(map(_score_row, group))
    return f"{title}<table class=score><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _score_row(one: Judgement) -> str:
    shown = one.decisive.evidence
    texts = [*shown.numbers, shown.test]
    numbers = "".join(f"<span>{escape(text)}</span>" for text in texts if text)
    verdict = f'<a class=verdict href="#{one.figure.name}">{escape(one.head)}</a>'
    where = f" <span class=soft>{escape(one.claim.source)}</span>" if one.claim.source else ""
    return (
        f"<tr class={CLASSES[one.verdict]}><td class=says>{escape(one.claim.says)}{where}</td>"
        f"<td>{verdict}</td><td class=numbers>{numbers}</td></tr>"
    )


def claim_block(one: Judgement) -> str:
    """Return a claim with its verdict and evidence."""
    where = f" ({escape(one.claim.source)})" if one.claim.source else ""
    note = f"<p class=soft>{escape(one.claim.note)}</p>" if one.claim.note else ""
    return (
        f'<div class="claim {CLASSES[one.verdict]}"><p><span class=verdict>{escape(one.head)}:'
        f"</span> “{escape(one.claim.says)}”{where}</p><p>{escape(one.text)}</p>{note}</div>"
    )


def block(
    figure: Figure,
    pictures: str,
    texts: Sequence[str],
    tables: str = "",
    judged: Sequence[Judgement] = (),
) -> str:
    """Return a figure: its pictures, claims, captions, tables and files."""
    claims = "".join(map(claim_block, judged))
    captions = "".join(f"<p>{escape(text)}</p>" for text in texts if text)
    return (
        f'<figure id="{figure.name}"><h3>{escape(figure.title)}</h3>{pictures}'
        f"<figcaption>{claims}{captions}{tables}</figcaption></figure>"
    )


def images(drawn: Sequence[tuple[str, str]]) -> str:
    """Return independent SVG pictures, each with a caption."""
    found = []
    for svg, text in drawn:
        data = b64encode(svg.encode()).decode()
        image = f'<img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}">'
        found.append(f"<div>{image}<p>{escape(text)}</p></div>")
    return f'<div class="panels several boards">{"".join(found)}</div>' if found else ""


def panels(pictures: Sequence[str], title: str, wide: bool = False) -> str:
    """Return the pictures of a figure, side by side if there is room."""
    named = [
        one.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1) for one in pictures
    ]
    kind = " wide" if wide else " several" if len(named) > 1 else ""
    return f'<div class="panels{kind}">{"".join(named)}</div>'


def legend(
    figure: Figure, styles: dict[str, SeriesStyle], names: dict[str, str], are_bars: bool = False
) -> str:
    """Return the legend of a figure."""
    entries = [
        f'<li><span style="color:var(--c{style.colour[1:].lower()})">'
        f"{'■' if are_bars else style.sign}</span> "
        f"{escape(names[name])}</li>"
        for name, style in styles.items()
        if names[name]
    ]
    extra = [f"◇ {figure.reported_by}"] if figure.reported else []
    extra += [f"┄ {figure.threshold_text}"] if figure.threshold_text else []
    entries += [f"<li>{escape(text)}</li>" for text in extra]
    return f"<ul class=legend>{''.join(entries)}</ul>" if entries else ""


def filled(head: Sequence[str], rows: Cells) -> tuple[Sequence[str], Cells]:
    """Return a table without its empty columns."""
    used = [i for i, _ in enumerate(head) if any(row[i] for row in rows)]
    return [head[i] for i in used], [[row[i] for i in used] for row in rows]


def table(head: Sequence[str], rows: Cells, title: str = "Table") -> str:
    """Return a collapsible table without its empty columns."""
    whole = format_grid("html", *filled(head, rows))
    return f"<details><summary>{escape(title)}</summary><div class=scroll>{whole}</div></details>"


def files(
    name: str, kinds: Sequence[str] = ("svg", "png", "pdf"), tables: Sequence[str] = ("csv",)
) -> str:
    """Return links to the files of a figure."""
    links = (
        *(f'<a href="figures/{name}.{kind}">{kind.upper()}</a>' for kind in kinds),
        *(f'<a href="tables/{name}.{kind}">{kind.upper()}</a>' for kind in tables),
    )
    return f'<p class="soft files">{", ".join(links)}</p>'
