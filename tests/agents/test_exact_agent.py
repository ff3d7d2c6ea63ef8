"""The agent `exact`, which opens proved cells in row order and otherwise the safest cell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agent_games import play_game

import mineproof as mw
from mineproof.advice.agents import knowledge
from mineproof.agents.exact import ExactAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.registry import agents
from mineproof.core.clues import EXPLODED, UNOPENED, ClueRule
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, MineCount, Rules, with_options
from mineproof.inference.counting import count
from mineproof.notation.position_text import parse_position
from mineproof.proof.counting import amount_text
from mineproof.proof.ranking import safest


def decide(text: str, **options: object) -> Decision | None:
    seen = parse_position(text)
    return ask(seen, **options)


def ask(seen: Observation, **options: object) -> Decision | None:
    agent = mw.make_agent("exact", **options)
    agent.start(seen.rules, 1)
    return agent.decide(seen)


def test_a_single_clue_is_enough() -> None:
    """The first safe cell in row order is opened, and the reason names the clue."""
    decision = decide("4x2x2\nHH1M\nHHHH\n")
    assert decision is not None
    assert decision.proved
    assert str(decision.move) == "open 0,1"
    assert decision.reason.text == "the 1 at (0, 2) has all of its mines"
    assert decision.reason.clues == ((0, 2),)


def test_what_needs_several_clues_is_told_by_its_easiest_proof() -> None:
    """No single clue proves a cell of the pattern 1-2-1, so the reason is the easiest proof."""
    decision = decide("5x3x?\nHHHHH\n-121-\n00000\n")
    assert decision is not None
    assert decision.proved
    assert str(decision.move) == "open 0,0"
    assert decision.reason.text.startswith("1-2-1 pattern: ")
    assert decision.reason.brief.startswith("it is safe in ")
    assert decision.reason.clues == ((1, 1), (1, 2))


def test_what_only_the_mine_count_proves() -> None:
    """A clue touches the only mine, so all cells away from that clue are safe."""
    decision = decide("6x1x1\nH1HHHH\n")
    assert decision is not None
    assert decision.proved
    assert str(decision.move) == "open 0,3"
    assert decision.reason.uses_mine_count


def test_the_safest_cell_is_guessed() -> None:
    """A guess states its risk, its reason and further candidates."""
    decision = decide("5x1x2\nH1HHH\n")
    assert decision is not None
    assert not decision.proved
    facts = count(parse_position("5x1x2\nH1HHH\n"))
    assert decision.move.cell == (0, safest(facts) or 0)
    assert decision.risk == pytest.approx(0.5)
    assert decision.candidates[0].cell == decision.move.cell
    assert all(candidate.risk is not None for candidate in decision.candidates)
    assert "risk of 50.0\u00a0%" in decision.reason.text


def test_nothing_left_to_do() -> None:
    assert decide("3x1x3\nHHM\n") is None


def test_a_mark_is_only_a_note() -> None:
    """A flag on a safe cell, or on the best guess, is removed first."""
    wrong = decide("3x1x1\n1HF\n")
    assert wrong is not None
    assert str(wrong.move) == "unmark 0,2"
    best = decide("1x1x0\nF\n")
    assert best is not None
    assert best.move.action is Action.UNMARK
    guess = decide("3x3x4\nFHH\nHHH\nHHH\n")
    assert guess is not None
    assert not guess.proved
    assert str(guess.move) == "unmark 0,0"


def test_likely_mines_are_marked_where_marks_count() -> None:
    """If every cell is probably a mine and flags count, the likeliest mine is flagged."""
    closed = bytes([UNOPENED]) * 3
    for goal, explosion in ((Goal.MARK, Explosion.LOSE), (Goal.OPEN, Explosion.CONTINUE)):
        rules = mw.PublicRules(1, 3, 2, goal=goal, explosion=explosion)
        decision = ask(Observation(rules, closed))
        assert decision is not None
        assert str(decision.move) == "mark 0,0"
        assert not decision.proved
        assert decision.risk == pytest.approx(2 / 3)
        assert "a mine with a probability of 66.7\u00a0%" in decision.reason.text
        after = ask(Observation(rules, closed, bytes([1, 0, 0])))
        assert after is not None
        assert str(after.move) == "mark 0,1"
        assert ask(Observation(rules, closed, bytes([1, 1, 1]))) is None
    plain = ask(Observation(mw.PublicRules(1, 3, 2), closed))
    assert plain is not None
    assert plain.move.action is Action.OPEN


@pytest.mark.parametrize("seed", range(12))
def test_no_guess_is_needless_and_every_guess_the_safest(seed: int) -> None:
    """The agent guesses only if no cell is proved safe, and it then opens the safest cell."""
    rules = mw.INTERMEDIATE if seed % 2 else mw.BEGINNER
    game = Game(rules, seed, rules.first_cell)
    agent = ExactAgent()
    agent.start(rules.public(), seed)
    while not game.is_over:
        seen = game.observation
        decision = agent.decide(seen)
        assert decision is not None
        if not decision.proved:
            facts = count(seen)
            assert not facts.safe
            assert seen.grid.index(decision.move.cell) == safest(facts)
            assert decision.risk == facts.risk[seen.grid.index(decision.move.cell)]
        game.play(decision.move)


@pytest.mark.parametrize("seed", range(4))
def test_proved_cells_are_opened_in_row_order(seed: int) -> None:
    """Consecutive proved moves are in row order, unless new clues appear in between."""
    game = Game(mw.INTERMEDIATE, seed, (0, 0))
    agent = ExactAgent()
    agent.start(game.rules.public(), seed)
    known: set[int] = set()
    while not game.is_over:
        seen = game.observation
        decision = agent.decide(seen)
        assert decision is not None
        index = seen.grid.index(decision.move.cell)
        if decision.proved:
            waiting = {i for i in known if seen.shown[i] == UNOPENED}
            assert index == min(waiting) if waiting else True
            known = {i for i, one in agent.conclusions.items() if not one.mined}
        game.play(decision.move)


RULES = [
    with_options(Rules(8, 8, 10), **options)
    for options in (
        {"goal": "mark"},
        {"explosion": "continue", "start": "any"},
        {"goal": "mark", "explosion": "continue", "start": "given:1"},
        {"clues": "withheld:0.6"},
        {"clues": "withheld:0.6", "mine_count": "unknown", "goal": "mark"},
        {"mine_count": "unknown"},
        {"start": "opening", "flood": False},
    )
]


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_whole_games_under_many_rules(rules: Rules) -> None:
    """No proved move is wrong, and all games end."""
    for seed in range(4):
        game, decisions = play_game("exact", rules, seed)
        if rules.public().marks_matter:
            assert game.outcome is not None
            assert game.outcome.false_marks == 0
        assert all(decision.risk is not None for decision in decisions)


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
@pytest.mark.parametrize("mine_count", ["known", "unknown"])
def test_unreliable_clues_are_weighed(clues: str, mine_count: str) -> None:
    """Proved moves are correct even if some clues are wrong."""
    rules = with_options(
        Rules(5, 6, 5), clues=clues, mine_count=mine_count, explosion="continue", start="any"
    )
    for seed in range(4):
        play_game("exact:clues=model", rules, seed)


def test_trusting_unreliable_clues() -> None:
    """With `clues=trust`, a 0 proves its neighbours safe, unless clues contradict each other."""
    model = ClueRule.parse("optimistic")
    seen = Observation(
        mw.PublicRules(1, 4, 2, clues=model), bytes([0, UNOPENED, UNOPENED, UNOPENED])
    )
    trusting, weighing = ask(seen, clues="trust"), ask(seen)
    assert trusting is not None
    assert weighing is not None
    assert trusting.proved
    assert str(trusting.move) == "open 0,1"
    assert not weighing.proved
    torn = Observation(seen.rules, bytes([0, UNOPENED, UNOPENED, EXPLODED]), None)
    both = Observation(replace(torn.rules, mines=3), torn.shown)
    decision = ask(both, clues="trust")
    assert decision is None or decision.risk is not None


def test_knowledge_is_shown() -> None:
    seen = parse_position("9x1x2\nH1HHHHH1H\n")
    agent = ExactAgent()
    agent.start(seen.rules, 0)
    agent.decide(seen)
    known = agent.knowledge()
    assert known.title == "2 components, 4 layouts"
    assert known.lines[0] == "1 boxes with 2 cells under 1 clues: (0, 1)"
    assert set(known.risks) == set(seen.unopened)
    assert known.safe == {3, 4, 5}


@pytest.mark.parametrize("name", ["exact", "champion"])
def test_knowledge_has_all_that_follows(name: str) -> None:
    """Even when single clues gave the move. Asking for knowledge does not change the moves."""
    game, agent, unasked = Game(mw.BEGINNER, 3), make_agent(name), make_agent(name)
    agent.start(game.rules.public(), 0)
    unasked.start(game.rules.public(), 0)
    while not game.is_over:
        seen = game.observation
        decision = agent.decide(seen)
        assert decision is not None
        assert decision == unasked.decide(seen)
        known, facts = knowledge(seen, agent), count(seen)
        assert known is not None
        assert (known.safe, known.mined) == (frozenset(facts.safe), frozenset(facts.mined))
        game.play(decision.move)


def test_whole_games_in_the_core_are_the_same_games(require: object) -> None:
    """The core plays the same games as `decide`. Under unsupported rules, it plays none."""
    from mineproof.backend import native

    agent = ExactAgent()
    unknown = replace(mw.BEGINNER, mine_count=MineCount.UNKNOWN)
    board = mw.deal(mw.BEGINNER, 1, (0, 0))
    assert agent.play_whole(unknown, [board], mw.Cell(0, 0)) == []
    assert callable(require)
    require("native", native is not None, "the native core plays no whole games")
    for rules in (mw.BEGINNER, mw.INTERMEDIATE, mw.EXPERT):
        boards = [mw.deal(rules, seed, (0, 0)) for seed in range(20)]
        games = agent.play_whole(rules, boards, mw.Cell(0, 0))
        for board, whole in zip(boards, games, strict=True):
            record = mw.play(mw.Game(rules, 0, (0, 0), board), agent)
            assert record.outcome is not None
            found = (record.outcome.result, record.guesses, len(record.steps))
            assert (whole.result, whole.guesses, whole.moves) == found


def test_the_agent_is_registered() -> None:
    """`exact` is registered as stronger than the documents' agents."""
    spec = agents()["exact"]
    assert spec.strength > agents()["backtracking"].strength
    assert spec.options["clues"].choices == ("model", "trust")
    with pytest.raises(mw.AgentError, match=r"clues=model\|trust"):
        mw.make_agent("exact", clues="wild")
    assert (amount_text(1234567), amount_text(10**30), amount_text(None)) == (
        "1,234,567",
        "1.00e+30",
        "possible",
    )
