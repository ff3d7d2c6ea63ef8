"""Games played by agents: one game, many games, and their results."""
