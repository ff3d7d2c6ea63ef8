"""`mineproof play` in full screen: each key runs a command that could also be typed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import click
from rich.text import Text

from mineproof import Action, Cell, Move, advice
from mineproof.advice.chances import Risks
from mineproof.cli.moves import move_text
from mineproof.cli.play import COMMANDS, TerminalGame
from mineproof.cli.screen import Frame, View, run
from mineproof.cli.text import Sign, legend, risk_signs
from mineproof.core.clues import UNOPENED
from mineproof.core.words import counted, percent
from mineproof.notation.files import write_text
from mineproof.notation.records import Step

STEPS = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
    "K": (-1, 0), "J": (1, 0), "H": (0, -1), "L": (0, 1),
    "page up": (-5, 0), "page down": (5, 0), "home": (0, -(10**6)), "end": (0, 10**6),
}  # fmt: skip
"""The rows and columns by which a key moves the cursor."""
KEYS = {
    "space": "{open} {cell}", "enter": "{open} {cell}",
    "m": "mark {cell}", "f": "mark {cell}", "c": "chord {cell}", "w": "why {cell}",
    "h": "hint", "g": "guess", "a": "ai", "k": "knowledge", "r": "risks",
    "u": "undo", "U": "redo", "v": "review", "?": "help",
}  # fmt: skip
"""The command that each key runs."""
HELP = """\
arrows, H J K L, page up and down, home, end   move the cursor
space, enter, left button                      open a cell; on a number: chord
m, f, right button                             flag a cell, or remove the flag
c chord   h hint   w why   g may I guess?   a agent's move   k agent's knowledge
r show or hide risks   u undo   U redo   v review the game   W show a long text
s save   n new game   : or / type a command   q leave   ? show this help"""
SHORT_HELP = "space open  m flag  c chord  h hint  w why  a agent  r risks  u undo  ? all"
SHOWN_MOVES = 200
"""Maximum number of moves to list."""


def play_on_screen(game: TerminalGame, plain: bool) -> None:
    """Play with keys and mouse, and print the last board when the player leaves."""
    screen = ScreenGame(game, plain)
    try:
        run(screen, list(COMMANDS))
    except (Exception, SystemExit):  # SystemExit: SIGTERM, or the window was closed
        with suppress(OSError):  # the terminal may be closed
            click.echo(save_unsaved(screen), err=True)
        raise
    game.agent, game.session = screen.agent, screen.session
    game.show()


def save_unsaved(game: TerminalGame) -> str:
    """If the game has unsaved moves, save it to a new file in this folder; return a message."""
    if not game.is_unsaved:
        return ""
    names = (Path(f"mineproof-unsaved-{number}.json") for number in count(1))
    file = next(name for name in names if not name.exists())
    write_text(file, game.session.save() + "\n")
    return f"Your game is saved. To continue: mineproof play {file}"


class ScreenGame(TerminalGame, View):
    """A game that is drawn in full screen."""

    more = "Press h again"

    def __init__(self, game: TerminalGame, plain: bool = False) -> None:
        TerminalGame.__init__(self, game.session, game.agent, game.console)
        View.__init__(self, game.console, plain)
        self.file, self._saved = game.file, game._saved
        self.cursor = self._first_cell()
        self.message: Sequence[str | Text] = ["Press ? for a list of keys."]
        self._shows_risks = False
        self._risks: tuple[int, Risks] | None = None
        self._taken: dict[tuple[int, Move], float | None] = {}
        """The risks of the cells that were opened while risks were shown."""
        self._notes: dict[int, Sign] | None = None
        self._asked = ""
        """The key that must be pressed again to confirm its command."""

    def press(self, key: str) -> bool:
        """Handle a key; return False when the player leaves."""
        asked, self._asked = self._asked, ""
        if key in STEPS:
            self._step_by(*STEPS[key])
        elif key in KEYS:
            return self.do(KEYS[key].format(cell=self._typed_cell, open=self._opening))
        elif key in ("n", "q", "end of input"):
            return self._leave_game(key, asked)
        elif key == "W":
            self.show_page(self.message)
        elif key in (":", "/"):
            self.prompt = ":"
        elif key == "s":
            return self._save()
        return True

    def do(self, line: str) -> bool:
        """Carry out a command. If it opens a cell while risks are shown, keep the cell's risk."""
        seen, before = self.session.observation, len(self.session.moves)
        goes_on, moves = super().do(line), self.session.moves
        if self._shows_risks and self._risks is not None and self._risks[0] == seen.serial:
            for number, step in enumerate(moves[before:], before + 1):
                risk = self._risks[1].risk[seen.grid.index(step.move.cell)]
                self._taken[number, step.move] = risk
        return goes_on

    def click(self, button: str, cell: Cell) -> bool:
        """Open or flag the cell; return False when the player leaves."""
        self.cursor = cell
        return self.press("space" if button == "left" else "m")

    def typed(self, line: str) -> bool:
        """Carry out a typed command; return False when the player leaves."""
        if self._asked == "s":
            line = line and f"save {line}"
        self._asked = ""
        return self.do(line)

    # ---- keys

    @property
    def _typed_cell(self) -> str:
        return f"{self.cursor.row} {self.cursor.column}"

    @property
    def _opening(self) -> str:
        """The command that opens the cell, or chords if it is a number."""
        return "open" if self.session.observation[self.cursor] == UNOPENED else "chord"

    def _step_by(self, rows: int, columns: int) -> None:
        grid, (row, column) = self.session.rules.grid, self.cursor
        row = min(max(row + rows, 0), grid.rows - 1)
        self.cursor = Cell(row, min(max(column + columns, 0), grid.columns - 1))

    def _leave_game(self, key: str, asked: str) -> bool:
        """Start another game or leave. If moves are unsaved, ask for a second press first."""
        if self.is_unsaved and key not in (asked, "end of input"):
            self._asked = key
            self.say(f"This game is not saved. Press {key} again to leave it, or s to save it.")
            return True
        return self.do("new") if key == "n" else False

    def _save(self) -> bool:
        """Save the game; ask for a file if it has none."""
        if self.file:
            return self.do("save")
        self.prompt, self._asked = "Save to: ", "s"
        return True

    def _do_ai(self, rest: str) -> None:
        super()._do_ai(rest)
        if self.session.last is not None:
            self.cursor = self.session.last.move.cell

    def _do_help(self, rest: str) -> None:
        signs = ["", f"signs: {legend(self.tiles)}", f"at the end: {legend(self.tiles, end=True)}"]
        self.show_page([*HELP.splitlines(), "", *self.command_lines(), *signs])

    def _do_review(self, rest: str) -> None:
        super()._do_review(rest)
        self.show_page(self.message)

    def _do_risks(self, _rest: str) -> None:
        self._shows_risks = not self._shows_risks
        self.tell([])

    # ---- drawing

    def show(self, message: str | Text = "", notes: dict[int, Sign] | None = None) -> None:
        """Set the message and the notes to show. Move the cursor if it is outside the board."""
        grid = self.session.rules.grid
        if self.cursor.row >= grid.rows or self.cursor.column >= grid.columns:
            self.cursor = self._first_cell()
        self._notes = notes
        self.tell([message] if message else [])

    def tell(self, lines: Sequence[str | Text]) -> None:
        """Show lines beside or below the board."""
        self.message = list(lines)

    def frame(self) -> Frame:
        """Return the board, the last message and the moves."""
        session, notes, status = self.session, self._notes, self.status()
        has_risks = session.outcome is None and not session.observation.is_new
        if self._shows_risks and has_risks and notes is None:
            found = self._find_risks()
            if found is not None:
                notes = risk_signs(found)
                status += f"; {risks_text(found)}"
        steps = list(enumerate(session.moves, 1))[-SHOWN_MOVES:]
        return Frame(
            title=self.title(),
            seen=session.observation,
            board=session.board,
            focus=self.cursor,
            status=status,
            message=self.message,
            moves=[self._told(number, step) for number, step in reversed(steps)],
            keys=SHORT_HELP,
            notes=notes,
            letters=2 if self._shows_risks else 1,
        )

    def _told(self, number: int, step: Step) -> Text:
        """Return a move as text; a move of the player also with its risk, if that was shown."""
        text, risk = move_text(number, step), self._taken.get((number, step.move))
        is_own = step.proved is None and step.move.action is Action.OPEN
        return text.append(f" risk {percent(risk)}") if is_own and risk is not None else text

    def _first_cell(self) -> Cell:
        grid = self.session.rules.grid
        return self.session.rules.first_cell or Cell(grid.rows // 2, grid.columns // 2)

    def _find_risks(self) -> Risks | None:
        """Return the risks, computed once per position; report a failure."""
        seen = self.session.observation
        if self._risks is None or self._risks[0] != seen.serial:
            try:
                self._risks = seen.serial, advice.risks(seen)
            except Exception as error:
                self._shows_risks = False
                self.say(f"No risks here: {error}")
                return None
        return self._risks[1]


def risks_text(found: Risks) -> str:
    """Return the risks of a position in a few words."""
    if found.safe:
        return f"{counted(len(found.safe), 'cell')} proved safe"
    risks = [risk for risk in found.risk if risk is not None]
    best = f"lowest risk {percent(min(risks))}" if risks else "no cell is left"
    away = "" if found.interior is None else f", {percent(found.interior)} away from clues"
    return f"nothing is proved safe; {best}{away}"
