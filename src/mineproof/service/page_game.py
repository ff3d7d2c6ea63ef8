"""A game of the page: a session, who looks at it, and the commands that change it at once."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import BEGINNER, Rules, level_name, with_options
from mineproof.generate.no_guess import in_a_moment, remember
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Step
from mineproof.review.metrics import Metrics
from mineproof.service import fields
from mineproof.service.fields import Message
from mineproof.service.files import Opened, open_bytes, open_text, read_base64
from mineproof.service.limits import check_board, check_moves, is_heavy
from mineproof.session import Session, State
from mineproof.session.session import state_text

if TYPE_CHECKING:
    from mineproof.service.page import Page

DEFAULT_GAME = {"level": "beginner", "start": "opening"}
"""A first click that opens an area is what players expect."""
VERSION = 1
"""The form in which games are kept; a game of an earlier form has none."""
_UNDER_WAY = (State.READY, State.PLAYING, State.PAUSED)


class Dealt(NamedTuple):
    """A board that was hard to find, and for which game."""

    rules: Rules
    seed: int
    first: Cell
    mines: list[int]


class Parcel(NamedTuple):
    """A game on its way to another process."""

    session: Session
    agent: str
    aided: bool
    counted: bool


class PageGame:
    """A game that pages show, and how it came to stand where it stands."""

    def __init__(
        self,
        key: str,
        agent: str,
        rules: Rules | None = None,
        has_own: Callable[[], bool] = lambda: False,
    ) -> None:
        """Begin a new game; `agent` is asked where a question names nobody.

        Where pages have an agent of somebody's own, random seeds are long ones.
        """
        self.key = key
        self._has_own = has_own
        self.agent = agent
        self.session = Session(rules or BEGINNER)
        self.pages: set[Page] = set()
        self.aided = False
        """Whether an agent moved, or a hint or undo was used: such a time is no record."""
        self.counted = False
        """Whether this game's result was counted."""
        self._is_left = False
        self.to_deal: Message | None = None
        """The game that is to begin as soon as somebody deals it."""
        self.turn = asyncio.Lock()
        """Held while a command is worked out beside the loop."""
        self.pending = 0
        """Commands that are worked out so, or wait for it: those to come go behind them."""

    @property
    def is_under_way(self) -> bool:
        """Whether the game goes on."""
        return self.session.state in _UNDER_WAY

    @property
    def is_heavy(self) -> bool:
        """Whether others should not wait for what is done with it.

        Its session is then never changed, but replaced by one that was changed elsewhere.
        """
        return is_heavy(self.session.rules, self.session.steps)

    def view(self) -> dict[str, Any]:
        """Give all that the page shows of the game."""
        own = {"key": self.key, "agent": self.agent, "aided": self.aided}
        return {**view(self.session), **own}

    def saved(self) -> dict[str, Any]:
        """Give what brings the game back later, and what a list of games shows."""
        session = self.session
        shown = view(session)
        return {
            "version": VERSION,
            "record": session.save(),
            "agent": self.agent,
            "aided": self.aided,
            "scored": self.counted,
            "level": shown["level"],
            "rules": shown["rules"],
            "state": session.state.value,
            "result": None if session.outcome is None else session.outcome.result.value,
            "moves": shown["moves"],
            "seconds": shown["seconds"],
        }

    def restore(self, saved: dict[str, Any], is_agent: Callable[[str], bool]) -> None:
        """Go on with a game that was kept.

        Raises:
            InputError: it is damaged, or of a later form.
        """
        self.go_on(read_saved(saved), saved, is_agent)

    def go_on(
        self, session: Session, saved: dict[str, Any], is_agent: Callable[[str], bool]
    ) -> None:
        """Go on with a game that was kept, and whose session was read elsewhere."""
        self.session = session
        self.aided = bool(saved.get("aided"))
        self.counted = bool(saved.get("scored"))
        agent = saved.get("agent")
        if isinstance(agent, str) and is_agent(agent):
            self.agent = agent

    def open(self, opened: Opened) -> None:
        """Begin with what was opened; a position begins nothing."""
        if opened.kind == "record":
            self.session.load(opened.text)
            check_moves(self.session.steps)
            self._fresh(counts=False)
        elif opened.kind == "id":
            self.session.new_from_id(opened.text)
            self._fresh()

    def some_seed(self) -> int | None:
        """Give a random seed that nobody can find by trying, if somebody may try."""
        return secrets.randbits(128) if self._has_own() else None

    def parcel(self) -> Parcel:
        """Give what a command may change, to be changed elsewhere."""
        return Parcel(self.session, self.agent, self.aided, self.counted)

    def unpack(self, parcel: Parcel) -> None:
        """Take in what was changed elsewhere."""
        self.session, self.agent, self.aided, self.counted = parcel

    def leave(self) -> None:
        """Stop the clock while nobody looks."""
        self._is_left = self.session.state is State.PLAYING
        self.session.pause()

    def come_back(self) -> None:
        """Let the clock go on if it stood still only because nobody looked."""
        if self._is_left:
            self._is_left = False
            self.session.pause(False)

    def accept(self, step: Step) -> None:
        """Make a move that an agent chose."""
        self.to_play.accept(step)
        self.aided = True

    @property
    def to_play(self) -> Session:
        """The session, for one more move.

        Raises:
            InputError: it has as many as a game on the page can have.
        """
        check_moves(self.session.step + 1)
        return self.session

    def take_up(self, session: Session) -> None:
        """Go on with a session that began elsewhere; its time is no record."""
        self.session = session
        self._fresh(counts=False)

    def _fresh(self, counts: bool = True) -> None:
        self.aided = not counts
        self.counted = not counts

    # ---- commands

    def new(self, message: Message) -> None:
        """Begin another game."""
        seed = fields.a_seed(message)
        rules = read_rules(message, self.session.rules)
        self.session = Session(rules, self.some_seed() if seed is None else seed)
        self._fresh()

    def restart(self, _message: Message) -> None:
        """Begin the same board again, which is known by now: its time is no record."""
        self.session.restart()
        self._fresh(counts=False)

    def undo(self, _message: Message) -> None:
        """Take a move back."""
        self.session.undo()
        self.aided = True

    def redo(self, _message: Message) -> None:
        """Make an undone move again."""
        self.session.redo()
        self.aided = True


