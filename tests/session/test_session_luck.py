"""The luck of a game, as the session tells it."""

import mineproof as mw
from mineproof.review.luck import luck
from mineproof.session import Session


def test_luck_comes_with_the_end() -> None:
    """Before the end there is none; then it is that of the record."""
    session = Session(mw.BEGINNER, seed=8)
    session.choose_agent("exact")
    session.open((0, 0))
    assert session.luck() is None
    while session.outcome is None:
        session.agent_move()
    found = session.luck()
    assert found == luck(session.record())
    assert found is not None
    assert 0 < found.chance <= found.best_chance <= 1
