"""Train the evaluation of guesses on the data of `make_states.py`; needs torch and numpy.

    python training/train.py states --out src/mineproof/search/evaluation.bin

One game in twenty is held out. The last lines show, for the held-out positions and by phase, how
much the evaluation gains over a choice by the chance of surviving two guesses. They also show
how well differences between candidates are predicted, by the evaluation and by survival. This is
their correlation with the true differences, corrected for the noise of playouts.
"""

from __future__ import annotations

import argparse
import math
import struct
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from data import (
    AFTER_CELLS,
    AFTER_SCALARS,
    AFTER_SIDE,
    BEST,
    CELLS,
    CHANCE,
    HIDDEN,
    KINDS,
    SCALARS,
    SIDE,
    SURVIVAL,
    TO_COLUMN,
    TO_ROW,
    VALUES,
    Batch,
    States,
    inside,
)
from torch import nn

LATE_WEIGHT = 0.2
"""The weight of a position with few playouts, relative to one with many."""


class Net(nn.Module):
    """Rows of weights for all features, summed, followed by two layers for each shown value."""

    def __init__(self, width: int, inner: int, states: States) -> None:
        """Initialise weights that have no effect, so that survival alone decides."""
        super().__init__()
        self.pattern = nn.Parameter(torch.randn(CELLS * KINDS, width) * 0.03)
        self.risk = nn.Parameter(torch.randn(CELLS, width) * 0.03)
        self.scalar = nn.Linear(SCALARS, width)
        self.value = nn.Parameter(torch.zeros(VALUES, width))
        self.after = nn.Linear(AFTER_SCALARS, width, bias=False)
        self.after_risk = nn.Parameter(torch.randn(AFTER_CELLS, width) * 0.03)
        self.second = nn.Linear(width, inner)
        self.last = nn.Linear(inner, 1)
        nn.init.zeros_(self.last.weight)
        for name, rows in (("scalar", states.scalar), ("after", states.shown_scalar)):
            some = rows[:: max(1, len(rows) // 1_000_000)]
            self.register_buffer(f"{name}_mean", some.mean(0))
            self.register_buffer(f"{name}_spread", some.std(0) + 1e-3)
        self.register_buffer("kinds", torch.arange(KINDS, dtype=torch.uint8))
        self.register_buffer("values", torch.arange(VALUES, dtype=torch.uint8))

    def forward(self, batch: Batch) -> torch.Tensor:
        """Estimate the chances of winning."""
        kinds = (batch.kind[:, :, None] == self.kinds).flatten(1).float()
        sums = self.scalar((batch.scalar - self.scalar_mean) / self.scalar_spread)
        sums = sums + kinds @ self.pattern + batch.risk.float() / 255 @ self.risk
        after = self.after((batch.shown_scalar - self.after_mean) / self.after_spread)
        after = after + (batch.shown_value[:, None] == self.values).float() @ self.value
        after = after + batch.shown_risk.float() / 255 @ self.after_risk
        inner = torch.relu(self.second(torch.relu(sums[batch.shown_of] + after)))
        survival = batch.shown_scalar[:, CHANCE] * batch.shown_scalar[:, BEST]
        worth = survival * torch.sigmoid(self.last(inner)[:, 0])
        total = torch.zeros(len(batch.safety), device=worth.device)
        return batch.safety * total.index_add_(0, batch.shown_of, worth)

    def _parts(self) -> list[torch.Tensor]:
        scalar = self.scalar.weight.T / self.scalar_spread[:, None]
        after = self.after.weight.T / self.after_spread[:, None]
        constant = self.scalar.bias - (self.scalar_mean[:, None] * scalar).sum(0)
        constant = constant - (self.after_mean[:, None] * after).sum(0)
        rows = [self.pattern, self.risk, scalar, constant, self.value, after, self.after_risk]
        return [*rows, self.second.weight.T, self.second.bias, self.last.weight[0], self.last.bias]

    def data(self) -> bytes:
        """Return the weights in the format MINEVAL3."""
        weights = [part.detach().cpu().numpy().astype("<f2").tobytes() for part in self._parts()]
        widths = struct.pack("<II", self.second.in_features, self.second.out_features)
        return b"MINEVAL3" + widths + b"".join(weights)

    def begin(self, data: bytes) -> None:
        """Copy the weights of an evaluation in the format MINEVAL3, with the same widths."""
        numbers = torch.tensor(
            np.frombuffer(data[16:], "<f2").astype("f4"), device=self.pattern.device
        )
        parts = torch.split(numbers, [part.numel() for part in self._parts()])
        parts = [part.view(own.shape) for part, own in zip(parts, self._parts(), strict=True)]
        pattern, risk, scalar, constant, value, after, after_risk, second, bias, last, end = parts
        constant = constant + (self.scalar_mean[:, None] * scalar).sum(0)
        constant = constant + (self.after_mean[:, None] * after).sum(0)
        with torch.no_grad():
            self.pattern.copy_(pattern)
            self.risk.copy_(risk)
            self.scalar.weight.copy_((scalar * self.scalar_spread[:, None]).T)
            self.scalar.bias.copy_(constant)
            self.value.copy_(value)
            self.after.weight.copy_((after * self.after_spread[:, None]).T)
            self.after_risk.copy_(after_risk)
            self.second.weight.copy_(second.T)
            self.second.bias.copy_(bias)
            self.last.weight.copy_(last[None])
            self.last.bias.copy_(end)


def symmetries(side: int, device: torch.device) -> list[torch.Tensor]:
    """Return eight symmetries as lists of source indices.

    Those with an odd index swap rows and columns.
    """
    grid = np.arange(side * side).reshape(side, side)
    turned = [np.rot90(grid, turns) for turns in range(4)]
    turned += [np.rot90(grid, turns).T for turns in (1, 0, 3, 2)]
    return [torch.tensor(pattern.flatten().copy(), device=device) for pattern in turned]


def turn(batch: Batch, number: int, wide: torch.Tensor, near: torch.Tensor) -> Batch:
    """Apply a symmetry to the patterns of a batch."""
    scalar = batch.scalar
    if number % 2:
        scalar = scalar.clone()
        scalar[:, [TO_ROW, TO_COLUMN]] = scalar[:, [TO_COLUMN, TO_ROW]]
    return batch._replace(
        scalar=scalar,
        kind=batch.kind[:, wide],
        risk=batch.risk[:, wide],
        shown_risk=batch.shown_risk[:, near],
    )


def train(net: Net, states: States, chosen: torch.Tensor, options: argparse.Namespace) -> None:
    """Fit the differences within a position and, with less weight, the values themselves."""
    wide, near = symmetries(SIDE, states.device), symmetries(AFTER_SIDE, states.device)
    random = np.random.default_rng(options.seed)
    steps = options.epochs * -(-len(chosen) // options.batch)
    learning = (
        [*net.second.parameters(), *net.last.parameters()] if options.top else net.parameters()
    )
    optimizer = torch.optim.AdamW(learning, lr=options.rate, weight_decay=options.decay)
    weights = torch.where(states.is_task, 1.0, LATE_WEIGHT)
    began, step = time.time(), 0
    for epoch in range(options.epochs):
        total = torch.zeros((), device=states.device)
        order = chosen[torch.randperm(len(chosen), device=states.device)]
        for some in order.split(options.batch):
            took = time.time() - began
            share = took / options.seconds if options.seconds else step / steps
            if share >= 1:
                return
            for group in optimizer.param_groups:
                group["lr"] = options.rate * rate(share)
            step += 1
            number = random.integers(8)
            batch = turn(states.batch(some), number, wide[number], near[number])
            weight = weights[some][batch.owner]
            error = net(batch) - batch.worth.mean(1)
            loss = (weight * (inside(error, batch) ** 2 + options.level * error**2)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach() * len(some)
        print(f"epoch {epoch}: loss {total.item() / len(order):.7f}, {took:.0f} s", flush=True)


def rate(share: float) -> float:
    """Return the learning rate at this share of the training: first rising, then falling to 0."""
    rise = 0.1
    if share < rise:
        return share / rise
    return (1 + math.cos(math.pi * (share - rise) / (1 - rise))) / 2


class Report:
    """Statistics of the estimates for held-out positions."""

    def __init__(self, net: Net, states: States, chosen: torch.Tensor) -> None:
        """Estimate all candidates."""
        columns: list[list[torch.Tensor]] = [[] for _ in range(7)]
        with torch.no_grad():
            for some in chosen.split(8192):
                batch = states.batch(some)
                estimate, survival = net(batch), batch.scalar[:, SURVIVAL]
                first, second = inside(batch.worth[:, 0], batch), inside(batch.worth[:, 1], batch)
                worth = batch.worth.mean(1)
                gain = best(worth, estimate, batch) - best(worth, survival, batch)
                hidden = best(batch.scalar[:, HIDDEN], survival, batch)
                row = (inside(estimate, batch), inside(survival, batch), first, second)
                for column, part in zip(
                    columns, (*row, some[batch.owner], gain, hidden), strict=True
                ):
                    column.append(part)
        joined = [torch.cat(column) for column in columns]
        self._estimate, self._survival, self._first, self._second = joined[:4]
        self._level, self._gain, self._hidden = states.levels[chosen], joined[5], joined[6]
        lookup = torch.zeros(len(states.counts), dtype=torch.long, device=states.device)
        lookup[chosen] = torch.arange(len(chosen), device=states.device)
        self._position = lookup[joined[4]]

    def say(self, what: str, which: torch.Tensor) -> None:
        """Print a line about some of the positions."""
        count = int(which.sum())
        if count < 500:
            return
        rows = which[self._position]
        first, second = self._first[rows], self._second[rows]
        true = (first * second).mean().clamp(min=1e-9).sqrt()
        noise = ((first - second) ** 2).mean().sqrt() / 2
        both = (first + second) / 2
        tie = [
            ((values[rows] * both).mean() / (true * (values[rows] ** 2).mean().sqrt())).item()
            for values in (self._survival, self._estimate)
        ]
        gain = self._gain[which]
        error = (gain.std() / count**0.5).item()
        print(
            f"{what}: {count} positions, gain {gain.mean().item():+.5f} (se {error:.5f}), "
            f"true spread {true.item():.4f}, noise {noise.item():.4f}, "
            f"correlation {tie[1]:.3f} (survival {tie[0]:.3f})",
            flush=True,
        )

    def say_all(self) -> None:
        """Print all statistics by level and, for expert games, by phase."""
        self.say("all", self._level >= 0)
        names = ("expert", "expert opening", "intermediate", "beginner")
        for number, name in enumerate(names):
            self.say(name, self._level == number)
        cells = self._hidden * 480
        limits = (480, 465, 440, 380, 300, 200, 120, 80, 40, 0)
        for high, low in pairwise(limits):
            phase = (self._level < 2) & (low <= cells) & (cells < high)
            self.say(f"expert, {low} to {high} unknown", phase)


def best(values: torch.Tensor, by: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Return, for each position, the value of the candidate that another score ranks first."""
    order = torch.argsort(by, descending=True, stable=True)
    order = order[torch.argsort(batch.owner[order], stable=True)]
    return values[order[torch.cumsum(batch.counts, 0) - batch.counts]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--inner", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seconds", type=float, help="train for this long instead")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.05)
    parser.add_argument("--level", type=float, default=0.01, help="weight of the values")
    parser.add_argument("--begin", type=Path, help="continue from this evaluation")
    parser.add_argument("--top", action="store_true", help="do not change the first layer")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.seconds:
        options.epochs = 1_000_000
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    began = time.time()
    names = sorted(name for folder in options.folders for name in folder.glob("*.positions"))
    states = States(names, device)
    took = time.time() - began
    print(f"{len(states.counts)} positions, {len(states.safety)} candidates, {took:.0f} s")
    aside = torch.tensor(states.games % 20 == 0, device=device)
    net = Net(options.width, options.inner, states).to(device)
    if options.begin is not None:
        net.begin(options.begin.read_bytes())
    if options.epochs > 0:
        train(net, states, torch.nonzero(~aside)[:, 0], options)
    Report(net, states, torch.nonzero(aside)[:, 0]).say_all()
    options.out.write_bytes(net.data())
    print(f"{options.out}: {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
