"""`analyse`: all facts of a position, as the command `analyse` prints them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import repeat
from typing import Any

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.decision import Candidate
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import TABLE_LIMIT, Cell
from mineproof.core.observation import Observation
from mineproof.draw import draw
from mineproof.inference import counting
from mineproof.inference.budget import NEVER, Budget
from mineproof.inference.counting import Density, Facts
from mineproof.notation.position_text import parse_position
from mineproof.proof.ranking import rank
from mineproof.search.winning import WinChances, find_win

CHUNK = 4000
"""Digits that Python turns into text at once; its limit is 4,300."""

LAYOUTS_SHARE = 0.5
"""The share of the time left for counting the layouts: moves are searched too."""


class Analysis:
    """The facts of a position; the fields of the JSON contract, built when they are asked for."""

    def __init__(
        self,
        facts: Facts,
        *,
        flags: tuple[int, ...] = (),
        chances: WinChances | None = None,
        elapsed: float = 0.0,
        count: Callable[[], int | None],
    ) -> None:
        """Present facts.

        Args:
            facts: what the engine found out.
            flags: unopened cells that are known to be mines because a flag says so.
            chances: what the search for the best move found; None if it was not asked for.
            elapsed: seconds that the analysis took.
            count: returns the number of layouts.
        """
        self.facts = facts
        self.win = None if chances is None else chances.win
        """The chance of winning under best play from here, where it is known."""
        self.win_exact = chances is not None and chances.exact
        self.elapsed_ms = elapsed * 1000
        self._flags = flags
        self._chances = chances
        self._count = count

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
    clues: ClueRule | str | None = None,
    flags_are_mines: bool = False,
    density: float | None = None,
    budget: Budget | float | None = None,
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
        budget: the time limit in seconds, or all limits as a `Budget`.
        nodes: the work limit; unlike a time limit, it gives the same result every time.
        memory: the memory limit in bytes, 1 GB by default.
        sampled: beyond these limits return estimated risks, with `exact` False.

    Raises:
        TypeError: the position is neither an observation nor text.
        NotationError: the text is not a position.
        InputError: a limit or the density is out of range.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    counting.load()
    started = time.perf_counter()
    limits = budget if isinstance(budget, Budget) else Budget(budget, memory, nodes)
    is_timed = limits.deadline < NEVER
    prior = None if density is None else Density(density)
    plain = clues is None and not (flags_are_mines or is_timed or limits.nodes or sampled)
    facts = counting.count_text(position, limits) if plain and isinstance(position, str) else None
    flags: tuple[int, ...] = ()
    if facts is None:
        seen = given_position(position, clues)
        if flags_are_mines:
            seen, given = seen.with_marks_as_mines(), seen.shown
            flags = tuple(i for i, code in enumerate(given) if code != seen.shown[i])
        facts = counting.count(
            seen, prior=prior if seen.rules.mines is None else None, budget=limits, sampled=sampled
        )
    count = _layouts_counter(facts, limits, is_timed)
    chances = find_win(facts, limits) if moves else None
    elapsed = time.perf_counter() - started
    return Analysis(facts, flags=flags, chances=chances, elapsed=elapsed, count=count)


def _layouts_counter(facts: Facts, limits: Budget, is_timed: bool) -> Callable[[], int | None]:
    """Return a function that counts layouts; if time is limited, they are counted at once."""

    def count() -> int | None:
        try:
            return facts.count_layouts(limits.share(LAYOUTS_SHARE))
        except WorkLimitError:  # the other facts are known all the same
            return None

    if not is_timed:
        return count
    layouts = count()
    return lambda: layouts


def given_position(
    position: Observation | str, clues: ClueRule | str | None, flags_are_mines: bool = False
) -> Observation:
    """Return the position that a caller means by text or an observation, and by what clues mean."""
    model = ClueRule.parse(clues) if isinstance(clues, str) else clues
    if isinstance(position, str):
        position = parse_position(position, clues=model or EXACT)
    elif not isinstance(position, Observation):
        raise TypeError(f"expected an Observation or .mine text, got {type(position).__name__}")
    elif model is not None and model != position.rules.clues:
        rules = replace(position.rules, clues=model)
        position = Observation(rules, position.shown, position.marks)
    return position.with_marks_as_mines() if flags_are_mines else position


def decimal(number: int) -> str:
    """Write an integer of any length in decimal: `str` refuses more than 4,300 digits."""
    digits = 1 + int(number.bit_length() * math.log10(2))
    if digits <= CHUNK:
        return str(number)
    half = digits // 2
    high, low = divmod(number, 10**half)
    return decimal(high) + decimal(low).zfill(half)
