"""The page's protocol, tested without sockets, processes or files."""

from __future__ import annotations

import asyncio
import base64
import json
import pickle
import random
import re
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from command_output import output
from service_rig import Memory, Rig, run, wait_for

import mineproof as mw
from mineproof.agents.protocol import Knowledge
from mineproof.generate import DrillKind
from mineproof.generate.practice import START_LEVELS, chance_to_solve, read_progress
from mineproof.notation.position_text import parse_position
from mineproof.notation.records import Step, format_record, make_record
from mineproof.service import answers, commands, limits
from mineproof.service.lessons import lessons
from mineproof.service.page import TABLE, Where
from mineproof.web.folder import Folder
from mineproof.web.site_build import LEFT_OUT

ROOT = Path(__file__).parents[2]
PROVABLE = "5x3x4\n1H1HH\n1H3HH\n1HHHH\n"


async def begin(rig: Rig, level: str = "beginner", seed: str = "7") -> dict[str, Any]:
    """Start a game with its middle cell open."""
    view = (await rig.ask("new", level=level, seed=seed))["view"]
    middle = [view["rules"]["rows"] // 2, view["rules"]["columns"] // 2]
    return (await rig.ask("open", cell=middle))["view"]  # type: ignore[no-any-return]


def test_hello_has_what_a_page_needs() -> None:
    async def test(rig: Rig) -> None:
        hello = rig.sent[0]
        assert hello["push"] == "hello"
        agents = {agent["id"]: agent for agent in hello["agents"]}
        assert {"random", "sentences", "exact", "champion"} <= set(agents)
        matching = next(o for o in agents["resolution"]["options"] if o["name"] == "matching")
        assert {"type", "default", "choices", "help"} <= set(matching)
        assert hello["levels"]["expert"] == {
            "rows": 16,
            "columns": 30,
            "mines": 99,
            "start": "safe",
        }
        assert hello["view"]["state"] == "ready"

    run(test)


def test_every_question_is_in_the_document_and_answered() -> None:
    async def test(rig: Rig) -> None:
        text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
        await begin(rig)
        needed: dict[str, dict[str, Any]] = {
            "why": {"cell": [0, 0]},
            "race": {"agents": ["basic"], "level": "beginner", "seed": "1"},
            "series": {"agents": ["basic", "random"], "boards": 1, "level": "beginner"},
        }
        record = (await rig.ask("share"))["record"]
        data = base64.b64encode(record.encode()).decode()
        needed["coach"] = {"name": "game.json", "data": data}
        for name, entry in TABLE.items():
            assert re.search(rf"\n\| [^|]*`{name}`[^|]* \|", text), name
            if entry.where is Where.QUESTION:
                answer = await rig.ask(name, **needed.get(name, {}))
                assert name in answer, answer
        for name in (
            "deal",
            "fresh_layout",
        ):  # only the service asks these, because their answers reveal mines
            assert "expected a command" in (await rig.ask(name))["error"]

    run(test)


@pytest.mark.parametrize("name", ["risks", "hint", "may_guess", "win_chances", "analysis"])
def test_a_question_is_about_any_position(name: str) -> None:
    """The page can ask about the current position, a past step or a pasted position."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        now = (await rig.ask(name))[name]
        before = (await rig.ask(name, at=0))[name]
        pasted = (await rig.ask(name, at=PROVABLE))[name]
        shown = {json.dumps({**x, "elapsed_ms": 0}) for x in (now, before, pasted)}
        assert len(shown) == 3

    run(test)


def test_a_hint_never_points_to_a_cell_that_is_not_proved() -> None:
    """The hint is the easiest proof of a safe cell, regardless of the chosen agent."""

    async def test(rig: Rig) -> None:
        await rig.ask("agent", name="sentences")
        await rig.ask("new", level="intermediate", seed="3")
        await rig.ask("open", cell=[8, 8])
        for _ in range(40):
            hint = (await rig.ask("hint"))["hint"]
            safe = (await rig.ask("risks"))["risks"]["safe"]
            if not hint["proved"]:
                assert not safe
                assert hint["guesses"][0]["cell"] == hint["cell"]
                return
            assert hint["cell"][0] * 16 + hint["cell"][1] in safe
            assert hint["why"]["proved"] == "safe"
            await rig.ask("open", cell=hint["cell"])

    run(test)


def test_no_question_about_a_game_carries_its_board() -> None:
    """The values sent to a worker contain no mines, and no real seed for the user's own agent."""
    file = ROOT / "examples" / "my_agent.py"

    async def test(rig: Rig) -> None:
        await begin(rig)
        for name in ("risks", "hint", "may_guess", "decide", "knowledge", "win_chances"):
            await rig.ask(name, **({"agent": own} if name in ("decide", "knowledge") else {}))
        for question in rig.asked:
            assert "record" not in question.values
            assert question.values.get("seed") != 7
            assert b"Board" not in pickle.dumps(question.values)

    own = f"{file}:MyAgent"
    run(test, own_agents={own: None})


def test_no_page_names_a_file() -> None:
    """Only agents from the list are accepted, with valid options."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        for name in ("/tmp/x.py:A", "cs50:x.py", "nobody", "resolution:matching=nonsense", ""):
            answer = await rig.ask("agent", name=name)
            assert answer["error"].startswith(("expected", "agent resolution: expected"))
        assert "view" in await rig.ask("agent", name="resolution:matching=both")
        known = (await rig.ask("knowledge"))["knowledge"]
        heads = [item["text"][:3] for item in known["items"] if item.get("head")]
        assert heads == ["new", "KB:", "KB0", "sub"]
        assert known["stuck"] is None

    run(test)


def test_a_stuck_agent_says_of_which_type_it_is() -> None:
    """If an agent has no next move, the knowledge shown says what it would need."""

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="easy", seed="3", start="given:0.5")
        await rig.ask("agent", name="sentences:stuck=stop")
        while (moved := await rig.ask("agent_move", guess=True)).get("made"):
            pass
        assert moved["decision"] is None
        known = (await rig.ask("knowledge"))["knowledge"]
        assert known["next"] is None
        assert "(counted end: 7 unknown cells)" in known["stuck"]

    run(test)


def test_no_file_is_run_because_a_page_names_it(tmp_path: Path) -> None:
    """A file named in a question or a race is never run, however its name is spelled."""
    mark = tmp_path / "mark"
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(mark)!r}, 'w').close()\nclass Evil: pass\n")
    names = (
        f"{file}:Evil",
        f"cs50:{file}",
        f"cs50:file={file}",
        f"CS50:{file}",
        f"cs50:file={file},x=1",
        f"sentences:stuck={file}:Evil",
        f"basic:{file}:Evil",
    )

    async def test(rig: Rig) -> None:
        await begin(rig)
        for name in names:
            assert "expected" in (await rig.ask("agent", name=name))["error"]
            assert "expected" in (await rig.ask("decide", agent=name))["error"]
            assert "expected" in (await rig.ask("race", agents=[name, "basic"]))["error"]
        assert not mark.exists()
        assert not rig.asked

    run(test)


def test_an_agent_plays_the_game_that_watch_shows() -> None:
    """An agent's moves are the same as when it plays alone."""

    async def test(rig: Rig) -> None:
        for name in ("sentences", "possibility", "champion"):
            await rig.ask("agent", name=name)
            await rig.ask("new", level="beginner", seed="5")
            moved = await rig.ask("agent_move")
            while moved.get("made") and moved["view"]["end"] is None:
                moved = await rig.ask("agent_move")
            alone = mw.play(mw.Game(mw.BEGINNER, 5), mw.make_agent(name))
            moves = (await rig.ask("moves"))["moves"]
            assert [tuple(m["cell"]) for m in moves] == [s.move.cell for s in alone.steps]
            assert moved["view"]["aided"]

    run(test)


def test_a_guess_is_made_only_where_guesses_are_wanted() -> None:
    """If guesses are not allowed, the agent's guess is reported but not made."""

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="beginner", seed="7")
        while (moved := await rig.ask("agent_move", guess=False)).get("made"):
            assert moved["decision"]["proved"]
        assert not moved["decision"]["proved"]
        assert (await rig.ask("agent_move", guess=True))["made"]

    run(test)


