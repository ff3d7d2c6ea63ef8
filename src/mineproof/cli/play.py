"""`mineproof play`: a person plays in the terminal, with an agent to ask."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.text import Text

from mineproof import advice
from mineproof.agents.registry import strongest
from mineproof.cli.commands import file_message, new_command
from mineproof.cli.options import (
    RuleFlags,
    Whole,
    decision_seconds_option,
    naming,
    parse_cell,
    read_given,
    rule_flags,
)
from mineproof.cli.player_tools import (
    Helper,
    a_name,
    file_to_save,
    own_file,
    parse_times,
    practice,
)
from mineproof.cli.review import brief_review
from mineproof.cli.terminal import hindrance
from mineproof.cli.text import (
    END_LEGEND,
    LEGEND,
    RISK_LEGEND,
    Sign,
    console,
    draw,
    draw_risks,
    fit,
    luck_text,
    metrics_text,
    move_text,
)
from mineproof.core.errors import IllegalMoveError, NotationError, WorkLimitError, did_you_mean
from mineproof.core.words import error_line, printable
from mineproof.match.play import step_of
from mineproof.notation.files import write_text
from mineproof.notation.game_id import format_game_id
from mineproof.notation.inputs import as_game
from mineproof.notation.records import Record, Step, format_record
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
    "risks": ("", "the risk of every cell"),
    "undo": ("u", "[N]: take back a move or N, also after an explosion"),
    "redo": ("r", "[N]: make an undone move or N again"),
    "stop": ("", "end the game as it stands"),
    "new": ("n", "[GAME-ID]: another game"),
    "restart": ("", "the same board again"),
    "save": ("s", "[--force] [FILE]: save the game, again where it was saved before"),
    "load": ("", "FILE: go on with a saved game"),
    "show": ("", "draw the board"),
    "help": ("?", "this list"),
    "quit": ("q", "leave"),
}
"""Of each command its letters, and what it does."""
SHORT = {letter: name for name, (letters, _) in COMMANDS.items() for letter in letters}
MOVES = {"open": Session.open, "mark": Session.toggle_mark, "chord": Session.chord}
CHANGES = {name: getattr(Session, name) for name in ("undo", "redo", "stop", "restart")}
REPEATED = ("undo", "redo")
"""What can be done several times at once."""
MOST_LETTERS = 100_000
"""How long a command may be."""
MOST_LINES = 20
"""How many lines of an agent's knowledge are shown."""


@new_command(
    "play",
    "play",
    "play --level beginner --seed 7",
    "play game.json",
    "play expert:s7:f0,0",
    "play game.json --move 57 --fresh",
)
@click.argument("given", required=False, metavar="[GAME-ID or FILE]")
@click.option(
    "--agent",
    metavar="AGENT",
    help="Who gives hints; see `mineproof agents`.  [default: the strongest]",
)
@decision_seconds_option
@rule_flags
@click.option("--load", type=click.Path(dir_okay=False), help="Go on with a saved game.")
@click.option("--move", type=Whole(1), metavar="N", help="Go on before move N of that game.")
@click.option("--fresh", is_flag=True, help="With --move: on mines drawn anew that fit.")
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    given: str | None,
    *,
    agent: str | None,
    decision_seconds: float,
    flags: RuleFlags,
    load: str | None,
    move: int | None,
    fresh: bool,
) -> None:
    """Play a game in the terminal: by its id, from a record or a board file, or a new one.

    Arrows and the mouse choose a cell; space opens, m marks, h hints, w says why, r shows risks;
    `?` lists all keys. Commands can be typed after `:`, and come through a pipe as well:
    `open 3 4` (row, column, both from 0), `mark 3 4`, `hint`, `why 3 4`, `ai`, `undo 3`.

    --move N goes back to a move of a record or replay, to practise from there: on the same board,
    or with --fresh on a layout drawn by its exact chance from all that fit what is open.
    """
    if given is not None and load is not None:
        raise click.UsageError("expected a game or --load, got both")
    session = Session(flags.rules(), flags.some_seed())
    helper = Helper(agent or strongest(), decision_seconds)
    if given is not None:
        flags.check_unused("a game that is given")
    hinders = hindrance()
    game = TerminalGame(session, helper, console())
    file = given or load
    if (move is not None and file is None) or (fresh and move is None):
        raise click.UsageError("expected --move with a game, and --fresh with --move")
    if file is not None:
        game.load(file)
    if move is not None:
        game.session, game.file = practice(game.session, move, fresh), ""
    if hinders:
        game.run(sys.stdin, hinders if hinders[0].isupper() else "")
    else:
        from mineproof.cli.screen import play_on_screen

        play_on_screen(game)


