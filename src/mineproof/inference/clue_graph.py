"""The clues as a graph: which clues still constrain cells, and which clues are connected.

Each clue is a statement about its unknown neighbours: between `least` and `most` of them are mines.
Two clues that share an unknown cell are neighbours in the graph. Its components share only the mine
count, so each can be searched separately.

The graph is updated as cells are opened and settled. Only clues near a change are read again, and
only their components are rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.core.clues import EXACT, EXPLODED, UNOPENED, ClueRule
from mineproof.core.rules import PublicRules

MINE_COUNT = -1
"""Used instead of a clue's index if the constraint is the mine count of the whole board."""
NOTHING: Mapping[int, bool] = {}


class Statement(NamedTuple):
    """A clue's statement that between `least` and `most` of the cells are mines."""

    clue: int
    """The cell of the clue, or `MINE_COUNT`."""
    cells: tuple[int, ...]
    least: int
    most: int

    @property
    def decided(self) -> bool | None:
        """False if no cell is a mine (case A), True if all are (case B), else None (case C)."""
        if self.most == 0:
            return False
        return True if self.least == len(self.cells) else None


def read_clue(
    rule: ClueRule,
    shown: bytes,
    clue: int,
    near: Sequence[int],
    known: Mapping[int, bool] = NOTHING,
) -> Statement:
    """Return what a clue says about its unknown neighbours.

    Args:
        rule: the clue rule.
        shown: the codes of all cells, as in an observation.
        clue: the opened cell.
        near: its neighbours.
        known: the values of cells that are known (True for a mine).
    """
    mines, unknown = 0, []
    for index in near:
        code = shown[index]
        mined = known.get(index) if code == UNOPENED else code == EXPLODED
        if mined is None:
            unknown.append(index)
        else:
            mines += mined
    least, most = rule.bounds(shown[clue], len(near))
    return Statement(clue, tuple(unknown), max(least - mines, 0), min(most - mines, len(unknown)))


@dataclass(frozen=True, eq=False)
class ClueComponent:
    """Constraints that are connected by shared cells. Components are compared by identity."""

    constraints: tuple[Statement, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The unknown cells, in increasing order."""
        return tuple(sorted({cell for one in self.constraints for cell in one.cells}))


class ClueGraph:
    """What the clues of a position still say, given the settled cells.

    `known` holds the values of settled cells that are not opened (True for a mine). `constraints`
    holds what each clue says about the other cells. A clue that contradicts `known` has no
    constraint.
    """

    def __init__(self, rules: PublicRules, *, trust: bool = True) -> None:
        """Start an empty graph.

        Args:
            rules: the size of the board and the clue rule.
            trust: treat every clue as true, even if the rule makes clues unreliable.
        """
        self.shown = bytes([UNOPENED]) * rules.grid.size
        """The code of each cell, as in an observation."""
        self.known: dict[int, bool] = {}
        self.constraints: dict[int, Statement] = {}
        self.ignored: set[int] = set()
        """Clues to ignore because they contradict others."""
        self._grid = rules.grid
        self._rule = EXACT if trust else rules.clues
        self._component_of: dict[int, ClueComponent] = {}
        self._loose: dict[int, None] = {}

    def update(self, shown: bytes, changes: Iterable[int]) -> list[int]:
        """Update the shown cells; return the clues that must be read again."""
        self.shown = shown
        stale: dict[int, None] = {}
        for index in changes:
            self.known.pop(index, None)
            stale[index] = None
            stale.update(dict.fromkeys(self._grid.neighbours(index)))
        return [index for index in stale if shown[index] < UNOPENED]

    def settle(self, index: int, mined: bool) -> list[int]:
        """Record that a cell is safe or a mine; return the clues that must be read again."""
        self.known[index] = mined
        return [near for near in self._grid.neighbours(index) if near in self.constraints]

    def ignore(self, clue: int) -> None:
        """Ignore a clue from now on."""
        self.ignored.add(clue)
        self.read(clue)

    def read(self, clue: int) -> Statement | None:
        """Read a clue again and return its statement; None if it says nothing."""
        constraint = None if clue in self.ignored else self._constraint(clue)
        if constraint == self.constraints.get(clue):
            return constraint
        self._loosen(clue)
        if constraint is None:
            self.constraints.pop(clue, None)
            self._loose.pop(clue, None)
        else:
            self.constraints[clue] = constraint
            self._loose[clue] = None
        return constraint

    def settled_around(self, clue: int, *, mined: bool) -> list[int]:
        """Return a clue's unopened neighbours that are known mines, or those known to be safe."""
        return [i for i in self._grid.neighbours(clue) if self.known.get(i) is mined]

    def mine_count(self, mines: int) -> Statement | None:
        """Return the mine count as a constraint on all unknown cells; None if impossible."""
        left = mines - self.shown.count(EXPLODED) - sum(self.known.values())
        unknown = tuple(
            index
            for index, code in enumerate(self.shown)
            if code == UNOPENED and index not in self.known
        )
        if not unknown or not 0 <= left <= len(unknown):
            return None
        return Statement(MINE_COUNT, unknown, left, left)

    def components(self) -> list[ClueComponent]:
        """Return the components. An unchanged component is the same object as before."""
        while self._loose:
            self._gather(next(iter(self._loose)))
        return list(dict.fromkeys(self._component_of.values()))

    def _constraint(self, clue: int) -> Statement | None:
        if self.shown[clue] >= UNOPENED:
            return None
        found = read_clue(self._rule, self.shown, clue, self._grid.neighbours(clue), self.known)
        says_nothing = found.least == 0 and found.most == len(found.cells)
        return None if found.least > found.most or says_nothing else found

    def _loosen(self, clue: int) -> None:
        """Dissolve the component of a clue."""
        component = self._component_of.get(clue)
        if component is not None:
            for one in component.constraints:
                if self._component_of.pop(one.clue, None) is not None:
                    self._loose[one.clue] = None

    def _gather(self, start: int) -> None:
        """Build the component of a clue from all clues connected to it."""
        reached = {start: None}
        cells: set[int] = set()
        pending = [start]
        while pending:
            for cell in self.constraints[pending.pop()].cells:
                if cell in cells:
                    continue
                cells.add(cell)
                new = [
                    near
                    for near in self._grid.neighbours(cell)
                    if near in self.constraints and near not in reached
                ]
                reached.update(dict.fromkeys(new))
                pending.extend(new)
        component = ClueComponent(tuple(self.constraints[clue] for clue in sorted(reached)))
        for clue in reached:
            self._component_of[clue] = component
            self._loose.pop(clue, None)
