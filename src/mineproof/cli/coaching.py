"""Reviews of many games: one line per game, and a summary."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from mineproof import Budget, InputError, NotationError, Record, WorkLimitError
from mineproof.cli.commands import message_of
from mineproof.cli.inputs import is_game_id, read_given, read_input
from mineproof.cli.progress import progress
from mineproof.cli.text import console
from mineproof.core.words import counted, percent, printable, share
from mineproof.generate.drills import format_drill
from mineproof.notation.codec import to_plain
from mineproof.notation.files import write_text
from mineproof.review.coach import GameReport, Mistake, coach, explain_mistake
from mineproof.review.coaching import Coaching
from mineproof.review.replays import READERS, ReplayReader, can_read_replays, is_replay

GAMES = (".json", ".jsonl", *READERS)
"""Suffixes of the files to read in a folder."""
SHOWN = 3
"""Number of the costliest mistakes to show with the missed proof."""
PLOTS = (".svg", ".png", ".pdf")
MakeBudget = Callable[[], Budget]
"""Returns a new budget for a game, and starts its clock."""


def find_files(given: Sequence[str]) -> list[str]:
    """Replace each folder by its files, sorted by name.

    Raises:
        InputError: a folder has no games.
    """
    return [file for one in given for file in (_inside(one) if Path(one).is_dir() else [one])]


def _inside(folder: str) -> list[str]:
    found = [path for path in Path(folder).rglob("*") if path.suffix.lower() in GAMES]
    if not found:
        raise InputError(f"there are no games ({', '.join(GAMES)}) in the folder {folder}")
    return sorted(str(path) for path in found)


def read_games(file: str, reader: ReplayReader) -> list[Record]:
    """Return the games of a file.

    Raises:
        NotationError: the file is empty, or holds positions or games without moves.
    """
    if is_replay(file) and Path(file).exists():
        return [reader.read(file)]
    if file != "-" and not is_game_id(file) and not read_input(file).strip():
        raise NotationError("expected a record, got an empty file")
    games = read_given(file)
    found = [game for game in games if isinstance(game, Record)]
    if len(found) < len(games):
        raise NotationError(
            f"expected records (as `watch --record` and `save` write them), but {file} "
            "contains an entry without moves",
            file=file,
        )
    return found


class ManyGames:
    """Reads and judges games one by one, and skips files that cannot be read."""

    def __init__(self, as_json: bool, budget: MakeBudget = Budget) -> None:
        self._json = as_json
        self._budget = budget
        self._records: dict[str, Record] = {}
        self._reports: list[GameReport] = []
        self.skipped = 0

    @property
    def coaching(self) -> Coaching:
        """The summary of the games so far."""
        return Coaching(tuple(self._reports))

    def judge(self, files: Sequence[str], reader: ReplayReader) -> None:
        """Judge the games of the files, and print one line per game."""
        readable = self._readable(files)
        with progress("files", len(readable), quiet=sys.stdout.isatty()) as advance:
            for file in readable:
                try:
                    self._judge(file, read_games(file, reader))
                except (InputError, WorkLimitError, OSError) as error:
                    self.skipped += 1
                    reason = message_of(error)
                    click.echo(f"mineproof: skipped {printable(file)}: {reason}", err=True)
                advance(1, "")

    def _readable(self, files: Sequence[str]) -> Sequence[str]:
        """Leave out replays if the library that reads them is missing, and print one message."""
        if can_read_replays():
            return files
        readable = [file for file in files if not is_replay(file)]
        if left := len(files) - len(readable):
            self.skipped += left
            need = "To read them, run: pip install 'mineproof[replays]'"
            click.echo(f"mineproof: skipped {counted(left, 'replay')}. {need}", err=True)
        return readable

    def _judge(self, file: str, records: Sequence[Record]) -> None:
        for number, record in enumerate(records):
            name = file if len(records) == 1 else f"{file}, game {number}"
            report = coach(record, name, budget=self._budget())
            self._records[name] = record
            self._reports.append(report)
            click.echo(json.dumps(to_plain(report)) if self._json else game_line(report))

    def summarise(self) -> None:
        """Print the summary, if there are any games."""
        if not self._reports:
            return
        if self._json:
            click.echo(json.dumps({"summary": self.coaching.to_plain()}))
            return
        console().print(*summary_lines(self.coaching), *self._costliest(), sep="\n")

    def _costliest(self) -> Iterator[str]:
        shown = [pair for pair in self.coaching.costliest[:SHOWN] if pair[1].cost > 0]
        if shown:
            yield "\nThe costliest mistakes:"
        for game, mistake in shown:
            why = explain_mistake(self._records[game.name], mistake, self._budget())
            where = f"{printable(game.name)}, move {mistake.number}, {mistake.move}"
            yield f"  {where} (chance of winning: {_change(mistake)}): {why}"


def game_line(game: GameReport) -> str:
    """Return a one-line report on a game."""
    mistakes = len(game.mistakes)
    risks = counted(mistakes, "avoidable risk")
    if mistakes:
        risks += f" (cost {cost_words(game)})"
    facts = [f"{game.level} {game.result}", *figures(game), risks, f"luck {percent(game.luck, 0)}"]
    if game.unjudged:
        facts.append(f"{counted(len(game.unjudged), 'move')} not judged within the limits")
    return f"{printable(game.name)}: {', '.join(facts)}"


def cost_words(game: GameReport) -> str:
    """Return how many wins the mistakes in a game cost. Estimates start with "about"."""
    about = "" if all(one.exact for one in game.mistakes) else "about "
    return f"{about}{max(0.0, game.cost):.2f} wins"


def figures(game: GameReport) -> Iterator[str]:
    """Return the time, 3BV, speed and efficiency of a game, as far as they are known."""
    if game.seconds is not None:
        yield f"{game.seconds:.1f} s"
    speed = "" if game.speed is None else f" ({game.speed:.2f} per second)"
    yield f"3BV {game.solved} of {game.bbbv}{speed}"
    if game.efficiency is not None:
        yield f"efficiency {share(game.efficiency, 0)}"
    if game.lost:
        yield f"{game.lost:.1f} s lost before proved moves"


def summary_lines(found: Coaching) -> Iterator[str]:
    """Return the summary of many games, and what to practise next."""
    first, *rest = found.sentences()
    yield f"\n{first}"
    yield from rest[:1]
    if found.missed:
        yield from _missed_lines(found)
    yield from rest[1:]
    if found.practise is not None:
        own = counted(len(found.drills), "drill")
        yield (
            f"To practise: `mineproof generate --drill {found.practise}` writes drills, and "
            f"--drills FILE writes {own} from these games."
        )


def _missed_lines(found: Coaching) -> Iterator[str]:
    yield f"  {'missed':<24}{'times':>6}{'wins per 100':>13}{'longest pauses':>16}"
    for one in found.missed:
        cost = max(0.0, 100 * one.cost / len(found.games))
        time = f"{one.seconds:.0f} s" if one.seconds else "-"
        yield f"  {one.missed.words:<24}{one.times:>6}{cost:>13.1f}{time:>16}"


def _change(mistake: Mistake) -> str:
    if mistake.before is None or mistake.after is None:
        return "unknown"
    about = "" if mistake.exact else "about "
    return f"{about}{percent(mistake.before, 0)} to {percent(mistake.after, 0)}"


def write_drills(found: Coaching, file: str) -> str:
    """Write drills from the player's own games, and return a line such as `3 drills to FILE`."""
    texts = [
        format_drill(drill, f"{index}: ", proof=True) for index, drill in enumerate(found.drills)
    ]
    write_text(file, "\n".join(texts))
    return f"{counted(len(texts), 'drill')} to {file}"
