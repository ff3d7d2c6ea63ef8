"""Tools for a player in the terminal: an advising agent, practice positions and saved games."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mineproof import Board, Decision, InputError, NotationError, Record, advice, make_agent
from mineproof.agents.loading import is_foreign
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.match.isolated import Isolation, is_huge
from mineproof.match.play import agent_seed
from mineproof.match.remembered import Remembered, RememberedAgents
from mineproof.notation.inputs import Input
from mineproof.review.replays import is_replay
from mineproof.session import Session

FORCE = "--force"
MOST_TIMES = 10**6
"""Highest N of `undo N` and `redo N`."""


class _OneAgent(RememberedAgents):
    """Always the same agent, which starts again if it must."""

    agent: Agent

    def make(self, name: str) -> Agent:
        """Return the agent, whatever its name."""
        return self.agent


class Helper:
    """The agent that advises a player in the terminal."""

    def __init__(self, how: str | Isolation, cells: int = 0) -> None:
        """Make the agent. The limits in `how` are for a user's own agent, or on a huge board.

        Raises:
            AgentError: there is no such agent.
        """
        self.how = Isolation(how) if isinstance(how, str) else how
        self.name = self.how.agent
        own = is_foreign(self.name) or is_huge(self.name, cells)
        self._agent: Agent = (
            replace(self.how, reasons=True).make() if own else make_agent(self.name)
        )
        self._agents = _OneAgent()
        self._agents.agent = self._agent

    def decide(self, session: Session) -> Decision | None:
        """Return the agent's move, which stays the same for the same position."""
        return self._ask(session).decision

    def knowledge(self, session: Session) -> Knowledge | None:
        """Return the agent's knowledge; None if it cannot show any."""
        seen = self._ask(session)
        return advice.known(seen.position, seen.agent)

    def _ask(self, session: Session) -> Remembered:
        """Return the agent after it has seen the game and chosen its move, as on the page."""
        seed, past = agent_seed(self._agent, session.seed), session.changes_before(session.step)
        seen = self._agents.find("", self.name, seed, session.observation, past)
        self._agents.decide(seen, lambda: advice.decide(seen.position, seen.agent))
        return seen


def practice(session: Session, number: int, fresh: bool) -> Session:
    """Return a game that continues from before a move, on this board or with new mines that fit.

    Raises:
        InputError: there is no such move, or the clues are unreliable.
        WorkLimitError: there are too many layouts to count.
    """
    if number > len(session.moves):
        raise InputError(f"expected a move from 1 to {len(session.moves)}, got {number}")
    step, board = session.offset + number - 1, None
    if fresh:
        layout = advice.draw_layout(session.observation_at(step), secrets.randbits(64))
        board = Board(session.rules.rows, session.rules.columns, layout)
    return session.branch(step, board)


def file_to_save(typed: str, own: str) -> str:
    """Return the file that `save [--force] [FILE]` names; without FILE, the game's own file.

    Raises:
        NotationError: there is no FILE, and the game has no file yet.
        InputError: the file exists and may not be overwritten.
    """
    words = typed.split(maxsplit=1)
    forced = words[:1] == [FORCE]
    name = " ".join(words[1:]) if forced else typed
    file = a_name(name or own)
    if not forced and not _is_same(file, own) and Path(file).exists():
        raise InputError(f"{file} already exists. Type `save {FORCE} {file}` to overwrite it.")
    return file


def a_name(text: str) -> str:
    """Return the name of a file, or raise a NotationError if it is empty."""
    if not text:
        raise NotationError("Type the name of a file after the command.")
    return text


def own_file(argument: str, games: Sequence[Input]) -> str:
    """Return the file that a game was read from, if it holds only that game.

    Saving to a file of several games, or to a player's replay, would lose its content.
    """
    alone = len(games) == 1 and isinstance(games[0], Record) and not is_replay(argument)
    return argument if alone and argument != "-" else ""


def _is_same(file: str, own: str) -> bool:
    return bool(own) and Path(file).resolve() == Path(own).resolve()


def parse_times(text: str) -> int:
    """Return the number of times to repeat a command; 1 if the text is empty.

    Raises:
        NotationError: the text is not such a number.
    """
    if not text:
        return 1
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= MOST_TIMES):
        raise NotationError(f"expected a number of moves from 1 to {MOST_TIMES}, got {text!r}")
    return int(text)
