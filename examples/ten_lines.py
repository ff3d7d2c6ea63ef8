"""Mineproof in ten lines: deal a game, let an agent play it, and print its moves."""

import mineproof

game = mineproof.Game(mineproof.BEGINNER, seed=7)
agent = mineproof.make_agent("basic")
record = mineproof.play(game, agent)
for step in record.steps:
    print(step.move, "proved" if step.proved else "guess", step.reason)
print(game.outcome)
