"""Chains of influence: what each conclusion of a game rests on, and how far that reaches.

Every cell that becomes known is a node. The cells opened at the start and the guesses are
roots. A conclusion inherits the chains of all that informed it: the opened cells whose clues it
used, which were themselves concluded, guessed or given, and the conclusions it used. A cell
opened by flood comes from the cell whose opening flooded. That is a directed graph without
cycles, since nothing rests on what came later.

The *length* of a chain is the number of conclusions on it; flood adds none. The *reach* of a
conclusion is how far away its farthest ancestor lies, in king's moves on the board.

Reasons are an agent's, so chains are those of a game as an agent reads it: the one that plays,
or one that follows a record move by move. Both give the same chains of the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.loading import make_agent, parse_agent
from mineproof.agents.protocol import Agent
from mineproof.core.board import deal_given
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.match.play import agent_seed, ask, play, prepare
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import Record
from mineproof.review.verdicts import opened_by

READER = "clue-heap"
"""The agent that reads games of people: the one whose report has the idea."""


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
        """Return the extent of both sets."""
        top, left = min(self.top, other.top), min(self.left, other.left)
        return Extent(top, max(self.bottom, other.bottom), left, max(self.right, other.right))

    def farthest(self, cell: Cell) -> int:
        """Return the distance from a cell to the farthest of the set, in king's moves.

        The farthest lies on an edge of the extent, whichever cells the set has inside.
        """
        row, column = cell
        return max(row - self.top, self.bottom - row, column - self.left, self.right - column)


@plain_form("cell", "origin", "parents", "move", "length", "reach")
@dataclass(frozen=True)
class Node:
    """A cell that became known."""

    cell: Cell
    origin: Origin
    parents: tuple[Cell, ...]
    """What it rests on directly."""
    move: int
    """The number of the move with which it became known, from 1; 0 for the start."""
    length: int
    """How many conclusions the longest chain has that ends here."""
    previous: Cell | None
    """The node before it on that chain."""
    extent: Extent
    """The extent of the cell and all its ancestors."""

    @property
    def reach(self) -> int:
        """How far away the farthest ancestor lies, in king's moves."""
        return self.extent.farthest(self.cell)


