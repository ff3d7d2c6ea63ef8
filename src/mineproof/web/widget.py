"""The board that `show` puts into a notebook. It needs the package `anywidget`.

The scripts of the page are joined when this module is imported, so the page needs no build step.
The page sends commands. Each answer is a new `view`, which contains everything that is visible.
"""

from __future__ import annotations

import re
from pathlib import Path

import anywidget
import traitlets
from IPython import get_ipython

from mineproof import Action, AgentError, Cell, Game, InputError, Move, Observation, Result, advice
from mineproof.agents.loading import Chooser, as_agent
from mineproof.agents.protocol import Agent, SimpleAgent
from mineproof.agents.registry import agents
from mineproof.core.errors import CodedError
from mineproof.core.random import hashed_seed, short_seed
from mineproof.core.words import counted
from mineproof.match.remembered import RememberedAgents
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import GameId
from mineproof.notation.inputs import Source, input_of, position_of
from mineproof.service import answers
from mineproof.service.player_words import player_words
from mineproof.service.resources import Plain
from mineproof.session.timeline import past_of
from mineproof.web.bundle import bundled

STATIC = Path(__file__).parent / "static"
SECONDS = 20.0
"""The time limit for the answer to one question."""
_ENDS = {Result.WIN: "Won", Result.LOSS: "Lost: a mine exploded"}
_COLOURS = re.compile(r'^:root(?:\[data-theme="dark"\])? \{.*?^\}', re.MULTILINE | re.DOTALL)
_SHARED = re.compile(r"^(?:\.proof|\.said|\.unseen|\.note|button)\b.*$", re.MULTILINE)


def style() -> str:
    """Return the style sheet: colours and shared rules of the page, and the board's own rules."""
    page = (STATIC / "style.css").read_text("utf-8")
    colours = "\n".join(_COLOURS.findall(page)).replace(":root", ".mineproof")
    shared = "\n".join(_SHARED.findall(page))
    return f"{colours}\n.mineproof {{\n{shared}\n}}\n{(STATIC / 'notebook.css').read_text('utf-8')}"


class NotebookAgents(RememberedAgents):
    """The registered agents, and the user's own agent."""

    def __init__(self, chosen: str | Chooser) -> None:
        """Find the agent that the user chose."""
        super().__init__(isolated=True)
        self._own: SimpleAgent | None = None
        if isinstance(chosen, str):
            self.make(chosen)  # an unknown name is reported now
            self.chosen = chosen
        else:
            self._own = as_agent(chosen)
            self.chosen = getattr(chosen, "__name__", type(chosen).__name__)
        named = [one for one in agents() if one != "cs50"]  # it needs a file
        self.names = list(dict.fromkeys((self.chosen, *named)))
        self._first = self.chosen

    def seed(self, seed: int) -> int:
        """Return the seed that the chosen agent gets in the game with this seed."""
        is_object = self._own is not None and self.chosen == self._first
        return hashed_seed(seed) if is_object else short_seed(seed)

    def make(self, name: str) -> Agent:
        """Return the user's own agent, or make a named one."""
        if self._own is not None and name == self._first:
            return self._own  # type: ignore[return-value]  # `ask` converts its answers
        return super().make(name)


