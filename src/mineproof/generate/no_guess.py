"""Boards that can be won from the first cell without a guess.

Under the start rule `no-guess`, boards are dealt as under `opening`, in an order that the seed
determines, until the exact engine opens every safe cell of a board by proofs alone. So all such
boards are equally likely, and the same rules, seed and first cell always give the same board. The
order of moves does not matter, because a proved cell stays proved.

Under `no-guess:AGENT`, that agent must win as well, by its own proofs alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import Agent
from mineproof.agents.registry import agents
from mineproof.backend import native
from mineproof.core.board import Board, deal_attempt
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import RulesError, WorkLimitError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action
from mineproof.core.random import MASK
from mineproof.core.rules import EXACT_AGENT, NO_GUESS, Rules, Start
from mineproof.inference.budget import Budget
from mineproof.match.play import agent_seed, ask, prepare

MOST_TRIES = 100_000
"""The maximum number of boards to deal until one passes."""
MOST_CELLS = 50_000_000
"""The maximum total number of cells of all boards dealt, so that large boards get fewer tries."""
LEAST_TRIES = 20
"""The minimum number of tries, for boards of any size."""
NODES = 10_000_000
"""The maximum number of states when counting a position."""
MOST_REMEMBERED = 32
"""The number of boards to remember, because the same game is often set up again."""
MOMENT_CELLS = 60_000
"""The maximum total number of cells that `deals` tries. This takes a few milliseconds."""


class NotDealtError(WorkLimitError):
    """No board was found within the maximum number of tries."""

    def __init__(self, rules: Rules, seed: int, first: Cell, tries: int) -> None:
        """Set a message that names the game and estimates how rare such boards are."""
        super().__init__(
            f"no {rules.start} board of {rules.level} from {first} was found for seed {seed} "
            f"within {tries:,} tries: probably fewer than 1 in {max(1, tries // 3):,} qualify"
        )
        self.rules, self.seed, self.first, self.tries = rules, seed, first, tries

    def __reduce__(self) -> tuple[object, ...]:
        """Make the error picklable."""
        return type(self), (self.rules, self.seed, self.first, self.tries)


def check_start(start: Start) -> None:
    """Reject a start whose agent does not exist.

    Raises:
        RulesError: the agent does not exist.
    """
    if start.has_own_agent and start.agent not in agents():
        known = ", ".join(agents())
        raise RulesError(f"expected no-guess:AGENT with one of {known}, got {start.agent!r}")


def deal(rules: Rules, seed: int, first: Cell, tries: int | None = None) -> Board:
    """Deal a board that can be won from its first cell without a guess.

    Raises:
        RulesError: the start's agent does not exist.
        NotDealtError: no board was found within `tries`, or `most_tries` by default.
    """
    plain = plain_rules(rules)
    found = _boards.get((plain, seed, first))
    if found is None:
        found = find(plain, seed, first, tries)[0]
        remember(plain, seed, first, found)
    return found


def find(rules: Rules, seed: int, first: Cell, tries: int | None = None) -> tuple[Board, int]:
    """Return the board that `deal` deals, and the number of tries it took.

    Raises:
        RulesError: the start's agent does not exist.
        NotDealtError: no board was found within `tries`.
    """
    plain = plain_rules(rules)
    limit = most_tries(rules) if tries is None else tries
    check = NoGuessCheck(plain, first)
    attempt = 0
    while attempt < limit:
        attempt, board = check.next_exact(seed, attempt, limit)
        attempt += 1
        if board is not None and check.agent_wins(board, seed):
            return board, attempt
    raise NotDealtError(rules, seed, first, limit)


def deals(board: Board, rules: Rules, seed: int, first: Cell) -> bool:
    """Return whether `deal` deals this board; False if finding out takes more than a moment."""
    try:
        return deal(rules, seed, first, max(1, MOMENT_CELLS // rules.grid.size)) == board
    except WorkLimitError:
        return False


def most_tries(rules: Rules) -> int:
    """Return the maximum number of boards to deal until one passes."""
    return min(MOST_TRIES, max(LEAST_TRIES, MOST_CELLS // rules.grid.size))


def is_no_guess(board: Board, first: tuple[int, int], start: Start = NO_GUESS) -> bool:
    """Return whether a board can be won from its first cell without a guess.

    Raises:
        RulesError: the start's agent does not exist, or the first cell is off the board.
        WorkLimitError: a position has too many states to count.
    """
    rules = Rules(board.rows, board.columns, len(board.mine_indices), start)
    board.grid.index(first)
    check = NoGuessCheck(rules, Cell(*first))
    return check.exact_wins(board) and check.agent_wins(board, 0)


def plain_rules(rules: Rules) -> Rules:
    """Return the rules without settings that make no difference here, such as the goal."""
    return Rules(rules.rows, rules.columns, rules.mines, rules.start)


class NoGuessCheck:
    """Checks whether boards with a given size and first cell can be won without a guess."""

    def __init__(self, rules: Rules, first: Cell) -> None:
        """Prepare for a size, a number of mines and a first cell."""
        check_start(rules.start)
        self._rules = rules
        self._first = first
        name = rules.start.agent
        self._agent = None if name == EXACT_AGENT else make_agent(name)

    def next_exact(self, seed: int, attempt: int, end: int) -> tuple[int, Board | None]:
        """Return the number and board of the next attempt that is won, or (`end`, None)."""
        if native is None or seed > MASK:  # the core takes seeds of at most 64 bits
            board = deal_attempt(self._rules, seed, self._first, attempt)
            return attempt, board if self.exact_wins(board) else None
        core = _core(self._rules, self._first)
        with _limited():
            found, mined = core.find(seed, attempt, end)
        return found, None if mined is None else Board(self._rules.rows, self._rules.columns, mined)

    def exact_wins(self, board: Board) -> bool:
        """Return whether the exact engine opens all safe cells of a board by proofs."""
        if native is None:
            return self.solve(board).count(UNOPENED) == self._rules.mines
        with _limited():
            return bool(_core(self._rules, self._first).is_no_guess(board.mined))

    def solve(self, board: Board) -> bytes:
        """Return the position in which the proofs of the exact engine end, one code per cell."""
        if native is None:
            agent = make_agent(EXACT_AGENT)
            game = play_by_proofs(agent, self._rules, board, self._first)
            return game.observation.shown
        with _limited():
            return bytes(_core(self._rules, self._first).solve(board.mined))

    def agent_wins(self, board: Board, seed: int) -> bool:
        """Return whether the start's agent also wins, by its own proofs alone."""
        if self._agent is None:
            return True
        game = play_by_proofs(self._agent, self._rules, board, self._first, seed)
        return game.is_over and game.hits == 0


