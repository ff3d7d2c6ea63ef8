"""Deal 100 boards that can be solved without guessing, and save the hardest one."""

from pathlib import Path

import mineproof

boards = [mineproof.deal_no_guess("beginner", seed) for seed in range(100)]
hardest = max(boards, key=lambda board: board.solvability.difficulty)
print(hardest)
print("difficulty", hardest.solvability.difficulty, "by", hardest.solvability.hardest)
Path("hardest.txt").write_text(str(hardest))
