"""Advice about a position: reasons, hints, guesses, and an agent's moves and knowledge."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import mineproof as mw
from mineproof import advice
from mineproof.agents.protocol import Agent, HasTimeLimit
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules, with_options
from mineproof.notation.position_text import parse_position

SILENT = '''
class Silent:
    """Proves nothing, shows nothing, stops at once."""

    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return None
'''
STUCK = parse_position("7x1x2\n0011HHH\n".replace("0011HHH", "01HHHHH"))


def new(rules: Rules) -> Observation:
    """Return the first position of a game, before any cell is open."""
    return mw.Game(rules, 7).observation


def started(name: str, position: Observation) -> Agent:
    """Return an agent that has been started with the rules of a position."""
    agent = mw.make_agent(name)
    agent.start(position.rules, 0)
    return agent


def test_the_first_move_is_the_usual_one() -> None:
    """Before any cell is open, agents, hints and reasons refer to the first cell."""
    position = new(mw.BEGINNER)
    decision = advice.decide(position, started("basic", position))
    assert decision is not None
    assert (decision.move, decision.proved) == (mw.Move.parse("open 0,0"), True)
    assert advice.hint(position).stages[-1].text == "Open (0, 0): the first cell is never a mine."
    assert advice.may_guess(position).text == "Yes: the first cell is never a mine."
    assert advice.why(position, (3, 3)).text == "(3, 3) is safe: the first cell is never a mine."
    empty = new(with_options(mw.Rules.parse("9x9/0"), start="any"))
    assert (advice.hint(empty).proved, advice.may_guess(empty).may) == (True, False)
    risky = new(with_options(mw.BEGINNER, start="any"))
    assert not advice.hint(risky).proved
    assert advice.first_decision(risky.rules).risk == 10 / 81  # type: ignore[union-attr]
    assert advice.first_decision(mw.EASY.public()) is None


def test_a_hint_comes_in_stages() -> None:
    """A hint first says where to look, and its last stage names the cell with its proof."""
    position = parse_position("6x1x1\n01H1HH\n")
    hint = advice.hint(position)
    assert hint.proved
    assert hint.stages[0].text == "Look near row 0, columns 1 to 4."
    assert hint.stages[-1].cells == (hint.cell,) == ((0, 4),)
    assert hint.why is not None
    assert hint.why.proved == "safe"
    assert hint.stages[-1].text.startswith("Open (0, 4): ")


def test_where_nothing_is_proved_the_best_guesses_are_given() -> None:
    """If no cell is proved safe, the hint names the best guess and its risk."""
    position = parse_position("5x3x4\n1HHHH\nHHHHH\nHHHH1\n")
    hint = advice.hint(position)
    assert not hint.proved
    assert hint.why is None
    assert hint.stages[0].text == "Nothing is proved safe: any move is a guess."
    best = hint.guesses[0]
    assert hint.stages[1].text.startswith(f"The best guess is {best.cell}, with a risk of ")
    assert best.win == max(guess.win or 0 for guess in hint.guesses)


def test_may_i_guess_now() -> None:
    """If a cell is proved safe, the answer is not to guess, and it shows the proof."""
    answer = advice.may_guess(parse_position("6x1x1\n01HHHH\n"))
    assert not answer.may
    assert answer.why is not None
    assert (answer.why.proved, answer.why.uses_mine_count) == ("safe", True)
    assert answer.text.startswith("No: (0, 3) is proved safe. There is one mine on the board;")
    answer = advice.may_guess(parse_position("5x3x4\n1HHHH\nHHHHH\nHHHH1\n"))
    assert (answer.may, answer.text) == (True, "Yes: no cell is proved safe.")


def test_why_a_cell() -> None:
    position = parse_position("6x1x1\n01HHHH\n")
    mined = advice.why(position, (0, 2))
    assert (mined.proved, mined.risk, mined.clues) == ("mined", 1.0, ((0, 1),))
    assert advice.why(position, (0, 1)).text == "(0, 1) is open and shows 1."
    assert advice.why(position, (0, 5)).uses_mine_count
    with pytest.raises(ValueError, match="expected"):
        advice.why(position, (5, 5))


def test_hints_come_on_large_boards_too() -> None:
    game = mw.Game(with_options(Rules(101, 100, 900), start="opening"), 3, (50, 50))
    hint = advice.hint(game.observation)
    assert hint.proved
    assert hint.cell is not None
    game.play(mw.Move(mw.Action.OPEN, hint.cell))
    assert not game.is_over


def test_an_agent_that_is_stuck_or_silent(tmp_path: Path) -> None:
    file = tmp_path / "silent.py"
    file.write_text(SILENT)
    agent = started(f"{file}:Silent", STUCK)
    assert advice.decide(STUCK, agent) is None
    assert advice.knowledge(STUCK, agent) is None
    found = advice.why_stuck(STUCK, agent)
    assert found is not None
    assert found.text.startswith("nothing can be proved here (forced guess")


def test_knowledge_is_of_the_position() -> None:
    """An agent's knowledge is always about the position that is passed to it."""
    before = parse_position("6x1x1\n0HHHHH\n".replace("0H", "1H"))
    agent = started("basic", before)
    found = advice.knowledge(before, agent)
    assert found is not None
    assert found.mined == {1}
    other = advice.knowledge(parse_position("6x1x1\nHHHHH1\n"), agent)
    assert other is not None
    assert other.mined == {4}


