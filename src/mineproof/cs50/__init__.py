"""The CS50 AI project's files, which stand alone: they import nothing of Mineproof."""
