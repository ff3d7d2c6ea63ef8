"""`analyse`: all facts about a position."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import repeat
from typing import Any

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.decision import Candidate
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import TABLE_LIMIT, Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import as_rule
from mineproof.core.words import decimal
from mineproof.draw import draw
from mineproof.inference import counting
from mineproof.inference.budget import NEVER, Budget
from mineproof.inference.counting import Density, Facts
from mineproof.notation.codec import plain_form, to_plain
from mineproof.notation.inputs import Source, position_of
from mineproof.proof.ranking import rank
from mineproof.search.winning import UNKNOWN, WinChances, deepen_win, find_win

LAYOUTS_SHARE = 0.5
"""The share of the remaining time for counting layouts. The search for moves needs the rest."""


@plain_form(
    *("rows", "columns", "mines", "layouts=_layout_digits", "safe", "mined", "risk", "exact"),
    *("moves", "win", "win_exact", "elapsed_ms"),
)
class Analysis:
    """The facts about a position. Most of them are computed when they are first read."""

    rows: int
    columns: int
    mines: int | None
    """The number of mines; None if unknown."""
    exact: bool
    """Whether the risks are exact; otherwise they are estimates."""
    error: float | None
    """A bound on the mean error of estimated risks; None if the risks are exact."""
    win: float | None
    """The chance of winning with best play from here; None if unknown."""
    win_exact: bool
    """Whether `win` is exact; otherwise it is an estimate."""
    elapsed_ms: float = 0.0
    """The time that the analysis took, in milliseconds."""

    def __init__(self, facts: Facts, flags: tuple[int, ...], budget: Budget, moves: bool) -> None:
        """Wrap the facts about a position.

        Args:
            facts: what the engine found.
            flags: flagged cells that are treated as mines.
            budget: limits on the work.
            moves: whether to search for the best moves.
        """
        self.facts = facts
        self.rows, self.columns = facts.rows, facts.columns
        self.mines, self.exact, self.error = facts.mines, facts.exact, facts.error
        self._flags = flags
        self._budget = budget
        if budget.deadline < NEVER:
            _ = self.layouts  # count layouts before the search for moves uses up the time
        self._take(find_win(facts, budget) if moves else None)

    def _take(self, chances: WinChances | None) -> None:
        """Use these chances of winning, and forget the order of moves that depends on others."""
        self._chances = chances
        self.win = None if chances is None else chances.win
        self.win_exact = chances is not None and chances.exact
        self.__dict__.pop("moves", None)
        self.__dict__.pop("_order", None)
        self.__dict__.pop("_estimated", None)

    def deepen(self) -> Iterator[int]:
        """Improve an estimated chance of winning in rounds, until the time is used up.

        Each round yields the number of playouts of each of the best moves so far. There is no
        round if the chance is exact or unknown, or if the C++ core is missing.
        """
        if self._chances is None:
            return
        for chances, playouts in deepen_win(self.facts, self._chances, self._budget):
            self._take(chances)
            yield playouts
            if self._budget.is_late:
                return

    @cached_property
    def layouts(self) -> int | None:
        """The number of layouts; None if counting them takes too much work."""
        try:
            return self.facts.count_layouts(self._budget.share(LAYOUTS_SHARE))
        except WorkLimitError:  # the other facts are still valid
            return None

    @property
    def _layout_digits(self) -> str | None:
        """The number of layouts as text, because JavaScript would round a number."""
        return None if self.layouts is None else decimal(self.layouts)

    @cached_property
    def safe(self) -> tuple[Cell, ...]:
        """The unopened cells that are proved safe."""
        return self._cells(self.facts.safe)

    @cached_property
    def mined(self) -> tuple[Cell, ...]:
        """The unopened cells that are proved mines."""
        return self._cells(sorted((*self.facts.mined, *self._flags)))

    @cached_property
    def risk(self) -> list[list[float | None]]:
        """The risk of each cell by row and column; None for open cells."""
        values: list[float | None] = [None if math.isnan(x) else x for x in self.facts.risk]
        for index in self._flags:
            values[index] = 1.0
        width = self.columns
        return [values[start : start + width] for start in range(0, len(values), width)]

    @cached_property
    def moves(self) -> tuple[Candidate, ...]:
        """All unopened cells except proved mines, the best first; empty if there was no search."""
        return self.best_moves(len(self._order))

    def best_moves(self, count: int) -> tuple[Candidate, ...]:
        """Return the first of `moves`. On a large board, this is faster than `moves`."""
        found, order, risk = self._chances or UNKNOWN, self._first(count), self.facts.risk
        made = []
        for index, cell in zip(order, self._cells(order), strict=True):
            win = found.moves.get(index)
            doubt = (0.0, 0) if win is None else (found.error, found.playouts)
            made.append(Candidate(cell, risk[index], None, win, found.exact, None, *doubt))
        return tuple(made)

    @cached_property
    def _order(self) -> list[int]:
        if self._chances is None:
            return []
        order = rank(self.facts, self._chances.moves)
        return list(dict.fromkeys((*self._estimated, *order)))

    @cached_property
    def _estimated(self) -> list[int]:
        """The cells with an estimated chance of winning, the best first."""
        if self._chances is None or self.win_exact:
            return []
        wins = self._chances.moves
        cells = rank(self.facts, wins, list(filter(wins.get, wins)))
        return sorted(cells, key=lambda index: -wins[index])

    def _first(self, count: int) -> list[int]:
        """Return the first cells of the order. Few moves take no ranking of all cells."""
        found = self._estimated if count <= len(self._estimated) else self._order
        return found[:count]

    def to_plain(self) -> dict[str, Any]:
        """Return the fields of the JSON contract as plain values."""
        doubt = {} if self.error is None else {"risk_error": self.error}
        return {**to_plain(self), **doubt}

    def to_json(self) -> str:
        """Write the fields of the JSON contract on one line."""
        return json.dumps(self.to_plain(), allow_nan=False)

    def _cells(self, indices: tuple[int, ...] | list[int]) -> tuple[Cell, ...]:
        return tuple(map(Cell._make, map(divmod, indices, repeat(self.columns))))

    def _repr_svg_(self) -> str | None:
        """Return the heat map for a notebook, or None if the board is too large."""
        if self.rows * self.columns > TABLE_LIMIT:
            return None
        return draw(self.facts.observation, risks=self.facts.risk)

    def __repr__(self) -> str:
        """Return a short summary."""
        return (
            f"<Analysis {self.rows}x{self.columns}, {len(self.safe)} safe, "
            f"{len(self.mined)} mined, exact={self.exact}>"
        )


def analyse(  # noqa: PLR0913  (one keyword for each option of the command)
    position: Source,
    moves: bool = True,
    *,
    move: int | None = None,
    clues: ClueRule | str | None = None,
    flags_are_mines: bool = False,
    density: float | None = None,
    budget: Budget | float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    sampled: bool = False,
) -> Analysis:
    """Return all facts about a position.

    Args:
        position: a game, an observation, a record, a game id, `.mine` text, or a path.
        move: for a record, take the position before this move, counted from 1; by default the last.
        moves: whether to search for the best moves.
        clues: the clue rule or its text form; by default the rule of the observation, and
            exact clues for text.
        flags_are_mines: treat every flag as a proved mine.
        density: the density of mines, if their number is unknown; estimated by default.
        budget: the time limit in seconds, or all limits as a `Budget`.
        nodes: the work limit; unlike a time limit, it gives the same result every time.
        memory: the memory limit in bytes, 1 GB by default.
        sampled: return estimated risks, with `exact` False, if a limit is reached.

    Raises:
        TypeError: the position is of another type.
        NotationError: the text is not a position.
        InputError: a limit or the density is out of range.
        ContradictionError: no layout fits the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    counting.load()
    started = time.perf_counter()
    limits = budget if isinstance(budget, Budget) else Budget(budget, memory, nodes)
    prior = None if density is None else Density(density)
    plain = clues is None and move is None
    plain = plain and not (flags_are_mines or limits.seconds or limits.nodes or sampled)
    is_text = plain and isinstance(position, str) and "\n" in position
    facts = counting.count_text(str(position), limits) if is_text else None
    flags: tuple[int, ...] = ()
    if facts is None:
        seen = given_position(position, clues, move=move)
        if flags_are_mines:
            seen, given = seen.with_marks_as_mines(), seen.shown
            flags = tuple(i for i, code in enumerate(given) if code != seen.shown[i])
        facts = counting.count(
            seen, prior=prior if seen.rules.mines is None else None, budget=limits, sampled=sampled
        )
    found = Analysis(facts, flags, limits, moves)
    found.elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
    return found


def given_position(
    source: Source,
    clues: ClueRule | str | None,
    flags_are_mines: bool = False,
    move: int | None = None,
) -> Observation:
    """Return the position that a source names, under a clue rule."""
    model = None if clues is None else as_rule("clues", clues)
    position = position_of(source, move, clues=model or EXACT)
    if model is not None and model != position.rules.clues:
        rules = replace(position.rules, clues=model)
        position = Observation(rules, position.shown, position.marks)
    return position.with_marks_as_mines() if flags_are_mines else position
