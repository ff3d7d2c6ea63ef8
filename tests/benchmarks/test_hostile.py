"""The attacks in `benchmarks/hostile.py`. Quick attacks are repelled, and failures are reported."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
QUICK = (
    *("resume-another-run", "full-disk-of-a-game", "certain-guesses", "damaged-files"),
    *("brute-forced-seeds", "autosave-reader"),
)


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("hostile")


@pytest.mark.parametrize("name", QUICK)
def test_quick_attacks_hold(hostile: Any, name: str) -> None:
    (attack,) = [each for each in hostile.ATTACKS if each.name == name]
    row = hostile.try_attack(attack)
    assert row[-1] == "yes", row
    assert len(row) == len(hostile.TABLE)


def test_what_breaks_is_told(hostile: Any) -> None:
    """The table shows NO both for an attack that succeeds and for an attack that cannot run."""
    attacks = importlib.import_module("attacks")

    def broken(_folder: Path) -> str:
        raise attacks.Broken("78 s instead of 2")

    def wrong(_folder: Path) -> str:
        raise ConnectionError("gone")

    rows = [hostile.try_attack(attacks.Attack("x", "y", each)) for each in (broken, wrong)]
    assert [row[2] for row in rows] == ["78 s instead of 2", "ConnectionError: gone"]
    assert [row[-1] for row in rows] == ["NO", "NO"]


def test_a_message_that_is_false_is_noticed(hostile: Any) -> None:
    """A command that gives up immediately must not claim that it used all its time."""
    attacks = importlib.import_module("attacks")
    early = attacks.Done(3, "", "expected an answer within 5 s, got none", 0.1, 0.1)
    with pytest.raises(attacks.Broken, match=r"after 0\.1 s"):
        attacks.within(early, 5.0)
    with pytest.raises(attacks.Broken, match="instead of 2"):
        attacks.within(early._replace(seconds=78.0), 2.0)
    assert attacks.within(early._replace(seconds=4.9, waited=4.9), 5.0) == "status 3 after 4.9 s"
    assert len({each.name for each in hostile.ATTACKS}) == len(hostile.ATTACKS)
