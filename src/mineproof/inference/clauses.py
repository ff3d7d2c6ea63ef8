"""Knowledge as clauses: a knowledge base in conjunctive normal form, and resolution.

A literal says that a cell is mined or safe, a clause is a disjunction of literals, and the base
is the conjunction of its clauses. A clue becomes clauses of two families, those that say
"enough mines" and those that say "not too many". New clauses arise by resolution:

    (A or B) and (not A or C)  give  (B or C)

`clause_base` keeps clauses and finds pairs; the words here are those of the Capstone report.

Cells are indices in row order. A literal is `index + 1` for a mine and `-(index + 1)` for a safe
cell, so that its negation is its negative, as in the DIMACS format. Every clause remembers what
it was made from, so that each finding can be explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from mineproof.core.clues import Bounds
from mineproof.core.grid import Grid
from mineproof.inference.knowledge import Derived, first_origin

Literal = int
Literals = frozenset[int]


def literal(index: int, mined: bool) -> Literal:
    """Return the literal that says that a cell is mined, or safe."""
    return index + 1 if mined else -index - 1


def cell_of(one: Literal) -> int:
    """Return the index of the cell that a literal speaks of."""
    return abs(one) - 1


class Clause(Derived):
    """At least one of the literals is true; without a literal it is a contradiction."""

    __slots__ = ("literals",)
    parents: tuple[Clause, ...]

    def __init__(
        self,
        literals: Literals,
        parents: tuple[Clause, ...] = (),
        clue: int | None = None,
        taken: tuple[int, ...] = (),
    ) -> None:
        """State a clause.

        Args:
            literals: what it says.
            parents: the clauses it was resolved from; none for a clue or the mine count.
            clue: the opened cell whose clue it comes from; of a single literal that was seen,
                the cell itself.
            taken: cells next to the clue that were known when it was read.
        """
        self.literals = literals
        super().__init__(parents, clue, taken)

    @property
    def finding(self) -> tuple[int, ...]:
        """The cell of a single literal."""
        return tuple(map(cell_of, self.literals)) if len(self.literals) == 1 else ()

    def __repr__(self) -> str:
        """Write the clause with literals as numbers."""
        return f"Clause({sorted(self.literals)})"


def clauses_of(cells: Sequence[int], bounds: Bounds) -> Iterator[Literals]:
    """Write a number of mines among cells as clauses of both families.

    At least n of m are mines: any m - n + 1 of them hold one. At most n are: any n + 1 hold a
    safe one. With n = m or n = 0 these are single literals.
    """
    least, most = bounds
    size = len(cells)
    if least > 0:
        positive = [literal(index, True) for index in cells]
        yield from map(frozenset, combinations(positive, max(size - least + 1, 0)))
    if most < size:
        negative = [literal(index, False) for index in cells]
        yield from map(frozenset, combinations(negative, max(most + 1, 0)))


def clause_count(size: int, bounds: Bounds) -> int:
    """Return how many clauses `clauses_of` gives for so many cells."""
    least, most = bounds
    positive = comb(size, max(size - least + 1, 0)) if least > 0 else 0
    return positive + (comb(size, max(most + 1, 0)) if most < size else 0)


def resolve(one: Literals, other: Literals) -> Literals | None:
    """Resolve two clauses with exactly one complementary pair; None where they have not.

    With two pairs the resolvent would be always true.
    """
    pairs = [mark for mark in one if -mark in other]
    if len(pairs) != 1:
        return None
    return (one | other) - {pairs[0], -pairs[0]}


def origin(clause: Clause, grid: Grid) -> str:
    """Describe which step gave a clause."""
    if clause.parents:
        first, *others = (f"[{text(parent.literals, grid)}]" for parent in clause.parents)
        return f"{first} resolved with {' and '.join(others)}"
    if clause.clue is not None and clause.clue in map(cell_of, clause.literals):
        return "the opened cell itself"
    return first_origin(clause.clue, clause.taken, grid)


def text(literals: Literals, grid: Grid) -> str:
    """Write a clause in words, such as `mine (0, 1) or safe (0, 2)`."""
    words = (
        f"{'mine' if mark > 0 else 'safe'} {grid.cell(cell_of(mark))}"
        for mark in sorted(literals, key=abs)
    )
    return " or ".join(words) or "a contradiction"
