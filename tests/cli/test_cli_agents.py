"""The command `mineproof agents`, which lists, describes and checks agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mineproof.agents.registry import agents
from mineproof.cli.main import mineproof_command

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_agent.py"


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(mineproof_command, ["agents", *arguments])


def test_all_agents_weakest_first() -> None:
    lines = invoke().stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(agents())]] == list(agents())
    for line, spec in zip(lines, agents().values(), strict=False):
        assert line.endswith(spec.idea)


@pytest.mark.parametrize("name", list(agents()))
def test_every_agent_has_a_sheet(name: str) -> None:
    spec = agents()[name]
    out = invoke(name).stdout
    for text in (spec.idea, spec.proves, spec.cannot_prove, spec.source, *spec.options):
        assert text
        assert text in out
    plain = json.loads(invoke(name, "--json").stdout)
    assert plain["id"] == name
    assert [option["name"] for option in plain["options"]] == list(spec.options)


def test_json_has_one_object_per_line() -> None:
    objects = [json.loads(line) for line in invoke("--json").stdout.splitlines()]
    assert [found["id"] for found in objects] == list(agents())


def test_your_own_class_has_a_sheet() -> None:
    out = invoke(f"{EXAMPLE}:MyAgent").stdout
    assert "guess=random|stop  [default: random]  what to do when nothing is proved" in out


def test_checking_a_good_agent() -> None:
    result = invoke("--check", f"{EXAMPLE}:MyAgent")
    assert result.exit_code == 0, result.output
    assert "no fault found in 592 games" in result.stdout


def test_checking_a_bad_agent(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "class Bad:\n    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): return 'open'\n"
    )
    result = invoke("--check", f"{file}:Bad")
    assert result.exit_code == 2
    assert "decide returned 'open', not a Decision, a Move, a Cell or None" in result.stdout
    assert "9x9x10" in result.stdout
    plain = json.loads(invoke("--check", f"{file}:Bad", "--json").stdout)
    assert plain["findings"][0]["kind"] == "type"
    assert plain["findings"][0]["position"].startswith("9x9x10\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "expected an agent (random"),
        (["--check"], "--check needs an AGENT"),
        (["--check", "/nowhere/x.py:X"], "cannot read /nowhere/x.py"),
        (["x.py"], "expected FILE.py:Class, got 'x.py'"),
    ],
)
def test_unknown_agents(arguments: list[str], message: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


TRUSTING = '''
from mineproof import make_agent

class Trusting:
    """An agent that takes every clue for true."""

    def start(self, rules, seed):
        self._inner = make_agent("basic")
        self._inner.start(rules, seed)

    def decide(self, observation):
        assert observation.rules.clues.trusted and observation.rules.flood
        return self._inner.decide(observation)
'''


def test_checking_by_classic_rules_only(tmp_path: Path) -> None:
    """An agent that fails with false clues can still be right in the classic game."""
    file = tmp_path / "classic.py"
    file.write_text(TRUSTING)
    done = invoke("--check", f"{file}:Trusting", "--rules", "classic")
    assert (done.exit_code, "no fault found in 268 games" in done.output) == (0, True), done.output
    assert invoke("--check", f"{file}:Trusting").exit_code == 2
    assert "--rules needs --check" in invoke("--rules", "classic").output


def test_a_new_agent_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    assert f"--agent {file}:MyAgent" in invoke("--new", str(file)).output
    assert "MyAgent" in invoke(f"{file}:MyAgent").output
    assert "already exists" in invoke("--new", str(file)).output
    assert invoke("--new", str(file), "--force").exit_code == 0
