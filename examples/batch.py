"""Play 1,000 games with an agent, and print its win rate."""

import mineproof

if __name__ == "__main__":  # required for jobs: each process imports this file
    result = mineproof.play_games("exact", "beginner", count=1000, seed=1, jobs=2)
    low, high = result.interval
    print(f"{100 * result.rate:.1f} % won (95 % interval {100 * low:.1f} to {100 * high:.1f} %)")
