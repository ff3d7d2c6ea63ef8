"""Finds a smallest set of clues that contradict each other if no layout fits a position.

The set must have a clue in common with every *correction*: a set of clues without which all other
clues can be true. If a layout satisfies some clues, as many other clues as possible are added, and
the remaining ones are another correction.
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
from mineproof.inference.counting.facts import with_clues
from mineproof.inference.counting.prior import Density, Prior
from mineproof.inference.counting.reference import ReferenceFacts
from mineproof.inference.hitting import HittingSearch, drop_needless
from mineproof.inference.local import ImpossibleError

TRIALS = 2_000
"""Maximum number of sets of clues to try. It is far lower on huge boards (see `Trials`)."""
SEARCHES = 20_000
"""Maximum number of steps of the search for a smallest hitting set."""
WINDOW = 2_500
"""On boards with more cells, search only a window around the contradiction."""
NODES = 20_000
"""Maximum number of states for one trial. If a set of clues takes more, it is treated as
possible."""
NAMED = 6
"""Maximum number of clues that a message names."""
ANYTHING = Density(0.5)
"""A prior that allows any number of mines."""


def explain_contradiction(
    observation: Observation, prior: Prior | None, budget: Budget
) -> ContradictionError:
    """Return the error for a position that no layout fits, naming as few clues as possible.

    The mine count is included only if the clues alone can all be true.

    Args:
        observation: a position that no layout fits.
        prior: the prior over the number of mines; None if any number is possible.
        budget: limits on time and memory.
    """
    conflict = _conflict_of_clues(observation, budget.fork())
    uses_mine_count = conflict is None
    if conflict is None:
        conflict = smallest_conflict(Trials(observation, prior or ANYTHING, budget))
    clues = sorted(conflict)
    listed = _listed(observation, clues, prior if uses_mine_count else None)
    text = f"no mine layout fits these clues: {listed}"
    cells = tuple(observation.grid.cell(clue) for clue in clues)
    return ContradictionError(text, cells, uses_mine_count, listed=listed)


def _conflict_of_clues(observation: Observation, budget: Budget) -> frozenset[int] | None:
    """Return a smallest contradiction among the clues alone; None if they can all be true."""
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

    If that takes too many trials, return a set in which every clue is needed for the contradiction.
    On a huge board, the set may include clues that are not needed.
    """

    def ask(chosen: tuple[int, ...]) -> frozenset[int] | None:
        layout = trials.layout(chosen)
        return None if layout is None else _correction(trials, layout)

    try:
        found = HittingSearch(ask, trials.budget.fork(SEARCHES).spend).run()
    except WorkLimitError:
        found = None
    return _irreducible(trials) if found is None else frozenset(found)


class Trials:
    """Tests whether a layout satisfies some of the clues of a position."""

    def __init__(self, observation: Observation, prior: Prior, budget: Budget) -> None:
        """Prepare to test the clues of a position."""
        self.observation = observation
        self.prior = prior
        self.budget = budget
        self.most = 2 + TRIALS * WINDOW // max(WINDOW, len(observation.shown))
        self.trials = budget.fork(self.most)
        self.clues = frozenset(i for i, code in enumerate(observation.shown) if code < UNOPENED)

    def layout(self, clues: Collection[int]) -> bytes | None:
        """Return a layout that satisfies these clues (and the mine count), or None.

        Raises:
            WorkLimitError: the limit on trials is reached.
        """
        self.trials.spend()
        asked = with_clues(self.observation, clues)
        try:
            return ReferenceFacts(asked, self.prior, self.budget.fork(NODES)).sample(0)
        except ImpossibleError:
            return None

    def contradict(self, clues: Collection[int]) -> bool:
        """Return whether no layout satisfies these clues; False if that takes too much work."""
        try:
            return self.layout(clues) is None
        except WorkLimitError:
            return False

    def true_in(self, layout: bytes) -> frozenset[int]:
        """Return the clues that a layout satisfies."""
        return frozenset(clue for clue in self.clues if self._is_true_in(clue, layout))

    def _is_true_in(self, clue: int, layout: bytes) -> bool:
        near = self.observation.grid.neighbours(clue)
        weights = self.observation.rules.clues.weights(self.observation.shown[clue], len(near))
        return weights[sum(layout[cell] for cell in near)] > 0


def _correction(trials: Trials, layout: bytes) -> frozenset[int]:
    """Return clues that the layout violates and without which all other clues can be true."""
    satisfied = trials.true_in(layout)
    for clue in sorted(trials.clues - satisfied):
        if clue not in satisfied:
            found = trials.layout(satisfied | {clue})
            if found is not None:
                satisfied = trials.true_in(found)
    return trials.clues - satisfied


def _irreducible(trials: Trials) -> frozenset[int]:
    """Remove clues as long as the others still contradict each other.

    On huge boards the limit on trials may be reached before all unneeded clues are removed.
    """
    clues = sorted(trials.clues, key=lambda clue: (trials.observation.shown[clue], clue))
    small = len(trials.observation.shown) <= WINDOW
    trials.trials = trials.budget.fork(3 * len(clues) if small else trials.most // 2)
    return frozenset(drop_needless(clues, trials.contradict))


class BoardWindow(NamedTuple):
    """A rectangle of a board as a separate position."""

    observation: Observation
    cells: Sequence[int]
    """The index on the whole board of each cell of the window."""


def find_window(observation: Observation, near: int, budget: Budget) -> BoardWindow:
    """Return a window of a huge board around a cell whose clues contradict each other."""
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
    """Return a window of a board. Clues with neighbours outside it are withheld."""
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
