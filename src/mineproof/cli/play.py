"""`mineproof play`: play in the terminal, with an agent to ask."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.text import Text

from mineproof import advice
from mineproof.agents.registry import strongest
from mineproof.cli import inputs, moves, options, text
from mineproof.cli.commands import argument, flag, message_of, new_command, option
from mineproof.cli.options import RuleOptions
from mineproof.cli.player_tools import Helper, a_name, file_to_save, own_file, parse_times, practice
from mineproof.cli.review import brief_review
from mineproof.cli.text import Sign
from mineproof.core.errors import IllegalMoveError, NotationError, WorkLimitError, did_you_mean
from mineproof.core.words import error_line, printable
from mineproof.match.play import step_of
from mineproof.notation.files import write_text
from mineproof.notation.inputs import as_game
from mineproof.notation.records import Step
from mineproof.session import Session
from mineproof.session.session import state_text

COMMANDS = {
    "open": ("o", "ROW COLUMN: open a cell"),
    "mark": ("mf", "ROW COLUMN: flag a cell, or remove the flag"),
    "chord": ("c", "ROW COLUMN: open the cells around a number that has all its flags"),
    "hint": ("h", "get a hint; again: which numbers to look at; again: what to do"),
    "why": ("w", "ROW COLUMN: explain a cell"),
    "guess": ("g", "ask whether you must guess now"),
    "review": ("", "review every move so far"),
    "ai": ("a", "let the agent make one move"),
    "agent": ("", "NAME: choose another agent"),
    "knowledge": ("k", "show what the agent has proved"),
    "risks": ("", "show the risk of every cell"),
    "undo": ("u", "[N]: undo one move or N, even after an explosion"),
    "redo": ("r", "[N]: redo one move or N"),
    "stop": ("", "end the game now"),
    "new": ("n", "[GAME-ID]: start another game"),
    "restart": ("", "start the same board again"),
    "save": ("s", "[--force] [FILE]: save the game; without FILE, to its own file"),
    "load": ("", "FILE: continue a saved game"),
    "show": ("", "draw the board"),
    "help": ("?", "show this list"),
    "quit": ("q", "leave"),
}
"""The short forms of each command, and its help."""
SHORT = {letter: name for name, (letters, _) in COMMANDS.items() for letter in letters}
MOVES = {"open": Session.open, "mark": Session.toggle_mark, "chord": Session.chord}
CHANGES = {name: getattr(Session, name) for name in ("undo", "redo", "stop", "restart")}
REPEATED = {"undo": "Undid", "redo": "Redid"}
"""The commands that take a number of moves."""
MOST_LETTERS = 100_000
"""Maximum length of a command, in characters."""
MOST_LINES = 20
"""Maximum number of lines of an agent's knowledge to show."""


@new_command("play")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    given: str | None = argument(required=False, metavar="[GAME-ID or FILE]"),
    agent: str | None = options.AGENT,
    limits: options.LimitOptions = options.LIMITS,
    rules: RuleOptions = options.RULES,
    load: str | None = option("--load FILE", "Continue the saved game in FILE."),
    move: int | None = option("--move N", "Continue before move N of that game.", options.Whole(1)),
    fresh: bool = flag("--fresh", "Redraw the mines among all layouts that fit; needs --move."),
    ascii: bool = options.ASCII,
) -> None:
    """Play in the terminal: a new game, or one from an id, a record or a board file.

    Use the arrow keys or the mouse. Space opens a cell, m flags it, h gives a hint, w explains
    the cell, r shows risks, and ? lists all keys. To type a command, press `:` first. Commands
    can also come from a pipe: `open 3 4` (row and column, from 0), `mark 3 4`, `hint`,
    `why 3 4`, `ai`, `undo 3`.

    --move N goes back to a move of a record or replay, so that you can practise from there: on
    the same board, or with --fresh on a random layout that fits the open cells (each layout has
    its exact chance).

    Examples:
      mineproof play
      mineproof play --level beginner --seed 7
      mineproof play game.json
      mineproof play expert:s7:f0,0
      mineproof play game.json --move 57 --fresh
    """
    if given is not None and load is not None:
        raise click.UsageError("a game and --load cannot be combined")
    session = Session(rules.for_a_person(), rules.some_seed())
    helper = Helper(limits.isolation(agent or strongest()), session.rules.grid.size)
    if given is not None:
        rules.check_unused()
    game = TerminalGame(session, helper, text.console())
    file = given or load
    if (move is not None and file is None) or (fresh and move is None):
        raise click.UsageError("--move needs a game, and --fresh needs --move")
    if file is not None:
        game.load(file)
    if move is not None:
        game.session, game.file = practice(game.session, move, fresh), ""
    if not text.has_screen():
        game.run(sys.stdin)
    else:
        from mineproof.cli.play_screen import play_on_screen

        play_on_screen(game, ascii)


