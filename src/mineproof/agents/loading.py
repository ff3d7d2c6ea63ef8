"""Creates an agent from the text after `--agent`: an id with options, or a user's file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from mineproof.agents.options import options_of
from mineproof.agents.protocol import Agent, FunctionAgent, SimpleAgent
from mineproof.agents.registry import AgentSpec, agents
from mineproof.core.decision import Answer
from mineproof.core.errors import AgentError, NotationError, did_you_mean, wrong_type
from mineproof.core.observation import Observation
from mineproof.core.user_code import import_file
from mineproof.core.words import error_line
from mineproof.notation.files import MOST_SOURCE, read_file

OWN_CLASS = re.compile(r"(?P<file>.+?\.py):(?P<name>\w+)(?::(?P<options>.*))?")
"""The text form of a class in a user's file, with or without options."""
ENGINE = "engine:"
"""The prefix of an agent's name if it is an engine."""
_CS50 = re.compile(r"cs50:(?:file=)?(.+?\.py)(?:[:,](.*))?", re.IGNORECASE)
_trusted: WeakValueDictionary[int, Agent] = WeakValueDictionary()
"""The agents that may get a game's seed and board, by identity."""


def make_agent(name: str, **options: object) -> Agent:
    """Create an agent.

    Args:
        name: an id (`basic`), an id with options (`sentences:stuck=stop`), a class or a function
            in a file (`my_agent.py:MyAgent`) or a CS50 file (`cs50:minesweeper.py`). Options of
            the last two follow another colon.
        **options: options by name; they override those in `name`.

    Raises:
        TypeError: the name is not text.
        AgentError: the agent or an option is unknown, or the file cannot be used.
    """
    if not isinstance(name, str):
        raise wrong_type("the name of an agent", name)
    spec, written = parse_agent(name)
    made = spec.make(**{**written, **options})
    return made if is_foreign(name) or "file" in options else trust(made)


def trust(agent: Agent) -> Agent:
    """Let an agent receive the seeds of games, because it is built in or hides the seeds.

    What an object says about itself, such as its module, never makes it trusted.
    """
    _trusted[id(agent)] = agent
    return agent


def is_trusted(agent: SimpleAgent) -> bool:
    """Return whether an agent may get the seeds and boards of games (see `trust`)."""
    return _trusted.get(id(agent)) is agent


Chooser = SimpleAgent | type[SimpleAgent] | Callable[[Observation], Answer | None]
"""An agent, its class, or a function from observation to cell."""


def as_agent(given: Chooser) -> SimpleAgent:
    """Return the agent for an agent, its class, or a function from observation to cell.

    Raises:
        TypeError: the value is of another type.
    """
    made = given() if isinstance(given, type) and issubclass(given, SimpleAgent) else given
    if isinstance(made, SimpleAgent):
        return made
    if callable(made) and not isinstance(made, type):
        return FunctionAgent(made)
    raise wrong_type(
        "an agent: its name, an object or a class with start and decide, or a function "
        "from observation to cell",
        given,
    )


def parse_agent(text: str) -> tuple[AgentSpec, dict[str, object]]:
    """Return the named agent, and the options that follow its name."""
    if is_engine(text):
        raise AgentError(f"{text!r} is an engine, which runs only in a separate process")
    if match := _CS50.fullmatch(text):
        return agents()["cs50"], {"file": match[1], **_options(match[2] or "")}
    if ".py" in text.lower():
        return _own_agent(text)
    id, _, rest = text.partition(":")
    spec = agents().get(id.strip().lower())
    if spec is None:
        wanted = f"an agent ({', '.join(agents())}) or FILE.py:Class"
        text = f"expected {wanted}, got {id!r}{did_you_mean(id, agents())}"
        raise AgentError(text, code="unknown-agent", name=id)
    return spec, _options(rest)


def is_engine(text: str) -> bool:
    """Return whether the text of an agent names an engine: a program that speaks a protocol."""
    return text.startswith(ENGINE)


def is_foreign(text: str) -> bool:
    """Return whether the text of an agent names user code: a file or an engine."""
    return is_engine(text) or file_of(text) is not None


def names_a_file(name: str) -> bool:
    """Return whether text could name user code, even text that is not a valid name."""
    lowered = name.lower()
    cs50 = lowered.startswith("cs50") and ":" in lowered
    return ".py" in lowered or cs50 or is_engine(name)


def file_of(text: str) -> Path | None:
    """Return the user's file in an agent's name, or None for a built-in agent."""
    match = _CS50.fullmatch(text) or OWN_CLASS.fullmatch(text)
    return Path(match[1]) if match and not is_engine(text) else None


def _options(text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for option in filter(None, text.split(",")):
        name, equals, value = option.partition("=")
        if not equals:
            raise AgentError(f"expected options as name=value,name=value, got {option!r}")
        name = name.strip().replace("-", "_")
        if name in options:
            raise AgentError(f"the option {name!r} is given twice")
        options[name] = value.strip()
    return options


def _own_agent(text: str) -> tuple[AgentSpec, dict[str, object]]:
    match = OWN_CLASS.fullmatch(text)
    if match is None:
        raise AgentError(f"expected FILE.py:Class, got {text!r}")
    path, class_name, options = Path(match[1]), match[2], match[3] or ""
    found = getattr(load_module(path), class_name, None)
    if not callable(found):
        raise AgentError(f"{path} has no class or function {class_name!r}")
    return own_spec(found, text), _options(options)


def own_spec(factory: Callable[..., Any], source: str) -> AgentSpec:
    """Return the description of a user's class or function.

    Raises:
        AgentError: the class lacks the method `start` or `decide`.
    """
    idea = (factory.__doc__ or "").strip().partition("\n")[0]
    if not isinstance(factory, type):
        make = partial(FunctionAgent, factory)
        return AgentSpec(factory.__name__, make, idea, source, "", "")
    for method in ("start", "decide"):
        if not callable(getattr(factory, method, None)):
            raise AgentError(f"{factory.__name__} has no method {method!r}")
    return AgentSpec(factory.__name__, factory, idea, source, "", "", options=options_of(factory))


def load_module(path: Path) -> ModuleType:
    """Import a Python file. A file that has not changed is imported only once.

    Raises:
        AgentError: the file does not exist, is too large, or fails while it is imported.
    """
    try:
        content = read_file(path, MOST_SOURCE)
    except OSError as error:
        raise AgentError(f"cannot read {path}: {error.strerror}") from None
    except NotationError as error:
        raise AgentError(str(error)) from None
    try:
        return import_file(path, content)
    except (Exception, SystemExit) as error:
        raise AgentError(f"cannot import {path}: {error_line(error)}") from error
