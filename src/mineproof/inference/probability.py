"""Risks of the whole position, computed from the counts of its components.

Components share only the total mine count. Let P_c(x) count the arrangements of component c by
mines, and let outer[t] be the weight of the interior when all components together hold t mines.
Then an arrangement of component c with k mines belongs to layouts of the whole position with the
total weight

    around_c[k] = sum over t of outer[t] * coefficient of x^(t-k) in the product of the others.

The products form a tree. On the way up, each node multiplies the products of its two children. On
the way down, it computes its `around` from its parent's `around` and its sibling's product. Only
non-negative integers are added, so the risk of a proved cell is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mineproof.core.random import Stream, pick
from mineproof.inference.budget import LONG, Budget
from mineproof.inference.counting.polynomial import ONE, Polynomial, correlate, dot
from mineproof.inference.counting.prior import Outside, Prior
from mineproof.inference.local import ImpossibleError


class _Node:
    """A node of the tree: some components and the product of their polynomials."""

    __slots__ = ("left", "product", "right")

    def __init__(self, parts: Sequence[Polynomial], budget: Budget) -> None:
        """Build the tree for one or more polynomials."""
        self.left: _Node | None = None
        self.right: _Node | None = None
        self.product = parts[0]
        if len(parts) > 1:
            half = len(parts) // 2
            self.left, self.right = _Node(parts[:half], budget), _Node(parts[half:], budget)
            budget.spend(_effort(self.left.product, self.right.product))
            self.product = self.left.product * self.right.product

    def around(self, weights: Sequence[int], found: list[Sequence[int]]) -> None:
        """Append the weights around each component of the node to `found`."""
        if self.left is None or self.right is None:
            found.append(weights)
        else:
            self.left.around(correlate(weights, self.right.product.counts), found)
            self.right.around(correlate(weights, self.left.product.counts), found)

    def split(self, mines: int, stream: Stream, found: list[int]) -> None:
        """Draw, by weight, how many of the node's mines are in each component."""
        if self.left is None or self.right is None:
            found.append(mines)
            return
        left, right = self.left.product, self.right.product
        options = range(
            max(left.least, mines - right.most), min(left.most, mines - right.least) + 1
        )
        weights = [left.count(k) * right.count(mines - k) for k in options]
        chosen = options[pick(weights, stream)]
        self.left.split(chosen, stream, found)
        self.right.split(mines - chosen, stream, found)


class Mixture:
    """The components of a position, combined under a prior."""

    def __init__(
        self, parts: Sequence[Polynomial], prior: Prior, outside: Outside, budget: Budget
    ) -> None:
        """Weigh the layouts of the whole position.

        Args:
            parts: the polynomial of each component.
            prior: the prior over the number of mines.
            outside: the cells and mines outside the components.
            budget: limits on the work. The polynomials of huge boards are long.

        Raises:
            ImpossibleError: no combination fits the prior.
            WorkLimitError: the budget is spent.
        """
        self.prior = prior
        self.outside = outside
        self._root = _Node(parts, budget) if parts else None
        self.whole = ONE if self._root is None else self._root.product
        self.outer = prior.outer(self.whole.least, self.whole.most, outside)
        self.total = dot(self.whole.counts, self.outer.weights)
        if not self.total:
            raise ImpossibleError

    def around(self) -> list[Sequence[int]]:
        """Return, per component, the weight of all other cells for each number of its mines."""
        found: list[Sequence[int]] = []
        if self._root is not None:
            self._root.around(self.outer.weights, found)
        return found

    def split(self, stream: Stream) -> tuple[list[int], int]:
        """Draw, by weight, how many mines are in each component and in the interior."""
        totals = zip(self.whole.counts, self.outer.weights, strict=True)
        inside = self.whole.least + pick([count * weight for count, weight in totals], stream)
        found: list[int] = []
        if self._root is not None:
            self._root.split(inside, stream, found)
        return found, self.prior.draw(inside, self.outside, stream)

    @property
    def interior_risk(self) -> Fraction:
        """The risk of each interior cell."""
        mines = dot(self.whole.counts, self.outer.mines)
        return Fraction(mines, self.total * self.outer.scale * self.outside.interior)

    @property
    def layouts(self) -> int:
        """The number of layouts, if the components were counted without weights."""
        return sum(
            count * self.prior.layouts(self.whole.least + extra, self.outside)
            for extra, count in enumerate(self.whole.counts)
            if count
        )


def _effort(first: Polynomial, second: Polynomial) -> int:
    """Return the cost of a product, measured in states. It is 0 unless the polynomials are long."""
    bits = max(first.counts).bit_length() + max(second.counts).bit_length()
    return ((len(first.counts) + len(second.counts)) * bits // LONG) ** 2 // 4


def weigh(mines: Polynomial, part: Polynomial, around: Sequence[int]) -> int:
    """Return a polynomial of one component, summed over all layouts of the whole position."""
    skip = mines.least - part.least  # below the component's lowest power, all coefficients are 0
    if skip < 0:
        return dot(mines.counts[-skip:], around)
    return dot(mines.counts, around[skip:])
