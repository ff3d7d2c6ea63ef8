"""`analyse`: all facts of a position, as the command `analyse` prints them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from itertools import repeat
from typing import Any

from mineproof.core.clues import EXPLODED, UNOPENED, ClueModel
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.grid import TABLE_LIMIT, Cell
from mineproof.core.observation import Observation
from mineproof.draw import draw
from mineproof.inference import counting
from mineproof.inference.counting import Density, Facts
from mineproof.inference.counting.work import bounded, hurried
from mineproof.proof.explanation import given_position
from mineproof.proof.ranking import rank
from mineproof.search.winning import (
    UNKNOWN,
    WinChances,
    default_limits,
    estimate_win,
    win_chances,
)

CHUNK = 4000
"""Digits that Python turns into text at once; its limit is 4,300."""

LAYOUTS_SHARE = 0.5
"""Of the time that is left counting the layouts takes so much at most: moves are searched too."""

MOST_NODES = 10**18
"""No limit on the work is larger: the native core counts in 64 bits."""


class Analysis:
    """The facts of a position; the fields of the JSON contract, built when they are asked for."""

    def __init__(
        self,
        facts: Facts,
        *,
        flags: tuple[int, ...] = (),
        chances: WinChances | None = None,
        elapsed: float = 0.0,
        count: Callable[[], int | None] | None = None,
    ) -> None:
        """Present facts.

        Args:
            facts: what the engine found out.
            flags: unopened cells that are known to be mines because a flag says so.
            chances: what the search for the best move found; None if it was not asked for.
            elapsed: seconds that the analysis took.
            count: gives the number of layouts, within the bounds of the analysis.
        """
        self.facts = facts
        self.win = None if chances is None else chances.win
        """The chance of winning under best play from here, where it is known."""
        self.win_exact = chances is not None and chances.exact
        self.elapsed_ms = elapsed * 1000
        self._flags = flags
        self._chances = chances
        self._count = count or partial(_count_layouts, facts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.facts.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.facts.columns

    @property
    def mines(self) -> int | None:
        """The number of mines; None where it is not known."""
        return self.facts.mines

    @cached_property
    def layouts(self) -> int | None:
        """The number of layouts; None where they are too many to count within the bounds."""
        return self._count()

    @property
    def exact(self) -> bool:
        """Whether the risks are exact; otherwise they are estimates."""
        return self.facts.exact

    @cached_property
    def safe(self) -> tuple[Cell, ...]:
        """The unopened cells that are mined in no layout."""
        return self._cells(self.facts.safe)

    @cached_property
    def mined(self) -> tuple[Cell, ...]:
        """The unopened cells that are mined in every layout."""
        return self._cells(sorted((*self.facts.mined, *self._flags)))

    @cached_property
    def risk(self) -> list[list[float | None]]:
        """The probability of a mine by row and column; None where a cell is open."""
        values: list[float | None] = [None if math.isnan(x) else x for x in self.facts.risk]
        for index in self._flags:
            values[index] = 1.0
        width = self.columns
        return [values[start : start + width] for start in range(0, len(values), width)]

    @property
    def error(self) -> float | None:
        """By how much estimated risks may be off, on average; None where they are exact."""
        return self.facts.error

    @cached_property
    def moves(self) -> tuple[Candidate, ...]:
        """Every unopened cell that is not a known mine, best first; empty if not asked for."""
        return self.best_moves(len(self._order))

    def best_moves(self, count: int) -> tuple[Candidate, ...]:
        """Give the first few of `moves`, faster on a large board."""
        risk, exact = self.facts.risk, self.win_exact
        wins = {} if self._chances is None else self._chances.moves
        order = self._order[:count]
        return tuple(
            Candidate(cell, risk[index], win=wins.get(index), win_exact=exact)
            for index, cell in zip(order, self._cells(order), strict=True)
        )

    @cached_property
    def _order(self) -> list[int]:
        if self._chances is None:
            return []
        wins = self._chances.moves
        order = rank(self.facts, wins)
        if wins and not self.win_exact:  # estimates are of those alone that come close to the best
            order.sort(key=lambda index: -wins.get(index, 0.0))
        return order

    def to_plain(self) -> dict[str, Any]:
        """Give the fields of the JSON contract as plain values."""
        doubt = {} if self.error is None else {"risk_error": self.error}
        return {
            "rows": self.rows,
            "columns": self.columns,
            "mines": self.mines,
            "layouts": None if self.layouts is None else decimal(self.layouts),
            "safe": self.safe,
            "mined": self.mined,
            "risk": self.risk,
            "exact": self.exact,
            "moves": [
                {"cell": move.cell, "risk": move.risk, "win": move.win} for move in self.moves
            ],
            "win": self.win,
            "win_exact": self.win_exact,
            "elapsed_ms": round(self.elapsed_ms, 3),
            **doubt,
        }

    def to_json(self) -> str:
        """Write the fields of the JSON contract on one line."""
        return json.dumps(self.to_plain(), allow_nan=False)

    def _cells(self, indices: tuple[int, ...] | list[int]) -> tuple[Cell, ...]:
        return tuple(map(Cell._make, map(divmod, indices, repeat(self.columns))))

    def _repr_svg_(self) -> str | None:
        """Give the heat map for a notebook; None, for the text, where it is too big."""
        if self.rows * self.columns > TABLE_LIMIT:
            return None
        return draw(self.facts.observation, risks=self.facts.risk)

    def __repr__(self) -> str:
        """Say what was found in short."""
        return (
            f"<Analysis {self.rows}x{self.columns}, {len(self.safe)} safe, "
            f"{len(self.mined)} mined, exact={self.exact}>"
        )


def analyse(  # noqa: PLR0913  (one keyword for each option of the command)
    position: Observation | str,
    moves: bool = True,
    *,
    clues: ClueModel | str | None = None,
    flags_are_mines: bool = False,
    density: float | None = None,
    budget: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    sampled: bool = False,
) -> Analysis:
    """Work out all facts of a position.

    Args:
        position: an observation, or `.mine` text that holds one position.
        moves: whether to search for the best moves and to rank them.
        clues: what the digits mean, a model or its text form; by default what the
            observation's rules say, and exact clues for text.
        flags_are_mines: take every mark as a fact.
        density: the density of mines where the position does not tell their number; by
            default it is estimated.
        budget: seconds of work at most.
        nodes: states of work at most; this limit is repeatable.
        memory: bytes at most, a gigabyte by default.
        sampled: beyond these limits give estimated risks, with `exact` False.

    Raises:
        TypeError: the position is neither an observation nor text.
        NotationError: the text is not a position.
        InputError: a limit or the density is out of range.
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    _check_limits(density, budget, nodes, memory)
    counting.load()
    with bounded(budget, memory):
        given = (position, moves, clues, flags_are_mines, density, budget, nodes, memory, sampled)
        return _analyse(*given)


