"""Knowledge as clauses: conjunctive normal form and resolution.

A literal says that a cell is a mine or safe, a clause is a disjunction of literals, and a knowledge
base is the conjunction of its clauses. A clue becomes two families of clauses: "enough mines" and
"not too many". Resolution derives new clauses:

    (A or B) and (not A or C)  give  (B or C)

`clause_base` stores clauses and finds pairs to resolve. The terms are those of the Capstone report.

Cells are indices in row order. A literal is `index + 1` for a mine and `-(index + 1)` for a safe
cell, so that negating a literal negates the number, as in the DIMACS format. Every clause records
its origin, so that each finding can be explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from mineproof.core.clues import Bounds
from mineproof.core.grid import Grid
from mineproof.inference.knowledge import Derived, first_origin

Literal = int
Literals = frozenset[int]


def literal(index: int, mined: bool) -> Literal:
    """Return the literal for "this cell is a mine" or "this cell is safe"."""
    return index + 1 if mined else -index - 1


def cell_of(one: Literal) -> int:
    """Return the index of a literal's cell."""
    return abs(one) - 1


@dataclass(eq=False, slots=True, repr=False)
class Clause(Derived):
    """A statement that at least one literal is true. The empty clause is a contradiction.

    A single literal that was observed has its own cell as `clue`.
    """

    literals: Literals
    parents: tuple[Clause, ...] = field(default=(), kw_only=True)

    @property
    def finding(self) -> tuple[int, ...]:
        """The cell of the literal, if the clause has only one literal."""
        return tuple(map(cell_of, self.literals)) if len(self.literals) == 1 else ()

    def __repr__(self) -> str:
        """Return the clause with literals as numbers."""
        return f"Clause({sorted(self.literals)})"


def clauses_of(cells: Sequence[int], bounds: Bounds) -> Iterator[Literals]:
    """Yield the clauses that state how many cells of a set are mines.

    If at least n of m cells are mines, any m - n + 1 of them include a mine. If at most n are
    mines, any n + 1 of them include a safe cell. With n = m or n = 0 these are single literals.
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
    """Return the number of clauses that `clauses_of` yields for `size` cells."""
    least, most = bounds
    positive = comb(size, max(size - least + 1, 0)) if least > 0 else 0
    return positive + (comb(size, max(most + 1, 0)) if most < size else 0)


def resolve(one: Literals, other: Literals) -> Literals | None:
    """Resolve two clauses on a complementary pair; return None unless they have exactly one.

    With two pairs, the resolvent would always be true.
    """
    pairs = [mark for mark in one if -mark in other]
    if len(pairs) != 1:
        return None
    return (one | other) - {pairs[0], -pairs[0]}


def origin(clause: Clause, grid: Grid) -> str:
    """Describe how a clause was derived."""
    if clause.parents:
        first, *others = (f"[{text(parent.literals, grid)}]" for parent in clause.parents)
        return f"{first} resolved with {' and '.join(others)}"
    if clause.clue is not None and clause.clue in map(cell_of, clause.literals):
        return "the opened cell itself"
    return first_origin(clause.clue, clause.taken, grid)


def text(literals: Literals, grid: Grid) -> str:
    """Return a clause in words, such as `mine (0, 1) or safe (0, 2)`."""
    words = (
        f"{'mine' if mark > 0 else 'safe'} {grid.cell(cell_of(mark))}"
        for mark in sorted(literals, key=abs)
    )
    return " or ".join(words) or "a contradiction"
