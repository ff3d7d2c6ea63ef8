"""The agent `basic`, which reads one clue at a time."""

import pytest

from mineproof.agents.loading import make_agent
from mineproof.core.clues import ClueRule
from mineproof.notation.position_text import parse_position


@pytest.mark.parametrize(("clues", "proved"), [("trust", True), ("model", False)])
def test_trust_takes_a_low_clue_as_true(clues: str, proved: bool) -> None:
    """An optimistic 0 proves its neighbours safe only if the agent trusts clues."""
    position = parse_position("3x1x1\n0HH\n", clues=ClueRule.parse("optimistic"))
    agent = make_agent("basic", clues=clues)
    agent.start(position.rules, 1)
    decision = agent.decide(position)
    assert decision is not None
    assert decision.proved is proved


def test_both_rules_hold_where_clues_are_exact() -> None:
    position = parse_position("5x1x1\nH1HHH\n")
    agent = make_agent("basic")
    agent.start(position.rules, 1)
    decision = agent.decide(position)
    assert decision is not None
    assert not decision.proved
    position = parse_position("4x1x1\nH10H\n")
    agent.start(position.rules, 1)
    decision = agent.decide(position)
    assert decision is not None
    assert str(decision.move) == "open 0,3"
    assert decision.proved
