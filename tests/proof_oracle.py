"""Proofs in small positions by brute force, using all placements of mines on the unopened cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from layout_oracle import clue_weight

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.observation import Observation

Sentence = tuple[frozenset[int], int, int]
"""Cells, and the minimum and maximum number of mines among them."""


class ProofOracle:
    """All placements of mines on the unopened cells. Bits of an integer stand for placements."""

    def __init__(self, observation: Observation) -> None:
        """Compute which placements each clue and the mine count allow."""
        self.observation = observation
        cells = observation.unopened
        placements = [
            frozenset(cell for bit, cell in enumerate(cells) if number >> bit & 1)
            for number in range(1 << len(cells))
        ]
        self.every = (1 << len(placements)) - 1
        self.mined = {
            cell: sum(1 << n for n, mines in enumerate(placements) if cell in mines)
            for cell in cells
        }
        self.allowed = {
            clue: self._allowed(clue, placements)
            for clue, code in enumerate(observation.shown)
            if code < UNOPENED
        }
        left = None if observation.rules.mines is None else observation.rules.mines
        hits = observation.hits
        self.counted = sum(
            1 << n for n, mines in enumerate(placements) if left in (None, len(mines) + hits)
        )

    def _allowed(self, clue: int, placements: Sequence[frozenset[int]]) -> int:
        seen = self.observation
        near = seen.grid.neighbours(clue)
        hits = sum(seen.shown[i] == EXPLODED for i in near)
        model, code, degree = seen.rules.clues, seen.shown[clue], len(near)
        return sum(
            1 << number
            for number, mines in enumerate(placements)
            if clue_weight(model, code, hits + len(mines.intersection(near)), degree)
        )

    def best(self, target: int, mined: bool) -> tuple[tuple[int, ...], bool] | None:
        """Return the fewest clues that prove a cell, and whether the mine count is needed."""
        other = self.every & ~self.mined[target] if mined else self.mined[target]
        for uses_count in (False, True):
            start = other & (self.counted if uses_count else self.every)
            for size in range(len(self.allowed) + 1):
                found = [c for c in combinations(self.allowed, size) if not self._left(start, c)]
                if found:
                    return min(found, key=self._key), uses_count
        return None

    def _left(self, placements: int, clues: Iterable[int]) -> int:
        for clue in clues:
            placements &= self.allowed[clue]
        return placements

    def _key(self, clues: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        rows = [clue // self.observation.rules.columns for clue in clues] or [0]
        columns = [clue % self.observation.rules.columns for clue in clues] or [0]
        height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        return height * width, tuple(sorted(clues))

    # ---- kinds of reasoning

    def follows(self, placements: int) -> dict[int, bool]:
        """Return the cells that have the same value in all of these placements."""
        found = {}
        for cell, mined in self.mined.items():
            if not placements & ~mined:
                found[cell] = True
            elif not placements & mined:
                found[cell] = False
        return found

    def knowing(self, known: dict[int, bool]) -> int:
        """Return the placements that fit the known cells."""
        placements = self.every
        for cell, mined in known.items():
            placements &= self.mined[cell] if mined else ~self.mined[cell]
        return placements

    def closure(self, together: int) -> dict[int, bool]:
        """Return the cells that follow from groups of this many clues and the known cells."""
        known: dict[int, bool] = {}
        while True:
            before = len(known)
            for clues in combinations(self.allowed, together):
                known.update(self.follows(self._left(self.knowing(known), clues)))
            if len(known) == before:
                return known

    def group_closure(self) -> dict[int, bool]:
        """Return the cells that follow from pairs of sentences, including their differences.

        This works only for exact clues.
        """
        known: dict[int, bool] = {}
        sentences = {self._sentence(clue) for clue in self.allowed}
        while True:
            before = len(known), sentences
            sentences = {reduced for one in sentences for reduced in _without(one, known)}
            sentences |= {new for a in sentences for b in sentences for new in _more(a, b)}
            for one in sentences:
                for other in sentences:
                    known.update(_together(one, other))
            if before == (len(known), sentences):
                return known

    def _sentence(self, clue: int) -> Sentence:
        seen = self.observation
        near = seen.grid.neighbours(clue)
        left = seen.shown[clue] - sum(seen.shown[i] == EXPLODED for i in near)
        return frozenset(i for i in near if seen.shown[i] == UNOPENED), left, left


def _without(one: Sentence, known: dict[int, bool]) -> Iterator[Sentence]:
    cells, least, most = one
    mines = sum(known.get(cell, False) for cell in cells)
    left = cells.difference(known)
    if left:
        yield left, least - mines, most - mines


def _more(one: Sentence, other: Sentence) -> Iterator[Sentence]:
    if other[0] < one[0]:
        yield one[0] - other[0], one[1] - other[2], one[2] - other[1]


def _together(one: Sentence, other: Sentence) -> dict[int, bool]:
    cells = sorted(one[0] | other[0])
    found: list[dict[int, bool]] = []
    for number in range(1 << len(cells)):
        values = {cell: bool(number >> bit & 1) for bit, cell in enumerate(cells)}
        if all(
            least <= sum(values[cell] for cell in inside) <= most
            for inside, least, most in (one, other)
        ):
            found.append(values)
    return {cell: found[0][cell] for cell in cells if len({one[cell] for one in found}) == 1}
