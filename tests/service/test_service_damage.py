"""Messages and stored data with values that are nested too deeply, too long or damaged."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from service_rig import Rig, run

from mineproof.session.storage import DEPTH
from mineproof.web.folder import Folder

KEY = "0123456789abcdef0123456789abcdef"


async def begin(rig: Rig) -> None:
    """Start a game that is saved."""
    await rig.ask("new", level="beginner", seed="7")
    await rig.ask("open", cell=[4, 4])


@pytest.mark.parametrize("more", [0, 1, 900])
def test_how_deep_a_message_may_be(more: int) -> None:
    """Deeper values could not be written again, so they are rejected."""
    inner: Any = 1
    for _ in range(DEPTH - 3 + more):  # plus the message, its values and the last number
        inner = [inner]

    async def test(rig: Rig) -> None:
        answer = await rig.ask("settings", values={"x": inner})
        if more:
            assert answer["error"] == "expected a message nested at most 16 levels deep"
        else:
            assert "error" not in answer
        assert ("x" in rig.store.values) == (not more)

    run(test)


def test_an_answer_that_cannot_be_written_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """If an answer cannot be written, the page gets an error instead of waiting forever."""
    deep: Any = []
    for _ in range(2000):
        deep = [deep]

    async def test(rig: Rig) -> None:
        for value in (deep, math.nan):
            rig.store.all_results = [{"game": "x", "result": "win", "seconds": 1, "date": value}]
            answer = await rig.ask("statistics")
            assert answer["code"] == "internal"

    run(test)
    assert "cannot convert an answer" in caplog.text


@pytest.mark.parametrize("value", [10**400, math.inf, math.nan, "x", [], -1, True, None])
def test_results_that_are_no_results(value: Any) -> None:
    """Statistics ignore stored results with implausible numbers."""
    names = ("seconds", "judged", "proved", "avoidable", "bbbv")
    good = {"game": "x", "result": "win", "seconds": 2.0}

    async def test(rig: Rig) -> None:
        rig.store.all_results = [{**good, **dict.fromkeys(names, value)}, good]
        [group] = (await rig.ask("statistics"))["groups"]
        assert group["played"] == 2
        assert 2.0 in [one["seconds"] for one in group["best"]]

    run(test)


@pytest.mark.parametrize(
    "text",
    ["{", "7", '{"x":' + "[" * 100_000, '{"x":' + "[" * 50 + "]" * 50],
    ids=["cut", "number", "deep-and-cut", "deep"],
)
def test_a_damaged_file_is_moved_away_and_named(tmp_path: Path, text: str) -> None:
    """A damaged file is not listed, and the page is informed."""
    store, key = Folder(tmp_path), KEY

    async def test(rig: Rig) -> None:
        await begin(rig)
        assert (await rig.ask("games"))["games"]
        store.save_game(key, {})
        (tmp_path / "games" / f"{key}.json").write_text(text, "utf-8")
        listed = (await rig.ask("games"))["games"]
        assert [one["key"] for one in listed] == [rig.page.game.key]
        await rig.ask("games")
        [told] = [one for one in rig.sent if one.get("push") == "refused"]
        assert (told["code"], key in told["error"]) == ("damaged-game", True)
        assert f"moved to {key}.damaged" in told["words"]
        assert "key of a saved game" in (await rig.ask("open_game", key=key))["error"]
        assert (await rig.ask("export"))["data"]["games"].keys() == {rig.page.game.key}

    run(test, store=store)
    assert (tmp_path / "games" / f"{key}.damaged").read_text("utf-8") == text


def test_a_page_whose_game_is_damaged_is_told(tmp_path: Path) -> None:
    """If a page's saved game is damaged, the page starts with another game."""
    store, key = Folder(tmp_path), KEY
    store.save_game(key, {})
    (tmp_path / "games" / f"{key}.json").write_text("no JSON", "utf-8")

    async def test(rig: Rig) -> None:
        assert [one["push"] for one in rig.sent] == ["hello", "refused"]
        assert rig.page.game.key != key

    run(test, store=store, key=key)
