"""A knowledge base of clauses: insertion, subsumption, unit propagation and matching.

`kb0` holds the known single literals, `kb` the clauses with two or more. The base is always
reduced: no clause in `kb` mentions a known cell, and none is weaker than another. So every
insertion matches `kb` with `kb0` (unit propagation). Matching within `kb` only resolves pairs in
which one clause has exactly two literals, so that a resolvent is never longer than the longer of
the two.

Clauses are indexed by literal, so that no step looks at all pairs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mineproof.core.clues import Bounds
from mineproof.inference.clauses import (
    Clause,
    Literal,
    Literals,
    cell_of,
    clauses_of,
    literal,
    resolve,
)

MOST_CLAUSES = 20_000
"""No pairs are matched while `kb` has more clauses than this. Expert boards need under 5,000."""

Index = dict[Literal, dict[Literals, Clause]]


class Unit(NamedTuple):
    """A cell found to be safe or a mine, and the single-literal clause that says so."""

    cell_index: int
    mined: bool
    clause: Clause


class ClauseBase:
    """`kb` and `kb0`, reduced after every insertion.

    `tell` and `note` record observations, and `match_pairs` resolves within `kb`. The resulting
    single literals are in `kb0`; `take_units` returns each of them once.

    If unreliable clues are treated as true, they can lead to a contradiction (the empty clause).
    Contradictions are only counted.
    """

    def __init__(self) -> None:
        """Start with no knowledge."""
        self.kb: dict[Literals, Clause] = {}
        self.kb0: dict[Literal, Clause] = {}
        self.contradictions = 0
        self.inserted = 0
        """Number of clauses ever added to `kb`."""
        self.subsumed = 0
        """Number of clauses skipped or dropped because `kb` has a stricter clause."""
        self.weaker: list[tuple[Literals, Literals]] = []
        """Pairs of a dropped clause and the stricter one, since the list was last cleared."""
        self.resolvents = 0
        """Number of resolvents that `match_pairs` has derived."""
        self.largest = 0
        """The largest number of clauses in `kb` so far."""
        self._holding: Index = {}
        self._pairs: Index = {}
        self._by_least: Index = {}
        self._queue: deque[Clause] = deque()
        self._fresh: dict[Literals, Clause] = {}
        self._units: list[Unit] = []

    def note(self, index: int, mined: bool) -> bool:
        """Record a cell seen to be safe or a mine; return False if it contradicts the base."""
        seen = literal(index, mined)
        if seen in self.kb0:
            return True
        surprise = self.kb0.pop(-seen, None) is not None
        self.contradictions += surprise
        self._assume(Clause(frozenset((seen,)), clue=index))
        self._insert_queued()
        return not surprise

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Record how many of the cells are mines. Known cells are removed first.

        Args:
            cells: the cells, including known ones.
            bounds: the minimum and maximum number of mines.
            clue: the cell that shows the clue; None for the mine count.
        """
        mines = sum(map(self.is_mine, cells))
        unknown = [index for index in cells if not self.is_known(index)]
        taken = tuple(index for index in cells if self.is_known(index))
        left = Bounds(bounds.least - mines, bounds.most - mines)
        self.insert(Clause(literals, (), clue, taken) for literals in clauses_of(unknown, left))

    def insert(self, clauses: Iterable[Clause]) -> None:
        """Insert clauses, and all units that follow from them."""
        self._queue.extend(clauses)
        self._insert_queued()

    def is_known(self, index: int) -> bool:
        """Return whether `kb0` has a literal for this cell."""
        return index + 1 in self.kb0 or -index - 1 in self.kb0

    def is_mine(self, index: int) -> bool:
        """Return whether `kb0` says that this cell is a mine."""
        return index + 1 in self.kb0

    def take_units(self) -> list[Unit]:
        """Return the units found since the last call."""
        units, self._units = self._units, []
        return units

    def match_pairs(self) -> None:
        """Resolve each new pair of clauses in which at least one has two literals.

        This is one round. Clauses that it inserts wait for the next round. The round ends early if
        it finds a unit, because then there is a move to make. At the fixpoint `inserted` and `kb0`
        stop growing.
        """
        known = len(self.kb0)
        waiting, self._fresh = self._fresh, {}
        for clause in tuple(waiting.values()):
            if len(self.kb0) > known or len(self.kb) > MOST_CLAUSES:
                break
            del waiting[clause.literals]
            if self._holds(clause):
                self.insert(self._resolvents(clause))
        self._fresh.update((key, one) for key, one in waiting.items() if self._holds(one))

    def _resolvents(self, clause: Clause) -> list[Clause]:
        """Resolve a two-literal clause with all clauses, a longer one with two-literal clauses."""
        partners = self._holding if len(clause.literals) == 2 else self._pairs
        found = []
        for mark in sorted(clause.literals):
            for other in partners.get(-mark, {}).values():
                literals = resolve(clause.literals, other.literals)
                if literals is not None:
                    found.append(Clause(literals, (clause, other)))
        self.resolvents += len(found)
        return found

    def _holds(self, clause: Clause) -> bool:
        return self.kb.get(clause.literals) is clause

    def _insert_queued(self) -> None:
        while self._queue:
            self._insert(self._queue.popleft())

    def _insert(self, clause: Clause) -> None:
        """Reduce a clause by `kb0`, then add it to `kb0` or `kb`, or drop it."""
        reduced = self._reduce(clause)
        if reduced is None:
            return
        if not reduced.literals:
            self.contradictions += 1
        elif len(reduced.literals) == 1:
            (mark,) = reduced.literals
            self._units.append(Unit(cell_of(mark), mark > 0, reduced))
            self._assume(reduced)
        elif (other := self._stricter(reduced.literals)) is not None:
            self._note_weaker(reduced.literals, other)
        else:
            self._drop_weaker(reduced.literals)
            self._store(reduced)

    def _reduce(self, clause: Clause) -> Clause | None:
        """Remove the literals that `kb0` makes false; return None if `kb0` makes a literal true."""
        kb0 = self.kb0
        false = []
        for mark in clause.literals:
            if mark in kb0:
                return None
            if -mark in kb0:
                false.append(mark)
        if not false:
            return clause
        units = tuple(kb0[-mark] for mark in sorted(false))
        return Clause(clause.literals.difference(false), (clause, *units))

    def _stricter(self, literals: Literals) -> Literals | None:
        """Return an equal or stricter clause of `kb`, if there is one.

        Clauses are indexed by their smallest literal, so that the subsets of a clause are found
        quickly.
        """
        if literals in self.kb:
            return literals
        filed = self._by_least
        inside = (one for mark in literals for one in filed.get(mark, ()) if one < literals)
        return next(inside, None)

    def _note_weaker(self, weaker: Literals, stricter: Literals) -> None:
        self.subsumed += 1
        self.weaker.append((weaker, stricter))

    def _drop_weaker(self, literals: Literals) -> None:
        fewest = min((self._holding.get(mark, {}) for mark in literals), key=len)
        weaker = [clause for other, clause in fewest.items() if literals < other]
        for clause in weaker:
            self._remove(clause)
            self._note_weaker(clause.literals, literals)

    def _assume(self, unit: Clause) -> None:
        """Add a unit to `kb0`: drop the clauses it satisfies, reinsert those it shortens."""
        (mark,) = unit.literals
        self.kb0[mark] = unit
        for clause in tuple(self._holding.get(mark, {}).values()):
            self._remove(clause)
        for clause in tuple(self._holding.get(-mark, {}).values()):
            self._remove(clause)
            self._queue.append(clause)

    def _store(self, clause: Clause) -> None:
        literals = clause.literals
        self.kb[literals] = clause
        for index, mark in self._entries(literals):
            index.setdefault(mark, {})[literals] = clause
        self._fresh[literals] = clause
        self.inserted += 1
        self.largest = max(self.largest, len(self.kb))

    def _remove(self, clause: Clause) -> None:
        literals = clause.literals
        del self.kb[literals]
        for index, mark in self._entries(literals):
            del index[mark][literals]
        self._fresh.pop(literals, None)

    def _entries(self, literals: Literals) -> list[tuple[Index, Literal]]:
        """Return the indexes and keys under which a clause is stored."""
        entries = [(self._holding, mark) for mark in literals]
        if len(literals) == 2:
            entries += [(self._pairs, mark) for mark in literals]
        entries.append((self._by_least, min(literals)))
        return entries
