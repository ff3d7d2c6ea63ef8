"""The native core of Mineproof. It takes and returns flat bytes; the sources are in `native/`."""

from collections.abc import Sequence

class WorkLimit(RuntimeError):  # noqa: N818  (the name in the core; callers see WorkLimitError)
    """An answer would exceed the limit on nodes, time or memory."""

class Limits:
    """Limits on the work for one question."""

    def __init__(
        self, nodes: int = 1000000, seconds: float | None = None, memory: int | None = None
    ) -> None:
        """Set the limits on states counted or steps searched, on time, and on memory for tables.

        Raises:
            ValueError: a value is not valid.
        """

class Evaluation:
    """A trained estimate of the chance of winning."""

    def __init__(self, data: bytes) -> None:
        """Read the weights from bytes.

        Raises:
            ValueError: the bytes are not an evaluation.
        """

class GuessSettings:
    """Settings for choosing a guess. `mineproof.search.choice` explains them."""

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
        """Set and check the settings.

        Raises:
            ValueError: a value is not valid.
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
    """Settings for choosing a guess by playouts. `mineproof.search.deep` explains them."""

    def __init__(
        self,
        fast: GuessSettings,
        wide: GuessSettings,
        endgame: GuessSettings,
        playout: GuessSettings,
        candidates: int,
        doubt: float,
    ) -> None:
        """Set and check the settings.

        Raises:
            ValueError: a value is not valid.
        """

class SolvedPosition:
    """A position that is solved once and can be asked many questions.

    Answers never depend on earlier questions. Questions raise ValueError if their arguments are
    not valid or the position is not solved, and WorkLimit if they exceed their limits.
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
        """Solve a position. `status` tells whether it succeeded.

        The prior is (known, mines, mines), (range, minimum, maximum) or (density, p, p).
        """

    @property
    def status(self) -> int:
        """0: solved; 1: no layout fits; 2: a limit was reached."""

    @property
    def bound(self) -> str:
        """The limit that was reached: states, time, memory, width or precision."""

    @property
    def nodes(self) -> int:
        """Number of states counted."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def columns(self) -> int:
        """Number of columns."""

    @property
    def mines(self) -> int:
        """Number of mines, if it is known."""

    @property
    def shown(self) -> bytes:
        """One code per cell."""

    @property
    def risks(self) -> bytes:
        """The risk of each cell as a double; NaN unless it is unopened."""

    @property
    def verdicts(self) -> bytes:
        """One byte per cell. 0: undecided; 1: proved safe; 2: proved mine."""

    def layouts(self, limits: Limits) -> tuple[int, int, list[tuple[int, list[int]]]]:
        """Count the layouts exactly: (fixed mines, interior cells, components).

        Fixed mines are shown or proved by single clues. Interior cells touch no clue and are not
        proved by single clues. A component is (minimum mines, [layouts by mines]).
        """

    def values(self, cell: int, limits: Limits) -> tuple[float, ...]:
        """Return the chances that a cell is safe and has 0, 1, .. 8 neighbouring mines."""

    def suppose(
        self, clues: Sequence[tuple[int, int]], limits: Limits
    ) -> tuple[bytes, bytes] | None:
        """Return (risks, verdicts) if unopened cells showed these (cell, clue) pairs.

        Return None if they cannot.
        """

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte per cell."""

    def win_chances(
        self, layouts: int, moves: bool, limits: Limits
    ) -> tuple[float | None, bool, int | None, bytes, int]:
        """Search for best play: (win, exact, best cell, wins, steps).

        `win` and `best cell` are None if nothing is found. `wins` has a double per cell, the
        chance of winning with it as the next move; NaN if unknown.
        """

    def guess(
        self, settings: GuessSettings, limits: Limits
    ) -> (
        tuple[
            int, bool, float | None, list[tuple[int, float, float | None, float | None, float, int]]
        ]
        | None
    ):
        """Choose a guess when nothing is proved safe: (cell, exact, win, candidates).

        A candidate is (cell, next safety, estimated win, win by playouts or exact, its error,
        playouts). The best comes first; the list is empty if the endgame was solved. Return None
        if no cell is left.
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

        The choice comes first. `goes_on` is called regularly, without arguments; the search stops
        when it returns false. Return None if no cell is left.
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
        """Play random layouts to the end, opening each cell first in turn.

        Return the chances of winning for each layout.
        """

class VectorEnv:
    """Many boards that are played in parallel. `mineproof.gym` describes the arrays."""

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
        """Start with seed 0 on all boards. The arrays are kept and written to.

        Raises:
            ValueError: the numbers do not describe a board, or the arrays have the wrong size.
        """

    def reset(self, board: int, seed: int) -> None:
        """Start episode 0 of a seed on a board."""

    def next_episode(self, board: int) -> None:
        """Start the next episode on a board."""

    def step(self, cells: object) -> None:
        """Open a cell on each board. If its game is over, start the next episode instead.

        Raises:
            ValueError: expected one int64 per board, each a cell. Nothing is opened.
        """

    def memory(self) -> tuple[memoryview, memoryview]:
        """Return the states and the boards as writable bytes, valid as long as this object."""

def deal(rows: int, columns: int, mines: int, start: str, first: int, seed: int) -> bytes:
    """Deal a board like mineproof.core.board.deal: one byte per cell."""

class NoGuessDealer:
    """Deals boards that can be won without a guess."""

    def __init__(
        self, rows: int, columns: int, mines: int, first: int, nodes: int = 1000000
    ) -> None:
        """Set the size, the number of mines and the first cell."""

    def find(self, seed: int, begin: int, end: int) -> tuple[int, bytes | None]:
        """Return the first attempt that deals such a board, and the board; or `end` and None."""

    def is_no_guess(self, mined: bytes) -> bool:
        """Return whether a board, one byte per cell, is won without a guess."""

    def solve(self, mined: bytes) -> bytes:
        """Return the position of a board after all proofs: one code per cell."""

def solve_text(text: str, limits: Limits) -> SolvedPosition | None:
    """Read and solve one plain position. Return None if it is not plain."""

def time_text(text: str, nodes: int, repeats: int) -> float:
    """Return the CPU seconds for reading and solving a plain position in the core."""

def play_games(
    rows: int,
    columns: int,
    mines: int,
    boards: bytes,
    first: int,
    settings: GuessSettings | None = None,
    nodes: int = 1000000,
) -> list[tuple[str, int, int, float, int]]:
    """Play boards as the agent champion does, or as exact does if there are no settings.

    `boards` has the boards one after the other, one byte per cell. Return (result, guesses,
    moves, milliseconds, false proofs) for each, or an empty list if a decision exceeds `nodes`.
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

    Return (won, lost, stuck, guesses, moves, cells opened, cells called proved, false proofs).
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
    """Deal and play the boards of consecutive seeds. Return 32 bytes per game.

    Four integers: result (0 won, 1 lost, 2 stuck), guesses, moves, unopened cells at the last
    guess. Four floats: the logarithm of its layouts, its safety, the milliseconds of the game
    and of its slowest guess.
    """
