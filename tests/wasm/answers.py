"""Print answers of the current core as JSON, for comparison with the other cores."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import Any

from search_positions import guesses
from suites import positions

import mineproof as mw
from mineproof.backend import native
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import USUAL, Choice
from mineproof.search.deep import choose_deep
from mineproof.search.guessing import choose, core_settings, load_evaluation
from mineproof.search.winning import win_chances

SUITE = "expert-stuck"
LEVELS = {"beginner": (9, 9, 10, 1000), "expert": (16, 30, 99, 200)}
"""Rows, columns, mines and the number of games."""


def proof(facts: Facts) -> tuple[str, list[int], list[int], str]:
    """Return the exact risks, the proved cells and the number of layouts."""
    risks = hashlib.sha256(facts.solved.risks).hexdigest() if facts.solved else ""
    return risks, list(facts.safe), list(facts.mined), str(facts.layouts)


def compared(choice: Choice | None) -> Any:
    """Return the candidates of a choice and their expected values."""
    candidates = choice.candidates if choice else ()
    cells = [[list(each.cell), each.win_exact, each.playouts] for each in candidates]
    return cells, [[each.risk, each.next_safety, each.win, each.error] for each in candidates]


def tally(rows: int, columns: int, mines: int, games: int) -> list[int]:
    """Return the totals of whole games that `champion` plays."""
    core: Any = native
    settings = core_settings(USUAL, load_evaluation())
    return list(core.tally_games(rows, columns, mines, "safe", 0, 0, games, settings))


def dealt(rows: int, columns: int, mines: int) -> list[Any]:
    """Return no-guess boards, and the cells that proofs open on the first boards dealt."""
    core: Any = native
    dealer = core.NoGuessDealer(rows, columns, mines, 0)
    found = [dealer.find(seed, 0, 1000) for seed in range(4)]
    dealt = [core.deal(rows, columns, mines, "opening", 0, seed) for seed in range(20)]
    proved = [(dealer.is_no_guess(board), dealer.solve(board).hex()) for board in dealt]
    none = dealer.find(0, 0, found[0][0])
    return [none, [(attempt, board and board.hex()) for attempt, board in found], proved]


def answers() -> dict[str, Any]:
    """Return all answers."""
    facts = [count(seen) for seen in positions(SUITE)]
    stuck = [each for each in facts if not each.safe]
    trained = load_evaluation()
    ends = [seen for seed in range(24) for seen in islice(guesses(mw.BEGINNER, seed), 4)]
    wins = [win_chances(count(seen), moves=True) for seen in ends]
    return {
        "backend": mw.backend(),
        "proofs": [proof(each) for each in facts],
        "choices": [compared(choose(each, USUAL, trained)) for each in stuck[:150]],
        "untrained": [compared(choose(each, USUAL)) for each in stuck[:12]],
        "deep": [
            compared(choose_deep(each, playouts=60, evaluation=trained)) for each in stuck[:4]
        ],
        "wins": [(each.exact, each.steps, each.win, list(each.moves.items())) for each in wins],
        "games": {name: tally(*level) for name, level in LEVELS.items()},
        "dealt": {name: dealt(*level[:3]) for name, level in LEVELS.items()},
    }


if __name__ == "__main__":
    print(json.dumps(answers()))
