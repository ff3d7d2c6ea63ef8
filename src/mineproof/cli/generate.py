"""`mineproof generate`: boards to order as a board file, no-guess boards among them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click

from mineproof.cli.commands import new_command
from mineproof.cli.options import (
    OutputFlags,
    RuleFlags,
    Whole,
    jobs_option,
    output_flags,
    parse_cell,
    rule_flags,
)
from mineproof.cli.progress import progress
from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules, with_options
from mineproof.generate import DrillKind
from mineproof.generate.boards import Order, find_board
from mineproof.generate.drills import find_drill, format_drill
from mineproof.match.many import MOST_GAMES
from mineproof.match.results import ResumableFile
from mineproof.notation.boards import format_board_line
from mineproof.notation.codec import to_plain
from mineproof.proof.kinds import ReasoningKind
from mineproof.workers.batch import Here, Processes, cores

KINDS = {str(kind).replace(" ", "-"): kind for kind in ReasoningKind if kind}
"""The kinds of reasoning as they are typed."""
CHUNK = 8
"""Boards that a process finds before it hands them over."""
_HEAD = "# mineproof generate "


@dataclass(frozen=True)
class Wanted:
    """What was asked for: an order, from which seed, and how its boards are shown."""

    order: Order
    seed: int
    proof: bool
    as_json: bool
    drill: DrillKind | None = None
    """What drills are to train; None for boards."""

    def line(self, index: int) -> str:
        """Find a board, or a drill, and write it."""
        if self.drill is not None:
            return self._drill(self.drill, index)
        found = find_board(self.order, self.seed, index)
        line = format_board_line(found.board, found.first)
        if self.as_json:
            fields = {"index": index, "seed": str(found.seed), "board": line, "3bv": found.bbbv}
            proof = found.solvability.to_plain() if self.proof else None
            return json.dumps({**fields, **({"proof": proof} if proof else {})})
        note = f" seed {found.seed}, 3BV {found.bbbv}" + (
            f", {found.solvability}" if self.proof else ""
        )
        return f"{line} # {index}:{note}"

    def _drill(self, kind: DrillKind, index: int) -> str:
        found = find_drill(self.order, kind, self.seed, index)
        if self.as_json:
            proof = {"proof": found.explanation.to_plain()} if self.proof else {}
            return json.dumps({"index": index, **to_plain(found), **proof})
        return format_drill(found, f"{index}: ", self.proof)

    def lines(self, indices: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Write some lines, each with its index."""
        for index in indices:
            yield index, self.line(index)


@new_command(
    "generate",
    "generate --start no-guess --count 1000 --output expert.boards",
    "generate --start no-guess --count 1000 --output expert.boards --resume",
    "generate --level intermediate --start no-guess --difficulty two-clues..cases --proof",
    "generate --level beginner --start opening --3bv 5..10 --count 20 > easy.boards",
    "generate --drill subset --count 100 --proof --output subset.mine",
)
@rule_flags
@click.option("--first", metavar="R,C", help="The first cell.  [default: the usual one]")
@click.option(
    "--count",
    type=Whole(1, MOST_GAMES),
    default=1,
    show_default=True,
    metavar="N",
    help="Boards.",
)
@click.option(
    "--difficulty",
    metavar="MIN..MAX",
    help=f"The hardest reasoning that a board needs: {', '.join(KINDS)}; one, or a range.",
)
@click.option("--3bv", "bbbv", metavar="MIN..MAX", help="The 3BV of a board: a number or a range.")
@click.option("--make", is_flag=True, help="Move mines until a board is solvable: not uniform.")
@click.option("--proof", is_flag=True, help="Say of each board which reasoning solves it.")
@click.option(
    "--drill",
    type=click.Choice([kind.value for kind in DrillKind]),
    help="Positions that train a kind of reasoning, as .mine text, in place of boards.",
)
@jobs_option
@output_flags
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a board.")
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    flags: RuleFlags,
    first: str | None,
    count: int,
    difficulty: str | None,
    bbbv: str | None,
    make: bool,
    proof: bool,
    drill: str | None,
    jobs: int | None,
    output: OutputFlags,
    as_json: bool,
) -> None:
    """Deal boards to order, as a board file that `mineproof games` reads.

    Board i is that of seed SEED + i (SEED is 0 unless given), or the first board after it that
    fits --difficulty and --3bv. A board that needs a guess has no difficulty. Each line ends
    with a comment: the board's number, the seed that deals it, its 3BV. With --jobs, and so by
    default, lines come in any order.

    --start no-guess deals again and again until a board can be solved by proofs alone: all
    such boards are equally likely. --make moves mines instead, which works for far more mines,
    but favours some boards.

    --drill takes one position from each of such boards (no-guess ones unless --start says
    otherwise): this kind of reasoning proves a cell safe there, and no easier kind proves any.
    A comment before each position names the cells that are safe.
    """
    if as_json and output.path is not None:
        raise click.UsageError("expected --json without --output, which is a board file")
    rules = flags.rules()
    if drill is not None and flags.options["start"] is None:
        rules = with_options(rules, start="no-guess")
    order = Order(rules, _first(rules, first), _kinds(difficulty), _numbers(bbbv), make)
    kind = None if drill is None else DrillKind(drill)
    wanted = Wanted(order, flags.seed or 0, proof, as_json, kind)
    file = output.open(partial(BoardFile, count=count, wanted=wanted))
    if file is None and not as_json:
        click.echo(f"{_HEAD}{_fingerprint(wanted)}")
    done = {} if file is None else file.done
    left = count - len(done)
    with file or nullcontext(), progress("boards", left, quiet=output.on_screen) as advance:

        def report(_chunk: Sequence[int], lines: list[tuple[int, str]], _seconds: float) -> bool:
            text = "".join(f"{line}\n" for _, line in lines)
            click.echo(text, nl=False) if file is None else file.append(text)
            advance(len(lines), "")
            return True

        chunks = _chunks(index for index in range(count) if index not in done)
        processes = (jobs or cores()) if left > CHUNK else 1
        with Processes(processes) if processes > 1 else Here() as runner:
            runner.run(partial(Wanted.lines, wanted), chunks, report)


