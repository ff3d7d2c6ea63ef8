"""Games of Minesweeper without a window: `Round` is one game, `Player` plays many.

`runner.py` draws them. Nothing here needs pygame.
"""

import math
import random

from minesweeper import Minesweeper, MinesweeperAI

# Name of a level: rows, columns, mines
LEVELS = {
    "CS50": (8, 8, 8),
    "Easy": (9, 9, 10),
    "Medium": (16, 16, 25),
    "Hard": (16, 30, 99),
}
SPEEDS = [1, 2, 5, 10, 20, 0]  # moves per second; 0 is as fast as possible
GIVEN = [0, 0.5, 1, 2, 5, 10]  # multiples of the standard number of cells open at the start
PAUSE = 900  # milliseconds between two games when games are looped
SWITCHES = ["Show inference", "Loop games", "Stop when stuck", "Flood fill", "Safe first click"]


def around(cell, height, width):
    """Returns the cells next to a cell."""
    rows = range(max(cell[0] - 1, 0), min(cell[0] + 2, height))
    columns = range(max(cell[1] - 1, 0), min(cell[1] + 2, width))
    return [(i, j) for i in rows for j in columns if (i, j) != cell]


class Round:
    """One game: the hidden board, the AI, and the opened and flagged cells."""

    def __init__(self, level="CS50", flood=False, safe_start=False, times=0):
        self.height, self.width, self.mines = LEVELS[level]
        self.flood = flood
        self.safe_start = safe_start
        self.game = Minesweeper(self.height, self.width, self.mines)
        self.ai = MinesweeperAI(self.height, self.width)
        self.clues = {}  # opened cell -> its number
        self.flags = set()
        self.exploded = None
        self.out_of_moves = False
        self.message = ""
        self.quiet = False
        self.give(times)
        self.given = len(self.clues)

    def give(self, times):
        """Opens random safe cells: `times` times the square root of the number of cells."""
        cells = [(i, j) for i in range(self.height) for j in range(self.width)]
        safe = [cell for cell in cells if not self.game.is_mine(cell)]
        number = math.ceil(times * round(math.sqrt(len(cells))))
        for cell in random.sample(safe, min(number, len(safe))):
            self.open(cell)

    @property
    def lost(self):
        """Whether a mine was opened."""
        return self.exploded is not None

    @property
    def won(self):
        """Whether the flags are exactly the mines."""
        return not self.lost and self.flags == self.game.mines

    @property
    def over(self):
        """Whether the game has ended."""
        return self.lost or self.won or self.out_of_moves

    def say(self, message):
        """Shows a message under the board, and prints it."""
        self.message = message
        if not self.quiet:
            print(message)

    def flag(self, cell):
        """Flags an unopened cell, or removes its flag."""
        if not self.over and cell not in self.clues:
            self.flags ^= {cell}

    def open(self, cell):
        """Opens a cell, unless it is already open or flagged."""
        if self.over or cell in self.clues or cell in self.flags:
            return
        while self.safe_start and not self.clues and self.game.is_mine(cell):
            self.game = Minesweeper(self.height, self.width, self.mines)
        if self.game.is_mine(cell):
            self.exploded = cell
            return
        pending = [cell]
        while pending:
            cell = pending.pop()
            if cell not in self.clues and cell not in self.flags:
                self.show_clue(cell)
                if self.flood and self.clues[cell] == 0:
                    pending += around(cell, self.height, self.width)

    def show_clue(self, cell):
        """Shows the number of a safe cell, and passes it to the AI."""
        self.clues[cell] = self.game.nearby_mines(cell)
        try:
            self.ai.add_knowledge(cell, self.clues[cell])
        except NotImplementedError:
            self.message = "The AI learns nothing because add_knowledge is not finished yet."

    def ai_move(self, may_guess=True):
        """Makes an AI move and returns "safe", "random", "stuck" or "none"."""
        try:
            move, kind = self.ai.make_safe_move(), "safe"
            if move is None:
                move, kind = self.ai.make_random_move(), "random"
        except NotImplementedError:
            self.say("The AI cannot move because minesweeper.py is not finished yet.")
            return "stuck"
        if move is None:
            self.flags = set(self.ai.mines)
            self.out_of_moves = True
            self.say("No moves left to make.")
            return "none"
        if move in self.clues:
            self.say(f"The AI chose {move}, which is already open.")
            return "stuck"
        if kind == "random" and not may_guess and self.clues:
            self.say("Stuck: no cell is known to be safe.")
            return "stuck"
        if kind == "safe":
            self.say(f"The AI opens {move}, which is known to be safe.")
        else:
            self.say(f"No cell is known to be safe, so the AI opens {move} at random.")
        self.flags.discard(move)
        self.open(move)
        return kind


class Player:
    """Plays round after round, and keeps the switches and the score."""

    def __init__(self):
        self.level = "CS50"
        self.on = set()  # names of the switches that are on
        self.times = 0  # one of GIVEN
        self.speed = 2  # an index into SPEEDS
        self.playing = False
        self.next_move = 0  # when the next move is due, in milliseconds
        self.games = self.wins = self.stuck = 0
        self.reset()

    def reset(self):
        """Deals a new board."""
        self.round = Round(
            self.level, "Flood fill" in self.on, "Safe first click" in self.on, self.times
        )
        self.counted = False

    def choose(self, level):
        """Changes the level and resets the score."""
        self.level = level
        self.playing = False
        self.games = self.wins = self.stuck = 0
        self.reset()

    def give(self):
        """Switches to the next number of given cells and resets the score."""
        self.times = GIVEN[(GIVEN.index(self.times) + 1) % len(GIVEN)]
        self.choose(self.level)

    def switch(self, name):
        """Turns a switch on or off. A game in progress keeps its rules."""
        self.on ^= {name}
        begun = len(self.round.clues) > self.round.given or self.round.flags
        if name in ("Flood fill", "Safe first click") and not begun:
            self.reset()

    def autoplay(self, now):
        """Starts or stops autoplay."""
        self.playing = not self.playing
        self.next_move = now
        if self.playing and self.round.over:
            self.reset()

    def ai_move(self):
        """Makes one AI move."""
        if not self.round.over:
            self.round.ai_move()
            self.count()

    def count(self, stuck=False):
        """Adds the game to the score, once, when it has ended or the AI is stuck."""
        if not self.counted and (stuck or self.round.over):
            self.counted = True
            self.games += 1
            self.wins += self.round.won
            self.stuck += stuck

    @property
    def hurries(self):
        """Whether the AI plays as fast as it can."""
        return self.playing and SPEEDS[self.speed] == 0

    def tick(self, now):
        """Makes a move if the AI is playing and a move is due."""
        if not self.playing or now < self.next_move:
            return
        if self.counted or self.round.over:
            self.count()
            self.reset()
        self.round.quiet = self.hurries  # do not print thousands of lines
        stuck = self.round.ai_move("Stop when stuck" not in self.on) == "stuck"
        self.count(stuck)
        speed = SPEEDS[self.speed]
        delay = 1000 // speed if speed else 0
        if self.counted:
            self.playing = "Loop games" in self.on
            delay = PAUSE if speed else 0
        self.next_move = now + delay

    @property
    def score(self):
        """The score as text."""
        if not self.games:
            return ""
        share = round(100 * self.wins / self.games)
        stuck = f", {self.stuck} stuck" if self.stuck else ""
        return f"Won {self.wins} of {self.games} ({share} %){stuck}"
