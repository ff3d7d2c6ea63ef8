"""Draw random sentences from the project, so that a fresh reader can judge the English.

    python docs/sample_sentences.py [--seed 1]

Prints 100 numbered sentences without their context: 30 from the docs, 30 docstrings, 20 messages
and help lines, and 20 from the page, the lessons and the lab's reports.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "mineproof"
STATIC = SOURCE / "web" / "static"
CODE_FOLDERS = ("src", "tests", "benchmarks", "training", "examples")
REPORT_FILES = ("lab/report*.py", "lab/verdicts.py", "lab/differences.py", "lab/trends.py")
SHORTEST, LONGEST = 4, 60
"""The number of words per sentence. Shorter texts are labels; longer ones are not sentences."""
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*(\[\"])")
_PARAGRAPH = re.compile(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", re.M)
_NOT_PROSE = ("|", "#", "<", "!", ">")
_TAG = re.compile(r"<[^>]+>")
_TEXT_NODE = re.compile(r">([^<>]+)<")
_SCRIPT_TEXT = re.compile(r"'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`")


def main() -> None:
    """Print the sentences for a seed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    choice = random.Random(parser.parse_args().seed)
    drawn: list[str] = []
    for source, count in ((docs, 30), (docstrings, 30), (messages, 20), (page_texts, 20)):
        drawn += choice.sample(sorted(set(source())), count)
    choice.shuffle(drawn)
    for number, sentence in enumerate(drawn, 1):
        print(f"{number:3}. {sentence}")


def docs() -> Iterator[str]:
    """Yield the sentences of the Markdown pages, without code, tables, headings and pictures.

    The page of all names is left out, because it consists of docstrings.
    """
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.M)
        for paragraph in _PARAGRAPH.split(text) if path.name != "api.md" else []:
            lines = [line for line in paragraph.split("\n") if not line.startswith(_NOT_PROSE)]
            yield from sentences(" ".join(lines))


def docstrings() -> Iterator[str]:
    """Yield the sentences in the first paragraph of every docstring, including constants."""
    for path in _python_files(*CODE_FOLDERS):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            body = getattr(node, "body", None)
            for one in body if isinstance(body, list) else []:
                if isinstance(one, ast.Expr) and (text := _constant(one.value)):
                    yield from sentences(text.split("\n\n")[0])


def messages() -> Iterator[str]:
    """Yield error messages, and the help lines of commands and options."""
    for path in _python_files("src"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                yield from sentences(_text_of(node.exc.args[0]))
            if isinstance(node, ast.keyword) and node.arg in ("help", "epilog"):
                yield from sentences(_text_of(node.value))


def page_texts() -> Iterator[str]:
    """Yield the sentences of the page, the lessons and the lab's reports."""
    for lesson in tomllib.loads((SOURCE / "service/lessons.toml").read_text("utf-8"))["lesson"]:
        yield from sentences(lesson["text"])
    for text in _TEXT_NODE.findall((STATIC / "index.html").read_text("utf-8")):
        yield from sentences(text)
    for path in sorted(STATIC.glob("js/*.js")):
        for plain, template in _SCRIPT_TEXT.findall(path.read_text("utf-8")):
            if "=>" not in (text := plain or template) and re.match(r"[A-Z].* .*[a-z].* ", text):
                yield from sentences(text)
    for path in (path for pattern in REPORT_FILES for path in sorted(SOURCE.glob(pattern))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield from sentences(_text_of(node))


def sentences(text: str) -> Iterator[str]:
    """Split text into sentences, and skip those that are too short or too long to judge."""
    for one in _END.split(_TAG.sub("", " ".join(text.split()))):
        if SHORTEST <= len(one.split()) <= LONGEST:
            yield one


def _python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _text_of(node: ast.expr) -> str:
    """Return the text of a string, with `{}` for the values of an f-string."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_constant(one) or "{}" for one in node.values)
    return _constant(node)


if __name__ == "__main__":
    main()
