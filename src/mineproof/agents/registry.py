"""The registry of agents by id. Each agent's file registers it with the decorator `agent`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar, cast

import mineproof.agents
from mineproof.agents.options import Option, options_of, read_options
from mineproof.agents.protocol import Agent, SimpleAgent
from mineproof.core.errors import AgentError
from mineproof.core.words import error_line
from mineproof.notation.codec import plain_form

AgentClass = TypeVar("AgentClass", bound=type)


@plain_form("id", "idea", "source", "proves", "cannot_prove", "takes_time", "options=option_list")
@dataclass(frozen=True)
class AgentSpec:
    """The description of an agent, available without creating it."""

    id: str
    factory: Callable[..., object]
    idea: str
    source: str
    proves: str
    cannot_prove: str
    strength: int = 0
    """The rank by strength. The default agent is the strongest without `takes_time`."""
    takes_time: bool = False
    """Whether the agent thinks for a noticeable time about a move. Such an agent is never the
    default."""
    options: dict[str, Option] = field(default_factory=dict)

    @property
    def option_list(self) -> list[Option]:
        """The options, in the order in which `__init__` declares them."""
        return list(self.options.values())

    def make(self, **given: object) -> Agent:
        """Create an agent. Options may be passed as text or as values.

        Raises:
            AgentError: an option is not valid, or the agent's `__init__` fails.
        """
        try:
            checked = read_options(self.options, given)
        except AgentError as error:
            raise AgentError(f"agent {self.id}: {error}") from None
        try:
            return cast("Agent", self.factory(**checked))
        except AgentError:
            raise
        except Exception as error:
            raise AgentError(f"cannot create agent {self.id}: {error_line(error)}") from error


@dataclass(frozen=True)
class OptionDescription:
    """The plain form of an agent's `Option`."""

    name: str
    type: str
    default: bool | int | float | str | None
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class AgentDescription:
    """The plain form of an `AgentSpec`."""

    id: str
    idea: str
    source: str
    proves: str
    cannot_prove: str
    takes_time: bool
    options: tuple[OptionDescription, ...]


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
        AgentError: another class is already registered with this id.
    """

    def register(factory: AgentClass) -> AgentClass:
        taken = _registered.get(id)
        if taken is not None and taken.factory.__qualname__ != factory.__qualname__:
            raise AgentError(f"agent id {id!r} is used twice: {taken.factory} and {factory}")
        options = options_of(factory)
        _registered[id] = AgentSpec(
            id, factory, idea, source, proves, cannot_prove, strength, takes_time, options
        )
        printed: Any = factory
        printed.__repr__ = lambda self: f"<Agent {name_of(self)}>"
        return factory

    return register


@cache
def agents() -> dict[str, AgentSpec]:
    """Return all agents by id, weakest first."""
    for module in pkgutil.iter_modules(mineproof.agents.__path__):
        importlib.import_module(f"mineproof.agents.{module.name}")
    ordered = sorted(_registered.values(), key=lambda spec: spec.strength)
    return {spec.id: spec for spec in ordered}


def name_of(agent: SimpleAgent) -> str:
    """Return the name of an agent: its own, its id if it is built in, or that of its class."""
    name = getattr(agent, "name", "")
    if name and isinstance(name, str):
        return name
    ids = (spec.id for spec in _registered.values() if spec.factory is type(agent))
    return next(ids, type(agent).__name__)


def strongest() -> str:
    """Return the id of the strongest agent that plays without a delay."""
    quick = (spec for spec in agents().values() if not spec.takes_time)
    return max(quick, key=lambda spec: spec.strength).id
