"""`mineproof watch`: an agent plays one game in the terminal, and gives a reason for each move.

A game is redrawn in place, printed line by line, or written as JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from mineproof import Cell, Decision, Game, Record, Result, advice, play
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.cli import inputs, options
from mineproof.cli.commands import argument, flag, new_command, option
from mineproof.cli.moves import end_text, move_lines
from mineproof.cli.text import console, draw, has_screen
from mineproof.core.grid import Grid
from mineproof.core.words import printable
from mineproof.match.isolated import player
from mineproof.match.play import begin
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import format_game_id
from mineproof.notation.records import Step, verify, write_records
from mineproof.review.metrics import measure
from mineproof.review.stuck import Stuck

DELAY = 0.1
"""Default number of seconds between moves in a terminal."""
MOST_LINES = 40
"""Maximum number of lines to print for each kind of knowledge."""
ExplainedMove = Decision | Step
"""A move with its player's claim and reason, from a running agent or from a record."""


@new_command("watch")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    given: str | None = argument(required=False, metavar="[GAME-ID or FILE]"),
    agent: str | None = options.AGENT,
    budget: str | None = options.BUDGET,
    limits: options.LimitOptions = options.LIMITS,
    rules: options.RuleOptions = options.RULES,
    first: Cell | None = options.FIRST,
    delay: float | None = option(
        "--delay T",
        "Set the seconds between moves.",
        options.Number(0, 60),
        show_default=f"{DELAY}, 0 in pipes",
    ),
    as_json: bool = flag("--json", "Print one JSON object per line: game, moves, result."),
    knowledge: bool = flag("--knowledge", "Print what the agent knows after each move."),
    record: str | None = option("--record FILE", "Save the game to FILE."),
    force: bool = flag("--force", "Overwrite the file of --record."),
    ascii: bool = options.ASCII,
) -> None:
    """Watch an agent play one game, move by move, with a reason for each move.

    With a game id or a board file, the agent plays that game. If FILE is a record, it is
    replayed with its recorded reasons.

    Examples:
      mineproof watch
      mineproof watch --agent basic --level beginner --seed 7
      mineproof watch --level 5x5/4 --json --record game.json
      mineproof watch --agent deep --budget 1s
      mineproof watch --agent resolution --level 5x5/4 --knowledge
      mineproof watch expert:s7 --agent basic
      mineproof watch game.json
    """
    options.check_outputs([record], force)
    source = None if given is None else inputs.read_game(given, rules)
    if source is not None and first is not None:
        raise click.UsageError("--first cannot be combined with a game id or a file")
    if isinstance(source, Record):
        if agent is not None or record is not None or knowledge:
            raise click.UsageError(
                "--agent, --record and --knowledge cannot be combined with a record, which is "
                "only replayed"
            )
        _replay(source, as_json, delay, ascii)
        return
    name = options.player_text(agent, budget)
    game = source.game() if source else Game(rules.for_a_person(), rules.some_seed(), first)
    begin(game)
    with player(limits.isolation(name), cells=game.rules.grid.size) as agent_:
        viewer = _viewer(game, name, as_json, delay, ascii=ascii, by_lines=knowledge)
        played = viewer.follow(
            lambda: play(
                game,
                agent_,
                watcher=viewer,
                on_look=partial(_show_knowledge, viewer, agent_) if knowledge else None,
                player=name,
                reasons=record is not None,
            )
        )
        is_stuck = game.outcome is not None and game.outcome.result is Result.STUCK
        stuck = advice.why_stuck(game.observation, agent_) if is_stuck else None
    viewer.end(played, stuck)
    if record is not None:
        write_records(record, [played])


def _show_knowledge(viewer: LineViewer, agent: Agent) -> None:
    found = advice.known(viewer.game.observation, agent)
    viewer.knowledge(found or Knowledge("nothing: this agent cannot show its knowledge"))


def _replay(record: Record, as_json: bool, delay: float | None, ascii: bool) -> None:
    verify(record)
    game = record.begin()
    name = f"{printable(record.player) or 'a person'}, replayed"
    viewer = _viewer(game, name, as_json, delay, ascii=ascii)

    def replay() -> Record:
        for step in record.steps:
            game.play(step.move)
            viewer(game, step)
        if record.outcome is not None:
            game.stop()
        return record

    viewer.end(viewer.follow(replay))


