"""What an agent says to a player: moves, hints, reasons, knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

import mineproof as mw
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules, with_options
from mineproof.notation.records import Record, format_record
from mineproof.session import Session, Why

SILENT = '''
class Silent:
    """Proves nothing, shows nothing, stops at once."""

    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return None
'''


def row(columns: int, mines: list[int], first: int, agent: str = "basic") -> Session:
    """Begin a game on a board of one row."""
    setting = Rules(1, columns, len(mines))
    record = Record(setting, 0, mw.Cell(0, first), tuple(mines), (), None)
    found = Session(agent=agent)
    found.load(format_record(record))
    return found


def test_the_agent_moves_after_a_person() -> None:
    """Asked in the middle of a person's game, the agent knows what is there."""
    found = row(7, [2, 6], 1)
    found.open((0, 4))
    turn = found.agent_move()
    assert turn.made
    assert turn.decision is not None
    assert turn.decision.proved
    assert found.last is not None
    assert (found.last.move, found.last.proved) == (turn.decision.move, True)


def test_the_agent_opens_the_usual_first_cell() -> None:
    """In a new game the first move is the usual one, and it is explained."""
    found = Session(mw.BEGINNER, 7, agent="basic")
    turn = found.agent_move()
    assert turn.decision is not None
    assert turn.decision.reason.text == "the first cell is never a mine"
    assert (found.last and found.last.move) == mw.Move.parse("open 0,0")
    assert found.moves == ()
    risky = Session(with_options(mw.BEGINNER, start="any"), 7, agent="basic")
    assert risky.hint().decision is not None
    assert (risky.hint().proved, risky.hint().decision.risk) == (False, 10 / 81)  # type: ignore[union-attr]


def test_a_guess_is_not_made_where_it_is_not_wanted() -> None:
    """Autoplay can stop before a guess, and nothing has changed then."""
    found = row(7, [3, 5], 0)
    while (turn := found.agent_move(guess=False)).made:
        pass
    assert turn.decision is not None
    assert not turn.decision.proved
    step = found.step
    assert found.agent_move().decision == turn.decision
    assert found.step == step + 1


def test_a_stuck_agent_changes_nothing(tmp_path: Path) -> None:
    """An agent that stops leaves the game to the person."""
    file = tmp_path / "silent.py"
    file.write_text(SILENT)
    found = row(7, [3, 5], 0, f"{file}:Silent")
    before = found.observation
    assert found.agent_move() == (None, False)
    assert found.observation is before
    assert found.outcome is None
    assert found.hint().decision is None
    assert "stuck" in found.hint().steps[-1].text
    assert found.knowledge() is None
    assert found.why((0, 6)).text.startswith("(0, 6) is not proved: it has a risk of 33.3%.")


def test_a_hint_comes_in_steps() -> None:
    """Where to look, which clue, which cell: the last step is the agent's move."""
    found = row(6, [2], 1)
    found.mark((0, 5))
    found.open((0, 0))
    found.open((0, 3))
    hint = found.hint()
    assert hint.proved
    assert [step.text for step in hint.steps] == [
        "look near row 0, columns 1 to 4",
        "look at the clues at (0, 1) and (0, 3)",
        "open (0, 4): The 1 at (0, 1) needs one mine and has only one unopened neighbour: "
        "(0, 2) is a mine. The 1 at (0, 3) has its mine at (0, 2): (0, 4) is safe.",
    ]
    assert [step.cells for step in hint.steps] == [(), ((0, 1), (0, 3)), ((0, 4),)]


def test_a_hint_to_guess_says_where_the_risk_comes_from() -> None:
    """The steps warn of a guess, and end with the risk and what else was looked at."""
    found = row(7, [3, 5], 0, "exact")
    while found.agent_move(guess=False).made:
        pass
    hint = found.hint()
    assert not hint.proved
    assert hint.steps[0].text == "nothing is proved: this will be a guess"
    assert "is not proved: it has a risk of" in hint.steps[-1].text
    assert "cells that the agent looked at" in hint.steps[-1].text


