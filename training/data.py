"""Training data from `states.cpp` and `playouts.cu` (see `states.hpp`), on the device."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

SCALARS, SIDE, KINDS = 35, 9, 11
CELLS = SIDE * SIDE
AFTER_SCALARS, AFTER_SIDE, VALUES = 9, 5, 9
AFTER_CELLS = AFTER_SIDE * AFTER_SIDE
SURVIVAL, HIDDEN, TO_ROW, TO_COLUMN = 3, 11, 19, 20
CHANCE, BEST = 0, 1

POSITION = np.dtype(
    [("candidates", "u1"), ("level", "u1"), ("task", "u1"), ("_", "u1"), ("game", "<u4")]
)
CANDIDATE = np.dtype(
    [
        *(("scalar", "<f4", SCALARS), ("safety", "<f4"), ("worth", "<f4", 2)),
        *(("kind", "u1", CELLS), ("risk", "u1", CELLS), ("shown", "u1"), ("_", "u1")),
    ]
)
SHOWN = np.dtype(
    [("scalar", "<f4", AFTER_SCALARS), ("risk", "u1", AFTER_CELLS), ("value", "u1"), ("_", "u1", 2)]
)


class Batch(NamedTuple):
    """The candidates of some positions."""

    owner: torch.Tensor
    """For each candidate, the index of its position."""
    counts: torch.Tensor
    """For each position, the number of its candidates."""
    scalar: torch.Tensor
    safety: torch.Tensor
    kind: torch.Tensor
    risk: torch.Tensor
    worth: torch.Tensor
    """Two values for each candidate, from different layouts."""
    shown_of: torch.Tensor
    """For each shown value, the index of its candidate."""
    shown_scalar: torch.Tensor
    shown_risk: torch.Tensor
    shown_value: torch.Tensor


class States:
    """All positions of some files, with their candidates and the values that these can show."""

    def __init__(self, names: list[Path], device: torch.device) -> None:
        """Read data files. Files whose tasks were not played are left out."""
        parts = [part for part in map(read, names) if part is not None]
        positions = np.concatenate([part[0] for part in parts])
        self.device = device
        self.levels = torch.tensor(positions["level"], device=device)
        self.is_task = torch.tensor(positions["task"] != 0, device=device)
        self.games = positions["game"]
        self.counts = torch.tensor(positions["candidates"].astype(np.int64), device=device)
        self.begin = torch.cumsum(self.counts, 0) - self.counts
        candidates = [part[1] for part in parts]
        self.scalar = self._gather(candidates, "scalar")
        self.safety = self._gather(candidates, "safety")
        self.kind = self._gather(candidates, "kind")
        self.risk = self._gather(candidates, "risk")
        self.worth = self._gather(candidates, "worth")
        self.shown = self._gather(candidates, "shown").long()
        self.shown_begin = torch.cumsum(self.shown, 0) - self.shown
        shown = [part[2] for part in parts]
        self.shown_scalar = self._gather(shown, "scalar")
        self.shown_risk = self._gather(shown, "risk")
        self.shown_value = self._gather(shown, "value")

    def _gather(self, parts: list[np.ndarray], field: str) -> torch.Tensor:
        columns = [np.ascontiguousarray(part[field]) for part in parts]
        return torch.cat([torch.from_numpy(column).to(self.device) for column in columns])

    def batch(self, positions: torch.Tensor) -> Batch:
        """Return the candidates of some positions."""
        counts = self.counts[positions]
        rows, owner = spread(self.begin[positions], counts)
        shown, shown_of = spread(self.shown_begin[rows], self.shown[rows])
        return Batch(
            *(owner, counts, self.scalar[rows], self.safety[rows], self.kind[rows]),
            *(self.risk[rows], self.worth[rows], shown_of, self.shown_scalar[shown]),
            *(self.shown_risk[shown], self.shown_value[shown]),
        )


def spread(begin: torch.Tensor, counts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return all row numbers in several ranges, and for each row the index of its range."""
    owner = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
    ends = torch.cumsum(counts, 0)
    at = torch.arange(len(owner), device=counts.device) - (ends - counts)[owner]
    return begin[owner] + at, owner


def read(name: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Read a data file and the values of its tasks."""
    positions = np.fromfile(name.with_suffix(".positions"), POSITION)
    candidates = np.fromfile(name.with_suffix(".candidates"), CANDIDATE)
    shown = np.fromfile(name.with_suffix(".shown"), SHOWN)
    worth = name.with_suffix(".worth")
    is_task = np.repeat(positions["task"] != 0, positions["candidates"])
    if len(is_task) != len(candidates) or candidates["shown"].sum() != len(shown):
        return None  # the file is incomplete
    if is_task.any():
        if not worth.exists():
            return None
        candidates["worth"][is_task] = np.fromfile(worth, "<f4").reshape(-1, 2)
    return positions, candidates, shown


def inside(values: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Return values minus the mean of their position."""
    sums = torch.zeros(len(batch.counts), device=values.device).index_add_(0, batch.owner, values)
    return values - (sums / batch.counts)[batch.owner]
