"""`mineproof watch`: an agent plays one game in the terminal, each move with its reason.

There are three ways to show it: redrawn in place, by lines, as JSON.
"""

from __future__ import annotations

import json
import time
from collections import deque
from functools import partial
from typing import Any, Self

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof import advice
from mineproof.agents.protocol import Agent, Knowledge, ShowsKnowledge
from mineproof.cli.commands import new_command
from mineproof.cli.options import (
    Number,
    RuleFlags,
    check_outputs,
    parse_cell,
    player_options,
    player_text,
    read_game,
    rule_flags,
)
from mineproof.cli.text import console, draw, end_text, fit, move_text
from mineproof.core.decision import Decision
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell, Grid
from mineproof.core.words import printable
from mineproof.match.isolated import player
from mineproof.match.play import begin, play
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import format_game_id
from mineproof.notation.records import Record, Step, verify, write_records
from mineproof.review.metrics import measure
from mineproof.review.stuck import Stuck

DELAY = 0.1
"""Seconds between moves in a terminal, where nothing else is asked for."""
MOST_LINES = 40
"""How many lines of each kind of knowledge are shown in text."""
LAST_MOVES = 3
"""How many moves stand below a board that is redrawn."""
Said = Decision | Step
"""A move with what its player said of it: now, or in a record."""


@new_command(
    "watch",
    "watch",
    "watch --agent basic --level beginner --seed 7",
    "watch --level 5x5/4 --json --record game.json",
    "watch --agent deep --budget 1s",
    "watch --agent resolution --level 5x5/4 --knowledge",
    "watch expert:s7 --agent basic",
    "watch game.json",
)
@click.argument("given", required=False, metavar="[GAME-ID or FILE]")
@player_options
@rule_flags
@click.option("--first", metavar="ROW,COLUMN", help="The first cell.  [default: by the start rule]")
@click.option(
    "--delay",
    type=Number(0, 60),
    help=f"Seconds between moves.  [default: {DELAY}, 0 in pipes]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: game, moves, end.")
@click.option(
    "--knowledge",
    is_flag=True,
    help="Print what the agent knows after each move, in its own terms.",
)
@click.option("--record", type=click.Path(dir_okay=False), help="Save the game to this file.")
@click.option("--force", is_flag=True, help="Overwrite the file of --record.")
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    given: str | None,
    agent: str | None,
    budget: str | None,
    decision_seconds: float,
    flags: RuleFlags,
    first: str | None,
    delay: float | None,
    as_json: bool,
    knowledge: bool,
    record: str | None,
    force: bool,
) -> None:
    """Watch an agent play one game, move by move, each with its reason.

    With a game id, or a board file, it plays that game. A record is replayed with the reasons
    that it has, whoever played it.
    """
    check_outputs([record], force)
    source = None if given is None else read_game(given, flags)
    if source is not None and first is not None:
        raise click.UsageError("expected --first without a game that is given")
    if isinstance(source, Record):
        if agent is not None or record is not None or knowledge:
            raise click.UsageError(
                "expected a record without --agent, --record and --knowledge: it is replayed"
            )
        _replay(source, as_json, delay)
        return
    name = player_text(agent, budget)
    cell = None if first is None else parse_cell(first)
    game = source.game() if source else Game(flags.rules(), flags.some_seed(), cell)
    begin(game)
    with player(name, seconds=decision_seconds) as agent_:
        with _viewer(game, name, as_json, delay, by_lines=knowledge) as viewer:
            played = play(
                game,
                agent_,
                watcher=viewer,
                on_look=partial(_show_knowledge, viewer, agent_) if knowledge else None,
                player=name,
                reasons=record is not None,
            )
        is_stuck = game.outcome is not None and game.outcome.result is Result.STUCK
        stuck = advice.why_stuck(game.observation, agent_) if is_stuck else None
    viewer.end(played, stuck)
    if record is not None:
        write_records(record, [played])


def _show_knowledge(viewer: LineViewer, agent: Agent) -> None:
    """Show what an agent knows that has just looked at the position."""
    if isinstance(agent, ShowsKnowledge):
        viewer.knowledge(advice.known(viewer.game.observation, agent))
    else:
        viewer.knowledge(Knowledge("this agent shows no knowledge"))


def _replay(record: Record, as_json: bool, delay: float | None) -> None:
    """Show a game that was played, move by move."""
    verify(record)
    game = record.begin()
    name = f"{printable(record.player) or 'a person'}, replayed"
    with _viewer(game, name, as_json, delay) as viewer:
        for step in record.steps:
            game.play(step.move)
            viewer(game, step)
        if record.outcome is not None:
            game.stop()
    viewer.end(record)


def _viewer(
    game: Game, agent: str, as_json: bool, delay: float | None, *, by_lines: bool = False
) -> LineViewer:
    screen = console()
    if screen.is_terminal and not screen.is_dumb_terminal and not (as_json or by_lines):
        return LiveViewer(screen, game, agent, DELAY if delay is None else delay)
    return (JsonViewer if as_json else LineViewer)(screen, game, agent, delay or 0)


