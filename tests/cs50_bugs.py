"""Seeded bugs from a student's README, in the class `Sentence` and in the whole file."""

from __future__ import annotations

from cs50_ai_bugs import KNOWLEDGE_BUGS, MOVE_BUGS
from cs50_mutant import INFER, LEARN, RANDOM_MOVE, Mutant

# The defects in a student's README, one of the source documents.
README_DEFECTS = (
    Mutant(
        "known_safes tests for no cells instead of count 0",
        "        if self.count == 0:\n",
        "        if len(self.cells) == 0:\n",
        "Sentence.known_safes",
        "every cell when the count is 0",
    ),
    Mutant(
        "the cells of a full sentence are marked as safe",
        "            mines |= sentence.known_mines()\n",
        "            safes |= sentence.known_mines()\n",
        LEARN,
        "all neighbours as mines",
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
        "a single pass instead of repetition",
        "        something_new = True\n        while something_new:\n            self.simplify()\n"
        + INFER,
        "        self.simplify()\n        self.mark_known_cells()\n        self.simplify()\n"
        "        self.add_subset_inferences()\n        self.simplify()\n",
        LEARN,
        "repeats until nothing new",
    ),
    Mutant(
        "each pair is tried one way only",
        "for larger in candidates if smaller.cells < larger.cells]",
        "for larger in candidates if smaller.cells < larger.cells\n"
        "                      and self.knowledge.index(smaller) < self.knowledge.index(larger)]",
        LEARN,
        "a subset of an older one",
    ),
    Mutant(
        "eight neighbours everywhere, even off the board",
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
        "known_mines returns None",
        "            return set(self.cells)\n        return set()\n\n    def known_safes",
        "            return set(self.cells)\n        return None\n\n    def known_safes",
        "Sentence.known_mines",
        "empty set",
    ),
    Mutant(
        "known_safes returns None",
        "            return set(self.cells)\n        return set()\n\n    def mark_mine",
        "            return set(self.cells)\n\n    def mark_mine",
        "Sentence.known_safes",
        "empty set",
    ),
    Mutant(
        "known_mines returns its own set",
        "        if self.count == len(self.cells):\n            return set(self.cells)\n",
        "        if self.count == len(self.cells):\n            return self.cells\n",
        "Sentence.known_mines",
        "a copy of its set",
    ),
    Mutant(
        "mark_mine forgets the count",
        "            self.count -= 1\n",
        "",
        "Sentence.mark_mine",
        "lowers the count",
    ),
    Mutant(
        "mark_mine counts cells that are not in the sentence",
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
        "mark_safe removes a cell without checking",
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
        "copies the set",
    ),
    Mutant(
        "equality looks at the count only",
        "        return self.cells == other.cells and self.count == other.count\n",
        "        return self.count == other.count\n",
        "Sentence",
        "equals another",
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
        "an extra parameter with a default",
        "    def make_safe_move(self):\n",
        "    def make_safe_move(self, careful=True):\n",
        "minesweeper.py",
        "parameters",
    ),
    Mutant(
        "a module that can access other objects",
        "import itertools\n",
        "import gc\nimport itertools\n",
        "minesweeper.py",
        "access beyond the game",
    ),
    Mutant(
        "a module imported by __import__",
        "import itertools\n",
        "import itertools\nsystem = __import__('o' + 's')\n",
        "minesweeper.py",
        "access beyond the game",
    ),
    Mutant(
        "a module inside a module",
        "        self.moves_made.add(cell)\n",
        "        self.moves_made.add(cell)\n        random._os.getpid()\n",
        "minesweeper.py",
        "access beyond the game",
    ),
    Mutant(
        "an extra harmless module",
        "import itertools\n",
        "import copy\nimport itertools\n",
        "minesweeper.py",
        "only the given modules",
    ),
    Mutant(
        "a function is missing",
        "    def make_random_move(self):\n",
        "    def random_move(self):\n",
        "minesweeper.py",
        "all their functions",
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
