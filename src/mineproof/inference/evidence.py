"""What a piece of knowledge rests on: clues, earlier findings, the mine count."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.core.decision import Reason
from mineproof.core.grid import Grid


class Evidence(NamedTuple):
    """What a sentence or a clause rests on, through all of its parents."""

    clues: tuple[int, ...]
    """The opened cells whose clues were used."""
    known: tuple[int, ...]
    """The cells whose value was known before and was used: mines taken off, safe cells left out."""
    uses_mine_count: bool

    def reason(self, text: str, grid: Grid) -> Reason:
        """Put words and evidence together."""
        return Reason(
            text,
            clues=tuple(map(grid.cell, self.clues)),
            conclusions=tuple(map(grid.cell, self.known)),
            uses_mine_count=self.uses_mine_count,
        )


def first_origin(clue: int | None, taken: tuple[int, ...], grid: Grid) -> str:
    """Say in words where knowledge without parents comes from: a clue, or the mine count."""
    if clue is None:
        return f"the mine count with {len(taken)} cells known" if taken else "the mine count"
    known = ", ".join(str(grid.cell(index)) for index in taken)
    return f"the clue at {grid.cell(clue)}" + (f" with {known} known" if taken else "")
