"""Functions that read and write the lines of the Minesweeper Engine Protocol (MEP), version 1.

See `docs/engine-protocol.md`. `engines` is the host's side, `engine_server` the engine's side.
"""

from __future__ import annotations

import re
from typing import Any

from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import NotationError, RulesError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules, with_options
from mineproof.notation.position_text import format_position, parse_position

HELLO = "mep 1"
_GAME = re.compile(r"game ([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,7}|\?)((?: [a-z-]+=\S+)*)")
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_MOVE = re.compile(
    r"(open|mark|unmark) ([0-9]{1,4}) ([0-9]{1,4})"
    rf"(?P<proved> proved)?(?: risk (?P<risk>{_NUMBER}))?(?: reason (?P<reason>.*))?"
)
_USUAL = {"start": "safe", "goal": "open", "explosion": "lose", "clues": "exact", "flood": "on"}
_USUAL["mine-count"] = "known"
"""The rules that the line `game` leaves out."""
_FLOOD = {"on": True, "off": False}


def game_line(rules: PublicRules, seed: int) -> str:
    """Write the line that begins a game."""
    mines, known = ("?", "unknown") if rules.mines is None else (rules.mines, "known")
    flood = "on" if rules.flood else "off"
    values = (rules.start, rules.goal, rules.explosion, rules.clues, flood, known)
    pairs = zip(_USUAL, map(str, values), strict=True)
    words = [f"{name}={value}" for name, value in pairs if value != _USUAL[name]]
    return " ".join([f"game {rules.rows} {rules.columns} {mines}", *words, f"seed={seed}"])


def parse_game_line(line: str) -> tuple[PublicRules, int]:
    """Read the line that begins a game; unknown keys are an error.

    Raises:
        NotationError: the line is wrong.
        RulesError: no game has such rules.
    """
    match = _GAME.fullmatch(line)
    if match is None:
        raise NotationError("expected game ROWS COLUMNS MINES [KEY=VALUE ...]")
    options: dict[str, Any] = dict(pair.split("=", 1) for pair in match[4].split())
    seed = options.pop("seed", "0")
    if not re.fullmatch(r"[0-9]{1,20}", seed) or int(seed) >= 2**64:
        raise NotationError(f"expected seed=N with N below 2^64, got {seed!r}")
    if unknown := options.keys() - _USUAL:
        raise RulesError(f"unknown rule {min(unknown)!r}")
    if "flood" in options:
        options["flood"] = _FLOOD.get(options["flood"], options["flood"])
    options["mine_count"] = options.pop("mine-count", "known")
    mines = 0 if match[3] == "?" else int(match[3])
    rules = with_options(Rules(int(match[1]), int(match[2]), mines), **options).public()
    if (match[3] == "?") != (rules.mines is None):
        raise RulesError("expected ? as the number of mines only with mine-count=unknown")
    return rules, int(seed)


def position_line(observation: Observation) -> str:
    """Write the line that asks for moves."""
    return f"position {'/'.join(format_position(observation).split()[1:])}"


def parse_position_line(line: str, rules: PublicRules) -> Observation:
    """Read the line that asks for moves in a game with these rules.

    Raises:
        NotationError: the position is wrong, or its size differs from that of the game.
    """
    mines = "?" if rules.mines is None else rules.mines
    body = line.partition(" ")[2].replace("/", "\n")
    seen = parse_position(f"{rules.columns}x{rules.rows}x{mines}\n{body}\n", clues=rules.clues)
    return Observation(rules, seen.shown, seen.marks)


def move_line(decision: Decision) -> str:
    """Write a decision as a move."""
    move = decision.move
    words = [f"{move.action} {move.cell.row} {move.cell.column}"]
    if decision.proved:
        words.append("proved")
    if decision.risk is not None:
        words.append(f"risk {decision.risk:.6g}")
    reason = " ".join(decision.reason.brief.split())
    return " ".join([*words, f"reason {reason}"] if reason else words)


def parse_moves(lines: list[str], observation: Observation) -> list[Decision]:
    """Read an engine's moves; an empty list means that it stops.

    Every move must be legal after the moves before it, as far as that can be known. Opened cells
    cannot be opened or flagged, and flagged cells cannot be opened.

    Raises:
        NotationError: a line is not a move, or the move is illegal.
    """
    if lines == ["stop"]:
        return []
    shown, marks = bytearray(observation.shown), bytearray(observation.marks)
    decisions = []
    for line in lines:
        decision = _parse_move(line, observation)
        action, index = decision.move.action, observation.grid.index(decision.move.cell)
        if problem := _problem(action, shown[index], marks[index]):
            raise NotationError(f"the move {line[:40]!r} is illegal: {problem}")
        if action is Action.OPEN:
            shown[index] = 0
        else:
            marks[index] = action is Action.MARK
        decisions.append(decision)
    if not decisions:
        raise NotationError("expected at least one move, or stop, before done")
    return decisions


def _parse_move(line: str, observation: Observation) -> Decision:
    match = _MOVE.fullmatch(line)
    if match is None:
        raise NotationError(
            "expected open, mark or unmark with ROW COLUMN [proved] [risk X] [reason TEXT], "
            f"stop or done, got {line[:80]!r}"
        )
    cell = Cell(int(match[2]), int(match[3]))
    if cell.row >= observation.rules.rows or cell.column >= observation.rules.columns:
        raise NotationError(f"the move {line[:40]!r} is not on the board")
    risk = None if match["risk"] is None else float(match["risk"])
    if risk is not None and not 0 <= risk <= 1:
        raise NotationError(f"expected a risk from 0 to 1, got {match['risk']!r}")
    move = Move(Action(match[1]), cell)
    return Decision(move, bool(match["proved"]), Reason(match["reason"] or ""), risk)


def _problem(action: Action, code: int, mark: int) -> str:
    """Return why a cell does not allow a move; empty if it does."""
    if code != UNOPENED:
        return "the cell is already open"
    if action is Action.UNMARK:
        return "" if mark else "the cell is not marked"
    return "the cell is marked: unmark it first" if mark else ""


def changes_nothing(decision: Decision, observation: Observation) -> bool:
    """Return whether a move would change nothing, for example because a flood opened its cell."""
    index = observation.grid.index(decision.move.cell)
    return bool(_problem(decision.move.action, observation.shown[index], observation.marks[index]))
