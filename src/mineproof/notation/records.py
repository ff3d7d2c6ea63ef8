"""Records: games that have been played and can be replayed exactly.

As text, a record is one line of JSON with a version number. It contains the mines as well as the
seed. Optional fields are left out if they have their default value.
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
from mineproof.core.words import counted, printable
from mineproof.notation.codec import Between, dump_json, from_plain, plain_form
from mineproof.notation.files import MOST_BYTES, write_text
from mineproof.notation.plain_readers import shown
from mineproof.notation.text import BLANKS, decode, load_json

FORMAT = "mineproof-record"
VERSION = 1
ENDS = {"win": "won", "loss": "lost"}


@plain_form("*", omit_defaults=True)
@dataclass(frozen=True)
class Step:
    """One move of a record, and what the player claimed about it."""

    move: Move
    proved: bool | None = None
    """Whether the player called the move proved; None if there is no claim (a person's move)."""
    risk: Annotated[float | None, Between(0, 1)] = None
    reason: str = ""
    seconds: Annotated[float | None, Between(0)] = None
    """Seconds from opening the first cell to this move; None if not measured."""

    def to_plain(self) -> dict[str, Any]:
        """Return plain values for JSON, like `Decision.to_plain` but without clues."""
        return {
            "action": self.move.action.value,
            "cell": list(self.move.cell),
            "proved": self.proved,
            "risk": self.risk,
            "reason": self.reason,
        }

    def is_false_proof(self, mined: Container[int], columns: int) -> bool:
        """Return whether the move was wrongly called proved.

        Proving `mark` claims that the cell is a mine. Proving `open` or `unmark` claims that it is
        not.
        """
        is_mined = self.move.cell[0] * columns + self.move.cell[1] in mined
        return bool(self.proved) and is_mined is not (self.move.action is Action.MARK)


@plain_form("format", "version", "*", omit_defaults=True)
@dataclass(frozen=True, repr=False)
class Record(HasPicture):
    """A game as it was played, with its mines as well as its seed.

    `for position in record` runs through the positions: before each move, then the final one.
    """

    format: ClassVar = FORMAT
    version: ClassVar = VERSION
    rules: Rules
    seed: int
    first: Cell | None
    mines: tuple[int, ...]
    """All mines in increasing order; empty if the board has not been dealt yet."""
    steps: tuple[Step, ...]
    outcome: Outcome | None
    """The outcome; None for an unfinished game."""
    player: str = ""
    milliseconds: Annotated[float, Between(0)] = 0.0
    """The CPU time that the player used."""
    deaths: Annotated[int, Between(0)] = 0
    """The number of explosions that were undone."""

    @property
    def guesses(self) -> int:
        """The number of open moves that the player had not proved."""
        return sum(1 for step in self.steps if step.move.action == "open" and not step.proved)

    @property
    def false_proofs(self) -> tuple[int, ...]:
        """The numbers (counted from 1) of the moves wrongly called proved."""
        return find_false_proofs(self.steps, self.mines, self.rules.columns)

    @property
    def summary(self) -> str:
        """One line with the player and the result."""
        result = "unfinished" if self.outcome is None else self.outcome.result
        counts = f"{counted(len(self.steps), 'move')}, {counted(self.guesses, 'guess')}"
        player = f"{printable(self.player)}: " if self.player else ""
        return f"{player}{ENDS.get(result, result)}, {counts}"

    def __repr__(self) -> str:
        return f"<Record {self.rules.level}, seed {self.seed}, {self.summary}>"

    def __str__(self) -> str:
        """Return the board at the end of the game, and the result."""
        return f"{self.replay()}\n{self.summary}"

    def __iter__(self) -> Iterator[Observation]:
        return iter(self.positions())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, as one line of JSON."""
        write_records(path, [self])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read the first record of a file.

        Raises:
            NotationError: the file contains no record.
            OSError: the file cannot be read.
        """
        for record in read_records(path):
            return record
        raise NotationError(f"expected a record, but {os.fspath(path)} is empty")

    def begin(self) -> Game:
        """Return the game as it was before the first move."""
        board = None
        if self.mines or self.first is not None:
            board = Board.from_mines(self.rules.rows, self.rules.columns, self.mines)
        return Game(self.rules, self.seed, self.first, board)

    def positions(self) -> Sequence[Observation]:
        """Return the position before each move and the final one. Each is built on demand."""
        return Positions(self)

    def replay(self) -> Game:
        """Play the game again, move by move, and return it.

        Raises:
            NotationError: if a move is impossible, or the game ends with a different outcome.
        """
        moment = "at the start"
        try:
            game = self.begin()
            for number, step in enumerate(self.steps, 1):
                moment = f"at move {number}, {step.move}"
                game.play(step.move)
        except InputError as error:
            raise NotationError(f"the record does not replay {moment}: {error}") from None
        if self.outcome is not None:
            game.stop()
        if game.outcome != self.outcome:
            raise NotationError(
                f"the record says {_in_words(self.outcome)}, but its {len(self.steps)} moves "
                f"end in {_in_words(game.outcome)}"
            )
        return game


def make_record(game: Game, steps: tuple[Step, ...] | None = None, **rest: Any) -> Record:
    """Return the record of a game; by default its steps are the game's moves.

    `rest` contains the optional fields.
    """
    mines = () if game.board is None else game.board.mine_indices
    steps = tuple(map(Step, game.moves)) if steps is None else steps
    return Record(game.rules, game.seed, game.first, mines, steps, game.outcome, **rest)


class Positions(Sequence[Observation]):
    """The positions of a game, built one at a time because all of them could need too much memory.

    Moving forward plays the moves in between. Moving back replays the game from its start.
    """

    def __init__(self, record: Record) -> None:
        """Start at the first position."""
        self._record = record
        self._game, self._played = record.begin(), 0

    def __len__(self) -> int:
        """Return the number of moves plus one, for the final position."""
        return len(self._record.steps) + 1

    @overload
    def __getitem__(self, index: int) -> Observation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Observation]: ...
    def __getitem__(self, index: int | slice) -> Observation | list[Observation]:
        """Return the position before a move, counted from 0."""
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if number < self._played:
            self._game, self._played = self._record.begin(), 0
        for step in self._record.steps[self._played : number]:
            self._game.play(step.move)
        self._played = number
        return self._game.observation