def _chunks(indices: Iterator[int]) -> Iterator[list[int]]:
    """Cut boards into chunks when they are asked for: a list of all could fill the memory."""
    while chunk := list(islice(indices, CHUNK)):
        yield chunk


def _first(rules: Rules, text: str | None) -> Cell:
    found = rules.first_cell if text is None else parse_cell(text)
    if found is None:
        raise InputError("expected a start with a first cell for a board file, got given:K")
    return found


def _kinds(text: str | None) -> tuple[ReasoningKind, ReasoningKind] | None:
    if text is None:
        return None
    low, dots, high = text.strip().lower().partition("..")
    ends = (low or next(iter(KINDS)), (high or next(reversed(KINDS))) if dots else low)
    if any(end not in KINDS for end in ends) or KINDS[ends[0]] > KINDS[ends[1]]:
        raise InputError(
            f"expected a difficulty, or a range MIN..MAX, of {', '.join(KINDS)}, got {text!r}"
        )
    return KINDS[ends[0]], KINDS[ends[1]]


def _numbers(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{0,7})(\.\.)?([0-9]{0,7})", text.strip())
    if found is None or not (found[1] or found[3]) or (found[3] and not found[2]):
        raise InputError(f"expected a 3BV, or a range such as 100..150, got {text!r}")
    low = int(found[1] or 0)
    high = int(found[3] or 10**7) if found[2] else low
    if low > high:
        raise InputError(f"expected a range of 3BV from the lower to the higher, got {text!r}")
    return low, high


# ---- where boards go


class BoardFile(ResumableFile[str]):
    """A board file. Its first line says what was asked for, so that no two orders are mixed."""

    what = "board"

    def __init__(self, path: Path, count: int, wanted: Wanted) -> None:
        """Name the file, the number of boards, and what was asked for."""
        super().__init__(path, count)
        self._drills = wanted.drill is not None
        self._head = f"{_HEAD}{_fingerprint(wanted)}\n"

    def _begin(self, file: BinaryIO) -> None:
        super()._begin(file)
        self.append(self._head)

    def _whole(self, data: bytes) -> bytes:
        head = self._head.encode()
        if head.startswith(data):  # the file was made, and nothing was found
            return b""
        if not self._drills:
            return super()._whole(data)
        end = data.rfind(b"\n\n")  # a blank line ends a drill
        return data[: end + 2] if end >= 0 else data[: data.find(b"\n") + 1]

    def _items(self, text: str) -> Iterator[tuple[int, int, str]]:
        head, *lines = text.splitlines(keepends=True)
        if head != self._head:
            raise NotationError(
                f"expected to resume {self.path} of the order {self._head[len(_HEAD) : -1]}, "
                f"got {head.strip()[:200]!r} there"
            )
        for number, line in enumerate(lines, 2):
            found = re.search("^# ([0-9]{1,9}):" if self._drills else "# ([0-9]{1,9}):", line)
            if found:
                yield number, int(found[1]), line
            elif not self._drills:
                text = f"{self.path}: expected a board with its number, got {line.strip()[-60:]!r}"
                raise NotationError(text, number)


def _fingerprint(wanted: Wanted) -> str:
    """Say in one line what was asked for; how many does not matter."""
    order = wanted.order
    kinds = "any" if order.hardest is None else "..".join(str(int(kind)) for kind in order.hardest)
    bbbv = "any" if order.bbbv is None else f"{order.bbbv[0]}..{order.bbbv[1]}"
    rules = " ".join(f"{name}={value}" for name, value in to_plain(order.rules).items())
    how = "made by moving mines: not uniform" if order.made else "dealt"
    what = "" if wanted.drill is None else f"drill={wanted.drill} "
    return (
        f"{what}{rules} first={order.first} difficulty={kinds} 3bv={bbbv} seed={wanted.seed} {how}"
    )
