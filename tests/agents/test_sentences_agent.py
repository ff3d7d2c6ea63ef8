"""The agent `sentences`: proofs, options, reasons and games under all rules."""

from __future__ import annotations

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, conclusions, same_in_all
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import observations, rules, seeds

from mineproof.agents.basic import BasicAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.sentences import SentencesAgent
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.rules import EASY, HARD, LEVELS, Rules, with_options
from mineproof.match.play import play
from mineproof.notation.position_text import parse_position

OPTIONS = st.builds(
    "sentences:mine_count={},matching={},stuck={},clues={},subset={}".format,
    st.sampled_from(["on", "off"]),
    st.sampled_from(["always", "stuck"]),
    st.sampled_from(["random", "stop"]),
    st.sampled_from(["trust", "model"]),
    st.sampled_from(["added", "in-place"]),
)


def position(*lines: str) -> Observation:
    return parse_position("\n".join(lines))


@given(OPTIONS, rules(max_side=6), seeds())
def test_all_rules_and_options(name: str, setting: Rules, seed: int) -> None:
    """Games end under all rules and options, and no proved move is wrong."""
    play_game(name, setting, seed)


@given(observations(max_side=5), st.booleans(), st.booleans())
def test_conclusions_are_so_in_all_layouts(
    observation: Observation, trust: bool, count: bool
) -> None:
    """Every conclusion holds in all layouts that fit the clues as the agent interprets them."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    truth = same_in_all(observation, trust=trust, mine_count=count)
    assume(truth is not None)
    assert truth is not None
    agent = SentencesAgent(clues="trust" if trust else "model", mine_count=count)
    assert conclusions(agent, observation).items() <= truth.items()
    assert agent.base.contradictions == 0


@given(observations(max_side=6, plain=True))
def test_proves_whatever_basic_proves(observation: Observation) -> None:
    """With either value of `matching`, `sentences` proves everything that single clues prove."""
    weaker = conclusions(BasicAgent(), observation)
    for matching in ("always", "stuck"):
        agent = SentencesAgent(matching=matching)
        assert weaker.items() <= conclusions(agent, observation).items()


@given(observations(max_side=6, plain=True))
def test_options_that_only_add_or_wait(observation: Observation) -> None:
    """The mine count only adds conclusions, and `matching=stuck` changes none."""
    plain = conclusions(SentencesAgent(), observation)
    assert conclusions(SentencesAgent(matching="stuck"), observation) == plain
    assert plain.items() <= conclusions(SentencesAgent(mine_count=True), observation).items()


def test_worked_example_of_cs50() -> None:
    """In CS50's 3x3 example, the lower right cell is a mine and the upper left cell is safe."""
    observation = position("3x3x1", "H00", "011", "01H")
    assert conclusions(SentencesAgent(), observation) == {0: False, 8: True}


def test_subset_rule_on_a_board() -> None:
    """Two 1s at a corner prove the third cell along the wall safe. No single clue proves it."""
    observation = position("4x2x1", "HHHH", "1111")
    assert conclusions(BasicAgent(), observation) == {}
    assert conclusions(SentencesAgent(), observation)[2] is False


def test_overlapping_clues_are_beyond_it() -> None:
    """In the pattern 1-2-1, no clue's cells are a subset of another's, so nothing is proved."""
    observation = position("7x2x?", "HHHHHHH", "--121--")
    assert same_in_all(observation, mine_count=False)
    assert conclusions(SentencesAgent(), observation) == {}


@pytest.mark.parametrize("mine_count", [False, True])
def test_mine_count_ends_a_game(mine_count: bool) -> None:
    """If {A,B} = 1, {B,C} = 1 and one mine is left, only the mine count decides."""
    observation = position("3x2x1", "HHH", "1-1")
    found = conclusions(SentencesAgent(mine_count=mine_count), observation)
    assert found == ({0: False, 1: True, 2: False} if mine_count else {})


def test_walled_in_mine_needs_the_mine_count() -> None:
    """Without the mine count, a mine that touches no open cell cannot be proved or flagged."""
    board = Board.from_mines(3, 5, [3, 4, 8, 9, 13, 14])
    setting = with_options(Rules(3, 5, 6), start="opening", goal="mark")
    results = {}
    for name in ("sentences:stuck=stop", "sentences:stuck=stop,mine_count=on"):
        game = Game(setting, first=Cell(1, 0), board=board)
        outcome = play(game, make_agent(name)).outcome
        assert outcome is not None
        results[name] = outcome.result
    assert list(results.values()) == [Result.STUCK, Result.WIN]


def test_stuck_stop_makes_no_guess() -> None:
    """With `stuck=stop`, the agent never guesses. With `stuck=random`, it guesses when stuck."""
    observation = position("3x3x2", "1HH", "HHH", "HHH")
    for stuck in ("stop", "random"):
        agent = make_agent("sentences", stuck=stuck)
        agent.start(observation.rules, 3)
        decision = agent.decide(observation)
        assert (decision is None) is (stuck == "stop")
        if decision is not None:
            assert not decision.proved
            assert observation[decision.move.cell] == UNOPENED


def test_random_move_is_repeatable() -> None:
    """The same seed guesses the same cell, which is never open, flagged or a proved mine."""
    observation = position("3x3x4", "H3F", "HHH", "HHH")
    cells = set()
    for seed in range(40):
        moves = []
        for _ in range(2):
            agent = make_agent("sentences")
            agent.start(observation.rules, seed)
            decision = agent.decide(observation)
            assert decision is not None
            moves.append(decision.move.cell)
        assert moves[0] == moves[1]
        cells.add(moves[0])
    assert len(cells) > 3
    assert not cells & {Cell(0, 1), Cell(0, 2)}


