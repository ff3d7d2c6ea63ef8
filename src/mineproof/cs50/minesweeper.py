"""Minesweeper, and an AI that plays it by logical reasoning.

A cell is a pair (i, j): row i and column j, both counted from 0. The AI keeps sentences
such as {(0, 1), (1, 0), (1, 1)} = 2, which means "exactly two of these three cells are
mines". It draws every conclusion that follows from one sentence, or from two sentences
if one is a subset of the other.
"""

import itertools
import random

# A clue is about at most eight neighbours. Longer sentences appear only if other code adds
# one, such as "all cells = number of mines". Subtracting short sentences from it in every
# combination would give countless long ones, so the AI limits how many it keeps.
NEIGHBOURS = 8
LONG_SENTENCES = 10


class Minesweeper:
    """
    A Minesweeper board: its mines, and the mines that have been found.
    """

    def __init__(self, height=8, width=8, mines=8):
        if not 0 <= mines <= height * width:
            raise ValueError(f"expected 0 to {height * width} mines, got {mines}")

        self.height = height
        self.width = width

        # Choose distinct cells for the mines, uniformly at random
        cells = list(itertools.product(range(height), range(width)))
        self.mines = set(random.sample(cells, mines))

        # A cell of the board is True if it is a mine
        self.board = [[(i, j) in self.mines for j in range(width)] for i in range(height)]

        # At first, the player has found no mines
        self.mines_found = set()

    def print(self):
        """
        Prints a text picture of the board, with an X for each mine.
        """
        line = "--" * self.width + "-"
        for row in self.board:
            print(line)
            print("|" + "|".join("X" if mine else " " for mine in row) + "|")
        print(line)

    def is_mine(self, cell):
        """
        Returns whether the cell is a mine.
        """
        i, j = cell
        return self.board[i][j]

    def nearby_mines(self, cell):
        """
        Returns the number of mines within one row and column of the cell,
        not counting the cell itself.
        """
        count = 0
        for i in range(cell[0] - 1, cell[0] + 2):
            for j in range(cell[1] - 1, cell[1] + 2):
                on_board = 0 <= i < self.height and 0 <= j < self.width
                if on_board and (i, j) != cell and self.board[i][j]:
                    count += 1
        return count

    def won(self):
        """
        Returns whether all mines, and nothing else, have been found.
        """
        return self.mines_found == self.mines


class Sentence:
    """
    A statement about the game: exactly `count` of the `cells` are mines.
    """

    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.cells == other.cells and self.count == other.count

    def __str__(self):
        return f"{self.cells} = {self.count}"

    def __repr__(self):
        return f"Sentence({self.cells}, {self.count})"

    def known_mines(self):
        """
        Returns the set of all cells in self.cells known to be mines.
        """
        if self.count == len(self.cells):
            return set(self.cells)
        return set()

    def known_safes(self):
        """
        Returns the set of all cells in self.cells known to be safe.
        """
        if self.count == 0:
            return set(self.cells)
        return set()

    def mark_mine(self, cell):
        """
        Updates the sentence given that the cell is known to be a mine.
        Does nothing if the cell is not in the sentence.
        """
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell):
        """
        Updates the sentence given that the cell is known to be safe.
        Does nothing if the cell is not in the sentence.
        """
        self.cells.discard(cell)


