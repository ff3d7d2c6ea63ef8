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

AgentClass = TypeVar("AgentClass", bound=type)


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
    """The strongest of all is the default where none is named."""
    options: dict[str, Option] = field(default_factory=dict)

    def make(self, **given: object) -> Agent:
        """Make an agent with these options, text or values."""
        try:
            checked = read_options(self.options, given)
        except AgentError as error:
            raise AgentError(f"agent {self.id}: {error}") from None
        made = self.factory(**checked)
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
) -> Callable[[AgentClass], AgentClass]:
    """Register the decorated class as an agent."""

    def register(factory: AgentClass) -> AgentClass:
        options = options_of(factory)
        _registered[id] = AgentSpec(
            id, factory, idea, source, proves, cannot_prove, strength, options
        )
        return factory

    return register


@cache
def agents() -> dict[str, AgentSpec]:
    """Give all agents by id, weakest first."""
    for module in pkgutil.iter_modules(mineproof.agents.__path__):
        importlib.import_module(f"mineproof.agents.{module.name}")
    ordered = sorted(_registered.values(), key=lambda spec: spec.strength)
    return {spec.id: spec for spec in ordered}


def strongest() -> str:
    """Give the id of the strongest agent."""
    return max(agents().values(), key=lambda spec: spec.strength).id
