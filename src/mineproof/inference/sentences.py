"""Knowledge as sentences: `{cells} = count`, and the subset rule.

A sentence says how many of a set of cells are mines. A clue gives one sentence about its
unopened neighbours. Two rules follow what it implies:

- the unit rule: a count of 0 makes all cells safe, a count of all makes all of them mines;
- the subset rule: where `{T} = t` lies inside `{S} = s`, the rest is `{S - T} = s - t`.

A known cell is taken out of every sentence, and both rules are repeated to the fixpoint.
The form is that of CS50's Introduction to Artificial Intelligence (Minesweeper), the rules
are those of the Lab 3 report as well.

Unreliable clues give bounds instead of a count: `least <= mines among cells <= most`. The
same two rules hold for bounds; for an exact sentence the bounds are equal.

Cells are indices in row order. Every sentence remembers what it was made from, so that each
finding can be explained.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mineproof.core.clues import Bounds
from mineproof.core.grid import Grid
from mineproof.inference.knowledge import Derived, first_origin

MOST_REMAINDERS = 200
"""How many remainders of the mine count are looked at; see `SentenceBase.count_mines`."""
SHORT_REMAINDER = 12
"""Remainders with at most so many cells join the other sentences, of which a clue's has up to 8."""


class Sentence(Derived):
    """From `least` to `most` of the cells are mines: `{cells} = count` where both are equal.

    A sentence never changes; one with the same cells and the same bounds is equal to it.
    """

    __slots__ = ("cells", "least", "most")
    parents: tuple[Sentence, ...]

    def __init__(  # noqa: PLR0913  (what it says, and the three things it can come from)
        self,
        cells: frozenset[int],
        least: int,
        most: int,
        parents: tuple[Sentence, ...] = (),
        *,
        clue: int | None = None,
        taken: tuple[int, ...] = (),
    ) -> None:
        """State a sentence.

        Args:
            cells: the cells it speaks of.
            least: at least so many are mines.
            most: at most so many are mines.
            parents: the sentences it was derived from; none for a clue or the mine count.
            clue: the opened cell whose clue it is.
            taken: known cells that were taken out of it in this step.
        """
        self.cells = cells
        self.least = max(least, 0)
        self.most = min(most, len(cells))
        super().__init__(parents, clue, taken)

    @property
    def is_decided(self) -> bool:
        """Whether all cells are safe or all are mines."""
        return self.most == 0 or self.least == len(self.cells)

    def __eq__(self, other: object) -> bool:
        """Compare what is said, not where it came from."""
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.cells, self.least, self.most) == (other.cells, other.least, other.most)

    def __hash__(self) -> int:
        """Hash what is said."""
        return hash((self.cells, self.least, self.most))

    def __repr__(self) -> str:
        """Write the sentence with indices."""
        return self._write(", ".join(str(index) for index in sorted(self.cells)))

    def text(self, grid: Grid) -> str:
        """Write the sentence with cells, such as `{(0, 1), (0, 2)} = 1`."""
        return self._write(", ".join(str(grid.cell(index)) for index in sorted(self.cells)))

    def _write(self, cells: str) -> str:
        if self.least == self.most:
            return f"{{{cells}}} = {self.least}"
        if self.most == len(self.cells):
            return f"{{{cells}}} >= {self.least}"
        if self.least == 0:
            return f"{{{cells}}} <= {self.most}"
        return f"{self.least} <= {{{cells}}} <= {self.most}"


class Finding(NamedTuple):
    """A cell that turned out safe or mined, and the sentence that says so."""

    cell_index: int
    mined: bool
    sentence: Sentence


