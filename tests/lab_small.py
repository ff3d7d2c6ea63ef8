"""Small experiments for the tests of the lab."""

from __future__ import annotations

from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment
from mineproof.lab.work import ChunkAnswer


def small(name: str = "small", **changes: object) -> Experiment:
    given: dict[str, object] = {"agents": ("basic",), "rules": {"level": "beginner"}, "games": 5}
    return Experiment(name, "Small", "?", **(given | changes))  # type: ignore[arg-type]


def every(_chunk: Chunk, _answer: ChunkAnswer) -> bool:
    return True
