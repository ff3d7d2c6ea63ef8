"""Text and file forms of positions, boards, games and records, each with its inverse."""
