"""Your own clue rule: a cell shows the true number or one more, with equal probability.

mineproof --clue-rules examples/one_more.py games --clues one-more --agent exact --level beginner
"""

from __future__ import annotations

from fractions import Fraction

from mineproof import ClueRule, register_clue_rule


@register_clue_rule
class OneMore(ClueRule):
    """A rule that shows the true number or one more, but at most the number of neighbours."""

    name = "one-more"
    words = "are the truth or one more"
    floods = True  # only a cell without mines around it can show 0

    def chances(self, truth: int, degree: int) -> dict[int, Fraction]:
        """Return the numbers that a cell can show, with their probabilities."""
        if truth == degree:
            return {truth: Fraction(1)}
        return {truth: Fraction(1, 2), truth + 1: Fraction(1, 2)}