def read_rules(message: Message, rules: Rules) -> Rules:
    """Give the rules that a message asks for; without a level, those given."""
    level = fields.an_optional_text(message, "level")
    if level is None:
        return rules
    names = ("start", "goal", "explosion", "clues", "mine_count")
    texts = {name: fields.an_optional_text(message, name) for name in names}
    flood = fields.a_flag(message, "flood", True)
    return check_board(with_options(Rules.parse(level), flood=flood, **texts))


def read_opened(message: Message) -> Opened:
    """Read a text, or a file with its name."""
    data = fields.an_optional_text(message, "data")
    if data is None:
        return open_text(fields.a_text(message, "text"))
    return open_bytes(fields.a_text(message, "name"), read_base64(data))


Command = Callable[[PageGame, Message], None]
COMMANDS: dict[str, Command] = {
    "open": lambda game, message: game.to_play.play(Action.OPEN, fields.a_cell(message)),
    "chord": lambda game, message: game.to_play.play(Action.CHORD, fields.a_cell(message)),
    "mark": lambda game, message: game.to_play.toggle_mark(fields.a_cell(message)),
    "undo": PageGame.undo,
    "redo": PageGame.redo,
    "restart": PageGame.restart,
    "pause": lambda game, message: game.session.pause(fields.a_flag(message, "on", True)),
    "stop": lambda game, _message: game.session.stop(),
    "new": PageGame.new,
}
"""What a page can tell a game to do; each answer is the new view."""


