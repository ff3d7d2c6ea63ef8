"""`backtracking`: the clues as a graph of components, searched for all that they prove.

The second agent of the Rutgers report (003). A cell is a variable, 0 or 1; a clue is the sum of
its neighbours. Each clue is one of three cases: A, nothing left, all cells are safe; B, as many
mines as cells, all are mines; C, there are several ways. Forward checking works off A and B
until only C is left. Then each component is searched, beginning at the clue with the largest
number: a cell that is the same in all solutions is proved. If none is, the agent opens the
cell that is mined in the fewest solutions.
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
from mineproof.core.words import percent
from mineproof.inference.backtracking import DEFAULT_LIMIT
from mineproof.inference.clue_graph import ClueComponent, ClueGraph
from mineproof.inference.clue_search import ClueSearch
from mineproof.proof.ranking import unopened_neighbours

NEARLY = 0.02
"""How much more risk than the least a guess may have that influences more."""


class Checking:
    """Reads clues in any order; searches each component by itself."""

    def forget(self, graph: ClueGraph) -> None:
        """Start with an empty graph."""
        self._graph = graph

    def follow(self, stale: Iterable[int], read: Callable[[int], list[int]]) -> None:
        """Forward checking: work off the cases A and B until there are none."""
        pending = dict.fromkeys(stale)
        while pending:
            clue, _ = pending.popitem()
            pending.update(dict.fromkeys(read(clue)))

    def groups(self) -> list[ClueComponent]:
        """Return the components."""
        return self._graph.components()


@agent(
    "backtracking",
    idea="the clues as a graph of components; forward checking, then backtracking",
    source="the second agent of the Rutgers report (003)",
    proves="all that the clues prove, and all that they prove with the mine count",
    cannot_prove="what would take more steps than its work limit",
    strength=50,
)
class BacktrackingAgent(KnowledgeAgent):
    """Searches each component for its solutions; guesses what is mined in the fewest."""

    proving: ClueSearch

    def __init__(  # noqa: PLR0913  (one parameter per option)
        self,
        *,
        order: Annotated[
            Literal["largest", "smallest"], "which number a search begins with"
        ] = "largest",
        opening: Annotated[
            Literal["random", "corners", "most"],
            "where to open without a clue: anywhere, in corners, where most is unknown",
        ] = "random",
        guess: Annotated[
            Literal["fewest", "influence"],
            "open what is mined in the fewest solutions, or of the nearly safest cells the one "
            "whose number would influence most",
        ] = "fewest",
        mine_count: Annotated[bool, "use the mine count where it is known"] = True,
        clues: TrustedClues = "trust",
        work: Annotated[int, "the most steps that the search of a component takes"] = DEFAULT_LIMIT,
    ) -> None:
        """Set the options."""
        self.proving = ClueSearch(
            Checking(), order=order, mine_count=mine_count, trust=clues == "trust", work=work
        )
        self._mine_count = mine_count
        self._opening = opening
        self._guess = guess

    def guess(self, observation: Observation) -> Decision | None:
        """Open the cell that is mined in the fewest solutions, or one without a clue."""
        cells = self.open_unknown(observation)
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
            text = f"a mine in {percent(risk, 0)} of the solutions found, the fewest of all cells"
            return self.open_cell(best, Reason(text), proved=False, risk=risk)
        if not interior:
            return None
        share = f"{percent(density, 0)} of such cells are mines" if density else ""
        reason = Reason(f"no clue next to it: {share or 'nothing says its risk'}")
        chosen = self._open_interior(observation, interior)
        return self.open_cell(chosen, reason, proved=False, risk=density)

    def _guess_most(self, observation: Observation, risks: dict[int, float]) -> Decision:
        """Open the cell that influences most, of those that are nearly as safe as the safest."""
        least = min(risks.values())
        near = [cell for cell, risk in risks.items() if risk <= least + NEARLY]
        graph = self.proving.graph
        reached = {cell: influence(graph, observation, cell) for cell in near}
        best = max(near, key=lambda cell: (reached[cell], -risks[cell]))
        text = (
            f"a mine in {percent(risks[best], 0)} of the cases; its number would hang together "
            f"with {reached[best]} unknown cells, the most of the {len(near)} nearly safest"
        )
        return self.open_cell(best, Reason(text), proved=False, risk=risks[best])

    def shares(self) -> dict[int, float]:
        """Return for each cell next to a clue the share of solutions found in which it is mined."""
        shares: dict[int, float] = {}
        for component in self.proving.graph.components():
            listing = self.proving.listing(component)
            shares.update((cell, n / listing.solutions) for cell, n in listing.mined().items())
        return shares

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the components, each with its clues and how many solutions were found."""
        search = self.proving
        components = sorted(search.graph.components(), key=lambda one: one.constraints[0].clue)
        return {
            f"clues of component {number}, which has {len(one.cells)} cells and "
            f"{search.listing(one).solutions} solutions": tuple(
                map(search.constraint_text, one.constraints)
            )
            for number, one in enumerate(components, 1)
        }

    def knowledge(self) -> Knowledge:
        """Return the graph, and the share of solutions in which each cell is mined."""
        shown = super().knowledge()
        shown.risks = self.shares()
        return shown

    def _density(self, observation: Observation, shares: dict[int, float]) -> float:
        """Return the share of mines among cells without a clue.

        It is what the mine count leaves for them, or, where that is not known or not used,
        the share of mines in the part of the board that is explored.
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
        """Choose among cells that no clue touches."""
        grid = self.rules.grid
        if self._opening == "corners":
            cells = [cell for cell in cells if cell in grid.corners] or cells
        elif self._opening == "most":
            unopened = unopened_neighbours(observation)
            most = max(unopened[cell] for cell in cells)
            cells = [cell for cell in cells if unopened[cell] == most]
        return cells[self.random.below(len(cells))]


def influence(graph: ClueGraph, observation: Observation, cell: int) -> int:
    """Count the unknown cells that the number of a cell would hang together with.

    These are its unknown neighbours, and all cells of the components that it or they belong to:
    as far as a chain of influence can go from there.
    """
    near = {i for i in observation.grid.neighbours(cell) if observation.shown[i] == UNOPENED}
    reached = {i for i in near if i not in graph.known}
    touched = reached | {cell}
    for component in graph.components():
        if not touched.isdisjoint(component.cells):
            reached.update(component.cells)
    return len(reached - {cell})