def test_verdicts_on_any_step() -> None:
    """A verdict is about the move that led to a step. The start and flags have no verdict."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        hint = (await rig.ask("hint"))["hint"]
        await rig.ask("open", cell=hint["cell"])
        await rig.ask("mark", cell=[0, 0])
        assert (await rig.ask("verdict", at=0))["verdict"] is None
        assert (await rig.ask("verdict", at=1))["verdict"] is None
        assert (await rig.ask("verdict", at=2))["verdict"]["kind"] == "proved"
        assert (await rig.ask("verdict"))["verdict"] is None
        assert "error" in await rig.ask("verdict", at=4)

    run(test)


def test_a_review_comes_in_parts_and_is_whole() -> None:
    """A review contains one verdict and one win chance per move."""

    async def test(rig: Rig) -> None:
        await rig.ask("new", level="beginner", seed="5")
        while (moved := await rig.ask("agent_move"))["view"]["end"] is None:
            pass
        number = rig.send("review")
        await wait_for(lambda: any(m.get("n") == number and "review" in m for m in rig.sent))
        parts = rig.parts(number)
        review = next(m for m in rig.sent if m.get("n") == number and "review" in m)["review"]
        moves = moved["view"]["moves"]
        assert len(review["verdicts"]) == len(review["wins"]) == moves
        wins = dict(part["win"] for part in parts if "win" in part)
        assert [wins.get(place) for place in range(moves)] == review["wins"]
        plain = rig.asked[-1].values
        assert plain["wins"]
        assert [v for part in parts for v in part["verdicts"]] == review["verdicts"]
        assert review["proved"] + review["guesses"] == review["moves"]
        assert all(win is None or 0 <= win["win"] <= 1 for win in review["wins"])

    run(test)


def test_the_result_is_counted_once() -> None:
    """Undo does not count a game again. The result includes statistics from the review."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        await rig.ask("stop")
        await rig.ask("undo")
        await rig.ask("stop")
        await wait_for(lambda: bool(rig.store.all_results))
        (result,) = rig.store.all_results
        assert (result["game"], result["result"]) == ("beginner", "stuck")
        assert result["avoidable"] == 0
        assert (await rig.ask("statistics"))["groups"][0]["played"] == 1
        assert (await rig.ask("erase"))["count"] == 0

    run(test)


