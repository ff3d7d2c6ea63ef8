"""Every front end answers a question in the same way.

The front ends are the functions of `advice`, the public functions of the package, the commands with
`--json`, commands typed into `mineproof play`, and the page's protocol.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from service_rig import Rig, run

import mineproof as mw
from mineproof import advice
from mineproof.agents.loading import make_agent
from mineproof.cli.main import mineproof_command
from mineproof.cli.text import draw_risks
from mineproof.match.play import prepare
from mineproof.notation.codec import to_plain
from mineproof.notation.records import Record, Step, format_record, make_record

GAMES = {
    "not begun": ("expert", 7, 0),
    "proofs": ("intermediate", 3, 12),
    "a guess": ("intermediate", 5, 500),
    "an endgame": ("4x5/6", 4, 500),
}
"""For each game: its level, its seed, and how many proved moves `exact` may play."""


@cache
def played(name: str) -> Record:
    """Play proved moves, then one guess that opens a safe cell, and return the record."""
    level, seed, moves = GAMES[name]
    rules = mw.Rules.parse(level)
    if not moves:
        return make_record(mw.Game(rules, seed), ())
    game, steps = mw.Game(rules, seed), []
    agent = make_agent("exact")
    prepare(agent, rules.public(), seed)

    def open_cell(cell: tuple[int, int]) -> None:
        move = mw.Move.parse(f"open {cell[0]},{cell[1]}")
        game.play(move)
        steps.append(Step(move))

    game.play(mw.Move.parse("open 0,0"))
    for _ in range(moves):
        decision = agent.decide(game.observation)
        if decision is None or not decision.proved or game.outcome is not None:
            break
        open_cell(decision.move.cell)
    facts, board = mw.analyse(game.observation, False).facts, game.board
    assert board is not None
    guesses = [i for i in game.observation.unopened if facts.risk[i] > 0 and not board.mined[i]]
    open_cell(board.grid.cell(guesses[len(guesses) // 2]))
    assert game.outcome is None
    return make_record(game, tuple(steps))


@pytest.fixture(params=list(GAMES))
def record(request: pytest.FixtureRequest) -> Record:
    return played(request.param)


@pytest.fixture
def file(record: Record, tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(format_record(record) + "\n", "utf-8")
    return str(path)


def seen_in(record: Record) -> mw.Observation:
    return record.replay().observation


def asked_of_cli(*words: str) -> Any:
    """Return the JSON object that a command prints."""
    result = CliRunner().invoke(mineproof_command, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output.splitlines()[0])


def typed(file: str, *lines: str) -> str:
    """Type commands into `mineproof play` and return its output after the first picture."""
    words = ["play", "--agent", "exact", "--load", file]
    result = CliRunner().invoke(mineproof_command, words, input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    return result.stdout.partition("for a list of commands.\n")[2]


def asked_of_page(record: Record, question: str, **fields: Any) -> Any:
    """Return the page's answer to a question about the game."""
    found: dict[str, Any] = {}

    async def ask(rig: Rig) -> None:
        loaded = await rig.ask("load", text=format_record(record))
        assert "view" in loaded, loaded
        found.update(await rig.ask(question, **fields))

    run(ask)
    assert "error" not in found, found
    return found[question]


def plain(value: Any) -> Any:
    """Return a value after it has been written as JSON and read again."""
    return json.loads(json.dumps(value))


def some_cells(seen: mw.Observation) -> list[mw.Cell]:
    """Return a proved safe cell, a proved mine, an undecided cell and an open cell, if any."""
    facts = mw.analyse(seen, False).facts
    guesses = [i for i in seen.unopened if 0 < facts.risk[i] < 1]
    opened = [i for i in range(len(seen.shown)) if i not in set(seen.unopened)]
    chosen = (*facts.safe[:1], *facts.mined[-1:], *guesses[:1], *opened[:1])
    return [seen.grid.cell(index) for index in chosen]


def test_why(record: Record, file: str) -> None:
    seen = seen_in(record)
    for cell in some_cells(seen):
        expected = advice.why(seen, cell)
        row, column = map(str, cell)
        assert mw.explain(seen, cell) == expected
        assert asked_of_cli("why", file, row, column) == plain(expected.to_plain())
        assert asked_of_page(record, "why", cell=list(cell)) == plain(expected.to_plain())
        assert expected.text in typed(file, f"why {row} {column}")


def test_why_of_a_game_that_has_not_begun() -> None:
    """Before a game begins, the start rule proves a cell safe for every kind of input."""
    told = "(3, 4) is safe: the first cell is never a mine."
    closed = "30x16x99\n" + ("H" * 30 + "\n") * 16
    assert asked_of_cli("why", "expert:s7", "3", "4")["text"] == told
    for seen in (mw.Game(mw.EXPERT, 7).observation, closed):
        assert mw.explain(seen, (3, 4)).text == told


