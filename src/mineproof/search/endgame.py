"""The exact endgame: best play when all remaining layouts can be listed.

Each layout is a row of numbers: what its cells would show. A policy wins some layouts. The *value*
of a set of layouts is the largest weight that a policy can win. It depends only on the set, because
the open cells show the same numbers in all its layouts. So the search runs over sets of layouts.
Opening a cell loses the layouts in which it is a mine, and splits the others by the number that the
cell shows.

Two layouts are *alike* if no cell that is safe in both shows different numbers. Among layouts that
are all alike, a policy can win at most one, because no open cell distinguishes them. If a set is
divided into groups of alike layouts, its value is at most the sum of the heaviest layouts of the
groups.

A set is an integer, one bit per layout. The C++ core uses the same algorithm, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mineproof.inference.budget import Budget

MINE = 9
"""The number that represents a mine in a row."""
PAIR = 2


class EndgameMove(NamedTuple):
    """A possible next move."""

    cell: int
    """The position of the cell in the rows; -1 if there is nothing to open."""
    value: int
    """The weight won with this move and best play after it."""
    mined: int
    """The weight of the layouts in which the cell is a mine."""


class Column(NamedTuple):
    """A cell that can show different numbers, with its values in all layouts."""

    cell: int
    values: tuple[int, ...]
    """For each number that the cell can show, in increasing order, the layouts in which it does."""
    safe: int
    """The layouts in which the cell is safe."""


class KnownValue(NamedTuple):
    """What the search knows about the value of a set."""

    value: int
    exact: bool
    """Whether the value is exact; otherwise it is an upper bound."""


class Endgame:
    """A game in which every possible layout is known."""

    def __init__(
        self,
        rows: Sequence[bytes],
        weights: Sequence[int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Read the layouts column by column.

        Args:
            rows: at least one row, all different. A row lists what each cell would show, or `MINE`.
            weights: a positive number for each row; by default 1.
            budget: the limit on the work, which several searches may share; by default none. A
                node is a layout visited in a step of the search.
        """
        weights = [1] * len(rows) if weights is None else weights
        order = sorted(range(len(rows)), key=lambda i: (-weights[i], rows[i]))
        self.rows = [rows[i] for i in order]
        self.weights = [weights[i] for i in order]
        self.total = sum(weights)
        self._charge = (budget or Budget()).spend
        self._even = self.weights[0] == self.weights[-1] == 1
        self._everything = (1 << len(rows)) - 1
        columns = (self._column(cell) for cell in range(len(rows[0])))
        self._columns = [column for column in columns if len(column.values) > 1]
        self._unlike = self._compare()
        self._memo: dict[int, KnownValue] = {}

    def best(self) -> EndgameMove:
        """Return the best move.

        Ties are broken by the lowest weight of mines, then the lowest cell.

        Only cells that distinguish layouts are considered, unless there are none.

        Raises:
            WorkLimitError: the search exceeds the budget.
        """
        self._charge(2 * len(self.rows))
        live = self._live(self._everything, self._columns)
        if not live:
            return self._guess_layout()
        upper = self._partition(self._everything)
        best = EndgameMove(-1, 0, self.total)
        for mined, column in self._undominated(self._everything, live):
            reach = self.total - mined
            if reach <= best.value or best.value >= upper:
                break
            parts = self._open(self._everything, column)
            value = self._play(parts, _columns(live), best.value, reach)
            if value > best.value:
                best = EndgameMove(column.cell, value, mined)
            if not mined:  # no move is better than one without risk
                break
        return best

    def all(self) -> list[EndgameMove]:
        """Return every possible next move.

        Raises:
            WorkLimitError: the search exceeds the budget.
        """
        return [self._value_of(cell) for cell in range(len(self.rows[0]))]

    def _value_of(self, cell: int) -> EndgameMove:
        self._charge(len(self.rows))
        column = self._column(cell)
        reach = self._weigh(column.safe)
        value = self._play(list(column.values), self._columns, -1, reach)
        return EndgameMove(cell, value, self.total - reach)

    def _guess_layout(self) -> EndgameMove:
        """Return the move if no cell distinguishes layouts, so that only one of them can be won."""
        best = EndgameMove(-1, self.weights[0], self.total)
        for cell, shown in enumerate(self.rows[0]):
            mined = self.total - self._weigh(self._column(cell).safe)
            if shown != MINE and mined < best.mined:
                best = EndgameMove(cell, self.weights[0], mined)
        return best

    def _search(self, layouts: int, columns: Sequence[Column], need: int) -> int:
        """Return the value of a set if it exceeds `need`, else an upper bound up to `need`.

        The set has at least three layouts. Its value, or an upper bound on it, is in the memo.
        `columns` are the columns that may split the set.
        """
        known = self._memo[layouts]
        if known.exact or known.value <= need:
            return known.value
        self._charge(layouts.bit_count())
        live = self._live(layouts, columns)
        if not live:
            value = self.weights[_first(layouts)]
            self._memo[layouts] = KnownValue(value, True)
            return value
        least, _ = live[0]
        if least:
            value = self._choose(layouts, live, need, known.value)
        else:
            parts = self._open_free(layouts, live)
            value = self._play(parts, _columns(live), need, self._weigh(layouts))
        self._memo[layouts] = KnownValue(value, value > need)
        return value

    def _choose(self, layouts: int, live: list[tuple[int, Column]], need: int, upper: int) -> int:
        """Try the columns one by one, in order of increasing weight of mines.

        The search ends at a column that cannot do better even if all its survivors were won.
        """
        whole = self._weigh(layouts)
        upper = min(upper, whole - live[0][0])
        if upper <= need:
            return upper
        best = 0
        failed = 0  # the largest upper bound among the columns that cannot do better
        columns = _columns(live)
        for mined, column in self._undominated(layouts, live):
            goal = max(need, best)
            if whole - mined <= goal:
                failed = max(failed, whole - mined)
                break
            value = self._play(self._open(layouts, column), columns, goal, whole - mined)
            if value > goal:
                best = value
            else:
                failed = max(failed, value)
            if best >= upper:
                break
        return best if best > need else min(upper, failed)

    def _play(self, parts: list[int], columns: Sequence[Column], need: int, bound: int) -> int:
        """Return the total value of all parts if it exceeds `need`, else an upper bound.

        `bound` is the weight of all parts. It decreases as parts turn out to be worth less. Values
        and bounds that are known without a search are used first.
        """
        probed = []
        for part in parts:
            known = self._probe(part)
            bound -= self._weigh(part) - known.value
            if bound <= need:
                return bound
            probed.append(known)
        for part, known in zip(parts, probed, strict=True):
            if known.exact:
                continue
            value = self._search(part, columns, need - (bound - known.value))
            bound -= known.value - value
            if bound <= need:
                return bound
        return bound

    def _probe(self, layouts: int) -> KnownValue:
        """Return the value of a set, or a bound, if it is known without a search."""
        count = layouts.bit_count()
        first = _first(layouts)
        if count == 1:
            return KnownValue(self.weights[first], True)
        if count == PAIR:
            apart = layouts & self._unlike[first]
            return KnownValue(self._weigh(layouts) if apart else self.weights[first], True)
        known = self._memo.get(layouts)
        if known is None:
            self._charge(count)
            known = self._memo[layouts] = KnownValue(self._partition(layouts), False)
        return known

    def _partition(self, layouts: int) -> int:
        """Return an upper bound: the sum of the heaviest layouts of greedily built alike groups."""
        bound = 0
        while layouts:
            head = layouts & -layouts
            bound += self.weights[_first(head)]
            layouts ^= head
            fit = layouts & ~self._unlike[_first(head)]
            while fit:
                member = fit & -fit
                layouts ^= member
                fit &= ~self._unlike[_first(member)] & ~member
        return bound

    def _live(self, layouts: int, columns: Sequence[Column]) -> list[tuple[int, Column]]:
        """Return the columns that split a set, those with the lowest weight of mines first."""
        live = [
            (self._weigh(layouts & ~column.safe), column)
            for column in columns
            if sum(1 for value in column.values if layouts & value) > 1
        ]
        return sorted(live, key=lambda option: (option[0], option[1].cell))

    def _undominated(
        self, layouts: int, live: list[tuple[int, Column]]
    ) -> list[tuple[int, Column]]:
        """Drop each column that is a mine in all layouts in which some other column is a mine.

        Such columns can wait: opening the other column first loses no additional layouts.
        """
        kept: list[tuple[int, Column]] = []
        for mined, column in live:
            safe = layouts & column.safe
            if all(safe & ~other.safe for _, other in kept):
                kept.append((mined, column))
        return kept

    def _open(self, layouts: int, column: Column) -> list[int]:
        return [part for value in column.values if (part := layouts & value)]

    def _open_free(self, layouts: int, live: list[tuple[int, Column]]) -> list[int]:
        """Split a set by all columns that are safe in all its layouts."""
        parts = [layouts]
        for mined, column in live:
            if mined:
                break
            parts = [piece for part in parts for piece in self._open(part, column)]
        return parts

    def _column(self, cell: int) -> Column:
        sets = [0] * (MINE + 1)
        for number, row in enumerate(self.rows):
            sets[row[cell]] |= 1 << number
        values = tuple(found for found in sets[:MINE] if found)
        return Column(cell, values, self._everything & ~sets[MINE])

    def _compare(self) -> list[int]:
        """Return, for each layout, the layouts that are not alike with it."""
        unlike = [0] * len(self.rows)
        for column in self._columns:
            for value in column.values:
                others = column.safe & ~value
                for number in _numbers(value):
                    unlike[number] |= others
        return unlike

    def _weigh(self, layouts: int) -> int:
        if self._even:
            return layouts.bit_count()
        return sum(self.weights[number] for number in _numbers(layouts))


def _columns(live: list[tuple[int, Column]]) -> list[Column]:
    return [column for _, column in live]


def _first(layouts: int) -> int:
    return (layouts & -layouts).bit_length() - 1


def _numbers(layouts: int) -> Iterator[int]:
    while layouts:
        yield _first(layouts)
        layouts &= layouts - 1
