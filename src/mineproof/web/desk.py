"""A desk: one game at the server, and the commands that change it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mineproof.core.errors import InputError
from mineproof.core.move import Action
from mineproof.core.rules import LEVELS, Rules, with_options
from mineproof.notation.position import LETTERS
from mineproof.notation.records import Step
from mineproof.session import Session, State
from mineproof.web import fields
from mineproof.web.fields import Message
from mineproof.web.limits import check_board
from mineproof.web.opening import Opened

if TYPE_CHECKING:
    from mineproof.web.peer import Peer

DEFAULT_LEVEL = "beginner"
_UNDER_WAY = (State.READY, State.PLAYING, State.PAUSED)


class Desk:
    """A game, who looks at it, and how it came to stand where it stands.

    The session's own agent is never asked here: agents work in other processes.
    """

    def __init__(self, key: str, agent: str, rules: Rules | None = None) -> None:
        """Begin a new game."""
        self.key = key
        self.agent = agent
        self.session = Session(rules or LEVELS[DEFAULT_LEVEL], agent="random")
        self.peers: set[Peer] = set()
        self.aided = False
        """Whether an agent moved, or a hint or undo was used: such a time is no record."""
        self.scored = False
        """Whether this game's result was counted."""
        self._is_left = False

    # ---- what is shown

    def view(self) -> dict[str, Any]:
        """Give all that the page shows of the game."""
        shown = self.session.view()
        shown["seed"] = str(shown["seed"])
        return {**shown, "agent": self.agent, "aided": self.aided}

    def saved(self) -> dict[str, Any]:
        """Give what brings the game back later."""
        return {
            "record": self.session.save(),
            "agent": self.agent,
            "aided": self.aided,
            "scored": self.scored,
        }

    def restore(self, saved: dict[str, Any], agents: frozenset[str]) -> None:
        """Go on with a game that was kept.

        Raises:
            InputError: it is damaged.
        """
        record = saved.get("record")
        if not isinstance(record, str):
            raise InputError(f"expected a record, got {type(record).__name__}")
        self.session.load(record)
        check_board(self.session.rules)
        self.aided = bool(saved.get("aided"))
        self.scored = bool(saved.get("scored"))
        if saved.get("agent") in agents:
            self.agent = saved["agent"]

    def open(self, opened: Opened) -> None:
        """Begin with what was opened; a position begins nothing."""
        if opened.kind == "record":
            self.session.load(opened.text)
            self._fresh(counted=False)
        elif opened.kind == "id":
            self.session.new_from_id(opened.text)
            self._fresh()

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
        """Make a move that the agent chose."""
        self.aided = True
        self.session.accept(step)

    def _fresh(self, counted: bool = True) -> None:
        self.aided = not counted
        self.scored = not counted


def _play(action: Action) -> Callable[[Desk, Message], None]:
    def command(desk: Desk, message: Message) -> None:
        desk.session.play(action, fields.a_cell(message))

    return command


def _mark(desk: Desk, message: Message) -> None:
    desk.session.toggle_mark(fields.a_cell(message))


def _undo(desk: Desk, _message: Message) -> None:
    desk.session.undo()
    desk.aided = True


def _redo(desk: Desk, _message: Message) -> None:
    desk.session.redo()
    desk.aided = True


def _restart(desk: Desk, _message: Message) -> None:
    desk.session.restart()
    desk._fresh(counted=False)  # the board is known: its time is no record


def _pause(desk: Desk, message: Message) -> None:
    desk.session.pause(fields.a_flag(message, "on", True))


def _stop(desk: Desk, _message: Message) -> None:
    desk.session.stop()


def _new(desk: Desk, message: Message) -> None:
    desk.session.new(read_rules(message, desk.session.rules), fields.a_seed(message))
    desk._fresh()


def read_rules(message: Message, rules: Rules) -> Rules:
    """Give the rules that a message asks for; without a level, those given."""
    level = fields.an_optional_text(message, "level")
    if level is None:
        return rules
    names = ("start", "goal", "explosion", "clues", "mine_count")
    texts = {name: fields.an_optional_text(message, name) for name in names}
    found = with_options(
        Rules.parse(level),
        start=texts["start"],
        goal=texts["goal"],
        explosion=texts["explosion"],
        clues=texts["clues"],
        mine_count=texts["mine_count"],
        flood=fields.a_flag(message, "flood", True),
    )
    return check_board(found)


COMMANDS: dict[str, Callable[[Desk, Message], None]] = {
    "open": _play(Action.OPEN),
    "chord": _play(Action.CHORD),
    "mark": _mark,
    "undo": _undo,
    "redo": _redo,
    "restart": _restart,
    "pause": _pause,
    "stop": _stop,
    "new": _new,
}
"""What a page can tell a game to do; each answer is the new view."""


def position_rows(desk: Desk, step: int) -> list[str]:
    """Give the letters of the position after so many moves, for the timeline."""
    seen = desk.session.observation_at(step)
    letters = "".join(
        "F" if mark else LETTERS[code] for code, mark in zip(seen.shown, seen.marks, strict=True)
    )
    width = seen.rules.columns
    return [letters[at : at + width] for at in range(0, len(letters), width)]


def is_under_way(desk: Desk) -> bool:
    """Say whether the game goes on."""
    return desk.session.state in _UNDER_WAY