def _analyse(  # noqa: PLR0913, PLR0917  (as `analyse`)
    position: Observation | str,
    moves: bool,
    clues: ClueModel | str | None,
    flags_are_mines: bool,
    density: float | None,
    budget: float | None,
    nodes: int | None,
    memory: int | None,
    sampled: bool,
) -> Analysis:
    started = time.perf_counter()
    plain = clues is None and not (flags_are_mines or budget or nodes or sampled)
    facts = counting.count_text(position) if plain and isinstance(position, str) else None
    flags: tuple[int, ...] = ()
    if facts is None:
        seen = given_position(position, clues)
        if flags_are_mines:
            seen, flags = _with_flags(seen)
        prior = Density(density) if density is not None and seen.rules.mines is None else None
        facts = counting.count(seen, prior=prior, nodes=nodes, seconds=budget, sampled=sampled)
    count: Callable[[], int | None] = partial(_count_layouts, facts, memory)
    if budget is not None:  # else there is time for it when it is asked for
        with hurried(LAYOUTS_SHARE):
            count = partial(_same, count())
    left = None if budget is None else max(0.0, started + budget - time.perf_counter())
    chances = _chances(facts, nodes, left) if moves else None
    elapsed = time.perf_counter() - started
    return Analysis(facts, flags=flags, chances=chances, elapsed=elapsed, count=count)


def _count_layouts(facts: Facts, memory: int | None = None) -> int | None:
    """Count the layouts within the bounds of the question; None where they are too many."""
    try:
        with bounded(memory=memory):
            return facts.layouts
    except WorkLimitError:  # the other facts are there all the same
        return None


def _same(layouts: int | None) -> int | None:
    return layouts


def _chances(facts: Facts, nodes: int | None, seconds: float | None) -> WinChances:
    """Search for best play within the limits of an analysis."""
    usual = default_limits()
    work = usual.work if nodes is None else min(usual.work, nodes)
    if not facts.exact:
        return UNKNOWN
    started = time.perf_counter()
    try:
        found = win_chances(facts, replace(usual, work=work, seconds=seconds))
        if found.win is not None:
            return found
        if seconds is None:
            return estimate_win(facts, found.best)
        return estimate_win(facts, found.best, max(0.0, seconds - time.perf_counter() + started))
    except WorkLimitError:  # the facts are there all the same
        return UNKNOWN


def _check_limits(
    density: float | None, budget: float | None, nodes: int | None, memory: int | None
) -> None:
    """Refuse what cannot be meant, whether the position needs it or not."""
    if density is not None:
        Density(density)
    if budget is not None and not budget > 0:
        raise InputError(f"expected a budget of more than 0 seconds, got {budget!r}")
    if nodes is not None and not 1 <= nodes <= MOST_NODES:
        raise InputError(f"expected 1 to {MOST_NODES} nodes, got {nodes!r}")
    if memory is not None and memory < 1:
        raise InputError(f"expected memory of at least a byte, got {memory!r}")


def _with_flags(observation: Observation) -> tuple[Observation, tuple[int, ...]]:
    """Turn the marks of a position into mines that are shown."""
    shown, marks = bytearray(observation.shown), observation.marks
    flags = tuple(i for i, code in enumerate(shown) if marks[i] and code == UNOPENED)
    for index in flags:
        shown[index] = EXPLODED
    return Observation(observation.rules, bytes(shown), marks), flags


def decimal(number: int) -> str:
    """Write an integer of any length in decimal: `str` refuses more than 4,300 digits."""
    digits = 1 + int(number.bit_length() * math.log10(2))
    if digits <= CHUNK:
        return str(number)
    half = digits // 2
    high, low = divmod(number, 10**half)
    return decimal(high) + decimal(low).zfill(half)
