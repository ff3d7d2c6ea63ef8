"""The native core of Mineproof. Flat bytes in, flat bytes out; `native/` has the sources."""

from collections.abc import Sequence

class WorkLimit(RuntimeError):  # noqa: N818  (named as in the core; callers see WorkLimitError)
    """An answer would take more nodes, more time or more memory than allowed."""

class Limits:
    """What the answer to one question may cost."""

    def __init__(
        self, nodes: int = 1000000, seconds: float | None = None, bytes: int | None = None
    ) -> None:
        """Check and keep the limits: states counted or steps searched, time, memory of tables.

        Raises:
            ValueError: one of them cannot be meant.
        """

class Evaluation:
    """A trained estimate of the chance to win."""

    def __init__(self, data: bytes) -> None:
        """Read the weights.

        Raises:
            ValueError: the bytes are no evaluation.
        """

class GuessSettings:
    """How a guess is chosen; `mineproof.search.choice` says what the names mean."""

    def __init__(
        self,
        endgame_layouts: float = 10000000000000.0,
        endgame_cells: int = 500,
        layouts: int = 2000,
        endgame_work: int = 200000,
        look_work: int = 2000000,
        reach: float = 0.85,
        inner_reach: float = 0.9,
        margin: float = 0.08,
        finalists: int = 8,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Check and keep the settings.

        Raises:
            ValueError: one of them cannot be meant.
        """

    @property
    def endgame_layouts(self) -> float: ...
    @property
    def endgame_cells(self) -> int: ...
    @property
    def layouts(self) -> int: ...
    @property
    def endgame_work(self) -> int: ...
    @property
    def look_work(self) -> int: ...
    @property
    def reach(self) -> float: ...
    @property
    def inner_reach(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def finalists(self) -> int: ...

class DeepSettings:
    """How a guess is chosen by playouts; `mineproof.search.deep` says what the names mean."""

    def __init__(
        self,
        fast: GuessSettings,
        wide: GuessSettings,
        endgame: GuessSettings,
        playout: GuessSettings,
        candidates: int,
        doubt: float,
    ) -> None:
        """Check and keep the settings.

        Raises:
            ValueError: one of them cannot be meant.
        """

class SolvedPosition:
    """A position that is solved once, kept and asked.

    Answers never depend on what was asked before. Questions raise ValueError where they cannot
    be meant, or the position is not solved, and WorkLimit beyond their limits.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        shown: bytes,
        clues: str,
        prior: tuple[str, float, float],
        limits: Limits,
    ) -> None:
        """Solve a position; `status` says whether that was possible.

        The prior is (known, mines, mines), (range, least, most) or (density, p, p).
        """

    @property
    def status(self) -> int:
        """0 solved, 1 no layout agrees with it, 2 it takes more than the limits."""

    @property
    def bound(self) -> str:
        """Which limit that is: states, time, memory, width or precision."""

    @property
    def nodes(self) -> int:
        """The states counted."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    @property
    def mines(self) -> int:
        """The number of mines, if it is known."""

    @property
    def shown(self) -> bytes:
        """A code for each cell."""

    @property
    def risks(self) -> bytes:
        """A double for each cell: its risk; NaN where it is not unopened."""

    @property
    def verdicts(self) -> bytes:
        """A byte for each cell: 0 open, 1 proved safe, 2 proved to be a mine."""

    def layouts(self, limits: Limits) -> tuple[int, int, list[tuple[int, list[int]]]]:
        """Count the layouts exactly: (fixed mines, interior cells, components).

        Fixed mines are shown or proved by single clues; interior cells are next to no clue, and
        not proved by single clues. A component is (least mines, [layouts by mines]).
        """

    def values(self, cell: int, limits: Limits) -> tuple[float, ...]:
        """Give the chances that a cell is safe and has 0, 1, .. 8 mined neighbours."""

    def suppose(
        self, clues: Sequence[tuple[int, int]], limits: Limits
    ) -> tuple[bytes, bytes] | None:
        """Give (risks, verdicts) if unopened cells showed clues, given as (cell, clue).

        None if they cannot.
        """

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte a cell."""

    def win_chances(
        self, layouts: int, moves: bool, limits: Limits
    ) -> tuple[float | None, bool, int | None, bytes, int]:
        """Search for best play: (win, exact, best cell, wins, steps).

        None where nothing is found. `wins` has a double for each cell, the chance of winning
        with it as the next move; NaN where that is not known.
        """

    def guess(
        self, settings: GuessSettings, limits: Limits
    ) -> (
        tuple[
            int,
            bool,
            float | None,
            list[tuple[int, float, float | None, float | None, float, int]],
        ]
        | None
    ):
        """Choose a guess where nothing is proved safe: (cell, exact, win, candidates).

        A candidate is (cell, next safety, estimated win, win by playouts or exact, its error,
        playouts); the best comes first, and there is none where the endgame was solved. None if
        no cell is left.
        """

    def guess_deep(
        self,
        settings: DeepSettings,
        playouts: int,
        seconds: float,
        seed: int,
        cores: int,
        goes_on: object | None,
        limits: Limits,
    ) -> tuple[int, bool, list[tuple[int, float, float | None, float | None, float, int]]] | None:
        """Choose a guess by playouts: (cell of the fast policy, exact, candidates).

        The choice comes first. `goes_on` is called without arguments now and then: false ends
        the search. None if no cell is left.
        """

    def play_layouts(
        self,
        cells: Sequence[int],
        policy: GuessSettings,
        layouts: int,
        seconds: float,
        seed: int,
        cores: int = 1,
        goes_on: object | None = None,
    ) -> list[list[float]]:
        """Play random layouts on, each cell opened first in turn.

        Gives for each layout the chances to win.
        """

