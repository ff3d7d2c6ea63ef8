"""Records: what happened in a game, enough to replay it bit for bit.

As text a record is one line of JSON, versioned, with the mines as well as the seed. A step
without a claim, a risk or a reason leaves them out; so does a record its player,
milliseconds and deaths where there are none.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, overload

from mineproof.core.board import Board
from mineproof.core.board_text import HasPicture
from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Game, Outcome
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_GAME_SEED, check_seed
from mineproof.core.rules import Rules, StartKind
from mineproof.notation.codec import Between, dump_json, from_plain, plain_form
from mineproof.notation.files import write_text
from mineproof.notation.text import BLANKS, MOST_BYTES, decode, load_json, shown

FORMAT = "mineproof-record"
VERSION = 1


@plain_form("*", omit_defaults=True)
@dataclass(frozen=True)
class Step:
    """One move of a record and what the player said of it."""

    move: Move
    proved: bool | None = None
    """None where nobody claimed anything, as for a person's move."""
    risk: Annotated[float | None, Between(0, 1)] = None
    reason: str = ""
    seconds: Annotated[float | None, Between(0)] = None
    """When it was made, after the first open; None where nobody took the time."""

    def to_plain(self) -> dict[str, Any]:
        """Give plain values for JSON, those of `Decision.to_plain`; a record keeps no clues."""
        return {
            "action": self.move.action.value,
            "cell": self.move.cell,
            "proved": self.proved,
            "risk": self.risk,
            "reason": self.reason,
            "clues": (),
        }

    def is_false_proof(self, mined: Container[int], columns: int) -> bool:
        """Say whether the move was called proved and is not: the cell is the other kind.

        A proved mark claims a mine, a proved open or unmark claims none.
        """
        is_mined = self.move.cell[0] * columns + self.move.cell[1] in mined
        return bool(self.proved) and is_mined is not (self.move.action is Action.MARK)


@plain_form("format", "version", "*", omit_defaults=True)
@dataclass(frozen=True)
class Record(HasPicture):
    """A game as it was played. The mines are kept as well as the seed."""

    format: ClassVar = FORMAT
    version: ClassVar = VERSION
    rules: Rules
    seed: int
    first: Cell | None
    mines: tuple[int, ...]
    """All mines in increasing order; none where the board was not dealt yet."""
    steps: tuple[Step, ...]
    outcome: Outcome | None
    """None for a game that was left unfinished."""
    player: str = ""
    milliseconds: Annotated[float, Between(0)] = 0.0
    """CPU time that the player took."""
    deaths: Annotated[int, Between(0)] = 0
    """Explosions that were undone."""

    @property
    def guesses(self) -> int:
        """Opened cells that the player had not proved."""
        return sum(1 for step in self.steps if step.move.action == "open" and not step.proved)

    @property
    def false_proofs(self) -> tuple[int, ...]:
        """The numbers, from 1, of the moves that their player called proved and that were not."""
        return find_false_proofs(self.steps, self.mines, self.rules.columns)

    def begin(self) -> Game:
        """Set up the game as it was before the first move."""
        board = None
        if self.mines or self.first is not None:
            board = Board.from_mines(self.rules.rows, self.rules.columns, self.mines)
        return Game(self.rules, self.seed, self.first, board)

    def positions(self) -> Sequence[Observation]:
        """Give the position before each move, and the last one; each is made when asked for."""
        return Positions(self)

    def replay(self) -> Game:
        """Play the game again, move by move, to the recorded outcome.

        Raises:
            NotationError: a move is not possible, or the outcome is another one.
        """
        place = "the start"
        try:
            game = self.begin()
            for number, step in enumerate(self.steps, 1):
                place = f"move {number}, {step.move}"
                game.play(step.move)
        except InputError as error:
            raise NotationError(f"expected moves that replay, got at {place}: {error}") from None
        if self.outcome is not None:
            game.stop()
        if game.outcome != self.outcome:
            raise NotationError(
                f"expected the recorded outcome after {len(self.steps)} moves, "
                f"{_in_words(self.outcome)}, got {_in_words(game.outcome)}"
            )
        return game


