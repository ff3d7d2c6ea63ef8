"""Why a position has no layout: a smallest set of clues that contradict each other.

It is a smallest set that hits every *correction*: clues without which the others can be true. If
some layout satisfies a set, as many other clues are added as can be true with it, and those left
over are one more correction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.words import joined
from mineproof.inference.budget import Budget
from mineproof.inference.counting.prior import Density, Prior
from mineproof.inference.counting.reference import ReferenceFacts
from mineproof.inference.hitting import HittingSearch, drop_needless
from mineproof.inference.local import ImpossibleError

TRIALS = 2_000
"""Sets of clues that are tried at most, and far fewer on huge boards: see `Trials`."""
SEARCHES = 20_000
"""Steps of the search for a smallest hitting set."""
WINDOW = 2_500
"""Boards up to so many cells are searched whole; on others, a window around the contradiction."""
NODES = 20_000
"""States for one trial; a set that takes more counts as possible."""
NAMED = 6
"""Clues that a message names."""
ANYTHING = Density(0.5)
"""A prior that allows any number of mines."""


def explain_contradiction(
    observation: Observation, prior: Prior | None, budget: Budget
) -> ContradictionError:
    """Return the error for a position without layouts: it names the fewest clues possible.

    The mine count takes part only if the clues alone can all be true.

    Args:
        observation: a position that has no layout.
        prior: what is known of the number of mines; None for nothing.
        budget: limits on time and memory.
    """
    conflict = _conflict_of_clues(observation, budget.fork())
    uses_mine_count = conflict is None
    if conflict is None:
        conflict = smallest_conflict(Trials(observation, prior or ANYTHING, budget))
    clues = sorted(conflict)
    listed = _listed(observation, clues, prior if uses_mine_count else None)
    text = f"expected a position that some layout agrees with, got a contradiction: {listed}"
    cells = tuple(observation.grid.cell(clue) for clue in clues)
    return ContradictionError(text, cells, uses_mine_count, listed=listed)


def _conflict_of_clues(observation: Observation, budget: Budget) -> frozenset[int] | None:
    """Return a smallest contradiction of the clues alone, or None if they can all be true."""
    try:
        ReferenceFacts(observation, ANYTHING, budget)
    except ImpossibleError as impossible:
        window = find_window(observation, impossible.cell, budget)
        conflict = smallest_conflict(Trials(window.observation, ANYTHING, budget))
        return frozenset(window.cells[clue] for clue in conflict)
    except WorkLimitError:
        return frozenset()
    return None


def smallest_conflict(trials: Trials) -> frozenset[int]:
    """Return a smallest set of clues that no layout satisfies.

    Where that takes too many trials, the set is irreducible: without any one of its clues
    it could be true. On a huge board it may be larger still, but it is a contradiction.
    """
    left = SEARCHES

    def spend() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise WorkLimitError("expected a smallest set of clues sooner, got none")

    def ask(chosen: tuple[int, ...]) -> frozenset[int] | None:
        layout = trials.layout(chosen)
        return None if layout is None else _correction(trials, frozenset(chosen), layout)

    try:
        found = HittingSearch(ask, spend).run()
    except WorkLimitError:
        found = None
    return _irreducible(trials) if found is None else frozenset(found)


class Trials:
    """Asks of sets of clues whether a layout satisfies them."""

    def __init__(self, observation: Observation, prior: Prior, budget: Budget) -> None:
        """Prepare to ask about the clues of a position."""
        self._budget = budget.fork(NODES)
        self.observation = observation
        self.prior = prior
        self.most = 2 + TRIALS * WINDOW // max(WINDOW, len(observation.shown))
        self.left = self.most
        self.clues = frozenset(i for i, code in enumerate(observation.shown) if code < UNOPENED)

    def layout(self, clues: Collection[int]) -> bytes | None:
        """Return a layout that satisfies these clues (and the mine count), or None.

        Raises:
            WorkLimitError: enough was asked.
        """
        if self.left <= 0:
            raise WorkLimitError("expected an answer after fewer sets of clues, got none")
        self.left -= 1
        shown = bytearray(self.observation.shown)
        for clue in self.clues.difference(clues):
            shown[clue] = WITHHELD
        asked = Observation(self.observation.rules, bytes(shown))
        try:
            return ReferenceFacts(asked, self.prior, self._budget).sample(0)
        except ImpossibleError:
            return None

    def contradict(self, clues: Collection[int]) -> bool:
        """Return whether no layout satisfies these clues; what is too much work might have one."""
        try:
            return self.layout(clues) is None
        except WorkLimitError:
            return False

    def true_in(self, layout: bytes) -> frozenset[int]:
        """Return the clues that can be true in a layout."""
        shown, grid = self.observation.shown, self.observation.grid
        rule = self.observation.rules.clues
        true = []
        for clue in self.clues:
            near = grid.neighbours(clue)
            weights = rule.weights(shown[clue], len(near))
            if weights[sum(layout[cell] for cell in near)]:
                true.append(clue)
        return frozenset(true)


def _correction(trials: Trials, chosen: frozenset[int], layout: bytes) -> frozenset[int]:
    """Return clues without which all others can be true, none of them in `chosen`."""
    satisfied = trials.true_in(layout)
    for clue in sorted(trials.clues - satisfied):
        if clue not in satisfied:
            found = trials.layout(satisfied | {clue})
            if found is not None:
                satisfied = trials.true_in(found)
    return trials.clues - satisfied


def _irreducible(trials: Trials) -> frozenset[int]:
    """Drop clues as long as the others still contradict each other.

    On huge boards the trials may not last until none is left without need: the set is a
    contradiction all the same.
    """
    clues = sorted(trials.clues, key=lambda clue: (trials.observation.shown[clue], clue))
    small = len(trials.observation.shown) <= WINDOW
    trials.left = 3 * len(clues) if small else trials.most // 2
    return frozenset(drop_needless(clues, trials.contradict))


class BoardWindow(NamedTuple):
    """A rectangle of a board, as a position of its own."""

    observation: Observation
    cells: Sequence[int]
    """The index on the whole board of each cell of the window."""


def find_window(observation: Observation, near: int, budget: Budget) -> BoardWindow:
    """Return a window of a huge board around a cell that has a contradiction of its own."""
    rules = observation.rules
    radius = 4
    while rules.rows * rules.columns > WINDOW and radius < max(rules.rows, rules.columns):
        window = _cut(observation, near, radius)
        try:
            ReferenceFacts(window.observation, ANYTHING, budget)
        except ImpossibleError:
            return window
        except WorkLimitError:
            break
        radius *= 2
    return BoardWindow(observation, range(len(observation.shown)))


def _cut(observation: Observation, near: int, radius: int) -> BoardWindow:
    """Cut a window out of a board; clues with neighbours outside it are withheld."""
    shown, grid = observation.shown, observation.grid
    lines = grid.window(near, radius)
    cells = [index for line in lines for index in range(line.start, line.stop)]
    inside = frozenset(cells)
    codes = bytes(
        WITHHELD
        if shown[index] < UNOPENED and not inside.issuperset(grid.neighbours(index))
        else shown[index]
        for index in cells
    )
    columns = lines[0].stop - lines[0].start
    rules = replace(observation.rules, rows=len(lines), columns=columns, mines=None)
    return BoardWindow(Observation(rules, codes), cells)


def _listed(observation: Observation, clues: list[int], prior: Prior | None) -> str:
    named = [
        f"the {observation.shown[clue]} at {observation.grid.cell(clue)}" for clue in clues[:NAMED]
    ]
    if len(clues) > NAMED:
        named.append(f"{len(clues) - NAMED} more clues")
    if prior is not None:
        named.append(f"the mine count ({prior})")
    return joined(named or ["the clues together"])
