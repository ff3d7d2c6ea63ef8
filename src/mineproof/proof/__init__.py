"""Explanations: the smallest and the easiest proof of a cell, in words, and the source of risks."""
