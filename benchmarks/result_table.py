"""Benchmark results as Markdown tables, which can be updated row by row."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from pathlib import Path

from mineproof.backend import backend

RESULTS = Path(__file__).parent / "results"


def machine() -> str:
    """Return a description of this machine."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"Python {version}, backend {backend()}, {platform.system()} {platform.machine()}"


def format_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    names = list(columns)
    lines = [names, ["---"] * len(names), *map(list, rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def parse_table(text: str) -> list[list[str]]:
    """Return the rows of the only Markdown table in the text."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[field.strip() for field in line.strip("|").split("|")] for line in lines[2:]]


def update(
    name: str, intro: str, columns: tuple[str, ...], rows: list[list[str]], keys: int
) -> Path:
    """Add rows to the table `benchmarks/results/NAME.md`.

    A row replaces the one with the same first `keys` fields. Other rows stay.
    """
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.md"
    old = parse_table(path.read_text("utf-8")) if path.exists() else []
    merged = {tuple(row[:keys]): row for row in [*old, *rows]}
    path.write_text(f"{intro}\n\n{format_table(columns, merged.values())}", "utf-8")
    return path
