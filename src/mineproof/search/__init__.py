"""Finds the guess that wins most: look-ahead, a trained evaluation, and the exact endgame."""
