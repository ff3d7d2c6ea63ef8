"""The results of many games: a file with one line per game, and a summary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeVar

from mineproof.agents.loading import file_of
from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Result
from mineproof.core.words import counted, share
from mineproof.match.batch import Played
from mineproof.match.certainty import wilson
from mineproof.notation.files import naming, open_locked, write_whole
from mineproof.notation.text import decode

Item = TypeVar("Item")


@dataclass
class Summary:
    """Totals over many games."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    stuck: int = 0
    failed: int = 0
    refused: int = 0
    guesses: int = 0
    moves: int = 0
    milliseconds: float = 0.0
    false_proofs: int = 0
    uncounted: int = 0
    """Number of games whose false proofs are unknown, because they were read from a file."""

    def add(self, games: Iterable[Played]) -> None:
        """Add more games."""
        for game in games:
            self.games += 1
            self.wins += game.result is Result.WIN
            self.losses += game.result is Result.LOSS
            self.stuck += game.result is Result.STUCK
            self.failed += game.result is Result.FAILED
            self.refused += game.result is Result.REFUSED
            self.guesses += game.guesses
            self.moves += game.moves
            self.milliseconds += game.milliseconds
            self.false_proofs += game.false_proofs or 0
            self.uncounted += game.false_proofs is None

    def plain(self) -> dict[str, Any]:
        """Return the statistics by name, as plain values for JSON."""
        played = self.games - self.refused
        low, high = wilson(self.wins, played)
        count = played or 1
        counts = ("games", "wins", "losses", "stuck", "failed", "refused")
        return {
            **{name: getattr(self, name) for name in counts},
            "win_rate": self.wins / count,
            "interval": [low, high],
            "guesses_per_game": self.guesses / count,
            "moves_per_game": self.moves / count,
            "ms_per_game": self.milliseconds / count,
            "false_proofs": self.false_proofs,
            "false_proofs_of_games": self.games - self.uncounted,
        }

    def __str__(self) -> str:
        """Return the statistics in one line."""
        numbers = self.plain()
        low, high = numbers["interval"]
        return (
            f"{counted(self.games, 'game')}: {self.wins} won ({share(numbers['win_rate'])}, "
            f"95 % interval {share(low)} to {share(high)}), {self.losses} lost, "
            f"{self.stuck} stuck{self._unfinished()}; "
            f"per game {numbers['guesses_per_game']:.2f} guesses, "
            f"{numbers['moves_per_game']:.1f} moves, {numbers['ms_per_game']:.3f} ms of CPU"
            f"{self._false_proofs()}"
        )

    def _unfinished(self) -> str:
        """Return the numbers of failed and refused games, if there are any."""
        counts = ((self.failed, "failed"), (self.refused, "refused"))
        return "".join(f", {count:,} {name}" for count, name in counts if count)

    def _false_proofs(self) -> str:
        """Return the number of false proofs as the end of a sentence, or an empty string."""
        if not self.false_proofs:
            return ""
        count = counted(self.false_proofs, "false proof")
        played = counted(self.games - self.uncounted, "game")
        among = f" in the {played} played now" if self.uncounted else ""
        return f"; {count}{among} (moves wrongly called proved)"


