"""Batches of games: the same results from one process or several, even if workers die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import mineproof as mw
from mineproof.core.board import Board
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import Rules, with_options
from mineproof.match.batch import (
    LARGEST_CHUNK,
    Chunks,
    Deal,
    Played,
    dealt,
    from_boards,
    play_chunk,
    play_deals,
)
from mineproof.match.engines import EngineAgent
from mineproof.match.isolated import IsolatedAgent, Isolation
from mineproof.notation.boards import BoardLine
from mineproof.notation.codec import to_plain

OWN = '''
import os
from pathlib import Path

from mineproof import Result
from mineproof.agents.protocol import WholeGame
from mineproof.agents.random import RandomAgent
from mineproof.match.play import agent_seed


class Lives(RandomAgent):
    """An agent that plays normally."""


class Dies(RandomAgent):
    """An agent that ends its process once for each file `death-N`, which it deletes first."""

    def decide(self, observation):
        for token in Path(__file__).parent.glob("death-*"):
            try:
                token.unlink()
            except FileNotFoundError:
                continue
            os._exit(1)
        return super().decide(observation)


class AlwaysDies(RandomAgent):
    """An agent that ends every process."""

    def decide(self, observation):
        os._exit(1)


class Fails(RandomAgent):
    """An agent that raises an error in one of the games."""

    def start(self, rules, seed):
        super().start(rules, seed)
        self.seed = seed

    def decide(self, observation):
        if self.seed == agent_seed(self, 3):
            raise RuntimeError("no idea")
        return super().decide(observation)


class Outside:
    """An agent that would win every game if it got the boards."""

    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return None

    def play_whole(self, rules, boards, first):
        return [WholeGame(Result.WIN, 0, 1, 0.0, 0)] * len(boards)


class Whole:
    """An agent that wins all games on square boards in bulk, and stops on others."""

    __module__ = "mineproof.agents.whole"  # only built-in agents are given boards

    def start(self, rules, seed):
        pass

    def decide(self, observation):
        return None

    def play_whole(self, rules, boards, first):
        whole = WholeGame(Result.WIN, len(boards), 2, 0.5, 3)
        return [whole] * len(boards) if rules.rows == rules.columns else []
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a file with agents that fail in different ways."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    return file


def outcomes(
    agent: str, deals: Sequence[Deal], jobs: int = 1, *, isolated: bool = True
) -> list[tuple[object, ...]]:
    """Play games and return the results without their times, in the order of the games."""
    games: list[Played] = []
    play_deals(agent, deals, games.extend, jobs, isolated=isolated)
    return sorted((game.index, game.result, game.guesses, game.moves) for game in games)


def test_processes_change_nothing() -> None:
    deals = dealt(mw.BEGINNER, 60, seed=5)
    here = outcomes("random", deals)
    assert [game[0] for game in here] == list(range(60))
    assert outcomes("random", deals, jobs=2) == here
    assert outcomes("random", deals[::-1]) == here


def test_a_game_is_the_one_that_play_plays() -> None:
    (line,) = outcomes("basic", dealt(mw.EXPERT, 1, seed=11))
    record = mw.play(mw.Game(mw.EXPERT, 11), mw.make_agent("basic"))
    assert record.outcome is not None
    assert line == (0, record.outcome.result, record.guesses, len(record.steps))


def test_seeds_wrap_around() -> None:
    """The seed after the largest one is 0."""
    seeds = [deal.seed for deal in dealt(mw.BEGINNER, 3, seed=MAX_SEED - 1)]
    assert seeds == [MAX_SEED - 1, MAX_SEED, 0]


def test_long_seeds_deal_what_they_always_deal() -> None:
    """The core deals boards from 64-bit seeds. Python deals boards from longer seeds."""
    for seed in (0, MAX_SEED, 2**64, 2**128 - 1):
        found = Deal(0, mw.BEGINNER, seed, Cell(0, 0)).board()
        assert found == mw.deal(mw.BEGINNER, seed, (0, 0))


def test_board_files_keep_their_boards() -> None:
    """Rules that a board file leaves open can be set."""
    board = Board.from_mines(1, 4, [3])
    line = BoardLine(Rules(1, 4, 1), board, Cell(0, 0))
    deals = from_boards([line, line], lambda setting: with_options(setting, goal="mark"), seed=7)
    assert [deal.seed for deal in deals] == [7, 8]
    assert all(deal.board() == board for deal in deals)
    assert outcomes("basic", deals) == [(i, mw.Result.WIN, 0, 1) for i in range(2)]


def test_a_dead_worker_costs_nothing(own: Path) -> None:
    """If a worker dies, its games are played again and reported once."""
    for token in ("death-1", "death-2"):
        (own.parent / token).touch()
    deals = dealt(mw.BEGINNER, 12)
    found = outcomes(f"{own}:Dies", deals, jobs=2, isolated=False)
    assert not list(own.parent.glob("death-*"))
    assert found == outcomes(f"{own}:Lives", deals, isolated=False)


def test_workers_that_always_die_are_given_up(own: Path) -> None:
    """If every worker dies, the error names the agent that they ran."""
    with pytest.raises(mw.AgentError, match=r"3 worker processes .* \(agent .*AlwaysDies"):
        outcomes(f"{own}:AlwaysDies", dealt(mw.BEGINNER, 4), jobs=2, isolated=False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_agent_is_named_with_its_game(own: Path, jobs: int) -> None:
    """Games that ended before an agent failed are still reported."""
    games: list[Played] = []
    with pytest.raises(mw.AgentError, match=r"game 3: Fails\.decide raised Ru"):
        play_deals(f"{own}:Fails", dealt(mw.BEGINNER, 5), games.extend, jobs, isolated=False)
    indices = [game.index for game in games]
    assert len(set(indices)) == len(indices)
    assert 3 not in indices
    if jobs == 1:
        assert indices[:3] == [0, 1, 2]


def test_an_unknown_agent_is_refused_at_once() -> None:
    with pytest.raises(mw.AgentError, match="expected an agent"):
        play_deals("nobody", dealt(mw.BEGINNER, 1), lambda _games: None, jobs=2)


def test_games_in_bulk_where_the_agent_can(own: Path) -> None:
    """Games with the same rules and first cell go to the agent together."""
    deals = [*dealt(Rules(4, 4, 3), 5), *dealt(Rules(2, 3, 1), 2), *dealt(mw.EASY, 1)]
    chunks = list(play_chunk(f"{own}:Whole", deals, None))
    assert [len(games) for games in chunks] == [5, 1, 1, 1]
    assert [(game.result, game.guesses) for game in chunks[0]] == [(mw.Result.WIN, 5)] * 5
    assert [game.result for (game,) in chunks[1:]] == [mw.Result.STUCK] * 3


def test_chunks_hold_every_game_once() -> None:
    """At any speed, the chunks contain all games in order and grow at most fourfold."""
    deals = dealt(mw.BEGINNER, 5000)
    chunks = Chunks(deals, jobs=2)
    sizes: list[int] = []
    games: list[Deal] = []
    for chunk in chunks:
        sizes.append(len(chunk))
        games += chunk
        chunks.learn(len(chunk), 1e-5 * len(chunk))
    assert games == [*deals]
    assert sizes[:4] == [1, 4, 16, 64]
    assert max(sizes) <= LARGEST_CHUNK
    slow = Chunks(deals, jobs=2)
    slow.learn(1, 60.0)
    assert len(next(iter(slow))) == 1


def test_lines_are_read_as_they_are_written() -> None:
    game = Played(3, mw.Result.STUCK, 2, 17, 1.25)
    assert str(game) == "3 stuck 2 17 1.250"
    assert Played.parse(str(game)) == game
    assert Played.parse(f"{game} 4") == replace(game, false_proofs=4)
    fields = {"index": 3, "result": "stuck", "guesses": 2, "moves": 17, "ms": 1.25}
    assert to_plain(game) == fields | {"false_proofs": None}
    for wrong in ("", "3 stuck 2 17", "3 draw 2 17 1.0", "x win 0 0 0", "1 win 0 0 0 0 0"):
        with pytest.raises(ValueError, match=r"win\|loss\|stuck\|failed\|refused guesses"):
            Played.parse(wrong)


def test_boards_are_not_given_to_agents_from_outside(own: Path) -> None:
    """A user class plays through observations only, even if it has a `play_whole` method."""
    results = [result for _, result, *_ in outcomes(f"{own}:Outside", dealt(mw.BEGINNER, 3))]
    assert results == [mw.Result.STUCK] * 3


def test_built_in_agents_have_a_time_limit_on_huge_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    games: dict[int, list[Played]] = {100: [], 80: []}

    class Seen(Isolation):
        def make(self) -> IsolatedAgent | EngineAgent:
            limits.append(self.seconds)
            return super().make()

    monkeypatch.setattr("mineproof.match.batch.Isolation", Seen)
    for cells, found in games.items():
        monkeypatch.setattr("mineproof.match.isolated.HUGE_BOARD", cells)
        play_deals("sentences", dealt(mw.BEGINNER, 3), found.extend, seconds=7.0)
    assert limits == [7.0]
    assert [game.moves for game in games[80]] == [game.moves for game in games[100]]
