"""Seeded bugs in the AI's knowledge and in its moves."""

from __future__ import annotations

from cs50_mutant import APPLY, INFER, LEARN, RANDOM_MOVE, SAFE_MOVE, Mutant

KNOWLEDGE_BUGS = (
    Mutant(
        "the move is not recorded",
        "        self.moves_made.add(cell)\n",
        "",
        LEARN,
        "has been made",
    ),
    Mutant(
        "the cell is not marked as safe",
        "        self.moves_made.add(cell)\n        self.mark_safe(cell)\n",
        "        self.moves_made.add(cell)\n",
        LEARN,
        "marks the cell as safe",
    ),
    Mutant(
        "sentences are not updated with a safe cell",
        "        self.safes.add(cell)\n        for sentence in self.knowledge:\n"
        "            sentence.mark_safe(cell)\n",
        "        self.safes.add(cell)\n",
        "MinesweeperAI.mark_safe",
        "updates every sentence",
    ),
    Mutant(
        "sentences are not updated with a mine",
        "        self.mines.add(cell)\n        for sentence in self.knowledge:\n"
        "            sentence.mark_mine(cell)\n",
        "        self.mines.add(cell)\n",
        "MinesweeperAI.mark_mine",
        "updates every sentence",
    ),
    Mutant(
        "known mines are left out but not subtracted",
        "count - len(known_mines))",
        "count)",
        LEARN,
        "subtracts them",
    ),
    Mutant(
        "known mines stay in the new sentence",
        "Sentence(neighbours - self.mines - self.safes, count - len(known_mines))",
        "Sentence(neighbours - self.safes, count)",
        LEARN,
        "leaves known mines out",
        more=((APPLY, ""),),
    ),
    Mutant(
        "safe cells stay in the new sentence",
        "Sentence(neighbours - self.mines - self.safes, count - len(known_mines))",
        "Sentence(neighbours - self.mines, count - len(known_mines))",
        LEARN,
        "leaves known safe cells out",
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
        "only four neighbours",
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
        "draws conclusions when a new sentence",
    ),
    Mutant(
        "the difference has the wrong count",
        "            count = larger.count - smaller.count\n",
        "            count = larger.count\n",
        LEARN,
        "draws conclusions when a new sentence",
    ),
    Mutant(
        "the difference keeps a mine of the smaller sentence",
        "            count = larger.count - smaller.count\n",
        "            count = larger.count - max(smaller.count - 1, 0)\n",
        LEARN,
        "sentences that are true",
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
        "a loop marks cells and so changes its set",
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
        "cells that other code added are ignored",
        APPLY,
        "",
        LEARN,
        "other code has added",
    ),
)

MOVE_BUGS = (
    Mutant(
        "a safe move is returned again",
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
        "a safe move is removed from the set",
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
        "a random move may be returned again",
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
        "a random move from an empty list",
        "random.choice(sorted(choices)) if choices else None",
        "random.choice(sorted(choices))",
        RANDOM_MOVE,
        "None",
    ),
    Mutant(
        "a random move on a square board",
        "itertools.product(range(self.height), range(self.width)))\n        choices",
        "itertools.product(range(self.height), repeat=2))\n        choices",
        RANDOM_MOVE,
        "a cell of the board",
    ),
    Mutant(
        "a random move records itself",
        "        choices = cells - self.moves_made - self.mines\n",
        "        choices = cells - self.moves_made - self.mines\n"
        "        self.moves_made.update(sorted(choices)[:1])\n",
        RANDOM_MOVE,
        "changes nothing",
    ),
)
