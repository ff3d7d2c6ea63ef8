"""The native core of Mineproof."""

def deal(rows: int, columns: int, mines: int, start: str, first: int, seed: int) -> bytes:
    """Deal a board as mineproof.core.board.deal does: one byte a cell."""
