"""A knowledge base of clauses: insertion, subsumption, unit propagation and matching.

`kb0` holds the single literals that are known, `kb` the clauses of two and more. The base is
kept reduced at all times: no clause in `kb` mentions a known cell, and none is weaker than
another. Matching `kb` with `kb0` is therefore done at each insertion (that is what unit
propagation is); matching within `kb` takes pairs in which one clause has exactly two literals,
so that a resolvent is never longer than the longer of the two.

Clauses are indexed by literal: no step looks at all pairs.
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
"""Matching stops while `kb` is larger than this; up to expert boards it stays below 5,000."""

Index = dict[Literal, dict[Literals, Clause]]


class Unit(NamedTuple):
    """A cell that turned out safe or mined, and the single-literal clause that says so."""

    cell_index: int
    mined: bool
    clause: Clause


class ClauseBase:
    """`kb` and `kb0`, reduced after every insertion.

    `tell` and `note` take in what is seen, `match_pairs` resolves within `kb`; the single literals
    that come out are in `kb0`, and `take_units` hands them over once.

    A contradiction (the empty clause, from unreliable clues taken as true) is dropped and counted.
    """

    def __init__(self) -> None:
        """Start with no knowledge."""
        self.kb: dict[Literals, Clause] = {}
        self.kb0: dict[Literal, Clause] = {}
        self.contradictions = 0
        self.inserted = 0
        """How many clauses ever came into `kb`."""
        self.subsumed = 0
        """How many were left out or dropped because a stricter one is there."""
        self.weaker: list[tuple[Literals, Literals]] = []
        """Those since the list was last cleared, each with the stricter one."""
        self.resolvents = 0
        """How many `match_pairs` has resolved."""
        self.largest = 0
        """The most clauses in `kb` at a time."""
        self._holding: Index = {}
        self._pairs: Index = {}
        self._by_least: Index = {}
        self._queue: deque[Clause] = deque()
        self._fresh: dict[Literals, Clause] = {}
        self._units: list[Unit] = []

    def note(self, index: int, mined: bool) -> bool:
        """Take in a cell that was seen to be safe or mined; False if it was thought otherwise."""
        seen = literal(index, mined)
        if seen in self.kb0:
            return True
        surprise = self.kb0.pop(-seen, None) is not None
        self.contradictions += surprise
        self._assume(Clause(frozenset((seen,)), clue=index))
        self._insert_queued()
        return not surprise

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Insert how many of the cells are mines; known cells are taken out first.

        Args:
            cells: the cells, known ones among them.
            bounds: the least and the most number of mines.
            clue: the cell whose clue says so; None for the mine count.
        """
        mines = sum(map(self.is_mine, cells))
        unknown = [index for index in cells if not self.is_known(index)]
        taken = tuple(index for index in cells if self.is_known(index))
        left = Bounds(bounds.least - mines, bounds.most - mines)
        self.insert(Clause(literals, (), clue, taken) for literals in clauses_of(unknown, left))

    def insert(self, clauses: Iterable[Clause]) -> None:
        """Insert clauses, and whatever units follow from them."""
        self._queue.extend(clauses)
        self._insert_queued()

    def is_known(self, index: int) -> bool:
        """Return whether `kb0` has a literal of this cell."""
        return index + 1 in self.kb0 or -index - 1 in self.kb0

    def is_mine(self, index: int) -> bool:
        """Return whether `kb0` has the literal that this cell is a mine."""
        return index + 1 in self.kb0

    def take_units(self) -> list[Unit]:
        """Return the units found since the last call."""
        units, self._units = self._units, []
        return units

    def match_pairs(self) -> None:
        """Resolve each pair with a two-literal clause that was not resolved yet.

        This is one round: what it inserts waits for the next. It ends early with a unit, for
        then there is a move to make. At the fixpoint `inserted` and `kb0` do not grow any more.
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
        """Resolve a clause with all two-literal ones, or with all if it has two itself."""
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
        """Reduce a clause by `kb0`, then put it where it belongs: `kb0`, `kb`, or away."""
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
        """Strip all literals that `kb0` makes false at once; None if it makes one true."""
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
        """Return the clause itself if `kb` has it, or a stricter one that `kb` has; else None.

        Each clause is filed under its least literal: one that lies inside is found by it.
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
        """Move a unit into `kb0`: what it satisfies goes, what it shortens is inserted anew."""
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
        """List where a clause is filed."""
        entries = [(self._holding, mark) for mark in literals]
        if len(literals) == 2:
            entries += [(self._pairs, mark) for mark in literals]
        entries.append((self._by_least, min(literals)))
        return entries
