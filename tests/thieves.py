"""Agents that attack the process that holds the board, for tests."""

from __future__ import annotations

from pathlib import Path

LOOT = """
import os, pickle
class Loot:
    def __reduce__(self):
        return (eval, ("open({note!r}, 'w').write('stolen')",))
def spill(data):
    # All pipes that may lead to the process that asked.
    for number in range(3, 12):
        try:
            os.write(number, data)
        except OSError:
            pass
"""
AGENT = """
from mineproof import Action, Decision, Move, Reason
from mineproof.core.decision import Candidate
class Thing(Loot, Candidate):
    pass
class Words(Loot, str):
    pass
class Own:
    def start(self, rules, seed):
        pass
    def decide(self, observation):
        cell = observation.grid.cell(observation.unopened[0])
        decision = Decision(Move(Action.OPEN, cell), False, Reason("first"))
        {steal}
        return decision
"""
QUIET = {
    "nothing": "pass",
    "a candidate": "object.__setattr__(decision, 'candidates', (Thing(cell),))",
    "a reason": "object.__setattr__(decision, 'reason', Reason(Words('first')))",
}
"""Attacks through an answer of the right form, which raise no error."""
LOUD = {
    "candidates": "object.__setattr__(decision, 'candidates', Loot())",
    "a clue": "object.__setattr__(decision, 'reason', Reason('first', (Loot(),)))",
    "the pipe": "spill(pickle.dumps(Loot()))",
    "two pickles": "spill(pickle.dumps(('done', pickle.dumps(Loot()))))",
    "another writing": "import mineproof.workers.serving as serving; "
    "serving.pack = lambda value, is_plain: pickle.dumps(Loot())",
}
"""Attacks that raise an error."""


def thief(folder: Path, steal: str) -> tuple[str, Path]:
    """Write an agent. Return its name, and the file that appears if its hidden code is run."""
    note = folder / "loot"
    file = folder / "own.py"
    file.write_text(LOOT.format(note=str(note)) + AGENT.format(steal=steal))
    return f"{file}:Own", note