def test_may_i_guess_now() -> None:
    """While a cell is proved safe the answer is no, with its proof; else it is yes."""
    found = Session(Rules(1, 7, 2), 0, agent="exact")
    assert found.may_guess().text == "yes: the first cell is never a mine"
    why = found.why((0, 3))
    assert (why.proved, why.text) == ("safe", "(0, 3) is safe: the first cell is never a mine.")
    found = row(6, [2], 1)
    found.open((0, 0))
    answer = found.may_guess()
    assert not answer.allowed
    assert answer.why is not None
    assert (answer.why.proved, answer.why.uses_mine_count) == ("safe", True)
    assert answer.text.startswith("no: (0, 3) is proved safe. There is one mine on the board;")
    found = row(7, [3, 5], 0)
    while found.agent_move(guess=False).made:
        pass
    assert found.may_guess().allowed
    assert found.may_guess().text == "yes: no cell is proved safe"


def test_on_a_huge_board_the_agent_must_do() -> None:
    """Where analysing the whole position is too much, the agent's word counts."""
    found = Session(with_options(Rules(101, 100, 900), start="opening"), 3, agent="basic")
    found.open((50, 50))
    assert found.may_guess().text == "no, as far as the agent knows"
    assert found.hint().steps[-1].text.endswith("mines")
    assert "basic" not in found.why((0, 0)).text


def test_the_move_after_a_hint_is_the_hint() -> None:
    """Also an agent that guesses at random keeps to its word."""
    found = Session(mw.BEGINNER, 7, agent="random")
    found.agent_move()
    for _ in range(3):
        if found.outcome is None:
            hint = found.hint()
            assert found.agent_move().decision == hint.decision


def test_why_a_cell() -> None:
    """The reason of a proved cell is given, for safe cells and for mines."""
    found = row(6, [2], 1)
    found.open((0, 0))
    mined = found.why((0, 2))
    assert (mined.proved, mined.risk, mined.clues) == ("mined", 1.0, ((0, 1),))
    assert mined.text.endswith("has only one unopened neighbour: (0, 2) is a mine.")
    assert (mined.rule, mined.difficulty) == ("needs-all", 1.0)
    assert found.why((0, 1)).text == "(0, 1) is open and shows 1."
    assert found.why((0, 5)).uses_mine_count


def test_why_an_opened_cell() -> None:
    """Opened cells need no reason; what they show is said."""
    setting = with_options(Rules(1, 5, 2), explosion="continue", clues="withheld:0")
    record = Record(setting, 0, mw.Cell(0, 0), (2, 4), (), None)
    found = Session(agent="basic")
    found.load(format_record(record))
    found.open((0, 2))
    assert found.why((0, 0)).text == "(0, 0) is open and shows no clue."
    assert found.why((0, 2)).text == "(0, 2) is a mine that is shown."


def test_an_explainer_is_asked_first() -> None:
    """A better explanation takes the place of the agent's, where there is one."""

    def explain(observation: Observation, cell: mw.Cell) -> Why | None:
        return Why(cell, "safe", "it is said so") if cell == (0, 5) else None

    found = Session(Rules(1, 6, 1), 0, agent="basic", explainer=explain)
    found.open((0, 0))
    assert found.why((0, 5)).text == "it is said so"
    assert found.why((0, 0)).text.startswith("(0, 0) is open")


def test_knowledge_follows_the_position() -> None:
    """What the agent knows is about the position now, also after an undo."""
    found = row(6, [2], 1)
    found.open((0, 0))
    knowledge = found.knowledge()
    assert knowledge is not None
    assert knowledge.mined == {2}
    found.undo()
    again = found.knowledge()
    assert again is not None
    assert again.mined == frozenset()


def test_another_agent_takes_over() -> None:
    """The helper can be changed in the middle of a game; an unknown one changes nothing."""
    found = Session(mw.BEGINNER, 7, agent="random")
    found.open((0, 0))
    found.choose_agent("basic")
    assert found.agent == "basic"
    assert found.agent_move().made
    with pytest.raises(mw.AgentError, match="expected an agent"):
        found.choose_agent("nobody")
    assert found.agent == "basic"


def test_the_strongest_agent_helps_by_default() -> None:
    """Without a choice the strongest agent is asked."""
    from mineproof.agents.registry import strongest

    assert Session(mw.BEGINNER, 7).agent == strongest()


def test_no_advice_after_the_end() -> None:
    """A game that has ended gives no hints."""
    found = row(6, [2], 1)
    found.stop()
    for command in (found.hint, found.agent_move):
        with pytest.raises(mw.IllegalMoveError, match="the game has ended"):
            command()
