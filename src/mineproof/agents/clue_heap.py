"""`clue-heap`: two heaps of clues, easy ones first, hard ones together.

The third agent of the Rutgers report (003). New clues go onto a heap, the smallest number on
top. Each is taken off and read by itself: all its cells are safe, or all are mines. A clue that
gives nothing goes onto a second heap, of clues it "cannot solve". Each new mine or clue pushes
the clues around it onto the first heap again. When that is empty, backtracking tries the hard
clues together; a cell that is the same in all solutions is proved. Then a random cell is opened.
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
from mineproof.inference.backtracking import DEFAULT_LIMIT
from mineproof.inference.clue_graph import ClueComponent, ClueGraph, Statement
from mineproof.inference.clue_search import ClueSearch


class ClueHeaps:
    """Reads easy clues first; searches the hard ones by component, all together, or not."""

    def __init__(self, *, smallest: bool, together: bool, searched: bool) -> None:
        """Set which numbers come first, and what is searched."""
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
        """What the clues said that were read since the last move, for display."""

    def follow(self, stale: Iterable[int], read: Callable[[int], list[int]]) -> None:
        """Push clues onto the heap of easy ones and read it off, the first number first."""
        self._push(self.easy, stale)
        while self.easy:
            _, clue = heappop(self.easy)
            if clue in self._graph.constraints:
                self.read_off.append(self._graph.constraints[clue])
            self._push(self.easy, read(clue))
            self._push(self.hard, (clue,))

    def groups(self) -> list[ClueComponent]:
        """Return the hard clues: by component, all together, or none."""
        if not self._searched:
            return []
        if not self._is_together:
            return self._graph.components()
        constraints = tuple(self.hard_clues())
        if constraints != self._together.constraints:
            self._together = ClueComponent(constraints)
        return [self._together] if constraints else []

    def hard_clues(self) -> list[Statement]:
        """Return the hard clues, the first number first; what is not hard any more is dropped."""
        constraints = self._graph.constraints
        current = {clue: self._entry(clue) for _, clue in self.hard if clue in constraints}
        self.hard = sorted(current.values())
        return [constraints[clue] for _, clue in self.hard]

    def _push(self, heap: list[tuple[int, int]], clues: Iterable[int]) -> None:
        """Push the clues that say something, by what they say now."""
        for clue in clues:
            if self._graph.read(clue) is not None:
                heappush(heap, self._entry(clue))

    def _entry(self, clue: int) -> tuple[int, int]:
        constraint = self._graph.constraints[clue]
        return self._sign * (constraint.least or constraint.most), clue


@agent(
    "clue-heap",
    idea="clues in a heap, small numbers first; backtracking over a second heap of hard clues",
    source="the third agent of the Rutgers report (003)",
    proves="all that the clues prove, and all that they prove with the mine count",
    cannot_prove="what would take more steps than its work limit; without early stop also "
    "what hangs together with more solutions than it lists",
    strength=40,
)
class ClueHeapAgent(KnowledgeAgent):
    """Reads easy clues first, searches hard ones together, guesses at random."""

    proving: ClueSearch

    def __init__(  # noqa: PLR0913  (one parameter per option)
        self,
        *,
        backtracking: Annotated[bool, "try the hard clues together"] = True,
        early_stop: Annotated[bool, "end the search once a cell's value is certain"] = True,
        components: Annotated[
            Literal["apart", "together"], "search connected parts by themselves, or all at once"
        ] = "apart",
        order: Annotated[Literal["smallest", "largest"], "which numbers come first"] = "smallest",
        mine_count: Annotated[bool, "use the mine count where it is known"] = True,
        clues: TrustedClues = "trust",
        work: Annotated[int, "the most steps that one search takes"] = DEFAULT_LIMIT,
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
        """Open any cell not known to be a mine."""
        together = ", alone or together" if self._backtracking else " by itself"
        return self.guess_random(observation, f"no clue helps{together}: a random guess")

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return both heaps, the first number first; the easy one has been read off by now."""
        text, heaps = self.proving.constraint_text, self.heaps
        return {
            "easy heap, as it was read off": tuple(map(text, heaps.read_off)),
            "hard heap": tuple(map(text, heaps.hard_clues())),
        }

    def knowledge(self) -> Knowledge:
        """Return the heaps and how much was done."""
        shown = super().knowledge()
        shown.title = f"{len(self.heaps.hard_clues())} hard clues in {shown.title}"
        return shown
