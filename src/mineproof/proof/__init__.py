"""Why: the facts of a position, the smallest proofs of them, and both in words."""
