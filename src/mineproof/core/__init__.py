"""The rules of the game: grids, rules, boards, clues, observations, moves, decisions and games."""
