"""Game ids: one short line that gives the same game again.

    16x30/99:s7                       expert, seed 7, nothing opened yet
    16x30/99:s7:f0,0                  the same, begun at row 0, column 0
    9x9/10:given-1:mark:s12           other rules stand where they differ from the usual ones
    2x3/2:s0:f0,0:mJA                 a board that no seed deals, with all its mines

The parts are joined by colons: `ROWSxCOLUMNS/MINES`, then the rules, then `s` and the seed,
`f` and the first cell once it is open, `m` and the mines where the seed does not give them
(one bit a cell in row order, as base64url without padding). Every character may stand
unescaped in a URL's query or fragment, and needs no quotes in a shell.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

from mineproof.core.board import Board, is_dealt
from mineproof.core.clues import BUILT_IN, clue_rules
from mineproof.core.errors import InputError, NotationError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_GAME_SEED, check_seed
from mineproof.core.rules import Rules, StartKind, with_options
from mineproof.notation.text import BLANKS, quote

_SEED = re.compile(r"s([0-9]{1,39})")
_FIRST = re.compile(r"f([0-9]{1,4}),([0-9]{1,4})")
_MINES = re.compile(r"m([A-Za-z0-9_-]+)")

_WORDS: dict[str, tuple[str, str | bool]] = {
    "any": ("start", "any"),
    "safe": ("start", "safe"),
    "opening": ("start", "opening"),
    "no-guess": ("start", "no-guess"),
    "open": ("goal", "open"),
    "mark": ("goal", "mark"),
    "lose": ("explosion", "lose"),
    "continue": ("explosion", "continue"),
    "mines-known": ("mine_count", "known"),
    "mines-unknown": ("mine_count", "unknown"),
    "flood-on": ("flood", True),
    "flood-off": ("flood", False),
}
_WITH_MORE = {"given": "start", "no-guess": "start"}
"""Words with a part that may be anything: a number, or an agent."""
_OWN_CLUES = "clues-"
"""What stands before a clue rule that is not built in: its name may be any word."""


class GameId(NamedTuple):
    """What a game id says; `board` is None where rules, seed and first cell give it."""

    rules: Rules
    seed: int
    first: Cell | None = None
    board: Board | None = None

    def game(self) -> Game:
        """Set up the game, with its first cell open if there is one."""
        return Game(self.rules, self.seed, self.first, self.board)

    def __str__(self) -> str:
        """Write the id as `parse_game_id` reads it."""
        parts = [self.rules.level, *_rule_words(self.rules), f"s{self.seed}"]
        if self.first is not None:
            parts.append(f"f{self.first[0]},{self.first[1]}")
        if self.board is not None:
            parts.append(f"m{_pack(self.board)}")
        return ":".join(parts)


def game_id(game: Game) -> GameId:
    """Give the id of a game; it holds the mines only where the seed deals other ones."""
    board = game.board
    if (
        board is not None
        and game.has_started
        and is_dealt(board, game.rules, game.seed, game.first)
    ):
        board = None
    return GameId(game.rules, game.seed, game.first, board)


def format_game_id(game: Game | GameId) -> str:
    """Write the id of a game in one line."""
    return str(game_id(game) if isinstance(game, Game) else game)


def parse_game_id(text: str) -> GameId:
    """Read a game id. A level's name may stand for its size and rules: `expert:s7`.

    Raises:
        NotationError: the text is no game id; the message says which part is wrong.
    """
    level, *parts = text.strip(BLANKS + "\n").split(":")
    try:
        rules, rest = _read_rules(Rules.parse(level), parts)
        seed, rest = _read_seed(rest)
        first, rest = _read_first(rules, rest)
        board, rest = _read_mines(rules, rest)
    except InputError as error:
        raise NotationError(f"not a game id: {error}") from None
    if rest:
        raise NotationError(
            "not a game id: expected rules, then s and a seed, f and a first cell, m and mines, "
            f"got {quote(rest[0])}"
        )
    return _checked(GameId(rules, seed, first, board))


def _checked(identity: GameId) -> GameId:
    rules, _, first, board = identity
    if rules.start.kind is StartKind.GIVEN and first is not None:
        raise NotationError(f"not a game id: expected no first cell under given, got {first}")
    if board is None:
        return identity
    if len(board.mine_indices) != rules.mines:
        raise NotationError(
            f"not a game id: expected {rules.mines} mines, got {len(board.mine_indices)}"
        )
    if rules.start.kind is not StartKind.ANY and first in board.mines:
        raise NotationError(f"not a game id: expected a first cell without a mine, got {first}")
    return identity


def _rule_words(rules: Rules) -> Iterator[str]:
    """Give the words of all rules that are not the usual ones."""
    usual = Rules(rules.rows, rules.columns, rules.mines)
    for name in ("start", "goal", "explosion", "clues"):
        rule = getattr(rules, name)
        if rule != getattr(usual, name):
            own = name == "clues" and rule.name not in BUILT_IN
            yield f"{_OWN_CLUES if own else ''}{rule}".replace(":", "-")
    if rules.mine_count != usual.mine_count:
        yield f"mines-{rules.mine_count}"
    if not rules.flood:
        yield "flood-off"


def _read_rules(rules: Rules, parts: list[str]) -> tuple[Rules, list[str]]:
    options: dict[str, str | bool] = {}
    for place, part in enumerate(parts):
        found = _read_word(part)
        if found is None:
            return with_options(rules, **options), parts[place:]
        name, value = found
        if name in options:
            raise NotationError(f"expected one rule of a kind, got {quote(part)} as well")
        options[name] = value
    raise NotationError(f"expected s and a seed at the end, got {quote(':'.join(parts))}")


def _read_word(part: str) -> tuple[str, str | bool] | None:
    for word, name in _WITH_MORE.items():
        if part.startswith(f"{word}-"):
            return name, f"{word}:{part.removeprefix(f'{word}-')}"
    return _WORDS.get(part) or _read_clues(part)


def _read_clues(part: str) -> tuple[str, str] | None:
    """Read a word for a clue rule, with its parameter after a hyphen."""
    own = part.startswith(_OWN_CLUES)
    text = part.removeprefix(_OWN_CLUES)
    names = [rule.name for rule in clue_rules()] if own else list(BUILT_IN)
    for name in sorted(names, key=len, reverse=True):
        if text == name or text.startswith(f"{name}-"):
            return "clues", name + text.removeprefix(name).replace("-", ":", 1)
    return ("clues", text) if own else None


def _read_seed(parts: list[str]) -> tuple[int, list[str]]:
    match = _SEED.fullmatch(parts[0])
    if match is None:
        raise NotationError(f"expected a rule, or s and a seed such as s7, got {quote(parts[0])}")
    return check_seed(int(match[1]), MAX_GAME_SEED), parts[1:]


def _read_first(rules: Rules, parts: list[str]) -> tuple[Cell | None, list[str]]:
    match = _FIRST.fullmatch(parts[0]) if parts else None
    if match is None:
        return None, parts
    first = Cell(int(match[1]), int(match[2]))
    rules.grid.index(first)
    return first, parts[1:]


def _read_mines(rules: Rules, parts: list[str]) -> tuple[Board | None, list[str]]:
    match = _MINES.fullmatch(parts[0]) if parts else None
    if match is None:
        return None, parts
    return _unpack(rules.rows, rules.columns, match[1]), parts[1:]


def _pack(board: Board) -> str:
    """Write one bit a cell, the first cell in the highest bit, as base64url."""
    size = len(board.mined)
    bits = board.mined.translate(b"01".ljust(256)).decode().ljust(-size % 8 + size, "0")
    packed = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return _encode(packed)


def _encode(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _unpack(rows: int, columns: int, text: str) -> Board:
    size = rows * columns
    length = (size + 7) // 8
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error:
        packed = b""
    if len(packed) != length or _encode(packed) != text:
        raise NotationError(
            f"expected mines as {length} bytes of base64url for {size} cells, got {quote(text)}"
        )
    bits = bin(int.from_bytes(b"\1" + packed, "big"))[3:].encode()
    if b"1" in bits[size:]:
        raise NotationError(f"expected no mines beyond the last of {size} cells, got some")
    return Board(rows, columns, bits[:size].translate(bytes(byte & 1 for byte in range(256))))