def change(
    key: str, parcel: Parcel, message: Message, dealt: Dealt | None = None
) -> tuple[Parcel | None, dict[str, Any]]:
    """Do a command, or open what a message brings, anywhere; give the game and its view.

    A position that is opened changes no game: it is given back instead.

    Raises:
        NotDealtError: its board is hard to find; once it is found, it is to be handed in.
    """
    game = PageGame(key, parcel.agent)
    game.unpack(parcel)
    if dealt is not None:
        remember_mines(dealt)
    with in_a_moment():
        if message["do"] in COMMANDS:
            COMMANDS[message["do"]](game, message)
        elif message["do"] == "agent_move":
            game.accept(message["step"])
        else:
            opened = read_opened(message)
            if opened.kind == "position":
                return None, {"position": opened.text}
            game.open(opened)
    return game.parcel(), {"key": key, "view": game.view()}


def branched(session: Session, step: int, mines: Sequence[int] | None) -> Session:
    """Give a session that goes on after a step of another, on its own board or another one."""
    rules = session.rules
    board = None if mines is None else Board.from_mines(rules.rows, rules.columns, mines)
    return _measured(session.branch(step, board))


def remember_mines(dealt: Dealt) -> None:
    """Remember a board that was hard to find."""
    rules, seed, first, mines = dealt
    remember(rules, seed, first, Board.from_mines(rules.rows, rules.columns, mines))


def read_saved(saved: dict[str, Any]) -> Session:
    """Read the session of a game that was kept.

    Raises:
        InputError: it is damaged, or of a later form.
    """
    record, version = saved.get("record"), saved.get("version", 0)
    if not isinstance(record, str):
        raise InputError(f"expected a record, got {type(record).__name__}")
    if not isinstance(version, int) or version > VERSION:
        raise InputError(f"expected a saved game of version {VERSION}, got {version!r}")
    session = Session(BEGINNER)
    session.load(record)
    check_board(session.rules)
    check_moves(session.steps)
    return _measured(session)


def _measured(session: Session) -> Session:
    view(session)  # the figures of a game that has ended are worked out here, and kept
    return session


# ---- what is shown of a session


def view(session: Session) -> dict[str, Any]:
    """Give all that a page shows of a session; mines once the game has ended and not before.

    So is a long seed: until then the SHA-256 of its digits stands in its place.
    """
    observation = session.observation
    tells_seed = session.seed <= MAX_SEED or session.outcome is not None
    return {
        "id": session.game_id if tells_seed else None,
        "level": level_name(session.rules),
        "rules": {**session.rules.to_plain(), "mines": session.rules.public().mines},
        "seed": str(session.seed) if tells_seed else _sealed(session.seed),
        "cells": cell_rows(observation),
        "mines_left": observation.mines_left,
        "state": session.state.value,
        "text": state_text(session),
        "seconds": round(session.seconds, 3),
        "clock_runs": session.clock_runs,
        "moves": session.step - session.offset,
        "offset": session.offset,
        "hits": observation.hits,
        "deaths": session.deaths,
        "step": session.step,
        "steps": session.steps,
        "last": None if session.last is None else step_plain(session.last),
        "end": _end(session),
    }


def _sealed(seed: int) -> str:
    """Give a number that belongs to a seed and shows afterwards that it was the one."""
    return hashlib.sha256(str(seed).encode()).hexdigest()


def cell_rows(position: Observation) -> list[str]:
    """Give the letters of a position, a text a row."""
    return format_position(position).split("\n")[1:-1]


def step_plain(step: Step) -> dict[str, Any]:
    """Give a move, and what its player said of it, as plain values."""
    return {
        "action": step.move.action.value,
        "cell": list(step.move.cell),
        "proved": step.proved,
        "risk": step.risk,
        "reason": step.reason,
    }


def _end(session: Session) -> dict[str, Any] | None:
    outcome, board, metrics = session.outcome, session.board, session.metrics
    if outcome is None:
        return None
    return {
        "result": outcome.result.value,
        "hits": outcome.hits,
        "false_marks": outcome.false_marks,
        "score": outcome.score,
        "mines": [] if board is None else list(board.mine_indices),
        "metrics": None if metrics is None else _metrics(metrics, session.seconds),
    }


def _metrics(metrics: Metrics, seconds: float) -> dict[str, Any]:
    pace = round(metrics.solved / seconds, 3) if seconds > 0 else None
    return {**metrics.plain(), "3bv_per_second": pace}
