"""Compare two agents on the same boards."""

import mineproof

duel = mineproof.compare("exact", "champion", "intermediate", count=1000, seed=1)
print(duel)
print("champion wins more" if duel.interval[0] > 0 else "1,000 games do not tell them apart")