class BoardWidget(anywidget.AnyWidget):
    """A board to click. `game` is the game that clicks change; None for a single position."""

    _esm = bundled(STATIC / "js" / "notebook.js") + "export default $notebook;\n"
    _css = style()
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, source: Source, agent: str | Chooser, move: int | None) -> None:
        """Show a game or a position; see `show`."""
        given = input_of(source)
        given = given.game() if isinstance(given, GameId) else given
        self.game = given if isinstance(given, Game) and move is None else None
        self._position = position_of(given, move)
        self._agents = NotebookAgents(agent)
        self._shows_risks = False
        self._shown = 0
        super().__init__()
        self.on_msg(self._receive)
        if shell := get_ipython():
            shell.events.register("post_run_cell", self._follow)
        self._show()

    @property
    def position(self) -> Observation:
        """The position on the board."""
        return self._position if self.game is None else self.game.observation

    def _repr_svg_(self) -> str | None:
        """Return a picture, for readers of a saved notebook."""
        return (self.position if self.game is None else self.game)._repr_svg_()

    # ---- commands

    def _receive(self, _widget: object, message: Plain, _buffers: object) -> None:
        """Carry out a command of the page, and show the result or the error."""
        act = getattr(self, f"_on_{message['name']}")
        try:
            self._show(act(message["value"]))
        except CodedError as error:
            over = error.code == "game-over"
            note = "The game is over. Undo takes back the last move." if over else ""
            self._show(note=note or player_words(error))

    def _follow(self, _result: object) -> None:
        """Show the moves that a cell of the notebook has made."""
        if self.game is not None and self._rows() != self.view["rows"]:
            self._show()

    def _on_open(self, cell: list[int]) -> None:
        self._play(Action.OPEN, cell)

    def _on_chord(self, cell: list[int]) -> None:
        self._play(Action.CHORD, cell)

    def _on_mark(self, cell: list[int]) -> None:
        marked = self.position.is_marked(Cell(*cell))
        self._play(Action.UNMARK if marked else Action.MARK, cell)

    def _on_undo(self, _value: object) -> None:
        self._playable.undo()

    def _on_risks(self, on: bool) -> Plain | None:
        self._shows_risks = on
        reply: Plain | None = self.view["reply"]  # it is still true
        return reply

    def _on_agent(self, name: str) -> Plain:
        if name not in self._agents.names:
            raise AgentError(f"expected one of {', '.join(self._agents.names)}, got {name!r}")
        self._agents.chosen = name
        return self._on_knowledge(None)

    def _on_why(self, cell: list[int]) -> Plain:
        return {"why": advice.why(self.position, Cell(*cell), advice.Budget(SECONDS))}

    def _on_knowledge(self, _value: object) -> Plain:
        seed = self._agents.seed(0 if self.game is None else self.game.seed)
        context = answers.Context(self._agents, advice.Budget(SECONDS), lambda _part: None)
        name = self._agents.chosen
        past = None if self.game is None else past_of(self.game)
        asked = {"key": "", "agent": name, "seed": seed, "position": self.position, "past": past}
        known = answers.knowledge(context, **asked)
        return {"agent": name, "knowledge": known, "made": False}

    def _on_step(self, _value: object) -> Plain:
        """Make the agent's move, and show what it knew before the move."""
        reply = self._on_knowledge(None)
        if decision := reply["knowledge"]["next"]:
            self._play(Action(decision["action"]), decision["cell"])
        return {**reply, "made": decision is not None}

    def _play(self, action: Action, cell: list[int]) -> None:
        self._playable.play(Move(action, Cell(*cell)))

    @property
    def _playable(self) -> Game:
        if self.game is None:
            raise InputError("this is a single position. Pass a game to play it")
        return self.game

    # ---- the view

    def _rows(self) -> list[str]:
        return self.position.to_text().split()[1:]

    def _show(self, reply: Plain | None = None, note: str = "") -> None:
        game = self.game
        over = game is not None and game.is_over
        mines = game.board.mine_indices if over and game and game.board else ()
        risk = None
        if self._shows_risks and not over:
            try:
                risk = advice.risks(self.position, advice.Budget(SECONDS)).risk
            except CodedError as error:
                note = note or player_words(error)
        shown = {"rows": self._rows(), "mines": mines, "risk": risk, "reply": reply, "note": note}
        last = game.moves[-1].cell if game and game.moves else None
        state = {"last": last, "over": over, "playable": game is not None, "status": self._status()}
        chosen = {"agent": self._agents.chosen, "agents": self._agents.names}
        self._shown += 1  # so that the page also receives a view equal to the last one
        own = {"risks": self._shows_risks, "serial": self._shown}
        self.view = to_plain({**shown, **state, **chosen, **own})

    def _status(self) -> str:
        if self.game is not None and self.game.outcome is not None:
            return _ENDS.get(self.game.outcome.result, "Stopped")
        mines = self.position.rules.mines
        if mines is None:
            return "The number of mines is unknown"
        return f"{counted(mines - sum(self.position.marks), 'mine')} left"
