"""Explains in words where the risk of a cell comes from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.words import percent
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component, read_constraints
from mineproof.inference.counting import Facts
from mineproof.inference.counting.reference import count_components
from mineproof.proof.phrases import counted, is_or_are, listed, named, named_all, number, upper
from mineproof.proof.ranking import EQUAL, LARGE, rank, safest
from mineproof.proof.statements import Reading

MANY = 100_000
"""If there are more arrangements than this, the text does not state their exact number."""


class Arrangements(NamedTuple):
    """The ways to place mines in the component of a cell."""

    cells: int
    total: int
    mined: int
    """Number of arrangements in which the cell is a mine."""
    least: int
    """The smallest number of mines in any arrangement."""
    most: int


class Surroundings(NamedTuple):
    """What the risk of a cell depends on."""

    clues: tuple[int, ...]
    """The clues connected to the cell; empty if no clue touches it."""
    interior: int
    """Number of cells that no undecided clue touches."""
    arrangements: Arrangements | None
    """The arrangements; None if there are too many to count, or if clues are unreliable."""


def find_surroundings(facts: Facts, target: int, budget: Budget) -> Surroundings:
    """Return what the risk of a cell depends on, counting arrangements within the budget.

    Proved cells are fixed first, so that only connected undecided cells are counted. On a large
    board only the clues next to the cell are listed.
    """
    if len(facts.risk) > LARGE:
        return Surroundings(Reading(facts.observation).near(target), 0, None)
    seen = with_proved_cells(facts)
    constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
    clues: tuple[int, ...] = ()
    found = None
    for component in constraints.components:
        if target in component.cells:
            clues = tuple(sorted(clue.cell for clue in component.clues))
            if seen.rules.clues.trusted:
                found = _arrangements(component, target, seen, budget)
    return Surroundings(clues, len(constraints.interior), found)


def with_proved_cells(facts: Facts) -> Observation:
    """Return the position with the value of every proved cell shown."""
    shown = bytearray(facts.observation.shown)
    for index, mined in facts.proved.items():
        shown[index] = EXPLODED if mined else WITHHELD
    return Observation(facts.observation.rules, bytes(shown))


def _arrangements(
    component: Component, target: int, seen: Observation, budget: Budget
) -> Arrangements | None:
    try:
        [table] = count_components([component], seen.rules.columns, budget.counting())
    except WorkLimitError:
        return None
    whole = table.polynomial.trimmed()
    box, mines = next((box, mines) for box, mines in table.expected() if target in box.cells)
    mined = sum(mines.counts) // len(box.cells)
    return Arrangements(component.size, sum(whole.counts), mined, whole.least, whole.most)


def describe_risk(reading: Reading, facts: Facts, target: int, found: Surroundings) -> str:
    """Describe the risk of a cell, where it comes from and what the alternatives are."""
    risk = f"Its {'risk' if facts.exact else 'estimated risk'} is {percent(facts.risk[target])}."
    sentences = [f"{reading.grid.cell(target)} is not proved.", risk]
    sentences += _connected(reading, found) if found.clues else _interior(facts, target, found)
    return " ".join([*sentences, *alternatives(reading, facts, target)])


def _interior(facts: Facts, target: int, found: Surroundings) -> Iterator[str]:
    untouched = found.interior
    yield "No clue touches it."
    if untouched > 1:
        mines = facts.risk[target] * untouched
        amount = f"About {mines:.1f}" if mines >= 0.05 else "Fewer than 0.1"
        cells = f"the {counted(untouched, 'cell')} that no clue touches"
        yield f"{amount} mines are expected in {cells}, and each of them has the same risk."


def _connected(reading: Reading, found: Surroundings) -> Iterator[str]:
    names = named_all(found.clues, partial(named, reading))
    ways = found.arrangements
    if ways is None:
        yield f"Its risk depends on {names}."
        return
    cells = counted(ways.cells, "cell")
    if ways.total > MANY:
        yield f"Its risk depends on {names}."
        share = percent(ways.mined / ways.total)
        yield f"It is a mine in {share} of {_amount(ways.total)} arrangements of {cells}."
    else:
        verb = "leaves" if len(found.clues) == 1 else "leave"
        yield f"{upper(names)} {verb} {counted(ways.total, 'possible arrangement')} of {cells}."
        yield f"It is a mine in {number(ways.mined)} of them."
    if ways.least == ways.most:
        yield "All have the same number of mines, so they are equally likely."
    else:
        yield "They are not equally likely, because they do not have the same number of mines."


def alternatives(reading: Reading, facts: Facts, target: int) -> Iterator[str]:
    """Describe what else could be opened: proved safe cells, a lower risk, or nothing better."""
    if facts.safe:
        cells = f"{listed(reading, facts.safe)} {is_or_are(len(facts.safe))}"
        yield f"You do not need to guess: {cells} proved safe."
        return
    if len(facts.risk) > LARGE:
        best = safest(facts)
        order = [target if best is None else best]
    else:
        order = rank(facts)
    risk, lowest = facts.risk[target], facts.risk[order[0]]
    equal = sum(1 for index in order if facts.risk[index] <= lowest + EQUAL) - 1
    yield "No cell is proved safe."
    if risk > lowest + EQUAL:
        yield f"The lowest risk is {percent(lowest)}, at {reading.grid.cell(order[0])}."
    elif len(order) == 1:
        yield "No cell has a lower risk."
    elif equal:
        have = "has" if equal == 1 else "have"
        yield f"No cell has a lower risk, and {counted(equal, 'other cell')} {have} the same."
    else:
        yield "Every other cell has a higher risk."


def _amount(total: int) -> str:
    """Return a number of arrangements as text, rounded if it is large."""
    return f"{total:,}" if total < 10**9 else f"about 10^{len(str(total)) - 1}"
