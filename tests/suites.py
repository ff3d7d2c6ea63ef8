"""The position suites in `positions/`, with their exact answers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts
from mineproof.notation.position_text import parse_positions

FOLDER = Path(__file__).parents[1] / "positions"


class Answer(NamedTuple):
    """A line of a `.counts` file."""

    layouts: int
    safe: int
    mined: int
    least: float


def positions(name: str) -> list[Observation]:
    """Return the positions of a suite."""
    return parse_positions((FOLDER / f"{name}.mine").read_text("utf-8"))


def answers(name: str) -> list[Answer]:
    """Return the answers of a suite."""
    lines = (FOLDER / f"{name}.counts").read_text("utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return [Answer(int(row[0]), int(row[1]), int(row[2]), float(row[3])) for row in rows]


def check(facts: Facts, answer: Answer) -> None:
    """Check the facts of a position against the stored answer."""
    others = set(facts.observation.unopened).difference(facts.mined)
    assert facts.layouts == answer.layouts
    assert (len(facts.safe), len(facts.mined)) == (answer.safe, answer.mined)
    least = min((facts.risk[index] for index in others), default=1.0)
    assert math.isclose(least, answer.least, rel_tol=1e-12, abs_tol=1e-12)
