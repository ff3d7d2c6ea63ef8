"""The agent `resolution`: proofs, options, guesses and reasons, under all rules."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, conclusions, same_in_all
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import observations, rules, seeds

from mineproof.agents.basic import BasicAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.resolution import ResolutionAgent
from mineproof.agents.sentences import SentencesAgent
from mineproof.cli.main import mineproof_command
from mineproof.core.board import Board, deal, deal_given
from mineproof.core.clues import UNOPENED, Bounds
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, RulesError
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.rules import EASY, LEVELS, Rules, with_options
from mineproof.inference.clause_base import ClauseBase
from mineproof.inference.clauses import clause_count
from mineproof.match.play import play
from mineproof.notation.position_text import parse_position

OPTIONS = st.builds(
    "resolution:matching={},stuck={},guess={},mine_count={},clues={}".format,
    st.sampled_from(["kb0", "kb", "both", "all"]),
    st.sampled_from(["fixpoint", "five"]),
    st.sampled_from(["first", "risk"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["trust", "model"]),
)


def position(*lines: str) -> Observation:
    return parse_position("\n".join(lines))


def decide(agent: ResolutionAgent, observation: Observation, seed: int = 0) -> Decision | None:
    """Start an agent on a position and return its decision."""
    agent.start(observation.rules, seed)
    return agent.decide(observation)


@given(OPTIONS, rules(max_side=6), seeds())
def test_all_rules_and_options(name: str, setting: Rules, seed: int) -> None:
    """Games end under all rules and options, and no proved move is wrong."""
    play_game(name, setting, seed)


@given(
    observations(max_side=5),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["kb0", "both", "all"]),
)
def test_conclusions_are_so_in_all_layouts(
    observation: Observation, trust: bool, count: bool, matching: Literal["kb0", "both", "all"]
) -> None:
    """Every conclusion holds in all layouts that fit the clues as the agent interprets them."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    truth = same_in_all(observation, trust=trust, mine_count=count)
    assume(truth is not None)
    assert truth is not None
    agent = ResolutionAgent(
        matching=matching, clues="trust" if trust else "model", mine_count=count
    )
    assert conclusions(agent, observation).items() <= truth.items()
    assert agent.base.contradictions == 0


def test_kb0_proves_exactly_what_basic_proves() -> None:
    """In whole games, its proofs are proofs of `basic`, and it guesses only if `basic` must."""
    for seed in range(15):
        game = Game(with_options(EASY, flood=False), seed)
        last = [game.observation]

        def watch(game: Game, decision: Decision, last: list[Observation] = last) -> None:
            basic = conclusions(BasicAgent(), last[0])
            index = game.rules.grid.index(decision.move.cell)
            if decision.proved:
                assert basic[index] is (decision.move.action is Action.MARK)
            else:
                assert all(basic.values())
            last[0] = game.observation

        play(game, ResolutionAgent(), watcher=watch)


def test_kinds_of_matching_differ() -> None:
    """`both` guesses least, `five` takes more rounds, and `kb` keeps more clauses."""
    guesses, rounds, clauses = Counter[str](), Counter[str](), Counter[str]()
    for name in ("matching=kb0", "matching=kb", "matching=both", "stuck=five"):
        for seed in range(4):
            agent = make_agent(f"resolution:{name}")
            assert isinstance(agent, ResolutionAgent)
            setting = with_options(LEVELS["hard"], goal="mark", flood=False, explosion="continue")
            record = play(Game(setting, seed), agent, reasons=True)
            guesses[name] += sum(not step.proved for step in record.steps)
            rounds[name] += agent.rounds
            clauses[name] += agent.counters["clauses at most"]
    assert guesses["matching=both"] < guesses["matching=kb"]
    assert guesses["matching=both"] < guesses["matching=kb0"] == guesses["stuck=five"]
    assert rounds["stuck=five"] > rounds["matching=kb0"]
    assert clauses["matching=kb"] > clauses["matching=kb0"]


def test_one_two_one_is_beyond_sentences() -> None:
    """Pairs of clauses solve the pattern 1-2-1 in the middle of a wall. Subsets do not."""
    observation = position("7x2x?", "HHHHHHH", "--121--")
    expected = same_in_all(observation, mine_count=False)
    assert expected == {1: False, 2: True, 3: False, 4: True, 5: False}
    assert conclusions(ResolutionAgent(matching="both"), observation) == expected
    assert conclusions(SentencesAgent(), observation) == {}


