"""Proves that a board can be solved: lists the moves and the reasoning that each of them needs.

Each move uses the easiest kind of reasoning that proves a safe cell, and conclusions are
remembered, just as a player remembers mines by flags. So no other order of moves needs only easier
kinds, and the board requires the hardest kind used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import WorkLimitError, wrong_type
from mineproof.core.game import Game
from mineproof.core.grid import Cell, as_cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules
from mineproof.core.words import counted
from mineproof.inference.budget import Budget
from mineproof.inference.clue_graph import Statement
from mineproof.inference.counting import Density, count
from mineproof.proof.cases import easiest_by_cases, prove_by_cases
from mineproof.proof.closure import Closure
from mineproof.proof.kinds import (
    Deduction,
    Proof,
    ReasoningKind,
    Rule,
    count_steps,
    difficulty,
    kind_of,
)

WORK = 20_000
"""The maximum number of conclusions for a proof by cases."""
PLAIN = (ReasoningKind.TWO_CLUES, ReasoningKind.SEVERAL_CLUES)


@dataclass(frozen=True)
class ProvedMove:
    """A safe cell to open, and the proof that it is safe after the moves before it."""

    cell: Cell
    proof: Proof
    """The conclusions drawn for this move. Conclusions from earlier moves count as known."""

    @property
    def kind(self) -> ReasoningKind:
        """The kind of reasoning that the move needs."""
        return kind_of(self.proof)

    def to_plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"cell": self.cell, "kind": str(self.kind), "steps": count_steps(self.proof)}


@dataclass(frozen=True)
class Solvability:
    """The solution of a board from its first cell, as far as proofs lead."""

    board: Board
    first: Cell
    moves: tuple[ProvedMove, ...]
    is_solved: bool
    """Whether every safe cell is open at the end; otherwise the next move is a guess."""

    @cached_property
    def kinds(self) -> dict[ReasoningKind, int]:
        """The number of moves that need each kind of reasoning, easiest first."""
        found = Counter(move.kind for move in self.moves)
        return {kind: found[kind] for kind in sorted(found)}

    @property
    def hardest(self) -> ReasoningKind:
        """The hardest kind of reasoning that the board needs."""
        return max(self.kinds, default=ReasoningKind.NONE)

    @cached_property
    def difficulty(self) -> float:
        """The difficulty of the hardest move: its kind, plus 0.1 per further step."""
        return max((difficulty(move.proof) for move in self.moves), default=0.0)

    def __repr__(self) -> str:
        state = "solved" if self.is_solved else "stuck"
        moves = counted(len(self.moves), "move")
        return f"<Solvability {self.board!r} from {self.first}: {state} after {moves}>"

    def position(self, number: int) -> Observation:
        """Return the position before a move, counted from 0."""
        game = Game(_plain(self.board), 0, self.first, self.board)
        for move in self.moves[:number]:
            if game.observation.shown[self.board.grid.index(move.cell)] == UNOPENED:
                game.play(Move(Action.OPEN, move.cell))
        return game.observation

    def to_plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "solved": self.is_solved,
            "hardest": str(self.hardest),
            "difficulty": self.difficulty,
            "kinds": {str(kind): number for kind, number in self.kinds.items()},
            "moves": [move.to_plain() for move in self.moves],
        }

    def __str__(self) -> str:
        """Return a one-line summary."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in self.kinds.items())
        end = "solved" if self.is_solved else "a guess is needed"
        return (
            f"{end} after {len(self.moves)} moves ({kinds or 'none'}), difficulty {self.difficulty}"
        )


def solvability(board: Board, first: tuple[int, int]) -> Solvability:
    """Solve a board from its first cell by proofs alone, easiest first.

    Raises:
        TypeError: an argument is of another type.
        InputError: the first cell is off the board, or is a mine.
        WorkLimitError: a position has too many states to count.
    """
    if not isinstance(board, Board):
        raise wrong_type("a Board", board)
    return _Solving(board, as_cell(first)).run()


def where_reasoning_ends(
    board: Board, first: tuple[int, int], hardest: ReasoningKind
) -> Iterator[Observation]:
    """Play a board with reasoning up to the `hardest` kind; yield the positions where it fails.

    After each of these positions, all proved safe cells are opened and the game continues.
    """
    return _Solving(board, Cell(*first)).ends(hardest)


def is_safe(_: int, mined: bool) -> bool:
    """Return whether a conclusion is a safe cell. This is a goal for `Closure.run`."""
    return not mined


def _plain(board: Board) -> Rules:
    return Rules(board.rows, board.columns, len(board.mine_indices))


