"""Knowledge as sentences: `{cells} = count`, and the subset rule.

A sentence states how many cells of a set are mines. A clue gives one sentence about its unopened
neighbours. Two rules derive new knowledge:

- the unit rule: if the count is 0, all cells are safe; if it is the number of cells, all are mines;
- the subset rule: if `{T} = t` is inside `{S} = s`, then `{S - T} = s - t`.

Known cells are removed from every sentence, and both rules are repeated up to the fixpoint.
Sentences have the form used in CS50's Introduction to Artificial Intelligence (Minesweeper). The
Lab 3 report uses the same rules.

Unreliable clues give bounds instead of a count: `least <= mines among cells <= most`. Both rules
also hold for bounds. In an exact sentence the bounds are equal.

Cells are indices in row order. Every sentence records its origin, so that each finding can be
explained.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.core.clues import Bounds
from mineproof.core.grid import Grid
from mineproof.inference.knowledge import Derived, first_origin

MOST_REMAINDERS = 200
"""Maximum number of remainders of the mine count to try; see `SentenceBase.count_mines`."""
SHORT_REMAINDER = 12
"""Remainders with more cells than this are not added. A clue's sentence has up to 8 cells."""


@dataclass(eq=False, slots=True)
class Sentence(Derived):
    """A statement that between `least` and `most` of its cells are mines.

    A sentence never changes.
    """

    cells: frozenset[int]
    least: int
    most: int
    parents: tuple[Sentence, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Narrow the numbers to those that the cells can hold."""
        self.least = max(self.least, 0)
        self.most = min(self.most, len(self.cells))

    @property
    def is_decided(self) -> bool:
        """Whether all cells are safe or all are mines."""
        return self.most == 0 or self.least == len(self.cells)

    def text(self, grid: Grid) -> str:
        """Return the sentence in the form `{(0, 1), (0, 2)} = 1`."""
        cells = f"{{{grid.text(sorted(self.cells))}}}"
        if self.least == self.most:
            return f"{cells} = {self.least}"
        if self.most == len(self.cells):
            return f"{cells} >= {self.least}"
        if self.least == 0:
            return f"{cells} <= {self.most}"
        return f"{self.least} <= {cells} <= {self.most}"


class Finding(NamedTuple):
    """A cell found to be safe or a mine, and the sentence that says so."""

    cell_index: int
    mined: bool
    sentence: Sentence


class SentenceBase:
    """A knowledge base of sentences, without empty, duplicate or trivial ones.

    `tell` and `note` record observations. `settle` applies the unit rule and `match` both rules, up
    to the fixpoint. Their findings are in `known`; `take_findings` returns each of them once.
    Sentences are indexed by cell, so that a new one is compared only with those that share a cell.

    Sentences that contradict known cells (unreliable clues treated as true) are dropped and counted
    in `contradictions`. If two derived sentences contradict each other, the older one stays.
    """

    def __init__(self, *, in_place: bool = False) -> None:
        """Start with no knowledge.

        Args:
            in_place: whether the subset rule replaces the larger sentence by the difference
                instead of adding the difference. This is simpler, but can lose conclusions.
        """
        self._in_place = in_place
        self.sentences: dict[frozenset[int], Sentence] = {}
        self.known: dict[int, bool] = {}
        self.contradictions = 0
        self.derived = 0
        """Number of sentences that the subset rule has derived."""
        self.largest = 0
        """The largest number of sentences so far."""
        self._holding: dict[int, dict[frozenset[int], Sentence]] = {}
        self._pending: deque[int] = deque()
        self._unmatched: deque[Sentence] = deque()
        self._findings: list[Finding] = []

    def note(self, index: int, mined: bool) -> bool:
        """Record a cell seen to be safe or a mine; return False if it contradicts the base."""
        before = self.known.get(index)
        self.known[index] = mined
        if before is None:
            self._pending.append(index)
        elif before is not mined:
            self.contradictions += 1
        return before is None or before is mined

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Record how many of the cells are mines. Known cells are removed first.

        A sentence about the same cells that contradicts this one is replaced.

        Args:
            cells: the cells, including known ones.
            bounds: the minimum and maximum number of mines.
            clue: the cell that shows the clue; None for the mine count.
        """
        sentence = self._sentence(cells, *bounds, clue=clue)
        older = self.sentences.get(sentence.cells)
        if older is not None and (older.least > sentence.most or older.most < sentence.least):
            self.contradictions += 1
            self._remove(older)
        self._add(sentence)

    def settle(self) -> None:
        """Remove known cells from all sentences and apply the unit rule, up to the fixpoint."""
        while self._pending:
            index = self._pending.popleft()
            for one in tuple(self._holding.get(index, {}).values()):
                self._remove(one)
                self._add(self._sentence(one.cells, one.least, one.most, (one,)))

    def match(self) -> None:
        """Apply the unit rule and the subset rule up to the fixpoint."""
        self.settle()
        while self._unmatched:
            sentence = self._unmatched.popleft()
            for other in self._touching(sentence) if self._holds(sentence) else ():
                if not (self._holds(sentence) and self._holds(other)):
                    continue
                if other.cells < sentence.cells:
                    self._subtract(sentence, other)
                elif sentence.cells < other.cells:
                    self._subtract(other, sentence)
                self.settle()

    def count_mines(self, cells: Sequence[int], mines: int) -> None:
        """Use the mine count. The cells must be all cells that may hold a mine.

        The mine count is a sentence that contains all others. Subtracting some of them leaves a
        remainder, which is a sentence too. There are exponentially many remainders, so they are
        tried in a copy of the base, shortest first, until one of them decides a cell.
        """
        self.match()
        while findings := self._copy()._try_remainders(cells, mines):
            for finding in findings:
                self._accept(finding)
            self.match()

    def take_findings(self) -> list[Finding]:
        """Return the findings since the last call."""
        findings, self._findings = self._findings, []
        return findings

    def _copy(self) -> SentenceBase:
        """Return a copy whose order of sentences does not depend on the order of the moves."""
        copy = SentenceBase(in_place=self._in_place)
        copy.known = dict(self.known)
        for sentence in sorted(self.sentences.values(), key=lambda one: sorted(one.cells)):
            copy._store(sentence)
        return copy

    def _try_remainders(self, cells: Sequence[int], mines: int) -> list[Finding]:
        """Try remainders of the mine count until one of them decides a cell."""
        for remainder in self._remainders(self._sentence(cells, mines, mines)):
            if remainder.is_decided or len(remainder.cells) <= SHORT_REMAINDER:
                self._add(remainder)
                self.match()
            if self._findings:
                break
        return self._findings

    def _remainders(self, whole: Sentence) -> Iterator[Sentence]:
        """Yield a sentence minus other sentences that do not overlap, shortest results first."""
        heap = [(len(whole.cells), 0, whole)]
        seen = {whole.cells}
        for _ in range(MOST_REMAINDERS):
            if not heap:
                return
            remainder = heapq.heappop(heap)[2]
            yield remainder
            for subset in self.sentences.values():
                if subset.cells < remainder.cells:
                    rest = _difference(remainder, subset)
                    if rest.cells not in seen:
                        seen.add(rest.cells)
                        heapq.heappush(heap, (len(rest.cells), len(seen), rest))

    def _touching(self, sentence: Sentence) -> list[Sentence]:
        """Return the other sentences that share a cell with this one."""
        found: dict[frozenset[int], Sentence] = {}
        for index in sorted(sentence.cells):
            found.update(self._holding[index])
        del found[sentence.cells]
        return list(found.values())

    def _subtract(self, whole: Sentence, subset: Sentence) -> None:
        """Apply the subset rule to two sentences, one of which contains the other."""
        rest = _difference(whole, subset)
        self.derived += 1
        if self._in_place:
            self._remove(whole)
            self._add(rest)
            return
        self._add(rest)
        if not (subset.least == subset.most and whole.least == whole.most):
            self._tighten(whole, subset, len(rest.cells))

    def _tighten(self, whole: Sentence, subset: Sentence, rest: int) -> None:
        """Add the bounds that a sentence and a subset of it imply for each other."""
        both = (whole, subset)
        self._add(Sentence(whole.cells, subset.least, subset.most + rest, parents=both))
        self._add(Sentence(subset.cells, whole.least - rest, whole.most, parents=both))

    def _sentence(
        self,
        cells: Collection[int],
        least: int,
        most: int,
        parents: tuple[Sentence, ...] = (),
        clue: int | None = None,
    ) -> Sentence:
        """Return a sentence about the unknown cells among these."""
        known = self.known
        taken = tuple(sorted(known.keys() & cells))
        mines = sum(map(known.__getitem__, taken))
        unknown = frozenset(cells).difference(taken)
        return Sentence(
            unknown, least - mines, most - mines, parents=parents, clue=clue, taken=taken
        )

    def _holds(self, sentence: Sentence) -> bool:
        return self.sentences.get(sentence.cells) is sentence

    def _add(self, sentence: Sentence) -> None:
        """Add a sentence to the base, turn it into known cells, or drop it."""
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
                sentence = Sentence(sentence.cells, least, most, parents=(older, sentence))
            self._remove(older)
        if sentence.is_decided:
            for index in sorted(sentence.cells.difference(self.known)):
                self._accept(Finding(index, sentence.most > 0, sentence))
        else:
            self._store(sentence)
            self._unmatched.append(sentence)

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


def _difference(whole: Sentence, subset: Sentence) -> Sentence:
    """Return the sentence about the cells of `whole` that are not in `subset`."""
    least, most = whole.least - subset.most, whole.most - subset.least
    return Sentence(whole.cells - subset.cells, least, most, parents=(whole, subset))


def origin(sentence: Sentence, grid: Grid) -> str:
    """Describe how a sentence was derived."""
    if not sentence.parents:
        return first_origin(sentence.clue, sentence.taken, grid)
    first = sentence.parents[0].text(grid)
    if len(sentence.parents) == 1:
        return f"{first} without {grid.text(sentence.taken)}"
    second = sentence.parents[1].text(grid)
    return f"{first} and, inside it, {second}"