def test_clauses_without_pairs_are_beyond_it() -> None:
    """{A,B,C,D} = 2 and {A,B,C,D,E} = 2 make E safe, which only the subset rule proves."""
    observation = position("4x3x?", "-HHH", "-22-", "-HH-")
    assert conclusions(SentencesAgent(), observation) == {3: False}
    assert conclusions(ResolutionAgent(matching="both"), observation) == {}


def test_never_guesses_with_a_unit_at_hand() -> None:
    """When the agent guesses, KB holds no single literal, and no proved safe cell is unopened."""
    for seed in range(20):
        agent = ResolutionAgent(matching="kb0")

        def watch(game: Game, decision: Decision, agent: ResolutionAgent = agent) -> None:
            if not decision.proved:
                shown = game.observation
                cell = shown.grid.index(decision.move.cell)
                left = [i for i in agent.conclusions if shown.shown[i] == UNOPENED and i != cell]
                assert all(agent.conclusions[i].mined for i in left)
                assert all(len(clause) > 1 for clause in agent.base.kb)

        play(Game(EASY, seed), agent, watcher=watch)


class RestlessBase(ClauseBase):
    """A base that changes in nine rounds, while its number of clauses stays the same."""

    def match_known(self) -> None:
        """Pretend to replace a clause with another one."""
        if self.inserted < 9:
            self.inserted += 1


@pytest.mark.parametrize(("stuck", "rounds"), [("five", 4), ("fixpoint", 10)])
def test_stuck_rules(stuck: Literal["fixpoint", "five"], rounds: int) -> None:
    """`stuck=five` stops after five turns of equal length, `fixpoint` when nothing changes."""
    observation = position("2x1x1", "HH")
    agent = ResolutionAgent(stuck=stuck)
    agent.start(observation.rules, 0)
    for turn in (1, 2):
        agent.base = RestlessBase()
        agent.think(observation)
        assert agent.rounds == turn * rounds
    agent = ResolutionAgent(stuck=stuck)
    decision = decide(agent, position("4x2x?", "HHHH", "1--1"))
    assert decision is not None
    assert ("five turns" in decision.reason.text) is (stuck == "five")


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        (("4x2x?", "HHHH", "1--1"), 2),
        (("3x2x?", "HHH", "-2-"), 3),
        (("3x2x?", "HHH", "-1-"), 2),
    ],
)
def test_guess_from_the_shortest_clause(lines: tuple[str, ...], length: int) -> None:
    """Among all clauses with a negative literal, the guess comes from one of the shortest."""
    agent = ResolutionAgent()
    decision = decide(agent, position(*lines))
    assert decision is not None
    assert not decision.proved
    mark = -agent.rules.grid.index(decision.move.cell) - 1
    negative = [clause for clause in agent.base.kb if min(clause) < 0]
    assert min(map(len, negative)) == length
    assert any(mark in clause for clause in negative if len(clause) == length)
    assert "shortest clause" in decision.reason.text


def test_guess_prefers_the_lower_estimate() -> None:
    """With `guess=risk`, the estimate decides among the literals of the shortest clauses."""
    observation = position("7x2x?", "HHHHHHH", "1--1--2")
    first = decide(ResolutionAgent(), observation)
    assert first is not None
    assert first.move.cell == Cell(0, 0), "the first negative literal of a shortest clause"
    decision = decide(ResolutionAgent(guess="risk"), observation)
    assert decision is not None
    assert decision.move.cell.column in (2, 3, 4)
    assert decision.risk == pytest.approx(1 / 3)


def test_guess_without_a_negative_literal() -> None:
    """If no clause has a negative literal, the agent opens the cell with the lowest estimate."""
    decision = decide(ResolutionAgent(), position("3x1x1", "-HH"))
    assert decision is not None
    assert not decision.proved
    assert decision.risk == 0.5
    assert "lowest estimate" in decision.reason.text
    positive = with_options(Rules(3, 3, 2), clues="optimistic", mine_count="unknown").public()
    agent = ResolutionAgent(clues="model")
    shown = Observation(positive, position("3x3x?", "HHH", "H2H", "HHH").shown)
    decision = decide(agent, shown)
    assert decision is not None
    assert all(min(clause) > 0 for clause in agent.base.kb)


def test_no_cell_left_to_guess() -> None:
    """If only known mines are left, the agent stops."""
    assert decide(ResolutionAgent(), position("2x1x1", "1H")) is None


