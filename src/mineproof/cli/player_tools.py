"""What a player in the terminal has besides the board: an agent, practice, saved games."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from mineproof import advice
from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.core.board import Board
from mineproof.core.decision import Decision
from mineproof.core.errors import InputError, NotationError
from mineproof.core.rules import Rules
from mineproof.match.isolated import DECISION_SECONDS, Isolation
from mineproof.match.play import agent_seed, prepare
from mineproof.notation.inputs import Input
from mineproof.notation.records import Record
from mineproof.review.replays import is_replay
from mineproof.session import Session

FORCE = "--force"
MOST_TIMES = 10**6
"""How often a command in a game may be repeated at once."""


class Helper:
    """The agent that advises a player in the terminal."""

    def __init__(self, name: str, seconds: float = DECISION_SECONDS) -> None:
        """Make the agent that a text names; one's own may think so long about a move.

        Raises:
            AgentError: there is no such agent.
        """
        self.name = name
        self.seconds = seconds
        own = file_of(name)
        self._agent: Agent = (
            Isolation(name, seconds, reasons=True).make() if own else make_agent(name)
        )
        self._game: tuple[Rules, int] | None = None
        self._answer: tuple[int, Decision | None] | None = None

    def decide(self, session: Session) -> Decision | None:
        """Give the agent's move; asked again about a position, it keeps to its word."""
        self._follow(session)
        serial = session.observation.serial
        if self._answer is None or self._answer[0] != serial:
            self._answer = serial, advice.decide(session.observation, self._agent)
        return self._answer[1]

    def knowledge(self, session: Session) -> Knowledge | None:
        """Give what the agent knows; None if it cannot show that."""
        self._follow(session)
        return advice.knowledge(session.observation, self._agent)

    def _follow(self, session: Session) -> None:
        game = session.rules, session.seed
        if self._game != game:
            prepare(self._agent, session.rules.public(), agent_seed(self._agent, session.seed))
            self._game, self._answer = game, None


def practice(session: Session, number: int, fresh: bool) -> Session:
    """Give a game that goes on before a move, on the same board or on a layout drawn anew.

    Raises:
        InputError: there is no such move, or clues may be wrong.
        WorkLimitError: the layouts are too many to count.
    """
    if number > len(session.moves):
        raise InputError(f"expected a move from 1 to {len(session.moves)}, got {number}")
    step, board = session.offset + number - 1, None
    if fresh:
        layout = advice.draw_layout(session.observation_at(step), secrets.randbits(64))
        board = Board(session.rules.rows, session.rules.columns, layout)
    return session.branch(step, board)


def file_to_save(typed: str, own: str) -> str:
    """Give the file that `save [--force] [FILE]` means; the game's own needs no name.

    Raises:
        NotationError: there is no name.
        InputError: something else is there, and nobody said that it may be overwritten.
    """
    words = typed.split(maxsplit=1)
    forced = words[:1] == [FORCE]
    name = " ".join(words[1:]) if forced else typed
    file = a_name(name or own)
    if not forced and not _is_same(file, own) and Path(file).exists():
        raise InputError(f"expected `save {FORCE} {file}` to overwrite, since {file} exists")
    return file


def a_name(text: str) -> str:
    """Give the name of a file.

    Raises:
        NotationError: there is none.
    """
    if not text:
        raise NotationError("expected the name of a file, got none")
    return text


def own_file(argument: str, games: Sequence[Input]) -> str:
    """Give the file that a game was read from if it holds that game alone, as `save` writes it.

    Saving over a file of several games, or over a player's replay, would lose what it holds.
    """
    alone = len(games) == 1 and isinstance(games[0], Record) and not is_replay(argument)
    return argument if alone and argument != "-" else ""


def _is_same(file: str, own: str) -> bool:
    return bool(own) and Path(file).resolve() == Path(own).resolve()


def parse_times(text: str) -> int:
    """Read how often a command is to be repeated, once by default.

    Raises:
        NotationError: the text is no such number.
    """
    if not text:
        return 1
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= MOST_TIMES):
        raise NotationError(f"expected how many moves, from 1 to {MOST_TIMES}, got {text!r}")
    return int(text)
