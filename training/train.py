"""Train the evaluation of guesses on what `make_states.py` wrote; needs torch and numpy.

    python training/train.py states/*.states --out src/mineproof/search/evaluation.bin

A tenth of the positions is kept aside. The last lines say what the evaluation gains on them
over the best survival of two guesses: the difference of the playouts' values, in all and by
the share of cells that are hidden.
"""

from __future__ import annotations

import argparse
import struct
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

SCALARS, SIDE, KINDS, LAYOUTS = 35, 7, 11, 2
CELLS = SIDE * SIDE
SURVIVAL, HIDDEN, TO_ROW, TO_COLUMN = 3, 11, 19, 20
CANDIDATE = np.dtype(
    [
        ("scalar", "<f4", SCALARS),
        ("kind", "u1", CELLS),
        ("risk", "u1", CELLS),
        ("worth", "<f4", LAYOUTS),
    ]
)


class States:
    """All candidates of all positions, position after position."""

    def __init__(self, files: list[Path], device: torch.device) -> None:
        """Read files; one that was cut off counts as far as it goes."""
        parts, counts, levels = zip(*(read(file) for file in files), strict=True)
        rows = np.concatenate(parts)
        self.counts = np.concatenate(counts)
        self.levels = np.concatenate(levels)
        self.first = np.concatenate([[0], np.cumsum(self.counts)[:-1]])
        self.scalar = torch.tensor(np.ascontiguousarray(rows["scalar"]), device=device)
        self.kind = torch.tensor(np.ascontiguousarray(rows["kind"]), device=device)
        self.risk = torch.tensor(np.ascontiguousarray(rows["risk"]), device=device)
        self.worth = torch.tensor(rows["worth"].mean(1), device=device)
        self.device = device

    def rows(self, states: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Give the rows of some positions, and for each which of the positions it is of."""
        counts = self.counts[states]
        owner = np.repeat(np.arange(len(states)), counts)
        begin = np.cumsum(counts) - counts
        rows = self.first[states][owner] + np.arange(len(owner)) - begin[owner]
        return torch.tensor(rows, device=self.device), torch.tensor(owner, device=self.device)


def read(file: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Read the candidates of a file, how many each position has, and the positions' levels."""
    data = np.fromfile(file, dtype=np.uint8)
    at, heads = 0, []
    while at < len(data):
        end = at + 2 + int(data[at]) * CANDIDATE.itemsize
        if end > len(data):
            break
        heads.append(at)
        at = end
    places = np.array(heads, dtype=np.int64)
    keep = np.ones(at, dtype=bool)
    keep[places] = keep[places + 1] = False
    rows = data[:at][keep].view(CANDIDATE)
    return rows, data[places].astype(np.int64), data[places + 1]


class Net(nn.Module):
    """A row of weights for each cell and kind, for each risk and number; then two layers."""

    def __init__(self, width: int, inner: int, mean: torch.Tensor, spread: torch.Tensor) -> None:
        """Set up weights that change nothing: every position is left to the survival."""
        super().__init__()
        self.pattern = nn.EmbeddingBag(CELLS * KINDS, width, mode="sum")
        nn.init.normal_(self.pattern.weight, std=0.03)
        self.risk = nn.Linear(CELLS, width)
        self.scalar = nn.Linear(SCALARS, width)
        self.second = nn.Linear(width, inner)
        self.last = nn.Linear(inner, 1)
        nn.init.zeros_(self.last.weight)
        self.register_buffer("base", torch.arange(CELLS) * KINDS)
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    def forward(self, scalar: torch.Tensor, kind: torch.Tensor, risk: torch.Tensor) -> torch.Tensor:
        """Estimate the chances to win."""
        sums = self.scalar((scalar - self.mean) / self.spread)
        sums = sums + self.pattern(kind.long() + self.base) + self.risk(risk.float() / 255)
        inner = torch.relu(self.second(torch.relu(sums)))
        return scalar[:, SURVIVAL] * torch.sigmoid(self.last(inner)[:, 0])

    def begin(self, data: bytes) -> None:
        """Take over the weights of an evaluation in the form MINEVAL1, of the same widths."""
        numbers = torch.tensor(np.frombuffer(data[16:], "<f4").copy())
        width, inner = self.second.in_features, self.second.out_features
        shapes = [(CELLS * KINDS, width), (CELLS, width), (SCALARS, width), (width,)]
        shapes += [(inner, width + 1), (inner + 1,)]
        parts = torch.split(numbers, [int(np.prod(shape)) for shape in shapes])
        pattern, risk, scalar, constant, second, last = (
            part.view(shape) for part, shape in zip(parts, shapes, strict=True)
        )
        mean, spread = self.mean.cpu(), self.spread.cpu()
        with torch.no_grad():
            self.pattern.weight.copy_(pattern)
            self.risk.weight.copy_(risk.T)
            self.risk.bias.zero_()
            self.scalar.weight.copy_((scalar * spread[:, None]).T)
            self.scalar.bias.copy_(constant + (mean[:, None] * scalar).sum(0))
            self.second.weight.copy_(second[:, :-1])
            self.second.bias.copy_(second[:, -1])
            self.last.weight.copy_(last[None, :-1])
            self.last.bias.copy_(last[-1:])

    def data(self) -> bytes:
        """Write the weights in the form MINEVAL1."""
        scalar = self.scalar.weight.T / self.spread[:, None]
        constant = self.scalar.bias + self.risk.bias - (self.mean[:, None] * scalar).sum(0)
        second = torch.cat([self.second.weight, self.second.bias[:, None]], 1)
        last = torch.cat([self.last.weight[0], self.last.bias])
        parts = (self.pattern.weight, self.risk.weight.T, scalar, constant, second, last)
        weights = [part.detach().cpu().numpy().astype("<f4").tobytes() for part in parts]
        widths = struct.pack("<II", self.second.in_features, self.second.out_features)
        return b"MINEVAL1" + widths + b"".join(weights)


def symmetries(device: torch.device) -> list[tuple[torch.Tensor, bool]]:
    """Give the eight ways to turn a pattern: where cells come from, and if rows are columns."""
    grid = np.arange(CELLS).reshape(SIDE, SIDE)
    turned = [(np.rot90(grid, turns), turns % 2 == 1) for turns in range(4)]
    turned += [(pattern.T, not swaps) for pattern, swaps in turned]
    return [
        (torch.tensor(pattern.flatten().copy(), device=device), swaps) for pattern, swaps in turned
    ]


def inside(values: torch.Tensor, owner: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Give values less the mean of their position."""
    sums = torch.zeros(len(counts), device=values.device).index_add_(0, owner, values)
    return values - (sums / counts)[owner]


def train(net: Net, states: States, chosen: np.ndarray, options: argparse.Namespace) -> None:
    """Fit the differences within a position, and, with less weight, the values themselves."""
    random = np.random.default_rng(options.seed)
    turns = symmetries(states.device)
    steps = options.epochs * -(-len(chosen) // options.batch)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, total_steps=steps)
    began = time.time()
    for epoch in range(options.epochs):
        total = 0.0
        order = random.permutation(chosen)
        for at in range(0, len(order), options.batch):
            some = order[at : at + options.batch]
            rows, owner = states.rows(some)
            counts = torch.tensor(states.counts[some], device=states.device).float()
            turn, swaps = turns[random.integers(8)]
            scalar = states.scalar[rows]
            if swaps:
                scalar[:, [TO_ROW, TO_COLUMN]] = scalar[:, [TO_COLUMN, TO_ROW]]
            guess = net(scalar, states.kind[rows][:, turn], states.risk[rows][:, turn])
            error = guess - states.worth[rows]
            loss = (inside(error, owner, counts) ** 2).mean() + options.level * (error**2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(some)
        print(f"epoch {epoch}: loss {total / len(order):.5f}, {time.time() - began:.0f} s")


def assess(net: Net, states: States, chosen: np.ndarray) -> None:
    """Print what the evaluation gains over survival on positions it was not trained on."""
    rows, owner = states.rows(chosen)
    with torch.no_grad():
        parts = [
            net(states.scalar[some], states.kind[some], states.risk[some])
            for some in rows.split(65536)
        ]
    estimate = torch.cat(parts).cpu().numpy()
    worth = states.worth[rows].cpu().numpy()
    scalar = states.scalar[rows].cpu().numpy()
    owners = owner.cpu().numpy()
    begin = np.searchsorted(owners, np.arange(len(chosen)))
    ours = np.lexsort((-estimate, owners))[begin]
    theirs = np.lexsort((-scalar[:, SURVIVAL], owners))[begin]
    gain = worth[ours] - worth[theirs]
    hidden, level = scalar[begin, HIDDEN], states.levels[chosen]

    def say(what: str, which: np.ndarray) -> None:
        if which.sum() > 100:
            mean, error = gain[which].mean(), gain[which].std() / which.sum() ** 0.5
            print(f"{what}: {which.sum()} positions, gain {mean:+.5f} (se {error:.5f})")

    say("all", np.ones(len(chosen), dtype=bool))
    for name, number in (
        ("expert", 0),
        ("expert opening", 1),
        ("intermediate", 2),
        ("beginner", 3),
    ):
        say(name, level == number)
    for low, high in ((0.9, 1.1), (0.8, 0.9), (0.5, 0.8), (0.2, 0.5), (0.0, 0.2)):
        phase = (level == 0) & (low <= hidden) & (hidden < high)
        say(f"expert, {low:.0%} to {min(high, 1):.0%} hidden", phase)


def main() -> None:
    """Read, train, assess, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--inner", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.3)
    parser.add_argument("--level", type=float, default=0.01, help="weight of the values themselves")
    parser.add_argument("--begin", type=Path, help="go on from this evaluation")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    states = States(options.files, device)
    print(f"{len(states.counts)} positions, {len(states.worth)} candidates, on {device}")
    aside = np.arange(len(states.counts)) % 10 == 0
    mean, spread = states.scalar.mean(0), states.scalar.std(0) + 1e-6
    net = Net(options.width, options.inner, mean, spread).to(device)
    if options.begin is not None:
        net.begin(options.begin.read_bytes())
    train(net, states, np.flatnonzero(~aside), options)
    assess(net, states, np.flatnonzero(aside))
    options.out.write_bytes(net.data())
    print(f"{options.out}: {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
