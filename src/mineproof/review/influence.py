"""Chains of influence of a game that is over, whoever played it.

`play.chains` follows an agent's own reasons while it plays. Here a record is enough: every
move that was proved rests on the clues of its smallest proof, every other one is a guess.
"""

from __future__ import annotations

from typing import Any

from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.notation.records import Record
from mineproof.proof.explainer import PositionExplainer
from mineproof.review.chains import Chains, Tracer
from mineproof.review.verdicts import opened_by


def trace_record(record: Record) -> Chains:
    """Replay a game and give its chains of influence.

    Raises:
        NotationError: the record does not replay.
    """
    record.replay()
    game = record.begin()
    tracer = Tracer()
    for step in record.steps:
        before = game.observation
        game.play(step.move)
        tracer(game, justify(before, step.move))
    return tracer.chains


def justify(before: Observation, move: Move) -> Decision:
    """Give a move with the clues that prove it, or as a guess."""
    cells = opened_by(before, move)
    if move.action is Action.MARK:
        cells = (before.grid.index(move.cell),)
    wanted = "mined" if move.action is Action.MARK else "safe"
    try:
        explainer = PositionExplainer(before)
        found = [explainer.explain(before.grid.cell(index)) for index in cells]
    except WorkLimitError:
        return Decision(move, False, Reason("too much work to prove"))
    if not found or any(one.proved != wanted for one in found):
        return Decision(move, False, Reason("not proved"))
    clues = tuple(dict.fromkeys(clue for one in found for clue in one.clues))
    counted = any(one.uses_mine_count for one in found)
    return Decision(move, True, Reason(found[0].text, clues, uses_mine_count=counted), 0.0)


def chains_to_plain(chains: Chains) -> dict[str, Any]:
    """Give chains as plain values for JSON: nodes, the longest chain, and growth by move."""
    return {
        "length": chains.length,
        "reach": chains.reach,
        "longest": [list(cell) for cell in chains.longest],
        "lengths": list(chains.lengths),
        "reaches": list(chains.reaches),
        "nodes": [
            {
                "cell": list(node.cell),
                "origin": node.origin.value,
                "parents": [list(parent) for parent in node.parents],
                "move": node.move,
                "length": node.length,
                "reach": node.reach,
            }
            for node in chains.nodes.values()
        ],
    }
