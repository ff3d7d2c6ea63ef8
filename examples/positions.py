"""Go through the positions of a game, and count the proved cells before each move."""

import mineproof

record = mineproof.play(mineproof.Game("beginner", seed=7, first=(0, 0)), "champion")
for step, position in zip(record.steps, record, strict=False):
    facts = mineproof.analyse(position, moves=False)
    print(f"{step.move!s:10} {len(facts.safe):2} safe, {len(facts.mined):2} mines proved")
