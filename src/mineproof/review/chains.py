"""Chains of influence: which cells each conclusion of a game is based on, and how far away.

Every cell that becomes known is a node. Cells opened at the start and guesses are roots. The
parents of a conclusion are the opened cells whose clues it used, and the earlier conclusions it
used. The parent of a flooded cell is the cell that started the flood. The graph has no cycles,
because a conclusion can only use what is already known.

The *length* of a chain is the number of conclusions in it; a flood adds none. The *reach* of a
conclusion is the distance to its farthest ancestor, in king's moves on the board.

The reasons come from the agent that plays the game, or from an agent that follows a record move by
move. Both give the same chains for the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import islice
from typing import NamedTuple

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.loading import parse_agent
from mineproof.agents.protocol import Agent
from mineproof.core.board import deal_given
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.match.isolated import player
from mineproof.match.play import agent_seed, ask, play, prepare
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import Record
from mineproof.review.verdicts import opened_by

READER = "clue-heap"
"""The agent that follows games of human players. The report on this agent introduced chains."""


class Origin(StrEnum):
    """How a cell became known."""

    START = "start"
    GUESS = "guess"
    FLOOD = "flood"
    CONCLUSION = "conclusion"


class Extent(NamedTuple):
    """The rows and columns that a set of cells spans."""

    top: int
    bottom: int
    left: int
    right: int

    def join(self, other: Extent) -> Extent:
        """Return the smallest extent that covers both."""
        top, left = min(self.top, other.top), min(self.left, other.left)
        return Extent(top, max(self.bottom, other.bottom), left, max(self.right, other.right))

    def farthest(self, cell: Cell) -> int:
        """Return the distance from a cell to the farthest cell of the set, in king's moves."""
        row, column = cell
        return max(row - self.top, self.bottom - row, column - self.left, self.right - column)


@plain_form("cell", "origin", "parents", "move", "length", "reach")
@dataclass(frozen=True)
class Node:
    """A cell that became known."""

    cell: Cell
    origin: Origin
    parents: tuple[Cell, ...]
    """The cells that it is directly based on."""
    move: int
    """The number of the move that made it known, from 1; 0 for the start."""
    length: int
    """The number of conclusions in the longest chain that ends here."""
    previous: Cell | None
    """The node before it in that chain."""
    extent: Extent
    """The extent of the cell and all its ancestors."""

    @property
    def reach(self) -> int:
        """The distance to the farthest ancestor, in king's moves."""
        return self.extent.farthest(self.cell)


