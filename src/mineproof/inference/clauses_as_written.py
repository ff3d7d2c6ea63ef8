"""The Capstone report's knowledge base as its program has it, defects included.

`clause_base` is what the report means; this is what its code does, kept to be measured. Each
defect is named where it is. A clause is a tuple of literals `(row, column, is_mine)`, and two
clauses are only equal if their literals stand in the same order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

EQUAL_LENGTHS = 5
"""So many turns with equally many clauses mean stuck."""

Literal = tuple[int, int, bool]
Written = tuple[Literal, ...]


def negated(one: Literal) -> Literal:
    """Return the literal that says the opposite."""
    row, column, is_mine = one
    return row, column, not is_mine


def resolve(one: Written, other: Written) -> Written | None:
    """Resolve two clauses with exactly one complementary pair."""
    pairs = [literal for literal in one if negated(literal) in other]
    if len(pairs) != 1:
        return None
    return tuple({*one, *other} - {pairs[0], negated(pairs[0])})


class ClausesAsWritten:
    """KB and KB0, the turns of the program, and its rules for being stuck and for guessing."""

    def __init__(self, matching: str) -> None:
        """Start with no clause; `matching` is `kb0`, `kb` or `both`."""
        self.kb: dict[Written, frozenset[Literal]] = {}
        self.kb0: dict[Written, None] = {}
        self.largest = 0
        """The most clauses in `kb` at a time."""
        self._matching = matching
        self._lengths: deque[int] = deque(maxlen=EQUAL_LENGTHS)

    def is_stuck(self) -> bool:
        """Begin a turn, and say whether the lengths of the last five are equal.

        Defects: equal lengths are no fixpoint, moves do not clear them, and the test for a
        single literal at hand that should stand here is always passed.
        """
        self.largest = max(self.largest, len(self.kb))
        self._lengths.append(len(self.kb))
        return len(self._lengths) == EQUAL_LENGTHS and len(set(self._lengths)) == 1

    def state(self) -> int:
        """Return a number for all that decides what comes next: equal ones lead to equal turns."""
        return hash((tuple(self.kb), tuple(self._lengths)))

    def give(self, literal: Literal) -> None:
        """Put a cell that is given, or seen to be a mine, into `kb`."""
        self._store((literal,))

    def units(self) -> list[Literal]:
        """List the single literals in `kb`, in the order in which they came."""
        return [clause[0] for clause in self.kb if len(clause) == 1]

    def settle(self, literal: Literal) -> None:
        """Move a single literal to `kb0`. Defect: a guessed one was never propagated into `kb`."""
        self.kb.pop((literal,), None)
        self.kb0[literal,] = None

    def safe_guess(self) -> Written | None:
        """Return the first of the shortest clauses with a negative literal, that literal first.

        Defect: with no such clause there is none, and the program turns for ever.
        """
        for clause in sorted(self.kb, key=len):
            negative = [one for one in clause if not one[2] and (one,) not in self.kb0]
            if len(clause) > 1 and negative:
                return (negative[0], *(one for one in clause if one != negative[0]))
        return None

    def tell(self, cells: Sequence[tuple[int, int]], mines: int) -> None:
        """Insert the clauses of a hint: so many of these unmarked cells are mines."""
        for clause in _clauses(cells, mines):
            self.insert(clause)

    def insert(self, clause: Written) -> None:
        """Insert a clause."""
        if clause in self.kb or clause in self.kb0:
            return
        self._propagate(clause)
        for known in self.kb0:
            resolvent = resolve(clause, known)
            if not resolvent:  # defect: the first that does not resolve ends it, so does ()
                break
            clause = resolvent
        if not self._is_subsumed(clause):
            self._store(clause)

    def match(self) -> None:
        """Match clauses as chosen, one round."""
        if self._matching != "kb0":
            self._match_pairs()
        if self._matching != "kb":
            self._match_known()

    def _propagate(self, clause: Written) -> None:
        """Propagate a single literal into `kb`, or what is known into a longer clause."""
        if len(clause) > 1:
            # Defect: each known literal is stripped by itself, and the whole clause stays.
            for literal in clause:
                if (negated(literal),) in self.kb0:
                    self._store(tuple(set(clause) - {literal}))
            return
        for other in tuple(self.kb):
            if clause[0] in other:
                del self.kb[other]
            elif negated(clause[0]) in other:
                # Defect: what is shortened is neither compared nor propagated, and may be ().
                del self.kb[other]
                self._store(tuple(set(other) - {negated(clause[0])}))

    def _is_subsumed(self, clause: Written) -> bool:
        """Compare with all of `kb`.

        Defects: the stricter one goes by way of a set, loses its order and may then be equal to
        neither, so that nothing happens; and of the weaker ones only the first goes.
        """
        literals = frozenset(clause)
        for other, its in self.kb.items():
            if literals <= its:
                if tuple(set(clause)) == clause:
                    del self.kb[other]
                    break
            elif its <= literals and tuple(set(other)) == other:
                return True
        return False

    def _store(self, clause: Written) -> None:
        self.kb[clause] = frozenset(clause)

    def _match_pairs(self) -> None:
        """Match pairs. Defect: both have at most two literals, not one of them exactly two."""
        earlier: dict[Literal, list[Written]] = {}
        for one in [clause for clause in self.kb if len(clause) <= 2]:
            for other in [other for mark in one for other in earlier.get(negated(mark), ())]:
                clause = resolve(one, other)
                if clause:
                    self.insert(clause)
            for mark in one:
                earlier.setdefault(mark, []).append(one)

    def _match_known(self) -> None:
        """Match `kb` with `kb0`. Defects: () ends the round, and parents stay."""
        for one in tuple(self.kb):
            for literal in one:
                if (negated(literal),) in self.kb0:
                    clause = tuple(set(one) - {literal})
                    if not clause:
                        return
                    self.insert(clause)


def _clauses(cells: Sequence[tuple[int, int]], mines: int) -> Iterator[Written]:
    """Write a number of mines among cells as clauses."""
    positive = [(*cell, True) for cell in cells]
    negative = [(*cell, False) for cell in cells]
    if mines > 0:
        yield from combinations(positive, max(len(cells) - mines + 1, 1))
    if mines < len(cells):
        yield from combinations(negative, max(mines + 1, 1))
