"""Data stored by version 0.2 still opens: saved games, results, settings and exports.

Version 0.2.0 wrote the files: a game won by an agent, a no-guess game with an undone move, and a
game with withheld clues. `export-0.2.json` is its export of them.
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
    """A saved game has the same view, and the player can continue."""
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
    store = Memory()
    data = json.loads((DATA / "export-0.2.json").read_text("utf-8"))

    async def test(rig: Rig) -> None:
        assert await rig.ask("import", data=data) == {"n": 1, "games": 3, "results": 1}
        assert sorted(store.kept) == KEYS
        assert "view" in await rig.ask("open_game", key=KEYS[0])

    run(test, store=store)
