"""A knowledge base of clauses: insertion, subsumption, unit propagation and matching.

The terms are those of the Capstone report. `kb` holds clauses. A single literal waits there until
its cell is opened or marked; then `settle` moves it to `kb0`, the literals of such cells. A new
clause is reduced by all of `kb0` and compared with all of `kb`, and a new single literal is
propagated into `kb`. Two kinds of matching are separate steps:

- `match_known` matches `kb` with `kb0`. This matters because a clause may mention a cell whose
  literal was still waiting when the clause was inserted.
- `match_pairs` matches pairs within `kb` in which one clause has exactly two literals, so that a
  resolvent is never longer than the longer of the two. If `all_pairs` is set, it matches all pairs.

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
MOST_ALL = 2000
"""With `all_pairs`, no two longer clauses are matched while `kb` has more clauses than this."""

Index = dict[Literal, dict[Literals, Clause]]


class Unit(NamedTuple):
    """A cell found to be safe or a mine, and the single-literal clause that says so."""

    cell_index: int
    mined: bool
    clause: Clause


class ClauseBase:
    """`kb` and `kb0`, with insertion and matching.

    `see` and `tell` record observations. New single literals wait in `kb`; `take_units` returns
    each of them once, and `settle` moves one to `kb0`.

    If unreliable clues are treated as true, they can lead to a contradiction (the empty clause).
    Contradictions are only counted.
    """

    def __init__(self, *, all_pairs: bool = False) -> None:
        """Start with no knowledge."""
        self.all_pairs = all_pairs
        self.kb: dict[Literals, Clause] = {}
        self.kb0: dict[Literal, Clause] = {}
        self.contradictions = 0
        self.inserted = 0
        """Number of clauses ever added to `kb`."""
        self.subsumed = 0
        """Number of clauses skipped or dropped because `kb` has a stricter clause."""
        self.weaker: list[tuple[Literals, Literals]] = []
        """Pairs of a dropped clause and the stricter one, since the turn started."""
        self.new: list[Clause] = []
        """Clauses added to `kb` since the turn started."""
        self.resolvents = 0
        """Number of resolvents that the two kinds of matching have derived."""
        self.largest = 0
        """The largest number of clauses in `kb` so far."""
        self._holding: Index = {}
        self._pairs: Index = {}
        self._by_least: Index = {}
        self._queue: deque[Clause] = deque()
        self._fresh: dict[Literals, Clause] = {}
        self._units: list[Unit] = []

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The numbers of clauses in `kb`, in `kb0` and ever added, which a fixpoint keeps."""
        return len(self.kb), len(self.kb0), self.inserted

    def start_turn(self) -> None:
        """Forget which clauses are new and which were found to be weaker."""
        self.new.clear()
        self.weaker.clear()

    def see(self, index: int, mined: bool) -> bool:
        """Record a cell seen to be safe or a mine; return False if it contradicts the base.

        Its literal waits in `kb` like any other.
        """
        seen = literal(index, mined)
        if seen in self.kb0 or frozenset((seen,)) in self.kb:
            return True
        believed = self.kb.get(frozenset((-seen,)))
        surprise = believed is not None or self.kb0.pop(-seen, None) is not None
        if believed is not None:
            self._remove(believed)
        self.contradictions += surprise
        self.insert([Clause(frozenset((seen,)), clue=index)])
        return not surprise

    def settle(self, index: int) -> None:
        """Move the waiting literal of a cell from `kb` to `kb0`: the cell is opened or marked."""
        for mark in (literal(index, False), literal(index, True)):
            unit = self.kb.get(frozenset((mark,)))
            if unit is not None:
                self._remove(unit)
                self.kb0[mark] = unit

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Record how many of the cells are mines. Cells in `kb0` are removed first.

        Args:
            cells: the cells, including known ones.
            bounds: the minimum and maximum number of mines.
            clue: the cell that shows the clue; None for the mine count.
        """
        mines = sum(map(self.is_mine, cells))
        unknown = [index for index in cells if not self.is_known(index)]
        taken = tuple(index for index in cells if self.is_known(index))
        left = Bounds(bounds.least - mines, bounds.most - mines)
        self.insert(
            Clause(literals, clue=clue, taken=taken) for literals in clauses_of(unknown, left)
        )

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

    def match_known(self) -> None:
        """Match `kb` with `kb0`: drop the clauses that are true, and shorten the others."""
        for mark in tuple(self.kb0):
            for clause in tuple(self._holding.get(mark, {}).values()):
                self._remove(clause)
            shortened = tuple(self._holding.get(-mark, {}).values())
            for clause in shortened:
                self._remove(clause)
            self.resolvents += len(shortened)
            self.insert(shortened)

    def match_pairs(self) -> None:
        """Resolve each new pair of clauses in which at least one has two literals, or all pairs.

        This is one round. Clauses that it inserts wait for the next round. The round ends early if
        it finds a unit, because then there is a move to make. At the fixpoint `inserted` stops
        growing.
        """
        units = len(self._units)
        waiting, self._fresh = self._fresh, {}
        for clause in tuple(waiting.values()):
            if len(self._units) > units or len(self.kb) > MOST_CLAUSES:
                break
            del waiting[clause.literals]
            if self._holds(clause):
                self.insert(self._resolvents(clause))
        self._fresh.update((key, one) for key, one in waiting.items() if self._holds(one))

    def _resolvents(self, clause: Clause) -> list[Clause]:
        """Resolve a two-literal clause with all clauses, a longer one with two-literal clauses.

        With `all_pairs`, longer clauses are also resolved with each other.
        """
        is_any = len(clause.literals) == 2 or (self.all_pairs and len(self.kb) <= MOST_ALL)
        partners = self._holding if is_any else self._pairs
        found = []
        for mark in sorted(clause.literals):
            for other in partners.get(-mark, {}).values():
                literals = resolve(clause.literals, other.literals)
                if literals is not None:
                    found.append(Clause(literals, parents=(clause, other)))
        self.resolvents += len(found)
        return found

    def _holds(self, clause: Clause) -> bool:
        return self.kb.get(clause.literals) is clause

    def _insert_queued(self) -> None:
        while self._queue:
            self._insert(self._queue.popleft())

    def _insert(self, clause: Clause) -> None:
        """Reduce a clause by `kb0`, then add it to `kb`, or drop it if `kb` says as much."""
        reduced = self._reduce(clause)
        if reduced is None:
            return
        literals = reduced.literals
        if not literals:
            self.contradictions += 1
        elif literals in self.kb:
            return
        elif (other := self._stricter(literals)) is not None:
            self._note_weaker(literals, other)
        else:
            self._drop_weaker(literals)
            self._store(reduced)
            if len(literals) == 1:
                self._propagate(reduced)

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
        return Clause(clause.literals.difference(false), parents=(clause, *units))

    def _stricter(self, literals: Literals) -> Literals | None:
        """Return a stricter clause of `kb`, if there is one.

        Clauses are indexed by their smallest literal, so that the subsets of a clause are found
        quickly.
        """
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

    def _propagate(self, unit: Clause) -> None:
        """Shorten the clauses in which a new single literal is false."""
        (mark,) = unit.literals
        self._units.append(Unit(cell_of(mark), mark > 0, unit))
        for clause in tuple(self._holding.get(-mark, {}).values()):
            self._remove(clause)
            self._queue.append(Clause(clause.literals - {-mark}, parents=(clause, unit)))

    def _store(self, clause: Clause) -> None:
        literals = clause.literals
        self.kb[literals] = clause
        for index, mark in self._entries(literals):
            index.setdefault(mark, {})[literals] = clause
        self._fresh[literals] = clause
        self.inserted += 1
        self.new.append(clause)
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
