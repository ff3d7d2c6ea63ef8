"""Draw a position with its risks, and why one cell is safe."""

import mineproof

game = mineproof.Game("beginner", seed=7, first=(0, 0))
picture = mineproof.draw(game, risks=True, proof=(2, 2))
picture.save("board.svg")
print(mineproof.explain(game, (2, 2)).text)
