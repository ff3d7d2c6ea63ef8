"""`mineproof generate`: deal boards to order, such as no-guess boards, and drills."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from mineproof import Cell, InputError, NotationError
from mineproof.arena.many import MOST_GAMES
from mineproof.cli import options
from mineproof.cli.commands import flag, new_command, option
from mineproof.cli.options import OutputOptions, RuleOptions, Whole
from mineproof.cli.progress import progress
from mineproof.core.rules import with_options
from mineproof.generate import DrillKind
from mineproof.generate.boards import Order, find_board
from mineproof.generate.drills import find_drill, format_drill
from mineproof.match.results import ResumableFile
from mineproof.notation.boards import format_board_line
from mineproof.notation.codec import to_plain
from mineproof.proof.kinds import ReasoningKind
from mineproof.workers.batch import Here, Processes, cores

KINDS = {str(kind).replace(" ", "-"): kind for kind in ReasoningKind if kind}
"""The kinds of reasoning by the names that users type, easiest first."""
MOST_3BV = 10**7
CHUNK = 8
"""Number of boards that a process finds before it returns them."""
Value = TypeVar("Value", bound=int)
_HEAD = "# mineproof generate "


@dataclass(frozen=True)
class GenerateRequest:
    """The boards or drills to find, and how to write them."""

    order: Order
    seed: int
    proof: bool
    as_json: bool
    drill: DrillKind | None = None
    """The kind of drill; None for boards."""

    def lines(self, indices: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Return the board or drill of each index as text, together with the index."""
        find = self._board if self.drill is None else partial(self._drill, self.drill)
        return ((index, find(index)) for index in indices)

    def _board(self, index: int) -> str:
        found = find_board(self.order, self.seed, index)
        line = format_board_line(found.board, found.first)
        if self.as_json:
            proof = {"proof": found.solvability.to_plain()} if self.proof else {}
            fields = {"index": index, "seed": str(found.seed), "board": line, "3bv": found.bbbv}
            return json.dumps({**fields, **proof})
        proved = f", {found.solvability}" if self.proof else ""
        return f"{line} # {index}: seed {found.seed}, 3BV {found.bbbv}{proved}"

    def _drill(self, kind: DrillKind, index: int) -> str:
        found = find_drill(self.order, kind, self.seed, index)
        if self.as_json:
            proof = {"proof": found.explanation.to_plain()} if self.proof else {}
            return json.dumps({"index": index, **to_plain(found), **proof})
        return format_drill(found, f"{index}: ", self.proof)

    @property
    def head(self) -> str:
        """The first line of the output, which identifies the request, but not the count."""
        order = self.order
        kinds = (
            "any" if order.hardest is None else "..".join(str(int(kind)) for kind in order.hardest)
        )
        bbbv = "any" if order.bbbv is None else f"{order.bbbv[0]}..{order.bbbv[1]}"
        rules = " ".join(f"{name}={value}" for name, value in to_plain(order.rules).items())
        how = "made by moving mines: not uniform" if order.made else "dealt"
        drill = "" if self.drill is None else f"drill={self.drill} "
        return (
            f"{_HEAD}{drill}{rules} first={order.first} difficulty={kinds} 3bv={bbbv} "
            f"seed={self.seed} {how}"
        )


