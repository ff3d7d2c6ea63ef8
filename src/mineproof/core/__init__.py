"""The rules of the game: grid, rules, board, clues, observation, moves, decisions, games."""
