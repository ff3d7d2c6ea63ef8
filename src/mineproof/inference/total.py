"""What the mine count adds: components share nothing else.

Each component can hold certain numbers of mines; the cells without a clue take any number. A
solution counts only if the others can make up the rest. Sets of numbers are kept as bits: bit
`k` is set if `k` mines are possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from mineproof.inference.backtracking import BacktrackProof
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.inference.listing import Listing


def count_proofs(
    listings: Sequence[Listing], interior: tuple[int, ...], mines: int
) -> Iterator[BacktrackProof]:
    """Prove cells from the solutions of all components and the number of mines.

    Args:
        listings: the solutions of each component; one that is not complete proves nothing, and
            is taken to hold any number of mines.
        interior: the unknown cells that no clue touches.
        mines: how many mines are left.
    """
    possible = [_possible(listing) for listing in listings]
    anywhere = (1 << len(interior) + 1) - 1
    for place, listing in enumerate(listings):
        others = [*possible[:place], *possible[place + 1 :], anywhere]
        rest = reduce(_sums, others)
        fitting = sum(1 << k for k in range(mines + 1) if rest >> mines - k & 1)
        for proof in listing.proofs(fitting):
            yield _with_count(proof, listings)
    if interior:
        taken = reduce(_sums, possible, 1)
        left = [k for k in range(len(interior) + 1) if mines >= k and taken >> mines - k & 1]
        if left and (max(left) == 0 or min(left) == len(interior)):
            yield _with_count(BacktrackProof(interior, left[0] > 0, ()), listings)


def _possible(listing: Listing) -> int:
    """Give the numbers of mines that a component can hold."""
    if not listing.complete:
        return (1 << sum(map(len, listing.boxes)) + 1) - 1
    return sum(1 << mines for mines in set(listing.mines))


def _sums(first: int, second: int) -> int:
    """Give all sums of a number of one set and a number of the other."""
    sums = 0
    while second:
        lowest = second & -second
        sums |= first * lowest
        second ^= lowest
    return sums


def _with_count(proof: BacktrackProof, listings: Sequence[Listing]) -> BacktrackProof:
    """Let a proof rest on the mine count and on the clues of all components."""
    clues = sorted(one.clue for listing in listings for one in listing.constraints)
    return BacktrackProof(proof.cells, proof.mined, (MINE_COUNT, *clues))
