"""Game ids: a game in one short line.

    16x30/99:s7                       expert, seed 7, nothing opened yet
    16x30/99:s7:f0,0                  the same, started at row 0, column 0
    9x9/10:given-1:mark:s12 with rules that differ from the defaults
    2x3/2:s0:f0,0:mJA                 a board that no seed deals, with all its mines

The words of an id are joined by colons: `ROWSxCOLUMNS/MINES`, then the rules, then `s` and the
seed, `f` and the first cell once it is open, and `m` and the mines if the seed does not deal them
(one bit per cell in row order, as base64url without padding). No character needs escaping in a
URL's query or fragment, or quoting in a shell.
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
_STARTS_WITH_ARGUMENT = ("given", "no-guess")
"""Start rules that may have an argument (a number or an agent) after a hyphen."""
_OWN_CLUES = "clues-"
"""The prefix of clue rules that are not built in. It avoids name clashes with other rules."""


class GameId(NamedTuple):
    """The contents of a game id. `board` is None if rules, seed and first cell determine it."""

    rules: Rules
    seed: int
    first: Cell | None = None
    board: Board | None = None

    def game(self) -> Game:
        """Return the game, with its first cell open if the id contains one."""
        return Game(self.rules, self.seed, self.first, self.board)

    def __str__(self) -> str:
        """Return the text that `parse_game_id` reads."""
        words = [self.rules.level, *_rule_words(self.rules), f"s{self.seed}"]
        if self.first is not None:
            words.append(f"f{self.first[0]},{self.first[1]}")
        if self.board is not None:
            words.append(f"m{_pack(self.board)}")
        return ":".join(words)


def game_id(game: Game) -> GameId:
    """Return the id of a game. It contains the mines only if the seed does not deal them."""
    board = game.board
    if (
        board is not None
        and game.has_started
        and is_dealt(board, game.rules, game.seed, game.first)
    ):
        board = None
    return GameId(game.rules, game.seed, game.first, board)


def format_game_id(game: Game | GameId) -> str:
    """Return the id of a game as text."""
    return str(game_id(game) if isinstance(game, Game) else game)


def parse_game_id(text: str) -> GameId:
    """Return the contents of a game id. It may start with a level's name: `expert:s7`.

    Raises:
        NotationError: if the text is not a game id; the message quotes the wrong word.
    """
    level, *words = text.strip(BLANKS + "\n").split(":")
    try:
        rules, rest = _read_rules(Rules.parse(level), words)
        return _read_game(rules, rest)
    except InputError as error:
        raise NotationError(f"not a game id: {error}") from None


def _read_game(rules: Rules, words: list[str]) -> GameId:
    """Read the words after the rules: the seed, the first cell and the mines."""
    seed = _SEED.fullmatch(words[0])
    if seed is None:
        raise NotationError(f"expected a rule or a seed such as s7, got {quote(words[0])}")
    check_seed(int(seed[1]), MAX_GAME_SEED)
    rest = words[1:]
    first = board = None
    if rest and (match := _FIRST.fullmatch(rest[0])):
        first = Cell(int(match[1]), int(match[2]))
        rules.grid.index(first)
        rest = rest[1:]
    if rest and (match := _MINES.fullmatch(rest[0])):
        board = _unpack(rules.rows, rules.columns, match[1])
        rest = rest[1:]
    if rest:
        raise NotationError(
            "expected a game id to end after rules, seed (s), first cell (f) and mines (m), "
            f"got {quote(rest[0])}"
        )
    _check_start(rules, first, board)
    return GameId(rules, int(seed[1]), first, board)


def _check_start(rules: Rules, first: Cell | None, board: Board | None) -> None:
    if rules.start.kind is StartKind.GIVEN and first is not None:
        raise NotationError(f"expected no first cell with start given, got {first}")
    if board is None:
        return
    if len(board.mine_indices) != rules.mines:
        raise NotationError(f"expected {rules.mines} mines, got {len(board.mine_indices)}")
    if rules.start.kind is not StartKind.ANY and first in board.mines:
        raise NotationError(f"expected a first cell without a mine, but {first} is a mine")


def _rule_words(rules: Rules) -> Iterator[str]:
    """Return the words for all rules that differ from the defaults."""
    defaults = Rules(rules.rows, rules.columns, rules.mines)
    for name in ("start", "goal", "explosion", "clues"):
        rule = getattr(rules, name)
        if rule != getattr(defaults, name):
            own = name == "clues" and rule.name not in BUILT_IN
            yield f"{_OWN_CLUES if own else ''}{rule}".replace(":", "-")
    if rules.mine_count != defaults.mine_count:
        yield f"mines-{rules.mine_count}"
    if not rules.flood:
        yield "flood-off"


def _read_rules(rules: Rules, words: list[str]) -> tuple[Rules, list[str]]:
    """Return the rules, and the words after them."""
    options: dict[str, str | bool] = {}
    for index, word in enumerate(words):
        found = _read_rule(word)
        if found is None:
            return with_options(rules, **options), words[index:]
        name, value = found
        if name in options:
            rule = name.replace("_", " ")
            raise NotationError(f"the {rule} rule is given twice: {quote(word)}. Remove one")
        options[name] = value
    raise NotationError(f"expected a seed such as s7 at the end, got {quote(':'.join(words))}")


def _read_rule(word: str) -> tuple[str, str | bool] | None:
    for start in _STARTS_WITH_ARGUMENT:
        if word.startswith(f"{start}-"):
            return "start", f"{start}:{word.removeprefix(f'{start}-')}"
    return _WORDS.get(word) or _read_clues(word)


def _read_clues(word: str) -> tuple[str, str] | None:
    """Read a clue rule, with its parameter after a hyphen."""
    own = word.startswith(_OWN_CLUES)
    text = word.removeprefix(_OWN_CLUES)
    names = [rule.name for rule in clue_rules()] if own else list(BUILT_IN)
    for name in sorted(names, key=len, reverse=True):
        if text == name or text.startswith(f"{name}-"):
            return "clues", name + text.removeprefix(name).replace("-", ":", 1)
    return ("clues", text) if own else None


def _pack(board: Board) -> str:
    """Return the mines as base64url, with one bit per cell. The first cell is the highest bit."""
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
        raise NotationError(f"the list of mines names a cell outside the board of {size} cells")
    return Board(rows, columns, bits[:size].translate(bytes(byte & 1 for byte in range(256))))
