"""The parts of the server, tested separately."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from async_runner import run_async
from service_rig import Rig, run

import mineproof as mw
from mineproof import advice
from mineproof.cli.web import open_argument
from mineproof.core.errors import InputError
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.match.race import run_race
from mineproof.match.remembered import RememberedAgents
from mineproof.notation.boards import format_board_line, format_mbf
from mineproof.notation.codec import from_plain
from mineproof.review.results import group, new_result, statistics
from mineproof.service import answers, limits
from mineproof.service.fields import RuleFields
from mineproof.service.page import TABLE
from mineproof.service.page_game import open_session
from mineproof.session import Session
from mineproof.session.storage import is_key
from mineproof.session.timeline import past_of
from mineproof.web.app import OUTBOX_BYTES, Connection
from mineproof.web.folder import Folder, default_folder

KEY = "0123456789abcdef0123456789abcdef"


def started(seed: int = 7, rules: mw.Rules = mw.BEGINNER) -> Session:
    """Return a game that starts in the middle of the board."""
    session = Session(rules, seed)
    session.open((rules.rows // 2, rules.columns // 2))
    return session


def iter_unopened(game: mw.Game) -> Iterator[mw.Cell]:
    return (game.observation.grid.cell(index) for index in game.observation.unopened)


def open_text(text: str) -> tuple[Session | str, bool]:
    return open_session(text, "", None)


def board_of(opened: Session | str) -> mw.Board | None:
    """Give up a game and return its board."""
    assert isinstance(opened, Session)
    opened.stop()
    return opened.board


class TestFolder:
    """Games, results and settings on disk."""

    def test_games_come_back(self, tmp_path: Path) -> None:
        """Games are found by key and listed with the latest first."""
        folder = Folder(tmp_path / "new")
        assert folder.games() == []
        folder.save_game(KEY, {"record": "x"})
        assert folder.load_game(KEY) == {"record": "x"}
        assert folder.games() == [KEY]

    def test_the_oldest_games_go(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "SAVED_GAMES", 3)
        folder = Folder(tmp_path)
        for number in range(5):
            folder.save_game(f"{number:032x}", {})
        assert len(folder.games()) == 3
        assert f"{4:032x}" in folder.games()

    @pytest.mark.parametrize("key", ["", "..", "../" * 10, KEY.upper(), KEY + "0", None, 7])
    def test_only_keys_become_paths(self, key: object) -> None:
        """A page can name saved games by their keys, but no other file."""
        assert not is_key(key)
        assert is_key(KEY)

    def test_damage_is_survived(self, tmp_path: Path) -> None:
        """A damaged game raises an error. Damaged settings are renamed."""
        folder = Folder(tmp_path)
        folder.save_game(KEY, {})
        (tmp_path / "games" / f"{KEY}.json").write_text("{")
        (tmp_path / "settings.json").write_text("[1]")
        (tmp_path / "scores.jsonl").write_text('{"game": "x"}\nbroken\n7\n')
        with pytest.raises(InputError, match="expected stored data as JSON"):
            folder.load_game(KEY)
        assert folder.settings() == {}
        assert (tmp_path / "settings.damaged").read_text() == "[1]"
        assert folder.results() == [{"game": "x"}]
        folder.set_aside(KEY)
        assert folder.games() == []
        assert folder.load_game(KEY) is None

    @pytest.mark.parametrize("depth", [16, 975, 100_000])
    def test_values_too_deep_are_damage(self, tmp_path: Path, depth: int) -> None:
        """Very deeply nested values can be read but not sent."""
        folder, deep = Folder(tmp_path), '{"x":' + "[" * depth + "]" * depth + "}"
        folder.save_game(KEY, {})
        (tmp_path / "games" / f"{KEY}.json").write_text(deep)
        (tmp_path / "settings.json").write_text(deep)
        (tmp_path / "scores.jsonl").write_text(f'{deep}\n{{"game": "x"}}\n')
        with pytest.raises(InputError):
            folder.load_game(KEY)
        assert folder.settings() == {}
        assert folder.results() == [{"game": "x"}]

    def test_files_too_large_are_damage(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Files that are too large are not read, except the end of the results."""
        monkeypatch.setattr("mineproof.web.folder.GAME_BYTES", 100)
        monkeypatch.setattr("mineproof.web.folder.RESULT_BYTES", 100)
        folder = Folder(tmp_path)
        folder.save_game(KEY, {"record": "x" * 100})
        with pytest.raises(InputError, match="expected at most 100 bytes"):
            folder.load_game(KEY)
        (tmp_path / "scores.jsonl").write_bytes(b'{"game": 1}\n' * 1000 + b'\xff\n{"game": 2}\n')
        assert 2 < len(folder.results()) < 20
        assert folder.results()[-1] == {"game": 2}

    def test_scores_are_kept_and_erased(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)
        folder.add_result({"game": "expert"})
        folder.add_result({"game": "beginner"})
        assert [one["game"] for one in folder.results()] == ["expert", "beginner"]
        folder.erase_results()
        folder.erase_results()
        assert folder.results() == []

    def test_scores_do_not_grow_without_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "RESULTS", 5)
        monkeypatch.setattr("mineproof.web.folder.RESULT_BYTES", 200)
        folder = Folder(tmp_path)
        for number in range(50):
            folder.add_result({"game": number})
        assert [one["game"] for one in folder.results()] == [45, 46, 47, 48, 49]
        assert (tmp_path / "scores.jsonl").stat().st_size < 400

    def test_settings_add_up(self, tmp_path: Path) -> None:
        """Saving a setting keeps all other settings."""
        folder = Folder(tmp_path)
        folder.change_settings({"theme": "dark"})
        folder.change_settings({"speed": 3})
        assert folder.settings() == {"theme": "dark", "speed": 3, "version": 1}

    def test_a_folder_that_cannot_be_written_is_no_fault(self, tmp_path: Path) -> None:
        """If the data folder cannot be written, nothing is stored and no error is raised."""
        (tmp_path / "file").write_text("")
        folder = Folder(tmp_path / "file")
        folder.save_game(KEY, {})
        folder.add_result({})
        assert folder.games() == []

    def test_the_user_names_the_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The variable `MINEPROOF_DATA` overrides the default data folder."""
        monkeypatch.setenv("MINEPROOF_DATA", str(tmp_path))
        assert default_folder() == tmp_path


class TestFiles:
    """Reading texts and files."""

    def test_every_kind_is_recognised(self) -> None:
        session = started()
        opened, is_new = open_text(" expert:s7\n")
        assert isinstance(opened, Session)
        assert (opened.game_id, is_new) == ("16x30/99:s7", True)
        opened, is_new = open_text(session.save())
        assert isinstance(opened, Session)
        assert (opened.moves, is_new) == (session.moves, False)
        assert open_text("2x1x1\n1H\n") == ("2x1x1\n1H\n", False)
        board = mw.Game(mw.BEGINNER, 3, (0, 0)).board
        assert board is not None
        assert board_of(open_text(format_board_line(board, (0, 0)))[0]) == board

    def test_mbf_files_are_boards(self) -> None:
        board = mw.Game(mw.BEGINNER, 3, (0, 0)).board
        assert board is not None
        data = base64.b64encode(format_mbf(board)).decode()
        opened, _ = open_session(None, "board.MBF", data)
        assert isinstance(opened, Session)
        opened.open((0, 0))
        assert board_of(opened) == board

    def test_the_command_line_takes_files_and_ids(self, tmp_path: Path) -> None:
        """If an argument is neither a file nor an id, the error says so."""
        path = tmp_path / "x.mine"
        path.write_text("2x1x1\n1H\n")
        assert open_argument(str(path)) == "2x1x1\n1H\n"
        assert open_argument("beginner:s3") == "9x9/10:s3"
        with pytest.raises(InputError, match="expected a game id, a record"):
            open_argument(str(tmp_path / "missing.mine"))

    @pytest.mark.parametrize(
        "text", ["", "\n \n", "hello", "{", "{}", "1000x1000/5:s1", "900x900x1\nH", "1 2 3"]
    )
    def test_the_rest_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match="expected"):
            open_text(text)


class TestFields:
    """Fields of messages."""

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "7",
            "[]",
            "{}",
            '{"do": 1, "n": 1}',
            '{"do": "x"}',
            '{"do": "x", "n": -1}',
            '{"do": "x", "n": true}',
            '{"do": "x", "n": NaN}',
            "[" * 5000,
        ],
    )
    def test_malformed_messages_are_refused(self, text: str) -> None:
        async def test(rig: Rig) -> None:
            rig.page.receive(text)
            assert "expected" in rig.sent[-1]["error"]

        run(test)

    @pytest.mark.parametrize("cell", [None, 1, [], [1], [1, 2, 3], ["1", 2], [1.0, 2], [True, 1]])
    def test_cells_are_two_numbers(self, cell: object) -> None:
        with pytest.raises(InputError, match='field "cell"'):
            from_plain(TABLE["open"].request, {"cell": cell})
        assert from_plain(TABLE["open"].request, {"cell": [-1, 2]}).cell == (-1, 2)

    def test_seeds_come_as_text(self) -> None:
        """Seeds are sent as text, because JavaScript would round large numbers."""
        assert RuleFields(seed=str(2**128 - 1)).number == 2**128 - 1
        assert RuleFields(seed="").number is None
        for wrong in ("-1", "1.5", str(2**128), "9" * 50, "٣"):
            with pytest.raises(InputError, match="seed"):
                _ = RuleFields(seed=wrong).number


class TestResults:
    """Results and statistics."""

    def test_a_result_has_its_level(self) -> None:
        """A result with custom rules has a game id without a seed instead of a level's name."""
        assert group(mw.EXPERT) == "expert"
        assert group(mw.Rules(5, 6, 7)) == "5x6/7"
        session = Session(mw.BEGINNER, 7)
        session.open((4, 4))
        session.stop()
        result = new_result(session.record(), session.game_id, KEY, aided=False)
        assert (result["game"], result["result"], result["aided"]) == ("beginner", "stuck", False)
        assert json.loads(json.dumps(result)) == result
        assert result["version"] == 1

    def test_sums(self) -> None:
        """Games with help do not count towards times, win rates or streaks."""

        def score(result: str, seconds: float, aided: bool = False) -> dict[str, Any]:
            return {
                "game": "expert",
                "result": result,
                "seconds": seconds,
                "aided": aided,
                "judged": 10,
                "proved": 9,
            }

        scores = [score("win", 9), score("win", 7), score("loss", 1), score("win", 8)]
        found = statistics([*scores, score("win", 1, aided=True), {"game": "beginner"}])
        assert [entry["game"] for entry in found["groups"]] == ["beginner", "expert"]
        expert = found["groups"][1]
        assert expert["low"] < 0.75 < expert["high"]
        assert (expert["played"], expert["won"], expert["aided"]) == (4, 3, 1)
        assert [best["seconds"] for best in expert["best"]] == [7, 8, 9]
        assert (expert["streak"], expert["longest"]) == (1, 2)
        assert expert["proved"] == pytest.approx(0.9)

    def test_trends_have_intervals(self) -> None:
        """Results without a statistic are left out of its trend."""
        one = {"game": "expert", "result": "win", "seconds": 10, "bbbv": 30, "avoidable": 1}
        results = [one, {**one, "result": "loss", "avoidable": None}, {**one, "seconds": 5}]
        found = statistics([*results, {**one, "aided": True}, {**one, "seconds": "x", "bbbv": []}])
        trends = found["groups"][0]["trends"]
        assert [len(trends[name]) for name in ("rates", "times", "speeds", "risks")] == [4, 2, 2, 3]
        assert [point["value"] for point in trends["speeds"]] == [3, 6]
        half = trends["rates"][1]
        assert half["value"] == 0.5
        assert (half["low"], half["high"]) == pytest.approx((0.0945, 0.9055), abs=1e-3)