def test_a_list_of_games_is_never_old(tmp_path: Path) -> None:
    async def test(rig: Rig) -> None:
        await begin(rig)
        before = (await rig.ask("games"))["games"]
        await rig.ask("stop")
        after = (await rig.ask("games"))["games"]
        assert [before[0]["result"], after[0]["result"]] == [None, "stuck"]

    run(test, store=Folder(tmp_path))


def test_games_are_kept_listed_opened_and_forgotten() -> None:
    """A game that was left is in the list and reopens unchanged."""

    async def test(rig: Rig) -> None:
        first = await begin(rig)
        other = await rig.ask("another", level="expert", seed="3")
        assert other["key"] != first["key"]
        assert (other["view"]["level"], other["view"]["step"]) == ("expert", 0)
        listed = (await rig.ask("games"))["games"]
        assert [(game["key"], game["level"]) for game in listed] == [(first["key"], "beginner")]
        back = (await rig.ask("open_game", key=first["key"]))["view"]
        assert back["cells"] == first["cells"]
        assert "error" in await rig.ask("forget_game", key=first["key"])
        await rig.ask("another")
        assert (await rig.ask("forget_game", key=first["key"]))["games"] == []
        assert "error" in await rig.ask("open_game", key=first["key"])

    run(test)


def test_export_and_import_move_everything() -> None:
    """Importing the same data twice adds nothing."""
    source: dict[str, Any] = {}

    async def fill(rig: Rig) -> None:
        await begin(rig)
        await rig.ask("settings", values={"theme": "dark"})
        rig.store.add_result({"game": "expert", "result": "win", "date": "x"})
        source.update((await rig.ask("export"))["data"])

    async def take(rig: Rig) -> None:
        assert await rig.ask("import", data=source) == {"n": 1, "games": 1, "results": 1}
        assert await rig.ask("import", data=source) == {"n": 2, "games": 0, "results": 0}
        for wrong in (None, 7, {}, {"mineproof": 2}, {"mineproof": 1, "games": 1}):
            assert "error" in await rig.ask("import", data=wrong)
        damaged = {"mineproof": 1, "games": {"0" * 32: {"record": "{"}}, "results": [1]}
        assert (await rig.ask("import", data=damaged))["games"] == 0

    run(fill)
    run(take)


