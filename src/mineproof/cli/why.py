"""`mineproof why`: explain why a cell is safe or a mine, or where its risk comes from."""

from __future__ import annotations

import click

from mineproof import Budget, ClueRule, Explanation, advice
from mineproof.cli import inputs, options
from mineproof.cli.commands import argument, flag, new_command, option
from mineproof.cli.text import console
from mineproof.core.words import counted, percent
from mineproof.notation.inputs import position_of

_WORDS = {"safe": "safe", "mined": "a mine"}


@new_command("why")
def command(  # noqa: PLR0913  (one parameter per argument and option)
    *,
    file: str = argument(),
    cell: tuple[str, ...] = argument(nargs=-1, required=True, metavar="ROW COLUMN"),
    as_json: bool = flag("--json", "Print one JSON object."),
    clues: str = options.CLUES,
    flags_are_mines: bool = options.FLAGS_ARE_MINES,
    move: int | None = options.MOVE,
    budget: float | None = option(
        "--budget SECONDS",
        "Set a time limit; the answer may then be simpler.",
        options.Number(0, above=True),
    ),
    memory: int | None = options.MEMORY,
) -> None:
    """Explain why a cell is safe or a mine, or where its risk comes from.

    FILE is a game id, or a file with a position in `.mine` text, a record or a game id. `-`
    reads stdin. If there are several positions, the first is used. For a game, the last position
    is used, or the one before --move.
    The proof is the easiest one, step by step. --json also lists a smallest set of clues that
    proves the cell: without the mine count if possible, then the fewest clues, then the smallest
    rectangle around them, then row order.

    Examples:
      mineproof why position.mine 3 4
      mineproof why --json position.mine 3 4
      mineproof why game.json 3 4 --move 12
      mineproof why expert:s7:f0,0 1 1
    """
    model = ClueRule.parse(clues)
    given = inputs.read_given(file, flags_are_mines=flags_are_mines, clues=model)[0]
    found = advice.why(
        position_of(given, move), options.parse_cell(" ".join(cell)), Budget(budget, memory)
    )
    if as_json:
        click.echo(found.to_json())
    else:
        show(found)


def show(found: Explanation) -> None:
    """Print an explanation as readable text. If there are several steps, number them."""
    lines = lines_of(found)
    if found.proved is not None and found.clues and not found.smallest:
        lines.append("(There may be a smaller set of clues; the search for one was cut short.)")
    console().print(*lines, sep="\n")


def lines_of(found: Explanation) -> list[str]:
    """Return an explanation as lines: the conclusion about the cell, then each step."""
    if len(found.steps) <= 1:
        return [headline(found), found.text]
    steps = enumerate(found.steps, 1)
    numbered = [f"{number}. {step.text[:1].upper()}{step.text[1:]}." for number, step in steps]
    return [headline(found), *numbered]


def headline(found: Explanation) -> str:
    """Return one line with what is known about a cell, and how hard that is to see."""
    if found.proved is None:
        return f"{found.cell}: a guess, risk {percent(found.risk)}"
    if not found.clues and not found.uses_mine_count:
        return f"{found.cell}: {_WORDS[found.proved]}"
    amount = counted(len(found.clues), "clue")
    basis = f"{amount} and the mine count" if found.uses_mine_count else amount
    return (
        f"{found.cell}: proved {_WORDS[found.proved]} by {basis} "
        f"(rule {found.rule}, difficulty {found.difficulty})"
    )
