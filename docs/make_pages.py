"""Write what the pages take from the program: `python docs/make_pages.py`.

- Each chapter of `docs/tutorial` is a page whose Python blocks are run, one after the other. What
  a block prints and the picture of its last value are put below it, and the same chapter is
  written as a notebook.
- `docs/api.md` is made of the public names, their signatures and docstrings.
- The table of `docs/agents/index.md` is made of the registered agents.

The tests fail where a file is not what this gives.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from make_api import api_page

from mineproof import Explanation
from mineproof.agents.registry import agents

DOCS = Path(__file__).parent
TUTORIAL = DOCS / "tutorial"
CHAPTERS = (
    *("rules", "one-clue", "sentences", "clauses"),
    *("search", "counting", "guessing", "measuring"),
)
CELL = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n.*?^```\n)?(?:\n!\[[^\n]*\]\(pictures/[^\n]*\)\n)?",
    re.DOTALL | re.M,
)
"""A block of Python with what it gave: text, a picture, both or nothing."""


class Shown(NamedTuple):
    """What a block gave."""

    printed: str
    value: str
    """The text of its last value, what it shows if it is a picture; empty if there is none."""
    picture: str
    """The SVG of its last value, empty if there is none."""
    caption: str
    """What the picture shows: the words of a proof, else the comment behind the last line."""


def run_block(code: str, names: dict[str, Any]) -> Shown:
    """Run a block in the names of the blocks before it."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, "chapter", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "chapter", "eval"), names)
    drawing = getattr(value, "_repr_svg_", None)
    comment = code.rstrip().rpartition("\n")[2].partition("  # ")[2]
    caption = value.text if isinstance(value, Explanation) else comment
    picture = (drawing() or "") if drawing else ""
    text = "" if value is None else caption if picture else repr(value)
    return Shown(printed.getvalue(), text, picture, caption)


def chapter(name: str) -> Iterator[tuple[Path, str]]:
    """Give the page of a chapter, its pictures and its notebook."""
    text = (TUTORIAL / f"{name}.md").read_text("utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    page, cells, place, turn = "", [], 0, 0
    for turn, found in enumerate(CELL.finditer(text), 1):
        words, place = text[place : found.start()], found.end()
        shown = run_block(found["code"], names)
        picture = f"pictures/{name}-{turn}.svg"
        page += words + page_block(found["code"], shown, picture)
        cells += [words_cell(f"words-{turn}", words), code_cell(turn, found["code"], shown)]
        if shown.picture:
            yield TUTORIAL / picture, shown.picture
    cells.append(words_cell(f"words-{turn + 1}", text[place:]))
    yield TUTORIAL / f"{name}.md", page + text[place:]
    yield TUTORIAL / f"{name}.ipynb", notebook(cells)


def page_block(code: str, shown: Shown, picture: str) -> str:
    """Write a block for the page, with what it gave below it."""
    text = shown.printed + ("" if shown.picture or not shown.value else shown.value + "\n")
    parts = [f"```python\n{code}```\n"]
    if text:
        parts.append(f"```text\n{text}```\n")
    if shown.picture:
        parts.append(f"![{shown.caption}]({picture})\n")
    return "\n".join(parts)


def lines(text: str) -> list[str]:
    """Give text as notebooks keep it."""
    return text.splitlines(keepends=True)


def words_cell(name: str, text: str) -> dict[str, Any]:
    """Write the words between two blocks for the notebook."""
    source = re.sub(r"\(([a-z-]+)\.md\)", r"(\1.ipynb)", text.strip())
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": lines(source)}


def code_cell(turn: int, code: str, shown: Shown) -> dict[str, Any]:
    """Write a block for the notebook, with what it gave."""
    outputs: list[dict[str, Any]] = []
    if shown.printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(shown.printed)})
    if shown.value:
        data: dict[str, Any] = {"text/plain": lines(shown.value)}
        data |= {"image/svg+xml": lines(shown.picture)} if shown.picture else {}
        result = {"data": data, "execution_count": turn, "metadata": {}}
        outputs.append({**result, "output_type": "execute_result"})
    cell = {"cell_type": "code", "execution_count": turn, "id": f"code-{turn}", "metadata": {}}
    return {**cell, "outputs": outputs, "source": lines(code.rstrip())}


def notebook(cells: list[dict[str, Any]]) -> str:
    """Write a notebook, format 4.5."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": [cell for cell in cells if cell["source"]],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def agents_page() -> str:
    """Give the page of the agents with its table of all that are registered."""
    rows = ["| agent | idea | source |", "|---|---|---|"]
    rows += [
        f"| [`{spec.id}`]({spec.id}.md) | {spec.idea} | {spec.source} |"
        for spec in agents().values()
    ]
    text = (DOCS / "agents" / "index.md").read_text("utf-8")
    return re.sub(r"^\| agent \|.*?\n\n", "\n".join(rows) + "\n\n", text, flags=re.DOTALL | re.M)


def made_files() -> dict[Path, str]:
    """Give every file that is made, with its text."""
    found = {path: text for name in CHAPTERS for path, text in chapter(name)}
    return found | {DOCS / "agents" / "index.md": agents_page(), DOCS / "api.md": api_page()}


def main() -> None:
    """Write the files, and remove pictures that no chapter has any more."""
    files = made_files()
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    for path in (TUTORIAL / "pictures").iterdir():
        if path not in files:
            path.unlink()


if __name__ == "__main__":
    main()