def _viewer(  # noqa: PLR0913  (everything that a viewer depends on)
    game: Game,
    agent: str,
    as_json: bool,
    delay: float | None,
    *,
    ascii: bool,
    by_lines: bool = False,
) -> LineViewer:
    screen = console()
    if has_screen() and not (as_json or by_lines):
        from mineproof.cli.watch_screen import ScreenViewer

        return ScreenViewer(screen, game, agent, DELAY if delay is None else delay, ascii)
    return (JsonViewer if as_json else LineViewer)(screen, game, agent, delay or 0)


class LineViewer:
    """Prints one line per move, and the board at the end."""

    def __init__(self, console: Console, game: Game, agent: str, delay: float) -> None:
        self.console = console
        self.game = game
        self.agent = agent
        self.delay = delay

    def follow(self, job: Callable[[], Record]) -> Record:
        """Show the start of the game, and run the job that plays it."""
        self.start()
        return job()

    def __call__(self, _game: Game, decision: ExplainedMove) -> None:
        """Show the last move, then wait."""
        self.move(decision)
        time.sleep(self.delay)

    def start(self) -> None:
        """Show the start of the game."""
        self.console.print(title(self.game, self.agent))

    def move(self, decision: ExplainedMove) -> None:
        """Show the last move."""
        for line in move_lines(len(self.game.moves), decision, self.game.observation):
            self.console.print(line)

    def knowledge(self, known: Knowledge) -> None:
        """Print the agent's knowledge, indented below the last move."""
        self.console.print(Text("\n".join(knowledge_lines(known, self.game.rules.grid)), "dim"))

    def end(self, record: Record, stuck: Stuck | None = None) -> None:
        """Show the result."""
        last = record.steps[-1].move.cell if record.steps else record.first
        board = self.game.board if self.game.is_over else None
        self.console.print(draw(self.game.observation, board, last=last))
        self._end_text(record, stuck)

    def _end_text(self, record: Record, stuck: Stuck | None) -> None:
        self.console.print(end_text(self.game, record))
        if stuck is not None:
            self.console.print(f"stuck: {stuck.text}", style="yellow", markup=False)


class JsonViewer(LineViewer):
    """Writes JSON lines: the game, each move, the result."""

    def start(self) -> None:
        """Write the game."""
        _write({"game": format_game_id(self.game), "seed": self.game.seed, "agent": self.agent})

    def move(self, decision: ExplainedMove) -> None:
        """Write the last move."""
        plain = decision.to_plain()
        plain.setdefault("clues", ())  # moves of a record have no clues
        _write({"move": len(self.game.moves), **plain})

    def knowledge(self, known: Knowledge) -> None:
        """Write the agent's knowledge."""
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
        """Write the result, which is null for an unfinished game."""
        end = {"result": None} if record.outcome is None else vars(record.outcome)
        why = None if stuck is None else {**vars(stuck), "name": stuck.name, "text": stuck.text}
        _write({**end, **to_plain(measure(self.game, record.steps)), "stuck": why})


def knowledge_lines(known: Knowledge, grid: Grid) -> list[str]:
    """Return an agent's knowledge as text, with the first lines of each kind."""
    lines = [f"     knows {known.title}"]
    for name, cells in (("safe", known.safe), ("mined", known.mined)):
        if cells:
            named = grid.text(sorted(cells))
            lines.append(f"       {name}: {named}")
    for name, group in known.groups.items():
        lines.append(f"       {name}: {len(group)}")
        lines += [f"         {line}" for line in group[:MOST_LINES]]
        if len(group) > MOST_LINES:
            lines.append(f"         and {len(group) - MOST_LINES} more (--json lists all)")
    return lines


def title(game: Game, agent: str) -> Text:
    """Return the game id, the seed and the agent as a title."""
    return Text(f"game {format_game_id(game)}, seed {game.seed}, agent {agent}", "bold")


def _write(values: dict[str, Any]) -> None:
    click.echo(json.dumps(values))
