"""Result files, which hold an agent's result on each board of a set.

A result file is one JSON object. During a run, finished games are in a file next to it
(`OUT.games`), one line per game, so that a killed run loses no finished games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from mineproof.arena.sets import board_sets
from mineproof.core.errors import NotationError
from mineproof.core.game import Result
from mineproof.match.batch import Played
from mineproof.match.results import ResultFile
from mineproof.notation.codec import Between, Length, from_plain, to_plain
from mineproof.notation.files import read_text, write_text

LETTERS = {result: result.name[0] for result in Result}
_Text = Annotated[str, Length(10_000)]
_Seconds = Annotated[float, Between(0)] | None
_Count = Annotated[int, Between(0)] | None


@dataclass(frozen=True)
class AgentIdentity:
    """The agent of a result file."""

    name: _Text
    version: _Text
    author: _Text
    command: _Text
    """The agent's name, as passed to `--agent`; empty if the agent cannot be run again."""
    options: dict[str, str] = field(default_factory=dict)
    """The options of an engine, as set with `--engine-option`."""

    def __str__(self) -> str:
        """Return the name for tables."""
        options = (f"{name}={value}" for name, value in self.options.items())
        return " ".join(filter(None, (self.name, self.version, *options)))


@dataclass(frozen=True)
class ArenaResult:
    """An agent's results on the boards of a set. The fields are those of the file."""

    format: Literal["mineproof-arena/1"]
    set: _Text
    sha256: Annotated[str, Length(64, 64)]
    first: Annotated[int, Between(1)]
    """The number of boards. If the set has several parts, the number in each part."""
    salt: _Text
    agent: AgentIdentity
    isolated: bool
    machine: dict[str, Any]
    results: Annotated[str, Length(10_000_000)]
    """One letter per board: won, lost, stuck, failed or refused."""
    guesses: _Count
    """The total over all games; null here and below if only the results were recorded."""
    false_proofs: _Count
    cpu_seconds: _Seconds
    wall_seconds: _Seconds
    """From the start of the run to its end; null if the run was resumed."""
    date: _Text

    @property
    def games(self) -> int:
        """The number of boards."""
        return len(self.results)

    @property
    def part_names(self) -> list[str]:
        """The names of the sets that the boards belong to; more than one if the set has parts."""
        known = board_sets().get(self.set)
        return [self.set] if known is None else list(known.sources)

    def parts(self) -> dict[str, str]:
        """Return the letters, grouped by the set that each board belongs to."""
        starts = range(0, self.games, self.first)
        letters = (self.results[start : start + self.first] for start in starts)
        return dict(zip(self.part_names, letters, strict=True))

    def save(self, path: Path) -> None:
        """Write the file."""
        write_text(path, json.dumps(to_plain(self), indent=1) + "\n")


def read_result(path: Path) -> ArenaResult:
    """Read a result file and check that it is complete.

    Raises:
        NotationError: it is not a result file, or does not belong to its set.
        OSError: it cannot be read.
    """
    try:
        found = from_plain(ArenaResult, json.loads(read_text(path)))
        _check_whole(found)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{path}: {error}", file=str(path)) from None
    return found


def _check_whole(result: ArenaResult) -> None:
    wrong = set(result.results) - set(LETTERS.values())
    if wrong:
        raise NotationError(f'field "results": unknown letter {min(wrong)!r}')
    known = board_sets().get(result.set)
    if known is not None and result.sha256 != known.sha256:
        raise NotationError(f'field "sha256": not the checksum of the set {result.set}')
    if known is not None and result.first > known.most:
        raise NotationError(f'field "first": {result.set} has only {known.most:,} boards')
    games = result.first * len(result.part_names)
    if result.games != games:
        raise NotationError(f'field "results": expected {games:,} letters, got {result.games:,}')


class GamesFile(ResultFile):
    """The games of a run so far. Each line also has the number of false proofs at its end."""

    def write(self, games: Sequence[Played]) -> None:
        """Append games that have ended."""
        self.append("".join(f"{game} {game.false_proofs or 0}\n" for game in games))

    def remove(self) -> None:
        """Delete the file and its run file once the result has been written."""
        for path in (self.path, self._run_file):
            path.unlink(missing_ok=True)
