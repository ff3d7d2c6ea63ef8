"""Playing in the window by clicks and keys: all that a person can do."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest
from window_hand import Hand, chord_place, mines_of, safe_cells

from mineproof.core.grid import Cell
from mineproof.core.rules import EASY, EXPERT, LEVELS, Rules, with_options
from mineproof.session import State
from mineproof.window.colours import DARK, LIGHT
from mineproof.window.overlays import play_button

Opener = Callable[..., Hand]


def test_win_by_clicking(hand: Hand) -> None:
    """A game is won by clicking on every safe cell, and the window says so."""
    for cell in safe_cells(hand):
        if hand.session.observation.is_unopened(cell):
            hand.click(cell)
    assert hand.session.state is State.WON
    assert hand.controller.note.title == "Won"
    hand.settle()
    assert "chance of surviving" in hand.controller.note.text


def test_lose_and_undo(hand: Hand) -> None:
    """A click on a mine loses; undo takes it back, and the death is counted."""
    hand.click((3, 3))
    mine = mines_of(hand)[0]
    hand.click(mine)
    assert hand.session.state is State.LOST
    assert hand.controller.note.title == "Lost"
    assert hand.colour(mine) != hand.colour((3, 3))
    hand.press("undo")
    assert hand.session.state is State.PLAYING
    assert hand.session.deaths == 1
    assert hand.session.observation.is_unopened(mine)


def test_the_end_shows_mines_and_wrong_marks(hand: Hand) -> None:
    """Once the game is lost, mines that nobody knew of and false marks are drawn."""
    hand.click((3, 3))
    first, second, *_ = mines_of(hand)
    wrong = next(c for c in safe_cells(hand) if hand.session.observation.is_unopened(c))
    hand.click(wrong, button=3)
    pictures = {cell: cell_picture(hand, cell) for cell in (second, wrong)}
    hand.click(first)
    for cell, before in pictures.items():
        assert cell_picture(hand, cell) != before


def cell_picture(hand: Hand, cell: Cell) -> bytes:
    """Give the pixels of a cell."""
    hand.point((1, 1))
    hand.app.draw()
    rect = hand.app.camera.rect_of(cell)
    return pygame.image.tobytes(hand.app.screen.surface().subsurface(rect), "RGB")


def test_mark_and_unmark(hand: Hand) -> None:
    """Right clicks put a mark and take it away; a left click does not open a marked cell."""
    hand.click((3, 3))
    mine = mines_of(hand)[0]
    hand.click(mine, button=3)
    assert hand.session.observation.is_marked(mine)
    hand.click(mine)
    assert hand.session.state is State.PLAYING
    hand.click(mine, button=3)
    assert not hand.session.observation.is_marked(mine)


@pytest.mark.parametrize("button", [1, 2])
def test_chord(hand: Hand, button: int) -> None:
    """A click on a clue that has its marks opens the rest around it."""
    hand.click((3, 3))
    clue, mines, rest = chord_place(hand)
    hand.click(clue, button=button)
    assert all(hand.session.observation.is_unopened(cell) for cell in rest)
    for mine in mines:
        hand.click(mine, button=3)
    hand.click(clue, button=button)
    assert not any(hand.session.observation.is_unopened(cell) for cell in rest)
    assert hand.session.state in (State.PLAYING, State.WON)


def test_a_chord_without_marks_says_why_not(hand: Hand) -> None:
    """The middle button on a clue without its marks gives a reason and changes nothing."""
    hand.click((3, 3))
    clue, _, _ = chord_place(hand)
    before = hand.session.observation
    hand.click(clue, button=2)
    assert hand.session.observation is before
    assert "marks" in hand.controller.note.text


def test_keyboard_alone(hand: Hand) -> None:
    """Arrows move a cursor, Enter opens there, F marks there, U takes back."""
    hand.key("up")
    assert hand.app.cursor == (4, 4)
    hand.key("return")
    assert not hand.session.observation.is_unopened((4, 4))
    mine = mines_of(hand)[0]
    while hand.app.cursor.row != mine.row:
        hand.key("down" if hand.app.cursor.row < mine.row else "up")
    while hand.app.cursor.column != mine.column:
        hand.key("right" if hand.app.cursor.column < mine.column else "left")
    hand.key("f")
    assert hand.session.observation.is_marked(mine)
    hand.key("u")
    assert not hand.session.observation.is_marked(mine)
    hand.key("y")
    assert hand.session.observation.is_marked(mine)


def test_the_cursor_stays_on_the_board(hand: Hand) -> None:
    """Arrows at the edge do nothing."""
    for _ in range(12):
        hand.key("up")
        hand.key("left")
    assert hand.app.cursor == (0, 0)
    hand.key("end")
    hand.key("page down")
    hand.key("down")
    assert hand.app.cursor == (8, 8)
    hand.key("left", shift=True)
    assert hand.app.cursor == (8, 3)


def test_keys_that_are_held(hand: Hand) -> None:
    """Arrows go on while they are held; what a key switches is switched once."""
    for _ in range(3):
        hand.key("right", held=True)
    assert hand.app.cursor == (4, 6)
    for _ in range(3):
        hand.key("t", held=True)
    assert hand.app.theme == "dark"
    hand.send(pygame.WINDOWFOCUSLOST)
    hand.key("t")
    assert hand.app.theme == "light"


def test_full_screen(hand: Hand) -> None:
    """F11 fills the screen and gives the window back."""
    hand.key("f11")
    hand.key("f11")
    hand.app.draw()


def test_new_and_reset(hand: Hand) -> None:
    """Reset gives the same board with its first cell open; New gives another one."""
    hand.click((3, 3))
    shown, seed = hand.session.observation.shown, hand.session.seed
    hand.click(mines_of(hand)[0], button=3)
    hand.press("reset")
    assert (hand.session.seed, hand.session.observation.shown) == (seed, shown)
    hand.key("n")
    assert hand.session.seed != seed
    assert hand.session.state is State.READY


def test_pause(hand: Hand) -> None:
    """P stops the clock and hides the board; P again goes on."""
    hand.click((3, 3))
    open_colour = hand.colour((3, 3))
    hand.key("p")
    assert hand.session.state is State.PAUSED
    assert hand.colour((3, 3)) != open_colour
    hand.click(mines_of(hand)[0])
    assert hand.session.state is State.PAUSED
    hand.press("pause")
    assert hand.session.state is State.PLAYING


def test_first_screen(open_app: Opener) -> None:
    """The instructions come first: clicks do not reach the board until Play is clicked."""
    hand = open_app(welcome=True)
    hand.click((0, 0))
    assert hand.session.state is State.READY
    hand.click_place(play_button(hand.app.layout).rect.center)
    assert not hand.app.welcome
    hand.click((0, 0))
    assert hand.session.state is not State.READY
    hand.key("f1")
    assert hand.app.welcome
    hand.key("return")
    assert not hand.app.welcome


@pytest.mark.parametrize("level", list(LEVELS))
def test_level_chooser(hand: Hand, level: str) -> None:
    """Each level can be chosen, and its board is seen whole."""
    hand.press("level")
    hand.choose(level)
    assert hand.session.rules == LEVELS[level]
    assert hand.app.layout.board.contains(hand.app.camera.board)


def test_a_click_beside_a_list_closes_it(hand: Hand) -> None:
    """An open list takes the click: nothing under it happens."""
    hand.press("level")
    hand.click_place((5, 5))
    assert hand.app.menu is None
    hand.press("agent")
    hand.key("escape")
    assert hand.app.menu is None
    assert hand.session.state is State.READY


def test_lists_by_keyboard(hand: Hand) -> None:
    """Arrows and Enter choose from a list."""
    hand.key("l")
    hand.key("up")
    hand.key("return")
    assert hand.app.menu is None
    assert hand.session.rules == LEVELS["hard"]


def test_given_cells(open_app: Opener) -> None:
    """Levels that begin with open cells show them and say so."""
    hand = open_app(EASY)
    assert "open" in hand.controller.note.title
    hand.key("a")
    hand.settle()
    assert hand.session.step == 1


def test_themes_differ(hand: Hand) -> None:
    """T changes the colours of everything."""
    hand.click((3, 3))
    assert hand.colour((3, 3)) == LIGHT.opened
    hand.key("t")
    assert hand.colour((3, 3)) == DARK.opened


def test_clocks_and_counters(hand: Hand) -> None:
    """The clock goes on while the game does, and the picture changes with it."""
    hand.click((3, 3))
    before = status_picture(hand)
    hand.clock.time += 5
    assert status_picture(hand) != before
    hand.click(mines_of(hand)[0], button=3)
    assert hand.session.observation.mines_left == 9


def status_picture(hand: Hand) -> bytes:
    """Give the pixels of the line above the board."""
    hand.app.draw()
    part = hand.app.screen.surface().subsurface(hand.app.layout.status)
    return pygame.image.tobytes(part, "RGB")


def test_copy_and_paste_a_game(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C copies the game's id, Ctrl+V begins the game of an id, nonsense is refused."""
    held = {}
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: held.update(text=text))
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: held["text"])
    hand.key("c", control=True)
    assert held["text"] == "9x9/10:s20"
    hand.key("n")
    hand.key("v", control=True)
    assert hand.session.seed == 20
    held["text"] = "nonsense"
    hand.key("v", control=True)
    assert hand.controller.note.tone == "bad"
    assert hand.session.seed == 20


def test_other_rules(open_app: Opener) -> None:
    """Play goes on after an explosion where the rules say so."""
    rules = with_options(Rules(6, 6, 5), explosion="continue", mine_count="unknown")
    hand = open_app(rules)
    hand.click((0, 0))
    hand.click(mines_of(hand)[0])
    assert hand.session.observation.hits == 1
    assert hand.session.state is State.PLAYING
    hand.app.draw()


def test_expert_fits(open_app: Opener) -> None:
    """A window of the usual size shows the whole expert board."""
    hand = open_app(EXPERT)
    assert hand.app.layout.board.contains(hand.app.camera.board)
    assert not hand.app.camera.can_move


def test_close(hand: Hand) -> None:
    """Closing the window ends the loop, and so does Ctrl+Q."""
    hand.send(pygame.QUIT)
    assert not hand.app.running
    hand.app.running = True
    hand.key("q", control=True)
    assert not hand.app.running
