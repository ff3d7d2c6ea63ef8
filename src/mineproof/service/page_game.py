"""A game of the page: a session, the pages that show it, and the moves that players make in it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import Any, Protocol

from mineproof.core.board import Board
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import BEGINNER, Rules, StartKind, level_name
from mineproof.generate.no_guess import remember
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import GameId
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Record, Step, parse_record
from mineproof.review.metrics import Metrics, measure
from mineproof.service.files import Opened, open_bytes, open_text, read_base64
from mineproof.service.limits import check_board, check_moves
from mineproof.service.resources import Plain, Resources
from mineproof.service.rule_fields import RuleFields
from mineproof.session import Session, State
from mineproof.session.session import state_text

VERSION = 1
"""The form in which games are kept; a game of an earlier form has none."""
_IN_PROGRESS = (State.READY, State.PLAYING, State.PAUSED)


class Watcher(Protocol):
    """A page that shows a game."""

    def push(self, kind: str, **values: Any) -> None:
        """Send the page something it did not ask for."""


class PageGame:
    """A game that pages show, and how it came to stand where it stands."""

    def __init__(self, key: str, resources: Resources, session: Session | None = None) -> None:
        """Begin with a session, by default a new game for beginners."""
        self.key = key
        self._resources = resources
        self.agent = resources.agent
        """The agent that is asked unless a question names another."""
        self.pages: set[Watcher] = set()
        self.turn = asyncio.Lock()
        """Held by the command that is changing the game; the next ones wait in order."""
        self._is_left = False
        self.begin(session or Session(BEGINNER))

    def begin(self, session: Session, counts: bool = True) -> None:
        """Go on with another session, whose time counts or not."""
        self.session = session
        self._measured: tuple[object, Metrics | None] = None, None
        self.aided = not counts
        """Whether an agent moved, or a hint or undo was used: such a time is no record."""
        self.counted = not counts
        """Whether this game's result was counted."""

    @property
    def moment(self) -> tuple[int, object]:
        """What changes whenever the game does."""
        return self.session.observation.serial, self.session.outcome

    @property
    def metrics(self) -> Metrics | None:
        """The figures of the game that has ended, once they are worked out."""
        moment, metrics = self._measured
        return metrics if moment == self.moment else None

    def measure(self, moment: object, metrics: Metrics | None) -> None:
        """Keep the figures that were worked out for a moment of the game."""
        self._measured = moment, metrics

    @property
    def is_in_progress(self) -> bool:
        """Whether the game goes on."""
        return self.session.state in _IN_PROGRESS

    def view(self) -> Plain:
        """Return all that the page shows of the game."""
        own = {"key": self.key, "agent": self.agent, "aided": self.aided}
        return {**view(self.session, self.metrics), **own}

    def tell(self, *but: Watcher) -> None:
        """Send the view to all pages that show the game, but some."""
        if others := self.pages.difference(but):
            shown = self.view()
            for page in others:
                page.push("view", view=shown)

    # ---- keeping

    def saved(self) -> tuple[Record, Plain]:
        """Return what brings the game back later, and what a list of games shows."""
        session = self.session
        return session.record(), {
            "version": VERSION,
            "agent": self.agent,
            "aided": self.aided,
            "scored": self.counted,
            "level": level_name(session.rules),
            "rules": _rules(session),
            "state": session.state.value,
            "result": None if session.outcome is None else session.outcome.result.value,
            "moves": session.step - session.offset,
            "seconds": round(session.seconds, 3),
        }

    def restore(self, saved: Plain, session: Session, metrics: Metrics | None) -> None:
        """Go on with a game that was kept, as `read_saved` has read it."""
        self.begin(session)
        self.measure(self.moment, metrics)
        self.aided = bool(saved.get("aided"))
        self.counted = bool(saved.get("scored"))
        if self._resources.is_agent(saved.get("agent")):
            self.agent = saved["agent"]

    def leave(self) -> None:
        """Stop the clock while nobody looks."""
        self._is_left = self.session.state is State.PLAYING
        self.session.pause()

    def come_back(self) -> None:
        """Let the clock go on if it stood still only because nobody looked."""
        if self._is_left:
            self._is_left = False
            self.session.pause(False)

    # ---- what a player does

    async def open(self, page: int, cell: Cell) -> None:
        """Open a cell."""
        await self.play(page, Action.OPEN, cell)

    async def chord(self, page: int, cell: Cell) -> None:
        """Open all unmarked neighbours of a clue that has its marks."""
        await self.play(page, Action.CHORD, cell)

    async def play(self, page: int, action: Action, cell: Cell) -> None:
        """Make a move; a board without guesses is dealt by a worker first."""
        check_moves(self.session.step + 1)
        await self._deal(page, cell)
        self.session.play(action, cell)

    async def mark(self, _page: int, cell: Cell) -> None:
        """Mark a cell, or take its mark away."""
        check_moves(self.session.step + 1)
        self.session.toggle_mark(cell)

    async def accept(self, page: int, step: Step) -> None:
        """Make a move that an agent chose."""
        check_moves(self.session.step + 1)
        await self._deal(page, step.move.cell)
        self.session.accept(step)
        self.aided = True

    async def undo(self, _page: int) -> None:
        """Take a move back."""
        self.session.undo()
        self.aided = True

    async def redo(self, page: int) -> None:
        """Make an undone move again."""
        await self._deal(page, self.session.first_opened)
        self.session.redo()
        self.aided = True

    async def restart(self, page: int) -> None:
        """Begin the same board again, which is known by now: its time is no record."""
        await self._deal(page, self.session.first_opened)
        self.session.restart()
        self.begin(self.session, counts=False)

    async def pause(self, _page: int, on: bool) -> None:
        """Stop the clock, or let it go on."""
        self.session.pause(on)

    async def stop(self, _page: int) -> None:
        """Give up."""
        self.session.stop()

    async def new(self, page: int, **fields: Any) -> None:
        """Begin another game; if cells are given at the start, a worker deals it."""
        wanted = RuleFields(**fields)
        rules = wanted.rules or self.session.rules
        self.begin(await new_session(self._resources, page, rules, wanted.number))

    async def load(
        self, page: int, text: str | None, name: str = "", data: str | None = None
    ) -> Plain | None:
        """Go on with a game that a text or file holds; a position is the answer itself."""
        opened, session = await self._resources.run(page, open_session, text, name, data)
        if session is None:
            return {"position": opened.text}
        self.begin(session, counts=opened.kind == "id" and session.outcome is None)
        return None

    async def _deal(self, page: int, cell: Cell | None) -> None:
        """Have a worker deal the board of a no-guess game that has none yet."""
        session = self.session
        rules, seed = session.rules, session.seed
        if session.is_dealt or cell is None or rules.start.kind is not StartKind.NO_GUESS:
            return
        wanted = {"game": str(GameId(rules, seed, Cell(*cell)))}
        mines = await self._resources.ask_value("deal", wanted, self.key, page)
        remember(rules, seed, Cell(*cell), Board.from_mines(rules.rows, rules.columns, mines))


