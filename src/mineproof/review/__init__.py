"""Reviews of games: verdicts on moves, luck, metrics, stuck positions and chains of influence."""
