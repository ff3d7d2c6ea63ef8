"""The agent `resolution:rules=as-written` has the original defects, but never hangs."""

from __future__ import annotations

import pytest
from agent_games import play_game
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import rules, seeds

from mineproof.agents.loading import make_agent
from mineproof.agents.resolution import ResolutionAgent
from mineproof.cli.main import mineproof_command
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError
from mineproof.core.game import Game, Result
from mineproof.core.rules import EASY, Rules, with_options
from mineproof.inference.clauses_as_written import ClausesAsWritten, negated, resolve
from mineproof.match.play import play

AGENT = "resolution:rules=as-written"
A, B, C = (0, 0, True), (0, 1, True), (0, 2, True)


def played(seed: int, times: int) -> tuple[Result, ResolutionAgent, list[Decision]]:
    """Play an easy game with the start `given:K`, as the report does."""
    setting = with_options(EASY, start=f"given:{times}", goal="mark", flood=False)
    agent = make_agent(AGENT)
    assert isinstance(agent, ResolutionAgent)
    decisions: list[Decision] = []
    record = play(Game(setting, seed), agent, watcher=lambda _, one: decisions.append(one))
    assert record.outcome is not None
    return record.outcome.result, agent, decisions


@given(st.sampled_from(["kb0", "kb", "both"]), rules(max_side=5), seeds())
def test_all_rules(matching: str, setting: Rules, seed: int) -> None:
    """Games end under all rules, even if the original program would loop forever."""
    play_game(f"{AGENT},matching={matching}", setting, seed)


def test_it_wins_most_easy_games() -> None:
    assert sum(played(seed, 1)[0] is Result.WIN for seed in range(12)) >= 8


def test_it_guesses_with_a_certain_move_at_hand() -> None:
    """With the start `given:5`, the agent often guesses although a move is proved."""
    guesses = hasty = 0
    for seed in range(30):
        _, agent, decisions = played(seed, 5)
        found = [one for one in decisions if not one.proved]
        assert agent.counters["hasty guesses"] == sum(
            "although KB has" in one.reason.text for one in found
        )
        guesses += len(found)
        hasty += agent.counters["hasty guesses"]
    assert hasty > guesses / 2


def test_a_hang_is_reported_and_not_suffered() -> None:
    """If no clause has a negative literal, the original program loops forever. The agent stops."""
    result, agent, _ = played(1, 5)
    assert result is Result.STUCK
    assert agent.stop_reason == (
        "the program as written would loop forever here: it tries to guess, but no clause has a "
        "negative literal"
    )
    words = ["--level", "easy", "--start", "given:5", "--goal", "mark", "--no-flood", "--seed", "1"]
    shown = CliRunner().invoke(mineproof_command, ["watch", "--agent", AGENT, *words])
    assert "stuck: the program as written would loop forever here: it tries" in shown.output


def test_knowledge_is_shown() -> None:
    _, agent, _ = played(0, 1)
    known = agent.knowledge()
    assert list(known.groups) == ["KB", "KB0"]
    assert len(known.mined) == EASY.mines
    assert len(known.groups["KB0"]) == len(known.safe) + len(known.mined)


def test_other_options_are_refused() -> None:
    """The original program has no option except `matching`."""
    for option in ("mine_count=on", "stuck=five", "clues=model"):
        with pytest.raises(AgentError, match="no option except matching"):
            make_agent(f"{AGENT},{option}")


def test_defects_of_insertion() -> None:
    """Partly reduced clauses stay in KB, and a contradiction is added like any other clause."""
    base = ClausesAsWritten("kb0")
    base.settle(negated(A))
    base.settle(negated(B))
    base.insert((A, B, C))
    assert (C,) in base.kb
    assert [len(clause) for clause in base.kb] == [2, 1], "of the half reduced ones a single goes"
    base = ClausesAsWritten("kb0")
    base.give(A)
    base.insert((negated(A),))
    assert () in base.kb


def test_stuck_is_five_equal_lengths() -> None:
    base = ClausesAsWritten("kb0")
    base.give(negated(A))
    assert [base.is_stuck() for _ in range(5)] == [False] * 4 + [True]
    assert base.units() == [negated(A)]
    assert base.safe_guess() is None


def test_pairs_have_at_most_two_literals_each() -> None:
    """The report requires one clause of a pair to be short, but the program requires both."""
    base = ClausesAsWritten("kb")
    base.insert((A, B))
    base.insert((negated(A), C))
    base.match()
    assert {frozenset(clause) for clause in base.kb} >= {frozenset((B, C))}
    base = ClausesAsWritten("kb")
    base.insert((A, B))
    base.insert((negated(A), C, (1, 1, True)))
    base.match()
    assert len(base.kb) == 2
    assert resolve((A, B), (negated(A), negated(B))) is None
