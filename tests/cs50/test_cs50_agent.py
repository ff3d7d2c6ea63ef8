"""The agent `cs50:FILE.py`, which lets a student's MinesweeperAI play like any other agent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cs50_mutant import SOLUTION
from moves import mark_cell, open_cell

from mineproof.agents.loading import make_agent, parse_agent
from mineproof.agents.protocol import ShowsKnowledge
from mineproof.agents.registry import agents, strongest
from mineproof.core.board import Board
from mineproof.core.errors import AgentError
from mineproof.core.game import Game, Result
from mineproof.core.move import Action
from mineproof.core.rules import Rules, with_options
from mineproof.cs50.project import skeleton_of
from mineproof.match.checker import check_agent
from mineproof.match.play import play

SMALL = Rules(8, 8, 8)
LEARN = "        self.moves_made.add(cell)\n"


def student(tmp_path: Path, old: str = "", new: str = "") -> str:
    """Write the solution with one replacement to a file, and return the agent's name."""
    path = tmp_path / "minesweeper.py"
    path.write_text(SOLUTION.replace(old, new) if old else SOLUTION, encoding="utf-8")
    return f"cs50:{path}"


def test_names(tmp_path: Path) -> None:
    name = student(tmp_path)
    path = name.removeprefix("cs50:")
    assert "cs50" in agents()
    assert strongest() != "cs50"
    for text, options in (
        ("cs50", {}),
        ("cs50:", {}),
        ("cs50:stuck=stop", {"stuck": "stop"}),
        (name, {"file": path}),
        (f"cs50:file={path}", {"file": path}),
        (f"{name}:stuck=stop", {"file": path, "stuck": "stop"}),
        (f"cs50:file={path},stuck=stop", {"file": path, "stuck": "stop"}),
    ):
        spec, found = parse_agent(text)
        assert spec.id == "cs50"
        assert found == options


def test_it_keeps_the_contract_of_agents() -> None:
    """The agent checker finds no fault, except that the agent trusts unreliable clues."""
    report = check_agent("cs50", games=30)
    assert {finding.kind for finding in report.findings} <= {"trusts"}


def test_a_copy_plays_the_same_game(tmp_path: Path) -> None:
    """The game depends only on the file and the seed, not on the folder or on `random`."""
    first = play(Game(SMALL, seed=5), make_agent("cs50"))
    random.seed(1)
    state = random.getstate()
    again = play(Game(SMALL, seed=5), make_agent(student(tmp_path)))
    assert [step.move for step in first.steps] == [step.move for step in again.steps]
    assert random.getstate() == state


def test_two_agents_do_not_disturb_each_other() -> None:
    alone = play(Game(SMALL, seed=9), make_agent("cs50"))
    games = [Game(SMALL, seed=9, first=(0, 0)) for _ in range(2)]
    racers = [make_agent("cs50") for _ in range(2)]
    for game, racer in zip(games, racers, strict=True):
        racer.start(game.rules.public(), 9)
    for step in alone.steps:
        for game, racer in zip(games, racers, strict=True):
            decision = racer.decide(game.observation)
            assert decision is not None
            assert decision.move == step.move
            game.play(decision.move)


def test_moves_say_what_they_are() -> None:
    board = Board.from_mines(2, 3, (3,))
    game = Game(with_options(Rules(2, 3, 1), flood=False), first=(0, 2), board=board)
    agent = make_agent("cs50")
    agent.start(game.rules.public(), 0)
    decision = agent.decide(game.observation)
    assert decision is not None
    assert decision.proved
    assert decision.reason.text == "minesweeper.py calls it safe because of the 0 at (0, 2)"
    assert decision.reason.clues == ((0, 2),)


def test_a_guess_names_the_sentence() -> None:
    """The reason for a guess quotes the AI's sentence about the cell."""
    board = Board.from_mines(1, 3, (2,))
    game = Game(Rules(1, 3, 1), first=(0, 1), board=board)
    agent = make_agent("cs50")
    agent.start(game.rules.public(), 0)
    decision = agent.decide(game.observation)
    assert decision is not None
    assert not decision.proved
    assert "{(0, 0), (0, 2)} = 1 contains it" in decision.reason.text
    stopping = make_agent("cs50:stuck=stop")
    stopping.start(game.rules.public(), 0)
    assert stopping.decide(game.observation) is None


