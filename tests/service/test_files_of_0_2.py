"""What version 0.2 kept still opens: saved games, results, settings and exports.

The files were made by 0.2.0 itself: a won game of an agent, a no-guess game with an undone move,
and a game with withheld clues; `export-0.2.json` is what its page exported of them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from service_rig import Memory, Rig, run

from mineproof.web.folder import Folder

DATA = Path(__file__).parent / "data"
KEYS = sorted(path.stem for path in (DATA / "0.2" / "games").iterdir())


@pytest.mark.parametrize("key", KEYS)
def test_a_saved_game_goes_on(tmp_path: Path, key: str) -> None:
    """It shows what it showed, and can be played."""
    shutil.copytree(DATA / "0.2", tmp_path, dirs_exist_ok=True)
    saved = json.loads((tmp_path / "games" / f"{key}.json").read_text("utf-8"))

    async def test(rig: Rig) -> None:
        view = rig.sent[0]["view"]
        assert view["key"] == key
        for name in ("level", "rules", "moves", "aided", "agent"):
            assert view[name] == saved[name], name
        assert (view["end"] is None) == (saved["result"] is None)
        assert view["end"] is None or view["end"]["metrics"]["3bv"] > 0
        back = await rig.ask("undo")
        assert back["view"]["step"] == view["step"] - 1
        assert (await rig.ask("redo"))["view"]["cells"] == view["cells"]

    run(test, store=Folder(tmp_path), key=key)


def test_results_settings_and_the_list_of_games(tmp_path: Path) -> None:
    """All of them are there."""
    shutil.copytree(DATA / "0.2", tmp_path, dirs_exist_ok=True)

    async def test(rig: Rig) -> None:
        hello = rig.sent[0]
        assert hello["settings"]["theme"] == "dark"
        assert hello["view"]["agent"] == "exact"
        assert hello["view"]["rules"]["rows"] == 16
        listed = (await rig.ask("games"))["games"]
        assert sorted(one["key"] for one in listed) == KEYS
        groups = (await rig.ask("statistics"))["groups"]
        assert [(one["game"], one["aided"]) for one in groups] == [(_group(), 1)]
        assert not list(tmp_path.rglob("*.damaged"))

    run(test, store=Folder(tmp_path), key="")


def _group() -> str:
    line = (DATA / "0.2" / "scores.jsonl").read_text("utf-8")
    return str(json.loads(line)["game"])


def test_an_export_is_taken_in() -> None:
    """Every game and every result of it."""
    store = Memory()
    data = json.loads((DATA / "export-0.2.json").read_text("utf-8"))

    async def test(rig: Rig) -> None:
        assert await rig.ask("import", data=data) == {"n": 1, "games": 3, "results": 1}
        assert sorted(store.kept) == KEYS
        assert "view" in await rig.ask("open_game", key=KEYS[0])

    run(test, store=store)
