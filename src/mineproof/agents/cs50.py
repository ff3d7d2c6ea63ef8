"""`cs50`: the `MinesweeperAI` class of a CS50 file, playing like any other agent.

The student's class knows nothing about Mineproof. Each opened cell is passed to `add_knowledge`.
A move from `make_safe_move` counts as proved, a move from `make_random_move` as a guess. If flags
count, the agent flags the cells in the class's `mines`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from mineproof.agents.knowledge import KnowledgeAgent, opening_action
from mineproof.agents.loading import load_module
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.core.words import error_line
from mineproof.cs50 import minesweeper


@agent(
    "cs50",
    idea="the MinesweeperAI of a CS50 file (cs50:FILE.py), or the built-in model solution",
    source="CS50 AI, Minesweeper (002, 004)",
    proves="what the file's add_knowledge concludes; in the model solution, by the subset rule",
    cannot_prove="in the model solution: cells that need partly overlapping clues, or the mine "
    "count, which the class never gets",
    strength=19,
)
class CS50Agent(KnowledgeAgent):
    """Passes every clue to a `MinesweeperAI`, and makes the moves that it returns."""

    def __init__(
        self,
        *,
        file: Annotated[str, "a CS50 minesweeper.py; the model solution if empty"] = "",
        stuck: Annotated[Literal["random", "stop"], "what to do when no move is safe"] = "random",
    ) -> None:
        """Load the file.

        Raises:
            AgentError: the file cannot be loaded, or has no class `MinesweeperAI`.
        """
        if file and not file.lower().endswith(".py"):
            raise AgentError(f"expected a file that ends in .py, got {file!r}")
        module = load_module(Path(file)) if file else minesweeper
        self._name = Path(file).name or "minesweeper.py"
        self._stuck = stuck
        self._class = getattr(module, "MinesweeperAI", None)
        if not isinstance(self._class, type):
            raise AgentError(f"{file} has no class 'MinesweeperAI'")

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        self._random_state = random.Random(seed).getstate()
        self._shown = b""
        super().start(rules, seed)

    def forget(self) -> None:
        """Make a new AI, which knows nothing."""
        self._because: dict[Cell, Reason] = {}
        size = {"height": self.rules.rows, "width": self.rules.columns}
        self._ai: Any = self._call("MinesweeperAI", self._class, **size)

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Pass the cells that were opened to the AI."""
        self._shown = observation.shown
        for index in changes:
            self._tell(observation.grid.cell(index), observation.shown[index])

    def decide(self, observation: Observation) -> Decision | None:
        """Pass new clues to the AI, then make its safe move, flag one of its mines, or guess."""
        self._follow(observation)
        return (
            self._safe_move(observation)
            or self._mark(observation)
            or (self.guess(observation) if self._stuck == "random" else None)
        )

    def knowledge(self) -> Knowledge:
        """Return the AI's sentences, and its conclusions about unopened cells."""
        lines = tuple(map(_text, self._ai.knowledge))
        safe = self._indices("safes")
        unopened = frozenset(index for index in safe if self._shown[index] == UNOPENED)
        mines = frozenset(self._indices("mines"))
        return Knowledge(f"{len(lines)} sentences", {"sentences": lines}, unopened, mines)

    def _tell(self, cell: Cell, code: int) -> None:
        """Pass an opened cell to the AI.

        Without a clue, it learns only whether the cell was a mine.
        """
        plain = tuple(cell)  # the student's code may print cells or check their type
        if code < UNOPENED:
            self._ask("add_knowledge", plain, code)
            self._note_reasons(f"the {code} at {cell}", cell)
            return
        self._ai.moves_made.add(plain)
        self._ask("mark_mine" if code == EXPLODED else "mark_safe", plain)

    def _note_reasons(self, clue: str, cell: Cell) -> None:
        """Record which clue led to each new conclusion."""
        for known, words in ((self._ai.safes, "safe"), (self._ai.mines, "a mine")):
            for new in known - self._because.keys():
                text = f"{self._name} calls it {words} because of {clue}"
                self._because[new] = Reason(text, clues=(cell,))

    # Moves

    def _safe_move(self, observation: Observation) -> Decision | None:
        index = self._ask_cell("make_safe_move", observation)
        if index is None:
            return None
        return self._decision(opening_action(observation, index), index, risk=0.0)

    def _mark(self, observation: Observation) -> Decision | None:
        mines = sorted(self._indices("mines")) if self.rules.marks_matter else ()
        for index in mines:
            if observation.shown[index] == UNOPENED and not observation.marks[index]:
                return self._decision(Action.MARK, index, risk=1.0)
        return None

    def guess(self, observation: Observation) -> Decision | None:
        """Make the AI's random move."""
        index = self._ask_cell("make_random_move", observation)
        if index is None:
            return None
        cell = self.rules.grid.cell(index)
        sentences = [s for s in self._ai.knowledge if cell in s.cells]
        about = _text(min(sentences, key=lambda s: len(s.cells))) if sentences else "no sentence"
        reason = Reason(f"{self._name} knows no safe cell: a random move ({about} contains it)")
        return Decision(Move(opening_action(observation, index), cell), False, reason)

    def _decision(self, action: Action, index: int, risk: float) -> Decision:
        cell = self.rules.grid.cell(index)
        reason = self._because.get(cell) or Reason(f"{self._name} says so")
        return Decision(Move(action, cell), True, reason, risk)

    # The student's code

    def _ask(self, function: str, *arguments: object) -> Any:
        return self._call(function, getattr(self._ai, function), *arguments)

    def _call(self, name: str, function: Any, *arguments: object, **named: object) -> Any:
        """Call the student's code. Any exception becomes an `AgentError` that names the line."""
        try:
            with self._own_random():
                return function(*arguments, **named)
        except NotImplementedError as error:
            raise AgentError(
                f"{self._name}: {name} is not written yet: {error_line(error)}"
            ) from error
        except (Exception, SystemExit) as error:
            raise AgentError(f"{self._name}: {name} failed with {error_line(error)}") from error

    @contextmanager
    def _own_random(self) -> Iterator[None]:
        """Seed the module `random` from this agent while the student's code runs."""
        outside = random.getstate()
        random.setstate(self._random_state)
        try:
            yield
        finally:
            self._random_state = random.getstate()
            random.setstate(outside)

    def _ask_cell(self, function: str, observation: Observation) -> int | None:
        """Call a function that returns an unopened cell, or None if there is none."""
        move = self._ask(function)
        index = None if move is None else self._index(f"{function}()", move)
        if index is not None and observation.shown[index] != UNOPENED:
            raise AgentError(f"{self._name}: {function} returned {move}, which is already open")
        return index

    def _indices(self, name: str) -> set[int]:
        return {self._index(f"ai.{name}", cell) for cell in getattr(self._ai, name)}

    def _index(self, where: str, cell: Any) -> int:
        try:
            return self.rules.grid.index(cell)
        except (TypeError, ValueError):
            raise AgentError(
                f"{self._name}: expected a cell (row, column) of the board in {where}, got {cell!r}"
            ) from None


def _text(sentence: Any) -> str:
    """Return a sentence as text, with its cells in order."""
    return f"{{{', '.join(map(str, sorted(sentence.cells)))}}} = {sentence.count}"
