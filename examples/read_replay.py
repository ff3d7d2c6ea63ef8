"""Read a player's replay, and list the needless guesses."""

from pathlib import Path

import mineproof

record = mineproof.read_replay(Path(__file__).parent / "beginner.evf")
for step, position in zip(record.steps, record, strict=False):
    facts = mineproof.analyse(position, moves=False)
    if step.move.action == "open" and facts.safe and step.move.cell not in facts.safe:
        print(f"{step.seconds:.1f} s: {step.move}, but {facts.safe[0]} is proved safe")
