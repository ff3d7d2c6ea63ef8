"""Damaged files from interrupted commands: the error names the file, and no command crashes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lab_small import small
from spoiling import check_reader, spoilt, spoilt_value

from mineproof.cli.generate import BoardFile, GenerateRequest
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.rules import BEGINNER
from mineproof.generate import DrillKind
from mineproof.generate.boards import Order
from mineproof.lab.chunks import plan
from mineproof.lab.figure import Claim, Figure, Reported
from mineproof.lab.store import MANIFEST, Store
from mineproof.match.results import ResultFile

ROUNDS = 300
FIGURE = Figure(
    "lines",
    "Won",
    "won",
    x="mines",
    claims=(Claim("fewer with more mines", "falls"),),
    reported=(Reported(8, 0.9, "9 of 10", games=10),),
)
RUN = {"version": "1", "agent": "basic", "games": "abc"}


def written(path: Path, read: Callable[[], object]) -> Callable[[str], object]:
    """Return a parser that first writes the text to a file."""

    def reader(text: str) -> object:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read()

    return reader


def resume_games(path: Path) -> None:
    """Resume a result file."""
    ResultFile(path, 20, RUN).open(resume=True).close()


def test_results_of_games(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    (tmp_path / "out.txt.run").write_text(json.dumps(RUN))
    text = "3 win 1 20 0.5\n0 loss 0 4 0.125\n7 stuck 2 9 1.0\n"
    read = written(path, lambda: resume_games(path))
    read(text)
    assert check_reader(read, lambda dice: spoilt(text, dice), ROUNDS)


@pytest.mark.parametrize("how", ["letters", "values"])
def test_the_note_of_a_run_of_games(tmp_path: Path, how: str) -> None:
    path, note = tmp_path / "out.txt", tmp_path / "out.txt.run"
    path.write_text("3 win 1 20 0.5\n")
    text = json.dumps(RUN)
    read = written(note, lambda: resume_games(path))
    read(text)
    for whole in ("5", "null", "[]", "[1]", "[[1]]", '""', "{}", ""):
        with pytest.raises(InputError):
            read(whole)
    if how == "letters":
        assert check_reader(read, lambda dice: spoilt(text, dice), ROUNDS)
    else:
        assert check_reader(read, lambda dice: json.dumps(spoilt_value(RUN, dice)), ROUNDS)


@pytest.mark.parametrize("kind", [None, DrillKind.SUBSET])
def test_boards_and_drills_to_go_on_with(tmp_path: Path, kind: DrillKind | None) -> None:
    request = GenerateRequest(Order(BEGINNER, Cell(0, 0)), 0, False, False, kind)
    path = tmp_path / "out.boards"
    BoardFile(path, 20, request).open().close()
    lines = [line for _, line in request.lines(range(3))]
    text = "".join([path.read_text("utf-8"), *(f"{line}\n" for line in lines)])

    def resume() -> None:
        BoardFile(path, 20, request).open(resume=True).close()

    read = written(path, resume)
    read(text)
    assert check_reader(read, lambda dice: spoilt(text, dice), ROUNDS)


def read_store(folder: Path) -> None:
    """Read everything that a report reads before it reads the games."""
    store = Store(folder)
    store.experiment  # noqa: B018  (reading is what is tested)
    store.finished  # noqa: B018


@pytest.mark.parametrize("how", ["letters", "values"])
def test_the_manifest_of_an_experiment(tmp_path: Path, how: str) -> None:
    experiment, path = small(figures=(FIGURE,)), tmp_path / MANIFEST
    Store(tmp_path).begin(experiment, plan(experiment, 4), 4)
    text = path.read_text("utf-8")
    whole = json.loads(text)
    read = written(path, lambda: read_store(tmp_path))
    read(text)
    if how == "letters":
        assert check_reader(read, lambda dice: spoilt(text, dice), ROUNDS)
    else:
        assert check_reader(read, lambda dice: json.dumps(spoilt_value(whole, dice)), ROUNDS)
