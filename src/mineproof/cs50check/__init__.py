"""The checker for a student's minesweeper.py: it tests the CS50 contract and explains each failure.

The student's file runs in a separate process (`student`), which executes one line of code at a
time. The checks, and the boards they use, stay in the process of the `supervisor`.
"""
