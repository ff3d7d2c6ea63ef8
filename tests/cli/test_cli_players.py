"""The options `--agent` and `--budget`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from mineproof.cli.main import mineproof_command
from mineproof.cli.options import player_text
from mineproof.core.errors import InputError


def run(*arguments: str) -> Result:
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
def test_agent_and_budget(agent: str | None, budget: str | None, text: str) -> None:
    """If a budget is given without an agent, `deep` plays."""
    assert player_text(agent, budget) == text


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("basic", "takes no --budget"),
        ("deep:budget=1s", "given twice"),
        ("nobody", "expected an agent"),
    ],
)
def test_bad_agents_for_a_budget(agent: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        player_text(agent, "1s")


def test_deep_plays_from_the_command_line() -> None:
    watched = run("watch", "--budget", "5ms", "--level", "5x5/4", "--seed", "1")
    assert watched.exit_code == 0, watched.output
    assert "agent deep:budget=5ms" in watched.output
    played = run("games", "--count", "2", "--level", "5x5/4", "--budget", "5ms", "--jobs", "1")
    assert played.exit_code == 0, played.output


@pytest.mark.parametrize("budget", ["soon", "0", "-1s"])
def test_budgets_that_are_not_times(budget: str) -> None:
    result = run("watch", "--budget", budget, "--level", "5x5/4")
    assert result.exit_code == 2
    assert "expected a time of at most an hour" in result.output