def play_by_proofs(agent: Agent, rules: Rules, board: Board, first: Cell, seed: int = 0) -> Game:
    """Play a board with an agent until it wins, is stuck, or would have to guess."""
    game = Game(rules, seed, first, board)
    prepare(agent, rules.public(), agent_seed(agent, seed))
    while not game.is_over:
        decision = ask(agent, game.observation)
        if decision is None or (decision.move.action is Action.OPEN and not decision.proved):
            break
        game.play(decision.move)
    return game


@contextmanager
def _limited() -> Iterator[None]:
    """Convert the core's work limit error to `WorkLimitError`."""
    assert native is not None
    try:
        yield
    except native.WorkLimit as error:
        raise Budget().reached(str(error)) from None


@lru_cache(maxsize=8)
def _core(rules: Rules, first: Cell) -> Any:
    assert native is not None
    index = rules.grid.index(first)
    return native.NoGuessDealer(rules.rows, rules.columns, rules.mines, index, NODES)


# ---- remembered boards

_boards: dict[tuple[Rules, int, Cell], Board] = {}


def remember(rules: Rules, seed: int, first: Cell, board: Board) -> None:
    """Remember a dealt board, from this or another process, so that it is not searched again."""
    while len(_boards) >= MOST_REMEMBERED:
        _boards.pop(next(iter(_boards)))
    _boards[plain_rules(rules), seed, first] = board
