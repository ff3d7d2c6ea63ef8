"""`exact`: the exact risk of every cell. Opens what is proved, else the safest cell.

Single clues are read first, and only those next to something new. When they prove nothing
more, the exact engine counts the layouts of the whole position: whatever is the same in all
of them is proved. Otherwise the cell with the lowest risk is opened; of equal ones that with
the fewest unopened neighbours, then the first in row order.

Proved cells are opened in row order, and new clues are not read until none is left: so the
native core plays the very same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from mineproof.agents.knowledge import KnowledgeAgent, known_mine
from mineproof.agents.protocol import Knowledge, WholeGame
from mineproof.agents.registry import agent
from mineproof.backend import native
from mineproof.core.board import Board
from mineproof.core.clues import EXACT, UNOPENED, ClueKind
from mineproof.core.decision import Candidate, Decision, Reason
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.game import Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, MineCount, Rules
from mineproof.inference.counting import NODES, Facts, count
from mineproof.proof.ranking import rank, unopened_neighbours

CANDIDATES = 8
"""Cells that a guess shows."""
NOISY_NODES = 30_000
"""States to count under unreliable clues: often far too few, and then risks are estimated."""

FEW_NODES = 10_000
"""States of a position whose layouts are told by their number."""


@agent(
    "exact",
    idea="the exact risk of every cell; opens what is proved, else the safest",
    source="layouts counted by dynamic programming over the frontier; see the engine's page",
    proves="everything that follows from the clues and the mine count",
    cannot_prove="nothing that is true in all layouts; which guess is best in the long run",
    strength=80,
)
class ExactAgent(KnowledgeAgent):
    """Knows every risk; looks no move ahead."""

    def __init__(
        self,
        *,
        clues: Annotated[
            Literal["model", "trust"],
            "weigh unreliable clues by how they come about, or trust them",
        ] = "model",
    ) -> None:
        """Set the options."""
        self._trusts = clues == "trust"

    def forget(self) -> None:
        """Drop what is to be read, and the facts."""
        self._unread: set[int] = set()
        self._facts: Facts | None = None

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Note what is new; it is read when nothing proved is left to do."""
        self._unread.update(changes)
        self._facts = None

    def think(self, observation: Observation) -> None:
        """Read single clues; if they prove nothing to do, count all layouts."""
        if self._reads_single_clues and self._read_clues(observation):
            return
        self._facts = self._count(observation)
        if self._facts is not None:
            self._conclude_facts(self._facts)

    def guess(self, observation: Observation) -> Decision | None:
        """Open the safest cell; where marks count and all are likely mines, mark the likeliest."""
        if self._facts is None:
            return self.guess_random(observation, "counting is too much work: a random guess")
        cells = [index for index in rank(self._facts) if not self.is_known_mine(index)]
        if self.rules.marks_matter:
            cells = [index for index in cells if not observation.marks[index]]
        if not cells:
            return None
        risk = self._facts.risk
        if self.rules.marks_matter and risk[cells[0]] > 0.5:
            cells.sort(key=lambda index: (-risk[index], index))
            text = f"{risk[cells[0]]:.1%} likely to be a mine, and no cell is likely to be safe"
            return self._guess(Action.MARK, cells, text)
        # A mark is a note, perhaps a person's; it only has to go before the cell is opened.
        action = Action.UNMARK if observation.marks[cells[0]] else Action.OPEN
        return self._guess(action, cells, self._why(observation, cells))

    def _guess(self, action: Action, cells: Sequence[int], text: str) -> Decision:
        """Make a decision about the first of these cells; the next ones are candidates."""
        assert self._facts is not None
        cell, risk = self.rules.grid.cell, self._facts.risk
        candidates = tuple(Candidate(cell(index), risk[index]) for index in cells[:CANDIDATES])
        move = Move(action, cell(cells[0]))
        return Decision(move, False, Reason(text), risk[cells[0]], candidates)

    def play_whole(self, rules: Rules, boards: Sequence[Board], first: Cell) -> list[WholeGame]:
        """Play all boards inside the native core; empty if it cannot do it."""
        plays = self._core_games()
        if plays is None or not _is_plain(rules):
            return []
        mined = b"".join(board.mined for board in boards)
        games = plays(rules.rows, rules.columns, rules.mines, mined, rules.grid.index(first))
        return [WholeGame(Result(result), *rest) for result, *rest in games]

    def _core_games(self) -> Callable[..., list[tuple[Any, ...]]] | None:
        """Give the native function that plays this agent's games, if there is one."""
        return getattr(native, "play_exact", None)

    def knowledge(self) -> Knowledge:
        """Give the proved cells, the risks and the components, for display."""
        known = super().knowledge()
        facts = self._facts
        if facts is None:
            return known
        risks = {index: facts.risk[index] for index in facts.observation.unopened}
        lines = self.lines()
        title = f"{len(lines)} components" if lines else "no component is left"
        return Knowledge(title, lines, known.safe, known.mined, risks)

    def lines(self) -> tuple[str, ...]:
        """Describe the components that were counted last."""
        if self._facts is None:
            return ()
        return tuple(
            f"{len(part.boxes)} boxes with {part.size} cells under {len(part.clues)} clues"
            for part in self._facts.components
        )

    @property
    def _reads_single_clues(self) -> bool:
        return self._trusts or self.rules.clues.kind in (ClueKind.EXACT, ClueKind.WITHHELD)

    def _read_clues(self, observation: Observation) -> bool:
        """Read clues one by one until nothing follows; say whether that gives something to do."""
        neighbours = observation.grid.neighbours
        pending = self._unread.union(*(neighbours(index) for index in self._unread))
        self._unread = set()
        found: dict[int, tuple[bool, int]] = {}
        while pending:
            clue = pending.pop()
            for index, mined in self._read(observation, clue, found):
                found[index] = mined, clue
                pending.update(neighbours(index))
        for index in sorted(found):
            mined, clue = found[index]
            self.conclude(index, mined, self._clue_reason(observation, clue, mined))
        return any(self.rules.marks_matter or not mined for mined, _ in found.values())

    def _read(
        self, observation: Observation, clue: int, found: dict[int, tuple[bool, int]]
    ) -> list[tuple[int, bool]]:
        """Apply a single clue: it has all its mines, or needs all its other cells."""
        code = observation.shown[clue]
        if code >= UNOPENED:
            return []
        unknown = []
        for index in observation.grid.neighbours(clue):
            if known_mine(self, observation, index) or found.get(index, (False, 0))[0]:
                code -= 1
            elif (
                observation.shown[index] == UNOPENED
                and index not in found
                and index not in self.conclusions
            ):
                unknown.append(index)
        if code not in (0, len(unknown)):
            return []
        return [(index, code > 0) for index in unknown]

    def _clue_reason(self, observation: Observation, clue: int, mined: bool) -> Reason:
        cell = observation.grid.cell(clue)
        where = f"the {observation.shown[clue]} at {cell}"
        if mined:
            return Reason(f"{where} needs all of its other unopened neighbours", (cell,))
        return Reason(f"{where} has all of its mines", (cell,))

    def _count(self, observation: Observation) -> Facts | None:
        """Ask the engine; None if it is too much work even for an estimate."""
        nodes = NODES if self._reads_single_clues else NOISY_NODES
        try:
            return count(self._as_read(observation), nodes=nodes, sampled=True)
        except ContradictionError:
            if not self._trusts:
                raise
        except WorkLimitError:
            return None
        # Trusted clues contradict each other: then they must be weighed after all.
        return count(observation, nodes=NOISY_NODES, sampled=True)

    def _as_read(self, observation: Observation) -> Observation:
        if not self._trusts or observation.rules.clues == EXACT:
            return observation
        rules = replace(observation.rules, clues=EXACT)
        return Observation(rules, observation.shown, observation.marks)

    def _conclude_facts(self, facts: Facts) -> None:
        # Only for the words: where it takes long to count them exactly, they do without.
        amount = facts.layouts if facts.nodes <= FEW_NODES else None
        layouts = "the only layout" if amount == 1 else f"all {_amount(amount)} layouts"
        for index in facts.safe:
            self.conclude(index, False, Reason(f"it is safe in {layouts}", uses_mine_count=True))
        for index in facts.mined:
            self.conclude(index, True, Reason(f"it is a mine in {layouts}", uses_mine_count=True))
        self._unread.update(facts.safe, facts.mined)

    def _why(self, observation: Observation, cells: Sequence[int]) -> str:
        assert self._facts is not None
        risk = self._facts.risk[cells[0]]
        kind = "risk" if self._facts.exact else "estimated risk"
        text = f"nothing is proved safe; a {kind} of {risk:.1%}"
        if len(cells) == 1:
            return f"{text}, and no other cell is left"
        if self._facts.risk[cells[1]] > risk + 1e-10:
            return f"{text} is the lowest"
        near = unopened_neighbours(observation, cells[0])
        return (
            f"{text} is the lowest, and of equal cells it has the fewest unopened around ({near})"
        )


def _amount(layouts: int | None) -> str:
    """Write a number of layouts for people."""
    if layouts is None:
        return "possible"
    return (
        f"{layouts:,}" if layouts < 10**9 else f"{layouts:.2e}" if layouts < 10**300 else "possible"
    )


def _is_plain(rules: Rules) -> bool:
    """Say whether the native core plays by these rules."""
    return (
        rules.clues == EXACT
        and rules.flood
        and rules.goal is Goal.OPEN
        and rules.explosion is Explosion.LOSE
        and rules.mine_count is MineCount.KNOWN
    )
