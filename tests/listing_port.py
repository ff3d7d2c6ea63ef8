"""A second implementation of the Capstone report's program, written from its listing alone.

It shares no code with `clauses_as_written`, so that a test can compare the two. Each method does
what the method of the listing does, in the same order of steps, with all defects. Only two things
differ: a *rank* replaces the order of Python's sets, and the game ends after `IDLE` turns in a row
that change nothing on the board.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations

Literal = tuple[int, int, bool]
"""A row, a column, and whether the cell is a mine."""
Clause = tuple[Literal, ...]
Rank = Callable[[Clause], int]
IDLE = 60


def opposite(one: Literal) -> Literal:
    return one[0], one[1], not one[2]


@cache
def literals_of(clause: Clause) -> frozenset[Literal]:
    return frozenset(clause)


class Ordered:
    """A set of clauses, read in order of rank."""

    def __init__(self, rank: Rank, clauses: Iterable[Clause] = ()) -> None:
        self._rank = rank
        self._sorted: list[tuple[int, Clause]] = []
        self._all: set[Clause] = set()
        for clause in clauses:
            self.add(clause)

    def __contains__(self, clause: Clause) -> bool:
        return clause in self._all

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Clause]:
        return (clause for _, clause in self._sorted)

    def add(self, clause: Clause) -> None:
        if clause not in self._all:
            self._all.add(clause)
            insort(self._sorted, (self._rank(clause), clause))

    def remove(self, clause: Clause) -> None:
        """Remove a clause if it is there. The listing would fail if it is not."""
        if clause in self._all:
            self._all.remove(clause)
            del self._sorted[bisect_left(self._sorted, (self._rank(clause), clause))]


class Table:
    """The listing's board: it knows the mines, and which cells are revealed or marked."""

    def __init__(self, rows: int, columns: int, mines: Iterable[tuple[int, int]]) -> None:
        self.rows, self.columns = rows, columns
        self.mines = {(row, column) for row, column in mines}
        self.revealed: set[tuple[int, int]] = set()
        self.marked: set[tuple[int, int]] = set()

    def hint(self, row: int, column: int) -> tuple[list[tuple[int, int]], int]:
        """Return the neighbours neither revealed nor marked, and the number of mines there."""
        near = [
            (r, c)
            for r in range(max(row - 1, 0), min(row + 2, self.rows))
            for c in range(max(column - 1, 0), min(column + 2, self.columns))
            if (r, c) != (row, column)
        ]
        near = [cell for cell in near if cell not in self.revealed and cell not in self.marked]
        return near, sum(cell in self.mines for cell in near)

    def is_lost(self) -> bool:
        return bool(self.revealed & self.mines)

    def is_won(self) -> bool:
        settled = len(self.revealed | self.marked) == self.rows * self.columns
        return settled and self.marked >= self.mines


