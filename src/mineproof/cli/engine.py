"""`mineproof engine`: run an agent as an engine for other programs."""

from __future__ import annotations

import sys
from functools import partial

from mineproof import AgentError, __version__
from mineproof.agents.loading import is_foreign, parse_agent
from mineproof.cli import options
from mineproof.cli.commands import new_command
from mineproof.match.engine_server import EngineServer


@new_command("engine")
def command(*, agent: str | None = options.AGENT, budget: str | None = options.BUDGET) -> None:
    """Answer another program's questions with the moves of an agent.

    Speaks the engine protocol (MEP 1) on stdin and stdout, until `quit` or the end of stdin.

    Example:
      mineproof engine --agent champion
    """
    text = options.player_text(agent, budget)
    if is_foreign(text):
        raise AgentError(f"expected a built-in agent, got {text!r}")
    spec, written = parse_agent(text)
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    server = EngineServer(spec, written, __version__)
    server.serve(sys.stdin, partial(print, end="", flush=True))
