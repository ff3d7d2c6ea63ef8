"""Who plays: the agent that a command is given, and the time that it may take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from mineproof.core.errors import InputError

Function = TypeVar("Function", bound=Callable[..., object])

agent_option = click.option(
    "--agent", metavar="AGENT", help="Who plays; see `mineproof agents`.  [default: the strongest]"
)
budget_option = click.option(
    "--budget",
    metavar="T",
    help="The time for a guess, such as 0.2s, of an agent that takes one.  [agent: deep]",
)


def player_options(function: Function) -> Function:
    """Add the flags that say who plays."""
    return agent_option(budget_option(function))


def player_text(agent: str | None, budget: str | None) -> str:
    """Give the text that names the agent, the strongest by default, with its time.

    Raises:
        InputError: there is no such agent, or it takes no time.
    """
    from mineproof.agents.loading import parse_agent
    from mineproof.agents.registry import strongest

    if budget is None:
        return strongest() if agent is None else agent
    text = "deep" if agent is None else agent
    spec, written = parse_agent(text)
    if "budget" not in spec.options:
        raise InputError(f"expected --budget with an agent that takes one (deep), got {text!r}")
    if "budget" in written:
        raise InputError(f"expected the budget once, got --budget and {text!r}")
    return f"{text}{',' if written else ':'}budget={budget}"
