"""The smallest set that hits all corrections, where corrections are made when they are missed.

A set of clues proves something, or contradicts itself, if it has a clue in common with every
*correction*: the clues that some layout breaks which shows the contrary. So the smallest such set
is a smallest set that hits all corrections. They are found on the way: if some layout agrees with
a set, the clues that it breaks are one more (the tree is Reiter's, 1987; making corrections on
demand is how smallest unsatisfiable subsets are found, Ignatiev and others, 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.core.errors import WorkLimitError

NEVER = 1 << 30

Ask = Callable[[tuple[int, ...]], "frozenset[int] | None"]
"""Gives a correction that a set of clues misses; None if there is none."""
Spend = Callable[[], None]
"""Takes a unit of work; raises `WorkLimitError` where none is left."""


def _no_cost(_chosen: tuple[int, ...]) -> int:
    return 0


class HittingSearch:
    """Searches for the smallest set that hits all corrections. Sets of clues are bits."""

    def __init__(
        self,
        ask: Ask,
        spend: Spend,
        cost: Callable[[tuple[int, ...]], int] = _no_cost,
        most: int = NEVER,
    ) -> None:
        """Prepare a search.

        Args:
            ask: gives corrections.
            spend: is called for each set that is looked at.
            cost: decides between sets of equal size, before row order; it must not fall when
                a set grows.
            most: clues that a set may have before the search is given up.
        """
        self._ask, self._spend, self._cost, self._most = ask, spend, cost, most
        self._clues: list[int] = []
        self._bits: dict[int, int] = {}
        self._corrections: list[int] = []
        self._size = 0
        self._best: tuple[int, tuple[int, ...]] | None = None

    def run(self, most: int = NEVER) -> tuple[int, ...] | None:
        """Return the smallest set; None if it has more than `most` clues, or there is none.

        Raises:
            WorkLimitError: the search takes too long.
        """
        while self._size <= most:
            if self._size > self._most:
                raise WorkLimitError("expected a smallest set of fewer clues, got none")
            self._look()
            if self._best is not None:
                return self._best[1]
            bound = self._missing(0, 0)
            if bound >= NEVER:
                return None
            self._size = max(self._size + 1, bound)
        return None

    def _look(self) -> None:
        """Look at all sets of the size looked for: (chosen, its bits, bits that are banned)."""
        pending: list[tuple[tuple[int, ...], int, int]] = [((), 0, 0)]
        while pending:
            chosen, mask, banned = pending.pop()
            self._spend()
            if self._best is not None and self._cost(chosen) > self._best[0]:
                continue
            correction = self._missed(mask, banned)
            if correction is None:
                broken = self._ask(chosen)
                if broken is None:
                    self._keep(chosen)
                    continue
                correction = self._note(broken)
            if len(chosen) + self._missing(mask, banned) <= self._size:
                pending += reversed(self._longer(chosen, mask, banned, correction))

    def _longer(
        self, chosen: tuple[int, ...], mask: int, banned: int, correction: int
    ) -> list[tuple[tuple[int, ...], int, int]]:
        """Add each clue of a correction; those that came before it are banned then."""
        found = []
        free = correction & ~banned
        while free:
            bit = free & -free
            free ^= bit
            found.append(((*chosen, self._clues[bit.bit_length() - 1]), mask | bit, banned))
            banned |= bit
        return found

    def _note(self, broken: frozenset[int]) -> int:
        correction = 0
        for clue in sorted(broken):
            if clue not in self._bits:
                self._bits[clue] = 1 << len(self._clues)
                self._clues.append(clue)
            correction |= self._bits[clue]
        self._corrections.append(correction)
        self._corrections.sort(key=int.bit_count)
        return correction

    def _missed(self, mask: int, banned: int) -> int | None:
        """Return a known correction that a set does not hit, with the fewest clues to choose."""
        missed = [c for c in self._corrections if not c & mask]
        return min(missed, key=lambda c: (c & ~banned).bit_count()) if missed else None

    def _missing(self, mask: int, banned: int) -> int:
        """Return a number of clues that a set lacks at least: corrections that share none."""
        seen = missing = 0
        for correction in self._corrections:
            if not correction & mask:
                free = correction & ~banned
                if not free:
                    return NEVER
                if not free & seen:
                    seen |= free
                    missing += 1
        return missing

    def _keep(self, chosen: tuple[int, ...]) -> None:
        found = self._cost(chosen), tuple(sorted(chosen))
        if self._best is None or found < self._best:
            self._best = found


def drop_needless(clues: Sequence[int], holds: Callable[[Sequence[int]], bool]) -> list[int]:
    """Drop clues, those in front first, as long as the others will do: halves, then fewer.

    The last round tries every clue by itself, so that none is left without need; where `holds`
    raises `WorkLimitError`, more are left, but they will do.
    """
    kept, size = list(clues), len(clues)
    try:
        while kept:
            size = (size + 1) // 2
            start = 0
            while start < len(kept):
                others = kept[:start] + kept[start + size :]
                if holds(others):
                    kept = others
                else:
                    start += size
            if size == 1:
                break
    except WorkLimitError:
        pass
    return kept