class TerminalGame:
    """A game in the terminal: reads commands, carries them out and shows the result."""

    more = "Type `hint`"
    """The words that say how to get the next part of a hint."""

    def __init__(self, session: Session, agent: Helper, console: Console) -> None:
        self.session = session
        self.agent = agent
        self.console = console
        self.file = ""
        """The file that the game was saved to or loaded from."""
        self._saved: tuple[Step, ...] = ()
        self._hints_given = 0

    @property
    def is_unsaved(self) -> bool:
        """Whether leaving would lose moves of a game in progress."""
        return self.session.outcome is None and self.session.moves != self._saved

    def run(self, source: TextIO) -> None:
        """Read and carry out commands until `quit` or the end of the input."""
        if isinstance(source, io.TextIOWrapper):
            # A line that is not valid text is an unknown command.
            source.reconfigure(errors="replace")
        self.show("Type `help` for a list of commands.")
        while (line := self._read(source)) is not None and self.do(line):
            pass

    def load(self, argument: str) -> None:
        """Continue the game in a record, or start the game of an id or a board file.

        Raises:
            NotationError: it is not a game, or its moves are impossible.
            OSError: the file cannot be read.
        """
        with inputs.naming(argument) if Path(argument).is_file() else nullcontext():
            games = inputs.read_given(argument)
            self.session.resume(as_game(games[0]))
        self.file = own_file(argument, games)
        self._saved = self.session.moves

    def do(self, line: str) -> bool:
        """Carry out one command, and print what is wrong with it if it fails.

        Returns:
            False when the player leaves.
        """
        word, _, rest = line.strip().partition(" ")
        if word[:1].isdigit():
            word, rest = "open", line
        name = SHORT.get(word.lower(), word.lower())
        if name == "quit":
            return False
        if name not in COMMANDS:
            if word:
                near = did_you_mean(name, COMMANDS)
                self.say(f"Unknown command {printable(word)}{near or '.'} Type `help` for a list.")
            return True
        try:
            self._obey(name, rest.strip())
        except BrokenPipeError:
            raise
        except (OSError, ValueError, WorkLimitError) as error:
            self.say(message_of(error))
        except Exception as error:  # a bug must not cost the player the game
            self.say(f"That failed ({error_line(error)}). The game continues.")
        return True

    # ---- the commands

    def _obey(self, name: str, rest: str) -> None:
        if name in MOVES:
            MOVES[name](self.session, options.parse_cell(rest))
            self._changed()
        elif name in CHANGES:
            self._change(name, parse_times(rest) if name in REPEATED else 1)
        else:
            getattr(self, f"_do_{name}")(rest)

    def _change(self, name: str, times: int) -> None:
        """Undo or redo several moves. Stop early if there are no more."""
        for done in range(times):
            try:
                CHANGES[name](self.session)
            except IllegalMoveError:
                if done == 0:
                    raise
                self._changed()
                self.say(f"{REPEATED[name]} {done} of {times} moves; there were no more.")
                return
        self._changed()

    def _do_hint(self, _rest: str) -> None:
        self._check_in_progress()
        stages = advice.hint(self.session.observation).stages
        stage = stages[min(self._hints_given, len(stages) - 1)]
        self._hints_given += 1
        more = f" ({self.more} for more.)" if self._hints_given < len(stages) else ""
        self.say(stage.text + more)

    def _do_why(self, rest: str) -> None:
        self.say(advice.why(self.session.observation, options.parse_cell(rest)).text)

    def _do_guess(self, _rest: str) -> None:
        self._check_in_progress()
        self.say(advice.may_guess(self.session.observation).text)

    def _do_review(self, _rest: str) -> None:
        self.tell(brief_review(self.session.record()))

    def _do_ai(self, _rest: str) -> None:
        self._check_in_progress()
        decision = self.agent.decide(self.session)
        if decision is None:
            self.say(f"{self.agent.name} is stuck: it can prove nothing and does not guess.")
        else:
            said = step_of(decision)
            self.session.accept(said)
            number = len(self.session.moves)
            self._changed(moves.move_text(number, said, self.session.observation))

    def _do_agent(self, rest: str) -> None:
        self.agent = Helper(replace(self.agent.how, agent=rest, options=(), log=None))
        self._changed(f"{rest} is your agent now.")

    def _do_knowledge(self, _rest: str) -> None:
        knowledge = self.agent.knowledge(self.session)
        if knowledge is None:
            self.say(f"{self.agent.name} cannot show its knowledge.")
            return
        notes = dict.fromkeys(knowledge.safe, Sign("+", "bold green"))
        notes.update(dict.fromkeys(knowledge.mined, Sign("!", "bold red")))
        self.show("+ proved safe, ! proved mine", notes)
        lines = [f"{self.agent.name} knows {knowledge.title}"]
        lines += [f"  {line}" for line in knowledge.lines[:MOST_LINES]]
        if len(knowledge.lines) > MOST_LINES:
            lines.append(f"  and {len(knowledge.lines) - MOST_LINES} more")
        self.tell(lines)

    def _do_new(self, rest: str) -> None:
        if rest:
            self.session.new_from_id(rest)
        else:
            self.session.new()
        self.file = ""  # the file belongs to the previous game
        self._changed()

    def _do_save(self, rest: str) -> None:
        file = file_to_save(rest, self.file)
        write_text(file, self.session.save() + "\n")
        self.file, self._saved = file, self.session.moves
        self.say(f"Saved to {file}.")

    def _do_load(self, rest: str) -> None:
        self.load(a_name(rest))
        self._changed(f"Loaded {rest}.")

    def _do_risks(self, _rest: str) -> None:
        width = self.console.width if self.console.is_terminal else 10_000
        found = advice.analyse(self.session.observation, moves=False, sampled=True)
        self.tell([text.draw_risks(found, width), text.RISK_LEGEND])

    def _do_show(self, _rest: str) -> None:
        self.show()

    def _do_help(self, _rest: str) -> None:
        signs = (f"signs: {text.legend()}", f"at the end: {text.legend(end=True)}")
        self.tell([*self.command_lines(), *signs])

    def command_lines(self) -> list[str]:
        """Return a list of all commands."""
        lines = []
        for name, (letters, help) in COMMANDS.items():
            short = f" ({', '.join(letters)})" if letters else ""
            lines.append(f"{name:<10} {help}{short}")
        return lines

    def _check_in_progress(self) -> None:
        if self.session.outcome is not None:
            raise IllegalMoveError("The game is over. Press n for a new one, u to undo.")

    # ---- input and output

    def _changed(self, message: str | Text = "") -> None:
        self._hints_given = 0
        self.show(message)

    def show(self, message: str | Text = "", notes: dict[int, Sign] | None = None) -> None:
        """Draw the board, and print the state of the game."""
        session, width = self.session, self.console.width
        last = session.last.move.cell if session.last else None
        viewport = (
            text.fit(session.rules.grid, width, 10**4, last) if self.console.is_terminal else None
        )
        self.console.print(self.title())
        board = session.board
        self.console.print(
            text.draw(session.observation, board, last=last, notes=notes, viewport=viewport)
        )
        self.console.print(self.status())
        if message:
            self.console.print(message)

    def title(self) -> Text:
        """Return the game id and the agent."""
        name = self.session.game_id or "game without an id"
        return Text(f"{name}, agent {self.agent.name}", "bold")

    def status(self) -> str:
        """Return the state of the game in one line."""
        session = self.session
        deaths = f", deaths undone: {session.deaths}" if session.deaths else ""
        line = f"{state_text(session)}, {session.seconds:.0f} s{deaths}"
        if session.metrics is not None:
            line += f"; {moves.metrics_text(session.metrics)}{moves.luck_text(session.record())}"
        return line

    def say(self, message: str | Text) -> None:
        """Print one line."""
        self.tell([message])

    def tell(self, lines: Sequence[str | Text]) -> None:
        """Print several lines."""
        for line in lines:
            self.console.print(line)

    def _read(self, source: TextIO) -> str | None:
        """Return the next line; None at the end of the input."""
        if source.isatty():
            try:
                return input("> ")
            except EOFError:
                self.console.print()
                return None
        line = source.readline(MOST_LETTERS)
        if len(line) == MOST_LETTERS:  # input without line breaks may be endless
            raise NotationError(f"a command has at most {MOST_LETTERS:,} characters")
        return line or None
