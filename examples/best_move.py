"""Find the best moves when nothing is proved. Here the best move is not the safest."""

import mineproof

facts = mineproof.analyse("6x5x7\n00001H\n11001H\nH21122\n3HH2HH\nHHHHHH")
for move in facts.moves[:3]:
    print(f"open {move.cell}: risk {move.risk:.2f}, chance of winning {move.win:.2f}")
