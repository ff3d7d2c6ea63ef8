"""`mineproof watch` in full screen: the agent plays in a thread, and keys step through its game."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Thread
from typing import NamedTuple

from rich.console import Console

from mineproof import Budget, Game, InputError, Observation, Record, WorkLimitError, advice
from mineproof.cli.moves import LUCK_LIMIT, end_words, move_text
from mineproof.cli.screen import Frame, View, run
from mineproof.cli.text import Sign
from mineproof.cli.watch import ExplainedMove, LineViewer, title
from mineproof.cli.why import lines_of
from mineproof.match.play import step_of
from mineproof.notation.records import Step, make_record
from mineproof.review.stuck import Stuck

KEYS = "space pause  right, left step  home, end  + - speed  w why  q leave"
LINGER = 5.0
"""Seconds that the last position stays if the viewer pressed no key."""
SLOWEST, FASTEST = 60.0, 1 / 64
WHY_SECONDS = 10.0
IDLE = 0.1
"""Seconds between two checks whether the viewer has left."""
MOST_CELLS = 20_000_000
"""Maximum number of cells of all positions that are kept for stepping back."""
PROVED = Sign("!", "red")


class LeftError(Exception):
    """The viewer left before the end of the game."""


class Shown(NamedTuple):
    """A position of the game, and the move that led to it."""

    number: int
    said: ExplainedMove | None
    seen: Observation
    mined: tuple[int, ...]
    """The cells that are proved mines."""


class ScreenViewer(LineViewer, View):
    """Shows a game in full screen, with keys to pause, step, go back and ask why."""

    def __init__(
        self, console: Console, game: Game, agent: str, delay: float, plain: bool = False
    ) -> None:
        LineViewer.__init__(self, console, game, agent, delay)
        View.__init__(self, console, plain)
        self.paused = False
        self.at = 0
        self._shown: list[Shown] = []
        self._steps: list[Step] = []
        self._changed = Condition()
        self._has_left = self._is_over = self._was_touched = False
        self._wanted = 0
        """Number of moves that the viewer has asked for and not seen yet."""
        self._why: list[str] = []
        self._error: BaseException | None = None
        self._record: Record | None = None

    def follow(self, job: Callable[[], Record]) -> Record:
        """Run the game in a thread, and show it until the viewer leaves."""
        self._add(None)
        worker = Thread(target=self._work, args=(job,), daemon=True)
        worker.start()
        try:
            run(self)
        finally:
            with self._changed:
                self._has_left = True
                self._changed.notify()
            worker.join(1)
        if self._error is not None:
            raise self._error
        return self._record or make_record(self.game, tuple(self._steps), player=self.agent)

    def end(self, record: Record, stuck: Stuck | None = None) -> None:
        """Print the last position and the result, so that they remain after the screen closes."""
        self.start()
        super().end(record, stuck)

    # ---- the thread of the game

    def _work(self, job: Callable[[], Record]) -> None:
        try:
            self._wait()
            self._record = job()
            with self._changed:
                self._is_over = True
            self.redraw()
            self._wait()
        except LeftError:
            pass
        except BaseException as error:
            if not self._has_left:
                self._error = error
                self.leave()

    def __call__(self, _game: Game, decision: ExplainedMove) -> None:
        """Show the last move, then wait until the next one is wanted."""
        self._add(decision)
        if not self.game.is_over:
            self._wait()

    def _add(self, said: ExplainedMove | None) -> None:
        seen = self.game.observation
        with self._changed:
            follows = self.at >= len(self._shown) - 1
            if said is not None:
                self._steps.append(said if isinstance(said, Step) else step_of(said))
            self._shown.append(Shown(len(self.game.moves), said, seen, proved_mines(seen)))
            if len(self._shown) * seen.grid.size > MOST_CELLS and len(self._shown) > 2:
                del self._shown[0]
                self.at = max(0, self.at - 1)
            if follows:
                self._go(len(self._shown) - 1)
        self.redraw()

    def _wait(self) -> None:
        """Wait until the next move is wanted, and step through earlier ones meanwhile.

        Raises:
            LeftError: the viewer has left.
        """
        ends = time.monotonic() + (LINGER if self.delay else 0)
        with self._changed:
            while not self._has_left:
                rests = self.paused or (self._is_over and self._is_last)
                was_pressed = self._wanted or self._changed.wait(IDLE if rests else self.delay)
                if self._is_over and self._is_last:
                    if not self._was_touched and time.monotonic() >= ends:
                        self.leave()
                        return
                elif self._wanted or not (self.paused or was_pressed):
                    self._wanted = max(0, self._wanted - 1)
                    if self._is_last:
                        return
                    self._go(self.at + 1)
                    self.redraw()
        raise LeftError

    # ---- keys

    def press(self, key: str) -> bool:
        """Handle a key; return False when the viewer leaves."""
        with self._changed:
            self._was_touched = True
            self._obey(key)
            self._changed.notify()
        return key not in ("q", "end of input")

    def _obey(self, key: str) -> None:
        last = len(self._shown) - 1
        targets = {"left": self.at - 1, "up": self.at - 1, "home": 0, "end": last}
        if key == "space":
            self.paused = not self.paused
        elif key in targets:
            self.paused = True
            self._go(max(0, targets[key]))
        elif key in ("right", "down", "n"):
            self.paused = True
            if self.at < last:
                self._go(self.at + 1)
            else:
                self._wanted += not self._is_over
        elif key in ("+", "="):
            self.delay = max(self.delay / 2, FASTEST)
        elif key in ("-", "_"):
            self.delay = min(max(self.delay, FASTEST) * 2, SLOWEST)
        elif key == "w":
            self._why = [] if self._why else self._explain()
        elif key == "W" and self._why:
            self.show_page(self._why)

    @property
    def _is_last(self) -> bool:
        return self.at == len(self._shown) - 1

    def _go(self, number: int) -> None:
        self.at, self._why = number, []

    def _explain(self) -> list[str]:
        """Return the proof of the move, step by step, or where its risk comes from."""
        self.paused = True
        said = self._shown[self.at].said
        if said is None or self.at == 0:
            return ["This is the start. Step to a move, then ask why."]
        before = self._shown[self.at - 1].seen
        try:
            return lines_of(advice.why(before, said.move.cell, Budget(WHY_SECONDS)))
        except (InputError, WorkLimitError) as error:
            return [str(error)]

    # ---- drawing

    def frame(self) -> Frame:
        """Return the position in view, its move and the moves before it."""
        with self._changed:
            shown, over = self._shown[self.at], self._is_over
            is_last = self._is_last
            past = self._shown[: self.at + 1]
        said = shown.said
        return Frame(
            title=title(self.game, self.agent),
            seen=shown.seen,
            board=self.game.board if over and is_last else None,
            focus=self.game.first if said is None else said.move.cell,
            status=self._status(shown, over and is_last),
            message=self._why,
            moves=[
                move_text(one.number, one.said, one.seen)
                for one in reversed(past[-self.size[1] :])
                if one.said is not None
            ],
            keys=KEYS,
            notes=dict.fromkeys(shown.mined, PROVED),
        )

    def _status(self, shown: Shown, ended: bool) -> str:
        if ended and self._record is not None and self._record.outcome is not None:
            state = f"the end: {end_words(self._record.outcome)[0]}"
        else:
            state = "paused" if self.paused else f"{self.delay:.2g} s per move"
        mines = f", {self.tiles.get('!', '!')} proved mine: {len(shown.mined)}"
        return f"move {shown.number}, {state}{mines}"


def proved_mines(seen: Observation) -> tuple[int, ...]:
    """Return the cells that are mines in all layouts; none if that takes too much work."""
    if seen.grid.size > LUCK_LIMIT or seen.is_new:
        return ()
    try:
        found = advice.risks(seen, Budget(WHY_SECONDS))
    except (InputError, WorkLimitError):
        return ()
    return found.mined if found.exact else ()