def test_an_export_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that would be too long is rejected. With fewer games, it works again."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        whole = len(json.dumps((await rig.ask("export"))["data"]))
        monkeypatch.setattr(limits, "EXPORT_CHARACTERS", 2 * whole)
        kept = next(iter(rig.store.games()))
        copies = [f"{number:032x}" for number in range(2)]
        for copy in copies:
            rig.store.save_game(copy, rig.store.load_game(kept) or {})
        assert f"at most {2 * whole:,} characters" in (await rig.ask("export"))["error"]
        rig.store.delete_game(copies[0])
        assert "error" not in await rig.ask("export")

    run(test)


def test_a_game_of_an_earlier_version_opens() -> None:
    """Version 0.1 stored a record, an agent and two booleans."""
    store = Memory()
    saved = json.loads((Path(__file__).parent / "data" / "game-0.1.json").read_text("utf-8"))
    key = "0123456789abcdef0123456789abcdef"
    store.save_game(key, saved)

    async def test(rig: Rig) -> None:
        view = rig.sent[0]["view"]
        assert (view["key"], view["step"] > 1) == (key, True)

    run(test, store=store, key=key)


def test_damaged_and_later_games_are_set_aside() -> None:
    """Games that are damaged or from later versions are moved away, and a new game starts."""
    for saved in ({"record": 7}, {"record": "{"}, {"version": 99, "record": "{}"}):
        store = Memory()
        key = "0123456789abcdef0123456789abcdef"
        store.save_game(key, saved)

        async def test(rig: Rig) -> None:
            assert rig.sent[0]["view"]["state"] == "ready"

        assert run(test, store=store, key=key).store.aside == [key]


def test_two_pages_share_a_game() -> None:
    async def test(rig: Rig) -> None:
        view = await begin(rig)
        other = rig.connect(view["key"])
        rig.sent.clear()
        await rig.ask("mark", cell=[0, 0])
        pushed = [m for m in rig.sent if m.get("push") == "view"]
        assert len(pushed) == 1
        assert pushed[0]["view"]["cells"][0][0] == "F"
        other.close()

    run(test)


