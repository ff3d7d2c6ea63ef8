"""`mineproof play`: a person plays in the terminal, with an agent to ask."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.text import Text

from mineproof import advice
from mineproof.agents.loading import is_own, make_agent
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import strongest
from mineproof.cli.commands import Command, examples, file_message
from mineproof.cli.options import RuleFlags, decision_seconds_option, parse_cell, rule_flags
from mineproof.cli.review import review_lines
from mineproof.cli.text import (
    END_LEGEND,
    LEGEND,
    Sign,
    console,
    draw,
    fit,
    luck_text,
    metrics_text,
    move_text,
)
from mineproof.core.decision import Decision
from mineproof.core.errors import IllegalMoveError, NotationError, WorkLimitError
from mineproof.core.rules import Rules
from mineproof.match.isolated import DECISION_SECONDS, Isolation
from mineproof.match.play import agent_seed, prepare, step_of
from mineproof.notation.text import read_text
from mineproof.review.verdicts import review
from mineproof.session import Session
from mineproof.session.session import state_text

COMMANDS = {
    "open": ("o", "ROW COLUMN: open a cell"),
    "mark": ("mf", "ROW COLUMN: mark a cell as a mine, or take the mark away"),
    "chord": ("c", "ROW COLUMN: open what is unmarked around a clue that has its marks"),
    "hint": ("h", "where to look; again: which clues; again: what to do"),
    "why": ("w", "ROW COLUMN: what is known of a cell, and why"),
    "guess": ("g", "may I guess now? yes, or no with a proof"),
    "review": ("", "a verdict on every move so far"),
    "ai": ("a", "let the agent make one move"),
    "agent": ("", "NAME: ask another agent"),
    "knowledge": ("k", "show what the agent has proved, and its lines"),
    "undo": ("u", "take back a move, also after an explosion"),
    "redo": ("r", "make an undone move again"),
    "stop": ("", "end the game as it stands"),
    "new": ("n", "[GAME-ID]: another game"),
    "restart": ("", "the same board again"),
    "save": ("", "FILE: save the game"),
    "load": ("", "FILE: go on with a saved game"),
    "show": ("", "draw the board"),
    "help": ("?", "this list"),
    "quit": ("q", "leave"),
}
"""Of each command its letters, and what it does."""
SHORT = {letter: name for name, (letters, _) in COMMANDS.items() for letter in letters}
MOVES = {"open": Session.open, "mark": Session.toggle_mark, "chord": Session.chord}
CHANGES = {
    "undo": Session.undo,
    "redo": Session.redo,
    "stop": Session.stop,
    "restart": Session.restart,
}
MOST_LINES = 20
"""How many lines of an agent's knowledge are shown."""


@click.command(
    "play",
    cls=Command,
    epilog=examples("play", "play --level beginner --seed 7", "play --load game.json"),
)
@click.option(
    "--agent",
    metavar="AGENT",
    help="Who gives hints; see `mineproof agents`.  [default: the strongest]",
)
@decision_seconds_option
@rule_flags
@click.option("--load", type=click.Path(dir_okay=False), help="Go on with a saved game.")
def command(agent: str | None, decision_seconds: float, flags: RuleFlags, load: str | None) -> None:
    """Play a game in the terminal.

    Type `open 3 4` (row, column, both from 0), `mark 3 4`, `chord 3 4`, `hint`, `why 3 4`,
    `ai`, `undo`; `help` lists all commands. Commands can come through a pipe, too.
    """
    session = Session(flags.rules(), flags.some_seed())
    if load is not None:
        _load(session, load)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no command, either
    helper = Helper(agent or strongest(), decision_seconds)
    TerminalGame(session, helper, console()).run(sys.stdin)


def _load(session: Session, path: str) -> None:
    try:
        session.load(read_text(path))
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None


