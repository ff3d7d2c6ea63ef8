"""Commands on boards of all sizes run in order, and workers do the slow work."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from service_rig import Memory, Rig, run, wait_for

from mineproof.core.errors import WorkLimitError
from mineproof.generate import no_guess
from mineproof.notation.records import parse_record
from mineproof.service import limits
from mineproof.session import Session


async def elsewhere(work: Callable[[], Any], _page: int) -> Any:
    """Run a job with copies of its arguments, as another process would."""
    packed = pickle.dumps(work)
    await asyncio.sleep(0.01)
    return pickle.loads(pickle.dumps(pickle.loads(packed)()))


def noting(done: list[str]) -> Callable[[Callable[[], Any], int], Any]:
    """Run jobs as another process would, and record their names."""

    async def noted(work: Any, page: int) -> Any:
        done.append(work.func.__name__)
        return await elsewhere(work, page)

    return noted


@pytest.mark.parametrize("level", ["beginner", "100x100/1500"])
def test_commands_keep_their_order_on_every_board(level: str) -> None:
    """Commands sent together run one after the other, without a worker."""
    done: list[str] = []

    async def test(rig: Rig) -> None:
        rig.send("new", level=level, start="opening", seed="6")
        rig.send("open", cell=[5, 5])
        rig.send("undo")
        rig.send("redo")
        rig.send("mark", cell=[0, 0])
        rig.send("pause", on=True)
        rig.send("pause", on=False)
        last = await rig.ask("restart")
        assert last["view"]["step"] == 1
        assert [message["n"] for message in rig.sent if "n" in message] == list(range(1, 9))
        assert all("error" not in message for message in rig.sent)
        wrong = await rig.ask("open", cell=[500, 50])
        assert wrong["code"] == "off-board"
        assert done == []
        assert (await rig.ask("stop"))["view"]["end"]["metrics"] is None
        await wait_for(lambda: rig.page.game.session.known_metrics is not None)
        assert rig.sent[-1]["view"]["end"]["metrics"]["3bv"] > 0
        assert done == ["measure_record"]

    run(test, run=noting(done))


def test_a_page_that_leaves_does_not_stop_a_command() -> None:
    """A command takes effect even if its page disconnects before the answer."""

    async def test(rig: Rig) -> None:
        rig.send("load", text="16x16/40:s7:f4,4")
        rig.send("mark", cell=[0, 0])
        game = rig.page.game
        await asyncio.sleep(0)
        rig.send("cancel", question=1)
        rig.page.close()
        await wait_for(lambda: game.session.step == 2)
        assert not game.turn.locked()

    run(test, run=elsewhere)


def test_only_so_many_commands_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """If too many commands are waiting, further commands are rejected."""
    monkeypatch.setattr(limits, "WAITING_EACH", 3)

    async def test(rig: Rig) -> None:
        rig.send("load", text="16x16/40:s7:f4,4")
        for _ in range(3):
            rig.send("pause", on=False)
        assert rig.sent[-1]["code"] == "busy"
        await wait_for(lambda: rig.page.game.session.step == 1)
        assert "view" in await rig.ask("mark", cell=[0, 0])

    run(test, run=elsewhere)


def test_the_first_page_shows_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker reads the game and deals its no-guess board."""
    monkeypatch.setattr(no_guess, "_boards", {})
    rare = "16x30/99:no-guess:s4:f3,3"

    async def test(rig: Rig) -> None:
        assert rig.sent[0]["view"]["id"] == rare
        assert rig.connect().game.session.step == 0

    run(test, first=rare)


def test_a_first_game_that_cannot_be_read_is_told() -> None:
    async def busy(_work: Callable[[], Any], _page: int) -> Any:
        raise WorkLimitError("late", code="deadline", seconds=15)

    async def test(rig: Rig) -> None:
        assert [message["push"] for message in rig.sent] == ["hello", "refused"]
        assert rig.sent[-1]["code"] == "deadline"
        assert "view" in await rig.ask("new", level="beginner")

    run(test, first="9x9/10:s7", run=busy)