class VectorEnv:
    """Many boards that are played side by side; `mineproof.gym` says what the arrays hold."""

    def __init__(
        self,
        rows: int,
        columns: int,
        mines: int,
        start: str,
        given: int,
        boards: int,
        arrays: tuple,  # type: ignore[type-arg]
    ) -> None:
        """Begin with the seed 0 on all boards; the arrays are held and written to.

        Raises:
            ValueError: the numbers fit no board, or the arrays do not fit them.
        """

    def reset(self, board: int, seed: int) -> None:
        """Begin episode 0 of a seed on a board."""

    def next_episode(self, board: int) -> None:
        """Begin the next episode on a board."""

    def step(self, cells: object) -> None:
        """Open a cell on each board; where the game has ended, begin the next episode.

        Raises:
            ValueError: there is not one int64 a board, or one is not a cell; nothing is opened.
        """

def deal(rows: int, columns: int, mines: int, start: str, first: int, seed: int) -> bytes:
    """Deal a board as mineproof.core.board.deal does: one byte a cell."""

class NoGuessDealer:
    """Deals boards that are won without a guess."""

    def __init__(
        self, rows: int, columns: int, mines: int, first: int, nodes: int = 1000000
    ) -> None:
        """Take the size, the mines and the first cell."""

    def find(self, seed: int, begin: int, end: int) -> tuple[int, bytes | None]:
        """Give the first attempt that deals such a board, and the board; or `end` and None."""

    def is_no_guess(self, mined: bytes) -> bool:
        """Say whether a board, one byte a cell, is won without a guess."""

    def solve(self, mined: bytes) -> bytes:
        """Give the position where proofs end on a board: one code a cell."""

def solve_text(text: str, limits: Limits) -> SolvedPosition | None:
    """Read and solve one plain position; None if it is not plain."""

def time_text(text: str, nodes: int, repeats: int) -> float:
    """Give the CPU seconds that reading and solving a plain position takes in the core."""

def play_games(
    rows: int,
    columns: int,
    mines: int,
    boards: bytes,
    first: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> list[tuple[str, int, int, float, int]]:
    """Play boards as the agent champion does, or without settings as exact does.

    The boards stand one after the other, one byte a cell. Gives (result, guesses, moves,
    milliseconds, false proofs) for each. The list is empty if some decision needs more nodes.
    """

def tally_games(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> tuple[int, int, int, int, int, int, int, int]:
    """Deal and play the boards of consecutive seeds.

    Gives (won, lost, stuck, guesses, moves, cells opened, cells called proved, false proofs).
    """

def trace_games(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> bytes:
    """Deal and play the boards of consecutive seeds: 32 bytes a game.

    Four integers: result (0 won, 1 lost, 2 stuck), guesses, moves, unopened cells at the last
    guess. Four floats: the logarithm of its layouts, its safety, the milliseconds of the game
    and of its slowest guess.
    """
