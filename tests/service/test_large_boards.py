"""Commands on large boards are worked out in another process: in order, and nobody waits."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest
from service_rig import Rig, run

from mineproof.generate import no_guess
from mineproof.notation.game_id import parse_game_id
from mineproof.service.files import Opened


async def elsewhere(work: Callable[[], Any], _page: int) -> Any:
    """Do a command as another process does: with copies of all that it is given."""
    packed = pickle.dumps(work)
    await asyncio.sleep(0.01)
    return pickle.loads(pickle.dumps(pickle.loads(packed)()))


def test_commands_keep_their_order() -> None:
    """What is sent at once is done one after the other."""
    done: list[str] = []

    async def noted(work: Any, page: int) -> Any:
        done.append(work.args[2]["do"])
        return await elsewhere(work, page)

    async def test(rig: Rig) -> None:
        rig.send("new", level="100x100/1500", start="opening", seed="5")
        rig.send("open", cell=[50, 50])
        rig.send("undo")
        last = await rig.ask("redo")
        assert last["view"]["step"] == 1
        assert last["view"]["aided"]
        assert [message["n"] for message in rig.sent if "n" in message] == [1, 2, 3, 4]
        assert done == ["new", "open", "undo", "redo"]
        wrong = await rig.ask("open", cell=[500, 50])
        assert "500" in wrong["error"]
        assert "view" in await rig.ask("new", level="beginner", seed="7")
        assert done[4:] == ["open"]
        loaded = await rig.ask("load", text="9x9/10:s7:f4,4")
        assert loaded["view"]["step"] == 1
        assert done[5:] == ["load"]

    run(test, aside=noted)


def test_a_page_that_leaves_does_not_stop_the_work() -> None:
    """The game stands where the last command led, whoever waits for it."""

    async def test(rig: Rig) -> None:
        rig.send("new", level="100x100/1500", start="opening", seed="5")
        rig.send("open", cell=[50, 50])
        game = rig.page.game
        await asyncio.sleep(0)
        rig.send("cancel", question=2)
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not game.pending:
                break
        assert game.session.step == 1
        assert not game.turn.locked()

    run(test, aside=elsewhere)


def test_the_first_page_waits_for_a_board_that_is_hard_to_find(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is there at once, with another game; the one that was asked for comes when it is dealt."""
    monkeypatch.setattr(no_guess, "MOMENT_CELLS", 0)
    rare = "16x30/99:no-guess:s4:f3,3"
    assert no_guess.find(*parse_game_id(rare)[:3])[1] > 1  # type: ignore[arg-type]
    monkeypatch.setattr(no_guess, "_boards", {})

    async def test(rig: Rig) -> None:
        began = time.monotonic()
        while rig.page.game.session.step == 0 and time.monotonic() - began < 60:
            await asyncio.sleep(0.01)
        assert rig.page.game.session.game_id == rare
        assert rig.asked[0].name == "deal"
        assert rig.sent[-1]["push"] == "view"

    run(test, first=Opened("id", rare))
