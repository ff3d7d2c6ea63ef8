"""Which guess wins most: look-ahead, a trained evaluation, and the exact endgame."""
