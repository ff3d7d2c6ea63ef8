"""A board to click in a notebook, drawn by the modules of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.draw import Picture, draw
from mineproof.notation.inputs import Source

if TYPE_CHECKING:
    from mineproof.agents.loading import Chooser
    from mineproof.web.widget import BoardWidget


def show(
    game: Source, agent: str | Chooser = "champion", *, move: int | None = None
) -> BoardWidget | Picture:
    """Return a board to click in a notebook: play, undo, see risks and ask why or an agent.

    Clicks change the game that you pass, and moves that you make in Python appear on the board.
    Without the extra `notebook`, return a picture.

    Args:
        game: a game, or a game id. You can also pass an observation, a record, `.mine` text or a
            path: you can ask about such a position, but not play.
        agent: an agent's name, an agent, its class, or a function from observation to cell.
        move: for a record, show the position before this move, counted from 1; by default the last.

    Raises:
        TypeError: the game or the agent is of another type.
        NotationError: the text is not a game or a position.
        InputError: there is no such move, or no such agent.
    """
    try:
        import anywidget  # noqa: F401
    except ModuleNotFoundError:
        return draw(game, move=move)
    from mineproof.web.widget import BoardWidget

    return BoardWidget(game, agent, move)
