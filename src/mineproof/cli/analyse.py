"""`mineproof analyse`: all facts of the positions in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich.console import Console

from mineproof.advice.analysis import Analysis, analyse, decimal
from mineproof.cli.commands import BAD_INPUT, WORK_LIMIT, new_command
from mineproof.cli.options import (
    Number,
    Whole,
    is_game_id,
    memory_option,
    move_option,
    position_options,
    read_existing,
)
from mineproof.cli.text import RISK_LEGEND, console, draw_risks
from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import ContradictionError, InputError, NotationError, WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.words import counted, percent
from mineproof.inference.budget import Budget
from mineproof.notation.boards import LINE
from mineproof.notation.inputs import first_line, parse_inputs, position_of
from mineproof.notation.position_text import parse_position, split_positions
from mineproof.proof.ranking import safest
from mineproof.search.winning import applies

BEST = 5
"""Moves that are listed."""
LISTED = 12
"""Proved cells that are listed."""
DRAWN = 40_000
"""Cells of a board that is drawn; nobody could look at more."""
WRITTEN, PRINTED = 100_000, 500_000
"""Cells whose facts are written in a second as JSON, and drawn."""


@new_command(
    "analyse",
    "analyse position.mine",
    "analyse --json positions.mine > facts.jsonl",
    "analyse game.json --move 12",
    "analyse - --clues optimistic < position.mine",
)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a position, a line each.")
@position_options
@click.option(
    "--density",
    type=float,
    metavar="P",
    help="The density of mines where MINES is `?`.  [estimated]",
)
@click.option("--budget", type=Number(0, min_open=True), metavar="T", help="Seconds a position.")
@click.option("--nodes", type=Whole(1), metavar="N", help="States a position: repeatable.")
@memory_option
@click.option("--sampled", is_flag=True, help="Estimate risks where these limits are too small.")
@move_option
def command(file: str, as_json: bool, move: int | None, **options: Any) -> None:
    """Give the layouts, the proved cells, the risks and the best moves of every position.

    FILE holds positions in `.mine` text, with blank lines between them, or records (each gives
    its last position, or that before --move); or it is a game id. `-` reads stdin.
    A position without a layout is an error that names a smallest set of clues that contradict
    each other. With several positions the others are answered all the same.
    """
    positions = list(_positions(file, move))
    several = len(positions) > 1
    status = 0
    screen = console()
    for number, (line, position) in enumerate(positions):
        try:
            answer = _in_time(position, line, as_json, **options)
        except (InputError, WorkLimitError) as error:
            if not several:
                raise
            status = _worse(status, WORK_LIMIT if isinstance(error, WorkLimitError) else BAD_INPUT)
            click.echo(_error_line(error) if as_json else f"position {number}: error: {error}")
            continue
        if as_json:
            click.echo(answer.to_json())
        else:
            show(screen, answer, f"position {number}: " if several else "")
    if status:
        raise click.exceptions.Exit(status)


def _positions(file: str, move: int | None) -> Iterator[tuple[int, str | Observation]]:
    """Give each position, those in `.mine` text unread and with the line on which they begin."""
    text = file if is_game_id(file) else read_existing(file)
    line = first_line(text)
    if line.startswith("{") or ":" in line or LINE.match(line):
        yield from ((1, position_of(given, move)) for given in parse_inputs(text))
        return
    if move is not None:
        raise click.UsageError("expected --move with a game, got a position")
    yield from ((number, "\n".join(block)) for number, block in split_positions(text))


def _in_time(  # noqa: PLR0913  (one keyword for each limit)
    position: str | Observation,
    line: int,
    as_json: bool,
    *,
    budget: float | None,
    memory: int | None,
    nodes: int | None,
    **options: Any,
) -> Analysis:
    """Analyse a position so that the answer can be written in time as well."""
    limits = Budget(budget, memory, nodes)
    if budget is not None:
        limits = limits.fork(nodes, seconds=budget - _writing(position, budget, as_json))
    return _answer(position, line, budget=limits, **options)


def _answer(text: str | Observation, line: int, *, clues: str, **options: Any) -> Analysis:
    """Analyse the position that begins on a line of the file."""
    model = ClueRule.parse(clues)
    try:
        return analyse(text, clues=None if model == EXACT else model, **options)
    except NotationError:
        if not isinstance(text, str):
            raise
        # Read once more where it stands in the file: the message then has the right line.
        parse_position("\n" * (line - 1) + text, clues=model)
        raise


def _writing(position: str | Observation, budget: float, as_json: bool) -> float:
    """Say how many seconds the answer takes to write.

    Raises:
        WorkLimitError: it takes longer than the answer may take.
    """
    letters = len(position) if isinstance(position, str) else len(position.shown)
    seconds = letters / WRITTEN if as_json else min(letters, DRAWN) / PRINTED
    if seconds >= budget:
        raise WorkLimitError(
            f"expected an answer within {budget:g} s, got a position of {letters:,} letters, "
            f"which takes longer to {'write as JSON' if as_json else 'draw'}"
        )
    return seconds


def _worse(first: int, second: int) -> int:
    """Give the status for two failures: bad input counts more than a work limit."""
    return BAD_INPUT if BAD_INPUT in (first, second) else max(first, second)


def _error_line(error: Exception) -> str:
    conflict = error.conflict if isinstance(error, ContradictionError) else ()
    return json.dumps({"error": str(error), "conflict": conflict})


def show(screen: Console, analysis: Analysis, title: str = "") -> None:
    """Print the facts of a position for people."""
    seen = analysis.facts.observation
    unknown = analysis.mines is None
    mines = "an unknown number of mines" if unknown else counted(analysis.mines or 0, "mine")
    screen.print(
        f"{title}{counted(analysis.rows, 'row')}, {counted(analysis.columns, 'column')}, {mines}, "
        f"{counted(len(seen.unopened), 'cell')} unopened"
    )
    if len(seen.shown) <= DRAWN:
        width = screen.width if screen.is_terminal else 10_000
        screen.print(draw_risks(analysis, width, styled=screen.color_system is not None))
        screen.print(RISK_LEGEND, style="bright_black")
    else:
        screen.print(f"(not drawn: more than {DRAWN:,} cells; --json gives every risk)")
    for line in _lines(analysis):
        screen.print(line)
    screen.print()


def _lines(analysis: Analysis) -> Iterator[str]:
    is_large = analysis.rows * analysis.columns > DRAWN  # counting them exactly would take long
    layouts = "too many to write (--json counts them)"
    yield f"layouts       {layouts if is_large else _layouts(analysis.layouts)}"
    yield f"proved safe   {_cells(analysis.safe)}"
    yield f"proved mines  {_cells(analysis.mined)}"
    yield f"best play     {_win(analysis)}"
    yield f"best moves    {_moves(analysis)}"
    engine = "exact" if analysis.exact else "estimated"
    prior = "" if analysis.mines is not None else f", with {analysis.facts.prior}"
    doubt = "" if analysis.error is None else f", off by about {100 * analysis.error:.1f} points"
    yield f"risks         {engine}{prior}{doubt}, in {analysis.elapsed_ms:.1f} ms"


def _layouts(layouts: int | None) -> str:
    if layouts is None:
        return "too many to count"
    if layouts < 10**15:
        return f"{layouts:,}"
    digits = decimal(layouts)
    return f"{digits[0]}.{digits[1:4]}e{len(digits) - 1} (--json gives all {len(digits)} digits)"


def _cells(cells: Sequence[Cell]) -> str:
    if not cells:
        return "none"
    named = ", ".join(str(cell) for cell in cells[:LISTED])
    more = f" and {len(cells) - LISTED} more" if len(cells) > LISTED else ""
    return f"{len(cells)}: {named}{more}"


def _moves(analysis: Analysis) -> str:
    if analysis.safe:
        return "any safe cell"
    if analysis.rows * analysis.columns > DRAWN:  # to order them all would take long
        index = safest(analysis.facts)
        where = None if index is None else analysis.facts.observation.grid.cell(index)
        return "none" if index is None else f"{where} at {percent(analysis.facts.risk[index], 2)}"
    best = analysis.best_moves(BEST)
    if not best:
        return "none"
    if all(move.win is not None for move in best):
        named = [
            f"{move.cell} {percent(move.win, 2)}, risk {percent(move.risk, 2)}" for move in best
        ]
        known = "chance to win" if analysis.win_exact else "estimated chance to win"
        return f"nothing is proved safe; {known}: " + "; ".join(named)
    named = [f"{move.cell} at {percent(move.risk, 2)}" for move in best]
    return "nothing is proved safe; least risk: " + ", ".join(named)


def _win(analysis: Analysis) -> str:
    if not applies(analysis.facts.observation.rules):
        return "chance to win not known under these rules"
    if analysis.win is None:
        return "chance to win not known: too much is left to search"
    if not analysis.win_exact:
        return f"wins about {percent(analysis.win)}, an estimate"
    return f"wins {percent(analysis.win, 2)}"