class MinesweeperAI:
    """
    A Minesweeper player. It gets the clue of each cell that it opens, but it does not
    know how many mines there are.
    """

    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width

        # Cells that have been opened
        self.moves_made = set()

        # Cells known to be mines, and cells known to be safe
        self.mines = set()
        self.safes = set()

        # Sentences about the game known to be true
        self.knowledge = []

    def mark_mine(self, cell):
        """
        Marks a cell as a mine, and updates all sentences accordingly.
        """
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell):
        """
        Marks a cell as safe, and updates all sentences accordingly.
        """
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell, count):
        """
        Called with a safe cell that was opened, and the number of its neighbours
        that are mines. It should

            1) mark the cell as a move that has been made,
            2) mark the cell as safe,
            3) add a new sentence to the knowledge, based on `cell` and `count`,
               with only the neighbours that are not yet known to be safe or mines,
            4) mark any further cells as safe or as mines
               if that can be concluded from the knowledge,
            5) add any new sentences to the knowledge
               if they can be inferred from existing ones,

        and repeat the last two steps as long as they find anything new.
        """
        self.moves_made.add(cell)
        self.mark_safe(cell)
        self.knowledge.append(self.new_sentence(cell, count))
        self.infer()

    def make_safe_move(self):
        """
        Returns a cell that is known to be safe and has not been chosen before,
        or None if there is no such cell.

        May read self.mines, self.safes and self.moves_made,
        but must not change anything.
        """
        return min(self.safes - self.moves_made, default=None)

    def make_random_move(self):
        """
        Returns a cell chosen at random among those that
            1) have not been chosen before, and
            2) are not known to be mines,
        or None if there is no such cell.
        """
        cells = set(itertools.product(range(self.height), range(self.width)))
        choices = cells - self.moves_made - self.mines
        return random.choice(sorted(choices)) if choices else None

    def neighbours(self, cell):
        """
        Returns the set of up to eight cells next to the cell.
        """
        i, j = cell
        rows = range(max(i - 1, 0), min(i + 2, self.height))
        columns = range(max(j - 1, 0), min(j + 2, self.width))
        return set(itertools.product(rows, columns)) - {cell}

    def new_sentence(self, cell, count):
        """
        Returns the sentence that a clue gives about the neighbours not yet known.
        """
        neighbours = self.neighbours(cell)
        known_mines = neighbours & self.mines
        return Sentence(neighbours - self.mines - self.safes, count - len(known_mines))

    def infer(self):
        """
        Draws conclusions until nothing new can be concluded.
        """
        something_new = True
        while something_new:
            self.simplify()
            something_new = self.mark_known_cells() or self.add_subset_inferences()

    def simplify(self):
        """
        Removes known cells from all sentences (other code may have added to self.mines
        and self.safes), and removes empty and repeated sentences.
        """
        for sentence in self.knowledge:
            for cell in sentence.cells & self.mines:
                sentence.mark_mine(cell)
            for cell in sentence.cells & self.safes:
                sentence.mark_safe(cell)

        distinct = {(frozenset(s.cells), s.count): s for s in self.knowledge if s.cells}
        self.knowledge[:] = distinct.values()

    def mark_known_cells(self):
        """
        Marks each cell that a single sentence proves to be a mine or safe.
        Returns whether it found any.
        """
        mines = set()
        safes = set()
        for sentence in self.knowledge:
            mines |= sentence.known_mines()
            safes |= sentence.known_safes()

        for cell in mines:
            self.mark_mine(cell)
        for cell in safes:
            self.mark_safe(cell)
        return bool(mines or safes)

    def add_subset_inferences(self):
        """
        Adds the difference of two sentences if one is a subset of the other:
        {A, B, C} = 1 and {A, B, C, D, E} = 2 give {D, E} = 1. The first two
        sentences are kept as well. Returns whether it added anything.
        """
        seen = {(frozenset(s.cells), s.count) for s in self.knowledge}
        room = LONG_SENTENCES - sum(len(s.cells) > NEIGHBOURS for s in self.knowledge)
        new_sentences = []
        for smaller, larger in self.nested_sentences():
            cells = frozenset(larger.cells - smaller.cells)
            count = larger.count - smaller.count
            is_long = len(cells) > NEIGHBOURS
            # Contradictory clues would give impossible counts
            is_possible = 0 <= count <= len(cells)
            if not is_possible or (cells, count) in seen or (is_long and room <= 0):
                continue
            room -= is_long
            seen.add((cells, count))
            new_sentences.append(Sentence(cells, count))

        self.knowledge.extend(new_sentences)
        return bool(new_sentences)

    def nested_sentences(self):
        """
        Returns all pairs of sentences in which the first is a proper subset of the second.
        """
        sentences_with = {}
        for sentence in self.knowledge:
            for cell in sentence.cells:
                sentences_with.setdefault(cell, []).append(sentence)

        # A larger sentence contains all cells of the smaller one. So it is enough to look
        # at the sentences that contain its rarest cell, instead of comparing every pair.
        pairs = []
        for smaller in self.knowledge:
            candidates = min((sentences_with[cell] for cell in smaller.cells), key=len)
            pairs += [(smaller, larger) for larger in candidates if smaller.cells < larger.cells]
        return pairs
