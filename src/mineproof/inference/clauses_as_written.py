"""The knowledge base of the Capstone report as its program implements it, including its defects.

`clause_base` implements what the report means. This module does what the report's code does, so
that the difference can be measured. Comments point out each defect. A clause is a tuple of literals
`(row, column, is_mine)`, and two clauses are equal only if their literals have the same order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

EQUAL_LENGTHS = 5
"""The program counts as stuck after this many turns with the same number of clauses."""

Literal = tuple[int, int, bool]
Written = tuple[Literal, ...]


def negated(one: Literal) -> Literal:
    """Return the negation of a literal."""
    row, column, is_mine = one
    return row, column, not is_mine


def resolve(one: Written, other: Written) -> Written | None:
    """Resolve two clauses on a complementary pair; return None unless they have exactly one."""
    pairs = [literal for literal in one if negated(literal) in other]
    if len(pairs) != 1:
        return None
    return tuple({*one, *other} - {pairs[0], negated(pairs[0])})


class ClausesAsWritten:
    """The program's knowledge bases KB and KB0, with its matching and its guesses."""

    def __init__(self, matching: str) -> None:
        """Start without clauses; `matching` is `kb0`, `kb` or `both`."""
        self.kb: dict[Written, frozenset[Literal]] = {}
        self.kb0: dict[Written, None] = {}
        self.largest = 0
        """The largest size of `kb` so far."""
        self._matching = matching
        self._lengths: deque[int] = deque(maxlen=EQUAL_LENGTHS)

    def is_stuck(self) -> bool:
        """Start a turn; return whether `kb` had the same length in the last five turns.

        Defects: equal lengths do not prove a fixpoint, and a move does not clear the stored
        lengths. The program also tests for a single literal here, but that test always passes.
        """
        self.largest = max(self.largest, len(self.kb))
        self._lengths.append(len(self.kb))
        return len(self._lengths) == EQUAL_LENGTHS and len(set(self._lengths)) == 1

    def state(self) -> int:
        """Return a hash of everything that determines the next turns."""
        return hash((tuple(self.kb), tuple(self._lengths)))

    def give(self, literal: Literal) -> None:
        """Add the literal of a given cell, or of a cell seen to be a mine, to `kb`."""
        self._store((literal,))

    def units(self) -> list[Literal]:
        """Return the single literals in `kb`, in order of insertion."""
        return [clause[0] for clause in self.kb if len(clause) == 1]

    def settle(self, literal: Literal) -> None:
        """Move a single literal to `kb0`. Defect: guessed literals are not propagated into `kb`."""
        self.kb.pop((literal,), None)
        self.kb0[literal,] = None

    def safe_guess(self) -> Written | None:
        """Return the first of the shortest clauses with a negative literal; put that literal first.

        Defect: without such a clause there is no guess, and the program loops forever.
        """
        for clause in sorted(self.kb, key=len):
            negative = [one for one in clause if not one[2] and (one,) not in self.kb0]
            if len(clause) > 1 and negative:
                return (negative[0], *(one for one in clause if one != negative[0]))
        return None

    def tell(self, cells: Sequence[tuple[int, int]], mines: int) -> None:
        """Insert the clauses for a hint, which states the number of mines among unmarked cells."""
        for clause in _clauses(cells, mines):
            self.insert(clause)

    def insert(self, clause: Written) -> None:
        """Insert a clause."""
        if clause in self.kb or clause in self.kb0:
            return
        self._propagate(clause)
        for known in self.kb0:
            resolvent = resolve(clause, known)
            if not resolvent:  # defect: stops if there is no resolvent, or an empty one
                break
            clause = resolvent
        if not self._is_subsumed(clause):
            self._store(clause)

    def match(self) -> None:
        """Do one round of the chosen matching."""
        if self._matching != "kb0":
            self._match_pairs()
        if self._matching != "kb":
            self._match_known()

    def _propagate(self, clause: Written) -> None:
        """Propagate a single literal into `kb`, or known literals into a longer clause."""
        if len(clause) > 1:
            # Defect: each known literal is removed separately, and the full clause stays.
            for literal in clause:
                if (negated(literal),) in self.kb0:
                    self._store(tuple(set(clause) - {literal}))
            return
        for other in tuple(self.kb):
            if clause[0] in other:
                del self.kb[other]
            elif negated(clause[0]) in other:
                # Defect: the shortened clause is not compared or propagated, and may be empty.
                del self.kb[other]
                self._store(tuple(set(other) - {negated(clause[0])}))

    def _is_subsumed(self, clause: Written) -> bool:
        """Return whether `kb` has a stricter clause; if not, remove a weaker clause.

        Defects: the stricter clause is rebuilt from a set, so the order of its literals may change.
        Then the two clauses do not match. Only the first weaker clause is removed.
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
        """Match pairs of clauses. Defect: clauses with more than two literals are ignored."""
        earlier: dict[Literal, list[Written]] = {}
        for one in [clause for clause in self.kb if len(clause) <= 2]:
            for other in [other for mark in one for other in earlier.get(negated(mark), ())]:
                clause = resolve(one, other)
                if clause:
                    self.insert(clause)
            for mark in one:
                earlier.setdefault(mark, []).append(one)

    def _match_known(self) -> None:
        """Match `kb` with `kb0`. Defects: an empty clause ends the round; old clauses stay."""
        for one in tuple(self.kb):
            for literal in one:
                if (negated(literal),) in self.kb0:
                    clause = tuple(set(one) - {literal})
                    if not clause:
                        return
                    self.insert(clause)


def _clauses(cells: Sequence[tuple[int, int]], mines: int) -> Iterator[Written]:
    """Yield the clauses that state how many cells of a set are mines."""
    positive = [(*cell, True) for cell in cells]
    negative = [(*cell, False) for cell in cells]
    if mines > 0:
        yield from combinations(positive, max(len(cells) - mines + 1, 1))
    if mines < len(cells):
        yield from combinations(negative, max(mines + 1, 1))
