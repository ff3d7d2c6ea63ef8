"""Seeded bugs: the solution with a piece of its text replaced, as students get it wrong."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

SOLUTION = (files("mineproof.cs50") / "minesweeper.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Mutant:
    """One bug: what is replaced by what, and the check that has to name it."""

    bug: str
    old: str
    new: str
    name: str
    """The function that a failure has to name."""
    behaviour: str
    """Words that the behaviour of that failure contains."""
    more: tuple[tuple[str, str], ...] = ()
    """Further pieces that are replaced: old, new."""

    def source(self) -> str:
        """Give the text of the file with the bug in it."""
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

# The defects of a student's README that the project was created from.
README_DEFECTS = (
    Mutant(
        "known_safes asks whether there are no cells",
        "        if self.count == 0:\n",
        "        if len(self.cells) == 0:\n",
        "Sentence.known_safes",
        "all cells when the count is 0",
    ),
    Mutant(
        "the cells of a full sentence are marked as safe",
        "            mines |= sentence.known_mines()\n",
        "            safes |= sentence.known_mines()\n",
        LEARN,
        "all neighbours are mines",
    ),
    Mutant(
        "the larger sentence is changed in place",
        "            new_sentences.append(Sentence(cells, count))\n",
        "            new_sentences.append(Sentence(cells, count))\n"
        "            larger.cells, larger.count = set(cells), count\n",
        LEARN,
        "keeps both sentences",
    ),
    Mutant(
        "a single pass and no repetition",
        "        something_new = True\n        while something_new:\n            self.simplify()\n"
        + INFER,
        "        self.simplify()\n        self.mark_known_cells()\n        self.simplify()\n"
        "        self.add_subset_inferences()\n        self.simplify()\n",
        LEARN,
        "goes on until nothing new follows",
    ),
    Mutant(
        "each pair is tried one way only",
        "for larger in candidates if smaller.cells < larger.cells]",
        "for larger in candidates if smaller.cells < larger.cells\n"
        "                      and self.knowledge.index(smaller) < self.knowledge.index(larger)]",
        LEARN,
        "new sentence inside an older one",
    ),
    Mutant(
        "eight neighbours everywhere, also off the board",
        "        rows = range(max(i - 1, 0), min(i + 2, self.height))\n"
        "        columns = range(max(j - 1, 0), min(j + 2, self.width))\n",
        "        rows = range(i - 1, i + 2)\n        columns = range(j - 1, j + 2)\n",
        LEARN,
        "edge",
    ),
    Mutant(
        "random.choice on a set",
        "random.choice(sorted(choices))",
        "random.choice(choices)",
        RANDOM_MOVE,
        "a cell of the board",
    ),
)

SENTENCE_BUGS = (
    Mutant(
        "known_mines without its condition",
        "        if self.count == len(self.cells):\n            return set(self.cells)\n"
        "        return set()\n",
        "        return set(self.cells)\n",
        "Sentence.known_mines",
        "empty set",
    ),
    Mutant(
        "known_mines gives None",
        "            return set(self.cells)\n        return set()\n\n    def known_safes",
        "            return set(self.cells)\n        return None\n\n    def known_safes",
        "Sentence.known_mines",
        "empty set",
    ),
    Mutant(
        "known_safes gives None",
        "            return set(self.cells)\n        return set()\n\n    def mark_mine",
        "            return set(self.cells)\n\n    def mark_mine",
        "Sentence.known_safes",
        "empty set",
    ),
    Mutant(
        "known_mines hands out its own set",
        "        if self.count == len(self.cells):\n            return set(self.cells)\n",
        "        if self.count == len(self.cells):\n            return self.cells\n",
        "Sentence.known_mines",
        "a set of its own",
    ),
    Mutant(
        "mark_mine forgets the count",
        "            self.count -= 1\n",
        "",
        "Sentence.mark_mine",
        "one mine less",
    ),
    Mutant(
        "mark_mine counts for cells that are not there",
        "        if cell in self.cells:\n            self.cells.remove(cell)\n"
        "            self.count -= 1\n",
        "        self.cells.discard(cell)\n        self.count -= 1\n",
        "Sentence.mark_mine",
        "not in the sentence",
    ),
    Mutant(
        "mark_safe counts a mine",
        "        self.cells.discard(cell)\n",
        "        if cell in self.cells:\n            self.cells.discard(cell)\n"
        "            self.count -= 1\n",
        "Sentence.mark_safe",
        "leaves the count",
    ),
    Mutant(
        "mark_safe removes what may not be there",
        "        self.cells.discard(cell)\n",
        "        self.cells.remove(cell)\n",
        "Sentence.mark_safe",
        "not in the sentence",
    ),
    Mutant(
        "a sentence keeps the set it was given",
        "        self.cells = set(cells)\n",
        "        self.cells = cells\n",
        "Sentence",
        "a set of its own",
    ),
    Mutant(
        "equality looks at the count only",
        "        return self.cells == other.cells and self.count == other.count\n",
        "        return self.count == other.count\n",
        "Sentence",
        "is equal to another",
    ),
)

KNOWLEDGE_BUGS = (
    Mutant(
        "the move is not noted", "        self.moves_made.add(cell)\n", "", LEARN, "has been made"
    ),
    Mutant(
        "the cell is not marked as safe",
        "        self.moves_made.add(cell)\n        self.mark_safe(cell)\n",
        "        self.moves_made.add(cell)\n",
        LEARN,
        "marks the cell as safe",
    ),
    Mutant(
        "the sentences do not hear of the safe cell",
        "        self.safes.add(cell)\n        for sentence in self.knowledge:\n"
        "            sentence.mark_safe(cell)\n",
        "        self.safes.add(cell)\n",
        "MinesweeperAI.mark_safe",
        "tells every sentence",
    ),
    Mutant(
        "the sentences do not hear of the mine",
        "        self.mines.add(cell)\n        for sentence in self.knowledge:\n"
        "            sentence.mark_mine(cell)\n",
        "        self.mines.add(cell)\n",
        "MinesweeperAI.mark_mine",
        "tells every sentence",
    ),
    Mutant(
        "known mines are left out but not counted off",
        "count - len(known_mines))",
        "count)",
        LEARN,
        "counts them off",
    ),
    Mutant(
        "known mines stay in the new sentence",
        "Sentence(neighbours - self.mines - self.safes, count - len(known_mines))",
        "Sentence(neighbours - self.safes, count)",
        LEARN,
        "leaves mines that it knows out",
        more=((APPLY, ""),),
    ),
    Mutant(
        "safe cells stay in the new sentence",
        "Sentence(neighbours - self.mines - self.safes, count - len(known_mines))",
        "Sentence(neighbours - self.mines, count - len(known_mines))",
        LEARN,
        "leaves safe cells that it knows out",
        more=((APPLY, ""),),
    ),
    Mutant(
        "rows and columns are mixed up",
        "min(i + 2, self.height))",
        "min(i + 2, self.width))",
        LEARN,
        "corner",
    ),
    Mutant(
        "the last column is forgotten",
        "min(j + 2, self.width))",
        "min(j + 2, self.width - 1))",
        LEARN,
        "edge",
    ),
    Mutant(
        "only the four neighbours beside the cell",
        "        return set(itertools.product(rows, columns)) - {cell}\n",
        "        return {c for c in itertools.product(rows, columns)\n"
        "                if abs(c[0] - i) + abs(c[1] - j) == 1}\n",
        LEARN,
        "middle",
    ),
    Mutant(
        "the cell is its own neighbour",
        "set(itertools.product(rows, columns)) - {cell}",
        "set(itertools.product(rows, columns))",
        LEARN,
        "middle",
        more=(
            (APPLY, ""),
            (
                "        self.mark_safe(cell)\n        self.knowledge.append",
                "        self.knowledge.append",
            ),
            (
                "        self.moves_made.add(cell)\n",
                "        self.moves_made.add(cell)\n        self.safes.add(cell)\n",
            ),
            (
                "neighbours - self.mines - self.safes",
                "neighbours - self.mines - (self.safes - {cell})",
            ),
        ),
    ),
    Mutant(
        "no subset rule",
        INFER,
        "            something_new = self.mark_known_cells()\n",
        LEARN,
        "concludes from a new sentence",
    ),
    Mutant(
        "the difference has the wrong count",
        "            count = larger.count - smaller.count\n",
        "            count = larger.count\n",
        LEARN,
        "concludes from a new sentence",
    ),
    Mutant(
        "any two overlapping sentences are subtracted",
        "if smaller.cells < larger.cells]",
        "if smaller is not larger and smaller.cells & larger.cells]",
        LEARN,
        "never calls a mine safe",
    ),
    Mutant(
        "empty sentences stay",
        " for s in self.knowledge if s.cells}",
        " for s in self.knowledge}",
        LEARN,
        "no empty sentence",
        more=(
            (
                "for cell in smaller.cells), key=len)",
                "for cell in smaller.cells), key=len, default=[])",
            ),
        ),
    ),
    Mutant(
        "repeated sentences stay",
        "        self.knowledge[:] = distinct.values()\n",
        "        self.knowledge[:] = [s for s in self.knowledge if s.cells]\n",
        LEARN,
        "once",
    ),
    Mutant(
        "the set changes under the loop that marks its cells",
        """        for sentence in self.knowledge:
            mines |= sentence.known_mines()
            safes |= sentence.known_safes()
