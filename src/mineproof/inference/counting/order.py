"""The order in which to count the boxes of a component, which decides the cost of counting.

Counting goes box by box. A clue is unfinished if some but not all of its boxes are counted. For
each unfinished clue, the number of mines so far must be stored. So a good order keeps few clues
unfinished. Finding the best order is hard in general, so several cheap ones are tried. More of them
are tried if the best one so far is costly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component

EASY = 300
"""An order that costs at most this many states is good enough."""
TRIES = 24
"""Maximum number of orders to try."""
CLOCK_INTERVAL = 256
"""Check the clock each time this many boxes have been ordered."""


def find_order(component: Component, columns: int, budget: Budget) -> list[int]:
    """Return the indices of all boxes in the order in which to count them.

    Args:
        component: the component to count.
        columns: the width of the board, for orders that sweep across it.
        budget: the time limit for the search.
    """
    best: list[int] = []
    lowest = -1
    for tried, order in enumerate(_orders(component, columns, budget)):
        budget.check_time()
        cost = estimate(component, order, budget)
        if lowest < 0 or cost < lowest:
            best, lowest = order, cost
        # Trying an order costs about as much as counting a few states per box.
        if lowest <= EASY * (tried + 1) or tried >= TRIES:
            break
    return best


def estimate(component: Component, order: Sequence[int], budget: Budget) -> int:
    """Return an upper bound on the number of states when counting in this order."""
    clues = component.clues
    bounds = [(clue.least, clue.most) for clue in clues]
    waiting = [clue.size for clue in clues]
    done = [0] * len(clues)
    begun: set[int] = set()
    total = 0
    for number, position in enumerate(order):
        if number % CLOCK_INTERVAL == 0:
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
    """Return an order that starts with one box and then finishes clues with few boxes left."""
    boxes, clues = component.boxes, component.clues
    waiting = [len(clue.boxes) for clue in clues]
    begun: dict[int, None] = {}
    order: list[int] = []
    placed = [False] * len(boxes)
    position = start
    while True:
        if len(order) % CLOCK_INTERVAL == 0:
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
    """Return two boxes that are far apart, from which a narrow order can start."""
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
