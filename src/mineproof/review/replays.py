"""Import of players' replays (`.avf`, `.mvf`, `.rmv`, `.evf`) as records with times.

`ms_toollib` (the extra `replays`) reads the files. Damaged files can crash it or keep it busy
forever, so it runs in a separate process. It only lists the clicks that had an effect. Replaying
them in a game shows what they did.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from importlib.util import find_spec
from itertools import dropwhile
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.rules import ANY, Rules
from mineproof.notation.files import read_file
from mineproof.notation.inputs import Input, parse_inputs
from mineproof.notation.records import Record, Step
from mineproof.notation.text import decode, quote
from mineproof.workers.errors import DeadlineError, WorkerDiedError
from mineproof.workers.worker import Worker

READERS = {".avf": "AvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo", ".evf": "EvfVideo"}
"""The `ms_toollib` class that reads files with each suffix."""
SECONDS = 30.0
"""The time limit for reading a file, in seconds."""
MEMORY = 4 << 30
"""The memory limit for reading a file, in bytes."""
_MINE = -1
_MARKS, _OPENS, _CHORDS = 1, 2, 3


class Replay(NamedTuple):
    """The contents of a replay as plain values."""

    rows: int
    columns: int
    mines: tuple[int, ...]
    clicks: tuple[tuple[float, int, int, int], ...]
    """The time in seconds, the kind of effect, the row and the column of each click."""
    player: str


def is_replay(name: str) -> bool:
    """Return whether a file name has the suffix of a replay."""
    return Path(name).suffix.lower() in READERS


def can_read_replays() -> bool:
    """Return whether the library that reads replays is installed."""
    return find_spec("ms_toollib") is not None


class ReplayReader(AbstractContextManager["ReplayReader"]):
    """Reads replays one after another in a separate process, which starts with the first file."""

    def __init__(self) -> None:
        self._worker = Worker(make_reader, memory=MEMORY, is_quiet=True)

    def __exit__(self, *_error: object) -> None:
        self._worker.close()

    def read(self, path: str | os.PathLike[str]) -> Record:
        """Read a player's replay as `read_replay` does."""
        data = read_file(path)
        with tempfile.TemporaryDirectory() as folder:  # not in the worker, which may crash
            ask = partial(self._worker.ask, seconds=SECONDS)
            return _read(str(path), lambda suffix: ask((suffix, data, folder)))


def read_replay(path: str | os.PathLike[str]) -> Record:
    """Read a replay of another program as a record with times.

    A replay contains no proofs, so every opened cell counts as a guess; `mineproof review` judges
    them. `Record.load` reads a record that `Record.save` wrote.

    Raises:
        InputError: `ms_toollib` is not installed.
        NotationError: the file is damaged or not a replay.
        OSError: the file cannot be read.
    """
    with ReplayReader() as reader:
        return reader.read(path)


def parse_replay(name: str, data: bytes) -> Record:
    """Read the bytes of a replay in this process, which a damaged file may crash.

    Raises:
        InputError: `ms_toollib` is not installed.
        NotationError: the file is damaged or not a replay.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _read(name, lambda suffix: _read_bytes(suffix, data, folder))


def read_games(name: str, data: bytes) -> list[Record]:
    """Read the games in a file of records, or in a replay, which a damaged file may crash.

    Raises:
        InputError: the file contains no games, or games without their moves.
    """
    games: list[Input] = (
        [parse_replay(name, data)] if is_replay(name) else parse_inputs(decode(data))
    )
    records = [game for game in games if isinstance(game, Record)]
    if not records or len(records) < len(games):
        raise InputError(f"expected {quote(name)} to contain only games with their moves")
    return records


def _read(name: str, parse: Callable[[str], Iterable[Any]]) -> Record:
    """Return a replay as a record. The function `parse` reads the contents of the file."""
    if not is_replay(name):
        hint = ". Use Record.load for a record" if name.lower().endswith(".json") else ""
        text = f"expected a replay ({', '.join(READERS)}), got {name}{hint}"
        raise NotationError(text, file=name)
    if not can_read_replays():
        raise InputError(
            f"cannot read {name} without ms_toollib. To install it on your own computer, run "
            "`pip install 'mineproof[replays]'`",
            code="needs-toollib",
            file=name,
        )
    suffix = Path(name).suffix.lower()
    try:
        return _record(Replay(*parse(suffix)))
    except (InputError, DeadlineError, WorkerDiedError) as error:
        raise NotationError(
            f"cannot read {name}: damaged {suffix} replay ({error})",
            code="damaged-replay",
            file=name,
        ) from None


def make_reader() -> Callable[[tuple[str, bytes, str], Any], tuple[Any, ...]]:
    """Return the function that reads a file in a separate process."""
    return lambda question, _report: _read_bytes(*question)


def _read_bytes(suffix: str, data: bytes, folder: str) -> tuple[Any, ...]:
    file = Path(folder, f"replay{suffix}")
    file.write_bytes(data)
    before = Path.cwd()
    os.chdir(folder)  # the library writes a crash report to the current folder
    try:
        return tuple(_parsed(str(file), suffix))
    except BaseException as error:  # a panic in the library is not an Exception
        raise NotationError(f"ms_toollib cannot read it ({type(error).__name__})") from None
    finally:
        os.chdir(before)


def _parsed(file: str, suffix: str) -> Replay:
    import ms_toollib

    video = getattr(ms_toollib, READERS[suffix])(file)
    video.parse()
    video.analyse()
    cells = [code for row in video.board for code in row]
    mines = tuple(index for index, code in enumerate(cells) if code == _MINE)
    clicks = tuple(_clicks(video.events, int(video.pix_size)))
    return Replay(int(video.row), int(video.column), mines, clicks, str(video.player_identifier))


def _clicks(events: Any, size: int) -> Iterator[tuple[float, int, int, int]]:
    for one in events:
        if one.useful_level >= _MARKS and one.event.is_mouse():
            mouse = one.event.unwrap_mouse()
            yield float(one.time), int(one.useful_level), mouse.y // size, mouse.x // size


def _record(replay: Replay) -> Record:
    """Return the replayed game as a record, without clicks that have no effect."""
    rules = Rules(replay.rows, replay.columns, len(replay.mines), ANY)
    board = Board.from_mines(replay.rows, replay.columns, replay.mines)
    clicks = list(dropwhile(lambda click: click[1] != _OPENS, replay.clicks))
    if not clicks:
        raise NotationError("no click opens a cell")
    start, first = clicks[0][0], Cell(*clicks[0][2:])
    game, steps = Game(rules, 0, first, board), []
    for seconds, what, row, column in clicks[1:]:
        move = _move(game, what, Cell(row, column))
        if move is not None:
            steps.append(Step(move, seconds=round(seconds - start, 3)))
    milliseconds = round(1000 * (clicks[-1][0] - start), 3)
    found = (first, board.mine_indices, tuple(steps), game.outcome, replay.player, milliseconds)
    return Record(rules, 0, *found)


def _move(game: Game, what: int, cell: Cell) -> Move | None:
    """Play the move of a click and return it; None if it has no effect."""
    if game.is_over:
        return None
    action = Action.CHORD if what == _CHORDS else Action.OPEN
    if what == _MARKS:
        marked = game.observation.marks[game.rules.grid.index(cell)]
        action = Action.UNMARK if marked else Action.MARK
    try:
        game.play(Move(action, cell))
    except InputError:
        return None
    return Move(action, cell)
