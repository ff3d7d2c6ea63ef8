"""The files of the CS50 AI project. They work without Mineproof and import nothing from it."""
