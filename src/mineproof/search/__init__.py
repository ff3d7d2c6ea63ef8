"""Finds the best guess with look-ahead, a trained evaluation, and the exact endgame."""
