"""In which order to count the boxes of a component. The order decides the cost of the tail.

Counting goes box by box and must remember, for each clue that is begun but not finished,
how many mines it has so far. So a good order keeps few clues begun. Finding the best one is
hard in general; several cheap orders are tried, and the more the cheapest so far still
costs, the more are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component

EASY = 300
"""Orders that cost at most so many states are not improved."""
TRIES = 24
"""At most so many starts are tried."""
GLANCE = 256
"""Check the clock every so many boxes."""


def find_order(component: Component, columns: int, budget: Budget) -> list[int]:
    """Return the positions of all boxes in the order in which to count them.

    Args:
        component: what is counted.
        columns: the width of the board, for orders that sweep over it.
        budget: how long the search for an order may take.
    """
    best: list[int] = []
    lowest = -1
    for tried, order in enumerate(_orders(component, columns, budget)):
        budget.check_time()
        cost = estimate(component, order, budget)
        if lowest < 0 or cost < lowest:
            best, lowest = order, cost
        # Trying an order costs about as much as counting a few states for each box.
        if lowest <= EASY * (tried + 1) or tried >= TRIES:
            break
    return best


def estimate(component: Component, order: Sequence[int], budget: Budget) -> int:
    """Bound the number of states that counting in this order meets."""
    clues = component.clues
    bounds = [(clue.least, clue.most) for clue in clues]
    waiting = [clue.size for clue in clues]
    done = [0] * len(clues)
    begun: set[int] = set()
    total = 0
    for number, position in enumerate(order):
        if number % GLANCE == 0:
            budget.check_time()
        box = component.boxes[position]
        size = len(box.cells)
        for clue in box.clues:
            done[clue] += size
            waiting[clue] -= size
            if waiting[clue]:
                begun.add(clue)
            else:
                begun.discard(clue)
        states = 1
        for clue in begun:
            least, most = bounds[clue]
            states *= min(most, done[clue]) - max(0, least - waiting[clue]) + 1
        total += states
    return total


def _orders(component: Component, columns: int, budget: Budget) -> Iterator[list[int]]:
    """Yield orders to try, the most promising first."""
    ends = _ends(component)
    for start in ends:
        yield greedy(component, start, budget)
    first = [box.cells[0] for box in component.boxes]
    positions = range(len(first))
    yield sorted(positions, key=lambda position: (first[position] % columns, first[position]))
    yield sorted(positions, key=lambda position: first[position])
    for start in positions:
        if start not in ends:
            yield greedy(component, start, budget)


def greedy(component: Component, start: int, budget: Budget) -> list[int]:
    """Begin with one box, then always finish the begun clue with the fewest boxes to go."""
    boxes, clues = component.boxes, component.clues
    waiting = [len(clue.boxes) for clue in clues]
    begun: dict[int, None] = {}
    order: list[int] = []
    placed = [False] * len(boxes)
    position = start
    while True:
        if len(order) % GLANCE == 0:
            budget.check_time()
        order.append(position)
        placed[position] = True
        for clue in boxes[position].clues:
            waiting[clue] -= 1
            if waiting[clue]:
                begun[clue] = None
            else:
                begun.pop(clue, None)
        if not begun:
            return order
        nearest = min(begun, key=waiting.__getitem__)
        position = min(
            (box for box in clues[nearest].boxes if not placed[box]),
            key=lambda box: sum(1 for clue in boxes[box].clues if clue not in begun),
        )


def _ends(component: Component) -> list[int]:
    """Return two boxes that lie far apart: where a narrow order can begin."""
    far = _farthest(component, 0)
    other = _farthest(component, far)
    return [far] if far == other else [far, other]


def _farthest(component: Component, start: int) -> int:
    seen = {start}
    layer = last = [start]
    while layer:
        last = layer
        clues = dict.fromkeys(clue for box in layer for clue in component.boxes[box].clues)
        reached = dict.fromkeys(box for clue in clues for box in component.clues[clue].boxes)
        layer = [box for box in reached if box not in seen]
        seen.update(layer)
    return min(last, key=lambda box: (len(component.boxes[box].clues), box))
