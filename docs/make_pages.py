"""Generate the parts of the docs that come from the program: `python docs/make_pages.py`.

- `docs/tutorial`: runs the Python blocks of each chapter in order, puts the printed text and the
  picture of the last value below each block, and writes the same chapter as a notebook.
- `docs/api.md`: the public names, with signatures and docstrings.
- `docs/agents/index.md`: the table of registered agents.
- `docs/leaderboard.md`: the results of all solvers, and the first rows of it in the README.
- `docs/python.md`: the small programs in `examples`.
- `docs/pictures`: the board and the animated game in the README, and two pictures in `python.md`.

Tests fail if a generated file is out of date.
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

from mineproof import Explanation, draw, make_agent, play
from mineproof.agents.registry import agents
from mineproof.arena import leaderboard
from mineproof.draw.games import animation_svg
from mineproof.notation.game_id import parse_game_id

DOCS = Path(__file__).parent
README = DOCS.parent / "README.md"
BEST = 4
"""The number of solvers that the README shows."""
TUTORIAL = DOCS / "tutorial"
CHAPTERS = (
    *("rules", "one-clue", "sentences", "clauses", "probability-board", "search"),
    *("graphs-and-heaps", "counting", "guessing", "chains", "unreliable-clues", "measuring"),
)
PROGRAMS = (
    *("draw_board", "best_move", "function_agent", "external_solver", "batch"),
    *("compare_agents", "data_frame", "positions", "read_replay", "no_guess_boards"),
)
CELL = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n.*?^```\n)?(?:\n!\[[^\n]*\]\(pictures/[^\n]*\)\n)?",
    re.DOTALL | re.M,
)
"""A block of Python and its output: text, a picture, both or neither."""


class Shown(NamedTuple):
    """The output of a block."""

    printed: str
    value: str
    """The text of the last value, or the caption of its picture; empty if there is no value."""
    picture: str
    """The SVG of the last value; empty if it has none."""
    caption: str
    """The caption of the picture: the text of a proof, or the comment on the last line."""


def run_block(code: str, names: dict[str, Any]) -> Shown:
    """Run a block with the names that earlier blocks defined."""
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
    """Yield the files of a chapter: pictures, page and notebook."""
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
    """Return a block for the page, with its output below it."""
    text = shown.printed + ("" if shown.picture or not shown.value else shown.value + "\n")
    parts = [f"```python\n{code}```\n"]
    if text:
        parts.append(f"```text\n{text}```\n")
    if shown.picture:
        parts.append(f"![{shown.caption}]({picture})\n")
    return "\n".join(parts)


def lines(text: str) -> list[str]:
    """Return text as a list of lines, as notebooks store it."""
    return text.splitlines(keepends=True)


def words_cell(name: str, text: str) -> dict[str, Any]:
    """Return the text between two blocks as a notebook cell, with links to notebooks."""
    source = re.sub(r"\(([a-z-]+)\.md\)", r"(\1.ipynb)", text.strip())
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": lines(source)}


def code_cell(turn: int, code: str, shown: Shown) -> dict[str, Any]:
    """Return a block as a notebook cell, with its output."""
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
    """Return a notebook in format 4.5."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": [cell for cell in cells if cell["source"]],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def agents_page() -> str:
    """Return the page of agents with an updated table."""
    rows = ["| agent | idea | source |", "|---|---|---|"]
    rows += [
        f"| [`{spec.id}`]({spec.id}.md) | {spec.idea} | {spec.source} |"
        for spec in agents().values()
    ]
    text = (DOCS / "agents" / "index.md").read_text("utf-8")
    return re.sub(r"^\| agent \|.*?\n\n", "\n".join(rows) + "\n\n", text, flags=re.DOTALL | re.M)


def readme(leaders: str) -> str:
    """Return the README with the first solvers of the leaderboard."""
    found = [line.split(" | ") for line in leaders.splitlines() if line.startswith("| ")]
    rows = ["| solver | games | won | 95 % interval |", "|---|---|---|---|"]
    rows += [f"{' | '.join(cells[:4])} |" for cells in found[2 : 2 + BEST]]
    text, table = README.read_text("utf-8"), "\n".join(rows) + "\n\n"
    return re.sub(r"^\| solver \|.*?\n\n", table, text, flags=re.DOTALL | re.M)


def python_page() -> str:
    """Return the page about Python with the current text of the small programs."""
    shown = ""
    for name in PROGRAMS:
        says, _, code = (DOCS.parent / "examples" / f"{name}.py").read_text("utf-8").partition("\n")
        shown += f"`{name}.py`: {says[3:-3]}\n\n```python\n{code.lstrip()}```\n\n"
    text = (DOCS / "python.md").read_text("utf-8")
    before, mark, after = text.partition("<!-- programs -->\n")
    rest = after.partition("<!-- end of the programs -->")
    return before + mark + shown + "".join(rest[1:])


def game_picture(game: str, seconds: float) -> str:
    """Return the animation of a game by `champion`, as `mineproof draw` writes it."""
    played = play(parse_game_id(game).game(), make_agent("champion"), player="champion")
    return animation_svg(played, seconds=seconds)


def board_picture() -> str:
    """Return the picture of the README's position, as its `mineproof draw` command writes it."""
    found = re.search(r"^9x6x9\n.*?(?=^```)", README.read_text("utf-8"), re.DOTALL | re.M)
    assert found is not None
    return draw(found[0], risks=True, proof=(3, 6))


def quoted_picture() -> str:
    """Return the picture of the position that `python.md` quotes."""
    text = (DOCS / "python.md").read_text("utf-8")
    found = re.search(r'^>>> text = """(5x4x3\n.*?)"""', text, re.DOTALL | re.M)
    assert found is not None
    return draw(found[1].replace("... ", ""), risks=True, proof=(0, 4))


def made_files() -> dict[Path, str]:
    """Return the text of every generated file."""
    found = {path: text for name in CHAPTERS for path, text in chapter(name)}
    leaders = leaderboard(DOCS.parent / "leaderboard")
    return found | {
        README: readme(leaders),
        DOCS / "leaderboard.md": leaders,
        DOCS / "agents" / "index.md": agents_page(),
        DOCS / "api.md": api_page(),
        DOCS / "python.md": python_page(),
        DOCS / "pictures" / "expert-game.svg": game_picture("expert:opening:s8:f8,15", 0.15),
        DOCS / "pictures" / "game.svg": game_picture("beginner:opening:s3:f4,4", 0.5),
        DOCS / "pictures" / "board.svg": board_picture(),
        DOCS / "pictures" / "risks-and-proof.svg": quoted_picture(),
    }


def main() -> None:
    """Write the files, and delete pictures that no chapter uses any more."""
    files = made_files()
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    for path in (TUTORIAL / "pictures").iterdir():
        if path not in files:
            path.unlink()


if __name__ == "__main__":
    main()
