"""A search for the smallest set of clues that hits all corrections, which are found on demand.

A counterexample is a layout that shows that some clues do not prove a claim, or do not contradict
each other. The clues it violates are a *correction*. A set of clues is a proof (or a contradiction)
if it hits every correction, that is, has a clue in common with it. If some layout fits a set, the
clues that it violates are a new correction. The search tree is Reiter's (1987); finding corrections
on demand is due to Ignatiev and others (2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.core.errors import WorkLimitError

NEVER = 1 << 30

Ask = Callable[[tuple[int, ...]], "frozenset[int] | None"]
"""Returns a correction that a set of clues does not hit; None if there is none."""
Spend = Callable[[], None]
"""Counts a unit of work; raises `WorkLimitError` at the limit."""
Branch = tuple[tuple[int, ...], int, int]
"""The chosen clues, their bits, and the bits of the clues that must not be added."""


class HittingSearch:
    """A search for the smallest set that hits all corrections. Sets of clues are bit masks."""

    def __init__(
        self, ask: Ask, spend: Spend, cost: Callable[[tuple[int, ...]], int] = lambda _chosen: 0
    ) -> None:
        """Prepare a search.

        Args:
            ask: finds corrections.
            spend: is called for each set that the search considers.
            cost: breaks ties between sets of equal size, before row order. It must not decrease
                when a set grows.
        """
        self._ask, self._spend, self._cost = ask, spend, cost
        self._clues: list[int] = []
        self._bits: dict[int, int] = {}
        self._corrections: list[int] = []
        self._size = 0
        self._best: tuple[int, tuple[int, ...]] | None = None

    def run(self) -> tuple[int, ...] | None:
        """Return the smallest set; None if there is none.

        Raises:
            WorkLimitError: the search takes too much work.
        """
        while True:
            self._try_size()
            if self._best is not None:
                return self._best[1]
            bound = self._missing(0, 0)
            if bound >= NEVER:
                return None
            self._size = max(self._size + 1, bound)

    def _try_size(self) -> None:
        """Consider all sets of the current size."""
        pending: list[Branch] = [((), 0, 0)]
        while pending:
            branch = chosen, mask, banned = pending.pop()
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
                pending += reversed(self._longer(branch, correction))

    def _longer(self, branch: Branch, correction: int) -> list[Branch]:
        """Extend the set by each free clue in turn. Later extensions ban the clues tried before."""
        chosen, mask, banned = branch
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
        """Return the known correction with the fewest free clues that a set does not hit."""
        missed = [c for c in self._corrections if not c & mask]
        return min(missed, key=lambda c: (c & ~banned).bit_count()) if missed else None

    def _missing(self, mask: int, banned: int) -> int:
        """Return a lower bound on the number of clues that the set still lacks."""
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
    """Remove clues, from the first to the last, as long as `holds` is true for the rest.

    Clues are removed in blocks, and each round halves the size of the blocks. The last round tries
    single clues, so that every remaining clue is needed. If `holds` raises `WorkLimitError`, the
    current set is returned, which may have unneeded clues.
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