@plain_form("length", "reach", "longest", "lengths", "reaches", "nodes=node_list")
@dataclass(frozen=True)
class Chains:
    """The chains of influence of a game."""

    nodes: Mapping[Cell, Node]
    lengths: tuple[int, ...]
    """The length of the longest chain after each move."""
    reaches: tuple[int, ...]
    """The longest reach of any conclusion after each move."""

    @property
    def conclusions(self) -> list[Node]:
        """The conclusions, in the order in which they were reached."""
        return [node for node in self.nodes.values() if node.origin is Origin.CONCLUSION]

    @property
    def length(self) -> int:
        """The number of conclusions in the longest chain."""
        return max((node.length for node in self.nodes.values()), default=0)

    @property
    def reach(self) -> int:
        """The longest reach of any conclusion."""
        return max((node.reach for node in self.conclusions), default=0)

    @property
    def longest(self) -> tuple[Cell, ...]:
        """The longest chain, starting with its root. Ties are broken by the longest reach."""
        ends = self.conclusions
        end = max(ends, key=lambda node: (node.length, node.reach), default=None)
        return () if end is None else self.chain(end.cell)

    @property
    def edges(self) -> list[tuple[Cell, Cell]]:
        """All pairs of a cell and a conclusion that is directly based on it."""
        return [(parent, node.cell) for node in self.nodes.values() for parent in node.parents]

    def chain(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Return the longest chain that ends in a cell, starting with its root."""
        found: list[Cell] = []
        step: Cell | None = Cell(*cell)
        while step is not None:
            found.append(step)
            step = self.nodes[step].previous
        return tuple(reversed(found))

    @property
    def node_list(self) -> list[Node]:
        """The nodes in the order in which they became known."""
        return list(self.nodes.values())


class Tracer:
    """Builds the chains of a game while it is played, as a watcher for `play`.

    Pass the agent if it is a `KnowledgeAgent`: it concludes more than it plays, especially mines.
    Without the agent, only moves become nodes, and other conclusions are missing.
    """

    def __init__(self, agent: Agent | None = None) -> None:
        self._agent = agent
        self._nodes: dict[Cell, Node] = {}
        self._lengths: list[int] = []
        self._reaches: list[int] = []
        self._length = self._reach = 0
        self._seen = 0
        self._last: int | None = None

    def __call__(self, game: Game, decision: Decision) -> None:
        """Add a move that was just made."""
        observation = game.observation
        opened = self._opened(observation)
        if not self._lengths:
            self._begin(game, observation, set(opened))
        self._last = observation.serial
        self._add_conclusions(game)
        self._add_move(game, decision, opened)
        self._lengths.append(self._length)
        self._reaches.append(self._reach)

    @property
    def chains(self) -> Chains:
        """The chains so far."""
        return Chains(dict(self._nodes), tuple(self._lengths), tuple(self._reaches))

    def _opened(self, observation: Observation) -> Sequence[int]:
        """Return the cells that the last move opened, the move's own cell first."""
        if self._last is None or observation.follows == self._last:
            return observation.changes
        cell = observation.grid.cell
        return [index for index in observation.opened if cell(index) not in self._nodes]

    def _begin(self, game: Game, observation: Observation, opened: set[int]) -> None:
        """Add the cells that were open before the first move: start cells and their floods."""
        grid = game.rules.grid
        assert game.board is not None
        roots = [grid.cell(i) for i in deal_given(game.rules, game.board, game.seed)]
        if game.first is not None:
            roots.append(game.first)
        for root in roots:
            self._add(root, Origin.START, (), 0)
        rest = set(observation.opened) - opened
        for root in roots:
            self._flood(observation, grid.index(root), rest)
        for index in sorted(rest):
            self._add(grid.cell(index), Origin.START, (), 0)

    def _flood(self, observation: Observation, root: int, rest: set[int]) -> None:
        """Add the cells that a root flooded, and remove them from `rest`."""
        grid = observation.grid
        rest.discard(root)
        pending = [root]
        while pending:
            index = pending.pop()
            if observation.shown[index] == 0:
                reached = [near for near in grid.neighbours(index) if near in rest]
                for near in reached:
                    rest.discard(near)
                    self._add(grid.cell(near), Origin.FLOOD, (grid.cell(root),), 0)
                pending.extend(reached)

    def _add_conclusions(self, game: Game) -> None:
        """Add the agent's new conclusions, whether it has acted on them or not."""
        if not isinstance(self._agent, KnowledgeAgent):
            return
        found = self._agent.conclusions
        if len(found) < self._seen:  # the agent has restarted
            self._seen = 0
        for index, conclusion in islice(found.items(), self._seen, None):
            self._conclude(game.rules.grid.cell(index), conclusion.reason)
        self._seen = len(found)

    def _add_move(self, game: Game, decision: Decision, opened: Sequence[int]) -> None:
        grid, cell, reason = game.rules.grid, decision.move.cell, decision.reason
        targets = [cell]
        if decision.move.action is Action.CHORD:
            # The opened neighbours are based on the chorded clue and on the reason.
            near = grid.neighbours(grid.index(cell))
            targets = [grid.cell(i) for i in near if i in set(opened)]
            reason = Reason(reason.text, (cell, *reason.clues), reason.conclusions)
        for target in targets:
            if decision.proved:
                self._conclude(target, reason)
            else:
                self._add(target, Origin.GUESS, (), self._move)
        for index in opened:
            self._add(grid.cell(index), Origin.FLOOD, (cell,), self._move)

    @property
    def _move(self) -> int:
        """The number of the move that is being added."""
        return len(self._lengths) + 1

    def _conclude(self, cell: Cell, reason: Reason) -> None:
        self._add(cell, Origin.CONCLUSION, (*reason.clues, *reason.conclusions), self._move)

    def _add(self, cell: Cell, origin: Origin, parents: Iterable[Cell], move: int) -> None:
        """Add a node, unless the cell already has one."""
        if cell in self._nodes:
            return
        known = tuple(dict.fromkeys(p for p in parents if p in self._nodes and p != cell))
        previous = max(known, key=lambda parent: self._nodes[parent].length, default=None)
        length = 0 if previous is None else self._nodes[previous].length
        own = Extent(cell.row, cell.row, cell.column, cell.column)
        extent = reduce(Extent.join, (self._nodes[parent].extent for parent in known), own)
        concluded = origin is Origin.CONCLUSION
        node = Node(cell, origin, known, move, length + concluded, previous, extent)
        self._nodes[cell] = node
        if concluded:
            self._length = max(self._length, node.length)
            self._reach = max(self._reach, node.reach)


def trace(game: Game, agent: Agent, *, seed: int | None = None) -> Chains:
    """Play a game to its end with an agent, and return the chains of influence."""
    tracer = Tracer(agent)
    play(game, agent, seed=seed, watcher=tracer)
    return tracer.chains


def trace_record(record: Record, reader: str = "") -> Chains:
    """Replay a game and return its chains of influence.

    Args:
        record: the game.
        reader: the agent that follows the game and supplies the reasons. The default is
            `reader_of(record)`. User code runs in a separate process.

    Raises:
        NotationError: the record does not replay.
        AgentError: there is no such agent.
    """
    record.replay()
    game = record.begin()
    with player(reader or reader_of(record), cells=game.rules.grid.size) as agent:
        tracer = Tracer(agent)
        prepare(agent, game.rules.public(), agent_seed(agent, game.seed))
        for step in record.steps:
            decision = _read_move(agent, game.observation, step.move)
            game.play(step.move)
            tracer(game, decision)
    return tracer.chains


def reader_of(record: Record) -> str:
    """Return the agent that follows a record: its player if built-in, otherwise `READER`.

    If the player is an agent file, it is not run: records may come from untrusted sources.
    """
    if ".py" in record.player:
        return READER
    try:
        spec, options = parse_agent(record.player)
        spec.make(**options)
    except AgentError:
        return READER
    return record.player


def _read_move(agent: Agent, before: Observation, move: Move) -> Decision:
    """Return a move with the agent's reason for it; without a reason, the move is a guess."""
    decision = ask(agent, before)
    if decision is not None and decision.move == move:
        return decision
    if isinstance(agent, KnowledgeAgent):
        mined = move.action is Action.MARK
        cells = (before.grid.index(move.cell),) if mined else opened_by(before, move)
        known = [agent.conclusions.get(index) for index in cells]
        if known and all(one is not None and one.mined == mined for one in known):
            reasons = [one.reason for one in known if one is not None]
            return Decision(move, True, _joined(reasons))
    return Decision(move, False, Reason("the agent that follows the game sees no proof"))


def _joined(reasons: Sequence[Reason]) -> Reason:
    clues = dict.fromkeys(cell for one in reasons for cell in one.clues)
    conclusions = dict.fromkeys(cell for one in reasons for cell in one.conclusions)
    return Reason(reasons[0].text, tuple(clues), tuple(conclusions))