def _known(agents: RememberedAgents, game: mw.Game, agent: str) -> Any:
    """Return what a page gets if it asks an agent about a game."""
    seen = game.observation
    sent = Observation(seen.rules, seen.shown, seen.marks, seen.changes)
    asked = {"key": "a", "agent": agent, "seed": 3, "position": sent, "past": past_of(game)}
    context = answers.Context(agents, advice.Budget(60), lambda _part: None)
    return answers.knowledge(context, **asked)


class TestAgents:
    """Agents that a worker remembers."""

    @pytest.mark.parametrize("agent", ["exact", "sentences", "random", "backtracking"])
    def test_one_position_has_one_knowledge(self, agent: str) -> None:
        """After steps back, in a new worker and without earlier questions, nothing changes."""
        game = mw.Game(mw.INTERMEDIATE, 7, (4, 4))
        moves = mw.play(game.copy(), "exact").steps[:24]
        agents, live = RememberedAgents(), []
        for step in moves:
            live.append(_known(agents, game, agent))
            game.play(step.move)
        for number in (20, 9, 10, 3, 21, 0):
            past = mw.Game(mw.INTERMEDIATE, 7, (4, 4))
            for step in moves[:number]:
                past.play(step.move)
            assert _known(agents, past, agent) == live[number]
            assert _known(RememberedAgents(), past, agent) == live[number]

    def test_an_agent_knows_what_it_has_learnt(self) -> None:
        """Later in a game, `exact` knows all unopened cells that it has proved before."""
        game, agents = mw.Game(mw.INTERMEDIATE, 7, (4, 4)), RememberedAgents()
        proved: set[mw.Cell] = set()
        for step in mw.play(game.copy(), "exact").steps:
            known = _known(agents, game, "exact")
            assert proved.intersection(game.observation.unopened) <= known["safe"] | known["mined"]
            proved |= known["safe"] | known["mined"]
            game.play(step.move)

    def test_flags_are_part_of_the_game(self) -> None:
        """Flags come back as they were at each move."""
        game = mw.Game(mw.BEGINNER, 7, (4, 4))
        mine = sorted(game.board.mines)[0]  # type: ignore[union-attr]
        game.mark(*mine)
        game.open(*next(cell for cell in game.rules.grid.cells() if _is_safe(game, cell)))
        game.unmark(*mine)
        found = RememberedAgents().find("a", "basic", 0, game.observation, past_of(game))
        assert found.position == game.observation
        assert past_of(game)[0] == past_of(game)[2] == (~game.rules.grid.index(mine),)

    def test_moves_must_be_on_the_board(self) -> None:
        position = mw.Game(mw.BEGINNER, 7, (4, 4)).observation
        with pytest.raises(InputError, match="moves on the board"):
            RememberedAgents().find("a", "basic", 0, position, ((81,),))

    def test_only_the_latest_are_kept(self) -> None:
        position, agents = mw.Game(mw.BEGINNER, 7, (4, 4)).observation, RememberedAgents()
        first = agents.find("0", "basic", 0, position)
        assert agents.find("0", "basic", 0, position) is first
        for number in range(1, 20):
            agents.find(str(number), "basic", 0, position)
        assert agents.find("0", "basic", 0, position) is not first


