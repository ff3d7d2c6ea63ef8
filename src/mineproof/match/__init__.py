"""Playing: the match loop, many games in parallel, review of a game."""
