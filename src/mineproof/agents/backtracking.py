"""`backtracking`: searches the graph of clues for proved cells, component by component.

The second agent of the Rutgers report (003). A cell is a variable, 0 or 1, and a clue is the sum
of its neighbours. The report distinguishes three cases. In case A, a clue has no mines left, so its
cells are safe. In case B, it has as many mines left as cells, so all of them are mines. In case C,
there are several possibilities. Forward checking handles A and B until only C remains. Then each
component is searched, starting at the clue with the largest number. A cell with the same value in
all solutions is proved. If there is none, the agent opens the cell that is a mine in the fewest
solutions. With `search=first`, it takes the first solution instead, as the report describes, which
may be the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import TrustedClues
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.observation import Observation
from mineproof.core.words import counted, percent
from mineproof.inference.backtracking import DEFAULT_LIMIT
from mineproof.inference.clue_graph import ClueComponent, ClueGraph
from mineproof.inference.clue_search import ClueSearch
from mineproof.inference.listing import (
    MOST_STEPS,
    Assignment,
    AssignmentStep,
    first_assignment,
)
from mineproof.proof.ranking import unopened_neighbours

NEARLY = 0.02
"""With `guess=influence`, how far the risk of a guess may exceed the lowest risk."""


class Checking:
    """Reads clues in any order; searches each component separately."""

    def forget(self, graph: ClueGraph) -> None:
        """Start with an empty graph."""
        self._graph = graph

    def follow(self, stale: Iterable[int], read: Callable[[int], list[int]]) -> None:
        """Do forward checking: handle the cases A and B until none is left."""
        pending = dict.fromkeys(stale)
        while pending:
            clue, _ = pending.popitem()
            pending.update(dict.fromkeys(read(clue)))

    def groups(self) -> list[ClueComponent]:
        """Return the components."""
        return self._graph.components()


@agent(
    "backtracking",
    idea="a graph of clues: forward checking, then backtracking in each component",
    source="the second agent of the Rutgers report (003)",
    proves="everything that the clues prove, with or without the mine count",
    cannot_prove="cells whose proof takes more steps than its work limit",
    strength=50,
)
class BacktrackingAgent(KnowledgeAgent):
    """Searches each component for its solutions; guesses the cell that is a mine in the fewest."""

    proving: ClueSearch

    def __init__(  # noqa: PLR0913  (one parameter per option)
        self,
        *,
        order: Annotated[
            Literal["largest", "smallest"], "which clue a search starts with"
        ] = "largest",
        search: Annotated[
            Literal["proofs", "first"],
            "prove cells, or open a cell that the first solution found sets to 0 (1 if it fits, "
            "else 0)",
        ] = "proofs",
        opening: Annotated[
            Literal["random", "corners", "most"],
            "which cell to guess away from all clues: any, a corner, or the one with the most "
            "unknown neighbours",
        ] = "random",
        guess: Annotated[
            Literal["fewest", "influence"],
            "guess the cell that is a mine in the fewest solutions or, among the safest cells, "
            "the one connected to the most unknown cells",
        ] = "fewest",
        mine_count: Annotated[bool, "use the mine count if it is known"] = True,
        clues: TrustedClues = "trust",
        work: Annotated[int, "maximum number of steps to search a component"] = DEFAULT_LIMIT,
    ) -> None:
        """Set the options."""
        self.proving = ClueSearch(
            Checking(), order=order, mine_count=mine_count, trust=clues == "trust", work=work
        )
        self._order = order
        self._takes_first = search == "first"
        self._mine_count = mine_count
        self._opening = opening
        self._guess = guess

    def think(self, observation: Observation) -> None:
        """Search for proofs, unless the first solution is taken as it is."""
        if not self._takes_first:
            super().think(observation)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell that is a mine in the fewest solutions, or a cell that no clue touches."""
        cells = self.open_unknown(observation)
        if self._takes_first and (found := self._open_first(cells)):
            return found
        shares = self.shares()
        frontier = [cell for cell in cells if cell in shares]
        interior = [cell for cell in cells if cell not in shares]
        density = self._density(observation, shares)
        if self._guess == "influence" and cells:
            risks = {cell: shares.get(cell, density) for cell in cells}
            return self._guess_most(observation, risks)
        best = min(frontier, key=shares.__getitem__, default=None)
        if best is not None and (not interior or shares[best] <= density):
            risk = shares[best]
            share = percent(risk, 0)
            text = f"a mine in {share} of the solutions found, the lowest share of all cells"
            return self.open_cell(best, Reason(text), proved=False, risk=risk)
        if not interior:
            return None
        share = f"{percent(density, 0)} of such cells are mines" if density else ""
        reason = Reason(f"no clue is next to it; {share or 'its risk is unknown'}")
        chosen = self._open_interior(observation, interior)
        return self.open_cell(chosen, reason, proved=False, risk=density)

    def _open_first(self, cells: list[int]) -> Decision | None:
        """Open a cell that is 0 in the first solution of the component with the largest clue."""
        for component in sorted(
            self.proving.graph.components(), key=lambda one: -max(c.least for c in one.constraints)
        ):
            values = first_assignment(component.constraints, self._order).values or {}
            for cell, mined in values.items():
                if not mined and cell in cells:
                    reason = Reason("0 in the first solution found; there may be others")
                    return self.open_cell(cell, reason, proved=False)
        return None

    def _guess_most(self, observation: Observation, risks: dict[int, float]) -> Decision:
        """Among the safest cells, open the one connected to the most unknown cells."""
        lowest = min(risks.values())
        near = [cell for cell, risk in risks.items() if risk <= lowest + NEARLY]
        graph = self.proving.graph
        reached = {cell: influence(graph, observation, cell) for cell in near}
        best = max(near, key=lambda cell: (reached[cell], -risks[cell]))
        text = (
            f"a mine in {percent(risks[best], 0)} of cases; it connects to {reached[best]} "
            f"unknown cells, the most among the {counted(len(near), 'safest cell')}"
        )
        return self.open_cell(best, Reason(text), proved=False, risk=risks[best])

    def shares(self, *, is_shown: bool = False) -> dict[int, float]:
        """Return the share of the solutions in which each cell next to a clue is a mine."""
        shares: dict[int, float] = {}
        for component in self.proving.graph.components():
            listing = self.proving.listing(component, is_shown=is_shown)
            shares.update((cell, n / listing.solutions) for cell, n in listing.mined().items())
        return shares

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return each component's clues, and the report's search for its first solution."""
        search, shown = self.proving, {}
        components = sorted(search.graph.components(), key=lambda one: one.constraints[0].clue)
        for number, one in enumerate(components, 1):
            listing = search.listing(one, is_shown=True)
            least = "" if listing.complete else "at least "
            size = f"{counted(len(one.cells), 'cell')} and {least}"
            name = f"component {number}, which has {size}{counted(listing.solutions, 'solution')}"
            shown[f"clues of {name}"] = tuple(map(search.constraint_text, one.constraints))
            found = first_assignment(one.constraints, self._order)
            steps = (*map(self._step_text, found.steps), self._end_text(found))
            shown[f"search of component {number} (1 if it fits, otherwise 0)"] = steps
        return shown

    def _end_text(self, found: Assignment) -> str:
        if found.values is None:
            return "given up" if len(found.steps) > MOST_STEPS else "no solution"
        mines = [str(self.rules.grid.cell(cell)) for cell, mined in found.values.items() if mined]
        return f"first solution: mines at {', '.join(mines) or 'no cell'}"

    def _step_text(self, step: AssignmentStep) -> str:
        """Return a step as text, such as `(1, 2) = 0, because 1 breaks the 2 at (1, 1)`."""
        cell = self.rules.grid.cell(step.cell)
        if step.clue is None:
            return f"{cell} = 1"
        clue = f"the {self.proving.graph.shown[step.clue]} at {self.rules.grid.cell(step.clue)}"
        if step.mined is None:
            return f"undo {cell}, because no value fits {clue}"
        return f"{cell} = 0, because 1 breaks {clue}"

    def knowledge(self) -> Knowledge:
        """Return the graph. The risk of a cell is the share of solutions in which it is a mine."""
        shown = super().knowledge()
        if not self._takes_first:
            shown.title += "; it searches for proofs only when it has no proved move"
        shown.risks = self.shares(is_shown=True)
        constraints = self.proving.graph.constraints.values()
        shown.graph = [(one.clue, tuple(one.cells)) for one in constraints]
        return shown

    def _density(self, observation: Observation, shares: dict[int, float]) -> float:
        """Return the expected share of mines among the cells that no clue touches.

        The share is computed from the mine count. If the mine count is unknown or not used, return
        the share of mines among all other cells.
        """
        known = self.proving.graph.known
        unopened = observation.shown.count(UNOPENED)
        mines = observation.shown.count(EXPLODED) + sum(known.values())
        expected = mines + sum(shares.values())
        interior = unopened - len(known) - len(shares)
        if self._mine_count and self.rules.mines is not None:
            return max((self.rules.mines - expected) / max(interior, 1), 0.0)
        explored = len(observation.shown) - interior
        return expected / explored if explored else 0.0

    def _open_interior(self, observation: Observation, cells: list[int]) -> int:
        """Choose a cell that no clue touches."""
        grid = self.rules.grid
        if self._opening == "corners":
            cells = [cell for cell in cells if cell in grid.corners] or cells
        elif self._opening == "most":
            unopened = unopened_neighbours(observation)
            most = max(unopened[cell] for cell in cells)
            cells = [cell for cell in cells if unopened[cell] == most]
        return cells[self.random.below(len(cells))]


def influence(graph: ClueGraph, observation: Observation, cell: int) -> int:
    """Return how many unknown cells would be connected to a cell if it showed a clue.

    These are the unknown neighbours of the cell, and all cells of the components that contain the
    cell or one of these neighbours.
    """
    near = {i for i in observation.grid.neighbours(cell) if observation.shown[i] == UNOPENED}
    reached = {i for i in near if i not in graph.known}
    touched = reached | {cell}
    for component in graph.components():
        if not touched.isdisjoint(component.cells):
            reached.update(component.cells)
    return len(reached - {cell})