async def new_session(
    resources: Resources, page: int, rules: Rules, seed: int | None = None
) -> Session:
    """Return a new game. With an agent of the user's own, nobody can find its seed by trying."""
    if seed is None and resources.has_own:
        seed = secrets.randbits(128)
    if rules.start.kind is not StartKind.GIVEN:
        return Session(rules, seed)
    return await resources.run(page, Session, rules, seed)


# ---- what workers do with sessions


def read_saved(saved: Plain) -> tuple[Session, Metrics | None]:
    """Read the session of a game that was kept, and its figures if it has ended.

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
    return session, session.metrics


def open_session(text: str | None, name: str, data: str | None) -> tuple[Opened, Session | None]:
    """Read a text, or a file as base64; return what it is, and its session unless a position."""
    opened = open_text(text or "") if data is None else open_bytes(name, read_base64(data))
    if opened.kind == "position":
        return opened, None
    session = Session(BEGINNER)
    if opened.kind == "id":
        session.new_from_id(opened.text)
    else:
        session.load(opened.text)
    check_moves(session.steps)
    return opened, session


def measured(record: str) -> Metrics | None:
    """Return the figures of a game that has ended."""
    found = parse_record(record)
    return None if not found.mines and found.first is None else measure(found.replay(), found.steps)


def branched(session: Session, step: int, mines: list[int] | None) -> Session:
    """Return a session that continues another after a step, on its own board or another one."""
    rules = session.rules
    board = None if mines is None else Board.from_mines(rules.rows, rules.columns, mines)
    return session.branch(step, board)


# ---- what is shown of a session


def view(session: Session, metrics: Metrics | None = None) -> Plain:
    """Return all that a page shows of a session; mines once the game has ended and not before.

    So is a long seed: until then the SHA-256 of its digits stands in its place.
    """
    observation = session.observation
    tells_seed = session.seed <= MAX_SEED or session.outcome is not None
    return {
        "id": session.game_id if tells_seed else None,
        "level": level_name(session.rules),
        "rules": _rules(session),
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
        "end": _end(session, metrics),
    }


def _sealed(seed: int) -> str:
    """Return a number that belongs to a seed and shows afterwards that it was the one."""
    return hashlib.sha256(str(seed).encode()).hexdigest()


def cell_rows(position: Observation) -> list[str]:
    """Return the letters of a position, one text per row."""
    return format_position(position).split("\n")[1:-1]


def step_plain(step: Step) -> Plain:
    """Return a move, and what its player said of it, as plain values."""
    return {
        "action": step.move.action.value,
        "cell": list(step.move.cell),
        "proved": step.proved,
        "risk": step.risk,
        "reason": step.reason,
    }


def _rules(session: Session) -> Plain:
    return {**to_plain(session.rules), "mines": session.rules.public().mines}


def _end(session: Session, metrics: Metrics | None) -> Plain | None:
    outcome, board = session.outcome, session.board
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


def _metrics(metrics: Metrics, seconds: float) -> Plain:
    pace = round(metrics.solved / seconds, 3) if seconds > 0 else None
    return {**to_plain(metrics), "3bv_per_second": pace}
