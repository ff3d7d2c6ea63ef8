"""From the counts of components to the risk of every cell.

Components share nothing but the total mine count. If P_c(x) counts the layouts of component
c by mines, a layout of the whole position with k mines in component c comes with weight

    around_c[k] = sum over t of [x^(t-k)] (product of the other P) * outer[t]

where outer[t] is the weight of the interior when all components together hold t mines.
Products of all components but one come from products of those before and of those after it.
Only non-negative integers are added: a proved cell is an exact zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mineproof.inference.counting.polynomial import ONE, Polynomial
from mineproof.inference.counting.prior import Outside, Prior
from mineproof.inference.local import ImpossibleError


class Mixture:
    """The components of a position put together under a prior."""

    def __init__(self, parts: Sequence[Polynomial], prior: Prior, outside: Outside) -> None:
        """Weigh the layouts of the whole position.

        Args:
            parts: the polynomial of each component.
            prior: what is known of the number of mines.
            outside: what surrounds the components.

        Raises:
            ImpossibleError: no combination fits the prior.
        """
        self.parts = parts
        self.prior = prior
        self.outside = outside
        self.after = [ONE]
        for part in reversed(parts):
            self.after.append(part * self.after[-1])
        self.after.reverse()
        self.whole = self.after[0]
        self.outer = prior.outer(self.whole.least, self.whole.most, outside)
        self.total = dot(self.whole.counts, self.outer.weights)
        if not self.total:
            raise ImpossibleError

    def around(self) -> list[list[int]]:
        """Give for each component the weight of the rest, by its own mines from its least."""
        found = []
        before = ONE
        for part, after in zip(self.parts, self.after[1:], strict=True):
            others = (before * after).counts
            found.append(
                [
                    dot(others, self.outer.weights[k : k + len(others)])
                    for k in range(len(part.counts))
                ]
            )
            before = before * part
        return found

    def around_drawn(self, place: int, inside: int) -> list[int]:
        """Give the weight of the rest for one component when those before it are drawn.

        Args:
            place: the component; `inside` mines more than necessary are in those before it.
            inside: see `place`.
        """
        rest = self.after[place + 1].counts
        weights = self.outer.weights[inside:]
        return [dot(rest, weights[k:]) for k in range(len(self.parts[place].counts))]

    @property
    def interior_risk(self) -> Fraction:
        """The risk of each interior cell."""
        mines = dot(self.whole.counts, self.outer.mines)
        return Fraction(mines, self.total * self.outer.scale * self.outside.interior)

    @property
    def layouts(self) -> int:
        """How many layouts there are, if the counts of the components are numbers of layouts."""
        return sum(
            count * self.prior.layouts(self.whole.least + extra, self.outside)
            for extra, count in enumerate(self.whole.counts)
            if count
        )


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Sum the products of two lists."""
    return sum(map(int.__mul__, left, right))


def weigh(mines: Polynomial, part: Polynomial, around: Sequence[int]) -> int:
    """Sum a polynomial of a component over all layouts of the position."""
    skip = mines.least - part.least  # below the part's least power all coefficients are zero
    if skip < 0:
        return dot(mines.counts[-skip:], around)
    return dot(mines.counts, around[skip:])
