"""The arrangements of one component, counted box by box.

A *state* holds the number of mines so far of each unfinished clue, with four bits per clue in one
integer. Equal states allow the same continuations, no matter how the earlier boxes were filled, so
partial arrangements with equal states are counted together. Each state has a polynomial in the
number of mines (see `polynomial`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from mineproof.core.random import Stream, pick
from mineproof.inference.budget import LONG, Budget
from mineproof.inference.constraints import Box, Component
from mineproof.inference.counting.polynomial import Polynomial, round_up, shared_power, unpack
from mineproof.inference.local import ImpossibleError

SLOT = 4
"""Bits of a state per clue, enough for the counts 0 to 8."""
FULL = (1 << SLOT) - 1


class Layer(NamedTuple):
    """The partial arrangements after some of the boxes."""

    states: dict[int, int]
    """The packed polynomial of each state, divided by x^least."""
    least: int


class Way(NamedTuple):
    """One way to fill a box."""

    add: int
    """The number to add to the state."""
    mines: int
    shift: int
    """The number of bits by which these mines shift a packed polynomial."""
    factor: int
    """The number of ways to place the mines in the box, times the weights of finished clues."""


class _Demand(NamedTuple):
    """The limits that a clue sets when one of its boxes is filled."""

    slot: int
    least: int
    """The fewest mines that the clue needs up to this box; the later boxes can hold the others."""
    most: int
    weights: tuple[int, ...] | None
    """The weights of the clue, if this is its last box."""


class BoxStep:
    """The plan for filling one box."""

    __slots__ = ("box", "demands", "keep", "known", "mask", "width")

    def __init__(self, box: Box, demands: list[_Demand], width: int) -> None:
        """Store the limits that the clues of a box set."""
        self.box = box
        self.demands = demands
        self.width = width
        self.mask = sum(FULL << demand.slot for demand in demands)
        self.keep = ~sum(FULL << demand.slot for demand in demands if demand.weights)
        self.known: dict[int, list[Way]] = {}

    def ways(self, part: int) -> list[Way]:
        """Return the ways to fill the box. `part` holds the mines that its clues have so far."""
        pairs = [(demand, (part >> demand.slot) & FULL) for demand in self.demands]
        size = len(self.box.cells)
        least = max(0, *(demand.least - count for demand, count in pairs))
        most = min(size, *(demand.most - count for demand, count in pairs))
        unit = sum(1 << demand.slot for demand in self.demands)
        ways = []
        for mines in range(least, most + 1):
            factor = math.comb(size, mines)
            for demand, count in pairs:
                if demand.weights:
                    factor *= demand.weights[count + mines]
            if factor:
                ways.append(Way(mines * unit, mines, mines * self.width, factor))
        self.known[part] = ways
        return ways


class CountTable:
    """All partial arrangements of a component, by state, before the first box and after each."""

    def __init__(
        self, component: Component, order: Sequence[int], budget: Budget, watched: int | None = None
    ) -> None:
        """Count the arrangements.

        Args:
            component: the component to count.
            order: the indices of its boxes in the order in which to fill them.
            budget: the limit on states.
            watched: the cell of a clue whose mines stay in the state to the end (see `by_count`).

        Raises:
            ImpossibleError: there is no arrangement.
            WorkLimitError: there are more states than the budget allows.
        """
        self.width = _width(component)
        self.steps, self._slot = plan(component, order, self.width, watched)
        self.layers = [Layer({0: 1}, 0)]
        for step in self.steps:
            self.layers.append(_advance(self.layers[-1], step, budget))

    @property
    def polynomial(self) -> Polynomial:
        """The number (or weight) of arrangements for each number of mines."""
        states, least = self.layers[-1]
        return Polynomial(least, unpack(sum(states.values()), self.width))

    def by_count(self) -> dict[int, Polynomial]:
        """Return the polynomial for each number of mines around the watched clue."""
        states, least = self.layers[-1]
        return {
            state >> self._slot: Polynomial(least, unpack(value, self.width))
            for state, value in states.items()
        }

    def expected(self) -> list[tuple[Box, Polynomial]]:
        """Return, for each box, the sum of its mines over all arrangements, as a polynomial.

        This takes one backward pass: `rest` counts the continuations of each state, and the product
        of a state's two polynomials counts the arrangements that pass through it.
        """
        rest = Layer(dict.fromkeys(self.layers[-1].states, 1), 0)
        found = []
        for step, layer in zip(reversed(self.steps), reversed(self.layers[:-1]), strict=True):
            least = layer.least + rest.least
            rest, mines = _retreat(layer, rest, step)
            found.append((step.box, Polynomial(least, unpack(mines, self.width))))
        return found

    def draw(self, mines: int, stream: Stream) -> list[int]:
        """Draw an arrangement with this many mines, by weight; return the cells with mines.

        The walk goes backwards, because the layers count the arrangements that lead to each state.
        """
        chosen: list[int] = []
        state = 0
        for step, layer in zip(reversed(self.steps), reversed(self.layers[:-1]), strict=True):
            options = [
                (before, way.mines, weight * way.factor)
                for before, value in layer.states.items()
                for way in step.known[before & step.mask]
                if (before + way.add) & step.keep == state
                and (weight := _coefficient(value, mines - way.mines - layer.least, self.width))
            ]
            state, here, _ = options[pick([weight for *_, weight in options], stream)]
            chosen += stream.choose(list(step.box.cells), here)
            mines -= here
        return chosen


def _coefficient(value: int, power: int, width: int) -> int:
    return 0 if power < 0 else value >> power * width & ((1 << width) - 1)


def _width(component: Component) -> int:
    """Return the bits needed for eight times the weight of all fillings of a component."""
    weights = sum((max(clue.weights) - 1).bit_length() for clue in component.clues)
    return round_up(component.size + 4 + weights)


def plan(
    component: Component, order: Sequence[int], width: int, watched: int | None
) -> tuple[list[BoxStep], int]:
    """Plan how to fill the boxes. Each clue has a slot of the state from its first box to its last.

    The slot of a finished clue is reused, but not by a clue that starts in the same box.
    """
    clues = component.clues
    waiting = [clue.size for clue in clues]
    slots: dict[int, int] = {}
    free: list[int] = []
    steps = []
    kept = 0
    for position in order:
        box = component.boxes[position]
        demands = []
        ended = []
        for number in box.clues:
            if number not in slots:
                slots[number] = free.pop() if free else len(slots) * SLOT
            waiting[number] -= len(box.cells)
            if clues[number].cell == watched:
                kept = slots[number]
            elif not waiting[number]:
                ended.append(number)
            clue, weights = clues[number], clues[number].weights if number in ended else None
            least = clue.least - waiting[number]
            demands.append(_Demand(slots[number], least, clue.most, weights))
        free += [slots.pop(number) for number in ended]
        steps.append(BoxStep(box, demands, width))
    return steps, kept


def _advance(layer: Layer, step: BoxStep, budget: Budget) -> Layer:
    """Fill one box in all possible ways."""
    after: dict[int, int] = {}
    mask, keep, known = step.mask, step.keep, step.known
    limit = budget.allow(0)
    for state, value in layer.states.items():
        part = state & mask
        ways = known.get(part)
        if ways is None:
            ways = step.ways(part)
        for add, _, shift, factor in ways:
            target = (state + add) & keep
            if target in after:
                after[target] += value * factor << shift
            else:
                after[target] = value * factor << shift
        if len(after) > limit:
            limit = budget.allow(len(after))
    if not after:
        raise ImpossibleError(step.box.cells[0])
    budget.spend(len(after) * _effort(after))
    return _lowered(after, layer.least, step.width)


def _effort(states: dict[int, int]) -> int:
    """Return the cost of a state: more than 1 if the polynomials are long."""
    return 1 + (max(states.values()).bit_length() // LONG) ** 2


def _retreat(layer: Layer, rest: Layer, step: BoxStep) -> tuple[Layer, int]:
    """Count the continuations of each state before a box, and the mines in that box."""
    before: dict[int, int] = {}
    expected = 0
    mask, keep, known, continuations = step.mask, step.keep, step.known, rest.states
    for state, value in layer.states.items():
        total = mined = 0
        for add, mines, shift, factor in known[state & mask]:
            after = continuations.get((state + add) & keep)
            if after is not None:
                term = after * factor << shift
                total += term
                if mines:
                    mined += term * mines
        if total:
            before[state] = total
            if mined:
                expected += value * mined
    return _lowered(before, rest.least, step.width), expected


def _lowered(states: dict[int, int], least: int, width: int) -> Layer:
    """Divide all polynomials by the power of x that they share, to get smaller integers."""
    power = shared_power(states.values(), width)
    if power:
        shift = power * width
        states = {state: value >> shift for state, value in states.items()}
    return Layer(states, least + power)
