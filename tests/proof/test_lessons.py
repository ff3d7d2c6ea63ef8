"""The chapter on reasoning: its examples are what the explainer says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mineproof as mw

ROOT = Path(__file__).parents[2]
CHAPTER = (ROOT / "docs" / "reasoning.md").read_text("utf-8")
EXAMPLE = re.compile(
    r"```text\n(?P<position>.*?)```\n\n"
    r"`mineproof why (?P<file>\S+) (?P<row>\d+) (?P<column>\d+)` answers "
    r"\(rule `(?P<rule>[a-z-]+)`, difficulty (?P<difficulty>[\d.]+)\):\n\n"
    r"(?P<words>(?:> [^\n]*\n)+)",
    re.DOTALL,
)
EXAMPLES = [found.groupdict() for found in re.finditer(EXAMPLE, CHAPTER)]


def label(example: dict[str, str]) -> str:
    """Name an example."""
    return f"{Path(example['file']).stem}-{example['row']}-{example['column']}"


@pytest.mark.parametrize("example", EXAMPLES, ids=label)
def test_the_chapter_says_what_the_explainer_says(example: dict[str, str]) -> None:
    """The position is that of the file, and the answer is word for word the program's."""
    text = (ROOT / example["file"]).read_text("utf-8")
    assert example["position"] == text
    found = mw.explain(text, (int(example["row"]), int(example["column"])))
    words = " ".join(line.removeprefix("> ") for line in example["words"].splitlines())
    assert (found.rule, f"{found.difficulty}") == (example["rule"], example["difficulty"])
    assert found.text == words


def test_every_lesson_is_in_the_chapter() -> None:
    """No position is left without its example, and every kind of rule has one."""
    files = {f"positions/lessons/{path.name}" for path in (ROOT / "positions/lessons").iterdir()}
    assert {example["file"] for example in EXAMPLES} == files
    assert CHAPTER.count("mineproof why positions") == len(EXAMPLES)
    assert {example["rule"] for example in EXAMPLES} == {
        "needs-all", "satisfied", "inside", "difference", "group", "cases", "nested-cases",
        "mine-count", "guess",
    }  # fmt: skip


def test_the_table_of_difficulties_is_the_programs() -> None:
    """Both pages give every rule the number that the program uses."""
    from mineproof.proof.kinds import KIND

    page = (ROOT / "docs" / "explain.md").read_text("utf-8")
    for rule, kind in KIND.items():
        assert f"| `{rule}` | {kind:d} |" in page
