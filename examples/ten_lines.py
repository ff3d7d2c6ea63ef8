"""Mineproof in ten lines: deal a game, let an agent play it, look at what it did."""

import mineproof as mw

game = mw.Game(mw.BEGINNER, seed=7)
agent = mw.make_agent("basic")
record = mw.play(game, agent)
for step in record.steps:
    print(step.move, "proved" if step.proved else "guess", step.reason)
print(game.outcome)
