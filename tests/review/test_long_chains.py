"""The two searches for long chains are repeatable. The directed search finds longer chains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mineproof as mw
from mineproof.core.board import deal, mine_pools
from mineproof.core.rules import Rules, with_options
from mineproof.lab.board_search import DEALT, BoardSearch
from mineproof.notation.game_id import parse_game_id
from mineproof.review.chains import trace
from mineproof.review.chains_svg import draw_chains
from mineproof.review.long_chains import LongChain, improve, sample

RULES = with_options(Rules.parse("8x8/10"), start="opening", explosion="continue")
TRIES = 60


def search(way: str, seed: int) -> LongChain:
    find = {"sample": sample, "improve": improve}[way]
    return find(RULES, mw.make_agent("clue-heap"), seed, TRIES, RULES.first_cell)


@pytest.mark.parametrize("way", ["sample", "improve"])
def test_what_is_found_is_what_the_board_has(way: str) -> None:
    found = search(way, 3)
    agent = mw.make_agent("clue-heap")
    again = trace(mw.Game(RULES, 3, RULES.first_cell, found.board), agent)
    assert again == found.chains
    assert len(found.lengths) == TRIES
    assert list(found.lengths) == sorted(found.lengths)
    assert found.lengths[-1] == found.chains.length
    dealt = mw.Game(RULES, 3, RULES.first_cell, deal(RULES, 3, RULES.first_cell))
    assert found.lengths[0] == trace(dealt, agent).length
    assert search(way, 3) == found


def test_improving_gets_farther_than_dealing() -> None:
    """Both searches play the same number of games and start from the same boards."""
    seeds = range(4)
    dealt = [search("sample", seed).chains.length for seed in seeds]
    improved = [search("improve", seed).chains.length for seed in seeds]
    assert sum(improved) > sum(dealt) + len(seeds)


def test_mines_stay_where_the_start_allows_them() -> None:
    found = search("improve", 5)
    _, free = mine_pools(RULES, RULES.first_cell)
    assert set(found.board.mine_indices) <= set(free)
    assert len(found.board.mine_indices) == RULES.mines


def test_the_longest_chain_that_was_found_is_as_the_page_says() -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "chains.md").read_text("utf-8")
    (identity,) = re.findall(r"`(10x10/15:[^`]+)`", text)
    game = parse_game_id(identity).game()
    chains = trace(game, mw.make_agent("clue-heap"))
    assert f"The longest chain found so far has {chains.length} conclusions" in text
    picture = (docs / "pictures" / "longest-chain.svg").read_text("utf-8")
    assert picture == draw_chains(chains, 10, 10)


def test_boards_of_a_condition() -> None:
    assert BoardSearch.parse("improved:250") == BoardSearch("improved", 250)
    assert str(BoardSearch.parse("sampled:9")) == "sampled:9"
    assert (BoardSearch.parse("dealt"), str(DEALT)) == (DEALT, "dealt")
    first = RULES.first_cell
    assert DEALT.find(RULES, mw.make_agent("basic"), 0, first) is None
    found = BoardSearch("improved", TRIES).find(RULES, mw.make_agent("clue-heap"), 3, first)
    assert found == search("improve", 3).board
    for bad in ("", "improved", "improved:0", "improved:x", "dealt:3", "sampled:9" + "0" * 5000):
        with pytest.raises(mw.NotationError, match="expected boards dealt"):
            BoardSearch.parse(bad)