def run_of(agent: str, options: Iterable[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return what identifies an agent in a run file, so that --resume never mixes two runs.

    `options` are those of an engine.
    """
    from importlib.metadata import version  # slow to import, and few commands need it

    run = {"agent": agent, "options": dict(options), "version": version("mineproof")}
    if own := file_of(agent):
        run["file"] = hashlib.sha256(own.read_bytes()).hexdigest()[:16]
    return run


class ResumableFile(Generic[Item]):
    """A file that grows while a command runs, and can be resumed after Ctrl-C or a kill.

    It contains each index from 0 to `count` - 1 at most once. While it is open, no other process
    can write to it.
    """

    what: str
    """The word for an item in messages, for example "game"."""

    def __init__(self, path: Path, count: int) -> None:
        """Set the path and the number of items."""
        self.path = path
        self.done: dict[int, Item] = {}
        """The items that the file contained when it was resumed, by index."""
        self._count = count
        self._file: BinaryIO | None = None

    def open(self, *, resume: bool = False, force: bool = False) -> Self:
        """Open and lock the file, either to resume it or to start it.

        Raises:
            NotationError: if the file to resume is damaged or belongs to another run.
            InputError: if another process has locked the file, or if it exists and neither option
                is set.
        """
        self._file = open_locked(self.path)
        try:
            if resume:
                self._resume(self._file)
            elif not force and self.path.stat().st_size > 0:
                raise InputError(
                    f"{self.path} already exists. "
                    "Use --resume to continue it or --force to overwrite it"
                )
            else:
                self._begin(self._file)
        except BaseException:
            self.close()
            raise
        return self

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close and unlock the file."""
        if self._file is not None:
            with naming(self.path):  # closing writes what a full disk left in the buffer
                self._file.close()

    def append(self, text: str) -> None:
        """Write to the end of the file.

        Raises:
            OSError: if the file cannot be written; the error contains its name.
        """
        assert self._file is not None, "open"
        with naming(self.path):
            self._file.write(text.encode())
            self._file.flush()

    def _begin(self, file: BinaryIO) -> None:
        file.truncate(0)

    def _resume(self, file: BinaryIO) -> None:
        file.seek(0)
        whole = self._whole(file.read())
        if not whole:
            self._begin(file)
            return
        for line, index, item in self._items(decode(whole)):
            if index in self.done or not 0 <= index < self._count:
                wrong = "occurs twice" if index in self.done else "does not exist"
                raise NotationError(f"cannot resume {self.path}: {self.what} {index} {wrong}", line)
            self.done[index] = item
        file.truncate(len(whole))

    def _whole(self, data: bytes) -> bytes:
        """Return the contents without an incomplete last line."""
        return data[: data.rfind(b"\n") + 1]

    def _items(self, text: str) -> Iterator[tuple[int, int, Item]]:
        """Yield the line number, the index and the value of each item.

        Raises:
            NotationError: if a line is invalid, or the file belongs to another run.
        """
        raise NotImplementedError


class ResultFile(ResumableFile[Played]):
    """A file with one line per game. The run file next to it (`.run`) describes the games."""

    what = "game"

    def __init__(self, path: Path, count: int, run: dict[str, Any]) -> None:
        """Set the path, the number of games and the contents of the run file."""
        super().__init__(path, count)
        self._run = run
        self._run_file = path.with_name(path.name + ".run")

    def write(self, games: Sequence[Played]) -> None:
        """Append finished games."""
        self.append("".join(f"{game}\n" for game in games))

    def saved(self, name: str) -> Any:
        """Return a value from the run file, or None if it is missing."""
        with suppress(OSError, ValueError, TypeError, RecursionError):
            return dict(json.loads(self._run_file.read_bytes())).get(name)
        return None

    def _begin(self, file: BinaryIO) -> None:
        super()._begin(file)  # empty the file first, so that its lines never belong to another run
        write_whole(self._run_file, json.dumps(self._run).encode())

    def _items(self, text: str) -> Iterator[tuple[int, int, Played]]:
        self._check_run_file()
        for number, line in enumerate(text.splitlines(), 1):
            try:
                game = Played.parse(line)
            except ValueError as error:
                raise NotationError(f"{self.path}: {error}", number) from None
            yield number, game.index, game

    def _check_run_file(self) -> None:
        failed = f"cannot resume {self.path}: its run file {self._run_file}"
        if not self._run_file.exists():
            raise NotationError(f"{failed} is missing")
        try:
            before = dict(json.loads(self._run_file.read_bytes()))
        except (ValueError, TypeError, RecursionError):
            raise NotationError(f"{failed} is damaged") from None
        for name, value in self._run.items():
            if before.get(name) != value:
                raise NotationError(
                    f"cannot resume {self.path} with {name} {value!r}: it was started with "
                    f"{before.get(name)!r}"
                )