def test_guess_is_propagated() -> None:
    """A guessed cell that turns out to be safe is added to KB0 and shortens the clauses."""
    board = Board.from_mines(1, 3, [2])
    game = Game(with_options(Rules(1, 3, 1), start="any"), first=Cell(0, 1), board=board)
    agent = ResolutionAgent()
    agent.start(game.rules.public(), 0)
    for _ in range(9):
        decision = agent.decide(game.observation)
        if decision is None or game.is_over:
            break
        game.play(decision.move)
        agent.decide(game.observation)
        if decision.move.cell == Cell(0, 0):
            assert set(agent.base.kb0) == {-1, -2, 3}
            assert agent.is_known_mine(2)
        if game.is_over:
            break


def test_guessed_mine_gives_no_clue() -> None:
    """If the game continues after an explosion, the mine is known but has no clue."""
    rules_ = with_options(Rules(1, 3, 1), explosion="continue").public()
    observation = Observation(rules_, position("3x1x1", "M1H").shown)
    agent = ResolutionAgent()
    decision = decide(agent, observation)
    assert decision is not None
    assert decision.proved
    assert decision.move.cell == Cell(0, 2)


@pytest.mark.parametrize("mine_count", [False, True])
def test_mine_count_ends_a_game(mine_count: bool) -> None:
    """If {A,B} = 1, {B,C} = 1 and one mine is left, only the mine count decides."""
    agent = ResolutionAgent(matching="both", mine_count=mine_count)
    found = conclusions(agent, position("3x2x1", "HHH", "1-1"))
    assert found == ({0: False, 1: True, 2: False} if mine_count else {})
    counted = [one for one in agent.conclusions.values() if one.reason.uses_mine_count]
    assert bool(counted) is mine_count


def test_mine_count_waits_for_the_end() -> None:
    """The mine count is used if at most ten cells are left, or if it needs under 1,000 clauses."""
    agent = ResolutionAgent(mine_count=True)
    decide(agent, position("11x1x5", "HHHHHHHHHHH"))
    assert len(agent.base.kb) == clause_count(11, Bounds(5, 5)) == 792
    decide(agent, position("12x1x6", "HHHHHHHHHHHH"))
    assert not agent.base.kb
    assert clause_count(12, Bounds(6, 6)) == 1584
    decide(agent, position("40x1x1", "H" * 40))
    assert len(agent.base.kb) == clause_count(40, Bounds(1, 1))


def test_reason_names_clause_and_parents() -> None:
    """The reason names the two resolved clauses, their clues and the known cells used."""
    agent = ResolutionAgent(matching="both")
    conclusions(agent, position("7x2x?", "HHHHHHH", "--121--"))
    first = next(iter(agent.conclusions.values())).reason
    assert first.text == (
        "safe (0, 1), from [safe (0, 1) or safe (0, 3)] resolved with [safe (0, 1) or mine (0, 3)]"
    )
    assert set(first.clues) == {Cell(1, 2), Cell(1, 3)}
    assert not first.conclusions
    later = agent.conclusions[3].reason
    assert (
        later.text == "safe (0, 3), from [safe (0, 2) or safe (0, 3)] resolved with [mine (0, 2)]"
    )
    assert (later.clues, later.conclusions) == ((Cell(1, 2),), (Cell(0, 2),))


def test_knowledge_for_display() -> None:
    """The clauses are listed from the shortest to the longest, and the title counts them."""
    agent = ResolutionAgent()
    observation = position("3x2x?", "HHH", "1-1")
    decide(agent, observation)
    knowledge = agent.knowledge()
    assert knowledge.title.startswith("steps 1, clauses 4, clauses at most 5, ")
    assert knowledge.title.endswith("; it looks for more only when it has no proved move")
    assert agent.counters["rounds"] == 2
    agent.decide(observation)
    assert agent.counters["steps"] == 2
    assert knowledge.groups["KB"][0] == "safe (0, 0) or safe (0, 1), from the clue at (1, 0)"


def test_knowledge_says_where_each_clause_comes_from() -> None:
    """New clauses come first, and KB0 starts with its latest literal."""
    agent = ResolutionAgent(matching="both")
    decide(agent, position("3x2x1", "HHH", "121"))
    groups = agent.knowledge().groups
    assert (
        "safe (0, 1), from [safe (0, 1) or safe (0, 2)] resolved with [mine (0, 2)]"
        in (groups["KB"])
    )
    assert next(iter(groups)) == "new in KB since the last move"
    assert set(groups["new in KB since the last move"]) <= set(groups["KB"])
    assert groups["KB0"][-1] == "safe (1, 0), from the opened cell itself"
    assert groups["KB0"][0] != groups["KB0"][-1]


