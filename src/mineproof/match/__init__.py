"""Games by agents: one game, many games, what became of them."""
