"""A game on the page: its session, the pages that show it, and the moves of its players."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
from typing import Annotated, Any, Protocol

from mineproof.core.board import Board
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import BEGINNER, StartKind, level_name
from mineproof.generate.no_guess import remember
from mineproof.notation.codec import Between, from_plain, to_plain
from mineproof.notation.game_id import GameId
from mineproof.notation.inputs import parse_file, parse_input
from mineproof.notation.position_text import format_position, format_rows
from mineproof.notation.records import Record, Step, parse_record
from mineproof.service.fields import FileData, OptionalText, RuleFields, Text
from mineproof.service.limits import check_board, check_moves
from mineproof.service.resources import Plain, Resources
from mineproof.session import Session
from mineproof.session.session import state_text

VERSION = 1
"""The format version of saved games. Games saved by older versions have no version number."""


class Watcher(Protocol):
    """A page that shows a game."""

    def push(self, kind: str, **values: Any) -> None:
        """Send the page a message it did not ask for."""


class PageGame:
    """A game that one or more pages show.

    The methods that change it are commands of a page. Their first parameter is the number of that
    page, so that workers serve pages in turn. The others are the fields of the message.
    """

    def __init__(self, key: str, resources: Resources, session: Session | None = None) -> None:
        """Use a session, by default a new beginner game."""
        self.key = key
        self._resources = resources
        self.agent = resources.agent
        """The agent to ask when a question does not name one."""
        self.pages: set[Watcher] = set()
        self.turn = asyncio.Lock()
        """Held by the command that is changing the game. Later commands wait in order."""
        self.away: set[int] = set()
        """The numbers of the pages that show something else instead of the board."""
        self.begin(session or Session(BEGINNER))

    def begin(self, session: Session, counts: bool = True) -> None:
        """Continue with another session; `counts` says whether its time and result count."""
        self.session = session
        self.aided = not counts
        """Whether the player had help or used undo. If so, the time does not count as a record."""
        self.known = not counts
        """Whether the player may know the board: it was restarted or opened from a file."""
        self.counted = not counts
        """Whether the result has been counted."""
        self._was_saved = False
        """Whether the game was saved before its end, so that user code may have read its mines."""

    @property
    def is_sealed(self) -> bool:
        """Whether the game is not saved before its end, because user code could read its mines."""
        return self._resources.has_own and self.session.outcome is None

    def check_sealed(self) -> None:
        """Check that the mines of a game in progress are in no file that user code can read.

        Raises:
            InputError: the game has been saved.
        """
        if self._was_saved and self.session.outcome is None:
            text = "the game was saved, so your own agent could read its mines; start a new game"
            raise InputError(text, code="saved-game")

    def view(self) -> Plain:
        """Return everything that the page shows of the game."""
        return {**view(self.session), **self._own(), "key": self.key, "saved": not self.is_sealed}

    def _own(self) -> Plain:
        return {"agent": self.agent, "aided": self.aided, "known": self.known}

    def push_view(self, *but: Watcher) -> None:
        """Send the view to all pages that show the game, except those in `but`."""
        if others := self.pages.difference(but):
            shown = self.view()
            for page in others:
                page.push("view", view=shown)

    # ---- saving

    def saved(self) -> tuple[Record, Plain]:
        """Return the record of the game, and the other fields of a saved game."""
        session = self.session
        self._was_saved |= session.outcome is None
        return session.record(), {
            "version": VERSION,
            **self._own(),
            **_summary(session),
            "scored": self.counted,
            "seed": str(session.seed) if shows_seed(session) else None,
            "result": session.outcome and session.outcome.result.value,
        }

    def restore(self, saved: Plain, session: Session) -> None:
        """Continue with a saved game and the session that `read_saved` returned for it."""
        self.begin(session)
        self._was_saved = session.outcome is None
        self.aided, self.known = bool(saved.get("aided")), bool(saved.get("known"))
        self.counted = bool(saved.get("scored")) or session.outcome is not None
        if self._resources.is_agent(saved.get("agent")):
            self.agent = saved["agent"]

    # ---- commands

    async def open(self, page: int, cell: Cell) -> None:
        """Open a cell."""
        await self.play(page, Step(Move(Action.OPEN, cell)))

    async def chord(self, page: int, cell: Cell) -> None:
        """Open all unflagged neighbours of a clue that has the right number of flags."""
        await self.play(page, Step(Move(Action.CHORD, cell)))

    async def play(self, page: int, step: Step) -> None:
        """Make a move. If it needs a no-guess board, a worker deals the board first."""
        check_moves(self.session.step + 1)
        await self._deal(page, step.move.cell)
        self.session.accept(step)

    async def mark(self, _page: int, cell: Cell) -> None:
        """Flag a cell, or remove its flag."""
        check_moves(self.session.step + 1)
        self.session.toggle_mark(cell)

    async def undo(self, _page: int) -> None:
        """Undo a move."""
        self.session.undo()
        self.aided = True

    async def redo(self, page: int) -> None:
        """Redo an undone move."""
        await self._deal(page, self.session.first_opened)
        self.session.redo()
        self.aided = True

    async def restart(self, page: int) -> None:
        """Restart the same board. The new game does not count: the player knows the board."""
        await self._deal(page, self.session.first_opened)
        self.session.restart()
        self.begin(self.session, counts=False)

    async def pause(self, _page: int, on: bool = True) -> None:
        """Stop or restart the clock."""
        self.session.pause(on)

    async def look(self, page: int, on: bool = True) -> Plain:
        """Stop the clock while no page shows the board, and restart it afterwards."""
        self.away = self.away - {page} if on else self.away | {page}
        self.session.hold_clock(self.away.issuperset(map(id, self.pages)))
        return {"seconds": round(self.session.seconds, 3), "clock_runs": self.session.clock_runs}

    async def stop(self, _page: int) -> None:
        """Give up."""
        self.session.stop()

    async def new(self, page: int, **fields: Any) -> None:
        """Start another game."""
        self.begin(await new_session(self._resources, page, RuleFields(**fields), self.session))

    async def load(
        self, page: int, text: OptionalText = None, name: Text = "", data: FileData | None = None
    ) -> Plain | None:
        """Continue with the game in text or a file. If it holds a position, return the position."""
        opened, is_new = await self._resources.run(page, open_session, text, name, data)
        if isinstance(opened, str):
            return {"position": opened}
        self.begin(opened, counts=is_new and opened.outcome is None)
        return None

    async def _deal(self, page: int, cell: Cell | None) -> None:
        """Ask a worker to deal the board of a no-guess game, unless it has been dealt."""
        session = self.session
        rules, seed = session.rules, session.seed
        if session.is_dealt or cell is None or rules.start.kind is not StartKind.NO_GUESS:
            return
        wanted = {"game": str(GameId(rules, seed, Cell(*cell)))}
        mines = await self._resources.ask_value("deal", wanted, self.key, page)
        remember(rules, seed, Cell(*cell), Board.from_mines(rules.rows, rules.columns, mines))


async def new_session(
    resources: Resources, page: int, wanted: RuleFields, before: Session | None = None
) -> Session:
    """Return a new game, with the rules of the previous game if none are given.

    If the user's own agent is offered, the seed is too long to be found by trial. If the rules
    open cells at the start, a worker deals the board.
    """
    rules, seed = wanted.rules or (before.rules if before else BEGINNER), wanted.number
    if seed is None and resources.has_own:
        seed = secrets.randbits(128)
    if rules.start.kind is not StartKind.GIVEN:
        return Session(rules, seed)
    return await resources.run(page, Session, rules, seed)


# ---- functions that run in workers


def read_base64(data: str) -> bytes:
    """Return the bytes of a file that a page sent as base64.

    Raises:
        InputError: the text is not base64.
    """
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        raise InputError("expected a file as base64") from None


def read_saved(saved: Plain) -> Session:
    """Return the session of a saved game, with its metrics if the game is over.

    Raises:
        InputError: the game is damaged, or a later version saved it.
    """
    from_plain(Annotated[int, Between(high=VERSION)], saved.get("version", 0), "version")
    session = _resumed(parse_record(from_plain(str, saved.get("record"), "record")))
    _ = session.metrics  # computed here and cached
    return session


def _resumed(given: GameId | Record) -> Session:
    """Return the session of a game that is not too large for the page."""
    check_board(given.rules)
    session = Session(BEGINNER)
    session.resume(given)
    check_moves(session.steps)
    return session


def open_session(text: str | None, name: str, data: str | None) -> tuple[Session | str, bool]:
    """Read text, or a file as base64.

    Returns:
        The session of a game, and whether the game is new; or the text of a position.
    """
    given = parse_input(text or "") if data is None else parse_file(name, read_base64(data))
    if isinstance(given, Observation):
        check_board(given.rules)
        return format_position(given), False
    return _resumed(given), isinstance(given, GameId)


# ---- the view


def view(session: Session) -> Plain:
    """Return everything that a page shows of a session. Mines are shown only after the end.

    A long seed is replaced by the SHA-256 of its digits until the game is over.
    """
    is_open = shows_seed(session)
    seed = str(session.seed)
    return {
        **to_plain(session),
        **_summary(session),
        "id": session.game_id if is_open else None,
        # The hash proves afterwards which seed was used.
        "seed": seed if is_open else hashlib.sha256(seed.encode()).hexdigest(),
        "cells": format_rows(session.observation),
        "text": state_text(session),
        "last": session.last and session.last.to_plain(),
        "end": _end(session),
    }


def shows_seed(session: Session) -> bool:
    """Return whether pages may know the seed: it is short, or the game is over."""
    return session.seed <= MAX_SEED or session.outcome is not None


def _summary(session: Session) -> Plain:
    """Return the fields that both the view and a saved game have."""
    rules = session.rules
    return {
        "level": level_name(rules),
        "rules": {**to_plain(rules), "mines": rules.public().mines},
        "state": session.state.value,
        "moves": session.step - session.offset,
        "seconds": round(session.seconds, 3),
    }


def _end(session: Session) -> Plain | None:
    outcome, board, metrics = session.outcome, session.board, session.known_metrics
    if outcome is None:
        return None
    pace = round(metrics.solved / session.seconds, 3) if metrics and session.seconds > 0 else None
    return {
        **to_plain(outcome),
        "mines": [] if board is None else list(board.mine_indices),
        "metrics": None if metrics is None else {**to_plain(metrics), "3bv_per_second": pace},
    }
