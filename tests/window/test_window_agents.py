"""Agents in the window: moves, autoplay, what they know, why, and agents that misbehave."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from window_hand import Hand, mines_of

from mineproof.agents.registry import agents
from mineproof.core.rules import BEGINNER, EXPERT, Rules, with_options
from mineproof.session import State
from mineproof.window.pace import SPEEDS

Opener = Callable[..., Hand]
FASTEST = len(SPEEDS) - 1


def own_agent(folder: Path, body: str) -> str:
    """Write an agent whose `decide` has this body, and give its name."""
    lines = "import os, time\n\nclass Own:\n    def start(self, rules, seed):\n        pass\n\n"
    lines += "    def decide(self, observation):\n" + textwrap.indent(body, " " * 8) + "\n"
    path = folder / "own.py"
    path.write_text(lines)
    return f"{path}:Own"


def test_ai_move(hand: Hand) -> None:
    """The first move is the usual one, the second the agent's own, with its reason."""
    hand.press("ai")
    assert hand.session.last.move.cell == (0, 0)
    hand.press("ai")
    hand.settle()
    assert hand.session.step == 2
    assert hand.controller.note.title.startswith("exact ")
    assert hand.controller.note.text
    assert hand.controller.note.cell == hand.session.last.move.cell


def test_guesses_are_told(open_app: Opener) -> None:
    """A guess is called one, with its risk."""
    hand = open_app(EXPERT, seed=7)
    hand.key("a")
    hand.key("a")
    hand.settle()
    assert "guesses" in hand.controller.note.title
    assert "risk" in hand.controller.note.title
    assert hand.controller.note.tone == "guess"


def test_autoplay_to_the_end(hand: Hand) -> None:
    """Autoplay as fast as possible plays a game to its end and stops by itself."""
    hand.controller.pace.choose(FASTEST)
    hand.press("autoplay")
    hand.until(lambda: hand.session.outcome is not None)
    assert hand.session.state in (State.WON, State.LOST)
    assert not hand.controller.autoplay


def test_autoplay_keeps_its_speed(hand: Hand) -> None:
    """At two moves a second, a move is made each half second and not before."""
    hand.controller.pace.choose(SPEEDS.index(2.0))
    hand.key("A")
    for moves in range(1, 6):
        hand.until(lambda moves=moves: hand.session.step == moves)
        hand.clock.time += 0.4
        hand.settle()
        assert hand.session.step == moves
        hand.clock.time += 0.11
    hand.key("A")
    hand.settle()
    steps = hand.session.step
    hand.clock.time += 10
    hand.settle()
    assert hand.session.step == steps


def test_speed_slider(hand: Hand) -> None:
    """The slider goes from 0, where autoplay waits, to as fast as possible."""
    slider = next(c for c in hand.app.panel().controls if c.kind == "slider")
    hand.click_place((slider.rect.left + 1, slider.rect.centery))
    assert hand.controller.pace.speed == 0
    hand.key("A")
    hand.clock.time += 100
    hand.settle()
    assert hand.session.step == 0
    hand.click_place((slider.rect.right - 1, slider.rect.centery))
    assert hand.controller.pace.speed == math.inf
    hand.until(lambda: hand.session.outcome is not None)
    hand.key(",")
    assert hand.controller.pace.speed == 20
    hand.key(".")
    assert hand.controller.pace.speed == math.inf


def test_autoplay_stops_before_guesses(open_app: Opener) -> None:
    """Where guesses are not wanted, autoplay stops and says what it would guess."""
    hand = open_app(EXPERT)
    hand.press("guesses")
    hand.controller.pace.choose(FASTEST)
    hand.press("autoplay")
    hand.until(lambda: not hand.controller.autoplay)
    assert hand.session.outcome is None
    assert "would guess" in hand.controller.note.title
    cell = hand.controller.note.cell
    hand.press("ai")
    hand.settle()
    assert hand.session.last.move.cell == cell


def test_stuck(open_app: Opener) -> None:
    """An agent that does not guess says that it is stuck, and autoplay ends."""
    hand = open_app(EXPERT, agent="sentences:stuck=stop")
    hand.controller.pace.choose(FASTEST)
    hand.press("autoplay")
    hand.until(lambda: not hand.controller.autoplay)
    assert "is stuck" in hand.controller.note.title
    assert hand.session.state is State.PLAYING


def test_moves_of_both(hand: Hand) -> None:
    """A person may move between moves of the agent, also while autoplay runs."""
    hand.key("a")
    mine = mines_of(hand)[0]
    hand.click(mine, button=3)
    hand.key("a")
    hand.settle()
    assert hand.session.step == 3
    assert hand.session.observation.is_marked(mine)