def test_new_single_literals_come_first() -> None:
    """The clue that proves cells is read last here."""
    agent = ResolutionAgent()
    decide(agent, position("6x2x?", "HHH-HH", "-1---0"))
    new = agent.knowledge().groups["new in KB since the last move"]
    lengths = [one.count(" or ") for one in new]
    assert (lengths[0], lengths[-1] > 0) == (0, True)
    assert lengths == sorted(lengths)


def test_no_clause_is_subsumed_by_itself() -> None:
    """A dropped clause is shown with a stricter one, never with itself."""
    for seed in range(6):
        agent = ResolutionAgent(matching="both")

        def watch(_game: Game, _decision: Decision, agent: ResolutionAgent = agent) -> None:
            assert all(stricter < weaker for weaker, stricter in agent.base.weaker)

        play(Game(EASY, seed), agent, watcher=watch)
        assert agent.base.subsumed


def test_rebuilds_after_undo() -> None:
    """If a position does not follow the previous one, the agent reads it from scratch."""
    agent = ResolutionAgent()
    decide(agent, position("3x1x1", "11H"))
    assert agent.is_known_mine(2)
    agent.decide(position("3x1x1", "H1H"))
    assert not agent.conclusions
    assert len(agent.base.kb) == 2


def test_marks_are_no_facts() -> None:
    """A wrong flag changes no conclusion, because only proved mines are subtracted from clues."""
    plain, marked = position("3x2x?", "HHH", "1-1"), position("3x2x?", "FHH", "1-1")
    assert conclusions(ResolutionAgent(), plain) == conclusions(ResolutionAgent(), marked)


def test_given_cells_are_drawn_once() -> None:
    """The same seed always gives the same cells, and the game opens exactly these."""
    board = deal(EASY, 3)
    drawn = deal_given(EASY, board, 3)
    assert drawn == deal_given(EASY, board, 3)
    shown = Game(with_options(EASY, flood=False), 3).observation.shown
    assert tuple(i for i, code in enumerate(shown) if code != UNOPENED) == drawn


def test_more_given_cells_than_are_safe() -> None:
    """The rules ask for 90 given cells, but only 71 cells are safe, so all 71 are given."""
    setting = with_options(EASY, start="given:10")
    assert setting.given_count == 71
    game = Game(setting, 1)
    assert game.outcome is not None
    assert game.outcome.result is Result.WIN


def test_clue_does_not_count_its_own_cell() -> None:
    """Clues count the mines around a cell, but not a mine on the cell itself."""
    board = Board.from_mines(1, 3, [1])
    assert board.clues == bytes([1, 0, 1])


def test_unknown_names_are_refused() -> None:
    """The error for an unknown level or option lists the choices."""
    with pytest.raises(RulesError, match="expected a level"):
        Rules.parse("impossible")
    with pytest.raises(AgentError, match=r"kb0\|kb\|both\|all"):
        make_agent("resolution", matching="pairs")


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
def test_trusting_false_clues_survives(clues: str) -> None:
    """Trusted clues may contradict each other, but the game still ends."""
    agent = ResolutionAgent(matching="both")
    play(Game(with_options(EASY, clues=clues, explosion="continue"), seed=5), agent)
    assert agent.base.contradictions > 0


@pytest.mark.parametrize("matching", ["kb0", "both"])
@pytest.mark.parametrize("level", ["easy", "medium", pytest.param("hard", marks=pytest.mark.full)])
def test_sample_of_games_is_sound(level: str, matching: str) -> None:
    """No proved move is wrong in whole games on the documents' levels."""
    setting = with_options(LEVELS[level], goal="mark")
    wins = 0
    for seed in range(30):
        game, _ = play_game(f"resolution:matching={matching}", setting, seed)
        assert game.outcome is not None
        wins += game.outcome.result is Result.WIN
    least = {"easy": 22, "medium": 24, "hard": 8 if matching == "both" else 0}
    assert wins >= least[level]


def test_the_option_shows_in_the_row() -> None:
    """The command of row 000, 18 names the five turns; the default names a round."""
    words = ["watch", "--level", "easy", "--no-flood", "--seed", "4", "--agent"]
    default = CliRunner().invoke(mineproof_command, [*words, "resolution"]).output
    five = CliRunner().invoke(mineproof_command, [*words, "resolution:stuck=five"]).output
    assert "KB had the same length in five turns, so this is a guess" in five
    assert "a round of matching changed nothing, so this is a guess" in default
    assert "five turns" not in default