def test_newer_questions_take_older_ones_back() -> None:
    """A new question cancels only an older one in the same slot."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        numbers = [rig.send("risks") for _ in range(3)] + [rig.send("risks", slot="b")]
        answers: dict[int, Any] = {}
        while len(answers) < len(numbers):
            await asyncio.sleep(0.005)
            answers = {m["n"]: m for m in rig.sent if m.get("n") in numbers}
        assert [answers[n].get("cancelled", False) for n in numbers] == [True, True, False, False]

    run(test)


def test_an_agent_that_does_not_exist_is_named() -> None:
    """Unknown agents always cause the same kind of error, regardless of their names."""

    async def test(rig: Rig) -> None:
        for message in ({"do": "agent", "name": "busy-bee"}, {"do": "decide", "agent": "busy-bee"}):
            answer = await rig.ask(message.pop("do"), **message)
            assert answer["code"] == "unknown-agent"
            assert answer["words"] == "There is no agent called busy-bee. Choose one from the list."

    run(test)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("nothing", {}),
        ("open", {"cell": [99, 0]}),
        ("open", {"cell": "x"}),
        ("why", {"cell": [99, 0]}),
        ("why", {"at": "nonsense", "cell": [0, 0]}),
        ("risks", {"at": 99}),
        ("risks", {"at": "900x900x1\nH"}),
        ("risks", {"at": 1.5}),
        ("risks", {"at": PROVABLE, "clues": "wrong"}),
        ("analysis", {"seconds": -1}),
        ("analysis", {"seconds": "x"}),
        ("analysis", {"seconds": 10**400}),
        ("analysis", {"seconds": 1e300}),
        ("race", {"agents": []}),
        ("race", {"agents": ["basic"] * 5}),
        ("new", {"level": "300x300/9"}),
        ("settings", {"values": {"x": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}}),
        ("settings", {"values": {"x": "y" * 5000}}),
        ("load", {"text": "{"}),
        ("load", {"data": "!", "name": "x"}),
        ("position", {"step": 7}),
        ("cancel", {"question": -1}),
    ],
)
def test_what_cannot_be_meant_is_refused(name: str, fields: dict[str, Any]) -> None:
    """After a message with wrong values, the error says what was expected. The game continues."""

    async def test(rig: Rig) -> None:
        await begin(rig)
        answer = await rig.ask(name, **fields)
        assert "expected" in answer["error"]
        assert answer["code"] != "internal"
        assert "view" in await rig.ask("mark", cell=[0, 0])

    run(test)


def test_a_contradiction_names_its_clues() -> None:
    async def test(rig: Rig) -> None:
        answer = await rig.ask("analysis", at="3x1x1\n1H0\n")
        assert answer["conflict"] == [[0, 0], [0, 2]]

    run(test)


@pytest.mark.parametrize(("kind", "seed"), [("one-clue", 16), ("mine-count", 7)])
def test_every_drill_can_be_missed(monkeypatch: pytest.MonkeyPatch, kind: str, seed: int) -> None:
    """The first drills of these seeds are left out: all their cells without a flag are safe."""

    async def test(rig: Rig) -> None:
        found = (await rig.ask("drill", kind=kind))["drill"]
        unopened = found["position"].partition("\n")[2].count("H")
        assert unopened > len(found["answers"])

    monkeypatch.setattr("secrets.randbits", lambda _bits: seed)
    run(test)


def test_drills_come_back_by_how_the_learner_does() -> None:
    """A correct answer delays a kind of drill, and a wrong answer brings it back soon."""

    async def test(rig: Rig) -> None:
        found = (await rig.ask("drill"))["drill"]
        assert found["kind"] == "one-clue"
        assert found["position"].startswith("8x8x12\n")
        assert "F" in found["position"]
        why = await rig.ask("why", at=found["position"], cell=found["cell"])
        assert why["why"]["proved"] == "safe"
        done = await rig.ask("drill_done", kind="one-clue", right=True)
        assert (done["box"], done["next"], done["back"]) == (1, "pattern", None)
        assert (await rig.ask("drill"))["drill"]["kind"] == "pattern"
        assert "expected one-clue, pattern" in (await rig.ask("drill_done", kind="x"))["error"]
        assert done["score"]["change"] > 0
        assert done["score"]["streak"] == 1
        missed = await rig.ask("drill_done", kind="one-clue", position=found["position"])
        assert (missed["score"]["streak"], missed["score"]["best"], missed["back"]) == (0, 1, 1)
        assert missed["score"]["change"] < 0
        kept = rig.service.store.settings()["drills"]
        rig.service.store.change_settings({"drills": json.loads(json.dumps(kept))})
        with pytest.MonkeyPatch.context() as patch:
            later = date.today() + timedelta(days=1)
            patch.setattr(commands, "date", type("Later", (), {"today": lambda: later}))
            again = (await rig.ask("drill"))["drill"]
            assert (again["again"], again["position"]) == (True, found["position"])
            more = await rig.ask(
                "drill_done", kind="one-clue", right=True, position=found["position"]
            )
            assert more["back"] == 3
            assert (await rig.ask("drill"))["drill"]["again"] is False
        assert "error" in await rig.ask("drill_done", kind="one-clue", position="nonsense")

    run(test)


def test_games_of_a_player_are_coached_file_by_file() -> None:
    """Reports of several files add up until a message sets `first`."""

    async def test(rig: Rig) -> None:
        async def coach(text: str, name: str = "games.jsonl", **more: Any) -> dict[str, Any]:
            data = base64.b64encode(text.encode()).decode()
            return await rig.ask("coach", name=name, data=data, **more)

        game = mw.Game(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), mw.Board.from_mines(1, 7, (2, 4)))
        steps = tuple(Step(mw.Move.parse(move)) for move in ("open 0,3", "open 0,2"))
        for step in steps:
            game.play(step.move)
        lost = format_record(make_record(game, steps))
        found = (await coach(f"{lost}\n{lost}\n", first=True))["coach"]
        assert [one["name"] for one in found] == ["games.jsonl, game 1", "games.jsonl, game 2"]
        assert found[0]["record"] == lost
        assert found[0]["mistakes"][0]["missed"] == "one-clue"
        await coach(lost)
        sums = (await rig.ask("coaching"))["coaching"]
        assert (sums["games"], sums["lost"], sums["wins_lost"]) == (3, 3, 100.0)
        assert "about 100.0 wins" in sums["text"][1]
        assert "games with their moves" in (await coach("2x1x1\n1H\n"))["error"]
        assert "error" in await rig.ask("coach", name="x.json", data="§")
        await coach(lost, first=True)
        assert (await rig.ask("coaching"))["coaching"]["games"] == 1

    run(test)


def test_saved_games_are_coached_once_and_unasked() -> None:
    """A finished game gets a report.

    Older games get their reports later, unless reporting is paused.
    """
    coached: list[str] = []

    def names(rig: Rig) -> list[str]:
        return [one.name for one in rig.asked if one.name == "coach_record"]

    async def test(rig: Rig) -> None:
        game = mw.Game(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), mw.Board.from_mines(1, 7, (2, 4)))
        game.play(mw.Move.parse("open 0,3"))
        text = format_record(make_record(game, (Step(game.moves[0]),)))
        await rig.ask("load", text=text)
        key = (await rig.ask("open", cell=[0, 2]))["key"]
        await wait_for(lambda: key in rig.store.reports)
        found = (await rig.ask("coaching", kept=True))["coaching"]
        assert (found["games"], found["lost"], found["risks"]) == (1, 1, [1])
        assert found["missed"][0]["missed"] == found["practise"] == "one-clue"
        assert found["example"]["why"]["cell"] in ([0, 0], [0, 5], [0, 6])
        (worst,) = found["costliest"]
        assert (worst["key"], worst["number"], worst["glyph"]) == (key, 2, "??")
        weighed = (await rig.ask("review"))["review"]["wins"][worst["number"] - 1]
        assert (weighed["win"], weighed["chosen"]) == (worst["before"], worst["after"])
        asked = (await rig.ask("win_chances", at=worst["number"]))["win_chances"]
        assert (weighed["win"], weighed["exact"]) == (asked["win"], asked["exact"])
        assert (await rig.ask("coach_kept"))["waiting"] == 0
        coached.extend(names(rig))
        del rig.store.reports[key]

    store = run(test).store
    assert coached == ["coach_record"]

    async def later(rig: Rig) -> None:
        await rig.ask("settings", values={"coach": False})
        assert await rig.ask("coach_kept") == {"n": 2, "waiting": 1, "paused": True}
        await rig.ask("settings", values={"coach": True})
        await rig.ask("coach_kept")
        await wait_for(lambda: bool(store.reports))
        assert (await rig.ask("coaching", kept=True))["coaching"]["games"] == 1
        for key in store.reports:
            store.reports[key] = {**store.reports[key], "report": {"level": 7}}

    run(later, store=store, key="")

    async def damaged(rig: Rig) -> None:
        assert (await rig.ask("coaching", kept=True))["coaching"]["games"] == 0

    run(damaged, store=store, key="")


def test_boxes_of_drills() -> None:
    """If the stored progress is damaged, the drills start again from the beginning."""
    progress = read_progress(None)
    for _ in range(9):
        progress = progress.answered(DrillKind.ONE_CLUE, True)
    assert progress.boxes[DrillKind.ONE_CLUE] == (5, 9 + 32)
    assert progress.next_kind is DrillKind.PATTERN
    assert read_progress(json.loads(json.dumps(progress))) == progress
    assert progress.answered(DrillKind.ONE_CLUE, False).boxes[DrillKind.ONE_CLUE] == (0, 11)
    for damaged in ([1], [1, {}], "drills", [1, {"pattern": 3}], 7):
        assert read_progress(damaged) == read_progress(None)


@pytest.mark.parametrize("strength", [600.0, 1000.0, 1500.0])
def test_ratings_converge_to_the_strength_of_players(strength: float) -> None:
    """Simulated players of known strength get that rating, and the levels find their places."""
    source = random.Random(round(strength))
    true = {kind: level + source.uniform(-150, 150) for kind, level in START_LEVELS.items()}
    shift = sum(START_LEVELS.values()) / len(true) - sum(true.values()) / len(true)
    true = {kind: level + shift for kind, level in true.items()}
    ends, errors = [], []
    for _player in range(20):
        progress = read_progress(None)
        for number in range(800):
            kind = source.choice(list(DrillKind))
            right = source.random() < chance_to_solve(strength, true[kind])
            progress = progress.answered(kind, right)
            if number == 100:
                assert abs(progress.rating - strength) < 250
        ends.append(progress.rating)
        errors.append(max(abs(progress.levels[kind] - true[kind]) for kind in DrillKind))
    assert abs(sum(ends) / len(ends) - strength) < 75
    assert max(abs(end - strength) for end in ends) < 160
    assert sum(errors) / len(errors) < 110


def test_lessons_are_right() -> None:
    assert len({lesson["id"] for lesson in lessons()}) == len(lessons()) >= 12
    for lesson in lessons():
        found = mw.explain(lesson["position"], tuple(lesson["cell"]))
        assert (found.proved or "guess") == lesson["answer"]


def test_lesson_0_is_a_game() -> None:
    """Its boards are what a real game shows after each step, and the last step wins it."""
    game = mw.Game(mw.Rules(3, 5, 2), 0, (0, 0), mw.Board.from_mines(3, 5, (12, 14)))
    flag, chord = lessons()[0]["then"]
    boards = [flag["position"], chord["position"], chord["after"]]
    for move, board in zip(("", "mark 2,2", "chord 1,2"), boards, strict=True):
        if move:
            game.play(mw.Move.parse(move))
        assert parse_position(board).to_text() == game.observation.to_text()
    assert (flag["cell"], chord["cell"]) == ([2, 2], [1, 2])
    assert game.outcome is not None
    assert game.outcome.result.value == "win"


def test_knowledge_says_what_it_leaves_out() -> None:
    """A long item ends with a note, and so does a long list."""
    lines = ("mine (0, 1) or " * 30, *("safe (0, 1)" for _ in range(answers.LINES)))
    first, *_, last = answers._items(Knowledge("title", {"KB": lines}))
    assert (first["text"][-5:], last["text"]) == ("(cut)", "and 1 more")


def test_questions_need_no_file_that_the_static_site_leaves_out() -> None:
    """A worker of the static site can load the answers to all questions."""
    left = [name.removesuffix(".py").rstrip("/").replace("/", ".") for name in LEFT_OUT]
    script = "import sys, mineproof.service.game_answers; print(*sys.modules)"
    loaded = output(sys.executable, "-c", script).split()
    starts = tuple(f"mineproof.{name}" for name in left if name != "_native")  # it has its own core
    assert not [name for name in loaded if name.startswith(starts)]
