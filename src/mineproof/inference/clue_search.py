"""Searches the graph of clues to prove cells, for the agents `backtracking` and `clue-heap`.

Clues are first read one by one (forward checking). When they prove nothing more, components are
searched by backtracking, and then the mine count is used. A reader decides in which order clues are
read and which components are searched together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, Protocol
from weakref import WeakKeyDictionary, WeakSet

from mineproof.core.decision import Reason
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.words import counted, joined
from mineproof.inference.backtracking import BacktrackProof, Search
from mineproof.inference.clue_graph import MINE_COUNT, ClueComponent, ClueGraph, Statement
from mineproof.inference.forward_checking import Order
from mineproof.inference.knowledge import Concluding, Knowledge
from mineproof.inference.listing import Listing, count_proofs, list_solutions

MOST_LISTED = 1000
"""Maximum number of solutions to list per component. Interchangeable cells count once."""
SHORTENING_STEPS = 5000
"""The step limit for finding the clues that a proof by the mine count needs.

If it is reached, the proof names all clues.
"""
MOST_CLUES_IN_TEXT = 4


class Reader(Protocol):
    """The order in which clues are read, and the components that are searched together."""

    def forget(self, graph: ClueGraph) -> None:
        """Start with an empty graph."""

    def follow(self, stale: Iterable[int], read: Callable[[int], list[int]]) -> None:
        """Call `read` for some clues, and then for all clues that it returns."""

    def groups(self) -> list[ClueComponent]:
        """Return the components to search. An unchanged component is the same object as before."""


@dataclass(eq=False)
class ClueSearch:
    """Proves cells for an agent by searching for solutions of the clues."""

    reader: Reader
    """Decides the order of reading and the components to search."""
    _: KW_ONLY
    order: Order
    """Whether a search starts with the largest or the smallest clue."""
    mine_count: bool
    """Whether to use the mine count if it is known."""
    trust: bool
    """Whether to treat every clue as true, even if the rule makes clues unreliable."""
    work: int
    """The limit on steps for the search of a component."""
    until: Literal["all", "safe", "listed"] = "all"
    """Prove all cells of a component, stop at the first safe one, or prove all cells from a list of
    the solutions."""
    graph: ClueGraph = field(init=False)
    counters: Counter[str] = field(init=False)
    """Work done so far: the number of clues read, searches, steps, reached limits and
    contradictions."""

    def forget(self, agent: Concluding) -> None:
        """Start with an empty graph."""
        self._agent = agent
        self.graph = ClueGraph(agent.rules, trust=self.trust)
        self.reader.forget(self.graph)
        self.counters = Counter()
        self._searched: WeakKeyDictionary[ClueComponent, Search] = WeakKeyDictionary()
        self._listings: WeakKeyDictionary[ClueComponent, Listing] = WeakKeyDictionary()
        self._counted: WeakSet[ClueComponent] = WeakSet()
        self._found_safe = False

    def learn(self, agent: Concluding, observation: Observation, changes: Iterable[int]) -> None:
        """Add new clues to the graph, and read all clues they affect."""
        self.reader.follow(self.graph.update(observation.shown, changes), self._read_clue)

    def think(self, agent: Concluding, observation: Observation) -> None:
        """Search for proofs until a safe cell is found or everything has been searched."""
        self._found_safe = False
        while not self._found_safe and (self._search_fresh() or self._search_mine_count()):
            pass

    def listing(self, group: ClueComponent, *, is_shown: bool = False) -> Listing:
        """Return the solutions of a group. They are listed only the first time.

        If they are listed only to be shown, the agent's counters do not count them.
        """
        if group not in self._listings:
            listing = list_solutions(group.constraints, self.order, MOST_LISTED, self.work)
            self._listings[group] = listing
        listing = self._listings[group]
        if not (is_shown or group in self._counted):
            self._counted.add(group)
            self.counters.update(listings=1, steps=listing.steps)
        return listing

    def _prove(self, group: ClueComponent, search: Search) -> Iterator[BacktrackProof]:
        """Yield proofs for the cells of a group. The search must have found a solution."""
        listed = self.until == "listed"
        for proof in self.listing(group).proofs() if listed else search.proofs():
            yield proof
            if self.until == "safe" and not proof.mined:
                return

    def _read_clue(self, clue: int) -> list[int]:
        """Read one clue and settle its cells if it decides them; return the clues affected."""
        self.counters["clues read"] += 1
        constraint = self.graph.read(clue)
        if constraint is None or constraint.decided is None:
            return []
        mined = constraint.decided
        return self._settle(constraint.cells, mined, self._clue_reason(constraint, mined))

    def knowledge(self, known: Knowledge) -> Knowledge:
        """Set the title to the number of components and the work done."""
        components = self.graph.components()
        done = ", ".join(f"{name} {count}" for name, count in sorted(self.counters.items()))
        known.title = f"{counted(len(components), 'component')}; {done or 'nothing done yet'}"
        return known

    def constraint_text(self, constraint: Statement) -> str:
        """Return the text of a constraint, such as `(2, 3): 1 of (1, 2), (1, 3)`."""
        cells = ", ".join(map(str, self._cells(constraint.cells)))
        least, most = constraint.least, constraint.most
        number = str(least) if least == most else f"{least} to {most}"
        return f"{self._agent.rules.grid.cell(constraint.clue)}: {number} of {cells}"

    def _search_fresh(self) -> bool:
        """Search the groups that have changed since the last call; return False if none has."""
        fresh = [group for group in self.reader.groups() if group not in self._searched]
        for group in fresh:
            self._searched[group] = self._search(group)
            if self._found_safe:
                break
        return bool(fresh)

    def _search_mine_count(self) -> bool:
        """Use the mine count; return False if nothing follows from it."""
        mines = self._agent.rules.mines
        if not self.mine_count or mines is None:
            return False
        if (total := self.graph.mine_count(mines)) is None:
            return False
        if total.decided is not None:
            self._accept([BacktrackProof(total.cells, total.decided, (MINE_COUNT,))])
            return True
        groups = self.reader.groups()
        if not self._count_may_prove(groups, total):
            return False
        listings = [self.listing(group) for group in groups]
        frontier = {cell for group in groups for cell in group.cells}
        interior = tuple(cell for cell in total.cells if cell not in frontier)
        proofs = list(count_proofs(listings, interior, total.least))
        if proofs:
            self._accept(self._shorten(proofs, total))
        return bool(proofs)

    def _shorten(self, proofs: Sequence[BacktrackProof], total: Statement) -> list[BacktrackProof]:
        """Reduce each proof to the clues it needs, if a short search finds them."""
        search = Search((*self.graph.constraints.values(), total), self.order, SHORTENING_STEPS)
        boxes = {cells: box for box, cells in enumerate(search.state.boxes)}
        found = []
        for proof in proofs:
            try:
                clues = search.find(boxes[proof.cells], mined=not proof.mined)
            except WorkLimitError:
                clues = None
            found.append(proof if clues is None else proof._replace(clues=clues))
        return found

    def _count_may_prove(self, groups: list[ClueComponent], total: Statement) -> bool:
        """Return whether the mine count could prove anything that the components do not.

        The solutions found so far show both values of every unproved cell. If the cells without a
        clue can hold the remaining mines in each of these solutions, the mine count adds nothing.
        Return True if the solutions were listed, because then the search has not stored enough of
        them for this check.
        """
        if self.until == "listed":
            return True
        searches = [self._searched[group] for group in groups if group in self._searched]
        if len(searches) < len(groups) or not all(search.solved for search in searches):
            return False
        interior = len(total.cells) - sum(len(group.cells) for group in groups)
        fewest = sum(search.fewest_mines for search in searches)
        most = sum(search.most_mines for search in searches)
        return not most < total.least < fewest + interior

    def _search(self, group: ClueComponent) -> Search:
        """Search a group and accept its proofs."""
        search = Search(group.constraints, self.order, self.work)
        proofs: list[BacktrackProof] = []
        try:
            conflict = search.find()
            if conflict is None:
                proofs.extend(self._prove(group, search))
            else:
                self.counters["contradictions"] += 1
                for clue in conflict:
                    self.graph.ignore(clue)
        except WorkLimitError:
            self.counters["work limits"] += 1
        self.counters.update(searches=1, steps=search.state.steps)
        self._accept(proofs)
        return search

    def _accept(self, proofs: Sequence[BacktrackProof]) -> None:
        """Pass the proved cells to the agent. Reasons are made first, so no proof uses another."""
        reasons = [self._proof_reason(proof) for proof in proofs]
        stale: list[int] = []
        for proof, reason in zip(proofs, reasons, strict=True):
            stale += self._settle(proof.cells, proof.mined, reason)
        self.reader.follow(stale, self._read_clue)

    def _settle(self, cells: Iterable[int], mined: bool, reason: Reason) -> list[int]:
        """Pass proved cells to the agent; return the clues that must be read again."""
        self._found_safe |= not mined
        stale: list[int] = []
        for cell in cells:
            self._agent.conclude(cell, mined, reason)
            stale += self.graph.settle(cell, mined)
        return stale

    def _clue_reason(self, constraint: Statement, mined: bool) -> Reason:
        clue = constraint.clue
        ending = "needs all of its unknown cells" if mined else "has all of its mines"
        # The reason for mines uses known safe cells; the reason for safe cells uses known mines.
        used = self.graph.settled_around(clue, mined=not mined)
        text = f"{self._clue_text(clue)} {ending}"
        return Reason(text, self._cells((clue,)), self._cells(used))

    def _proof_reason(self, proof: BacktrackProof) -> Reason:
        clues = [clue for clue in proof.clues if clue != MINE_COUNT]
        uses_mine_count = len(clues) < len(proof.clues)
        used = {
            cell
            for clue in clues
            for mined in (False, True)
            for cell in self.graph.settled_around(clue, mined=mined)
        }
        text = self._proof_text(proof, clues, uses_mine_count)
        return Reason(text, self._cells(clues), self._cells(sorted(used)), uses_mine_count)

    def _proof_text(
        self, proof: BacktrackProof, clues: Sequence[int], uses_mine_count: bool
    ) -> str:
        if not clues:
            return f"by the mine count, {'only' if proof.mined else 'no'} mines are left"
        named = [self._clue_text(clue) for clue in clues[:MOST_CLUES_IN_TEXT]]
        if more := len(clues) - len(named):
            named.append(counted(more, "more clue"))
        if uses_mine_count:
            named.append("the mine count")
        box = joined([str(cell) for cell in self._cells(proof.cells)])
        one = "" if len(proof.cells) == 1 else "one of "
        value = "safe" if proof.mined else "a mine"
        return f"if {one}{box} were {value}, no arrangement would fit {joined(named)}"

    def _clue_text(self, clue: int) -> str:
        return f"the {self.graph.shown[clue]} at {self._agent.rules.grid.cell(clue)}"

    def _cells(self, indices: Iterable[int]) -> tuple[Cell, ...]:
        return tuple(map(self._agent.rules.grid.cell, indices))
