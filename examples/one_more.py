"""A clue rule of your own: a cell shows the true number or one more, equally likely.

mineproof --clue-rules examples/one_more.py games --clues one-more --agent exact --level beginner
"""

from __future__ import annotations

from fractions import Fraction

from mineproof import ClueRule, register_clue_rule


@register_clue_rule
class OneMore(ClueRule):
    """Shows the true number or one more, but never more than there are neighbours."""

    name = "one-more"
    words = "are the truth or one more"
    floods = True  # only a cell without mines around it can show 0

    def chances(self, truth: int, degree: int) -> dict[int, Fraction]:
        """Return what a cell can show, each number with its probability."""
        if truth == degree:
            return {truth: Fraction(1)}
        return {truth: Fraction(1, 2), truth + 1: Fraction(1, 2)}