class SentenceBase:
    """A knowledge base of sentences without empty, duplicate or trivial ones.

    `tell` and `note` take in what is seen, `settle` applies the unit rule and `match` both
    rules, each to the fixpoint. What they find is in `known`, and `take_findings` hands it over
    once. Sentences are indexed by cell, so that a new one meets only those that share a cell.

    Sentences that contradict what is known (unreliable clues taken as true) are dropped and
    counted in `contradictions`; of two derived ones that disagree the older one stays.
    """

    def __init__(self, *, in_place: bool = False) -> None:
        """Start with no knowledge.

        Args:
            in_place: let the subset rule replace the larger sentence by what is left of it,
                instead of adding that: shorter to write, and it can lose what still would follow.
        """
        self._in_place = in_place
        self.sentences: dict[frozenset[int], Sentence] = {}
        self.known: dict[int, bool] = {}
        self.contradictions = 0
        self.derived = 0
        """How many times the subset rule gave a sentence."""
        self.largest = 0
        """The most sentences held at a time."""
        self._holding: dict[int, dict[frozenset[int], Sentence]] = {}
        self._pending: deque[int] = deque()
        self._unmatched: deque[Sentence] = deque()
        self._findings: list[Finding] = []

    def note(self, index: int, mined: bool) -> bool:
        """Take in a cell that was seen to be safe or mined; False if it was thought otherwise."""
        before = self.known.get(index)
        self.known[index] = mined
        if before is None:
            self._pending.append(index)
        elif before is not mined:
            self.contradictions += 1
        return before is None or before is mined

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Add how many of the cells are mines; known cells are taken out.

        A sentence about the same cells that says otherwise is replaced: it rests on something
        that was believed earlier.

        Args:
            cells: the cells, known ones among them.
            bounds: the least and the most number of mines.
            clue: the cell whose clue says so.
        """
        sentence = self._sentence(cells, bounds, clue)
        older = self.sentences.get(sentence.cells)
        if older is not None and (older.least > sentence.most or older.most < sentence.least):
            self.contradictions += 1
            self._remove(older)
        self._add(sentence)

    def settle(self) -> None:
        """Take known cells out of all sentences and apply the unit rule, to the fixpoint."""
        while self._pending:
            index = self._pending.popleft()
            for sentence in tuple(self._holding.get(index, {}).values()):
                self._remove(sentence)
                self._add(self._without_known(sentence))

    def match(self) -> None:
        """Apply the unit rule and the subset rule to the fixpoint."""
        self.settle()
        while (sentence := self._next_unmatched()) is not None:
            for other in self._touching(sentence):
                if not (self._holds(sentence) and self._holds(other)):
                    continue
                if other.cells < sentence.cells:
                    self._subtract(sentence, other)
                elif sentence.cells < other.cells:
                    self._subtract(other, sentence)
                self.settle()

    def count_mines(self, cells: Sequence[int], mines: int) -> None:
        """Use the mine count: so many of these cells, all that may hold a mine, are mines.

        It is one more sentence, which contains all others. What is left of it without some of them
        is a sentence too, a remainder, exponentially many in all: they are looked at in a copy of
        the base, shortest first, until one of them tells of a cell.
        """
        self.match()
        while findings := self._copy()._look_into(cells, Bounds(mines, mines)):
            for finding in findings:
                self._accept(finding)
            self.match()

    def take_findings(self) -> list[Finding]:
        """Return what was found since the last call."""
        findings, self._findings = self._findings, []
        return findings

    def _next_unmatched(self) -> Sentence | None:
        while self._unmatched:
            sentence = self._unmatched.popleft()
            if self._holds(sentence):
                return sentence
        return None

    def _copy(self) -> SentenceBase:
        """Copy what is known and held, in an order that does not depend on the game's course."""
        copy = SentenceBase(in_place=self._in_place)
        copy.known = dict(self.known)
        for sentence in sorted(self.sentences.values(), key=lambda one: sorted(one.cells)):
            copy._store(sentence)
        return copy

    def _look_into(self, cells: Sequence[int], mines: Bounds) -> list[Finding]:
        """Look at remainders of the mine count until one of them tells of a cell."""
        for remainder in self._remainders(self._sentence(cells, mines)):
            if remainder.is_decided or len(remainder.cells) <= SHORT_REMAINDER:
                self._add(remainder)
                self.match()
            if self._findings:
                break
        return self._findings

    def _remainders(self, whole: Sentence) -> Iterator[Sentence]:
        """Yield what is left of a sentence without others that do not overlap, shortest first."""
        heap = [(len(whole.cells), 0, whole)]
        seen = {whole.cells}
        for _ in range(MOST_REMAINDERS):
            if not heap:
                return
            remainder = heapq.heappop(heap)[2]
            yield remainder
            for part in self.sentences.values():
                if part.cells < remainder.cells:
                    rest = _difference(remainder, part)
                    if rest.cells not in seen:
                        seen.add(rest.cells)
                        heapq.heappush(heap, (len(rest.cells), len(seen), rest))

    def _touching(self, sentence: Sentence) -> list[Sentence]:
        """List the other sentences that share a cell with this one."""
        found: dict[frozenset[int], Sentence] = {}
        for index in sorted(sentence.cells):
            found.update(self._holding[index])
        del found[sentence.cells]
        return list(found.values())

    def _subtract(self, whole: Sentence, part: Sentence) -> None:
        """Apply the subset rule: what is known of a whole and a part tells about the rest."""
        rest = _difference(whole, part)
        self.derived += 1
        if self._in_place:
            self._remove(whole)
            self._add(rest)
            return
        self._add(rest)
        if not (part.least == part.most and whole.least == whole.most):
            self._tighten(whole, part, len(rest.cells))

    def _tighten(self, whole: Sentence, part: Sentence, rest: int) -> None:
        """Let bounds of a part bound the whole, and the other way round."""
        both = (whole, part)
        self._add(Sentence(whole.cells, part.least, part.most + rest, both))
        self._add(Sentence(part.cells, whole.least - rest, whole.most, both))

    def _sentence(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> Sentence:
        """Make a sentence about those cells that are not known."""
        known = self.known
        taken = tuple(index for index in cells if index in known)
        mines = sum(known[index] for index in taken)
        unknown = frozenset(cells).difference(taken)
        return Sentence(unknown, bounds.least - mines, bounds.most - mines, clue=clue, taken=taken)

    def _without_known(self, sentence: Sentence) -> Sentence:
        known = self.known
        taken = tuple(index for index in sorted(sentence.cells) if index in known)
        mines = sum(known[index] for index in taken)
        cells = sentence.cells.difference(taken)
        return Sentence(
            cells, sentence.least - mines, sentence.most - mines, (sentence,), taken=taken
        )

    def _holds(self, sentence: Sentence) -> bool:
        return self.sentences.get(sentence.cells) is sentence

    def _add(self, sentence: Sentence) -> None:
        """Put a sentence where it belongs: to what is known, into the base, or away."""
        if sentence.least == 0 and sentence.most == len(sentence.cells):
            return
        if sentence.least > sentence.most:
            self.contradictions += 1
            return
        older = self.sentences.get(sentence.cells)
        if older is not None:
            if older.least >= sentence.least and older.most <= sentence.most:
                return
            least, most = max(older.least, sentence.least), min(older.most, sentence.most)
            if least > most:
                self.contradictions += 1
                return
            if sentence.least < least or sentence.most > most:
                sentence = Sentence(sentence.cells, least, most, (older, sentence))
            self._remove(older)
        self._place(sentence)

    def _place(self, sentence: Sentence) -> None:
        if sentence.is_decided:
            self._conclude(sentence)
        else:
            self._store(sentence)
            self._unmatched.append(sentence)

    def _conclude(self, sentence: Sentence) -> None:
        mined = sentence.most > 0
        for index in sorted(sentence.cells.difference(self.known)):
            self._accept(Finding(index, mined, sentence))

    def _accept(self, finding: Finding) -> None:
        self.known[finding.cell_index] = finding.mined
        self._findings.append(finding)
        self._pending.append(finding.cell_index)

    def _store(self, sentence: Sentence) -> None:
        self.sentences[sentence.cells] = sentence
        for index in sentence.cells:
            self._holding.setdefault(index, {})[sentence.cells] = sentence
        self.largest = max(self.largest, len(self.sentences))

    def _remove(self, sentence: Sentence) -> None:
        del self.sentences[sentence.cells]
        for index in sentence.cells:
            del self._holding[index][sentence.cells]


def _difference(whole: Sentence, part: Sentence) -> Sentence:
    """Return what a whole and a part of it tell about the rest."""
    least, most = whole.least - part.most, whole.most - part.least
    return Sentence(whole.cells - part.cells, least, most, (whole, part))


def origin(sentence: Sentence, grid: Grid) -> str:
    """Describe which step gave a sentence."""
    if not sentence.parents:
        return first_origin(sentence.clue, sentence.taken, grid)
    first = sentence.parents[0].text(grid)
    if len(sentence.parents) == 1:
        cells = ", ".join(str(grid.cell(index)) for index in sentence.taken)
        return f"{first} without {cells}"
    second = sentence.parents[1].text(grid)
    return f"{first} and, inside it, {second}"
