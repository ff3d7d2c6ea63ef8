"""The parts of the server, each by itself: what is kept, opened, judged, counted and raced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mineproof as mw
from mineproof.core.errors import InputError
from mineproof.core.move import Action, mark_cell, open_cell
from mineproof.notation.boards import format_board_line
from mineproof.notation.mbf import format_mbf
from mineproof.notation.position import parse_position
from mineproof.session import Session
from mineproof.web import fields, limits
from mineproof.web.folder import Folder, default_folder, is_key
from mineproof.web.jobs import Replicas
from mineproof.web.opening import open_argument, open_bytes, open_text
from mineproof.web.race import run_race
from mineproof.web.scores import group, score_of, summary
from mineproof.web.verdicts import review, verdict

KEY = "0123456789abcdef0123456789abcdef"


def started(seed: int = 7, rules: mw.Rules = mw.BEGINNER) -> Session:
    """Begin a game in the middle of the board."""
    session = Session(rules, seed, agent="basic")
    session.open((rules.rows // 2, rules.columns // 2))
    return session


def nothing(_part: Any) -> None:
    """Take a report and drop it."""


class TestFolder:
    """What is kept on disk."""

    def test_games_come_back(self, tmp_path: Path) -> None:
        """A game is found by its key, the latest first."""
        folder = Folder(tmp_path / "new")
        assert folder.games() == []
        folder.save_game(KEY, {"record": "x"})
        assert folder.load_game(KEY) == {"record": "x"}
        assert folder.games() == [KEY]

    def test_the_oldest_games_go(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """No more games are kept than the limit says."""
        monkeypatch.setattr(limits, "SAVED_GAMES", 3)
        folder = Folder(tmp_path)
        for number in range(5):
            folder.save_game(f"{number:032x}", {})
        assert len(folder.games()) == 3
        assert f"{4:032x}" in folder.games()

    @pytest.mark.parametrize("key", ["", "..", "../" * 10, KEY.upper(), KEY + "0", None, 7])
    def test_only_keys_become_paths(self, key: object) -> None:
        """Nothing that a page sends can name another file."""
        assert not is_key(key)
        assert is_key(KEY)

    def test_damage_is_survived(self, tmp_path: Path) -> None:
        """Files that are no longer what they were count as missing."""
        folder = Folder(tmp_path)
        folder.save_game(KEY, {})
        (tmp_path / "games" / f"{KEY}.json").write_text("{")
        (tmp_path / "settings.json").write_text("[1]")
        (tmp_path / "scores.jsonl").write_text('{"game": "x"}\nbroken\n7\n')
        assert folder.load_game(KEY) is None
        assert folder.settings() == {}
        assert folder.scores() == [{"game": "x"}]

    def test_scores_are_kept_and_erased(self, tmp_path: Path) -> None:
        """Results are added, listed and forgotten."""
        folder = Folder(tmp_path)
        folder.add_score({"game": "expert"})
        folder.add_score({"game": "beginner"})
        assert [score["game"] for score in folder.scores()] == ["expert", "beginner"]
        folder.erase_scores()
        folder.erase_scores()
        assert folder.scores() == []

    def test_scores_do_not_grow_without_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The latest ones stay."""
        monkeypatch.setattr(limits, "SCORES", 5)
        monkeypatch.setattr("mineproof.web.folder.SCORE_BYTES", 200)
        folder = Folder(tmp_path)
        for number in range(50):
            folder.add_score({"game": number})
        assert [score["game"] for score in folder.scores()] == [45, 46, 47, 48, 49]
        assert (tmp_path / "scores.jsonl").stat().st_size < 400

    def test_settings_add_up(self, tmp_path: Path) -> None:
        """A new default leaves the others."""
        folder = Folder(tmp_path)
        folder.change_settings({"theme": "dark"})
        folder.change_settings({"speed": 3})
        assert folder.settings() == {"theme": "dark", "speed": 3}

    def test_a_folder_that_cannot_be_written_is_no_fault(self, tmp_path: Path) -> None:
        """Then nothing is remembered."""
        (tmp_path / "file").write_text("")
        folder = Folder(tmp_path / "file")
        folder.save_game(KEY, {})
        folder.add_score({})
        assert folder.games() == []

    def test_the_user_names_the_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`MINEPROOF_DATA` wins."""
        monkeypatch.setenv("MINEPROOF_DATA", str(tmp_path))
        assert default_folder() == tmp_path


class TestOpening:
    """From texts and files to what they are."""

    def test_every_kind_is_recognised(self) -> None:
        """Ids, records, positions and board lines."""
        session = started()
        assert open_text(" expert:s7\n") == ("id", "expert:s7")
        assert open_text(session.save()).kind == "record"
        assert open_text("2x1x1\n1H\n") == ("position", "2x1x1\n1H\n")
        board = mw.Game(mw.BEGINNER, 3, (0, 0)).board
        assert board is not None
        opened = open_text(format_board_line(board, (0, 0)))
        other = Session(agent="basic")
        other.new_from_id(opened.text)
        other.stop()
        assert other.board == board

    def test_mbf_files_are_boards(self) -> None:
        """The mines of the file are the mines of the game."""
        board = mw.Game(mw.BEGINNER, 3, (0, 0)).board
        assert board is not None
        opened = open_bytes("board.MBF", format_mbf(board))
        session = Session(agent="basic")
        session.new_from_id(opened.text)
        session.open((0, 0))
        session.stop()
        assert session.board == board

    def test_the_command_line_takes_files_and_ids(self, tmp_path: Path) -> None:
        """A file wins; what is neither is said to be neither."""
        path = tmp_path / "x.mine"
        path.write_text("2x1x1\n1H\n")
        assert open_argument(str(path)).kind == "position"
        assert open_argument("beginner:s3").kind == "id"
        with pytest.raises(InputError, match="expected a file or a game id"):
            open_argument(str(tmp_path / "missing.mine"))

    @pytest.mark.parametrize(
        "text", ["", "\n \n", "hello", "{", "{}", "1000x1000/5:s1", "900x900x1\nH", "1 2 3"]
    )
    def test_the_rest_is_refused(self, text: str) -> None:
        """An error that says what was expected."""
        with pytest.raises(InputError, match="expected"):
            open_text(text)


class TestFields:
    """Messages of a page."""

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
        """Only an object with a command and a number is a message."""
        with pytest.raises(InputError, match="expected"):
            fields.read_message(text)

    @pytest.mark.parametrize("cell", [None, 1, [], [1], [1, 2, 3], ["1", 2], [1.0, 2], [True, 1]])
    def test_cells_are_two_numbers(self, cell: object) -> None:
        """Anything else is no cell."""
        with pytest.raises(InputError, match="row, column"):
            fields.a_cell({"cell": cell})
        assert fields.a_cell({"cell": [-1, 2]}) == (-1, 2)

    def test_seeds_come_as_text(self) -> None:
        """So that no digit is lost on the way."""
        assert fields.a_seed({"seed": str(2**64 - 1)}) == 2**64 - 1
        assert fields.a_seed({"seed": ""}) is None
        for wrong in ("-1", "1.5", str(2**64), "9" * 50, "٣"):
            with pytest.raises(InputError, match="seed"):
                fields.a_seed({"seed": wrong})


class TestVerdicts:
    """What is said of a move."""

    POSITION = "5x3x4\n1H1HH\n1H3HH\n1HHHH\n"

    def test_a_move_is_judged_by_what_could_be_known(self) -> None:
        """Proved moves are proved; a guess beside a proof names the better cell and its clues."""
        seen = parse_position(self.POSITION)
        proved = verdict(seen, open_cell(0, 1))
        assert proved is not None
        assert (proved["kind"], proved["risk"], proved["better"]) == ("proved", 0, None)
        guess = verdict(seen, open_cell(0, 4))
        assert guess is not None
        assert guess["risk"] == pytest.approx(1 / 3)
        assert guess["kind"] == "reckless"
        better = mw.Cell(*guess["better"])
        assert better in mw.analyse(seen).safe
        assert all(seen.clue(tuple(clue)) is not None for clue in guess["clues"])
        assert json.loads(json.dumps(guess)) == guess

    def test_marks_are_notes(self) -> None:
        """They are not judged."""
        assert verdict(parse_position(self.POSITION), mark_cell(0, 1)) is None

    def test_a_review_judges_every_move_and_the_luck(self) -> None:
        """The chance to survive is the product of the safeties of all guesses."""
        session = started()
        for _ in range(60):
            if session.outcome is not None:
                break
            session.agent_move()
        found = review(session, nothing)
        assert len(found["verdicts"]) == len(session.moves)
        assert found["proved"] + found["guesses"] == found["moves"]
        guesses = [v for v in found["verdicts"] if v is not None and v["kind"] != "proved"]
        chance = 1.0
        for guess in guesses:
            chance *= 1 - guess["risk"]
        assert found["luck"] == pytest.approx(chance)
        assert found["offset"] == 1


class TestScores:
    """Results and their sums."""

    def test_a_result_has_its_level(self) -> None:
        """Known levels by name, others as a game id without seed."""
        assert group(mw.EXPERT) == "expert"
        assert group(mw.Rules(5, 6, 7)) == "5x6/7"
        session = started()
        session.stop()
        score = score_of(session, aided=False)
        assert (score["game"], score["result"], score["aided"]) == ("beginner", "stuck", False)
        assert json.loads(json.dumps(score)) == score

    def test_sums(self) -> None:
        """Help does not count for times, rates and streaks."""

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
        found = summary([*scores, score("win", 1, aided=True), {"game": "beginner"}])
        assert [entry["game"] for entry in found] == ["beginner", "expert"]
        expert = found[1]
        assert (expert["played"], expert["won"], expert["aided"]) == (4, 3, 1)
        assert [best["seconds"] for best in expert["best"]] == [7, 8, 9]
        assert (expert["streak"], expert["longest"]) == (1, 2)
        assert expert["proved"] == pytest.approx(0.9)


class TestReplicas:
    """Sessions that workers keep."""

    def test_a_replica_follows_moves_and_undo(self) -> None:
        """After moves, an undo and other moves it shows what the session shows."""
        session, replicas = started(), Replicas()
        for turn in range(12):
            copy = replicas.follow("a", session.record(), "basic")
            assert copy.observation == session.observation
            if turn == 5:
                session.undo()
            elif session.outcome is None:
                session.agent_move()
        session.stop()
        assert replicas.follow("a", session.record(), "basic").outcome == session.outcome

    def test_a_replica_goes_on_from_what_it_knows(self) -> None:
        """A new move is made in the session that is there; another game is another one."""
        session, replicas = started(), Replicas()
        before = replicas.follow("a", session.record(), "basic")
        session.agent_move()
        assert replicas.follow("a", session.record(), "basic") is before
        assert replicas.follow("a", started(8).record(), "basic") is not before
        assert replicas.follow("b", session.record(), "sentences").agent == "sentences"


class TestRace:
    """Agents on the same board."""

    def test_frames_replay_to_the_games_of_the_agents(self) -> None:
        """Putting all changes together gives what each agent would play alone."""
        record = started(5, mw.INTERMEDIATE).record()
        parts: list[dict[str, Any]] = []
        names = ["basic", "sentences", "random"]
        found = run_race(record, names, parts.append)
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
        """Its fault is told, and the race goes on."""
        from mineproof.agents.basic import BasicAgent

        def fail(*_: object) -> None:
            raise RuntimeError("broken")

        monkeypatch.setattr(BasicAgent, "decide", fail)
        parts: list[dict[str, Any]] = []
        run_race(started(5).record(), ["basic", "sentences"], parts.append)
        frames = [part["frame"] for part in parts[1:]]
        assert "broken" in frames[0][0]["fault"]
        assert frames[-1][1]["result"] in ("win", "loss", "stuck")
        assert Action.OPEN.value in {frame[1]["action"] for frame in frames if "action" in frame[1]}
