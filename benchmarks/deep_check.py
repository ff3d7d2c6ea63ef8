"""Check the method of `deep.py` on small boards, where everything can be computed exactly.

    python benchmarks/deep_check.py [--games 1000] [--write]

`champion` is perfect on such boards, so the script takes it without its endgame and its evaluation.
This is the *weak* player. One *step* gives a player that opens, at every guess, the cell that wins
most often if the player before it goes on from there. `deep` with unlimited playouts is such a
step, but among its candidates only. All layouts of a board are played, so the win rate of each
player is exact, and so is the first-order gain: what the step gains at each guess of the weak
player's games, added up. The optimum comes from the exact endgame. Finally, the probe of `deep.py`
estimates both gains with 1,500 playouts per guess.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

from deep import Probe, Summary, open_cell
from result_table import format_table, machine, update

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.core.rules import SAFE, Rules
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import USUAL, GuessSettings
from mineproof.search.deep import DeepSettings, choose_deep
from mineproof.search.guessing import choose
from mineproof.search.winning import win_chances

BOARDS = ((5, 5, 4), (6, 6, 3), (5, 5, 5))
WEAK = replace(USUAL, endgame_cells=0)
WEAK_DEEP = DeepSettings(WEAK, replace(WEAK, margin=0.3, finalists=100), WEAK, WEAK)
ENOUGH = GuessSettings(layouts=20_000, endgame_work=10**9)
PLAYOUTS = 1500
COLUMNS = (
    *("board", "layouts", "weak %", "first-order gain of `deep`'s step", "by the probe"),
    *("whole gain", "by the probe", "one step, all cells", "two steps", "optimum"),
)

Groups = dict[bytes, list[Board]]
"""The layouts that fit each position. The keys are the codes that the position shows."""


@dataclass(frozen=True)
class Seen:
    """What the players need to know about a position."""

    safe: tuple[int, ...]
    """The cells that are proved safe."""
    cells: tuple[int, ...] = ()
    """If no cell is proved safe, the cells that can be safe."""
    candidates: tuple[int, ...] = ()
    """The cells among these that `deep` compares."""
    weak: int = -1
    """If no cell is proved safe, the guess of the weak player."""


@dataclass
class SmallBoard:
    """All layouts of a board whose first cell, a corner, is safe."""

    rules: Rules
    seen: dict[bytes, Seen] = field(default_factory=dict)

    def start(self) -> Groups:
        """Return the positions after the first cell."""
        rows, columns, mines = self.rules.rows, self.rules.columns, self.rules.mines
        places = combinations(range(1, rows * columns), mines)
        boards = [Board.from_mines(rows, columns, mined) for mined in places]
        return split(bytes([UNOPENED]) * (rows * columns), boards, (0,))

    def see(self, shown: bytes) -> Seen:
        """Count the layouts of a position, or return the earlier result."""
        if shown not in self.seen:
            facts = self.facts(shown)
            self.seen[shown] = Seen(facts.safe) if facts.safe else to_guess(facts)
        return self.seen[shown]

    def facts(self, shown: bytes) -> Facts:
        """Count the layouts of a position."""
        return count(Observation(self.rules.public(), shown))

    def best(self) -> float:
        """Return how many layouts best play wins."""
        return sum(
            len(layouts) * (win_chances(self.facts(shown), ENOUGH, moves=False).win or math.nan)
            for shown, layouts in self.start().items()
        )


def split(shown: bytes, layouts: Iterable[Board], cells: Iterable[int]) -> Groups:
    """Open cells in all layouts in which they are safe, and group these by what they show."""
    groups: Groups = defaultdict(list)
    for board in layouts:
        if not any(board.mined[cell] for cell in cells):
            after = bytearray(shown)
            for cell in cells:
                open_cell(board, after, cell)
            groups[bytes(after)].append(board)
    return groups


@dataclass
class Player:
    """The weak player, or one that improves on another player by a step."""

    board: SmallBoard
    before: Player | None = None
    is_deep: bool = False
    """Whether a step is limited to the candidates of `deep`."""
    won: dict[bytes, int] = field(default_factory=dict)

    def wins(self, groups: Groups) -> int:
        """Return how many layouts are won from these positions on."""
        return sum(self._wins(shown, layouts) for shown, layouts in groups.items())

    def _wins(self, shown: bytes, layouts: list[Board]) -> int:
        if shown not in self.won:
            after = self.next(shown, layouts)
            self.won[shown] = len(layouts) if after is None else self.wins(after)
        return self.won[shown]

    def next(self, shown: bytes, layouts: list[Board]) -> Groups | None:
        """Return the positions after the next moves, or None if the game is over."""
        if is_over(shown, layouts):
            return None
        return split(shown, layouts, self.board.see(shown).safe or (self.guess(shown, layouts),))

    def guess(self, shown: bytes, layouts: list[Board]) -> int:
        """Return the cell to guess: the weak player's choice unless another wins more often."""
        seen = self.board.see(shown)
        if self.before is None:
            return seen.weak
        cells = seen.candidates if self.is_deep else seen.cells
        worth = {cell: self.before.after(shown, layouts, cell) for cell in cells}
        own = self.before.guess(shown, layouts)
        return max(worth, key=lambda cell: (worth[cell], cell == own))

    def after(self, shown: bytes, layouts: list[Board], cell: int) -> int:
        """Return how many layouts are won if a cell is opened next."""
        return self.wins(split(shown, layouts, (cell,)))

    def first_order(self, groups: Groups, step: Player) -> int:
        """Return what a step gains at each guess of this player's games, in layouts."""
        gain = 0
        for shown, layouts in groups.items():
            after = self.next(shown, layouts)
            if after is None:
                continue
            if not self.board.see(shown).safe:
                better = step.guess(shown, layouts)
                gain += self.after(shown, layouts, better) - self.wins(after)
            gain += self.first_order(after, step)
        return gain


