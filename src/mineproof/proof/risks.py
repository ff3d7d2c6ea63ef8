"""Where the risk of a cell comes from, in words."""

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
from mineproof.proof.phrases import counted, listed, named, named_all, number, upper
from mineproof.proof.ranking import EQUAL, LARGE, rank, safest
from mineproof.proof.statements import Reading

MANY = 100_000
"""The most arrangements for which the exact number is given."""


class Arrangements(NamedTuple):
    """All ways to fill the cells that a cell hangs together with."""

    cells: int
    total: int
    mined: int
    """In how many of them the cell is a mine."""
    least: int
    """The fewest mines in one of them."""
    most: int


class Surroundings(NamedTuple):
    """What the risk of a cell rests on."""

    clues: tuple[int, ...]
    """The clues that it hangs together with; none for a cell that no clue touches."""
    interior: int
    """How many cells no undecided clue touches."""
    arrangements: Arrangements | None
    """None where they are too many, or not equally likely to begin with."""


def find_surroundings(facts: Facts, target: int, budget: Budget) -> Surroundings:
    """Find what the risk of a cell depends on; arrangements are counted within the budget.

    Proved cells are taken as known, so that only what hangs together undecided counts. On a large
    board only the clues next to the cell are listed.
    """
    if facts.rows * facts.columns > LARGE:
        return Surroundings(Reading(facts.observation).near(target), 0, None)
    seen = decided(facts)
    constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
    for component in constraints.components:
        if any(target in box.cells for box in component.boxes):
            clues = tuple(sorted(clue.cell for clue in component.clues))
            trusted = seen.rules.clues.trusted
            found = _arrangements(component, target, seen, budget) if trusted else None
            return Surroundings(clues, len(constraints.interior), found)
    return Surroundings((), len(constraints.interior), None)


def decided(facts: Facts) -> Observation:
    """Return the position with every proved cell as if its value were shown."""
    shown = bytearray(facts.observation.shown)
    for index in facts.safe:
        shown[index] = WITHHELD
    for index in facts.mined:
        shown[index] = EXPLODED
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


def tell_risk(reading: Reading, facts: Facts, target: int, found: Surroundings) -> list[str]:
    """Say what the risk of a cell is, where it comes from, and what the alternatives are."""
    cell, risk = reading.grid.cell(target), facts.risk[target]
    kind = "an estimated risk" if not facts.exact else "a risk"
    sentences = [f"{cell} is not proved: it has {kind} of {percent(risk)}."]
    if not found.clues:
        sentences += _interior(facts, target, found)
    else:
        sentences += _together(reading, found)
    return [*sentences, *alternatives(reading, facts, target)]


def _interior(facts: Facts, target: int, found: Surroundings) -> Iterator[str]:
    untouched = found.interior
    yield "No clue touches it."
    if untouched > 1:
        mines = facts.risk[target] * untouched
        amount = f"About {mines:.1f}" if mines >= 0.05 else "Fewer than 0.1"
        yield (
            f"{amount} mines are expected among the {untouched} cells "
            "that no clue touches, and these are all alike."
        )


def _together(reading: Reading, found: Surroundings) -> Iterator[str]:
    names = named_all(found.clues, partial(named, reading))
    ways = found.arrangements
    if ways is None or ways.total > MANY:
        yield f"It rests on {names}."
        if ways is not None:
            share, cells = percent(ways.mined / ways.total), counted(ways.cells, "cell")
            yield f"It is a mine in {share} of {_amount(ways.total)} arrangements of {cells}."
    else:
        verb = "leaves" if len(found.clues) == 1 else "leave"
        yield (
            f"{upper(names)} {verb} {counted(ways.total, 'arrangement')} "
            f"of {counted(ways.cells, 'cell')}."
        )
        yield f"It is a mine in {number(ways.mined)} of them."
    if ways is not None:
        yield _weighing(reading, ways)


def _weighing(reading: Reading, ways: Arrangements) -> str:
    if ways.least == ways.most:
        return "All have the same number of mines, so they are equally likely."
    if reading.knows_mines():
        return "They are not equally likely: the mines that one uses are missing elsewhere."
    return "They are not equally likely: it depends on how dense mines are."


def alternatives(reading: Reading, facts: Facts, target: int) -> Iterator[str]:
    """Say what else could be opened: something proved, something safer, or nothing better."""
    if facts.safe:
        first = listed(reading, facts.safe)
        yield f"No guess is needed: {first} {'is' if len(facts.safe) == 1 else 'are'} proved safe."
        return
    if len(facts.risk) > LARGE:
        best = safest(facts)
        order = [target if best is None else best]
    else:
        order = rank(facts)
    risk, least = facts.risk[target], facts.risk[order[0]]
    equal = sum(1 for index in order if facts.risk[index] <= least + EQUAL) - 1
    yield "Nothing is proved safe."
    if risk > least + EQUAL:
        yield f"The lowest risk is {percent(least)}, at {reading.grid.cell(order[0])}."
    elif len(order) == 1:
        yield "No cell has a lower risk."
    elif equal:
        have = "has" if equal == 1 else "have"
        yield f"No cell has a lower risk, and {counted(equal, 'other cell')} {have} the same."
    else:
        yield "Every other cell has a higher risk."


def _amount(total: int) -> str:
    """Write a large number of arrangements."""
    return f"{total:,}" if total < 10**9 else f"about 10^{len(str(total)) - 1}"