@plain_form("length", "reach", "longest", "lengths", "reaches", "nodes=node_list")
@dataclass(frozen=True)
class Chains:
    """The chains of influence of a game."""

    nodes: Mapping[Cell, Node]
    lengths: tuple[int, ...]
    """After each move, how long the longest chain is."""
    reaches: tuple[int, ...]
    """After each move, how far the farthest conclusion reaches."""

    @property
    def conclusions(self) -> list[Node]:
        """The conclusions, in the order in which they were reached."""
        return [node for node in self.nodes.values() if node.origin is Origin.CONCLUSION]

    @property
    def length(self) -> int:
        """The number of conclusions on the longest chain."""
        return max((node.length for node in self.nodes.values()), default=0)

    @property
    def reach(self) -> int:
        """How far influence travelled: the farthest reach of a conclusion."""
        return max((node.reach for node in self.conclusions), default=0)

    @property
    def longest(self) -> tuple[Cell, ...]:
        """The longest chain, from its root to its end; of equal ones the farthest reaching."""
        ends = self.conclusions
        end = max(ends, key=lambda node: (node.length, node.reach), default=None)
        return () if end is None else self.chain(end.cell)

    @property
    def edges(self) -> list[tuple[Cell, Cell]]:
        """All pairs of a cell and one that rests on it directly."""
        return [(parent, node.cell) for node in self.nodes.values() for parent in node.parents]

    def chain(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Return the longest chain that ends in a cell, from its root."""
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
    """Builds the chains of a game while it is played: a watcher for `play`.

    The agent should be handed in where it is a `KnowledgeAgent`: it concludes more than it
    plays, mines above all. Without it only moves are nodes, and what they rest on besides is
    left out.
    """

    def __init__(self, agent: Agent | None = None) -> None:
        """Prepare for a game that has not begun."""
        self._agent = agent
        self._nodes: dict[Cell, Node] = {}
        self._lengths: list[int] = []
        self._reaches: list[int] = []
        self._length = self._reach = 0
        self._taken = 0
        self._last: int | None = None

    def __call__(self, game: Game, decision: Decision) -> None:
        """Take in a move that was just made."""
        observation = game.observation
        opened = self._opened(observation)
        if not self._lengths:
            self._begin(game, observation, set(opened))
        self._last = observation.serial
        self._take_conclusions(game)
        self._take_move(game, decision, opened)
        self._lengths.append(self._length)
        self._reaches.append(self._reach)

    @property
    def chains(self) -> Chains:
        """The chains so far."""
        return Chains(dict(self._nodes), tuple(self._lengths), tuple(self._reaches))

    def _opened(self, observation: Observation) -> Sequence[int]:
        """List the cells that the last move opened, the move's own cell first."""
        if self._last is None or observation.follows == self._last:
            return observation.changes
        cell = observation.grid.cell
        return [index for index in observation.opened if cell(index) not in self._nodes]

    def _begin(self, game: Game, observation: Observation, opened: set[int]) -> None:
        """Take in what was open before the first move: the start cells and their floods."""
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
        """Take in the cells that the opening of a root flooded, and take them off the rest."""
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

    def _take_conclusions(self, game: Game) -> None:
        """Take in what the agent has concluded, moved on or not."""
        if not isinstance(self._agent, KnowledgeAgent):
            return
        found = self._agent.conclusions
        if len(found) < self._taken:  # the agent began anew
            self._taken = 0
        for index, conclusion in islice(found.items(), self._taken, None):
            self._conclude(game.rules.grid.cell(index), conclusion.reason)
        self._taken = len(found)

    def _take_move(self, game: Game, decision: Decision, opened: Sequence[int]) -> None:
        cell = decision.move.cell
        grid = game.rules.grid
        if decision.move.action is Action.CHORD:
            targets = [i for i in grid.neighbours(grid.index(cell)) if i in set(opened)]
            self._take_chord(decision, [grid.cell(i) for i in targets])
        elif decision.proved:
            self._conclude(cell, decision.reason)
        else:
            self._add(cell, Origin.GUESS, (), self._move)
        for index in opened:
            self._add(grid.cell(index), Origin.FLOOD, (cell,), self._move)

    def _take_chord(self, decision: Decision, targets: Iterable[Cell]) -> None:
        """Take in the cells next to a chorded clue: they rest on it and on the reason."""
        reason = decision.reason
        clues = (decision.move.cell, *reason.clues)
        for target in targets:
            if decision.proved:
                self._conclude(target, Reason(reason.text, clues, reason.conclusions))
            else:
                self._add(target, Origin.GUESS, (), self._move)

    @property
    def _move(self) -> int:
        """The number of the move that is being taken in."""
        return len(self._lengths) + 1

    def _conclude(self, cell: Cell, reason: Reason) -> None:
        self._add(cell, Origin.CONCLUSION, (*reason.clues, *reason.conclusions), self._move)

    def _add(self, cell: Cell, origin: Origin, parents: Iterable[Cell], move: int) -> None:
        """Make a node of a cell that is not one yet."""
        if cell in self._nodes:
            return
        known = tuple(dict.fromkeys(p for p in parents if p in self._nodes and p != cell))
        previous = max(known, key=lambda parent: self._nodes[parent].length, default=None)
        length = 0 if previous is None else self._nodes[previous].length
        extent = Extent(cell.row, cell.row, cell.column, cell.column)
        for parent in known:
            extent = extent.join(self._nodes[parent].extent)
        concluded = origin is Origin.CONCLUSION
        node = Node(cell, origin, known, move, length + concluded, previous, extent)
        self._nodes[cell] = node
        if concluded:
            self._length = max(self._length, node.length)
            self._reach = max(self._reach, node.reach)


def trace(game: Game, agent: Agent, *, seed: int | None = None) -> Chains:
    """Let an agent play a game to its end and give the chains of influence."""
    tracer = Tracer(agent)
    play(game, agent, seed=seed, watcher=tracer)
    return tracer.chains


def trace_record(record: Record, reader: str = "") -> Chains:
    """Replay a game and give its chains of influence, as an agent reads them.

    Args:
        record: the game.
        reader: the agent that follows it; by default as `reader_of` says.

    Raises:
        NotationError: the record does not replay.
        AgentError: there is no such agent.
    """
    record.replay()
    game, agent = record.begin(), make_agent(reader or reader_of(record))
    tracer = Tracer(agent)
    prepare(agent, game.rules.public(), agent_seed(agent, game.seed))
    for step in record.steps:
        decision = _read_move(agent, game.observation, step.move)
        game.play(step.move)
        tracer(game, decision)
    return tracer.chains


def reader_of(record: Record) -> str:
    """Name the agent that reads a record: its player if that is one of ours, else `READER`.

    A file that the player's name points to is not run: records come from anywhere.
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
    """Return a move with the reason that an agent has for it, or as a guess."""
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
    return Decision(move, False, Reason("a guess, as the reader sees it"))


def _joined(reasons: Sequence[Reason]) -> Reason:
    clues = dict.fromkeys(cell for one in reasons for cell in one.clues)
    conclusions = dict.fromkeys(cell for one in reasons for cell in one.conclusions)
    return Reason(reasons[0].text, tuple(clues), tuple(conclusions))
