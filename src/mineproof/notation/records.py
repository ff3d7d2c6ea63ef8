"""Records: what happened in a game, enough to replay it bit for bit.

As text a record is one line of JSON, versioned, with the mines as well as the seed. A step
without a claim, a risk or a reason leaves them out; so does a record its player,
milliseconds and deaths where there are none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, overload

from mineproof.core.board import Board
from mineproof.core.drawn import Drawn
from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_GAME_SEED, check_seed
from mineproof.core.rules import Rules, StartKind, with_options
from mineproof.notation.files import write_text
from mineproof.notation.text import (
    BLANKS,
    MOST_BYTES,
    Fields,
    a_count,
    a_number,
    a_share,
    an_object,
    decode,
    load_json,
    shown,
    typed,
)

FORMAT = "mineproof-record"
VERSION = 1

_HEAD = {"format", "version", "rules", "seed", "first", "mines", "steps", "outcome"}
_OPTIONAL = {"player", "milliseconds", "deaths"}
_RULES = {"rows", "columns", "mines", "start", "goal", "explosion", "clues", "mine_count", "flood"}


@dataclass(frozen=True)
class Step:
    """One move of a record and what the player said of it."""

    move: Move
    proved: bool | None = None
    """None where nobody claimed anything, as for a person's move."""
    risk: float | None = None
    reason: str = ""
    seconds: float | None = None
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


@dataclass(frozen=True)
class Record(Drawn):
    """A game as it was played. The mines are kept as well as the seed."""

    rules: Rules
    seed: int
    first: Cell | None
    mines: tuple[int, ...]
    """All mines in increasing order; none where the board was not dealt yet."""
    steps: tuple[Step, ...]
    outcome: Outcome | None
    """None for a game that was left unfinished."""
    player: str = ""
    milliseconds: float = 0.0
    """CPU time that the player took."""
    deaths: int = 0
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
    fields: Fields = {
        "format": FORMAT,
        "version": VERSION,
        "rules": record.rules.to_plain(),
        "seed": record.seed,
        "first": record.first,
        "mines": record.mines,
        "steps": [_write_step(step) for step in record.steps],
        "outcome": None if record.outcome is None else vars(record.outcome),
    }
    optional = {name: getattr(record, name) for name in ("player", "milliseconds", "deaths")}
    fields |= {name: value for name, value in optional.items() if value}
    try:
        return json.dumps(fields, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise NotationError(f"expected finite numbers in a record: {error}") from None


def parse_record(line: str) -> Record:
    """Read a record from one line of JSON.

    Types and ranges are checked; `Record.replay` checks that the moves are possible.

    Raises:
        NotationError: the line is no record; the message names the field.
    """
    try:
        return _read_record(load_json(line, "a record"))
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error)) from None


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


def _write_step(step: Step) -> Fields:
    fields: Fields = {"move": str(step.move)}
    if step.proved is not None:
        fields["proved"] = step.proved
    if step.risk is not None:
        fields["risk"] = step.risk
    if step.reason:
        fields["reason"] = step.reason
    if step.seconds is not None:
        fields["seconds"] = step.seconds
    return fields


def _read_record(fields: object) -> Record:
    head = an_object(fields, "a record", _HEAD, _OPTIONAL)
    if head["format"] != FORMAT or head["version"] != VERSION:
        raise NotationError(
            f'expected "format": "{FORMAT}" and "version": {VERSION}, '
            f"got {shown(head['format'])} and {shown(head['version'])}"
        )
    rules = _read_rules(head["rules"])
    first = _read_first(head["first"], rules)
    steps = typed(head["steps"], "steps", list)
    return Record(
        rules,
        check_seed(typed(head["seed"], "seed", int), MAX_GAME_SEED),
        first,
        _read_mines(head["mines"], rules, first),
        tuple(_read_step(step, rules, number) for number, step in enumerate(steps, 1)),
        _read_outcome(head["outcome"]),
        typed(head.get("player", ""), "player", str),
        a_number(head.get("milliseconds", 0.0), "milliseconds"),
        a_count(head.get("deaths", 0), "deaths"),
    )


def _read_rules(value: object) -> Rules:
    fields = an_object(value, "rules", _RULES)
    texts = {
        name: typed(fields[name], f"rules, {name}", str)
        for name in ("start", "goal", "explosion", "clues", "mine_count")
    }
    rules = Rules(
        a_count(fields["rows"], "rules, rows"),
        a_count(fields["columns"], "rules, columns"),
        a_count(fields["mines"], "rules, mines"),
    )
    return with_options(rules, flood=typed(fields["flood"], "rules, flood", bool), **texts)


def _read_first(value: object, rules: Rules) -> Cell | None:
    if value is None:
        return None
    pair = typed(value, "first", list)
    if len(pair) != 2:
        raise NotationError(f"expected first as [row, column] or null, got {shown(value)}")
    if rules.start.kind is StartKind.GIVEN:
        raise NotationError(f"expected no first cell under given:K, got {shown(value)}")
    first = Cell(a_count(pair[0], "first"), a_count(pair[1], "first"))
    rules.grid.index(first)
    return first


def _read_mines(value: object, rules: Rules, first: Cell | None) -> tuple[int, ...]:
    mines = tuple(a_count(mine, "mines") for mine in typed(value, "mines", list))
    undealt = first is None and rules.start.kind is not StartKind.GIVEN
    if len(mines) != rules.mines and not (undealt and not mines):
        raise NotationError(f"expected {rules.mines} mines, got {len(mines)}")
    if any(mine >= after for mine, after in pairwise(mines)):
        raise NotationError("expected distinct mines in increasing order")
    if mines and mines[-1] >= rules.grid.size:
        raise NotationError(f"expected mines from 0 to {rules.grid.size - 1}, got {mines[-1]}")
    return mines


def _read_step(value: object, rules: Rules, number: int) -> Step:
    place = f"step {number}"
    fields = an_object(value, place, {"move"}, {"proved", "risk", "reason", "seconds"})
    move = Move.parse(typed(fields["move"], f"{place}, move", str))
    rules.grid.index(move.cell)
    proved = fields.get("proved")
    risk, seconds = fields.get("risk"), fields.get("seconds")
    return Step(
        move,
        None if proved is None else typed(proved, f"{place}, proved", bool),
        None if risk is None else a_share(risk, f"{place}, risk"),
        typed(fields.get("reason", ""), f"{place}, reason", str),
        None if seconds is None else a_number(seconds, f"{place}, seconds"),
    )


def _read_outcome(value: object) -> Outcome | None:
    if value is None:
        return None
    fields = an_object(value, "outcome", {"result", "hits", "false_marks", "score"})
    if fields["result"] not in [result.value for result in Result]:
        raise NotationError(
            f"expected outcome, result win, loss or stuck, got {shown(fields['result'])}"
        )
    return Outcome(
        Result(fields["result"]),
        a_count(fields["hits"], "outcome, hits"),
        a_count(fields["false_marks"], "outcome, false_marks"),
        a_share(fields["score"], "outcome, score"),
    )
