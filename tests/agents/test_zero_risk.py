"""No guess has a risk of 0, because only a proved move may have that risk."""

from __future__ import annotations

import pytest

import mineproof as mw
from mineproof.core.rules import Rules, with_options


@pytest.mark.parametrize(
    ("agent", "rules"),
    [
        ("backtracking", {"clues": "withheld:0", "mine_count": "unknown"}),
        ("possibility", {}),
        ("possibility", {"clues": "optimistic"}),
        ("resolution:clues=model", {"clues": "optimistic"}),
    ],
)
def test_no_guess_is_told_as_safe(agent: str, rules: dict[str, str]) -> None:
    """A move that is not proved has a positive risk, or its risk is unknown."""
    guesses = 0
    for seed in range(25):
        game = mw.Game(with_options(Rules(8, 8, 10), **rules), seed)
        record = mw.play(game, mw.make_agent(agent))
        for step in record.steps:
            if step.move.action == "open" and not step.proved:
                guesses += 1
                assert step.risk is None or step.risk > 0, (seed, step)
    assert guesses