def test_mines_are_marked_where_marks_count() -> None:
    rules = with_options(SMALL, goal="mark", mine_count="unknown", flood=False)
    records = [play(Game(rules, seed=seed), make_agent("cs50")) for seed in range(10)]
    won = [record for record in records if record.outcome and record.outcome.result is Result.WIN]
    assert won
    for record in won:
        marks = [step for step in record.steps if step.move.action is Action.MARK]
        assert len(marks) == 8
        assert all(step.proved for step in marks)


def test_play_goes_on_after_an_explosion() -> None:
    """The AI treats an exploded cell as a known mine that has been opened."""
    rules = with_options(SMALL, explosion="continue", start="any")
    record = play(Game(rules, seed=2), make_agent("cs50"))
    assert record.outcome is not None
    assert record.outcome.false_marks == 0


def test_withheld_clues_teach_nothing_but_that_the_cell_is_safe() -> None:
    rules = with_options(SMALL, clues="withheld:0", flood=False)
    game = Game(rules, seed=3, first=(0, 0))
    agent = make_agent("cs50")
    agent.start(game.rules.public(), 3)
    decision = agent.decide(game.observation)
    assert decision is not None
    assert not decision.proved
    assert isinstance(agent, ShowsKnowledge)
    assert agent.knowledge().lines == ()


def test_a_mark_in_the_way_is_taken_off() -> None:
    """If the player has flagged a safe cell, the agent removes the flag before opening the cell."""
    game = Game(
        with_options(Rules(2, 3, 1), flood=False), first=(0, 2), board=Board.from_mines(2, 3, (3,))
    )
    for cell in ((0, 1), (1, 1), (1, 2)):
        game.play(mark_cell(*cell))
    agent = make_agent("cs50")
    agent.start(game.rules.public(), 0)
    first = agent.decide(game.observation)
    assert first is not None
    assert first.move.action is Action.UNMARK
    game.play(first.move)
    second = agent.decide(game.observation)
    assert second is not None
    assert second.move == open_cell(*first.move.cell)


def test_knowledge_is_shown() -> None:
    rules = with_options(Rules(1, 4, 1), flood=False)
    game = Game(rules, first=(0, 0), board=Board.from_mines(1, 4, (1,)))
    agent = make_agent("cs50")
    agent.start(game.rules.public(), 0)
    agent.decide(game.observation)
    assert isinstance(agent, ShowsKnowledge)
    known = agent.knowledge()
    assert known.mined == {1}
    assert known.safe == frozenset()
    game.play(open_cell(0, 3))
    agent.decide(game.observation)
    assert agent.knowledge().safe == {2}
    assert agent.knowledge().title == "0 sentences"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (LEARN, "        raise KeyError(cell)\n", r"add_knowledge failed with KeyError: \(0, 0\)"),
        (LEARN, "        raise SystemExit\n", "add_knowledge failed with SystemExit"),
        (
            "min(self.safes - self.moves_made, default=None)",
            "(0, 0)",
            r"make_safe_move returned \(0, 0\), which is already open",
        ),
        (
            "min(self.safes - self.moves_made, default=None)",
            "'A1'",
            r"expected a cell \(row, column\) of the board in make_safe_move\(\), got 'A1'",
        ),
        (
            "min(self.safes - self.moves_made, default=None)",
            "(8, 0)",
            r"expected a cell \(row, column\) of the board in make_safe_move\(\), got \(8, 0\)",
        ),
        ("height=8, width=8):\n", "size=8):\n", "MinesweeperAI failed with TypeError"),
    ],
)
def test_what_is_wrong_with_a_students_file_is_said(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    agent = make_agent(student(tmp_path, old, new))
    with pytest.raises(AgentError, match=f"minesweeper.py: {message}"):
        play(Game(SMALL, seed=1), agent)


def test_a_skeleton_is_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(skeleton_of(SOLUTION), encoding="utf-8")
    with pytest.raises(AgentError, match="add_knowledge is not written yet"):
        play(Game(SMALL, seed=1), make_agent(f"cs50:{path}"))


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "cannot read"), ("", "has no class 'MinesweeperAI'"), ("(", "Syntax")],
)
def test_files_that_are_no_students_files(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "other.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(AgentError, match=message):
        make_agent(f"cs50:{path}")
