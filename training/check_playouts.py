"""Compare the GPU's playouts with the core's, in positions from `make_states.py check`.

    python training/make_states.py check --seconds 20 --layouts 32 --repeats 8 --out check
    python training/check_playouts.py check

Both always open the safest cell. For each pair of candidates of a position, the script compares the
differences that both find. The slope and the correlation, corrected for noise, should be near 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from data import CANDIDATE, POSITION


def main() -> None:
    """Read all files in a folder and print the statistics."""
    native, device = [], []
    for name in sorted(Path(sys.argv[1]).glob("*.positions")):
        counts = np.fromfile(name, POSITION)["candidates"].astype(np.int64)
        owner = np.repeat(np.arange(len(counts)), counts)
        ours = np.fromfile(name.with_suffix(".candidates"), CANDIDATE)["worth"]
        theirs = np.fromfile(name.with_suffix(".worth"), "<f4").reshape(-1, 2)
        for values, rows in ((ours, native), (theirs, device)):
            sums = np.zeros((len(counts), 2))
            np.add.at(sums, owner, values)
            rows.append(np.c_[values - (sums / counts[:, None])[owner], values])
    a, b = np.concatenate(native), np.concatenate(device)
    first, second = (a[:, 0] * a[:, 1]).mean(), (b[:, 0] * b[:, 1]).mean()
    both = (a[:, :2].mean(1) * b[:, :2].mean(1)).mean()
    print(f"{len(a)} candidates; mean value {a[:, 2:].mean():.4f} and {b[:, 2:].mean():.4f}")
    for what, rows, true in (("core", a, first), ("GPU", b, second)):
        noise = (rows[:, 0] - rows[:, 1]).std() / 2
        print(f"{what}: true spread {max(true, 0) ** 0.5:.4f}, noise {noise:.4f}")
    print(f"correlation {both / (first * second) ** 0.5:.3f}, slope {both / first:.3f}")


if __name__ == "__main__":
    main()
