"""What became of many games: the file of their lines, and a summary with an interval."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeVar

from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Result
from mineproof.core.words import counted, share
from mineproof.match.batch import Played
from mineproof.match.certainty import wilson
from mineproof.notation.files import open_alone, write_whole
from mineproof.notation.text import decode

Item = TypeVar("Item")


@dataclass
class Summary:
    """Figures of many games, added up one after the other."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    stuck: int = 0
    guesses: int = 0
    moves: int = 0
    milliseconds: float = 0.0
    false_proofs: int = 0
    uncounted: int = 0
    """Games of which the false proofs are not known: those read from a file of lines."""

    def add(self, games: Iterable[Played]) -> None:
        """Count some more games."""
        for game in games:
            self.games += 1
            self.wins += game.result is Result.WIN
            self.losses += game.result is Result.LOSS
            self.stuck += game.result is Result.STUCK
            self.guesses += game.guesses
            self.moves += game.moves
            self.milliseconds += game.milliseconds
            self.false_proofs += game.false_proofs or 0
            self.uncounted += game.false_proofs is None

    def plain(self) -> dict[str, Any]:
        """Give the figures by name, as plain values for JSON."""
        low, high = wilson(self.wins, self.games)
        count = self.games or 1
        return {
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "stuck": self.stuck,
            "win_rate": self.wins / count,
            "interval": [low, high],
            "guesses_per_game": self.guesses / count,
            "moves_per_game": self.moves / count,
            "ms_per_game": self.milliseconds / count,
            "false_proofs": self.false_proofs,
            "false_proofs_of_games": self.games - self.uncounted,
        }

    def __str__(self) -> str:
        """Write the figures in one line."""
        figures = self.plain()
        low, high = figures["interval"]
        return (
            f"{counted(self.games, 'game')}: {self.wins} won ({share(figures['win_rate'])}, "
            f"95 % interval {share(low)} to {share(high)}), {self.losses} lost, "
            f"{self.stuck} stuck; "
            f"per game {figures['guesses_per_game']:.2f} guesses, "
            f"{figures['moves_per_game']:.1f} moves, {figures['ms_per_game']:.3f} ms of CPU"
            f"{self._false_proofs()}"
        )

    def _false_proofs(self) -> str:
        """Name what was called proved and was not, which is no guess; nothing where all held."""
        if not self.false_proofs:
            return ""
        told = counted(self.false_proofs, "false proof")
        played = counted(self.games - self.uncounted, "game")
        among = f" in the {played} played now" if self.uncounted else ""
        return f"; {told}{among}: moves called proved that were not"


class ResumableFile(Generic[Item]):
    """A file that grows while a command works, and loses nothing to Ctrl-C or a kill.

    It has each index from 0 to `count` - 1 at most once. While it is open, no other process can
    write to it.
    """

    what: str
    """What an index stands for."""

    def __init__(self, path: Path, count: int) -> None:
        """Name the file, and say how many indices there are."""
        self.path = path
        self.done: dict[int, Item] = {}
        """What the file held when it was resumed, by index."""
        self._count = count
        self._file: BinaryIO | None = None

    def open(self, *, resume: bool = False, force: bool = False) -> Self:
        """Open the file for this process alone: to resume it, or to begin it.

        Raises:
            NotationError: `resume` finds something else, or the file of another run.
            InputError: another process writes to it, or it exists and neither option is set.
        """
        self._file = open_alone(self.path)
        try:
            if resume:
                self._resume(self._file)
            elif not force and self.path.stat().st_size > 0:
                raise InputError(f"expected --resume or --force, since {self.path} exists")
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
        """Let other processes write to the file."""
        if self._file is not None:
            self._file.close()

    def append(self, text: str) -> None:
        """Write to the end of the file.

        Raises:
            OSError: the file cannot be written; the error has its name, unlike that of a full disk.
        """
        assert self._file is not None, "open"
        try:
            self._file.write(text.encode())
            self._file.flush()
        except OSError as error:
            error.filename = str(self.path)
            raise

    def _begin(self, file: BinaryIO) -> None:
        """Start with an empty file."""
        file.truncate(0)

    def _resume(self, file: BinaryIO) -> None:
        file.seek(0)
        whole = self._whole(file.read())
        if not whole:
            self._begin(file)
            return
        for line, index, item in self._items(decode(whole)):
            if index in self.done or not 0 <= index < self._count:
                raise NotationError(
                    f"{self.path}: expected each {self.what} from 0 to {self._count - 1} once, "
                    f"got {self.what} {index}",
                    line,
                )
            self.done[index] = item
        file.truncate(len(whole))

    def _whole(self, data: bytes) -> bytes:
        """Return what the file holds without a line that was cut off."""
        return data[: data.rfind(b"\n") + 1]

    def _items(self, text: str) -> Iterator[tuple[int, int, Item]]:
        """Return the line number, the index and the value of all that the file holds.

        Raises:
            NotationError: it holds something else, or belongs to another run.
        """
        raise NotImplementedError


class ResultFile(ResumableFile[Played]):
    """A file with one line per game. A note beside it (`.run`) says what is played, and stays."""

    what = "game"

    def __init__(self, path: Path, count: int, run: dict[str, Any]) -> None:
        """Name the file, the number of games, and what is played."""
        super().__init__(path, count)
        self._run = run
        self._note = path.with_name(path.name + ".run")

    def write(self, games: Sequence[Played]) -> None:
        """Append games that have ended."""
        self.append("".join(f"{game}\n" for game in games))

    def _begin(self, file: BinaryIO) -> None:
        super()._begin(file)  # before the note: lines never stand beside the note of another run
        write_whole(self._note, json.dumps(self._run).encode())

    def _items(self, text: str) -> Iterator[tuple[int, int, Played]]:
        self._check_note()
        for number, line in enumerate(text.splitlines(), 1):
            try:
                game = Played.parse(line)
            except ValueError as error:
                raise NotationError(f"{self.path}: {error}", number) from None
            yield number, game.index, game

    def _check_note(self) -> None:
        if not self._note.exists():
            raise NotationError(
                f"expected {self._note} beside {self.path}, to know what was played, got none"
            )
        try:
            before = dict(json.loads(self._note.read_bytes()))
        except (ValueError, TypeError, RecursionError):
            raise NotationError(
                f"expected a note of a run, got something else in {self._note}"
            ) from None
        for name, value in self._run.items():
            if before.get(name) != value:
                raise NotationError(
                    f"expected to resume {self.path} with the {name} {before.get(name)!r}, "
                    f"got {value!r}"
                )
