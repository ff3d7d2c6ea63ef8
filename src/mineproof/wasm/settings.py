"""Limits and settings for questions to the WebAssembly core."""

from __future__ import annotations

import struct

from mineproof.wasm.border import ask, counted, drop, expect, pack

_GUESS = "<diiqqdddiI"


class Limits:
    """The limits for one answer: nodes, seconds and bytes of memory."""

    def __init__(
        self, nodes: int = 1000000, seconds: float | None = None, memory: int | None = None
    ) -> None:
        """Check and store the limits."""
        self.flat = pack(
            "<q?d?q",
            *(nodes, seconds is not None, 0.0 if seconds is None else seconds),
            *(memory is not None, 0 if memory is None else memory),
        )
        ask("check_limits", self.flat)


class Evaluation:
    """A trained estimate of the chance of winning."""

    number = 0

    def __init__(self, data: bytes) -> None:
        """Read the weights."""
        (self.number,) = struct.unpack("<I", ask("evaluation", counted(data)))

    def __del__(self) -> None:
        """Free the evaluation in the core."""
        drop(self.number)


class GuessSettings:
    """The settings for choosing a guess."""

    def __init__(
        self,
        endgame_layouts: float = 10000000000000.0,
        endgame_cells: int = 500,
        layouts: int = 2000,
        endgame_work: int = 200000,
        look_work: int = 2000000,
        reach: float = 0.85,
        inner_reach: float = 0.9,
        margin: float = 0.08,
        finalists: int = 8,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Check and store the settings."""
        if evaluation is not None:
            expect(Evaluation, evaluation)
        self._evaluation = evaluation  # a reference, so that the core does not free it
        self.flat = pack(
            _GUESS,
            *(endgame_layouts, endgame_cells, layouts, endgame_work, look_work),
            *(reach, inner_reach, margin, finalists, evaluation.number if evaluation else 0),
        )
        ask("check_settings", self.flat)
        values = struct.unpack(_GUESS, self.flat)
        self.endgame_layouts, self.endgame_cells, self.layouts = values[:3]
        self.endgame_work, self.look_work = values[3:5]
        self.reach, self.inner_reach, self.margin, self.finalists = values[5:9]


class DeepSettings:
    """The settings for choosing a guess by playouts."""

    def __init__(
        self,
        fast: GuessSettings,
        wide: GuessSettings,
        endgame: GuessSettings,
        playout: GuessSettings,
        candidates: int,
        doubt: float,
    ) -> None:
        """Check and store the settings."""
        self._settings = (fast, wide, endgame, playout)
        for each in self._settings:
            expect(GuessSettings, each)
        parts = [each.flat for each in self._settings]
        self.flat = b"".join([*parts, pack("<id", candidates, doubt)])
        ask("check_deep_settings", self.flat)
