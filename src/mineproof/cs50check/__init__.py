"""The checker of a student's minesweeper.py: what the CS50 contract asks, explained.

The checks run in a process of their own (`worker`), watched by `supervisor`.
"""
