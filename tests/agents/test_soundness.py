"""Whole games that check every proved move, as in `benchmarks/soundness.py`."""

from __future__ import annotations

import pytest
from agent_games import play_game

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.registry import agents
from mineproof.core.rules import LEVELS, with_options

REASONING = [id for id, spec in agents().items() if isinstance(spec.make(), KnowledgeAgent)]


@pytest.mark.parametrize("level", ["easy", "medium", pytest.param("hard", marks=pytest.mark.full)])
@pytest.mark.parametrize("name", REASONING)
def test_proved_moves_are_right(name: str, level: str) -> None:
    """Each agent plays ten games on each of the documents' three levels."""
    setting = with_options(LEVELS[level], goal="mark")
    proved = 0
    for seed in range(100, 110):
        _, decisions = play_game(name, setting, seed)
        proved += sum(decision.proved for decision in decisions)
    assert proved > 100