class Positions(Sequence[Observation]):
    """The positions of a game, one at a time: those of a long game need much memory.

    To go on from the one asked for last costs the moves between; to go back, all from the start.
    """

    def __init__(self, record: Record) -> None:
        """Begin at the first one."""
        self._record = record
        self._game, self._played = record.begin(), 0

    def __len__(self) -> int:
        """Count one for each move, and the last."""
        return len(self._record.steps) + 1

    @overload
    def __getitem__(self, place: int) -> Observation: ...
    @overload
    def __getitem__(self, place: slice) -> list[Observation]: ...
    def __getitem__(self, place: int | slice) -> Observation | list[Observation]:
        """Give the position before a move, counted from 0."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        number = range(len(self))[place]
        if number < self._played:
            self._game, self._played = self._record.begin(), 0
        for step in self._record.steps[self._played : number]:
            self._game.play(step.move)
        self._played = number
        return self._game.observation


def find_false_proofs(steps: Iterable[Step], mines: Iterable[int], columns: int) -> tuple[int, ...]:
    """Give the numbers, from 1, of the moves that were called proved and were not."""
    mined = frozenset(mines)
    numbered = enumerate(steps, 1)
    return tuple(number for number, step in numbered if step.is_false_proof(mined, columns))


def _in_words(outcome: Outcome | None) -> str:
    if outcome is None:
        return "an unfinished game"
    return (
        f"{outcome.result} (hits {outcome.hits}, false marks {outcome.false_marks}, "
        f"score {outcome.score!r})"
    )


def format_record(record: Record) -> str:
    """Write a record as one line of JSON, without its line end.

    Raises:
        NotationError: a number is not finite, which JSON cannot say.
    """
    return dump_json(record)


def parse_record(line: str) -> Record:
    """Read a record from one line of JSON.

    Types and ranges are checked; `Record.replay` checks that the moves are possible.

    Raises:
        NotationError: the line is no record; the message names the field.
    """
    fields = from_plain(dict[str, Any], load_json(line, "a record"), "a record")
    found = fields.get("format"), fields.get("version")
    if found != (FORMAT, VERSION):
        raise NotationError(
            f'expected "format": "{FORMAT}" and "version": {VERSION}, '
            f"got {shown(found[0])} and {shown(found[1])}"
        )
    record = from_plain(Record, fields)
    try:
        _check(record)
    except InputError as error:
        raise NotationError(str(error)) from error
    return record


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Read the records of a file one after the other; blank lines do not count.

    Raises:
        NotationError: a line is no record; the message says which.
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        yield from _records(iter(partial(file.readline, MOST_BYTES + 1), b""))


def parse_records(text: str) -> Iterator[Record]:
    """Read the records of a text; see `read_records`."""
    yield from _records(line.encode("utf-8", "surrogatepass") for line in text.split("\n"))


def _records(lines: Iterable[bytes]) -> Iterator[Record]:
    for number, data in enumerate(lines, 1):
        try:
            if len(data) > MOST_BYTES:
                raise NotationError(f"expected a record of up to {MOST_BYTES:,} bytes, got more")
            line = decode(data).strip(BLANKS + "\n")
            record = parse_record(line) if line else None
        except NotationError as error:
            raise NotationError(error.reason, number) from None
        if record is not None:
            yield record


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records into a file, one a line: all of them or none."""
    write_text(path, "".join(f"{format_record(record)}\n" for record in records))


def verify(record: Record) -> Record:
    """Give a record back if it replays to its outcome.

    Raises:
        NotationError: it does not.
    """
    record.replay()
    return record


def _check(record: Record) -> None:
    """Reject values that fit their types and not each other.

    Raises:
        InputError: the seed, a cell, the mines or the outcome cannot be those of such a game.
    """
    rules, first, grid = record.rules, record.first, record.rules.grid
    check_seed(record.seed, MAX_GAME_SEED)
    if first is not None:
        if rules.start.kind is StartKind.GIVEN:
            raise NotationError(f"expected no first cell under given:K, got {first}")
        grid.index(first)
    _check_mines(record)
    for number, step in enumerate(record.steps, 1):
        try:
            grid.index(step.move.cell)
        except InputError as error:
            raise NotationError(f'field "steps", item {number}: {error}') from None
    ended = record.outcome
    if ended and not (ended.hits >= 0 <= ended.false_marks and 0 <= ended.score <= 1):
        raise NotationError(f"expected the outcome of a game, got {_in_words(ended)}")


def _check_mines(record: Record) -> None:
    mines, rules = record.mines, record.rules
    undealt = record.first is None and rules.start.kind is not StartKind.GIVEN
    if len(mines) != rules.mines and not (undealt and not mines):
        raise NotationError(f"expected {rules.mines} mines, got {len(mines)}")
    if any(mine >= after for mine, after in pairwise(mines)):
        raise NotationError("expected distinct mines in increasing order")
    if mines and not 0 <= mines[0] <= mines[-1] < rules.grid.size:
        wrong = mines[0] if mines[0] < 0 else mines[-1]
        raise NotationError(f"expected mines from 0 to {rules.grid.size - 1}, got {wrong}")
