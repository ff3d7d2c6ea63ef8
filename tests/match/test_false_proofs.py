"""Moves wrongly called proved: they are reported and counted, but not as guesses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.core.board import Board
from mineproof.match.batch import Played, dealt, play_deals
from mineproof.match.results import Summary
from mineproof.notation.codec import to_plain
from mineproof.notation.records import Record, Step, format_record
from mineproof.review.metrics import measure
from mineproof.review.verdicts import review

LIAR = '''
from mineproof import Action, Decision, Move, Reason

class Liar:
    """An agent that always calls the first unopened cell proved."""

    def start(self, rules, seed):
        self.rules = rules

    def decide(self, observation):
        cell = self.rules.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), True, Reason("I say so"), 0.0)
'''
GAME = ("--level", "3x3/4", "--seed", "1")


@pytest.fixture
def liar(tmp_path: Path) -> str:
    """Return the name of an agent whose proofs are false."""
    file = tmp_path / "liar.py"
    file.write_text(LIAR)
    return f"{file}:Liar"


def run(*arguments: str) -> str:
    """Run the command and return its output."""
    result = CliRunner().invoke(mineproof_command, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def record_of(*steps: tuple[str, bool | None]) -> Record:
    """Return a record on one row of six cells with mines at 2 and 5."""
    game = mw.Game(mw.Rules(1, 6, 2), 0, (0, 0), Board.from_mines(1, 6, [2, 5]))
    said = tuple(Step(mw.Move.parse(move), proved) for move, proved in steps)
    for step in said:
        game.play(step.move)
    return Record(game.rules, 0, mw.Cell(0, 0), (2, 5), said, game.outcome)


def test_what_a_false_proof_is() -> None:
    """A false proof opens or unmarks a mine, or marks a safe cell."""
    played = record_of(
        ("mark 0,3", True), ("unmark 0,3", True), ("mark 0,2", True), ("unmark 0,2", True),
        ("mark 0,4", False), ("open 0,3", True), ("open 0,5", True),
    )  # fmt: skip
    assert played.false_proofs == (1, 4, 7)
    assert record_of(("open 0,5", False)).false_proofs == ()
    assert record_of(("open 0,5", None)).false_proofs == ()


def test_they_are_no_guesses() -> None:
    played = record_of(("open 0,2", True))
    figures = measure(played.replay(), played.steps)
    assert (figures.guesses, figures.false_proofs) == (0, 1)
    assert to_plain(figures)["false_proofs"] == 1
    assert review(played).false_proofs == (1,)
    assert to_plain(review(played))["false_proofs"] == [1]


def test_our_agents_have_none() -> None:
    """Games in the core have no false proofs, nor do other agents' games under exact clues."""
    for agent in ("champion", "basic"):
        found: list[Played] = []
        play_deals(agent, dealt(mw.BEGINNER, 5), found.extend)
        assert [game.false_proofs for game in found] == [0] * 5


def test_a_summary_says_what_it_does_not_know() -> None:
    """A results file does not record false proofs, so a summary of it cannot count them."""
    summary = Summary()
    summary.add([Played.parse("0 win 0 3 1.0")])
    assert "false" not in str(summary)
    summary.add([Played(1, mw.Result.LOSS, 0, 3, 1.0, 1)])
    assert "1 false proof in the 1 game played now" in str(summary)
    assert summary.plain()["false_proofs_of_games"] == 1


def test_watch_names_them(liar: str) -> None:
    """`watch` reports a false proof at the move that explodes, and its summary counts it."""
    shown = run("watch", "--agent", liar, *GAME)
    assert "FALSE PROOF, it is a mine: I say so" in shown
    assert ", 0 guesses, 1 false proof (move 2 open 0,1)" in shown.replace("\n", " ")
    printed = run("watch", "--agent", liar, *GAME, "--json").splitlines()
    assert json.loads(printed[-1])["false_proofs"] == 1


def test_play_names_them(liar: str) -> None:
    """The command `play` also checks the moves of the agent that advises the player."""
    arguments = ["play", "--agent", liar, "--level", "3x3/4", "--seed", "1"]
    result = CliRunner().invoke(mineproof_command, arguments, input="open 1 1\nai\nai\n")
    assert "lost after 2 moves, 1 false proof" in result.stdout
    assert "FALSE PROOF, it is a mine" in result.stdout


def test_games_count_them(liar: str, tmp_path: Path) -> None:
    """The summary and the JSON of `games` count false proofs. Each line keeps its five fields."""
    out = tmp_path / "out.txt"
    shown = run("games", "--count", "4", *GAME, "--agent", liar, "--output", str(out))
    assert "false proof" in shown
    assert all(len(line.split()) == 5 for line in out.read_text().splitlines())
    printed = run("games", "--count", "4", *GAME, "--agent", liar, "--json").splitlines()
    games = [json.loads(line) for line in printed]
    assert sum(game["false_proofs"] for game in games[:-1]) == games[-1]["false_proofs"] > 0


def test_review_names_them(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(format_record(record_of(("open 0,2", True))))
    assert "false proofs (moves wrongly called proved): 1" in run("review", str(file))


def test_the_page_says_so() -> None:
    """The state of a session, which the page shows unchanged, mentions false proofs."""
    from mineproof.session import Session
    from mineproof.session.session import state_text

    session = Session()
    session.load(format_record(record_of(("open 0,2", True))))
    assert state_text(session) == "lost after 1 move, 1 false proof"


def test_a_race_counts_them(liar: str) -> None:
    """A race reports false proofs only when an agent's game ends, because they reveal mines."""
    from mineproof.match.race import Racer

    record = Record(mw.Rules(3, 3, 4), 1, mw.Cell(0, 0), (), (), None)
    game = mw.Game(record.rules, 1, (0, 0))
    assert game.board is not None
    whole = Record(record.rules, 1, game.first, game.board.mine_indices, (), None)
    racer = Racer(liar, whole, mw.make_agent)
    printed = [racer.move() for _ in range(2)]
    assert [one["false_proofs"] for one in printed] == [0, 1]
    assert printed[-1]["result"] == "loss"