def test_risks_tell_frontier_and_interior() -> None:
    """All interior cells have the same risk."""
    position = parse_position("5x3x4\n1HHHH\nHHHHH\nHHHH1\n")
    found = advice.risks(position)
    assert found.frontier == (1, 5, 6, 8, 9, 13)
    inner = {found.risk[index] for index in position.unopened if index not in found.frontier}
    assert inner == {found.interior} == {2 / 7}
    whole = mw.analyse(position, moves=False)
    assert [x for row in whole.risk for x in row] == list(found.risk)
    assert advice.risks(parse_position("2x1x1\n1H\n")).interior is None


def test_win_chances_are_those_of_the_analysis() -> None:
    position = parse_position("5x3x4\n1HHHH\nHHHHH\nHHHH1\n")
    found, whole = advice.win_chances(position), mw.analyse(position)
    assert (found.win, found.exact) == (whole.win, True)
    assert found.moves == whole.moves[:12]


def test_a_verdict_on_a_move() -> None:
    """The verdict on a needless guess names a better cell. Flags get no verdict."""
    position = parse_position("5x3x4\n1H1HH\n1H3HH\n1HHHH\n")
    proved = advice.verdict(position, mw.Move.parse("open 0,1"))
    assert proved is not None
    assert proved.kind == "proved"
    guess = advice.verdict(position, mw.Move.parse("open 0,4"))
    assert guess is not None
    assert guess.kind == "reckless"
    assert guess.risk == pytest.approx(1 / 3)
    assert guess.better is not None
    assert guess.better.cell in mw.analyse(position).safe
    assert advice.verdict(position, mw.Move.parse("mark 0,1")) is None


def test_a_budget_is_kept() -> None:
    """If counting exceeds the memory limit, risks are estimated, or an error is raised."""
    rows = ["1H" * 20, "H" * 40] * 20
    position = mw.parse_position("40x40x110\n" + "\n".join(rows))
    started_at = time.process_time()
    assert not advice.risks(position, advice.Budget(60.0, 4_000_000)).exact
    with pytest.raises(mw.WorkLimitError, match=r"no estimate within 60 s and 0\.25 MB"):
        advice.risks(position, advice.Budget(60.0, 250_000))
    with pytest.raises(mw.WorkLimitError, match=r"more than 0\.1 MB of memory"):
        advice.risks(position, advice.Budget(60.0, 100_000))
    assert time.process_time() - started_at < 5


class Slow:
    """An agent that takes 0.05 seconds per decision."""

    time_limit = 0.0

    def start(self, rules: mw.PublicRules, seed: int) -> None:
        """Do nothing."""

    def decide(self, observation: Observation) -> None:
        time.sleep(0.05)


def test_agents_keep_to_a_budget() -> None:
    """A late answer is rejected. The agent's `time_limit` is set to most of the remaining time."""
    agent = Slow()
    assert advice.decide(STUCK, agent) is None
    assert agent.time_limit == float("inf")
    assert advice.decide(STUCK, agent, advice.Budget(1000.0)) is None
    assert 700 < agent.time_limit <= 800
    with pytest.raises(mw.WorkLimitError, match=r"more than 0\.01 s"):
        advice.decide(STUCK, Slow(), advice.Budget(0.01))


@pytest.mark.skipif(mw.backend() != "native", reason="deep needs the native core")
def test_deep_thinks_no_longer_than_a_budget() -> None:
    """`deep` stops at its `time_limit`, even if its own budget per guess is longer."""
    position = parse_position("8x8x10\n" + "HHHHHHHH\n" * 3 + "HHH1HHHH\n" + "HHHHHHHH\n" * 4)
    agent = started("deep:budget=60s", position)
    assert isinstance(agent, HasTimeLimit)
    agent.time_limit = 0.1
    started_at = time.monotonic()
    assert agent.decide(position) is not None
    assert time.monotonic() - started_at < 20


def test_a_budget_says_what_it_is() -> None:
    budget = advice.Budget(2.0, 10**9)
    assert budget.words == "2 s and 1 GB"
    assert 1 < budget.left <= 2
