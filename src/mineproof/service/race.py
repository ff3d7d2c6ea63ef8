"""A race: several agents on the same board, in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.agents.protocol import Agent
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, InputError, WorkLimitError
from mineproof.core.game import Game
from mineproof.match.play import agent_seed, ask, begin, make_move, prepare, step_of
from mineproof.notation.position_text import LETTERS
from mineproof.notation.records import Record
from mineproof.service.page_game import cell_rows, step_plain
from mineproof.service.resources import Plain

Maker = Callable[[str], Agent]
"""Makes the agent of a name."""


class Racer:
    """One agent in a race and its own game."""

    def __init__(self, name: str, record: Record, make: Maker) -> None:
        """Set up the game as the record began it, with its first cell open."""
        self.name = name
        self.agent = make(name)
        self.game: Game = record.begin()
        begin(self.game)
        self.guesses = 0
        self.false_proofs = 0
        self.fault = ""
        self._most = 100 + 10 * self.game.rules.grid.size
        prepare(self.agent, self.game.rules.public(), agent_seed(self.agent, self.game.seed))

    @property
    def is_done(self) -> bool:
        """Whether this agent plays no more."""
        return self.game.is_over or bool(self.fault)

    def move(self) -> Plain:
        """Make one move and tell what changed."""
        before = self.game.observation
        try:
            decision = ask(self.agent, before)
            if decision is None:
                self.game.stop()
                return self._told(before.shown, before.marks, None)
            make_move(self.game, self.agent, decision)
            if len(self.game.moves) > self._most:
                raise AgentError("expected the agent to end the game, got too many moves")
        except (InputError, WorkLimitError) as error:
            self.fault = str(error)
            return self._told(before.shown, before.marks, None)
        if decision.move.action == "open" and not decision.proved:
            self.guesses += 1
        board, columns = self.game.board, self.game.rules.columns
        if board is not None:
            step = step_of(decision, reasons=False)
            self.false_proofs += step.is_false_proof(board.mine_indices, columns)
        return self._told(before.shown, before.marks, decision)

    def _told(self, shown: bytes, marks: bytes, decision: Decision | None) -> Plain:
        now = self.game.observation
        changes = [
            [i, "F" if now.marks[i] else LETTERS[now.shown[i]]]
            for i in range(len(shown))
            if shown[i] != now.shown[i] or marks[i] != now.marks[i]
        ]
        outcome = self.game.outcome
        told: Plain = {
            "changes": changes,
            "moves": len(self.game.moves),
            "guesses": self.guesses,
            "false_proofs": self.false_proofs if outcome is not None else 0,
            "result": None if outcome is None else outcome.result.value,
            "fault": self.fault,
        }
        return told if decision is None else told | step_plain(step_of(decision))


def run_race(record: Record, names: list[str], make: Maker, report: Callable[[Any], None]) -> Plain:
    """Let all agents make one move in turn until each has ended; reports one frame a round."""
    racers = [Racer(name, record, make) for name in names]
    game = racers[0].game
    size = {"rows": game.rules.rows, "columns": game.rules.columns, "mines": game.rules.mines}
    report({"cells": cell_rows(game.observation), "agents": names, **size})
    while not all(racer.is_done for racer in racers):
        frame = [None if racer.is_done else racer.move() for racer in racers]
        report({"frame": frame})
    mines = [] if game.board is None else list(game.board.mine_indices)
    return {"mines": mines, "seed": str(game.seed)}
