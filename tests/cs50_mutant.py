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
NAIVE = '''
class NaiveAI(MinesweeperAI):
    """Another right answer: all pairs, again and again, and more is marked than asked."""

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.mark_safe(cell)
        cells = set()
        for i in range(cell[0] - 1, cell[0] + 2):
            for j in range(cell[1] - 1, cell[1] + 2):
                if not (0 <= i < self.height and 0 <= j < self.width) or (i, j) in self.safes:
                    continue
                if (i, j) in self.mines:
                    count -= 1
                else:
                    cells.add((i, j))
        self.knowledge.append(Sentence(cells, count))
        while self.one_round():
            pass

    def one_round(self):
        known = len(self.mines) + len(self.safes)
        for sentence in self.knowledge:
            for cell in sentence.known_mines():
                self.mark_mine(cell)
            for cell in sentence.known_safes():
                self.mark_safe(cell)
        added = False
        for one in list(self.knowledge):
            for other in list(self.knowledge):
                if one.cells and one.cells < other.cells:
                    new = Sentence(other.cells - one.cells, other.count - one.count)
                    if new not in self.knowledge:
                        self.knowledge.append(new)
                        added = True
        return added or known < len(self.mines) + len(self.safes)


MinesweeperAI = NaiveAI
'''
