"""No-guess boards on the page, and games that continue from a step."""

from __future__ import annotations

from typing import Any

import pytest
from service_rig import Rig, run

import mineproof as mw
from mineproof.core.board import Board
from mineproof.generate import no_guess
from mineproof.notation.records import parse_record


async def no_guess_game(rig: Rig, level: str = "expert", **fields: Any) -> dict[str, Any]:
    return (await rig.ask("new", level=level, start="no-guess", **fields))["view"]  # type: ignore[no-any-return]


def test_a_no_guess_board_is_dealt_at_the_click() -> None:
    """Any cell can be the first, and `exact` wins without a guess."""

    async def test(rig: Rig) -> None:
        assert rig.sent[0]["limits"]["no_guess"] is True
        await no_guess_game(rig, seed="12")
        view = (await rig.ask("open", cell=[9, 20]))["view"]
        assert view["id"] == "16x30/99:no-guess:s12:f9,20"
        assert [question.name for question in rig.asked] == ["deal"]
        record = parse_record(rig.page.game.session.save())
        board = Board.from_mines(16, 30, record.mines)
        assert no_guess.is_no_guess(board, (9, 20))
        assert board == mw.deal(record.rules, 12, (9, 20))

    run(test)


def test_a_worker_deals_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a worker deals the board, later commands wait. An agent's first move also deals it."""
    monkeypatch.setattr(no_guess, "_boards", {})

    async def test(rig: Rig) -> None:
        await no_guess_game(rig, seed="12")
        rig.send("open", cell=[3, 3])
        rig.send("mark", cell=[0, 0])
        rig.send("undo")
        last = await rig.ask("undo")
        assert [message["n"] for message in rig.sent if "n" in message] == [1, 2, 3, 4, 5]
        assert last["view"]["steps"] == 2
        for command in ("redo", "restart"):
            assert (await rig.ask(command))["view"]["id"] == "16x30/99:no-guess:s12:f3,3"
        await no_guess_game(rig, seed="112")
        moved = await rig.ask("agent_move")
        assert moved["made"], moved

    run(test)


def test_a_board_that_nobody_finds_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no board is found, the game is unchanged, and a new game can be started."""
    monkeypatch.setattr(no_guess, "MOST_TRIES", 200)

    async def test(rig: Rig) -> None:
        await no_guess_game(rig, "16x30/170", seed="1")
        answer = await rig.ask("open", cell=[3, 3])
        assert "200 tries" in answer["error"]
        assert rig.page.game.session.step == 0
        assert "view" in await rig.ask("new", level="beginner", start="no-guess")

    run(test)


@pytest.mark.parametrize("fresh", [False, True])
def test_play_from_here(fresh: bool) -> None:
    """A new game can start from any step, with the same open cells. Its time does not count."""

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="intermediate", start="opening", seed="5")
        await rig.ask("open", cell=[3, 3])
        for _ in range(6):
            await rig.ask("agent_move")
        before = (await rig.ask("position", step=4))["cells"]
        key = rig.page.game.key
        answer = await rig.ask("play_from", at=4, fresh=fresh)
        view = answer["view"]
        assert answer["key"] == view["key"] != key  # the other game is saved
        assert key in [game["key"] for game in (await rig.ask("games"))["games"]]
        assert (view["cells"], view["step"], view["steps"]) == (before, 4, 4)
        assert view["aided"]
        assert "mines" not in str(view["end"])
        assert (view["id"] is None) == fresh  # an id would reveal the mines of a fresh layout
        assert "error" in await rig.ask("play_from", at=99)
        assert "error" in await rig.ask("fresh_layout", at=1)

    run(test)
