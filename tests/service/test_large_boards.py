"""Commands on large boards are worked out in another process: in order, and nobody waits."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from service_rig import Memory, Rig, run, wait_for

from mineproof.core.errors import WorkLimitError
from mineproof.generate import no_guess
from mineproof.notation.game_id import parse_game_id
from mineproof.notation.records import parse_record
from mineproof.service import limits
from mineproof.service.files import Opened
from mineproof.session import Session


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
        await asyncio.sleep(0.01)
        await wait_for(lambda: not game.pending)
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
        await wait_for(lambda: rig.page.game.session.step > 0)
        assert rig.page.game.session.game_id == rare
        assert rig.asked[0].name == "deal"
        assert rig.sent[-1]["push"] == "view"

    run(test, first=Opened("id", rare))


LARGE = {"level": "40x40/200", "start": "opening", "seed": "5"}


def test_whatever_takes_longer_in_a_large_game_is_done_elsewhere() -> None:
    """Looking back, listing, sharing, branching and an agent's move hold up nobody."""
    done: list[str] = []

    async def noted(work: Any, page: int) -> Any:
        done.append(getattr(work, "func", work).__name__)
        return await elsewhere(work, page)

    async def test(rig: Rig) -> None:
        await rig.ask("new", **LARGE)
        await rig.ask("open", cell=[20, 20])
        await rig.ask("mark", cell=[0, 0])
        done.clear()
        moved = await rig.ask("agent_move", agent="exact")
        assert moved["view"]["step"] == 3
        for question, fields in (
            ("position", {"step": 1}),
            ("moves", {}),
            ("share", {}),
            ("verdict", {"at": 3}),
            ("race", {"agents": ["basic"], "level": "40x40/200", "start": "given:1"}),
            ("load", {"text": "9x9/10:s7:f4,4"}),
        ):
            answer = await rig.ask(question, **fields)
            assert "error" not in answer, (question, answer)
        await rig.ask("new", **LARGE)
        await rig.ask("open", cell=[20, 20])
        branch = await rig.ask("play_from", at=1)
        assert branch["view"]["step"] == 1
        there = ["change", "observation_at", "moves_text", "shared", "observation_at", "new_record"]
        assert done == [*there, "change", "change", "change", "branched"]

    run(test, aside=noted)


def test_a_long_game_is_as_heavy_as_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands go to the other process; there are only so many moves."""
    monkeypatch.setattr(limits, "LIGHT_MOVES", 3)
    monkeypatch.setattr(limits, "MOVES", 6)
    done: list[str] = []

    async def noted(work: Any, page: int) -> Any:
        done.append(work.args[2]["do"])
        return await elsewhere(work, page)

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="beginner", start="opening", seed="5")
        await rig.ask("open", cell=[4, 4])
        position = rig.page.game.session.observation
        cell = list(position.grid.cell(position.unopened[0]))
        for number in range(5):
            assert "view" in await rig.ask("mark", cell=cell), number
        assert done == ["mark", "mark"]
        refused = await rig.ask("mark", cell=cell)
        assert "expected at most 6 moves" in refused["error"]
        assert (await rig.ask("undo"))["view"]["step"] == 5

    run(test, aside=noted)


def test_a_message_of_many_values_is_not_read() -> None:
    """Its texts may be long, and hold whatever they like."""

    async def test(rig: Rig) -> None:
        rig.send("settings", values={}, x=[[]] * limits.VALUES)
        assert f"at most {limits.VALUES} values" in rig.sent[-1]["error"]
        assert "error" not in await rig.ask("settings", values={}, x='[,"\\' * limits.VALUES)

    run(test)


def test_a_session_travels_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes out at the other end plays on as the one that went in."""
    monkeypatch.setattr("mineproof.session.timeline.PIECE", 2)
    session = Session(seed=5, now=float)
    session.open((8, 8))
    for index in session.observation.unopened[:7]:
        session.toggle_mark(session.observation.grid.cell(index))
    session.undo()
    other = pickle.loads(pickle.dumps(session))
    assert other.all_moves == session.all_moves
    assert other.save() == session.save()
    for one in (session, other):
        one.redo()
        one.stop()
    assert other.metrics == session.metrics
    assert other.save() == session.save()


def test_a_page_finds_its_game_read_elsewhere() -> None:
    """Whole games are read before the page comes; only a damaged one is put aside."""
    store = Memory()
    ways: list[Callable[[Callable[[], Any], int], Any]] = [elsewhere]

    async def aside(work: Callable[[], Any], page: int) -> Any:
        return await ways[-1](work, page)

    async def busy(_work: Callable[[], Any], _page: int) -> Any:
        raise WorkLimitError("expected an answer within 15 s, got none")

    async def test(rig: Rig) -> None:
        await rig.ask("new", **LARGE)
        await rig.ask("open", cell=[20, 20])
        rig.service.games.save_all()
        key, games = rig.page.game.key, Rig(store, "", aside=aside).service.games
        store.kept["0" * 32] = {**store.kept[key], "record": "damaged"}
        ways.append(busy)
        assert await games.find(key) == ""
        assert store.aside == []
        ways.pop()
        assert await games.find(None) == key
        assert store.aside == ["0" * 32]
        assert await games.find("f" * 32) == ""

    run(test, store=store, aside=elsewhere)


def test_a_move_is_kept_without_another_word() -> None:
    """Its game is in the store soon after it, large or not."""

    async def test(rig: Rig) -> None:
        assert rig.service.save_seconds <= 0.2
        for level in ("beginner", "40x40/200"):
            await rig.ask("another", level=level, start="opening", seed="5")
            await rig.ask("open", cell=[4, 4])
            await wait_for(lambda: first_kept(rig) == (4, 4))

    def first_kept(rig: Rig) -> tuple[int, int] | None:
        found = rig.store.kept.get(rig.page.game.key)
        return None if found is None else parse_record(found["record"]).first

    run(test, aside=elsewhere)
