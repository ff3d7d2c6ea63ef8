"""`mineproof agents`: who can play, by what idea, and with which options."""

from __future__ import annotations

import json

import click

from mineproof.agents.loading import file_of, parse_agent
from mineproof.agents.options import Option
from mineproof.agents.registry import AgentSpec, agents
from mineproof.cli.commands import BAD_INPUT, new_command
from mineproof.cli.options import decision_seconds_option
from mineproof.match.checker import check_agent
from mineproof.match.isolated import check_isolated
from mineproof.notation.codec import to_plain


@new_command("agents", "agents", "agents basic", "agents --check my_agent.py:MyAgent")
@click.argument("agent", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object an agent, a line each.")
@click.option("--check", is_flag=True, help="Play AGENT under all rules and say what is wrong.")
@decision_seconds_option
def command(agent: str | None, as_json: bool, check: bool, decision_seconds: float) -> None:
    """List the agents, weakest first; describe or check one.

    AGENT is an id with options or without, or a class of your own, FILE.py:Class.
    A check that finds a fault ends with status 2.
    """
    if check:
        _check(agent, as_json, decision_seconds)
        return
    specs = list(agents().values()) if agent is None else [parse_agent(agent)[0]]
    if as_json:
        for spec in specs:
            click.echo(json.dumps(to_plain(spec)))
    elif agent is None:
        click.echo(_table(specs))
    else:
        click.echo(_sheet(specs[0]))


def _check(agent: str | None, as_json: bool, seconds: float) -> None:
    if agent is None:
        raise click.UsageError("expected an AGENT to check, such as my_agent.py:MyAgent")
    check = check_isolated if file_of(agent) else check_agent
    report = check(agent, seconds=seconds)
    if as_json:
        found = [vars(finding) for finding in report.findings]
        click.echo(json.dumps({"agent": agent, "games": report.games, "findings": found}))
    elif not report.findings:
        click.echo(f"{agent}: no fault found in {report.games} games")
    for finding in () if as_json else report.findings:
        click.echo(f"{agent}: {finding.text}")
        if finding.position:
            click.echo(f"{finding.position}")
    if report.findings:
        raise click.exceptions.Exit(BAD_INPUT)


def _table(specs: list[AgentSpec]) -> str:
    width = max(len(spec.id) for spec in specs)
    lines = [f"{spec.id:<{width}}  {spec.idea}" for spec in specs]
    hint = "`mineproof agents ID` says more; FILE.py:Class runs an agent of your own."
    return "\n".join([*lines, "", hint])


def _sheet(spec: AgentSpec) -> str:
    facts = {
        "idea": spec.idea,
        "proves": spec.proves,
        "cannot prove": spec.cannot_prove,
        "source": spec.source,
    }
    lines = [spec.id, *(f"  {name + ':':<13} {text}" for name, text in facts.items() if text)]
    if spec.options:
        lines += ["  options:", *(_option_line(option) for option in spec.options.values())]
    return "\n".join(lines)


def _option_line(option: Option) -> str:
    default = option.default
    if isinstance(default, bool):
        default = "on" if default else "off"
    note = f"  {option.help}" if option.help else ""
    return f"    {option.name}={option.expected}  [default: {default}]{note}"
