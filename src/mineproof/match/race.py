"""A race: several agents play the same board, one move each per round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.protocol import Agent
from mineproof.core.clues import EXPLODED
from mineproof.core.decision import Decision
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.words import joined
from mineproof.match.play import (
    agent_seed,
    ask,
    begin,
    check_progress,
    make_move,
    prepare,
    report_end,
    step_of,
)
from mineproof.notation.position_text import LETTERS, format_rows
from mineproof.notation.records import Record

ALL_MINES = "has all of its mines"
"""The end of a reason that names no mines."""
Maker = Callable[[str], Agent]
"""A function that makes the agent with a given name."""
Plain = dict[str, Any]


def reason_in(decision: Decision, agent: Agent, seen: Observation) -> str:
    """Return the reason for a move in a position. If a clue has all of its mines, name them."""
    text, clues, grid = decision.reason.text, decision.reason.clues, seen.grid
    if not (text.endswith(ALL_MINES) and len(clues) == 1 and isinstance(agent, KnowledgeAgent)):
        return text
    near = grid.neighbours(grid.index(clues[0]))
    mines = [i for i in near if agent.is_known_mine(i) or seen.shown[i] == EXPLODED]
    if len(mines) != seen[clues[0]]:
        return text
    named = joined([str(grid.cell(index)) for index in mines])
    return text.replace(ALL_MINES, f"has its {'mine' if len(mines) == 1 else 'mines'} at {named}")


class Racer:
    """An agent in a race, with its own game."""

    def __init__(self, name: str, record: Record, make: Maker) -> None:
        """Make the agent, and set up the record's game with its first cell open."""
        self.agent = make(name)
        self.game: Game = record.begin()
        begin(self.game)
        self._guesses = 0
        self._false_proofs = 0
        self._fault = ""
        self._is_ready = False

    @property
    def is_done(self) -> bool:
        """Whether the game is over or the agent has failed."""
        return self.game.is_over or bool(self._fault)

    def move(self) -> Plain:
        """Make one move and return what changed."""
        before, decision = self.game.observation, None
        try:
            if not self._is_ready:  # an engine may refuse the game
                prepare(self.agent, before.rules, agent_seed(self.agent, self.game.seed))
                self._is_ready = True
            decision = ask(self.agent, before)
            if decision is None:
                self.game.stop()
            else:
                self._make(decision)
            report_end(self.agent, self.game)
        except (InputError, WorkLimitError) as error:
            self._fault, decision = str(error), None
        return self._changes(before, decision)

    def _make(self, decision: Decision) -> None:
        make_move(self.game, self.agent, decision)
        check_progress(self.game, self.agent)
        self._guesses += decision.move.action == "open" and not decision.proved
        board, columns = self.game.board, self.game.rules.columns
        if board is not None:
            step = step_of(decision, reasons=False)
            self._false_proofs += step.is_false_proof(board.mine_indices, columns)

    def _changes(self, before: Observation, decision: Decision | None) -> Plain:
        """Return what a move changed.

        Hide false proofs until the end, because they reveal mines.
        """
        now, outcome, said = self.game.observation, self.game.outcome, Plain()
        if decision is not None:
            reason = reason_in(decision, self.agent, before)
            said = {**step_of(decision).to_plain(), "reason": reason}
        flagged = [i for i, mark in enumerate(now.marks) if mark != before.marks[i]]
        changed = [*now.changes, *flagged] if now is not before else []
        return {
            "changes": [[i, "F" if now.marks[i] else LETTERS[now.shown[i]]] for i in changed],
            "moves": len(self.game.moves),
            "guesses": self._guesses,
            "false_proofs": self._false_proofs if outcome is not None else 0,
            "result": None if outcome is None else outcome.result.value,
            "fault": self._fault,
            **said,
        }


def run_race(record: Record, names: list[str], make: Maker, report: Callable[[Any], None]) -> Plain:
    """Run a race until every agent is done, and report each round.

    Args:
        record: the game that all agents play.
        names: the agents.
        make: makes an agent.
        report: called once with the board, then with the moves of each round.

    Returns:
        The mines and the seed of the game.
    """
    racers = [Racer(name, record, make) for name in names]
    game = racers[0].game
    size = {"rows": game.rules.rows, "columns": game.rules.columns, "mines": game.rules.mines}
    cells = format_rows(game.observation)
    report({"cells": cells, "agents": names, **size})
    while not all(racer.is_done for racer in racers):
        report({"frame": [None if racer.is_done else racer.move() for racer in racers]})
    mines = [] if game.board is None else list(game.board.mine_indices)
    return {"mines": mines, "seed": str(game.seed)}
