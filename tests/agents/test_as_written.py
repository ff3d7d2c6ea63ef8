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
from mineproof.inference.clauses_as_written import (
    ClausesAsWritten,
    Literal,
    Rank,
    Written,
    negated,
)
from mineproof.match.play import play

AGENT = "resolution:rules=as-written"
HANGS = 78
"""The seed of an easy game that the program never ends, with five times the given cells."""
A, B, C, D = ((0, column, True) for column in range(4))


def by_length_and_row(clause: Written) -> int:
    """Rank clauses by length, then by their literals in row order."""
    digits = "".join(f"{row}{column}{int(mined)}" for row, column, mined in clause)
    return int("1" + digits)


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
    result, agent, _ = played(HANGS, 5)
    assert result is Result.STUCK
    assert agent.stop_reason == (
        "the program as written would loop forever here: it tries to guess, but no clause has a "
        "negative literal"
    )
    words = f"--level easy --start given:5 --goal mark --no-flood --seed {HANGS}".split()
    shown = CliRunner().invoke(mineproof_command, ["watch", "--agent", AGENT, *words])
    assert "stuck: the program as written would loop forever here: it tries" in shown.output


def test_the_order_of_sets_decides() -> None:
    """A test can pass the order in which sets are read; the default depends on the seed."""
    setting = with_options(EASY, goal="mark", flood=False)

    def moves(rank: Rank | None) -> list[Literal]:
        agent = ResolutionAgent(rules="as-written")
        agent.rank = rank
        play(Game(setting, 0), agent)
        assert agent.written is not None
        return agent.written.moves

    first = moves(by_length_and_row)
    assert first[0][:2] == EASY.grid.cell(next(iter(Game(setting, 0).observation.opened)))
    assert first == moves(by_length_and_row) != moves(None) == moves(None)


def test_knowledge_is_shown() -> None:
    _, agent, _ = played(0, 1)
    known = agent.knowledge()
    assert list(known.groups) == ["new in KB since the last move", "KB", "KB0"]
    assert len(known.mined) == EASY.mines
    assert len(known.groups["KB0"]) == len(known.safe) + len(known.mined)


def test_new_clauses_are_those_of_the_last_move() -> None:
    setting = with_options(EASY, start="given:1", goal="mark", flood=False)
    agent = ResolutionAgent(rules="as-written")
    clauses: list[set[str]] = []

    def watch(_game: Game, _decision: Decision) -> None:
        groups = agent.knowledge().groups
        new = groups["new in KB since the last move"]
        clauses.append(set(groups["KB"]))
        if len(clauses) > 1:
            assert set(new) == clauses[-1] - clauses[-2]

    play(Game(setting, 0), agent, watcher=watch)
    assert len(clauses) > 50


def test_other_options_are_refused() -> None:
    """The original program has no option except `matching`."""
    for option in ("mine_count=on", "stuck=five", "clues=model", "matching=all"):
        with pytest.raises(AgentError, match="no option except matching"):
            make_agent(f"{AGENT},{option}")


def base(matching: str, *known: Literal) -> ClausesAsWritten:
    """Return a base with some literals in KB0."""
    made = ClausesAsWritten(matching, by_length_and_row)
    for one in known:
        made.kb0.add((one,))
    return made


def test_a_clause_leaves_shortened_copies() -> None:
    """Each false literal is removed separately. Here one copy is left, weaker than the result."""
    clauses = base("kb0", negated(A), negated(B))
    clauses.insert((A, B, C))
    assert set(clauses.kb) == {(C,), (A, C)} or set(clauses.kb) == {(C,), (B, C)}


def test_insertion_ends_at_the_first_known_literal_that_does_not_fit() -> None:
    """Another cell comes first in KB0, so that KB keeps the clause and its shortened copy."""
    clauses = base("kb0", negated(A), negated(B))
    clauses.insert((D, C, B))
    assert set(clauses.kb) == {(D, C, B), (D, C)}


def test_satisfied_clause_is_inserted() -> None:
    clauses = base("kb0", A)
    clauses.insert((A, B))
    assert set(clauses.kb) == {(A, B)}
    clauses.match()
    assert not len(clauses.kb)


def test_order_of_literals_matters() -> None:
    """A stricter clause is recognised only if its literals are in the order of a set."""
    clauses = base("kb0")
    clauses.insert((A, B, C))
    clauses.insert((B, A))
    assert set(clauses.kb) == {(A, B, C), (B, A)}
    clauses.insert((A, B))
    assert (A, B) in clauses.kb
    assert len(clauses.kb) == 2, "only the first weaker clause is removed"


def test_a_contradiction_is_a_clause() -> None:
    clauses = base("kb0")
    clauses.insert((A,))
    clauses.insert((negated(A),))
    assert () in clauses.kb


def test_a_known_literal_in_kb_ends_the_round() -> None:
    """The round removes it, and does nothing else."""
    clauses = base("kb0", A)
    clauses.kb.add((A,))
    clauses.kb.add((negated(A), B))
    clauses.match()
    assert set(clauses.kb) == {(negated(A), B)}


def test_stuck_is_five_equal_lengths() -> None:
    clauses = base("kb0")
    clauses.insert((negated(A),))
    assert [clauses.is_stuck() for _ in range(5)] == [False] * 4 + [True]
    assert clauses.kb.of_length(1) == [(negated(A),)]
    assert clauses.safe_guess() is None


def test_guess_is_the_first_negative_literal_of_a_shortest_clause() -> None:
    """The cell may already be marked: the program does not ask."""
    clauses = base("kb0", A)
    clauses.kb.add((negated(B), negated(C), negated(D)))
    clauses.kb.add((B, negated(A)))
    assert clauses.safe_guess() == (negated(A), (B, negated(A)))


def test_pairs_have_at_most_two_literals_each() -> None:
    """The report requires one clause of a pair to be short, but the program requires both."""
    clauses = base("kb")
    clauses.insert((A, B))
    clauses.insert((negated(A), C))
    clauses.match()
    assert {frozenset(clause) for clause in clauses.kb} >= {frozenset((B, C))}
    clauses = base("kb")
    clauses.insert((A, B))
    clauses.insert((negated(A), C, (1, 1, True)))
    clauses.match()
    assert len(clauses.kb) == 2
