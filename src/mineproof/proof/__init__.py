"""Explanations in words: the smallest and the easiest proof of a cell, and sources of risk."""
