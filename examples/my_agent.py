"""Your own agent: copy this file, change it, and let it play.

    mineproof watch --agent my_agent.py:MyAgent
    mineproof watch --agent my_agent.py:MyAgent:guess=stop --level beginner
    mineproof agents --check my_agent.py:MyAgent
    mineproof games --count 100 --agent my_agent.py:MyAgent

An agent is a class with two methods. `start` is called before each game, `decide` before
each move. It sees only what a player sees.
"""

from typing import Annotated, Literal

from mineproof import Action, Cell, Decision, Move, Observation, PublicRules, Reason
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.random import Purpose, Stream


class MyAgent:
    """An agent that reads one clue at a time, finds mines first, and guesses if it must."""

    def __init__(
        self,
        guess: Annotated[Literal["random", "stop"], "what to do when nothing is proved"] = "random",
    ) -> None:
        """Set the options. Each has a type, a default and a line of help."""
        self._guess = guess

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game: reset everything, and take random numbers from the seed."""
        self._random = Stream(seed, Purpose.AGENT)
        self._clues_are_true = rules.clues.trusted
        self._mark_mines = rules.marks_matter

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move, or None to stop.

        This agent reads the whole board each time, so an undo does not matter. If your agent keeps
        state between moves, compare `observation.follows` with the last `serial` it saw.
        """
        mines, safes = self._reason(observation)
        for index, reason in safes.items():
            action = Action.UNMARK if observation.marks[index] else Action.OPEN
            return Decision(Move(action, _cell(observation, index)), True, reason, risk=0.0)
        for index, reason in mines.items():
            if self._mark_mines and not observation.marks[index]:
                return Decision(Move(Action.MARK, _cell(observation, index)), True, reason, 1.0)
        return self._guessed(observation, mines)

    def _reason(self, observation: Observation) -> tuple[dict[int, Reason], dict[int, Reason]]:
        """Find mines, then safe cells, one clue at a time."""
        mines: dict[int, Reason] = {}
        safes: dict[int, Reason] = {}
        shown, near = observation.shown, observation.grid.neighbours
        clues = [i for i, code in enumerate(shown) if code < UNOPENED and self._clues_are_true]
        for clue in clues:
            covered = [i for i in near(clue) if shown[i] in (UNOPENED, EXPLODED)]
            if shown[clue] == len(covered):
                reason = self._because(observation, clue, "needs all cells around it")
                mines.update((i, reason) for i in covered if shown[i] == UNOPENED)
        for clue in clues:
            found = [i for i in near(clue) if i in mines or shown[i] == EXPLODED]
            if shown[clue] == len(found):
                reason = self._because(observation, clue, "has all of its mines")
                rest = (i for i in near(clue) if shown[i] == UNOPENED and i not in mines)
                safes.update((i, reason) for i in rest)
        return mines, safes

    def _guessed(self, observation: Observation, mines: dict[int, Reason]) -> Decision | None:
        cells = [i for i in observation.unopened if i not in mines and not observation.marks[i]]
        if not cells or self._guess == "stop":
            return None
        index = cells[self._random.below(len(cells))]
        move = Move(Action.OPEN, _cell(observation, index))
        return Decision(move, False, Reason("nothing is proved: a random guess"))

    def _because(self, observation: Observation, clue: int, text: str) -> Reason:
        cell = _cell(observation, clue)
        return Reason(f"the {observation.shown[clue]} at {cell} {text}", clues=(cell,))


def _cell(observation: Observation, index: int) -> Cell:
    return observation.grid.cell(index)
