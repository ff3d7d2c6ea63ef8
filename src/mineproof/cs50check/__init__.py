"""The checker of a student's minesweeper.py: what the CS50 contract asks, explained.

The student's file runs in a process of its own (`student`), which is asked line by line; the
checks, and the boards they play on, stay in that of the `supervisor`.
"""
