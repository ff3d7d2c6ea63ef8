"""`mineproof play` in full screen: a cursor, the mouse, risks on the board, typed commands.

Each key runs a command that could also be typed, for the cell under the cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from mineproof import advice
from mineproof.cli.play import TerminalGame
from mineproof.cli.player_tools import Helper
from mineproof.cli.terminal import HIDE, SHOW, Event, KeyPress, MousePress, Terminal
from mineproof.cli.text import Sign, Viewport, draw, fit, risk_signs
from mineproof.core.clues import UNOPENED
from mineproof.core.grid import Cell
from mineproof.notation.files import write_text
from mineproof.session import Session

TICK_SECONDS = 0.25
"""Seconds between two checks of the clock and the window size."""
STEPS = {
    "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
    "K": (-1, 0), "J": (1, 0), "H": (0, -1), "L": (0, 1),
    "page up": (-5, 0), "page down": (5, 0), "home": (0, -(10**6)), "end": (0, 10**6),
}  # fmt: skip
"""The rows and columns by which a key moves the cursor."""
KEYS = {
    "space": "{open} {cell}",
    "enter": "{open} {cell}",
    "m": "mark {cell}",
    "f": "mark {cell}",
    "c": "chord {cell}",
    "w": "why {cell}",
    "h": "hint",
    "g": "guess",
    "a": "ai",
    "k": "knowledge",
    "r": "risks",
    "u": "undo",
    "U": "redo",
    "v": "review",
    "?": "help",
}
"""The command that each key runs."""
HELP = """\
arrows, H J K L, page up and down, home, end   move the cursor
space, enter, left button                      open a cell; on a number: chord
m, f, right button                             flag a cell, or remove the flag
c chord   h hint   w why   g must I guess?   a one move by the agent   k agent's knowledge
r show or hide risks   u undo   U redo   v review every move
s save   n new game   : or / type a command   q leave   ? show this help"""
SHORT_HELP = "space open  m flag  c chord  h hint  w why  a agent  r risks  u undo  ? all"
DIM = "bright_black"


def play_on_screen(game: TerminalGame) -> None:
    """Play with keys and mouse, and print the last board when the player leaves."""
    with suppress(ImportError):
        import readline  # noqa: F401  (lets users edit typed lines)
    with Terminal() as terminal:
        screen = ScreenGame(game.session, game.agent, game.console, terminal)
        screen.file = game.file
        try:
            screen.run_screen()
        except (Exception, SystemExit):  # SystemExit: SIGTERM, or the window was closed
            terminal.close()
            with suppress(OSError):  # the terminal may be closed
                click.echo(save_unsaved(screen), err=True)
            raise
    game.agent = screen.agent
    game.show()


def save_unsaved(game: TerminalGame) -> str:
    """If the game has unsaved moves, save it to a new file in this folder; return a message."""
    if not game.is_unsaved:
        return ""
    names = (Path(f"mineproof-unsaved-{number}.json") for number in count(1))
    file = next(name for name in names if not name.exists())
    write_text(file, game.session.save() + "\n")
    return f"Your game is saved. To continue: mineproof play {file}"


class ScreenGame(TerminalGame):
    """A game that is drawn in full screen."""

    def __init__(
        self, session: Session, agent: Helper, console: Console, terminal: Terminal
    ) -> None:
        super().__init__(session, agent, console)
        self.cursor = self._first_cell()
        self._terminal = terminal
        self._shows_risks = False
        self._risks: tuple[int, dict[int, Sign]] | None = None
        self._notes: dict[int, Sign] | None = None
        self._message: list[Text] = [Text("Press ? for a list of keys.")]
        self._asked = ""
        """The key that must be pressed again to confirm its command."""
        self._viewport: Viewport | None = None
        self._top = 0
        self._drawn: tuple[Any, ...] = ()

    def run_screen(self) -> None:
        """Play until the player leaves."""
        goes_on = True
        while goes_on:
            self._draw()
            event = self._terminal.next_event(TICK_SECONDS)
            goes_on = event is None or self.press(event)

    def press(self, event: Event) -> bool:
        """Handle a key or a click; return False when the player leaves."""
        if isinstance(event, MousePress):
            return self._click(event)
        asked, self._asked = self._asked, ""
        name = event.name
        if name in STEPS:
            self._step(*STEPS[name])
        elif name in KEYS:
            return self.do(KEYS[name].format(cell=self._typed_cell, open=self._opening))
        elif name in ("n", "q", "end of input"):
            return self._leave(name, asked)
        elif name in (":", "/", "s"):
            return self._type(name)
        elif name == "redraw":
            self._drawn = ()
        return True

    # ---- keys

    @property
    def _typed_cell(self) -> str:
        return f"{self.cursor.row} {self.cursor.column}"

    @property
    def _opening(self) -> str:
        """The command that opens the cell, or chords if it is a number."""
        return "open" if self.session.observation[self.cursor] == UNOPENED else "chord"

    def _step(self, rows: int, columns: int) -> None:
        grid, (row, column) = self.session.rules.grid, self.cursor
        row = min(max(row + rows, 0), grid.rows - 1)
        self.cursor = Cell(row, min(max(column + columns, 0), grid.columns - 1))

    def _click(self, event: MousePress) -> bool:
        cell = self._cell_at(event)
        if cell is None:
            return True
        self.cursor = cell
        return self.press(KeyPress("space" if event.button == "left" else "m"))

    def _cell_at(self, event: MousePress) -> Cell | None:
        """Return the cell at a position on the screen; None outside the board."""
        viewport = self._viewport
        if viewport is None:
            return None
        margin = len(str(self.session.rules.grid.rows - 1)) + 1
        row = event.row - self._top
        column = (event.column - margin) // self._width
        if row not in range(len(viewport.rows)) or column not in range(len(viewport.columns)):
            return None
        return Cell(viewport.rows[row], viewport.columns[column])

    def _leave(self, name: str, asked: str) -> bool:
        """Start another game or leave. If moves are unsaved, ask for a second press first."""
        if self.is_unsaved and name not in (asked, "end of input"):
            self._asked = name
            self.say(f"This game is not saved. Press {name} again to leave it, or s to save it.")
            return True
        return self.do("new") if name == "n" else False

    def _type(self, name: str) -> bool:
        """Read a command in the bottom line. For `s`, save the game; ask for a file if needed."""
        if name != "s":
            return self.do(self._typed(":"))
        file = "" if self.file else self._typed("Save to: ")
        return self.do(f"save {file}") if self.file or file else True

    def _typed(self, prompt: str) -> str:
        """Read text in the bottom line. Ctrl-C and Ctrl-D cancel the input."""
        with self._terminal.typing(self._terminal.size[1] - 1):
            try:
                line = input(prompt)
            except (KeyboardInterrupt, EOFError):
                line = ""
        self._drawn = ()
        return line.strip()

    def _do_ai(self, rest: str) -> None:
        super()._do_ai(rest)
        if self.session.last is not None:
            self.cursor = self.session.last.move.cell

    def _do_help(self, rest: str) -> None:
        self._page([*HELP.splitlines(), "", *self.help_lines()])

    def _do_risks(self, _rest: str) -> None:
        self._shows_risks = not self._shows_risks

    # ---- drawing

    def show(self, message: str | Text = "", notes: dict[int, Sign] | None = None) -> None:
        """Set the message and the notes to show. Move the cursor if it is outside the board."""
        if not self._is_on_board():
            self.cursor = self._first_cell()
        self._notes = notes
        self.tell([message] if message else [])

    def tell(self, lines: Sequence[str | Text]) -> None:
        """Show lines below the board, or on a separate page if there are too many."""
        found = self._wrapped(lines)
        if len(found) > self._room():
            self._page(lines)
            found = []
        self._message = found

    def _first_cell(self) -> Cell:
        grid = self.session.rules.grid
        return self.session.rules.first_cell or Cell(grid.rows // 2, grid.columns // 2)

    def _is_on_board(self) -> bool:
        grid = self.session.rules.grid
        return self.cursor.row < grid.rows and self.cursor.column < grid.columns

    def _room(self) -> int:
        """Return how many lines fit below the board."""
        grid = self.session.rules.grid
        board = min(grid.rows, 8) + len(str(grid.columns - 1))
        return max(3, self._terminal.size[1] - board - 3)

    def _wrapped(self, lines: Sequence[str | Text]) -> list[Text]:
        """Break lines between words so that they fit the width."""
        width = self._terminal.size[0]
        texts = (line if isinstance(line, Text) else Text(line) for line in lines)
        return [part for text in texts for part in text.wrap(self.console, width)]

    @property
    def _width(self) -> int:
        """Characters per cell."""
        return 3 if self._shows_risks else 2

    def _signs(self) -> dict[int, Sign]:
        """Return the risks to draw, computed once per position; report a failure."""
        seen = self.session.observation
        if self._risks is None or self._risks[0] != seen.serial:
            try:
                signs = risk_signs(advice.risks(seen))
            except Exception as error:
                self._shows_risks, signs = False, {}
                self.say(f"No risks here: {error}")
            self._risks = seen.serial, signs
        return self._risks[1]

    def _draw(self) -> None:
        """Draw everything if anything has changed."""
        session, size = self.session, self._terminal.size
        now = (
            size, session.observation.serial, session.outcome, int(session.seconds), self.cursor,
            self._shows_risks, self._notes, tuple(self._message), self.agent.name,
        )  # fmt: skip
        if now == self._drawn and not self._terminal.is_stale:
            return
        self._drawn, self._terminal.is_stale = now, False
        self._put(self._picture(*size), size)
        self._put_cursor()

    def _picture(self, width: int, height: int) -> list[Text]:
        session, notes = self.session, self._notes
        if self._shows_risks and session.outcome is None and notes is None:
            notes = self._signs()
        below = [*self._wrapped([self.status()]), *self._message]
        room = height - 2 - len(below)
        grid = session.rules.grid
        self._viewport = fit(grid, width, room, self.cursor, self._width)
        self._top = 1 + len(str(self._viewport.columns[-1]))
        board = draw(
            session.observation, session.board, last=self.cursor, notes=notes,
            viewport=self._viewport, letters=self._width - 1,
        )  # fmt: skip
        blank = height - 2 - len(below) - (len(self._viewport.rows) + self._top - 1)
        lines = [self.title(), *board.split("\n"), *below, *[Text()] * max(0, blank)]
        return [*lines[: height - 1], Text(SHORT_HELP, DIM)]

    def _put(self, lines: Sequence[Text], size: tuple[int, int]) -> None:
        """Write lines from the top, cut to the width, and clear the rest of the screen."""
        with self.console.capture() as captured:
            for line in lines[: size[1]]:
                line.truncate(size[0], overflow="ellipsis")
                self.console.print(line, no_wrap=True, overflow="ignore", crop=False)
        rows = captured.get().rstrip("\n").split("\n")
        self._terminal.write(f"{HIDE}\x1b[H" + "\x1b[K\r\n".join(rows) + "\x1b[K\x1b[J")

    def _put_cursor(self) -> None:
        """Put the terminal's own cursor on the cell, for screen readers and magnifiers."""
        assert self._viewport is not None
        row = self._top + self.cursor.row - self._viewport.rows[0]
        margin = len(str(self.session.rules.grid.rows - 1)) + 1
        column = margin + (self.cursor.column - self._viewport.columns[0] + 1) * self._width - 1
        self._terminal.write(f"\x1b[{row + 1};{column + 1}H{SHOW}")

    def _page(self, lines: Sequence[str | Text]) -> None:
        """Show a long text on a separate page until the player presses another key."""
        top, event = 0, None
        moves = {"up": -1, "down": 1, "page up": -10, "page down": 10, "space": 10}
        while event is None or event in {KeyPress(name) for name in moves}:
            size = self._terminal.size
            texts, room = self._wrapped(lines), size[1] - 1
            if event is not None:
                top += moves[event.name]
            top = max(0, min(top, len(texts) - room))
            more = "Up and down scroll, any other" if len(texts) > room else "Any"
            shown = [line.copy() for line in texts[top : top + room]]
            footer = Text(f"{more} key goes back", DIM)
            self._put([*shown, *[Text()] * (room - len(shown)), footer], size)
            event = self._terminal.next_event(60.0)
        self._drawn = ()
