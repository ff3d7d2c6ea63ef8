"""Reading and writing positions, boards, games and records as text and files."""
