"""How the documentation is built: `make docs`, or sphinx with -W as the tests do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import mineproof
from mineproof.agents.registry import agents

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Mineproof"
author = "The Mineproof maintainers"
copyright = author
release = version = mineproof.__version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Mineproof"


def agent_table() -> str:
    """Write the table of all registered agents; those with a page are linked to it."""
    rows = ["| agent | idea | source |", "|---|---|---|"]
    for spec in agents().values():
        has_page = (Path(__file__).parent / "agents" / f"{spec.id}.md").exists()
        name = f"[`{spec.id}`]({spec.id}.md)" if has_page else f"`{spec.id}`"
        rows.append(f"| {name} | {spec.idea} | {spec.source} |")
    return "\n".join(rows)


def fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the table of agents where the pages ask for it."""
    if "@AGENTS@" in source[0]:
        source[0] = source[0].replace("@AGENTS@", agent_table())


def setup(app: Sphinx) -> None:
    """Let the pages be changed as they are read."""
    app.connect("source-read", fill_in)
