"""Series of boards: results, running win rates, and what the losers believed."""

from __future__ import annotations

from typing import Any

import pytest

import mineproof as mw
from mineproof.core.errors import AgentError, WorkLimitError
from mineproof.core.rules import with_options
from mineproof.inference.budget import Budget
from mineproof.match.certainty import wilson
from mineproof.match.contract import REFUSED
from mineproof.match.series import Series, run_series

RULES = with_options(mw.BEGINNER, start="opening")


def parts_of(names: list[str], boards: int, budget: Budget | None = None) -> list[Any]:
    parts: list[Any] = []
    series = Series(RULES, 40, boards, names)
    found = run_series(series, mw.make_agent, parts.append, budget or Budget())
    assert found == {"boards": len(parts) - 1}
    return parts


def test_a_series_plays_the_boards_of_its_seeds() -> None:
    """Every agent plays each board as it does alone. Rates and pairs count every board once."""
    names = ["random", "exact", "basic"]
    head, *boards = parts_of(names, 30)
    assert head == {"agents": names, "boards": 30, "seed": "40"}
    won = []
    for part in boards:
        games = [mw.play(mw.Game(RULES, int(part["seed"])), name) for name in names]
        assert [end["result"] for end in part["ends"]] == [
            g.outcome and g.outcome.result for g in games
        ]
        won.append([end["result"] == "win" for end in part["ends"]])
        for end, game in zip(part["ends"], games, strict=True):
            if end["result"] != "loss" or len(set(won[-1])) == 1:
                assert "cell" not in end
                continue
            assert end["cell"] == game.steps[-1].move.cell
            before = mw.analyse(game.positions()[end["round"] - 1], moves=False)
            risks = [x for row in before.risk for x in row if x is not None]
            assert end["risk"] == before.risk[end["cell"].row][end["cell"].column]
            assert end["least"] == min(risks)
            assert "".join(end["cells"]).count("M") == 1
    last = boards[-1]
    wins = [sum(row[place] for row in won) for place in range(3)]
    assert last["wins"] == wins
    assert last["rates"][1] == [wins[1] / 30, *wilson(wins[1], 30)]
    assert last["best"][0] == 1  # `exact` wins most
    rival = last["best"][1]
    only = [sum(r[1] and not r[rival] for r in won), sum(r[rival] and not r[1] for r in won)]
    assert last["only"] == only


def test_a_series_ends_early_when_its_time_is_up() -> None:
    assert len(parts_of(["random", "basic"], 1000, Budget(0.3))) < 1000


def test_an_agent_that_keeps_failing_ends_the_series() -> None:
    """A failed game counts as not won, and ten in a row stop the series."""

    class Broken:
        def start(self, rules: mw.PublicRules, seed: int) -> None:
            pass

        def decide(self, observation: mw.Observation) -> None:
            raise ValueError("broken")

    parts: list[Any] = []
    make = {"broken": Broken(), "basic": mw.make_agent("basic")}.__getitem__
    with pytest.raises(WorkLimitError, match="10 games in a row failed"):
        run_series(Series(RULES, 1, 99, ["broken", "basic"]), make, parts.append, Budget())
    assert parts[-1]["ends"][0] == {"result": "failed", "fault": parts[1]["ends"][0]["fault"]}
    assert "broken" in parts[1]["ends"][0]["fault"]


def test_a_refused_game_is_not_a_failed_one() -> None:
    """An engine may refuse every board of a series. The page calls such a board refused."""

    class Picky:
        def start(self, rules: mw.PublicRules, seed: int) -> None:
            raise AgentError("not these rules", code=REFUSED)

        def decide(self, observation: mw.Observation) -> None:
            raise AssertionError

    parts: list[Any] = []
    make = {"picky": Picky(), "basic": mw.make_agent("basic")}.__getitem__
    run_series(Series(RULES, 1, 12, ["picky", "basic"]), make, parts.append, Budget())
    assert [part["ends"][0]["result"] for part in parts[1:]] == ["refused"] * 12
    assert "not these rules" in parts[1]["ends"][0]["fault"]
    assert parts[-1]["played"] == [0, 12]
    assert parts[-1]["rates"][0] == [0, 0, 1]
    assert not parts[-1]["differ"]  # a refused game is never a loss