def test_workers_do_what_is_slow_by_nature_on_every_board() -> None:
    """Loading, dealing given cells and branching always run in a worker."""
    done: list[str] = []

    async def test(rig: Rig) -> None:
        for level in ("9x9/10", "40x40/200"):
            done.clear()
            await rig.ask("new", level=level, start="opening", seed="5")
            await rig.ask("open", cell=[4, 4])
            moved = await rig.ask("agent_move", agent="exact")
            assert moved["view"]["step"] == 2
            for question, fields in (
                ("position", {"step": 1}),
                ("moves", {}),
                ("share", {}),
                ("verdict", {"at": 2}),
                ("race", {"agents": ["basic"], "level": level, "start": "given:1"}),
                ("play_from", {"at": 1}),
                ("load", {"text": "9x9/10:s7:f4,4"}),
                ("new", {"level": level, "start": "given:1"}),
            ):
                answer = await rig.ask(question, **fields)
                assert "error" not in answer, (question, answer)
            assert done == ["Session", "branch", "open_session", "Session"]

    run(test, run=noting(done))


def test_a_game_has_only_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit, the player can undo moves but not make more."""
    monkeypatch.setattr(limits, "MOVES", 6)

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="beginner", start="opening", seed="5")
        await rig.ask("open", cell=[4, 4])
        position = rig.page.game.session.observation
        cell = list(position.grid.cell(position.unopened[0]))
        for number in range(5):
            assert "view" in await rig.ask("mark", cell=cell), number
        assert (await rig.ask("mark", cell=cell))["code"] == "game-too-long"
        assert (await rig.ask("undo"))["view"]["step"] == 5

    run(test)


def test_a_message_of_many_values_is_not_read() -> None:
    """The limit on a message's values ignores commas and brackets inside strings."""

    async def test(rig: Rig) -> None:
        rig.send("settings", values={}, x=[[]] * limits.VALUES)
        assert f"{limits.VALUES:,} values" in rig.sent[-1]["error"]
        assert "error" not in await rig.ask("settings", values={}, x='[,"\\' * limits.VALUES)

    run(test)


def test_a_session_travels_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickled session continues like the original."""
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


def test_a_page_finds_its_game_read_by_a_worker() -> None:
    """Only damaged games are moved away.

    If the workers are too busy to read a game, it is not moved.
    """
    store = Memory()
    ways: list[Callable[[Callable[[], Any], int], Any]] = [elsewhere]

    async def work(job: Callable[[], Any], page: int) -> Any:
        return await ways[-1](job, page)

    async def busy(_work: Callable[[], Any], _page: int) -> Any:
        raise WorkLimitError("expected an answer within 15 s, got none")

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="40x40/200", start="opening", seed="5")
        await rig.ask("open", cell=[20, 20])
        rig.service.games.save_all()
        key, games = rig.page.game.key, Rig(store, "", run=work).service.games
        store.kept["0" * 32] = {**store.kept[key], "record": "damaged"}
        ways.append(busy)
        assert (await games.find(key)).key != key
        assert store.aside == []
        ways.pop()
        assert (await games.find(None)).key == key
        assert store.aside == ["0" * 32]
        assert (await games.find("f" * 32)).key not in (key, "f" * 32)

    run(test, store=store, run=elsewhere)


def test_a_move_is_kept_without_another_word() -> None:
    """The game is saved soon after a move."""

    async def test(rig: Rig) -> None:
        assert rig.service.games.save_seconds <= 0.2
        for level in ("beginner", "40x40/200"):
            await rig.ask("another", level=level, start="opening", seed="5")
            await rig.ask("open", cell=[4, 4])
            await wait_for(lambda: first_kept(rig) == (4, 4))

    def first_kept(rig: Rig) -> tuple[int, int] | None:
        found = rig.store.kept.get(rig.page.game.key)
        return None if found is None else parse_record(found["record"]).first

    run(test, run=elsewhere)


def test_a_move_is_kept_although_the_service_stops_while_it_is_saved() -> None:
    """Another job of the store may be running when the server is stopped."""
    waiting: list[Any] = []

    async def busy(work: Callable[[], Any]) -> None:
        waiting.append(work)
        await asyncio.sleep(3600)

    async def test(rig: Rig) -> None:
        rig.service.games.save_seconds = 0.0
        await rig.ask("new", level="beginner", seed="9")
        workers = rig.service.workers
        rig.service.workers = replace(workers, use_store=busy)
        await rig.ask("open", cell=[4, 4])
        await wait_for(lambda: bool(waiting))
        rig.service.workers = workers
        await rig.service.close()
        assert list(rig.store.kept) == [rig.page.game.key]

    run(test)