class TerminalGame:
    """A person at a game: reads commands, does them, shows what came of it."""

    def __init__(self, session: Session, agent: Helper, console: Console) -> None:
        """Sit down at a session, with an agent to ask."""
        self.session = session
        self.agent = agent
        self.console = console
        self.file = ""
        """Where the game was saved, or loaded from."""
        self._saved: tuple[Step, ...] = ()
        self._hints_given = 0

    @property
    def is_unsaved(self) -> bool:
        """Whether moves of a game that goes on would be lost."""
        return self.session.outcome is None and self.session.moves != self._saved

    def run(self, source: TextIO, note: str = "") -> None:
        """Read and do commands until `quit` or the end of the input."""
        if isinstance(source, io.TextIOWrapper):
            source.reconfigure(errors="replace")  # bytes that are no text are no command, either
        if note:
            self.console.print(note)
        self.show("type `help` for the commands")
        while (line := self._read(source)) is not None and self.do(line):
            pass

    def load(self, argument: str) -> None:
        """Begin with a game that is named: go on with a record, start that of an id.

        Raises:
            NotationError: it is no game, or its moves are not possible; the file is named.
            OSError: the file cannot be read.
        """
        with naming(argument) if Path(argument).is_file() else nullcontext():
            games = read_given(argument)
            found = as_game(games[0])
            if isinstance(found, Record):
                self.session.load(format_record(found))
            else:
                self.session.new_from_id(format_game_id(found))
        self.file = own_file(argument, games)
        self._saved = self.session.moves

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
                near = did_you_mean(name, COMMANDS)
                self.say(f"there is no command {printable(word)!r}; `help` lists them{near}")
            return True
        try:
            self._obey(name, rest.strip())
        except BrokenPipeError:
            raise
        except OSError as error:
            self.say(file_message(error))
        except (ValueError, WorkLimitError) as error:
            self.say(str(error))
        except Exception as error:  # a fault of ours must not cost anybody the game
            self.say(f"that failed, and the game goes on: {error_line(error)}")
        return True

    # ---- the commands

    def _obey(self, name: str, rest: str) -> None:
        if name in MOVES:
            MOVES[name](self.session, parse_cell(rest))
            self._changed()
        elif name in CHANGES:
            self._change(name, parse_times(rest) if name in REPEATED else 1)
        else:
            getattr(self, f"_do_{name}")(rest)

    def _change(self, name: str, times: int) -> None:
        """Do it so often, or as often as there is something to do it to."""
        for done in range(times):
            try:
                CHANGES[name](self.session)
            except IllegalMoveError:
                if done == 0:
                    raise
                self._changed()
                self.say(f"{name} {done} of {times}: there were no more")
                return
        self._changed()

    def _do_hint(self, _rest: str) -> None:
        self._check_going_on("a hint")
        stages = advice.hint(self.session.observation).stages
        stage = stages[min(self._hints_given, len(stages) - 1)]
        self._hints_given += 1
        more = " (`hint` says more)" if self._hints_given < len(stages) else ""
        self.say(stage.text + more)

    def _do_why(self, rest: str) -> None:
        self.say(advice.why(self.session.observation, parse_cell(rest)).text)

    def _do_guess(self, _rest: str) -> None:
        self._check_going_on("an answer")
        self.say(advice.may_guess(self.session.observation).text)

    def _do_review(self, _rest: str) -> None:
        self.tell(brief_review(self.session.record()))

    def _do_ai(self, _rest: str) -> None:
        self._check_going_on("a move")
        decision = self.agent.decide(self.session)
        if decision is None:
            self.say(f"{self.agent.name} is stuck: it proves nothing and does not guess")
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
            self.say(f"{self.agent.name} cannot show what it knows")
            return
        notes = dict.fromkeys(knowledge.safe, Sign("+", "bold green"))
        notes.update(dict.fromkeys(knowledge.mined, Sign("!", "bold red")))
        self.show("+ proved safe, ! proved mined", notes)
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
        self.file = ""  # that of another game now
        self._changed()

    def _do_save(self, rest: str) -> None:
        file = file_to_save(rest, self.file)
        write_text(file, self.session.save() + "\n")
        self.file, self._saved = file, self.session.moves
        self.say(f"saved to {file}")

    def _do_load(self, rest: str) -> None:
        self.load(a_name(rest))
        self._changed(f"loaded {rest}")

    def _do_risks(self, _rest: str) -> None:
        width = self.console.width if self.console.is_terminal else 10_000
        found = advice.analyse(self.session.observation, moves=False, sampled=True)
        self.tell([draw_risks(found, width), RISK_LEGEND])

    def _do_show(self, _rest: str) -> None:
        self.show()

    def _do_help(self, _rest: str) -> None:
        self.tell(self.help_lines())

    def help_lines(self) -> list[str]:
        """List all commands and signs."""
        lines = []
        for name, (letters, text) in COMMANDS.items():
            short = f" ({', '.join(letters)})" if letters else ""
            lines.append(f"{name:<10} {text}{short}")
        return [*lines, f"signs: {LEGEND}", f"at the end: {END_LEGEND}"]

    def _check_going_on(self, wanted: str) -> None:
        if self.session.outcome is not None:
            raise IllegalMoveError(f"expected no more moves, the game has ended: got {wanted}")

    # ---- seeing and reading

    def _changed(self, message: str | Text = "") -> None:
        self._hints_given = 0
        self.show(message)

    def show(self, message: str | Text = "", notes: dict[int, Sign] | None = None) -> None:
        """Draw the board, and say where the game stands."""
        session, width = self.session, self.console.width
        last = session.last.move.cell if session.last else None
        viewport = fit(session.rules.grid, width, 10**4, last) if self.console.is_terminal else None
        self.console.print(self.title())
        board = session.board
        self.console.print(
            draw(session.observation, board, last=last, notes=notes, viewport=viewport)
        )
        self.console.print(self.status())
        if message:
            self.console.print(message)

    def title(self) -> Text:
        """Name the game, and the agent that advises."""
        name = self.session.game_id or "a game of its own"
        return Text(f"{name}, agent {self.agent.name}", "bold")

    def status(self) -> str:
        """Say where the game stands, in one line."""
        session = self.session
        deaths = f", deaths undone: {session.deaths}" if session.deaths else ""
        text = f"{state_text(session)}, {session.seconds:.0f} s{deaths}"
        if session.metrics is not None:
            text += f"; {metrics_text(session.metrics)}{luck_text(session.record())}"
        return text

    def say(self, message: str | Text) -> None:
        """Answer in one line."""
        self.tell([message])

    def tell(self, lines: Sequence[str | Text]) -> None:
        """Answer in several lines."""
        for line in lines:
            self.console.print(line)

    def _read(self, source: TextIO) -> str | None:
        """Give the next line; None at the end."""
        if source.isatty():
            try:
                return input("> ")
            except EOFError:
                self.console.print()
                return None
        line = source.readline(MOST_LETTERS)
        if len(line) == MOST_LETTERS:  # what has no line ends may have no end
            raise NotationError(f"expected a command of up to {MOST_LETTERS:,} letters, got more")
        return line or None
