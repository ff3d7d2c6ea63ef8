"""`mineproof why`: why a cell is safe or mined, or what its risk rests on."""

from __future__ import annotations

import click

from mineproof import advice
from mineproof.cli.commands import new_command
from mineproof.cli.options import Number, memory_option, move_option, position_options, read_given
from mineproof.cli.text import console
from mineproof.core.clues import ClueRule
from mineproof.core.words import counted, percent
from mineproof.inference.budget import Budget
from mineproof.notation.inputs import position_of
from mineproof.proof.explanation import Explanation


@new_command(
    "why",
    "why position.mine 3 4",
    "why --json position.mine 3 4",
    "why game.json 3 4 --move 12",
    "why expert:s7:f0,0 1 1",
)
@click.argument("file")
@click.argument("row", type=int)
@click.argument("column", type=int)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@position_options
@move_option
@click.option(
    "--budget",
    metavar="SECONDS",
    type=Number(0, min_open=True),
    help="Work no longer; the answer may then be plainer.",
)
@memory_option
def command(  # noqa: PLR0913  (one for each argument and option)
    file: str,
    row: int,
    column: int,
    *,
    as_json: bool,
    clues: str,
    flags_are_mines: bool,
    move: int | None,
    budget: float | None,
    memory: int | None,
) -> None:
    """Say why the cell at ROW, COLUMN is safe or mined, or what its risk rests on.

    FILE holds a position in `.mine` text, a record (its last position, or that before --move) or
    a game id, or is one; `-` reads stdin; of several the first counts.
    The proof is the easiest one, step by step. Besides, a smallest set of clues that proves the
    cell is given: without the mine count if any such proof exists, then fewest clues, then the
    smallest rectangle around them, then row order.
    """
    model = ClueRule.parse(clues)
    given = read_given(file, flags_are_mines=flags_are_mines, clues=model)[0]
    found = advice.why(position_of(given, move), (row, column), Budget(budget, memory))
    if as_json:
        click.echo(found.to_json())
    else:
        show(found)


def show(found: Explanation) -> None:
    """Print an explanation for people; a proof of several steps by lines with numbers."""
    screen = console()
    screen.print(headline(found))
    if len(found.steps) > 1:
        for number, step in enumerate(found.steps, 1):
            screen.print(f"{number}. {step.text[:1].upper()}{step.text[1:]}.")
    else:
        screen.print(found.text)
    if found.proved is not None and found.clues and not found.smallest:
        screen.print("(A smaller set of clues may do; the search for one was cut short.)")


def headline(found: Explanation) -> str:
    """Say in one line what is known of a cell and how hard that is to see."""
    if found.proved is None:
        return f"{found.cell}: a guess, risk {percent(found.risk)}"
    if not found.clues and not found.uses_mine_count:
        return f"{found.cell}: {found.proved}"
    amount = counted(len(found.clues), "clue")
    basis = f"{amount} and the mine count" if found.uses_mine_count else amount
    return (
        f"{found.cell}: proved {found.proved} by {basis} "
        f"(rule {found.rule}, difficulty {found.difficulty})"
    )
