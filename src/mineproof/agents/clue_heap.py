"""`clue-heap`: two heaps of clues. Easy clues are read first; hard ones are searched together.

The third agent of the Rutgers report (003). New clues go onto a heap with the smallest number on
top. Each clue is popped and read alone, to see whether its cells are all safe or all mines. A clue
that proves nothing goes onto a second heap, for clues that the agent "cannot solve". Each new mine
or clue pushes the clues around it back onto the first heap. When that heap is empty, backtracking
searches the hard clues together. A cell with the same value in all solutions is proved. If there is
none, the agent opens a random cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import TrustedClues
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.decision import Decision
from mineproof.core.observation import Observation
from mineproof.core.words import counted
from mineproof.inference.backtracking import DEFAULT_LIMIT
from mineproof.inference.clue_graph import ClueComponent, ClueGraph, Statement
from mineproof.inference.clue_search import ClueSearch


class ClueHeaps:
    """Reads easy clues first; searches the hard ones by component, all together, or not at all."""

    def __init__(self, *, smallest: bool, together: bool, searched: bool) -> None:
        """Set which numbers come first, and whether and how hard clues are searched."""
        self._sign = 1 if smallest else -1
        self._searched = searched
        self._is_together = together

    def forget(self, graph: ClueGraph) -> None:
        """Start with empty heaps."""
        self._graph = graph
        self.easy: list[tuple[int, int]] = []
        self.hard: list[tuple[int, int]] = []
        self._together = ClueComponent(())
        self.read_off: list[Statement] = []
        """The statements of the clues read since the last move, for display."""

    def follow(self, stale: Iterable[int], read: Callable[[int], list[int]]) -> None:
        """Push clues onto the heap of easy ones, then read that heap until it is empty."""
        self._push(self.easy, stale)
        while self.easy:
            _, clue = heappop(self.easy)
            if clue in self._graph.constraints:
                self.read_off.append(self._graph.constraints[clue])
            self._push(self.easy, read(clue))
            self._push(self.hard, (clue,))

    def groups(self) -> list[ClueComponent]:
        """Return the hard clues by component, all together, or none."""
        if not self._searched:
            return []
        if not self._is_together:
            return self._graph.components()
        constraints = tuple(self.hard_clues())
        if constraints != self._together.constraints:
            self._together = ClueComponent(constraints)
        return [self._together] if constraints else []

    def hard_clues(self) -> list[Statement]:
        """Return the hard clues in heap order, and drop those that are no longer hard."""
        constraints = self._graph.constraints
        current = {clue: self._entry(clue) for _, clue in self.hard if clue in constraints}
        self.hard = sorted(current.values())
        return [constraints[clue] for _, clue in self.hard]

    def _push(self, heap: list[tuple[int, int]], clues: Iterable[int]) -> None:
        """Push the clues that still constrain unknown cells."""
        for clue in clues:
            if self._graph.read(clue) is not None:
                heappush(heap, self._entry(clue))

    def _entry(self, clue: int) -> tuple[int, int]:
        constraint = self._graph.constraints[clue]
        return self._sign * (constraint.least or constraint.most), clue


@agent(
    "clue-heap",
    idea="a heap of clues, small numbers first; backtracking over a second heap of hard clues",
    source="the third agent of the Rutgers report (003)",
    proves="everything that the clues prove, with or without the mine count",
    cannot_prove="cells whose proof takes more steps than its work limit; without early stop, "
    "also cells in components with more solutions than it lists",
    strength=40,
)
class ClueHeapAgent(KnowledgeAgent):
    """Reads easy clues first, searches hard ones together, guesses at random."""

    proving: ClueSearch

    def __init__(  # noqa: PLR0913  (one parameter per option)
        self,
        *,
        backtracking: Annotated[bool, "search the hard clues together"] = True,
        early_stop: Annotated[bool, "end the search once a cell's value is certain"] = True,
        components: Annotated[
            Literal["apart", "together"], "search components separately, or all hard clues together"
        ] = "apart",
        order: Annotated[Literal["smallest", "largest"], "which numbers come first"] = "smallest",
        mine_count: Annotated[bool, "use the mine count if it is known"] = True,
        clues: TrustedClues = "trust",
        work: Annotated[int, "maximum number of steps per search"] = DEFAULT_LIMIT,
    ) -> None:
        """Set the options."""
        self.heaps = ClueHeaps(
            smallest=order == "smallest", together=components == "together", searched=backtracking
        )
        self.proving = ClueSearch(
            self.heaps,
            order=order,
            mine_count=mine_count,
            trust=clues == "trust",
            work=work,
            until="safe" if early_stop else "listed",
        )
        self._backtracking = backtracking

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Push the new clues onto the heap of easy ones."""
        self.heaps.read_off.clear()
        super().learn(observation, changes)

    def guess(self, observation: Observation) -> Decision | None:
        """Open a random cell that is not a proved mine."""
        stuck = "no clue proves a cell, alone or with others"
        if not self._backtracking:
            stuck = "no single clue proves a cell"
        return self.guess_random(observation, f"{stuck}, so this is a random guess")

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return both heaps in order. The easy heap is shown as it was before it was read."""
        text, heaps = self.proving.constraint_text, self.heaps
        return {
            "easy heap, in reading order": tuple(map(text, heaps.read_off)),
            "hard heap": tuple(map(text, heaps.hard_clues())),
        }

    def knowledge(self) -> Knowledge:
        """Return the heaps, with the number of hard clues in the title."""
        shown = super().knowledge()
        hard = counted(len(self.heaps.hard_clues()), "hard clue")
        shown.title = f"{hard} in {shown.title}"
        return shown