def test_risks(record: Record, file: str) -> None:
    """All front ends report the same risks. The page rounds them to five decimals."""
    seen = seen_in(record)
    expected, whole = advice.risks(seen), mw.analyse(seen, False)
    assert expected.risk == tuple(risk for row in whole.risk for risk in row)
    page = asked_of_page(record, "risks")
    assert page["risk"] == [None if risk is None else round(risk, 5) for risk in expected.risk]
    assert (page["safe"], page["mined"]) == (list(expected.safe), list(expected.mined))
    drawn = draw_risks(whole, 10_000).plain
    assert drawn in typed(file, "risks")


def test_analysis(record: Record, file: str) -> None:
    """All front ends report the same facts, except for the time taken."""
    expected = plain(mw.analyse(seen_in(record)).to_plain())
    found = asked_of_cli("analyse", file)
    del expected["elapsed_ms"], found["elapsed_ms"]
    assert found == expected
    page = asked_of_page(record, "analysis")
    for name in ("safe", "mined", "exact", "win", "win_exact"):
        assert page[name] == expected[name], name
    assert page["moves"] == expected["moves"][: len(page["moves"])]


def test_the_chance_of_winning(record: Record, file: str) -> None:
    """The analysis, the hint, the review and the page report the same chance of winning."""
    seen = seen_in(record)
    expected = advice.win_chances(seen)
    whole = mw.analyse(seen)
    assert (whole.win, whole.win_exact) == (expected.win, expected.exact)
    assert asked_of_cli("analyse", file)["win"] == expected.win
    assert asked_of_page(record, "win_chances")["win"] == expected.win
    guesses = advice.hint(seen).guesses
    assert not guesses or guesses[0].win == expected.win
    if record.steps:
        before = record.positions()[len(record.steps) - 1]
        wins = asked_of_page(record, "review", wins=True)["wins"]
        assert wins[-1]["win"] == mw.analyse(before).win


def test_a_mistake_and_its_cost(record: Record, file: str) -> None:
    if not record.steps:  # in a new game, there is no move to judge
        assert asked_of_page(record, "verdict") is None
        return
    number, move = len(record.steps), record.steps[-1].move
    before = record.positions()[number - 1]
    expected = advice.verdict(before, move, number=number)
    assert expected is not None
    told = plain(to_plain(expected))
    found = asked_of_cli("review", file)
    assert found["moves"][-1] == told
    page = asked_of_page(record, "verdict")
    assert {name: page[name] for name in ("kind", "text", "better")} == {
        "kind": told["verdict"],
        "text": told["text"],
        "better": told["better"],
    }
    assert expected.text in typed(file, "review")
    for mistake in found["coach"]["mistakes"]:
        position = record.positions()[mistake["number"] - 1]
        assert mistake["before"] == mw.analyse(position).win
    easiest = advice.hint(before).why
    if expected.better is not None and easiest is not None:
        assert expected.better.difficulty >= easiest.difficulty


def test_a_hint_and_whether_to_guess(record: Record, file: str) -> None:
    seen = seen_in(record)
    hint, guess = advice.hint(seen), advice.may_guess(seen)
    page = asked_of_page(record, "hint")
    assert [stage["text"] for stage in page["stages"]] == [stage.text for stage in hint.stages]
    assert page["cell"] == plain(hint.cell)
    shown = typed(file, *["hint"] * len(hint.stages), "guess")
    for stage in hint.stages:
        assert stage.text in shown
    assert guess.text in shown
    assert asked_of_page(record, "may_guess")["text"] == guess.text


def test_an_agent(record: Record, file: str) -> None:
    agent, game = make_agent("sentences"), record.begin()
    prepare(agent, game.rules.public(), 0)
    for step in record.steps:  # page and terminal show the agent the whole game
        advice.decide(game.observation, agent)
        game.play(step.move)
    seen = game.observation
    known, decision = advice.knowledge(seen, agent), advice.decide(seen, agent)
    assert known is not None
    assert decision is not None
    page = asked_of_page(record, "knowledge", agent="sentences")
    assert (page["safe"], page["mined"]) == (sorted(known.safe), sorted(known.mined))
    if decision.proved:  # otherwise the agent chooses at random
        move = asked_of_page(record, "decide", agent="sentences")
        assert move == page["next"]
        assert (move["cell"], move["risk"]) == (plain(decision.move.cell), decision.risk)
        assert str(decision.move.cell) in typed(file, "agent sentences", "ai")


def test_a_layout(record: Record) -> None:
    """A random layout fits the position, and the same seed draws the same layout."""
    seen = seen_in(record)
    layout = advice.draw_layout(seen, 5)
    assert sum(layout) == seen.rules.mines
    assert layout == advice.draw_layout(seen, 5)
    facts = mw.analyse(seen, False).facts
    assert all(layout[index] for index in facts.mined)
    assert not any(layout[index] for index in facts.safe)