def test_inference(hand: Hand) -> None:
    """Show inference asks the agent and marks what it has proved, also after further moves."""
    hand.click((3, 3))
    hand.press("inference")
    hand.settle()
    first = hand.controller.insight.knowledge
    assert first.safe
    cell = hand.session.rules.grid.cell(min(first.safe))
    shown = hand.colour(cell)
    hand.click(cell)
    hand.settle()
    assert hand.controller.insight.knowledge is not first
    assert hand.colour(cell) != shown
    hand.press("inference")
    hand.app.draw()


def test_heat_map(hand: Hand) -> None:
    """The heat map colours cells by the exact risk, and pointing tells it with a decimal."""
    hand.click((3, 3))
    plain = hand.colour(mines_of(hand)[0])
    hand.press("heat")
    hand.settle()
    risks = hand.controller.insight.risks
    assert risks.exact
    unopened = list(hand.session.observation.unopened)
    assert sum(risks.values[i] for i in unopened) == pytest.approx(10)
    assert hand.colour(mines_of(hand)[0]) != plain
    safe = next(i for i in unopened if risks.values[i] == 0)
    assert hand.session.rules.grid.cell(safe) not in mines_of(hand)
    hand.key("m")
    assert hand.colour(mines_of(hand)[0]) == plain


def test_the_heat_map_does_not_flicker(hand: Hand) -> None:
    """What was known just before is shown until new risks come, but not for long."""
    hand.click((3, 3))
    hand.press("heat")
    hand.settle()
    old = hand.controller.insight.risks
    hand.click(mines_of(hand)[0], button=3)
    assert hand.controller.insight.risks is not None
    hand.settle()
    assert hand.controller.insight.risks is not old
    hand.press("heat")
    hand.click(mines_of(hand)[1], button=3)
    hand.clock.time += 1
    hand.app.tick()
    assert hand.controller.insight.risks is None


def test_the_heat_map_ends_with_the_game(hand: Hand) -> None:
    """After the end the mines are shown and no risks."""
    hand.click((3, 3))
    hand.press("heat")
    hand.settle()
    hand.click(mines_of(hand)[0])
    assert hand.controller.insight.risks is None
    hand.press("undo")
    hand.settle()
    assert hand.controller.insight.risks is not None


def test_heat_map_before_the_first_move(hand: Hand) -> None:
    """Nothing is known before the first cell is open, so nothing is shown."""
    hand.press("heat")
    hand.settle()
    assert hand.controller.insight.risks is None
    hand.click((3, 3))
    hand.settle()
    assert hand.controller.insight.risks is not None


def test_why(hand: Hand) -> None:
    """With Why? on, pointing at a cell tells what is known of it and from which clues."""
    hand.click((3, 3))
    hand.press("inference")
    hand.settle()
    known = hand.controller.insight.knowledge
    cell = hand.session.rules.grid.cell(min(known.safe))
    hand.press("why")
    hand.point_at(cell)
    hand.settle()
    note = hand.controller.note
    assert note.cell == cell
    assert "safe" in note.text
    assert note.clues
    hand.press("why")
    assert not hand.controller.explains


def test_why_of_an_unproved_cell_gives_its_risk(open_app: Opener) -> None:
    """Where nothing is proved, the risk is told."""
    hand = open_app(EXPERT)
    hand.click((0, 0))
    hand.press("why")
    hand.point_at((8, 15))
    hand.settle()
    assert hand.controller.note.cell == (8, 15)
    assert "not proved, risk 2" in hand.controller.note.title


def test_hints_in_steps(hand: Hand) -> None:
    """Each time a hint is asked for it tells more, until it names a cell that is safe."""
    hand.press("hint")
    assert "(0, 0)" in hand.controller.note.text
    hand.click((3, 3))
    seen = []
    for _ in range(4):
        hand.key("h")
        hand.settle()
        seen.append(hand.controller.note)
    assert seen[0].title.startswith("Hint 1 of ")
    assert seen[0].cell is None
    assert seen[1].clues
    assert seen[-1] == seen[-2]
    assert seen[-1].cell not in mines_of(hand)
    hand.click(seen[-1].cell)
    hand.key("h")
    hand.settle()
    assert hand.controller.note.title.startswith("Hint")
    assert hand.controller.note != seen[0]


def test_may_i_guess(open_app: Opener) -> None:
    """The answer is no while a cell is proved safe, and yes where none is."""
    hand = open_app()
    hand.press("may guess")
    assert "begin" in hand.controller.note.title
    hand.click((3, 3))
    hand.press("may guess")
    hand.settle()
    assert hand.controller.note.title == "No need to guess"
    hand = open_app(EXPERT, seed=7)
    hand.click((0, 0))
    hand.key("g")
    hand.settle()
    assert hand.controller.note.title == "You may guess now"