def is_over(shown: bytes, layouts: list[Board]) -> bool:
    """Return whether only mines are unopened."""
    return shown.count(UNOPENED) == sum(map(bool, layouts[0].mined))


def to_guess(facts: Facts) -> Seen:
    """Describe a position in which nothing is proved safe."""
    choice, deep = choose(facts, WEAK), choose_deep(facts, playouts=1, settings=WEAK_DEEP)
    assert choice is not None
    assert deep is not None
    of = facts.observation.grid.index
    cells = tuple(cell for cell in facts.observation.unopened if facts.risk[cell] < 1)
    return Seen((), cells, tuple(of(each.cell) for each in deep.candidates), of(choice.cell))


def probe(rules: Rules, games: int, *, follows_deep: bool) -> str:
    """Estimate the gain of `deep` over the weak player like `deep.py`."""
    walker = Probe(rules, (PLAYOUTS,), False, 1000, follows_deep, WEAK, WEAK_DEEP, None)
    gain, error = Summary([walker.walk(seed)[0] for seed in range(games)]).gain()
    return f"{gain:+.2f} (se {error:.2f})"


def check(rows: int, columns: int, mines: int, games: int) -> list[str]:
    """Return the exact and the estimated gains on one board, as a row of the table."""
    board = SmallBoard(Rules(rows, columns, mines, SAFE))
    start = board.start()
    weak = Player(board)
    deep, once = Player(board, weak, is_deep=True), Player(board, weak)
    layouts, own = math.comb(rows * columns - 1, mines), weak.wins(start)
    gains = [weak.first_order(start, deep)]
    gains += [player.wins(start) - own for player in (deep, once, Player(board, once))]
    first, whole, *steps = (f"{100 * gain / layouts:+.2f}" for gain in (*gains, board.best() - own))
    one, all_of_it = (probe(board.rules, games, follows_deep=way) for way in (False, True))
    name, share = f"{rows}x{columns}/{mines}", f"{100 * own / layouts:.2f}"
    return [name, f"{layouts:,}", share, first, one, whole, all_of_it, *steps]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1000, help="games of the probe per board")
    parser.add_argument("--boards", type=int, default=len(BOARDS), help="how many boards to check")
    parser.add_argument("--write", action="store_true", help="update the result file")
    options = parser.parse_args()
    for size in BOARDS[: options.boards]:
        rows = [check(*size, options.games)]
        print(format_table(COLUMNS, rows), flush=True)
        if options.write:
            intro = (
                f"Gains in percentage points, by `python benchmarks/deep_check.py` ({machine()})."
            )
            update("deep_check", intro, COLUMNS, rows, 1)


if __name__ == "__main__":
    main()
