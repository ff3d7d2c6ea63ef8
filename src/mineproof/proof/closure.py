"""Conclusions that follow from one, two or several clues, each with a short proof.

Conclusions are drawn in order of cost. A step costs one, plus the cost of the conclusions that it
depends on (Knuth's generalisation of Dijkstra's algorithm, 1977). A conclusion that is used twice
counts twice, so proofs have few steps, but not always the fewest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace

from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.proof.kinds import Clash, Deduction, Proof, ReasoningKind, Rule

Goal = Callable[[int, bool], bool]
"""Returns whether a conclusion (a cell and its value) reaches the goal."""
FIRST_GROUP = 1 << 40
"""The number of the first group, larger than any cell's index."""


class Closure:
    """Conclusions from statements, in order of cost."""

    def __init__(
        self,
        statements: Iterable[Statement],
        kind: ReasoningKind,
        budget: Budget,
        given: Mapping[int, bool] | None = None,
    ) -> None:
        """Prepare to draw conclusions.

        Args:
            statements: the statements of the clues.
            kind: the hardest kind of reasoning to use, at most `SEVERAL_CLUES`.
            budget: the limit on conclusions and time.
            given: the values of cells that are known or assumed from the start, at no cost.
        """
        self.kind = kind
        self.budget = budget
        self.known: dict[int, bool] = {}
        self.clash: Clash | None = None
        self.steps: list[Deduction] = []
        self._statements: dict[int, Statement] = {}
        self._left: dict[int, set[int]] = {}
        self._least: dict[int, int] = {}
        self._most: dict[int, int] = {}
        self._around: dict[int, list[int]] = {}
        self.cost: dict[int, int] = {}
        """Number of steps that each known cell or group took."""
        self._offered: dict[tuple[int, bool], int] = {}
        self._groups: dict[tuple[int, ...], tuple[int, int]] = {}
        self._source: dict[int, Deduction] = {}
        self._heap: list[tuple[int, int, int, Deduction]] = []
        self._count = 0
        for statement in statements:
            self._state(statement, 0)
        for cell, mined in (given or {}).items():
            self._learn(cell, mined, 0)
        self._fresh = list(self._statements)

    def run(self, goal: Goal | None = None) -> int | None:
        """Draw conclusions until the goal, a contradiction or the end; return the goal's cell."""
        fresh, self._fresh = self._fresh, []
        self._read(fresh)
        while self._heap and self.clash is None:
            self.budget.spend()
            cost, _, _, step = heapq.heappop(self._heap)
            found = self._take(step, cost, goal)
            if found is not None:
                return found
        return None

    def conclude(self, step: Deduction) -> None:
        """Add a conclusion that was drawn in another way. The next `run` continues from it."""
        new = [cell for cell in step.cells if cell not in self.known]
        if new and step.mined is not None:
            self.steps.append(step)
            self._fresh += self._learn_all(
                new, step, 1 + sum(self.cost[cell] for cell in step.known)
            )

    def copy(self) -> Closure:
        """Return an independent copy, which forms no new groups."""
        other = copy(self)
        other.kind = min(self.kind, ReasoningKind.TWO_CLUES)
        for name in ("known", "steps", "_least", "_most", "cost", "_source"):
            setattr(other, name, copy(getattr(self, name)))
        other._left = {number: set(cells) for number, cells in self._left.items()}
        other._offered, other._heap, other._fresh = {}, [], []
        return other

    def assume(self, cell: int, mined: bool, kind: ReasoningKind) -> Closure:
        """Return a copy that also assumes the value of a cell and uses this kind of reasoning."""
        inside = self.copy()
        inside.kind, inside.steps, inside._source = kind, [], {}
        inside._fresh = inside._learn(cell, mined, 0)
        return inside

    def needed(self, wanted: Iterable[int], groups: Iterable[int] = ()) -> Proof:
        """Return the steps that some cells and groups depend on, reduced to the cells needed."""
        want, ask = set(wanted), set(groups)
        kept: list[Deduction] = []
        for step in reversed(self.steps):
            cells = tuple(c for c in step.cells if c in want and self._source[c] is step)
            if step.mined is None:
                cells = step.cells if step.group in ask else ()
            if cells:
                kept.append(replace(step, cells=cells))
                want.update(step.known)
                ask.update(step.clues)
        return tuple(reversed(kept))

    def open_cells(self) -> list[int]:
        """Return the unknown cells of all statements."""
        return [cell for cell in self._around if cell not in self.known]

    # ---- knowledge

    def _state(self, statement: Statement, cost: int) -> None:
        number = statement.clue
        left = {cell for cell in statement.cells if cell not in self.known}
        mines = sum(1 for cell in statement.cells if self.known.get(cell))
        self._statements[number] = statement
        self._left[number] = left
        self._least[number] = statement.least - mines
        self._most[number] = statement.most - mines
        if number >= FIRST_GROUP:
            self.cost[number] = cost
        for cell in left:
            self._around.setdefault(cell, []).append(number)

    def _learn(self, cell: int, mined: bool, cost: int) -> list[int]:
        self.known[cell] = mined
        self.cost[cell] = cost
        touched = self._around.get(cell, [])
        for number in touched:
            self._left[number].discard(cell)
            if mined:
                self._least[number] -= 1
                self._most[number] -= 1
        return touched

    def _learn_all(self, cells: Iterable[int], step: Deduction, cost: int) -> list[int]:
        """Add a conclusion; return the statements it affects."""
        touched: dict[int, None] = {}
        assert step.mined is not None
        for cell in cells:
            self._source[cell] = step
            touched.update(dict.fromkeys(self._learn(cell, step.mined, cost)))
        return list(touched)

    def _take(self, step: Deduction, cost: int, goal: Goal | None) -> int | None:
        if step.mined is None:
            self._take_group(step, cost)
            return None
        new = [cell for cell in step.cells if cell not in self.known]
        if not new:
            return None
        self.steps.append(step)
        touched = self._learn_all(new, step, cost)
        if goal is not None:
            for cell in new:
                if goal(cell, step.mined):
                    self._fresh += touched
                    return cell
        self._read(touched)
        return None

    def _take_group(self, step: Deduction, cost: int) -> None:
        if not self.known.keys().isdisjoint(step.cells):
            return  # a smaller group has been queued instead
        least, most = step.numbers
        self.steps.append(step)
        self._state(Statement(step.group, step.cells, least, most), cost)
        self._read([step.group])

    # ---- conclusions

    def _read(self, numbers: Iterable[int]) -> None:
        """Draw conclusions from single statements and from pairs of overlapping statements."""
        numbers = list(numbers)
        for number in numbers:
            self.budget.check_time()
            self._read_one(number)
        if self.kind < ReasoningKind.TWO_CLUES:
            return
        done: set[tuple[int, int]] = set()
        for number in numbers:
            self.budget.check_time()
            around = {other for cell in self._left[number] for other in self._around[cell]}
            for other in around:
                pair = (number, other) if number < other else (other, number)
                if number != other and pair not in done:
                    done.add(pair)
                    self._read_two(*pair)

    def _read_one(self, number: int) -> None:
        left, most = self._left[number], self._most[number]
        if most < 0 or self._least[number] > len(left):
            if self.clash is None:
                self.clash = self._one_clash(number, most < 0)
        elif left and most == 0:
            mines = self._known_of(number, True)
            self._offer(Rule.SATISFIED, left, False, (number,), mines)
        elif left and self._least[number] == len(left):
            safe = self._known_of(number, False)
            self._offer(Rule.NEEDS_ALL, left, True, (number,), safe)

    def _one_clash(self, number: int, too_many: bool) -> Clash:
        statement = self._statements[number]
        room = statement.most if too_many else len(statement.cells) - statement.least
        cells = sorted(self._known_of(number, too_many), key=self.cost.__getitem__)
        return Clash((number,), tuple(cells[: room + 1]), too_many)

    def _read_two(self, first: int, second: int) -> None:
        one, other = self._left[first], self._left[second]
        shared = len(one & other)
        if not shared:
            return
        own, rest = len(one) - shared, len(other) - shared
        self._compare(first, second, own, rest)
        self._compare(second, first, rest, own)
        if self.kind >= ReasoningKind.SEVERAL_CLUES and bool(own) != bool(rest):
            self._offer_group(*((first, second) if own else (second, first)))

    def _compare(self, first: int, second: int, own: int, rest: int) -> None:
        """Compare how many mines one statement allows and another needs in shared cells."""
        allowed, needed = self._most[first], self._least[second] - rest
        if allowed < needed:
            self.clash = self.clash or Clash((first, second), self._premises(first, second, False))
        elif allowed == needed:
            if own:
                self._offer_two(first, second, False)
            if rest:
                self._offer_two(second, first, True)

    def _offer_two(self, first: int, second: int, mined: bool) -> None:
        """Queue a conclusion about the cells of the first statement that are not in the second."""
        own = self._left[first] - self._left[second]
        if all(self._offered.get((cell, mined)) == 1 for cell in own):
            return  # no proof is shorter than a single step
        known = self._premises(first, second, mined)
        mine = set(self._statements[first].cells)
        outside = [c for c in self._statements[second].cells if c not in mine and c not in known]
        rule = Rule.DIFFERENCE if outside else Rule.INSIDE
        self._offer(rule, own, mined, (first, second), known)

    def _premises(self, first: int, second: int, mined: bool) -> tuple[int, ...]:
        """Return the known cells that a proof from two statements must mention."""
        one, other = self._statements[first].cells, self._statements[second].cells
        known = self.known
        own = [c for c in one if known.get(c) is (not mined) and c not in other]
        rest = [c for c in other if known.get(c) is mined and c not in one]
        return (*own, *rest)

    def _offer_group(self, first: int, second: int) -> None:
        """Queue a group: the cells of the first statement that are not in the second."""
        cells = tuple(sorted(self._left[first] - self._left[second]))
        least = max(0, self._least[first] - self._most[second])
        most = min(len(cells), self._most[first] - self._least[second])
        if most == 0 or least == len(cells) or (least == 0 and most == len(cells)):
            return
        before = self._groups.get(cells)
        if before is not None and before[0] >= least and before[1] <= most:
            return
        self._groups[cells] = (least, most)
        one, other = set(self._statements[first].cells), set(self._statements[second].cells)
        known = tuple(c for c in sorted(one ^ other) if c in self.known)
        clues = (first, second)
        group = FIRST_GROUP + self._count
        step = Deduction(Rule.GROUP, cells, None, clues, known, (), None, (least, most), group)
        self._push(step, self._cost_of(clues, known))

    def _known_of(self, number: int, mined: bool) -> tuple[int, ...]:
        known = self.known
        return tuple(c for c in self._statements[number].cells if known.get(c) is mined)

    def _offer(
        self,
        rule: Rule,
        cells: set[int],
        mined: bool,
        clues: tuple[int, ...],
        known: tuple[int, ...],
    ) -> None:
        """Queue a conclusion, unless each of its cells already has a proof as short as this one."""
        cost = self._cost_of(clues, known)
        better = [(c, mined) for c in cells if self._offered.get((c, mined), cost + 1) > cost]
        if better:
            self._offered.update(dict.fromkeys(better, cost))
            self._push(Deduction(rule, tuple(sorted(cells)), mined, clues, known), cost)

    def _push(self, step: Deduction, cost: int) -> None:
        self._count += 1
        heapq.heappush(self._heap, (cost, len(step.clues), self._count, step))

    def _cost_of(self, clues: tuple[int, ...], known: tuple[int, ...]) -> int:
        groups = sum(self.cost[number] for number in clues if number >= FIRST_GROUP)
        return 1 + groups + sum(self.cost[cell] for cell in known)
