"""What became of many games: the file of their lines, and a summary with an interval."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from mineproof.core.errors import NotationError
from mineproof.core.game import Result
from mineproof.core.words import counted
from mineproof.match.batch import Played
from mineproof.match.certainty import wilson
from mineproof.notation.files import append, open_alone, write_whole
from mineproof.notation.text import decode


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
            f"{counted(self.games, 'game')}: {self.wins} won ({figures['win_rate']:.2%}, "
            f"95 % interval {low:.2%} to {high:.2%}), {self.losses} lost, {self.stuck} stuck; "
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


class ResultFile:
    """A file with one line a game, which loses no finished game to Ctrl-C or a kill.

    Lines are appended whole, as soon as games end. A note beside it (`.run`) says what is
    played, and stays: `resume` never mixes two different runs. While it is open, nobody
    else can write to it.
    """

    def __init__(self, path: Path, count: int, run: dict[str, Any]) -> None:
        """Name the file, the number of games, and what is played."""
        self.path = path
        self.done: dict[int, Played] = {}
        self._count = count
        self._run = run
        self._note = path.with_name(path.name + ".run")
        self._file: BinaryIO | None = None

    def begin(self) -> None:
        """Start with an empty file."""
        try:
            self._begin(self._open())
        except BaseException:
            self.close()
            raise

    def resume(self) -> None:
        """Take up what the file holds; a line that was cut off is dropped.

        Raises:
            NotationError: the file holds something else, or belongs to another run.
        """
        try:
            self._take_up(self._open())
        except BaseException:
            self.close()
            raise

    def _take_up(self, file: BinaryIO) -> None:
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:  # nothing was played, whatever the note says
            self._begin(file)
            return
        self._check_note()
        try:
            for number, line in enumerate(decode(whole).splitlines(), 1):
                self._take(line, number)
        except NotationError as error:
            raise NotationError(f"{self.path}: {error}") from None
        file.truncate(len(whole))

    def write(self, games: Sequence[Played]) -> None:
        """Append games that have ended."""
        assert self._file is not None, "begun or resumed"
        append(self._file, self.path, "".join(f"{game}\n" for game in games).encode())
        self.done.update((game.index, game) for game in games)

    def close(self) -> None:
        """Let others write."""
        if self._file is not None:
            self._file.close()

    def _open(self) -> BinaryIO:
        """Open the file for this process alone, and at its end."""
        self._file = open_alone(self.path)
        return self._file

    def _begin(self, file: BinaryIO) -> None:
        file.truncate(0)  # before the note: lines never stand beside the note of another run
        write_whole(self._note, json.dumps(self._run).encode())

    def _take(self, line: str, number: int) -> None:
        try:
            game = Played.parse(line)
        except ValueError as error:
            raise NotationError(str(error), number) from None
        if game.index in self.done or not 0 <= game.index < self._count:
            raise NotationError(
                f"expected each game from 0 to {self._count - 1} once, got game {game.index}",
                number,
            )
        self.done[game.index] = game

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
