"""`mineproof analyse`: layouts, proved cells, risks and best moves of positions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from timeit import repeat
from typing import Any

import click
from rich.console import Console

from mineproof import Budget, Cell, Observation, PublicRules
from mineproof.advice.analysis import Analysis, analyse
from mineproof.cli import inputs, options
from mineproof.cli.commands import BAD_INPUT, WORK_LIMIT, argument, flag, new_command, option
from mineproof.cli.options import Number, Whole
from mineproof.cli.text import RISK_LEGEND, console, draw_risks, shortened
from mineproof.core.clues import EXACT, UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError, InputError, NotationError, WorkLimitError
from mineproof.core.words import counted, decimal, percent
from mineproof.notation.boards import LINE
from mineproof.notation.inputs import first_line, parse_inputs, position_of
from mineproof.notation.position_text import parse_position, split_positions
from mineproof.proof.ranking import safest
from mineproof.search.winning import applies

BEST = 5
"""Number of best moves to list."""
LISTED = 12
"""Number of proved cells to list."""
DRAWN = 40_000
"""Maximum number of cells on a board that is drawn."""
TIMED = 10_000
"""For boards with fewer cells than this, the time to write JSON is ignored."""
PRINTED = 500_000
"""Number of cells per second that can be drawn."""


@new_command("analyse")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    file: str = argument(),
    as_json: bool = flag("--json", "Print one JSON object per position, one per line."),
    clues: str = options.CLUES,
    flags_are_mines: bool = options.FLAGS_ARE_MINES,
    density: float | None = option(
        "--density P", "Set the density of mines if MINES is `?`.", float, show_default="estimated"
    ),
    budget: float | None = option(
        "--budget T", "Limit the seconds per position.", Number(0, above=True)
    ),
    nodes: int | None = option(
        "--nodes N", "Limit the nodes per position, with the same result every time.", Whole(1)
    ),
    memory: int | None = options.MEMORY,
    sampled: bool = flag("--sampled", "Estimate risks if these limits are too small."),
    move: int | None = options.MOVE,
) -> None:
    """Analyse positions: layouts, proved cells, risks and best moves.

    FILE is a game id, or a file with records or `.mine` text (positions separated by blank
    lines). `-` reads stdin. For a game, the last position is used, or the one before --move.
    If the clues contradict each other, the error lists a minimal contradictory set. If there are
    several positions, the others are still analysed.

    Examples:
      mineproof analyse position.mine
      mineproof analyse --json positions.mine > facts.jsonl
      mineproof analyse game.json --move 12
      mineproof analyse - --clues optimistic < position.mine
    """
    positions = list(_positions(file, move))
    several, statuses, screen = len(positions) > 1, set(), console()
    model = ClueRule.parse(clues)
    solve = partial(
        _analyse, clues=model, flags_are_mines=flags_are_mines, density=density, sampled=sampled
    )
    for number, (line, position) in enumerate(positions):
        limits = Budget(budget, memory, nodes)
        try:
            if budget is not None:
                seconds = budget - _seconds_to_print(position, budget, as_json)
                limits = limits.fork(nodes, seconds=seconds)
            answer = solve(position, line, budget=limits)
        except (InputError, WorkLimitError) as error:
            if not several:
                raise
            statuses.add(WORK_LIMIT if isinstance(error, WorkLimitError) else BAD_INPUT)
            click.echo(_error_line(error) if as_json else f"position {number}: error: {error}")
        else:
            if as_json:
                click.echo(answer.to_json())
            else:
                show(screen, answer, f"position {number}: " if several else "")
    if statuses:
        raise click.exceptions.Exit(
            min(statuses)
        )  # status 2 (bad input) has priority over 3 (work limit)


def _positions(file: str, move: int | None) -> Iterator[tuple[int, str | Observation]]:
    """Return each position with its line number in the file; `.mine` text is not parsed yet."""
    text = file if inputs.is_game_id(file) else inputs.read_input(file)
    line = first_line(text)
    if line.startswith("{") or ":" in line or LINE.match(line):
        yield from ((1, position_of(given, move)) for given in parse_inputs(text))
        return
    if move is not None:
        raise click.UsageError("--move needs a game, but the file holds positions")
    yield from ((number, "\n".join(block)) for number, block in split_positions(text))


def _analyse(text: str | Observation, line: int, *, clues: ClueRule, **how: Any) -> Analysis:
    """Analyse the position that starts on a line of the file."""
    try:
        return analyse(text, clues=None if clues == EXACT else clues, **how)
    except NotationError:
        if not isinstance(text, str):
            raise
        # Parse it again with the lines before it, so that the message has the right line number.
        parse_position("\n" * (line - 1) + text, clues=clues)
        raise


def _seconds_to_print(position: str | Observation, budget: float, as_json: bool) -> float:
    """Estimate how many seconds printing the answer takes.

    Raises:
        WorkLimitError: it takes longer than the budget.
    """
    cells = len(position) if isinstance(position, str) else len(position.shown)
    seconds = _seconds_for_json(cells) if as_json else min(cells, DRAWN) / PRINTED
    if seconds >= budget:
        raise WorkLimitError(
            f"a position of {cells:,} characters takes longer than {budget:g} s to "
            f"{'write as JSON' if as_json else 'draw'}"
        )
    return seconds


def _seconds_for_json(cells: int) -> float:
    """Estimate how long JSON for a large board takes on this machine, by writing a small one."""
    if cells < TIMED:
        return 0.0
    small = Observation(PublicRules(20, 20, 50), bytes([UNOPENED]) * 400)
    return min(repeat(lambda: analyse(small).to_json(), number=1, repeat=5)) * cells / 400


def _error_line(error: Exception) -> str:
    conflict = error.conflict if isinstance(error, ContradictionError) else ()
    return json.dumps({"error": str(error), "conflict": conflict})


def show(screen: Console, analysis: Analysis, title: str = "") -> None:
    """Print an analysis as readable text."""
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
        screen.print(f"(not drawn: more than {DRAWN:,} cells; --json lists every risk)")
    screen.print(*_lines(analysis), "", sep="\n")


def _lines(analysis: Analysis) -> Iterator[str]:
    is_large = analysis.rows * analysis.columns > DRAWN  # counting would take too long
    layouts = "not counted on a board of this size (--json counts them)"
    yield f"layouts       {layouts if is_large else _layouts(analysis.layouts)}"
    yield f"proved safe   {_cells(analysis.safe)}"
    yield f"proved mines  {_cells(analysis.mined)}"
    yield f"best play     {_win(analysis)}"
    yield f"best moves    {_moves(analysis)}"
    engine = "exact" if analysis.exact else "estimated"
    prior = "" if analysis.mines is not None else f", with {analysis.facts.prior}"
    doubt = (
        ""
        if analysis.error is None
        else f", off by at most {100 * analysis.error:.1f} percentage points on average"
    )
    yield f"risks         {engine}{prior}{doubt}, in {analysis.elapsed_ms:.1f} ms"


def _layouts(layouts: int | None) -> str:
    if layouts is None:
        return "too many to count"
    if layouts < 10**15:
        return f"{layouts:,}"
    digits = decimal(layouts)
    return f"{digits[0]}.{digits[1:4]}e{len(digits) - 1} (--json prints all {len(digits)} digits)"


def _cells(cells: Sequence[Cell]) -> str:
    return f"{len(cells)}: {shortened(cells, LISTED)}" if cells else "none"


def _moves(analysis: Analysis) -> str:
    if analysis.safe:
        return "any safe cell"
    if analysis.rows * analysis.columns > DRAWN:  # sorting all moves would take too long
        facts, index = analysis.facts, safest(analysis.facts)
        if index is None:
            return "none"
        return f"{facts.observation.grid.cell(index)} at {percent(facts.risk[index], 2)}"
    best = analysis.best_moves(BEST)
    if not best:
        return "none"
    if all(move.win is not None for move in best):
        named = [
            f"{move.cell} {percent(move.win, 2)}, risk {percent(move.risk, 2)}" for move in best
        ]
        known = "chance of winning" if analysis.win_exact else "estimated chance of winning"
        return f"nothing is proved safe; {known}: " + "; ".join(named)
    named = [f"{move.cell} at {percent(move.risk, 2)}" for move in best]
    return "nothing is proved safe; lowest risk: " + ", ".join(named)


def _win(analysis: Analysis) -> str:
    if not applies(analysis.facts.observation.rules):
        return "chance of winning unknown under these rules"
    if analysis.win is None:
        return "chance of winning unknown: too much is left to search"
    if not analysis.win_exact:
        return f"wins about {percent(analysis.win)}, an estimate"
    return f"wins {percent(analysis.win, 2)}"
