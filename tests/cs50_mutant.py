"""Seeded bugs: copies of the solution in which a typical student's mistake replaces some code."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

SOLUTION = (files("mineproof.cs50") / "minesweeper.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Mutant:
    """A bug: the text to replace, and the check that must report it."""

    bug: str
    old: str
    new: str
    name: str
    """The function that the report must name."""
    behaviour: str
    """Words that the reported behaviour must contain."""
    more: tuple[tuple[str, str], ...] = ()
    """Further replacements, as pairs of old and new text."""

    def source(self) -> str:
        text = SOLUTION
        for old, new in ((self.old, self.new), *self.more):
            if text.count(old) != 1:
                raise ValueError(f"expected {old!r} once, got it {text.count(old)} times")
            text = text.replace(old, new)
        return text


LEARN = "MinesweeperAI.add_knowledge"
RANDOM_MOVE = "MinesweeperAI.make_random_move"
SAFE_MOVE = "MinesweeperAI.make_safe_move"
INFER = """            something_new = self.mark_known_cells() or self.add_subset_inferences()
"""
APPLY = """        for sentence in self.knowledge:
            for cell in sentence.cells & self.mines:
                sentence.mark_mine(cell)
            for cell in sentence.cells & self.safes:
                sentence.mark_safe(cell)
"""
