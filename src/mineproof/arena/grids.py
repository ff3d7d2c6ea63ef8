"""Tables of text cells in the formats for terminals, documents and pages, and the pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

Cells = Sequence[Sequence[str]]
_TEX = {sign: f"\\{sign}" for sign in "&%_#${}"} | {
    "\u00a0": "~",
    "<": "$<$",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "\\": "\\textbackslash{}",
}


_PAGE_STYLE = Path(__file__).with_name("page.css")


def html_page(title: str, body: str, style: str = "") -> str:
    """Return a self-contained page, with a dark theme and a print style."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        f"<style>{_PAGE_STYLE.read_text(encoding='utf-8')}{style}</style></head>"
        f"<body>{body}</body></html>\n"
    )


def format_grid(kind: str, heads: Sequence[str], rows: Cells) -> str:
    """Return a table as `text`, `markdown`, `latex` or `html`, without a final line end."""
    writers = {"text": _text, "markdown": _markdown, "latex": _latex, "html": _html}
    return writers[kind](heads, rows)


def _text(heads: Sequence[str], rows: Cells) -> str:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = (map(str.ljust, row, widths) for row in (heads, *rows))
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _markdown(heads: Sequence[str], rows: Cells) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    cells = ([cell.replace("|", "\\|").replace("<", "\\<") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _latex(heads: Sequence[str], rows: Cells) -> str:
    lines = [f"{' & '.join(map(_tex, row))} \\\\\n" for row in (heads, *rows)]
    columns = "ll" + "r" * (len(heads) - 2)
    body = f"\\hline\n{lines[0]}\\hline\n{''.join(lines[1:])}\\hline\n"
    return f"\\begin{{tabular}}{{{columns}}}\n{body}\\end{{tabular}}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)


def _html(heads: Sequence[str], rows: Cells) -> str:
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table class=data><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
