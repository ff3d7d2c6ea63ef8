"""The project's addresses and its README for the package index, made when a package is built.

The index shows the README without the repository, so its links and pictures need full addresses.
`pyproject.toml` names this file and the address of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RELATIVE = re.compile(r'(?P<start>\]\(|src="|srcset=")(?![\w+]+:|#)(?P<path>[^)"]+)')
"""A link to a file of the repository, in Markdown or HTML."""


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `[project]` that depend on the address of the repository."""
    address, tag = settings["address"], f"v{project['version']}"
    text = with_addresses((ROOT / "README.md").read_text("utf-8"), address, tag)
    return {
        "readme": {"text": text, "content-type": "text/markdown"},
        "urls": {
            "Repository": address,
            "Documentation": f"{address}/blob/{tag}/docs/index.md",
            "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
            "Issues": f"{address}/issues",
        },
    }


def with_addresses(text: str, address: str, tag: str) -> str:
    """Return the text with the full address of every file that it links to or shows."""

    def full(found: re.Match[str]) -> str:
        kind = "raw" if found["path"].endswith((".svg", ".png")) else "blob"
        return f"{found['start']}{address}/{kind}/{tag}/{found['path']}"

    return RELATIVE.sub(full, text)
