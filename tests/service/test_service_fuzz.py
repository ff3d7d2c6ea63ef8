"""Damaged messages and files: the service answers or rejects them, without internal errors.

Each run prints its new seed; `MINEPROOF_FUZZ_SEED` repeats a run.
"""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import FUZZ_SEED
from service_rig import Rig, run
from spoiling import spoilt, spoilt_value

from mineproof.web.folder import Folder

ROUNDS = 60
KEY, OTHER = "0" * 32, "1" * 32
MESSAGES: list[dict[str, Any]] = [
    {"do": "new", "level": "9x9/10", "start": "opening", "clues": "exact", "seed": "7"},
    {"do": "open", "cell": [4, 4]},
    {"do": "mark", "cell": [8, 8]},
    {"do": "chord", "cell": [4, 4]},
    {"do": "pause", "on": False},
    {"do": "undo"},
    {"do": "redo"},
    {"do": "position", "step": 1},
    {"do": "play_from", "at": 1, "fresh": True},
    {"do": "risks", "at": "3x3x1\n1HH\nHHH\nHHH\n", "clues": "exact"},
    {"do": "why", "at": 1, "cell": [0, 0]},
    {"do": "hint", "at": None, "slot": "x"},
    {"do": "may_guess", "at": "2x1x1\nHH\n"},
    {"do": "verdict", "at": 1},
    {"do": "win_chances", "at": "2x1x1\nHH\n"},
    {"do": "analysis", "at": "2x1x1\n1H\n", "seconds": 0.5, "flags_are_mines": True},
    {"do": "decide", "at": "3x1x1\n1HH\n", "agent": "deep:budget=10ms"},
    {"do": "knowledge", "agent": "basic"},
    {"do": "agent", "name": "resolution:matching=both"},
    {"do": "agent_move", "guess": True},
    {"do": "load", "text": "beginner:s7:f0,0"},
    {"do": "load", "name": "a.mbf", "data": "AQEAAQAA"},
    {"do": "another", "level": "9x9/10", "seed": "3"},
    {"do": "settings", "values": {"game": {"level": "9x9/10", "start": "safe"}, "agent": "basic"}},
    {"do": "drill_done", "kind": "subset", "right": True},
    {"do": "open_game", "key": KEY},
    {"do": "forget_game", "key": KEY},
    {"do": "race", "agents": ["random", "basic"], "level": "5x5/3", "seed": "5"},
    {"do": "coach", "name": "a.json", "data": "e30=", "first": True},
    {"do": "cancel", "question": 3},
]
"""One message of each kind. Boards are small, because everything runs in this process."""
ASKED = ("statistics", "games", "export", "drill", "coaching", "share", "moves", "review")
"""Messages that read stored data."""


async def ask(rig: Rig, message: dict[str, Any]) -> str:
    """Return an answer as text. An internal error or a missing answer fails the test."""
    rig.sent.clear()
    text = json.dumps({**message, "n": 1})
    rig.page.receive(text)
    for _ in range(20_000):
        found = [one for one in rig.sent if one.get("n", 1) in (1, None) and "part" not in one]
        if any("push" not in one for one in found):
            break
        await asyncio.sleep(0.001)
    else:
        pytest.fail(f"seed {FUZZ_SEED}: {text[:2000]} got no answer", pytrace=False)
    answer = json.dumps(rig.sent, allow_nan=False)
    if '"internal"' in answer:
        pytest.fail(f"seed {FUZZ_SEED}: {text[:2000]} failed inside", pytrace=False)
    return answer


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: str(one["do"]))
def test_spoilt_messages_are_answered_or_refused(message: dict[str, Any]) -> None:
    """Messages are answered or rejected if arbitrary values replace their fields."""
    dice = random.Random(FUZZ_SEED)

    async def all_of_it(rig: Rig) -> None:
        await ask(rig, MESSAGES[0])
        await ask(rig, MESSAGES[1])
        await ask(rig, message)
        for _ in range(ROUNDS):
            await ask(rig, {**_object(spoilt_value(message, dice)), "do": message["do"]})

    run(all_of_it)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def kept() -> dict[str, Any]:
    """Return the export of a page that has been used: games, results and settings."""
    found: dict[str, Any] = {}

    async def use(rig: Rig) -> None:
        await rig.ask("new", level="5x5/3", start="opening", seed="7")
        for cell in ([2, 2], [0, 0], [4, 4]):
            await rig.ask("open", cell=cell)
        await rig.ask("settings", values={"game": {"level": "9x9/10"}, "drills": [1, {}]})
        await rig.ask("drill_done", kind="subset", right=True)
        found.update((await rig.ask("export"))["data"])

    run(use)
    result = {"game": "beginner", "result": "win", "seconds": 4.5, "moves": 9, "judged": 5}
    more = {"proved": 4, "avoidable": 0.1, "bbbv": 6, "date": "2026-11-17 09:00", "aided": False}
    found["results"] = [*found["results"], {**result, **more}, {**result, **more, "seconds": 5}]
    found["games"] = {KEY: next(iter(found["games"].values()))}
    return found


def test_spoilt_imports_are_taken_in_or_refused() -> None:
    """Imported data can be listed, summed up, shown and exported again."""
    dice, whole = random.Random(FUZZ_SEED), kept()

    async def all_of_it(rig: Rig) -> None:
        for _ in range(ROUNDS):
            await ask(rig, {"do": "import", "data": spoilt_value(whole, dice)})
            for name in ASKED[:4]:
                await ask(rig, {"do": name})
            await ask(rig, {"do": "open_game", "key": KEY})
            await ask(rig, {"do": "another"})
            await ask(rig, {"do": "erase"})
            await ask(rig, {"do": "forget_game", "key": KEY})

    run(all_of_it)


@pytest.mark.parametrize("name", [f"games/{KEY}.json", "settings.json", "scores.jsonl"])
@pytest.mark.parametrize("how", ["letters", "values"])
def test_spoilt_files_are_read_or_left_out(tmp_path: Path, name: str, how: str) -> None:
    """A page that reconnects finds the readable data and works as before."""
    whole, dice = kept(), random.Random(FUZZ_SEED)
    files = {
        f"games/{KEY}.json": [whole["games"][KEY]],
        "settings.json": [whole["settings"]],
        "scores.jsonl": whole["results"],
    }
    (tmp_path / "games").mkdir()

    async def all_of_it(rig: Rig) -> None:
        for message in (*({"do": one} for one in ASKED), MESSAGES[0], *MESSAGES[23:26]):
            await ask(rig, message)

    for _ in range(ROUNDS // 3):
        for file, values in files.items():
            (tmp_path / file).write_text("".join(f"{json.dumps(one)}\n" for one in values))
        lines = [json.dumps(spoilt_value(one, dice)) for one in files[name]]
        text = "\n".join(lines)
        if how == "letters":
            text = spoilt("\n".join(map(json.dumps, files[name])), dice)
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        run(all_of_it, store=Folder(tmp_path), key=dice.choice((KEY, OTHER, "", None)))
