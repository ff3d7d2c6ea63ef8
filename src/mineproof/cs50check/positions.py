"""Random positions on small boards, and how to make a telling one smaller."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

Cell = tuple[int, int]
SIZES = ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (1, 8), (2, 6))


@dataclass(frozen=True)
class Position:
    """A board with its mines, and the safe cells that are opened, in order."""

    height: int
    width: int
    mines: frozenset[Cell]
    opened: tuple[Cell, ...]

    def clue(self, cell: Cell) -> int:
        """Count the mines around a cell."""
        i, j = cell
        near = itertools.product(range(i - 1, i + 2), range(j - 1, j + 2))
        return sum(other in self.mines for other in near if other != cell)


def random_positions(count: int, seed: int) -> Iterator[Position]:
    """Give random positions, the same for the same seed."""
    stream = random.Random(seed)
    for _ in range(count):
        yield random_position(stream, *stream.choice(SIZES), stream.uniform(0.1, 0.4))


def random_position(stream: random.Random, height: int, width: int, density: float) -> Position:
    """Deal a board and open some of its safe cells."""
    cells = list(itertools.product(range(height), range(width)))
    stream.shuffle(cells)
    mines = max(1, round(density * len(cells)))
    safe = cells[mines:]
    opened = safe[: stream.randint(1, len(safe))]
    return Position(height, width, frozenset(cells[:mines]), tuple(opened))


def shrink(position: Position, is_telling: Callable[[Position], bool]) -> Position:
    """Leave out opened cells for as long as the position stays telling."""
    smaller = True
    while smaller:
        smaller = False
        for place in range(len(position.opened)):
            opened = position.opened[:place] + position.opened[place + 1 :]
            candidate = replace(position, opened=opened)
            if opened and is_telling(candidate):
                position, smaller = candidate, True
                break
    return position