class _Solving:
    """A game that is being solved, and the conclusions so far."""

    def __init__(self, board: Board, first: Cell) -> None:
        self._board = board
        self._first = first
        self._game = Game(_plain(board), 0, first, board)
        self._shown = self._game.observation.shown
        self._grid = board.grid
        self._mines: set[int] = set()
        self._moves: list[ProvedMove] = []
        self._fresh = set(self._game.observation.changes)

    def run(self) -> Solvability:
        while not self._game.is_over:
            if not self._read_single_clues() and not self._think():
                break
        return Solvability(self._board, self._first, tuple(self._moves), self._game.is_over)

    def ends(self, hardest: ReasoningKind) -> Iterator[Observation]:
        while not self._game.is_over:
            if hardest and (self._read_single_clues() or self._think_up_to(hardest)):
                continue
            yield self._game.observation
            safe = count(self._game.observation).safe
            if not safe:
                return
            self._open(safe, ())

    def _think_up_to(self, hardest: ReasoningKind) -> bool:
        """Open all cells that these kinds of reasoning prove. Return whether there were any."""
        safe: Sequence[int] = ()
        if hardest is ReasoningKind.CASES:
            safe = count(self._game.observation, prior=Density(0.5)).safe
        for kind in [kind for kind in PLAIN if kind <= hardest < ReasoningKind.CASES]:
            closure = Closure(self._statements(), kind, Budget())
            closure.run(None if kind is ReasoningKind.TWO_CLUES else is_safe)
            self._conclude_mines(cell for cell, mined in closure.known.items() if mined)
            safe = [cell for cell, mined in closure.known.items() if not mined]
            if safe:
                break
        self._open(safe, ())
        return bool(safe)

    # ---- one clue

    def _read_single_clues(self) -> bool:
        """Draw conclusions from single clues. Return whether a cell was opened."""
        before = len(self._moves)
        while self._fresh:
            clue = self._fresh.pop()
            left, mines = self._left(clue)
            if left and mines == 0:
                deduction = Deduction(Rule.SATISFIED, left, False, (clue,))
                self._open(left, (deduction,))
            elif left and mines == len(left):
                self._conclude_mines(left)
        return len(self._moves) > before

    def _left(self, clue: int) -> tuple[tuple[int, ...], int]:
        """Return the undecided cells next to a clue, and how many of them are mines."""
        shown, known = self._shown, self._mines
        if shown[clue] >= UNOPENED:
            return (), 0
        closed = [cell for cell in self._grid.neighbours(clue) if shown[cell] == UNOPENED]
        if not closed:
            return (), 0
        left = tuple([cell for cell in closed if cell not in known])
        return left, shown[clue] - (len(closed) - len(left))

    def _conclude_mines(self, cells: Iterable[int]) -> None:
        for cell in cells:
            self._mines.add(cell)
            self._fresh.update(self._grid.neighbours(cell))

    def _open(self, cells: Iterable[int], proof: Proof) -> None:
        """Open cells that a proof shows to be safe, unless they are already open."""
        for index in cells:
            if self._shown[index] != UNOPENED:
                continue
            cell = self._grid.cell(index)
            self._moves.append(ProvedMove(cell, proof))
            self._game.play(Move(Action.OPEN, cell))
            seen = self._game.observation
            self._shown = seen.shown
            for changed in seen.changes:
                self._fresh.add(changed)
                self._fresh.update(self._grid.neighbours(changed))

    # ---- more than one clue

    def _think(self) -> bool:
        """Make the move with the easiest proof, if single clues prove no cell safe."""
        statements = list(self._statements())
        budget = Budget()
        for kind in PLAIN:
            closure = Closure(statements, kind, budget)
            found = closure.run(is_safe)
            if found is not None:
                return self._take(closure.needed([found]))
        return self._try_cases(closure, statements) or self._count_mines()

    def _statements(self) -> Iterator[Statement]:
        """Yield the statements of the clues about undecided cells."""
        for clue, code in enumerate(self._shown):
            if code < UNOPENED:
                left, mines = self._left(clue)
                if left:
                    yield Statement(clue, left, mines, mines)

    def _take(self, proof: Proof) -> bool:
        """Record the mines that a proof shows, and open the safe cells of its last step."""
        for step in proof:
            if step.mined:
                self._conclude_mines(step.cells)
        last = next(step for step in reversed(proof) if step.mined is False)
        self._open(last.cells, proof)
        return True

    def _try_cases(self, closure: Closure, statements: list[Statement]) -> bool:
        observation = self._game.observation
        facts = count(observation, prior=Density(0.5))
        safe = [cell for cell in facts.safe if cell not in closure.known]
        if not safe:
            return False
        closure.budget = Budget(nodes=WORK)
        try:
            target = easiest_by_cases(closure, facts.proved)
            target = safe[0] if target is None else target
            return self._take(prove_by_cases(closure, statements, target, facts.proved))
        except WorkLimitError:
            clues = tuple(statement.clue for statement in statements)
            self._open(safe[:1], (Deduction(Rule.ARRANGEMENTS, (safe[0],), False, clues),))
            return True

    def _count_mines(self) -> bool:
        safe = count(self._game.observation).safe
        self._open(safe, (Deduction(Rule.MINE_COUNT, safe, False),))
        return bool(safe)
