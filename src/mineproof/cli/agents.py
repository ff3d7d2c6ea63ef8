"""`mineproof agents`: list, describe and check agents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import mineproof
from mineproof.agents.loading import is_foreign, parse_agent
from mineproof.agents.options import EXPECTED
from mineproof.agents.registry import agents
from mineproof.cli import options
from mineproof.cli.commands import BAD_INPUT, argument, flag, new_command, option
from mineproof.match.checker import check_agent
from mineproof.match.isolated import described
from mineproof.match.isolated_check import check_isolated
from mineproof.notation.codec import to_plain


@new_command("agents")
def command(  # noqa: PLR0913  (one argument per option)
    *,
    agent: str | None = argument(required=False),
    as_json: bool = flag("--json", "Print one JSON object per agent, one per line."),
    check: bool = flag("--check", "Play AGENT under all rules and report faults."),
    rules: str | None = option(
        "--rules", "Choose the rules for --check.", click.Choice(["all", "classic"])
    ),
    new: str | None = option("--new FILE", "Write a template for your own agent."),
    force: bool = options.FORCE,
    limits: options.LimitOptions = options.LIMITS,
) -> None:
    """List the agents, weakest first; describe or check one.

    AGENT is the id of an agent, with or without options, or your own class (FILE.py:Class).
    If --check finds a fault, the exit status is 2.

    Examples:
      mineproof agents
      mineproof agents basic
      mineproof agents --new my_agent.py
      mineproof agents --check my_agent.py:MyAgent --rules classic
    """
    if new is not None:
        _write_template(new, force)
        return
    if rules is not None and not check:
        raise click.UsageError("--rules needs --check")
    if check:
        _check(agent, as_json, limits, rules == "classic")
        return
    if agent is not None and is_foreign(agent):  # its code runs only in a separate process
        found = [described(limits.isolation(agent))]
    else:
        specs = agents().values() if agent is None else [parse_agent(agent)[0]]
        found = [to_plain(spec) for spec in specs]
    if as_json:
        click.echo("\n".join(map(json.dumps, found)))
    else:
        click.echo(_table(found) if agent is None else _sheet(found[0]))


def _write_template(path: str, force: bool) -> None:
    """Write `examples/my_agent.py`, from the installed package or from the checkout."""
    options.check_outputs([path], force)
    package = Path(mineproof.__file__).parent
    folders = (package / "examples", package.parents[1] / "examples")
    template = next(file for each in folders if (file := each / "my_agent.py").exists())
    text = template.read_text("utf-8").replace("my_agent.py", path)
    Path(path).write_text(text, "utf-8")
    click.echo(f"Wrote {path}. Try: mineproof watch --agent {path}:MyAgent")


def _check(agent: str | None, as_json: bool, limits: options.LimitOptions, classic: bool) -> None:
    if agent is None:
        raise click.UsageError("--check needs an AGENT, such as my_agent.py:MyAgent")
    how = limits.isolation(agent)
    if is_foreign(agent):
        report = check_isolated(how, classic=classic)
    else:
        report = check_agent(agent, seconds=how.seconds, classic=classic)
    if as_json:
        found = [vars(finding) for finding in report.findings]
        click.echo(json.dumps({"agent": agent, "games": report.games, "findings": found}))
    elif not report.findings:
        refused = f" ({report.refused} refused)" if report.refused else ""
        click.echo(f"{agent}: no fault found in {report.games} games{refused}")
    else:
        for finding in report.findings:
            text = f"{agent}: {finding.text.removeprefix(f'{agent}: ')}"
            click.echo("\n".join(filter(None, (text, finding.position))))
    if report.findings:
        raise click.exceptions.Exit(BAD_INPUT)


def _table(found: Sequence[Mapping[str, Any]]) -> str:
    width = max(len(one["id"]) for one in found)
    lines = [f"{one['id']:<{width}}  {one['idea']}" for one in found]
    hint = "`mineproof agents ID` describes an agent; FILE.py:Class names your own."
    return "\n".join([*lines, "", hint])


def _sheet(found: Mapping[str, Any]) -> str:
    """Describe an agent, given the plain form of its `AgentSpec`."""
    lines = [found["id"]]
    for name in ("idea", "proves", "cannot_prove", "source"):
        if text := found.get(name):
            lines.append(f"  {name.replace('_', ' ') + ':':<13} {text}")
    if found["options"]:
        lines += ["  options:", *map(_option_line, found["options"])]
    return "\n".join(lines)


def _option_line(option: Mapping[str, Any]) -> str:
    default = option["default"]
    if isinstance(default, bool):
        default = "on" if default else "off"
    values = "|".join(option["choices"]) or EXPECTED[option["type"]]
    return f"    {option['name']}={values}  [default: {default}]  {option['help']}".rstrip()
