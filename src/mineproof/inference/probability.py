"""From the counts of components to the risk of every cell.

Components share nothing but the total mine count. If P_c(x) counts the layouts of component
c by mines, and outer[t] is the weight of the interior when all components together hold t
mines, then a layout of component c with k mines stands for layouts of the whole position of
weight

    around_c[k] = sum over t of outer[t] * coefficient of x^(t-k) in the product of the others.

The products are made in a tree: each node has the product of its two children on the way up,
and gets its own `around` on the way down, from its parent's and its sibling's product.
Only non-negative integers are added: a proved cell is an exact zero.
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
    """Some components, and the product of their polynomials."""

    __slots__ = ("left", "product", "right")

    def __init__(self, parts: Sequence[Polynomial], budget: Budget) -> None:
        """Multiply at least one polynomial."""
        self.left: _Node | None = None
        self.right: _Node | None = None
        self.product = parts[0]
        if len(parts) > 1:
            half = len(parts) // 2
            self.left, self.right = _Node(parts[:half], budget), _Node(parts[half:], budget)
            budget.spend(_effort(self.left.product, self.right.product))
            self.product = self.left.product * self.right.product

    def around(self, weights: Sequence[int], found: list[Sequence[int]]) -> None:
        """Collect the weights around each component, given those around all of the node's."""
        if self.left is None or self.right is None:
            found.append(weights)
        else:
            self.left.around(correlate(weights, self.right.product.counts), found)
            self.right.around(correlate(weights, self.left.product.counts), found)

    def split(self, mines: int, stream: Stream, found: list[int]) -> None:
        """Draw how many of the node's mines lie in each component, by weight."""
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
    """The components of a position put together under a prior."""

    def __init__(
        self, parts: Sequence[Polynomial], prior: Prior, outside: Outside, budget: Budget
    ) -> None:
        """Weigh the layouts of the whole position.

        Args:
            parts: the polynomial of each component.
            prior: what is known of the number of mines.
            outside: what surrounds the components.
            budget: how much work it may take: the polynomials of huge boards are long.

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
        """Return for each component the weight of the rest, by its own mines from its least."""
        found: list[Sequence[int]] = []
        if self._root is not None:
            self._root.around(self.outer.weights, found)
        return found

    def split(self, stream: Stream) -> tuple[list[int], int]:
        """Draw how many mines lie in each component and in the interior, by weight."""
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
        """How many layouts there are, if the counts of the components are numbers of layouts."""
        return sum(
            count * self.prior.layouts(self.whole.least + extra, self.outside)
            for extra, count in enumerate(self.whole.counts)
            if count
        )


def _effort(first: Polynomial, second: Polynomial) -> int:
    """Return for how many states a product counts: none, unless the polynomials are long."""
    bits = max(first.counts).bit_length() + max(second.counts).bit_length()
    return ((len(first.counts) + len(second.counts)) * bits // LONG) ** 2 // 4


def weigh(mines: Polynomial, part: Polynomial, around: Sequence[int]) -> int:
    """Sum a polynomial of a component over all layouts of the position."""
    skip = mines.least - part.least  # below the part's least power all coefficients are zero
    if skip < 0:
        return dot(mines.counts[-skip:], around)
    return dot(mines.counts, around[skip:])