class ListingPlayer:
    """The listing's player."""

    def __init__(self, table: Table, given: Iterable[tuple[int, int]], rank: Rank) -> None:
        self.table, self.rank = table, rank
        self.kb0 = Ordered(rank)
        self.kb = Ordered(rank, (((row, column, False),) for row, column in given))
        self.lengths: list[int] = []
        self.taken: list[Literal] = []
        """The literal of each turn that opened or marked a cell, even if nothing changed."""
        self.guesses = 0

    def as_tuple(self, literals: Iterable[Literal]) -> Clause:
        return tuple(sorted(literals, key=lambda one: self.rank((one,))))

    def stricter(self, one: Clause, other: Clause) -> Clause | None:
        first, second = literals_of(one), literals_of(other)
        if first <= second:
            return self.as_tuple(first)
        return self.as_tuple(second) if second <= first else None

    def resolve(self, one: Clause, other: Clause) -> Clause | None:
        pairs = [literal for literal in literals_of(one) if opposite(literal) in other]
        if len(pairs) != 1:
            return None
        return self.as_tuple((set(one) - {pairs[0]}) | (set(other) - {opposite(pairs[0])}))

    def match(self, one: Clause, other: Clause) -> tuple[Clause | None, bool]:
        clause = self.stricter(one, other)
        return (clause, True) if clause else (self.resolve(one, other), False)

    def propagate(self, clause: Clause) -> None:
        added, removed = set(), set()
        if len(clause) == 1:
            false = opposite(clause[0])
            for old in self.kb:
                if clause[0] in old:
                    removed.add(old)
                elif false in old:
                    added.add(tuple(one for one in old if one != false))
                    removed.add(old)
        else:
            for (known,) in self.kb0:
                if known in clause:
                    break
                if opposite(known) in clause:
                    added.add(tuple(one for one in clause if one != opposite(known)))
        for new in added:
            self.kb.add(new)
        for old in removed:
            self.kb.remove(old)

    def insert(self, clause: Clause) -> None:
        if clause in self.kb or clause in self.kb0:
            return
        self.propagate(clause)
        for known in self.kb0:
            shorter = self.resolve(clause, known)
            if not shorter:
                break
            clause = shorter
        weaker = None
        for old in self.kb:
            strict = self.stricter(clause, old)
            if not strict:
                continue
            if strict == clause:
                weaker = old
                break
            if strict == old:
                return
        if weaker:
            self.kb.remove(weaker)
        self.kb.add(clause)

    def read_hint(self, one: Literal) -> None:
        cells, mines = self.table.hint(*one[:2])
        if mines in {0, len(cells)}:
            for row, column in cells:
                self.insert(((row, column, mines == len(cells)),))
            return
        for size, sign in ((len(cells) - mines + 1, True), (mines + 1, False)):
            for group in combinations(cells, size):
                self.insert(tuple((row, column, sign) for row, column in group))

    def is_stuck(self) -> bool:
        self.lengths = [*self.lengths, len(self.kb)][-5:]
        return len(self.lengths) == 5 and len(set(self.lengths)) == 1

    def choose_guess(self) -> tuple[Literal, Clause] | None:
        for length in range(2, max(map(len, self.kb), default=0) + 1):
            for clause in self.kb:
                if len(clause) == length:
                    for one in clause:
                        if not one[2]:
                            return one, clause
        return None

    def turn(self) -> None:
        """Do one turn. The listing's count of single literals is None, so it prevents no guess."""
        if self.is_stuck():
            self.guess()
            return
        unit = next((clause for clause in self.kb if len(clause) == 1), None)
        if unit is None:
            self.match_known()
            return
        self.taken.append(unit[0])
        if unit[0][2]:
            self.table.marked.add(unit[0][:2])
        else:
            self.table.revealed.add(unit[0][:2])
            self.read_hint(unit[0])
        self.kb0.add(unit)
        self.kb.remove(unit)

    def guess(self) -> None:
        found = self.choose_guess()
        if found is None:
            return
        one, clause = found
        self.guesses += 1
        self.taken.append(one)
        self.kb.remove(clause)
        self.table.revealed.add(one[:2])
        self.read_hint(one)
        self.kb0.add((one,))

    def match_known(self) -> None:
        added, removed = Ordered(self.rank), set()
        clauses = list(self.kb)
        for known in self.kb0:
            for clause in clauses:
                if known == clause:
                    self.kb.remove(clause)
                    return
                new, is_strict = self.match(known, clause)
                if is_strict:
                    if new == known:
                        removed.add(clause)
                elif new:
                    added.add(new)
        for clause in removed:
            self.kb.remove(clause)
        for clause in added:
            self.insert(clause)

    def play(self) -> str:
        """Play to the end; return `win`, `loss` or `stuck`."""
        idle = 0
        while idle < IDLE:
            if self.table.is_won():
                return "win"
            if self.table.is_lost():
                return "loss"
            before = len(self.table.revealed), len(self.table.marked)
            self.turn()
            after = len(self.table.revealed), len(self.table.marked)
            idle = idle + 1 if before == after else 0
        return "stuck"