class TerminalGame:
    """A person at a game: reads commands, does them, shows what came of it."""

    def __init__(self, session: Session, agent: Helper, console: Console) -> None:
        """Sit down at a session, with an agent to ask."""
        self.session = session
        self.agent = agent
        self.console = console
        self._in_place = console.is_terminal and not console.is_dumb_terminal
        self._hints_given = 0

    def run(self, source: TextIO) -> None:
        """Read and do commands until `quit` or the end of the input."""
        self._show("type `help` for the commands")
        while (line := self._read(source)) is not None and self.do(line):
            pass

    def do(self, line: str) -> bool:
        """Do one command; what is wrong with it is said, and play goes on.

        Returns:
            False when the person leaves.
        """
        word, _, rest = line.strip().partition(" ")
        if word[:1].isdigit():
            word, rest = "open", line
        name = SHORT.get(word.lower(), word.lower())
        if name == "quit":
            return False
        if name not in COMMANDS:
            if word:
                self._say(f"there is no command {word!r}; `help` lists them")
            return True
        try:
            self._obey(name, rest.strip())
        except OSError as error:
            self._say(file_message(error))
        except (ValueError, WorkLimitError) as error:
            self._say(str(error))
        return True

    # ---- the commands

    def _obey(self, name: str, rest: str) -> None:
        if name in MOVES:
            MOVES[name](self.session, parse_cell(rest))
            self._changed()
        elif name in CHANGES:
            CHANGES[name](self.session)
            self._changed()
        else:
            getattr(self, f"_do_{name}")(rest)

    def _do_hint(self, _rest: str) -> None:
        self._check_going_on("a hint")
        stages = advice.hint(self.session.observation).stages
        stage = stages[min(self._hints_given, len(stages) - 1)]
        self._hints_given += 1
        more = " (`hint` says more)" if self._hints_given < len(stages) else ""
        self._say(stage.text + more)

    def _do_why(self, rest: str) -> None:
        self._say(advice.why(self.session.observation, parse_cell(rest)).text)

    def _do_guess(self, _rest: str) -> None:
        self._check_going_on("an answer")
        self._say(advice.may_guess(self.session.observation).text)

    def _do_review(self, _rest: str) -> None:
        for line in review_lines(review(self.session.record())):
            self.console.print(line)

    def _do_ai(self, _rest: str) -> None:
        self._check_going_on("a move")
        decision = self.agent.decide(self.session)
        if decision is None:
            self._say(f"{self.agent.name} is stuck: it proves nothing and does not guess")
        else:
            said = step_of(decision)
            self.session.accept(said)
            number = len(self.session.moves)
            self._changed(move_text(number, said, self.session.observation))

    def _do_agent(self, rest: str) -> None:
        self.agent = Helper(rest, self.agent.seconds)
        self._changed(f"{rest} helps from now on")

    def _do_knowledge(self, _rest: str) -> None:
        knowledge = self.agent.knowledge(self.session)
        if knowledge is None:
            self._say(f"{self.agent.name} cannot show what it knows")
            return
        notes = dict.fromkeys(knowledge.safe, Sign("+", "bold green"))
        notes.update(dict.fromkeys(knowledge.mined, Sign("!", "bold red")))
        self._show("+ proved safe, ! proved mined", notes)
        self.console.print(f"{self.agent.name} knows {knowledge.title}")
        for line in knowledge.lines[:MOST_LINES]:
            self.console.print(f"  {line}")
        if len(knowledge.lines) > MOST_LINES:
            self.console.print(f"  and {len(knowledge.lines) - MOST_LINES} more")

    def _do_new(self, rest: str) -> None:
        if rest:
            self.session.new_from_id(rest)
        else:
            self.session.new()
        self._changed()

    def _do_save(self, rest: str) -> None:
        Path(_file(rest)).write_text(self.session.save() + "\n", encoding="utf-8")
        self._say(f"saved to {rest}")

    def _do_load(self, rest: str) -> None:
        self.session.load(read_text(_file(rest)))
        self._changed(f"loaded {rest}")

    def _do_show(self, _rest: str) -> None:
        self._show()

    def _do_help(self, _rest: str) -> None:
        for name, (letters, text) in COMMANDS.items():
            short = f" ({', '.join(letters)})" if letters else ""
            self.console.print(f"{name:<10} {text}{short}")
        self.console.print(f"signs: {LEGEND}\nat the end: {END_LEGEND}")

    def _check_going_on(self, wanted: str) -> None:
        if self.session.outcome is not None:
            raise IllegalMoveError(f"expected no more moves, the game has ended: got {wanted}")

    # ---- seeing and reading

    def _changed(self, message: str | Text = "") -> None:
        self._hints_given = 0
        self._show(message)

    def _show(self, message: str | Text = "", notes: dict[int, Sign] | None = None) -> None:
        session, width, height = self.session, *self.console.size
        last = session.last.move.cell if session.last else None
        part = None
        if self._in_place:
            self.console.clear()
            part = fit(session.rules.grid, width, height - 4, last)
        name = session.game_id or "a game of its own"
        self.console.print(Text(f"{name}, agent {self.agent.name}", "bold"))
        board = session.board
        self.console.print(draw(session.observation, board, last=last, notes=notes, part=part))
        self.console.print(self._status())
        if message:
            self.console.print(message)

    def _status(self) -> str:
        session = self.session
        deaths = f", deaths undone: {session.deaths}" if session.deaths else ""
        text = f"{state_text(session)}, {session.seconds:.0f} s{deaths}"
        if session.metrics is not None:
            text += f"; {metrics_text(session.metrics)}{luck_text(session.record())}"
        return text

    def _say(self, message: str | Text) -> None:
        """Answer in one line; a board that is drawn in place stays where it is."""
        if self._in_place:
            self._show(message)
        else:
            self.console.print(message)

    def _read(self, source: TextIO) -> str | None:
        """Give the next line; None at the end."""
        if source.isatty():
            try:
                return input("> ")
            except EOFError:
                self.console.print()
                return None
        return source.readline() or None


class Helper:
    """The agent beside a player: told which game is played, and asked about any position of it."""

    def __init__(self, name: str, seconds: float = DECISION_SECONDS) -> None:
        """Make the agent that a text names; one's own may think so long about a move.

        Raises:
            AgentError: there is no such agent.
        """
        self.name = name
        self.seconds = seconds
        own = is_own(name)
        self._agent = Isolation(name, seconds, reasons=True).make() if own else make_agent(name)
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
            self._game, self._answer = game, None
            prepare(self._agent, session.rules.public(), agent_seed(self._agent, session.seed))


def _file(text: str) -> str:
    if not text:
        raise NotationError("expected the name of a file, got none")
    return text
