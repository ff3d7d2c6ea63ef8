"""`--agent` and `--budget`: who plays, and how long a guess may take."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from mineproof.cli.main import mineproof_command
from mineproof.cli.options import player_text
from mineproof.core.errors import InputError


def run(*arguments: str) -> Result:
    """Call the command line."""
    return CliRunner().invoke(mineproof_command, list(arguments))


@pytest.mark.parametrize(
    ("agent", "budget", "text"),
    [
        (None, None, "champion"),
        ("basic", None, "basic"),
        (None, "0.2s", "deep:budget=0.2s"),
        ("deep", "50ms", "deep:budget=50ms"),
        ("deep:cores=2", "1s", "deep:cores=2,budget=1s"),
    ],
)
def test_the_agent_by_its_flags(agent: str | None, budget: str | None, text: str) -> None:
    """A budget is an option of the agent, and asks for `deep` where no agent is named."""
    assert player_text(agent, budget) == text


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("basic", "takes one"),
        ("deep:budget=1s", "the budget once"),
        ("nobody", "expected an agent"),
    ],
)
def test_a_budget_that_cannot_be_meant(agent: str, message: str) -> None:
    """An agent without a budget, or with two."""
    with pytest.raises(InputError, match=message):
        player_text(agent, "1s")


def test_deep_plays_from_the_command_line() -> None:
    """A game is watched and games are played within a budget."""
    watched = run("watch", "--budget", "5ms", "--level", "5x5/4", "--seed", "1")
    assert watched.exit_code == 0, watched.output
    assert "agent deep:budget=5ms" in watched.output
    played = run("games", "--count", "2", "--level", "5x5/4", "--budget", "5ms", "--jobs", "1")
    assert played.exit_code == 0, played.output


@pytest.mark.parametrize("budget", ["soon", "0", "-1s"])
def test_a_budget_that_is_no_time(budget: str) -> None:
    """Status 2, and what was expected."""
    result = run("watch", "--budget", budget, "--level", "5x5/4")
    assert result.exit_code == 2
    assert "expected a time up to an hour" in result.output
