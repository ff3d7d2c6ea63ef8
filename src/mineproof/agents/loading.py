"""From the text after `--agent` to an agent: an id with options, or a file of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from mineproof.agents.options import options_of
from mineproof.agents.protocol import Agent
from mineproof.agents.registry import AgentSpec, agents
from mineproof.core.errors import AgentError, NotationError, did_you_mean
from mineproof.core.user_code import import_file
from mineproof.core.words import error_line
from mineproof.notation.text import MOST_SOURCE, read_file

OWN_CLASS = re.compile(r"(?P<file>.+?\.py):(?P<name>\w+)(?::(?P<options>.*))?")
"""A class in a file of one's own."""
_CS50 = re.compile(r"cs50:(?:file=)?(.+?\.py)(?:[:,](.*))?", re.IGNORECASE)


def make_agent(name: str, **options: object) -> Agent:
    """Make an agent.

    Args:
        name: an id (`basic`), an id with options (`sentences:stuck=stop`), or a class in a
            file (`my_agent.py:MyAgent`, options after a further colon), or a CS50 file
            (`cs50:minesweeper.py`, likewise).
        **options: options by name; they win over those in the text.

    Raises:
        AgentError: there is no such agent or option, or the file cannot be used.
    """
    spec, written = parse_agent(name)
    return spec.make(**{**written, **options})


def parse_agent(text: str) -> tuple[AgentSpec, dict[str, object]]:
    """Read the text that names an agent, and the options written in it."""
    if match := _CS50.fullmatch(text):
        return agents()["cs50"], {"file": match[1], **_options(match[2] or "")}
    if ".py" in text:
        return _own_agent(text)
    id, _, rest = text.partition(":")
    spec = agents().get(id.strip().lower())
    if spec is None:
        raise AgentError(
            f"expected an agent ({', '.join(agents())}) or FILE.py:Class, got {id!r}"
            f"{did_you_mean(id, agents())}",
            code="unknown-agent",
            name=id,
        )
    return spec, _options(rest)


def file_of(text: str) -> Path | None:
    """Return the file that the text of an agent names, if it is one of the user's own."""
    match = _CS50.fullmatch(text) or OWN_CLASS.fullmatch(text)
    return Path(match[1]) if match else None


def _options(text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for option in filter(None, text.split(",")):
        name, equals, value = option.partition("=")
        if not equals:
            raise AgentError(f"expected options as name=value,name=value, got {option!r}")
        name = name.strip().replace("-", "_")
        if name in options:
            raise AgentError(f"expected each option once, got {name!r} again")
        options[name] = value.strip()
    return options


def _own_agent(text: str) -> tuple[AgentSpec, dict[str, object]]:
    match = OWN_CLASS.fullmatch(text)
    if match is None:
        raise AgentError(f"expected FILE.py:Class, got {text!r}")
    path, class_name, options = Path(match[1]), match[2], match[3] or ""
    found = getattr(load_module(path), class_name, None)
    if not isinstance(found, type):
        raise AgentError(f"expected a class {class_name!r} in {path}, got none")
    return own_spec(found, text), _options(options)


def own_spec(factory: type, source: str) -> AgentSpec:
    """Describe a class of the user's own.

    Raises:
        AgentError: the class lacks one of an agent's methods.
    """
    for method in ("start", "decide"):
        if not callable(getattr(factory, method, None)):
            raise AgentError(f"expected a method {method!r} in {factory.__name__}, got none")
    idea = (factory.__doc__ or "").strip().partition("\n")[0]
    return AgentSpec(factory.__name__, factory, idea, source, "", "", options=options_of(factory))


def load_module(path: Path) -> ModuleType:
    """Import a Python file by its path, once for each content.

    Raises:
        AgentError: the file does not exist, is too large, or fails while it is imported.
    """
    try:
        content = read_file(path, MOST_SOURCE)
    except OSError as error:
        raise AgentError(f"expected a Python file, got {path}: {error.strerror}") from None
    except NotationError as error:
        raise AgentError(str(error)) from None
    try:
        return import_file(path, content)
    except (Exception, SystemExit) as error:
        raise AgentError(f"expected a file to import, got {path}: {error_line(error)}") from error