@new_command("generate")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    rules: RuleOptions = options.RULES,
    first: Cell | None = options.FIRST,
    count: int = option("--count N", "Set the number of boards.", Whole(1, MOST_GAMES), default=1),
    difficulty: str | None = option(
        "--difficulty MIN..MAX",
        "Set the hardest reasoning needed, such as cases or two-clues..cases.",
    ),
    bbbv: str | None = option("--3bv MIN..MAX", "Set the 3BV: a number or a range."),
    make: bool = flag("--make", "Move mines until a board is solvable (not uniform)."),
    proof: bool = flag("--proof", "Add the reasoning that solves each board."),
    drill: str | None = option(
        "--drill KIND",
        "Write drills for a kind of reasoning, as .mine text, instead of boards.",
        click.Choice([kind.value for kind in DrillKind]),
    ),
    jobs: int | None = options.JOBS,
    output: OutputOptions = options.OUTPUT,
    as_json: bool = flag("--json", "Print one JSON object per board."),
) -> None:
    """Generate boards, as a board file that `mineproof games` reads.

    Board i is dealt by seed SEED + i (SEED is 0 unless given), or it is the next board that fits
    --difficulty and --3bv. Boards that need a guess have no difficulty. Each line ends with a
    comment: the board's index, the seed that deals it, and its 3BV. Several processes write
    lines in any order.

    --start no-guess deals until a board can be solved by proofs alone. All such boards are
    equally likely. --make moves mines instead: this works with far more mines, but favours some
    boards.

    --drill takes one position from each board (no-guess boards unless --start is given). KIND is
    one-clue, pattern, subset, several-clues, cases or mine-count. In each position that kind of
    reasoning proves a cell safe, and no easier kind does. A comment lists the safe cells.

    Examples:
      mineproof generate --start no-guess --count 1000 --output expert.boards
      mineproof generate --start no-guess --count 1000 --output expert.boards --resume
      mineproof generate --level intermediate --start no-guess --difficulty two-clues..cases --proof
      mineproof generate --level beginner --start opening --3bv 5..10 --count 20 > easy.boards
      mineproof generate --drill subset --count 100 --proof --output subset.mine
    """
    if as_json and output.path is not None:
        raise click.UsageError("--json cannot be combined with --output, which is a board file")
    chosen = rules.rules()
    if drill is not None and rules.start is None:
        chosen = with_options(chosen, start="no-guess")
    cell = first or chosen.first_cell or Cell(0, 0)
    kinds = _range(difficulty, "difficulty", KINDS.__getitem__, tuple(KINDS.values()))
    numbers = _range(bbbv, "3BV", _digits, (0, MOST_3BV))
    kind = None if drill is None else DrillKind(drill)
    order = Order(chosen, cell, kinds, numbers, make)
    request = GenerateRequest(order, rules.seed or 0, proof, as_json, kind)
    _generate(request, count, jobs, output)


def _generate(
    request: GenerateRequest, count: int, jobs: int | None, output: OutputOptions
) -> None:
    file = output.open(partial(BoardFile, count=count, request=request))
    if file is None and not request.as_json:
        click.echo(request.head)
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
            runner.run(partial(GenerateRequest.lines, request), chunks, report)


def _chunks(indices: Iterator[int]) -> Iterator[list[int]]:
    """Split the indices into chunks one at a time: a list of all indices could fill the memory."""
    while chunk := list(islice(indices, CHUNK)):
        yield chunk


def _range(
    text: str | None, name: str, read: Callable[[str], Value], limits: Sequence[Value]
) -> tuple[Value, Value] | None:
    """Read `MIN..MAX`, where one end may be missing, or a single value."""
    if text is None:
        return None
    first, dots, last = text.strip().lower().partition("..")
    try:
        low = read(first) if first else limits[0]
        high = low if not dots else read(last) if last else limits[-1]
    except (KeyError, ValueError):
        low, high = limits[-1], limits[0]
    if low > high or not (first or last):
        raise InputError(f"expected a {name} or a range MIN..MAX, got {text!r}")
    return low, high


def _digits(text: str) -> int:
    if re.fullmatch("[0-9]{1,7}", text) is None:
        raise ValueError(text)
    return int(text)


class BoardFile(ResumableFile[str]):
    """A board file. Its first line identifies the request, so --resume never mixes two requests."""

    what = "board"

    def __init__(self, path: Path, count: int, request: GenerateRequest) -> None:
        super().__init__(path, count)
        self._drills = request.drill is not None
        self._head = f"{request.head}\n"

    def _begin(self, file: BinaryIO) -> None:
        super()._begin(file)
        self.append(self._head)

    def _whole(self, data: bytes) -> bytes:
        if self._head.encode().startswith(data):  # there are no boards in the file yet
            return b""
        if not self._drills:
            return super()._whole(data)
        end = data.rfind(b"\n\n")  # a blank line ends a drill
        return data[: end + 2] if end >= 0 else data[: data.find(b"\n") + 1]

    def _items(self, text: str) -> Iterator[tuple[int, int, str]]:
        head, *lines = text.splitlines(keepends=True)
        if head != self._head:
            raise NotationError(
                f"cannot resume {self.path}: expected the first line {self._head.strip()!r}, "
                f"got {head.strip()[:200]!r}"
            )
        for number, line in enumerate(lines, 2):
            found = re.search("^# ([0-9]{1,9}):" if self._drills else "# ([0-9]{1,9}):", line)
            if found:
                yield number, int(found[1]), line
            elif not self._drills:
                text = f"{self.path}: expected a board with its index, got {line.strip()[-60:]!r}"
                raise NotationError(text, number)