def find_false_proofs(steps: Iterable[Step], mines: Iterable[int], columns: int) -> tuple[int, ...]:
    """Return the numbers (counted from 1) of the moves wrongly called proved."""
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
    """Return a record as one line of JSON, without its line end.

    Raises:
        NotationError: if a number is not finite, which JSON cannot represent.
    """
    return dump_json(record)


def parse_record(line: str) -> Record:
    """Return the record in one line of JSON.

    This checks types and ranges. `Record.replay` checks that the moves are possible.

    Raises:
        NotationError: if the line is not a record; the message names the field.
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
    """Yield the records of a file one by one. Blank lines are ignored.

    Raises:
        NotationError: if a line is not a record; the message names the line.
        OSError: if the file cannot be read.
    """
    with Path(path).open("rb") as file:
        yield from _records(iter(partial(file.readline, MOST_BYTES + 1), b""))


def parse_records(text: str) -> Iterator[Record]:
    """Yield the records in text, one by one; see `read_records`."""
    yield from _records(line.encode("utf-8", "surrogatepass") for line in text.split("\n"))


def _records(lines: Iterable[bytes]) -> Iterator[Record]:
    for number, data in enumerate(lines, 1):
        try:
            if len(data) > MOST_BYTES:
                raise NotationError(f"the record is longer than {MOST_BYTES:,} bytes")
            line = decode(data).strip(BLANKS + "\n")
            record = parse_record(line) if line else None
        except NotationError as error:
            raise NotationError(error.reason, number) from None
        if record is not None:
            yield record


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records to a file, one per line. On an error, the old file remains."""
    write_text(path, "".join(f"{format_record(record)}\n" for record in records))


def verify(record: Record) -> Record:
    """Return a record unchanged if replaying it leads to its outcome.

    Raises:
        NotationError: if it does not.
    """
    record.replay()
    return record


def _check(record: Record) -> None:
    """Reject values that have the right types but do not fit together.

    Raises:
        InputError: if the seed, a cell, the mines or the outcome is impossible in this game.
    """
    rules, first, grid = record.rules, record.first, record.rules.grid
    check_seed(record.seed, MAX_GAME_SEED)
    if first is not None:
        if rules.start.kind is StartKind.GIVEN:
            raise NotationError(f"expected no first cell with start given:K, got {first}")
        grid.index(first)
    _check_mines(record)
    for number, step in enumerate(record.steps, 1):
        try:
            grid.index(step.move.cell)
        except InputError as error:
            raise NotationError(f'field "steps", item {number}: {error}') from None
    ended = record.outcome
    if ended and not (ended.hits >= 0 <= ended.false_marks and 0 <= ended.score <= 1):
        raise NotationError(f"expected a possible outcome, got {_in_words(ended)}")


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