class LineViewer:
    """Shows a game: one line a move, and the board at the end."""

    def __init__(self, console: Console, game: Game, agent: str, delay: float) -> None:
        """Keep what is to be shown; `delay` is in seconds a move."""
        self.console = console
        self.game = game
        self.agent = agent
        self.delay = delay

    def __enter__(self) -> Self:
        """Show the start."""
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave the last picture where it is."""

    def __call__(self, _game: Game, decision: Said) -> None:
        """Show a move that has just been made, and wait."""
        self.move(decision)
        time.sleep(self.delay)

    def start(self) -> None:
        """Show the start."""
        self.console.print(title(self.game, self.agent))

    def move(self, decision: Said) -> None:
        """Show a move that has just been made."""
        self.console.print(move_text(len(self.game.moves), decision, self.game.observation))

    def knowledge(self, known: Knowledge) -> None:
        """Show what the agent knows, indented below the move that taught it."""
        self.console.print(Text("\n".join(knowledge_lines(known, self.game.rules.grid)), "dim"))

    def end(self, record: Record, stuck: Stuck | None = None) -> None:
        """Show how the game ended."""
        last = record.steps[-1].move.cell if record.steps else record.first
        self.console.print(draw(self.game.observation, self.game.board, last=last))
        self._end_text(record, stuck)

    def _end_text(self, record: Record, stuck: Stuck | None) -> None:
        self.console.print(end_text(self.game, record))
        if stuck is not None:
            self.console.print(f"stuck: {stuck.text}", style="yellow", markup=False)


class LiveViewer(LineViewer):
    """Redraws the board in place, with the last moves below it."""

    def __init__(self, console: Console, game: Game, agent: str, delay: float) -> None:
        """Set up the part of the screen that is redrawn."""
        super().__init__(console, game, agent, delay)
        self._moves: deque[Text] = deque(maxlen=LAST_MOVES)
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def __exit__(self, *_error: object) -> None:
        """Leave the last picture where it is."""
        self._live.stop()

    def start(self) -> None:
        """Show the start."""
        self._live.start()
        self._redraw(self.game.first)

    def move(self, decision: Said) -> None:
        """Show a move that has just been made."""
        self._moves.append(move_text(len(self.game.moves), decision, self.game.observation))
        self._redraw(decision.move.cell)

    def end(self, record: Record, stuck: Stuck | None = None) -> None:
        """Show how the game ended."""
        self._end_text(record, stuck)

    def _redraw(self, last: Cell | None) -> None:
        game = self.game
        width, height = self.console.size
        viewport = fit(game.rules.grid, width, height - LAST_MOVES - 2, last)
        board = game.board if game.is_over else None
        picture = draw(game.observation, board, last=last, viewport=viewport)
        lines = [*self._moves, *[Text()] * (LAST_MOVES - len(self._moves))]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        self._live.update(Group(title(game, self.agent), picture, *lines), refresh=True)


class JsonViewer(LineViewer):
    """Writes JSON lines: the game, each move, the end."""

    def start(self) -> None:
        """Write the start."""
        _write({"game": format_game_id(self.game), "seed": self.game.seed, "agent": self.agent})

    def move(self, decision: Said) -> None:
        """Write a move."""
        plain = decision.to_plain()
        plain.setdefault("clues", ())  # a record has none
        _write({"move": len(self.game.moves), **plain})

    def knowledge(self, known: Knowledge) -> None:
        """Write what the agent knows."""
        cell = self.game.rules.grid.cell
        _write(
            {
                "knowledge": known.title,
                "after": len(self.game.moves),
                "groups": known.groups,
                "safe": [cell(index) for index in sorted(known.safe)],
                "mined": [cell(index) for index in sorted(known.mined)],
                "risks": [[cell(index), risk] for index, risk in sorted(known.risks.items())],
            }
        )

    def end(self, record: Record, stuck: Stuck | None = None) -> None:
        """Write how the game ended; an unfinished one has no result."""
        end = {"result": None} if record.outcome is None else vars(record.outcome)
        why = None if stuck is None else {**vars(stuck), "text": stuck.text}
        _write({**end, **to_plain(measure(self.game, record.steps)), "stuck": why})


def knowledge_lines(known: Knowledge, grid: Grid) -> list[str]:
    """Write what an agent knows, of each kind the first lines."""
    lines = [f"     knows {known.title}"]
    for name, cells in (("safe", known.safe), ("mined", known.mined)):
        if cells:
            named = ", ".join(str(grid.cell(index)) for index in sorted(cells))
            lines.append(f"       {name}: {named}")
    for name, group in known.groups.items():
        lines.append(f"       {name}: {len(group)}")
        lines += [f"         {line}" for line in group[:MOST_LINES]]
        if len(group) > MOST_LINES:
            lines.append(f"         and {len(group) - MOST_LINES} more (all of them with --json)")
    return lines


def title(game: Game, agent: str) -> Text:
    """Name a game and who plays it."""
    return Text(f"game {format_game_id(game)}, seed {game.seed}, agent {agent}", "bold")


def _write(values: dict[str, Any]) -> None:
    click.echo(json.dumps(values))
