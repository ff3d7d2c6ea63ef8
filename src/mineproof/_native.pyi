"""The native core of Mineproof. Flat bytes in, flat bytes out; `native/` has the sources."""

from collections.abc import Sequence

class WorkLimit(RuntimeError):  # noqa: N818  (named as in the core; callers see WorkLimitError)
    """An answer would take more nodes, or more time, than allowed."""

def deal(rows: int, columns: int, mines: int, start: str, first: int, seed: int) -> bytes:
    """Deal a board as mineproof.core.board.deal does: one byte a cell."""

def solve_text(text: str, nodes: int) -> tuple[int, int, int, bytes, int, bytes, bytes, int] | None:
    """Read and solve one plain position.

    None if it is not plain, else (rows, columns, mines, shown, status, risks, verdicts, nodes).
    """

def time_text(text: str, nodes: int, repeats: int) -> float:
    """Give the CPU seconds that reading and solving a plain position takes in the core."""

def solve(
    rows: int,
    columns: int,
    shown: bytes,
    clues: str,
    prior: str,
    low: float,
    high: float,
    nodes: int,
    seconds: float | None,
) -> tuple[int, bytes, bytes, int]:
    """Solve a position: (status, risks, verdicts, nodes).

    Status 0 is solved, 1 no layout, 2 work limit. Risks are doubles, verdicts 0 open, 1 safe,
    2 mined; one a cell.
    """

class Posterior:
    """The layouts of a position that has some."""

    def __init__(
        self,
        rows: int,
        columns: int,
        shown: bytes,
        clues: str,
        prior: str,
        low: float,
        high: float,
        nodes: int,
        seconds: float | None,
    ) -> None:
        """Solve a position.

        Raises:
            ValueError: it has no layout.
            WorkLimit: it is too much work.
        """

    @property
    def fixed(self) -> int:
        """The mines that are shown or proved by single clues."""

    @property
    def interior(self) -> int:
        """The unopened cells next to no clue that are not proved by single clues."""

    def polynomials(self) -> list[tuple[int, list[int]]]:
        """Give (least mines, [exact number of layouts by mines]) for each component."""

    def values(self, cell: int) -> tuple[float, ...]:
        """Give the chances that a cell is safe and has 0, 1, .. 8 mined neighbours."""

    def suppose(self, clues: Sequence[tuple[int, int]]) -> tuple[bytes, bytes] | None:
        """Give (risks, verdicts) if unopened cells showed clues, given as (cell, clue).

        None if they cannot.
        """

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte a cell."""

def play_exact(
    rows: int, columns: int, mines: int, boards: bytes, first: int, nodes: int = 1_000_000
) -> list[tuple[str, int, int, float]]:
    """Play boards as the agent exact does: (result, guesses, moves, milliseconds) for each.

    The boards stand one after the other, one byte a cell. The list is empty if some decision
    needs more nodes.
    """

def simulate_exact(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    nodes: int = 1_000_000,
) -> tuple[int, int, int, int, int, int]:
    """Deal and play the boards of consecutive seeds.

    Gives (won, lost, stuck, guesses, moves, cells opened).
    """

class GuessSettings:
    """How a guess is chosen; `mineproof.search.settings` says what the names mean."""

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

class Evaluation:
    """A trained estimate of the chance to win."""

    def __init__(self, data: bytes) -> None:
        """Read the weights.

        Raises:
            ValueError: the bytes are no evaluation.
        """

def play_champion(
    rows: int,
    columns: int,
    mines: int,
    boards: bytes,
    first: int,
    settings: GuessSettings,
    evaluation: Evaluation | None = None,
    nodes: int = 1_000_000,
) -> list[tuple[str, int, int, float]]:
    """Play boards as the agent champion does: (result, guesses, moves, milliseconds) for each.

    The list is empty if some decision needs more nodes.
    """

def simulate_champion(
    rows: int,
    columns: int,
    mines: int,
    start: str,
    first: int,
    seed: int,
    games: int,
    settings: GuessSettings,
    evaluation: Evaluation | None = None,
    nodes: int = 1_000_000,
) -> bytes:
    """Deal and play the boards of consecutive seeds: 32 bytes a game.

    Four integers: result (0 won, 1 lost, 2 stuck), guesses, moves, unopened cells at the last
    guess. Four floats: the logarithm of its layouts, its safety, the milliseconds of the game
    and of its slowest guess.
    """

def guess(
    rows: int,
    columns: int,
    shown: bytes,
    prior: str,
    low: float,
    high: float,
    settings: GuessSettings,
    evaluation: Evaluation | None = None,
    nodes: int = 1_000_000,
) -> tuple[int, float | None, bool, list[tuple[int, float, float, float, float | None]]] | None:
    """Choose a guess where nothing is proved safe: (cell, win, exact, candidates).

    A candidate is (cell, safety, next safety, survival, win); the best comes first, and there
    is none where the endgame was solved. None if no cell is left.
    """

def win_chances(
    rows: int,
    columns: int,
    mines: int,
    shown: bytes,
    layouts: int,
    work: int,
    nodes: int,
    moves: bool,
    seconds: float | None,
) -> tuple[float | None, bool, int | None, bytes, int]:
    """Search for best play: (win, exact, best cell, wins, steps).

    None where nothing is found. `wins` has a double for each cell, the chance of winning with
    it as the next move; NaN where that is not known.

    Raises:
        ValueError: the position has no layout.
        WorkLimit: counting its layouts is too much work.
    """

def guess_deep(
    rows: int,
    columns: int,
    mines: int,
    shown: bytes,
    fast: GuessSettings,
    wide: GuessSettings,
    endgame: GuessSettings,
    playout: GuessSettings,
    evaluation: Evaluation | None,
    candidates: int,
    doubt: float,
    playouts: int,
    seconds: float,
    seed: int,
    cores: int = 1,
    goes_on: object | None = None,
    nodes: int = 1_000_000,
) -> (
    tuple[
        int,
        bool,
        list[tuple[int, float, float, float, float | None, float | None, float, int]],
    ]
    | None
):
    """Choose a guess by playouts: (cell of the fast policy, exact, candidates).

    A candidate is (cell, safety, next safety, survival, expected win, win, error, playouts);
    the choice comes first. `goes_on` is called without arguments now and then: false ends the
    search. None if no cell is left.
    """

def play_layouts(
    rows: int,
    columns: int,
    mines: int,
    shown: bytes,
    cells: Sequence[int],
    policy: GuessSettings,
    evaluation: Evaluation | None,
    layouts: int,
    seconds: float,
    seed: int,
    cores: int = 1,
    goes_on: object | None = None,
    nodes: int = 1_000_000,
) -> list[tuple[float, ...]]:
    """Play random layouts on from a position, each cell opened first in turn.

    Gives for each layout the chances to win.
    """