""",
        """        for sentence in self.knowledge:
            mines |= sentence.known_mines()
            for cell in sentence.known_safes():
                self.mark_safe(cell)
""",
        LEARN,
        "neighbours of a 0",
        more=(
            (
                "        if self.count == 0:\n            return set(self.cells)\n",
                "        if self.count == 0:\n            return self.cells\n",
            ),
        ),
    ),
    Mutant(
        "cells that others put in are not applied",
        APPLY,
        "",
        LEARN,
        "others have put in",
    ),
)

MOVE_BUGS = (
    Mutant(
        "a safe move is given again",
        "min(self.safes - self.moves_made, default=None)",
        "min(self.safes, default=None)",
        SAFE_MOVE,
        "chosen before",
    ),
    Mutant(
        "no safe move is an error",
        "min(self.safes - self.moves_made, default=None)",
        "(self.safes - self.moves_made).pop()",
        SAFE_MOVE,
        "None",
    ),
    Mutant(
        "a safe move is taken out of the set",
        "        return min(self.safes - self.moves_made, default=None)\n",
        "        for cell in list(self.safes):\n            if cell not in self.moves_made:\n"
        "                self.safes.discard(cell)\n                return cell\n",
        SAFE_MOVE,
        "changes nothing",
    ),
    Mutant(
        "a random move may be a known mine",
        "        choices = cells - self.moves_made - self.mines\n",
        "        choices = cells - self.moves_made\n",
        RANDOM_MOVE,
        "known mine",
    ),
    Mutant(
        "a random move may be given again",
        "        choices = cells - self.moves_made - self.mines\n",
        "        choices = cells - self.mines\n",
        RANDOM_MOVE,
        "chosen before",
    ),
    Mutant(
        "a random move is always the first cell",
        "random.choice(sorted(choices))",
        "min(choices)",
        RANDOM_MOVE,
        "at random",
    ),
    Mutant(
        "a random move from nothing",
        "random.choice(sorted(choices)) if choices else None",
        "random.choice(sorted(choices))",
        RANDOM_MOVE,
        "None",
    ),
    Mutant(
        "a random move on a square of the height",
        "itertools.product(range(self.height), range(self.width)))\n        choices",
        "itertools.product(range(self.height), repeat=2))\n        choices",
        RANDOM_MOVE,
        "a cell of the board",
    ),
    Mutant(
        "a random move notes itself",
        "        choices = cells - self.moves_made - self.mines\n",
        "        choices = cells - self.moves_made - self.mines\n"
        "        self.moves_made.update(sorted(choices)[:1])\n",
        RANDOM_MOVE,
        "changes nothing",
    ),
)

FILE_BUGS = (
    Mutant(
        "a parameter has another name",
        "    def add_knowledge(self, cell, count):\n",
        "    def add_knowledge(self, where, count):\n        cell = where\n",
        "minesweeper.py",
        "parameters",
    ),
    Mutant(
        "a function is missing",
        "    def make_random_move(self):\n",
        "    def random_move(self):\n",
        "minesweeper.py",
        "all functions",
    ),
    Mutant(
        "the clue counts the cell itself",
        "                if on_board and (i, j) != cell and self.board[i][j]:\n",
        "                if on_board and self.board[i][j]:\n",
        "Minesweeper.nearby_mines",
        "around a cell",
    ),
    Mutant(
        "prints far too much",
        "        self.moves_made.add(cell)\n",
        "        self.moves_made.add(cell)\n        for _ in range(60):\n            print(cell)\n",
        "minesweeper.py",
        "prints little",
    ),
)

MUTANTS = README_DEFECTS + SENTENCE_BUGS + KNOWLEDGE_BUGS + MOVE_BUGS + FILE_BUGS
