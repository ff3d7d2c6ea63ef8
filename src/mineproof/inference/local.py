"""Deduction from single clues, one at a time, until nothing more follows.

A single clue decides most cells of a game: either all its mines are found, or all its other
unopened neighbours are mines. `settle` applies this rule until nothing more follows, so that the
exact engine only has to count the rest. The rule also holds for unreliable clues, which allow a
range of true counts.
"""

from __future__ import annotations

from collections import defaultdict

from mineproof.core.clues import EXPLODED, UNOPENED, ClueRule, Weights
from mineproof.core.grid import Grid


class ImpossibleError(Exception):
    """No layout fits the position; `inference.contradiction` finds out why.

    If clues contradict each other, `cell` is near them.
    """

    def __init__(self, cell: int = 0) -> None:
        """Record where the contradiction was found."""
        super().__init__(cell)
        self.cell = cell


class Settled:
    """The clues and unopened cells of a position. Cells that single clues prove are settled.

    Attributes:
        near: for each unsettled cell next to clues, those clues in increasing order.
        left: for each clue, the unsettled cells around it.
        found: for each clue, the number of mines around it that are shown or settled.
        weights: for each clue, its weight for each true count.
        interior: the cells that touch no clue.
        safe: the settled cells that are safe.
        mined: the settled cells that are mines.
    """

    __slots__ = ("found", "interior", "left", "mined", "near", "safe", "weights")

    def __init__(self) -> None:
        """Start without cells; `settle` adds them."""
        self.near: dict[int, list[int]] = {}
        self.left: dict[int, list[int]] = defaultdict(list)
        self.found: dict[int, int] = defaultdict(int)
        self.weights: dict[int, Weights] = {}
        self.interior: list[int] = []
        self.safe: list[int] = []
        self.mined: list[int] = []

    def decide(self, cell: int, mined: bool) -> list[int]:
        """Settle a cell; return the clues around it, which must be read again."""
        clues = self.near.pop(cell)
        for clue in clues:
            self.left[clue].remove(cell)
            self.found[clue] += mined
        (self.mined if mined else self.safe).append(cell)
        return clues


def settle(shown: bytes, grid: Grid, rule: ClueRule, watched: int | None = None) -> Settled:
    """Read the clues of a position and settle the cells that single clues prove.

    Args:
        shown: the codes of all cells, as in an observation.
        grid: the geometry of the board.
        rule: the clue rule.
        watched: an opened cell without a clue, to be treated as a clue that allows any count.

    Raises:
        ImpossibleError: a clue cannot be true.
    """
    settled = _read(shown, grid, watched)
    _weigh(settled, shown, grid, rule)
    if watched is not None:
        settled.weights[watched] = (1,) * (len(grid.neighbours(watched)) + 1)
    pending = list(settled.left)
    while pending:
        clue = pending.pop()
        verdict = _verdict(settled, clue)
        if verdict is not None:
            for cell in tuple(settled.left[clue]):
                pending += settled.decide(cell, verdict)
    return settled


def _read(shown: bytes, grid: Grid, watched: int | None) -> Settled:
    settled = Settled()
    near, left, interior = settled.near, settled.left, settled.interior
    codes = bytearray(shown)
    if watched is not None:
        codes[watched] = 0
    neighbours = grid.neighbours
    for cell, code in enumerate(codes):
        if code == UNOPENED:
            clues = [clue for clue in neighbours(cell) if codes[clue] < UNOPENED]
            if clues:
                near[cell] = clues
            else:
                interior.append(cell)
    for cell, clues in near.items():
        for clue in clues:
            left[clue].append(cell)
    mine = shown.find(EXPLODED)
    while mine >= 0:
        for clue in neighbours(mine):
            settled.found[clue] += 1
        mine = shown.find(EXPLODED, mine + 1)
    return settled


def _weigh(settled: Settled, shown: bytes, grid: Grid, rule: ClueRule) -> None:
    """Look up the weights of all clues, and check those without unopened neighbours."""
    left, found, weights = settled.left, settled.found, settled.weights
    for clue, code in enumerate(shown):
        if code < UNOPENED and (clue in left or code != found.get(clue, 0)):
            degree = len(grid.neighbours(clue))
            weights[clue] = rule.weights(code, degree)
            if clue not in left and not weights[clue][found[clue]]:
                raise ImpossibleError(clue)


def _verdict(settled: Settled, clue: int) -> bool | None:
    """Return True if a clue proves all its cells to be mines, False if safe, otherwise None.

    Raises:
        ImpossibleError: the clue has too few cells left, or too many mines.
    """
    found, cells = settled.found[clue], len(settled.left[clue])
    possible = settled.weights[clue][found : found + cells + 1]
    least = next((count for count, weight in enumerate(possible) if weight), None)
    if least is None:
        raise ImpossibleError(clue)
    if cells and least == cells:
        return True
    return False if cells and not any(possible[1:]) else None