@pytest.mark.parametrize("name", list(agents()))
def test_every_agent(open_app: Opener, name: str) -> None:
    """Each agent of the chooser moves, shows what it knows, and gives reasons."""
    hand = open_app(Rules(6, 6, 5), agent="random")
    hand.press("agent")
    hand.choose(name)
    assert hand.controller.agent == name
    hand.click((0, 0))
    hand.press("inference")
    hand.press("ai")
    hand.settle()
    assert hand.session.step == 2, hand.controller.note
    if hand.session.outcome is None:
        unopened = next(iter(hand.session.observation.unopened))
        hand.press("why")
        hand.point_at(hand.session.rules.grid.cell(unopened))
        hand.settle()
        assert hand.controller.note.cell == hand.session.rules.grid.cell(unopened)


def test_an_endless_agent_can_be_stopped(open_app: Opener, tmp_path: Path) -> None:
    """An agent that never answers does not hold up the window; Esc ends it."""
    hand = open_app(agent=own_agent(tmp_path, "while True: pass"))
    assert hand.controller.agent_name == "own.py:Own"
    hand.click((3, 3))
    hand.key("a")
    mind = hand.controller.mind
    hand.until(lambda: mind.waits_for("decide") and mind._asked is not None)
    for _ in range(5):
        hand.app.tick()
    hand.key("escape")
    assert not mind.waits_for("decide")
    assert "was stopped" in hand.controller.note.title
    process = mind._process
    hand.settle()
    assert mind._process is not process
    hand.press("agent")
    hand.choose("basic")
    hand.key("a")
    hand.settle()
    assert hand.session.step == 2


def test_a_move_while_the_agent_thinks(open_app: Opener, tmp_path: Path) -> None:
    """A person's move makes the agent's thoughts void; a later question gets its answer."""
    body = "while observation.shown.count(9) % 2 == %d: pass\nreturn None"
    hand = open_app()
    hand.click((3, 3))
    odd = hand.session.observation.shown.count(9) % 2
    hand.controller.choose_agent(own_agent(tmp_path, body.replace("%d", str(odd))))
    hand.key("a")
    mind = hand.controller.mind
    hand.until(lambda: mind._asked is not None)
    single = next(
        cell
        for cell in hand.session.rules.grid.cells()
        if cell not in mines_of(hand) and hand.session.observation.is_unopened(cell)
    )
    hand.click(single)
    if hand.session.observation.shown.count(9) % 2 == odd:
        pytest.fail("expected one cell more to be open; choose another seed")
    hand.key("a")
    hand.settle()
    assert "is stuck" in hand.controller.note.title


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('out of ideas')", "out of ideas"),
        ("return 5", "expected a Decision"),
        ("os._exit(1)", "process ended"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
    ],
)
def test_agents_that_fail(open_app: Opener, tmp_path: Path, body: str, told: str) -> None:
    """Whatever happens inside an agent is told, and the game goes on."""
    hand = open_app(agent=own_agent(tmp_path, body))
    hand.click((3, 3))
    hand.key("A")
    hand.until(lambda: not hand.controller.autoplay)
    assert told.lower() in hand.controller.note.text.lower()
    hand.controller.choose_agent("basic")
    hand.key("a")
    hand.settle()
    assert hand.session.step == 2


def test_an_impossible_move_is_told(open_app: Opener, tmp_path: Path) -> None:
    """An agent that opens an open cell is told of; nothing changes."""
    body = (
        "from mineproof import Decision, Move, Action, Cell, Reason\n"
        "return Decision(Move(Action.OPEN, Cell(3, 3)), True, Reason('why not'))"
    )
    hand = open_app(agent=own_agent(tmp_path, body))
    hand.click((3, 3))
    hand.key("a")
    hand.settle()
    assert hand.session.step == 1
    assert "failed" in hand.controller.note.title


def test_an_unknown_agent_is_refused(hand: Hand) -> None:
    """The agent before stays."""
    hand.controller.choose_agent("nobody")
    assert hand.controller.agent == "exact"
    assert hand.controller.note.tone == "bad"


def test_unreliable_clues(open_app: Opener) -> None:
    """Heat map and moves work under every clue model."""
    for clues in ("withheld:0.6", "optimistic", "cautious"):
        hand = open_app(with_options(Rules(5, 5, 4), clues=clues))
        hand.click((0, 0))
        hand.press("heat")
        hand.key("a")
        hand.settle()
        hand.app.draw()
        assert hand.session.step >= 1
        assert hand.session.outcome is not None or hand.controller.insight.risks is not None


def test_level_begins_anew_while_autoplay_runs(hand: Hand) -> None:
    """A new game stops autoplay, and answers about the old one are not used."""
    hand.controller.pace.choose(SPEEDS.index(1.0))
    hand.key("A")
    hand.clock.time += 1
    hand.app.tick()
    hand.key("n")
    hand.settle()
    assert not hand.controller.autoplay
    assert hand.session.state is State.READY
    assert hand.session.rules == BEGINNER
