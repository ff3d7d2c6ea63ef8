"""The knowledge base of the Capstone report's program, statement by statement, defects included.

`clause_base` implements what the report means. This module does what its listing does, so that the
difference can be measured; comments point out each defect. A clause is a tuple of literals
`(row, column, is_mine)`, and two clauses are equal only if their literals have the same order.

The program reads its knowledge from Python sets, so the order of a set decides what it does. Here a
*rank* replaces that order. It is a function from a clause to a number that no other clause has. A
set of clauses is read from the lowest rank to the highest, and a set of literals likewise, each
literal `one` with the rank of the clause `(one,)`. `seeded_rank` makes the default; a test may pass
any other. `sorted(clauses, key=rank)` is then what `list(clauses)` is in the program, and
`tuple(sorted(literals, key=lambda one: rank((one,))))` what `tuple(literals)` is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from mineproof.core.grid import Grid
from mineproof.core.random import Purpose, Stream

EQUAL_LENGTHS = 5
"""The program counts as stuck after this many turns with the same number of clauses."""

Literal = tuple[int, int, bool]
Written = tuple[Literal, ...]
Rank = Callable[[Written], int]

PRIME = (1 << 61) - 1


def seeded_rank(grid: Grid, seed: int) -> Rank:
    """Return a rank in which clauses and literals have no particular order, as in a set."""
    stream = Stream(seed, Purpose.AGENT)
    base = stream.below(PRIME)
    literals = [(*grid.cell(index), mined) for index in range(grid.size) for mined in (False, True)]
    numbers = {one: stream.below(PRIME) for one in literals}

    def rank(clause: Written) -> int:
        value = len(clause)
        for one in clause:
            value = (value * base + numbers[one]) % PRIME
        return value

    return rank


def negated(one: Literal) -> Literal:
    """Return the negation of a literal."""
    row, column, is_mine = one
    return row, column, not is_mine


class ClauseSet:
    """A set of clauses, read in order of rank.

    `holding` finds the clauses with a literal. When the program compares a clause with all others
    and can only succeed with those that share a cell, this saves looking at the rest.
    """

    def __init__(self, rank: Rank) -> None:
        """Start with no clause."""
        self._rank = rank
        self._ranks: dict[Written, int] = {}
        self._holding: dict[Literal, dict[Written, frozenset[Literal]]] = {}
        self._sorted: list[Written] | None = None

    def __contains__(self, clause: Written) -> bool:
        """Return whether the set has exactly this clause, with its literals in this order."""
        return clause in self._ranks

    def __len__(self) -> int:
        """Return the number of clauses."""
        return len(self._ranks)

    def __iter__(self) -> Iterator[Written]:
        """Return the clauses in order."""
        if self._sorted is None:
            self._sorted = self.ordered(self._ranks)
        return iter(self._sorted)

    def frozen(self) -> frozenset[Written]:
        """Return a copy that can be compared."""
        return frozenset(self._ranks)

    def ordered(self, clauses: Iterable[Written]) -> list[Written]:
        """Return some clauses of the set in order."""
        return sorted(clauses, key=self._ranks.__getitem__)

    def of_length(self, length: int) -> list[Written]:
        """Return the clauses with this many literals, in order."""
        return self.ordered(clause for clause in self._ranks if len(clause) == length)

    def holding(self, one: Literal) -> dict[Written, frozenset[Literal]]:
        """Return the clauses with this literal, in no order, and the set of literals of each."""
        return self._holding.get(one, {})

    def add(self, clause: Written) -> None:
        """Add a clause unless the set has it."""
        if clause not in self._ranks:
            self._ranks[clause] = self._rank(clause)
            self._sorted = None
            literals = frozenset(clause)
            for one in clause:
                self._holding.setdefault(one, {})[clause] = literals

    def remove(self, clause: Written) -> bool:
        """Remove a clause; return False if the set does not have it."""
        if self._ranks.pop(clause, None) is None:
            return False
        self._sorted = None
        for one in clause:
            del self._holding[one][clause]
        return True


class ClausesAsWritten:
    """The program's `KB` and `KB0`, and the methods that work on them."""

    def __init__(self, matching: str, rank: Rank) -> None:
        """Start without clauses; `matching` is `kb0`, `kb` or `both`."""
        self.kb = ClauseSet(rank)
        self.kb0 = ClauseSet(rank)
        self.missing = 0
        """Number of times the program would fail because it removes a clause that is not in KB."""
        self.largest = 0
        """The largest size of `kb` so far."""
        self._rank = rank
        self._matching = matching
        self._lengths: list[int] = []

    def is_stuck(self) -> bool:
        """Start a turn; return whether KB had the same length in the last five (`is_stuck`).

        Defects: equal lengths do not prove a fixpoint, and a move does not clear the stored
        lengths.
        """
        self.largest = max(self.largest, len(self.kb))
        self._lengths = [*self._lengths, len(self.kb)][-EQUAL_LENGTHS:]
        return len(self._lengths) == EQUAL_LENGTHS and len(set(self._lengths)) == 1

    def state(self) -> int:
        """Return a hash of everything that determines the next turns."""
        return hash((self.kb.frozen(), self.kb0.frozen(), tuple(self._lengths)))

    def remove(self, clause: Written) -> None:
        """Remove a clause from KB.

        If it is not in KB, the original fails; this method counts the defect.
        """
        self.missing += not self.kb.remove(clause)

    def safe_guess(self) -> tuple[Literal, Written] | None:
        """Return the first negative literal of a shortest clause (`make_safe_guess`).

        Defects: without such a clause there is no guess, and the cell may already be marked.
        """
        longest = max(map(len, self.kb), default=0)
        for length in range(2, longest + 1):
            for clause in self.kb.of_length(length):
                for one in clause:
                    if not one[2]:
                        return one, clause
        return None

    def tell(self, cells: Sequence[tuple[int, int]], mines: int) -> None:
        """Insert the clauses for `mines` mines among unmarked cells (`generate_clauses`)."""
        positive: Written = tuple((*cell, True) for cell in cells)
        negative: Written = tuple((*cell, False) for cell in cells)
        if mines == len(cells):
            self._insert_all((one,) for one in positive)
        elif mines == 0:
            self._insert_all((one,) for one in negative)
        else:
            self._insert_all(combinations(positive, len(cells) - mines + 1))
            self._insert_all(combinations(negative, mines + 1))

    def insert(self, clause: Written) -> None:
        """Insert a clause (`insert_clause_to_KB`)."""
        if clause in self.kb or clause in self.kb0:  # defect: in this order of literals only
            return
        self._propagate(clause)
        for known in self.kb0:
            resolvent = self._resolve(clause, known)
            if not resolvent:  # defect: ends at the first literal that the clause does not negate
                break
            clause = resolvent
        if not self._is_subsumed(clause):
            self.kb.add(clause)

    def match(self) -> None:
        """Do one round of the chosen matching."""
        if self._matching != "kb0":
            self._match_pairs()
        if self._matching != "kb":
            self._match_known()

    def _insert_all(self, clauses: Iterable[Written]) -> None:
        for clause in clauses:
            self.insert(clause)

    def _propagate(self, clause: Written) -> None:
        """Propagate a single literal into KB, or KB0 into a longer clause (`unit_propagation`).

        Defects: what it adds is not compared with KB, and may be empty or a single
        literal that is never propagated. A longer clause leaves one shortened copy for each
        false literal.
        """
        if len(clause) == 1:
            satisfied = list(self.kb.holding(clause[0]))
            false = negated(clause[0])
            shortened = list(self.kb.holding(false))
            for other in shortened:
                self.kb.add(tuple(one for one in other if one != false))
            for other in (*satisfied, *shortened):
                self.remove(other)
            return
        for added in self._shortened(clause):
            self.kb.add(added)

    def _shortened(self, clause: Written) -> list[Written]:
        """Return a longer clause without each literal that KB0 makes false, one at a time.

        Defect: a true literal ends the search, but does not keep the clause out of KB.
        """
        found: list[Written] = []
        known = [(sign,) for one in clause for sign in (one, negated(one)) if (sign,) in self.kb0]
        for (literal,) in self.kb0.ordered(known):
            if literal in clause:
                break
            found.append(tuple(one for one in clause if one != negated(literal)))
        return found

    def _is_subsumed(self, clause: Written) -> bool:
        """Return whether KB has a stricter clause; if not, remove a weaker one.

        Defects: the stricter clause is rebuilt from a set, so that its literals may have another
        order and it is not recognised. Only the first weaker clause is removed.
        """
        literals = frozenset(clause)
        related = {
            other
            for one in clause
            for other, its in self.kb.holding(one).items()
            if literals <= its or its <= literals
        }
        for other in self.kb.ordered(related):
            stricter = self._stricter(clause, other)
            if stricter == clause:
                self.remove(other)
                return False
            if stricter == other:
                return True
        return False

    def _stricter(self, one: Written, other: Written) -> Written | None:
        """Return the stricter of two clauses, rebuilt from a set (`subsumption_checking`)."""
        if set(one) <= set(other):
            return self._rebuilt(one)
        if set(other) <= set(one):
            return self._rebuilt(other)
        return None

    def _resolve(self, one: Written, other: Written) -> Written | None:
        """Resolve two clauses on their only complementary pair, if they have just one."""
        pairs = [literal for literal in one if negated(literal) in other]
        if len(pairs) != 1:
            return None
        return self._rebuilt({*one, *other} - {pairs[0], negated(pairs[0])})

    def _rebuilt(self, literals: Iterable[Literal]) -> Written:
        """Return a clause of these literals in the order of a set."""
        return tuple(sorted(set(literals), key=lambda one: self._rank((one,))))

    def _match_pairs(self) -> None:
        """Match the clauses of KB with each other (`pairwise_matching`).

        Defect: both clauses must be short, but the report asks for one with two literals.
        """
        short = [clause for clause in self.kb if len(clause) in (1, 2)]
        new: set[Written] = set()
        weaker: set[Written] = set()
        for one in short:
            for other in self._short_partners(one):
                stricter = self._stricter(one, other)
                if stricter is None:
                    new.add(self._resolve(one, other) or ())
                elif stricter == one:
                    weaker.add(other)
        self._replace(weaker, new)

    def _short_partners(self, clause: Written) -> Iterator[Written]:
        """Yield the other short clauses that mention a cell of this one."""
        for one in clause:
            for sign in (one, negated(one)):
                for other in self.kb.holding(sign):
                    if len(other) <= 2 and other != clause:
                        yield other

    def _match_known(self) -> None:
        """Match KB with KB0 (`pairwise_matching_KB0`).

        Defects: a literal that is in both ends the round without results, and a clause stays in
        KB with its resolvents.
        """
        new: set[Written] = set()
        weaker: set[Written] = set()
        for known in self.kb0:
            if known in self.kb:
                self.remove(known)
                return
            weaker.update(self.kb.holding(known[0]))
            false = negated(known[0])
            new.update(self._rebuilt(its - {false}) for its in self.kb.holding(false).values())
        self._replace(weaker, new)

    def _replace(self, weaker: Iterable[Written], new: set[Written]) -> None:
        """Remove weaker clauses, then insert the resolvents in the order of a set."""
        for clause in weaker:
            self.remove(clause)
        self._insert_all(sorted(new - {()}, key=self._rank))