def test_matching_only_when_stuck_waits() -> None:
    """With `matching=stuck`, the subset rule runs only when the unit rule proves nothing."""
    observation = position("4x2x1", "HHHH", "1111")
    agent = SentencesAgent(matching="stuck")
    agent.start(observation.rules, 0)
    agent.learn(observation, [4, 5, 6, 7])
    assert agent.base.derived == 0
    assert not agent.conclusions
    agent.think(observation)
    assert agent.base.derived > 0
    assert agent.conclusions[2].mined is False


def test_rebuilds_after_undo() -> None:
    """If a position does not follow the previous one, the agent reads it from scratch."""
    later, earlier = position("3x1x1", "11H"), position("3x1x1", "H1H")
    agent = SentencesAgent(stuck="stop")
    agent.start(later.rules, 0)
    agent.decide(later)
    assert agent.is_known_mine(2)
    agent.decide(earlier)
    assert not agent.conclusions
    assert agent.knowledge().lines == ("{(0, 0), (0, 2)} = 1, from the clue at (0, 1)",)


def test_reason_names_sentences_and_evidence() -> None:
    """A reason from the subset rule names both sentences, both clues and the known mines."""
    observation = position("4x2x1", "HHHH", "1111")
    agent = SentencesAgent()
    agent.start(observation.rules, 0)
    decision = agent.decide(observation)
    assert decision is not None
    assert decision.proved
    assert decision.reason.text == (
        "{(0, 2)} = 0, from {(0, 0), (0, 1), (0, 2)} = 1 and, inside it, {(0, 0), (0, 1)} = 1"
    )
    assert decision.reason.clues == (Cell(1, 0), Cell(1, 1))
    assert not decision.reason.conclusions
    assert not decision.reason.uses_mine_count
    later = agent.conclusions[0].reason
    assert Cell(0, 2) in later.conclusions or Cell(0, 1) in later.conclusions


def test_mine_count_is_named_as_reason() -> None:
    agent = SentencesAgent(mine_count=True)
    conclusions(agent, position("3x2x1", "HHH", "1-1"))
    assert any(one.reason.uses_mine_count for one in agent.conclusions.values())


@given(rules(max_side=6, plain=True), seeds())
def test_reasons_rest_on_what_came_before(setting: Rules, seed: int) -> None:
    """A reason uses only earlier conclusions, so no chain of reasons is circular."""
    agent = SentencesAgent(mine_count=True)
    game = Game(setting, seed)
    order: dict[Cell, int] = {}

    def watch(game: Game, decision: object) -> None:
        shown = game.observation
        for index, one in agent.conclusions.items():
            cell = shown.grid.cell(index)
            if cell not in order:
                order[cell] = len(order)
            for used in one.reason.conclusions:
                assert used != cell
                assert order.get(used, -1) < order[cell] or not shown.is_unopened(used)
            assert all(shown.clue(clue) is not None for clue in one.reason.clues)

    play(game, agent, watcher=watch)


def test_knowledge_for_display() -> None:
    """The agent's knowledge lists its sentences and the known unopened cells."""
    observation = position("4x2x1", "HHHH", "11--")
    agent = SentencesAgent(stuck="stop")
    agent.start(observation.rules, 0)
    agent.decide(observation)
    knowledge = agent.knowledge()
    assert knowledge.title.startswith("sentences 1, sentences at most 2, ")
    assert agent.counters["subset rules"] == 1
    assert knowledge.groups == {"sentences": ("{(0, 0), (0, 1)} = 1, from the clue at (1, 0)",)}
    assert knowledge.safe == {2}


def test_unreliable_clues_as_bounds() -> None:
    """Optimistic clues become lower bounds, and cautious clues become upper bounds."""
    lines = ("3x2x?", "HHH", "-1-")
    for clues, sentence in (("optimistic", ">= 1"), ("cautious", "<= 1"), ("exact", "= 1")):
        rules_ = with_options(Rules(2, 3, 1), clues=clues, mine_count="unknown").public()
        observation = Observation(rules_, position(*lines).shown)
        agent = SentencesAgent(clues="model", stuck="stop")
        agent.start(rules_, 0)
        agent.decide(observation)
        (line,) = agent.knowledge().lines
        assert line == f"{{(0, 0), (0, 1), (0, 2)}} {sentence}, from the clue at (1, 1)"


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
def test_trusting_false_clues_survives(clues: str) -> None:
    """Trusted clues may contradict each other, but the game still ends."""
    agent = SentencesAgent()
    game = Game(with_options(EASY, clues=clues, explosion="continue"), seed=5)
    record = play(game, agent)
    assert agent.base.contradictions > 0
    assert record.outcome is not None
    assert record.outcome.hits > 0


def test_every_game_of_a_level_starts_alike() -> None:
    """Every game on the level easy starts with nine given cells."""
    setting = with_options(EASY, flood=False)
    for seed in range(5):
        shown = Game(setting, seed).observation.shown
        assert len(shown) - shown.count(UNOPENED) == 9


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_sample_of_games_is_sound(level: str) -> None:
    """No proved move is wrong in whole games on the documents' levels."""
    setting = with_options(LEVELS[level], goal="mark")
    wins = 0
    for seed in range(30):
        game, decisions = play_game("sentences:mine_count=on", setting, seed)
        assert game.outcome is not None
        wins += game.outcome.result is Result.WIN
        assert sum(one.move.action is Action.MARK for one in decisions) <= setting.mines
    assert wins >= {"easy": 25, "medium": 25, "hard": 5}[level]


def test_hard_game_has_a_small_base() -> None:
    """Each sentence covers cells around one clue, so there are never many sentences."""
    for seed in range(5):
        agent = SentencesAgent()
        play(Game(HARD, seed), agent)
        assert agent.base.largest < 200
