"""Hypothesis strategies: rules, boards, games in progress, positions, records."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from hypothesis import strategies as st

from mineproof.core.board import Board
from mineproof.core.clues import (
    EXPLODED,
    UNOPENED,
    WITHHELD,
    Cautious,
    ClueRule,
    Exact,
    Optimistic,
    Withheld,
)
from mineproof.core.errors import NotationError
from mineproof.core.game import Game
from mineproof.core.grid import Cell, grid
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import (
    ANY,
    OPENING,
    SAFE,
    Explosion,
    Goal,
    MineCount,
    PublicRules,
    Rules,
    Start,
    StartKind,
)
from mineproof.notation.records import Record, Step

Source = TypeVar("Source")
Value = TypeVar("Value")


def attempt(read: Callable[[Source], Value], source: Source) -> Value | None:
    """Read something that may be malformed; return None if it is properly rejected."""
    try:
        return read(source)
    except NotationError:
        return None


def seeds() -> st.SearchStrategy[int]:
    """Draw seeds, small and large."""
    return st.integers(0, 20) | st.integers(0, MAX_SEED)


def starts() -> st.SearchStrategy[Start]:
    """Draw start rules of every kind, including `given:K` with whole numbers and fractions."""
    times = st.integers(1, 6).map(Fraction) | st.fractions(Fraction(1, 60), 50, max_denominator=60)
    given = times.map(lambda k: Start(StartKind.GIVEN, k))
    return st.sampled_from([ANY, SAFE, OPENING]) | given


def clue_models() -> st.SearchStrategy[ClueRule]:
    """Draw clue rules of every kind."""
    withheld = st.floats(0, 1).map(Withheld)
    plain = [Exact(), Optimistic(), Cautious()]
    return st.sampled_from(plain) | withheld


@st.composite
def rules(draw: st.DrawFn, max_side: int = 7, plain: bool = False) -> Rules:
    """Draw rules for small boards. With `plain`, only the size, the mines and the start vary."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    mines = draw(st.integers(0, rows * columns - 1) | st.integers(0, rows * columns // 5))
    mines = min(mines, rows * columns - 1)
    if plain:
        return Rules(rows, columns, mines, draw(starts()))
    return Rules(
        rows,
        columns,
        mines,
        draw(starts()),
        draw(st.sampled_from(Goal)),
        draw(st.sampled_from(Explosion)),
        draw(clue_models()),
        draw(st.sampled_from(MineCount)),
        draw(st.booleans()),
    )


@st.composite
def boards(draw: st.DrawFn, max_side: int = 7) -> Board:
    """Draw boards with any number of mines and at least one safe cell."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    cells = list(range(rows * columns))
    mines = draw(st.integers(0, len(cells) - 1))
    return Board.from_mines(rows, columns, draw(st.permutations(cells))[:mines])


def first_cells(size: Rules | Board) -> st.SearchStrategy[Cell]:
    return st.integers(0, size.rows * size.columns - 1).map(size.grid.cell)


def new_game(setting: Rules, seed: int, first: Cell) -> Game:
    """Start a game; `first` is ignored if the start rule opens given cells."""
    return Game(setting, seed, None if setting.start.kind is StartKind.GIVEN else first)


def legal_moves(game: Game) -> list[Move]:
    """Return every legal move of a game in progress, according to the documented rules."""
    if game.is_over:
        return []
    observation = game.observation
    if not game.has_started:
        return [Move(Action.OPEN, cell) for cell in observation.grid.cells()]
    moves = []
    for index, code in enumerate(observation.shown):
        cell = observation.grid.cell(index)
        if code == UNOPENED and observation.marks[index]:
            moves.append(Move(Action.UNMARK, cell))
        elif code == UNOPENED:
            moves += [Move(Action.OPEN, cell), Move(Action.MARK, cell)]
        elif code < UNOPENED and _can_chord(observation, index):
            moves.append(Move(Action.CHORD, cell))
    return moves


def _can_chord(observation: Observation, index: int) -> bool:
    near = observation.grid.neighbours(index)
    known = [i for i in near if observation.marks[i] or observation.shown[i] == EXPLODED]
    free = [i for i in near if observation.shown[i] == UNOPENED and not observation.marks[i]]
    return len(known) == observation.shown[index] and bool(free)


def play_on(game: Game, chooser: random.Random, moves: int) -> list[Move]:
    """Play up to a number of random legal moves and return them."""
    played = []
    for _ in range(moves):
        legal = legal_moves(game)
        if not legal:
            break
        played.append(chooser.choice(legal))
        game.play(played[-1])
    return played


@st.composite
def games(draw: st.DrawFn, max_side: int = 7, plain: bool = False, max_moves: int = 12) -> Game:
    """Draw games, finished or not, in which some random legal moves were made."""
    setting = draw(rules(max_side, plain))
    game = new_game(setting, draw(seeds()), draw(first_cells(setting)))
    play_on(game, draw(st.randoms(use_true_random=False)), draw(st.integers(0, max_moves)))
    return game


def observations(max_side: int = 7, plain: bool = False) -> st.SearchStrategy[Observation]:
    """Draw positions reached in games. At least one layout fits each of them."""
    return games(max_side, plain).map(lambda game: game.observation)


@st.composite
def drawn_positions(
    draw: st.DrawFn, max_side: int = 7, special: tuple[int, ...] = (WITHHELD, EXPLODED)
) -> Observation:
    """Draw positions cell by cell. Each clue is possible alone, but often no layout fits all."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    geometry = grid(rows, columns)
    numbers = draw(st.binary(min_size=geometry.size, max_size=geometry.size))
    choices = [
        [UNOPENED, UNOPENED, *special, *range(len(geometry.neighbours(index)) + 1)]
        for index in range(geometry.size)
    ]
    shown = bytes(
        choice[number % len(choice)] for choice, number in zip(choices, numbers, strict=True)
    )
    marks = bytes(
        code == UNOPENED and number > 127 for code, number in zip(shown, numbers, strict=True)
    )
    known = shown.count(EXPLODED)
    mines = st.none() | st.integers(known, known + shown.count(UNOPENED))
    return Observation(PublicRules(rows, columns, draw(mines)), shown, marks)


@st.composite
def records(draw: st.DrawFn, max_side: int = 6, max_moves: int = 12) -> Record:
    """Draw records of games that ended, were stopped, were abandoned or had not started."""
    setting = draw(rules(max_side))
    game = Game(setting, draw(seeds()))
    if not game.has_started and draw(st.integers(0, 9)):
        game.play(Move(Action.OPEN, draw(first_cells(setting))))
    moves = []
    if game.has_started:
        chooser = draw(st.randoms(use_true_random=False))
        moves = play_on(game, chooser, draw(st.integers(0, max_moves)))
    if draw(st.booleans()):
        game.stop()
    claims = st.tuples(st.none() | st.booleans(), st.none() | st.floats(0, 1), st.text(max_size=9))
    return Record(
        setting,
        game.seed,
        game.first,
        () if game.board is None else game.board.mine_indices,
        tuple(Step(move, *draw(claims)) for move in moves),
        game.outcome,
        draw(st.text(max_size=9)),
        draw(st.floats(0, 1e9)),
        draw(st.integers(0, 9)),
    )