def _is_safe(game: mw.Game, cell: mw.Cell) -> bool:
    assert game.board is not None
    return cell not in game.board.mines and game.observation.is_unopened(cell)


class TestRace:
    """Races."""

    def test_frames_replay_to_the_games_of_the_agents(self) -> None:
        """The changes sent during a race add up to the game that each agent plays alone."""
        record = started(5, mw.INTERMEDIATE).record()
        parts: list[Any] = []
        names = ["basic", "sentences", "random"]
        found = run_race(record, names, mw.make_agent, parts.append)
        start, frames = parts[0], [part["frame"] for part in parts[1:]]
        for place, name in enumerate(names):
            game = record.begin()
            alone = mw.play(game, mw.make_agent(name))
            turns = [frame[place] for frame in frames if frame[place] is not None]
            opened = [turn for turn in turns if "cell" in turn]
            assert [tuple(t["cell"]) for t in opened] == [s.move.cell for s in alone.steps]
            assert turns[-1]["result"] == game.outcome.result.value  # type: ignore[union-attr]
            assert turns[-1]["guesses"] == alone.guesses
            cells = list("".join(start["cells"]))
            for turn in turns:
                for index, letter in turn["changes"]:
                    cells[index] = letter
            codes = ["012345678H-M"[code] for code in game.observation.shown]
            assert cells == codes
        assert found["mines"] == list(record.mines)

    def test_an_agent_with_a_fault_does_not_stop_the_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If an agent fails, the race reports the fault and continues."""
        from mineproof.agents.basic import BasicAgent

        def fail(*_: object) -> None:
            raise RuntimeError("broken")

        monkeypatch.setattr(BasicAgent, "decide", fail)
        parts: list[Any] = []
        run_race(started(5).record(), ["basic", "sentences"], mw.make_agent, parts.append)
        frames = [part["frame"] for part in parts[1:]]
        assert "broken" in frames[0][0]["fault"]
        assert frames[-1][1]["result"] in ("win", "loss", "stuck")
        assert Action.OPEN.value in {frame[1]["action"] for frame in frames if "action" in frame[1]}


class _Unread:
    """A socket whose client never reads."""

    def __init__(self) -> None:
        self.sent = 0

    async def accept(self) -> None:
        """Accept the connection."""

    async def receive(self) -> None:
        await asyncio.Event().wait()

    async def send_text(self, _text: str) -> None:
        self.sent += 1
        await asyncio.Event().wait()


def test_a_page_that_never_reads_is_dropped() -> None:
    """A page is dropped when too many messages wait for it."""

    async def test() -> None:
        rig = Rig()
        unread = _Unread()
        connection = Connection(unread)  # type: ignore[arg-type]
        task = asyncio.create_task(connection.run(rig.service, ""))
        await asyncio.sleep(0.05)
        assert not task.done()
        for _ in range(OUTBOX_BYTES // 10**6 + 2):
            connection._send("x" * 10**6)
        await asyncio.wait_for(task, 60)
        assert unread.sent == 1
        await rig.service.close()

    run_async(test())
