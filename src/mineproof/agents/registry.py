"""All agents by id. An agent registers itself with the decorator `agent` in its own file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import mineproof.agents
from mineproof.agents.options import Option, options_of, read_options
from mineproof.agents.protocol import Agent
from mineproof.core.errors import AgentError
from mineproof.core.words import error_line
from mineproof.notation.codec import plain_form

AgentClass = TypeVar("AgentClass", bound=type)


@plain_form("id", "idea", "source", "proves", "cannot_prove", "takes_time", "options=option_list")
@dataclass(frozen=True)
class AgentSpec:
    """What is known of an agent without making one."""

    id: str
    factory: type
    idea: str
    source: str
    proves: str
    cannot_prove: str
    strength: int = 0
    """The strongest of all that play at once is the default where none is named."""
    takes_time: bool = False
    """Whether it thinks for a while about a move: it has to be asked for."""
    options: dict[str, Option] = field(default_factory=dict)

    @property
    def option_list(self) -> list[Option]:
        """The options in the order of their declaration."""
        return list(self.options.values())

    def make(self, **given: object) -> Agent:
        """Make an agent with these options, text or values.

        Raises:
            AgentError: an option does not fit, or the agent's `__init__` fails.
        """
        try:
            checked = read_options(self.options, given)
        except AgentError as error:
            raise AgentError(f"agent {self.id}: {error}") from None
        try:
            made = self.factory(**checked)
        except AgentError:
            raise
        except Exception as error:
            raise AgentError(
                f"expected to make the agent {self.id}, got {error_line(error)}"
            ) from error
        assert isinstance(made, Agent)
        return made


_registered: dict[str, AgentSpec] = {}


def agent(  # noqa: PLR0913  (a spec sheet: each line of it is shown to users)
    id: str,
    *,
    idea: str,
    source: str,
    proves: str,
    cannot_prove: str,
    strength: int = 0,
    takes_time: bool = False,
) -> Callable[[AgentClass], AgentClass]:
    """Register the decorated class as an agent.

    Raises:
        AgentError: another class has this id already.
    """

    def register(factory: AgentClass) -> AgentClass:
        taken = _registered.get(id)
        if taken is not None and taken.factory.__qualname__ != factory.__qualname__:
            raise AgentError(f"expected one agent {id!r}, got {taken.factory} and {factory}")
        options = options_of(factory)
        _registered[id] = AgentSpec(
            id, factory, idea, source, proves, cannot_prove, strength, takes_time, options
        )
        return factory

    return register


@cache
def agents() -> dict[str, AgentSpec]:
    """Return all agents by id, weakest first."""
    for module in pkgutil.iter_modules(mineproof.agents.__path__):
        importlib.import_module(f"mineproof.agents.{module.name}")
    ordered = sorted(_registered.values(), key=lambda spec: spec.strength)
    return {spec.id: spec for spec in ordered}


def strongest() -> str:
    """Return the id of the strongest agent that plays at once."""
    quick = (spec for spec in agents().values() if not spec.takes_time)
    return max(quick, key=lambda spec: spec.strength).id
