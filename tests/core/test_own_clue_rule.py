"""Your own clue rule, defined by one class outside the package and usable everywhere."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from agent_games import play_game
from brute_force import MOST_UNOPENED, layouts, same_in_all
from layout_oracle import Oracle, random_position
from own_rules import forgotten_rules
from service_rig import Rig, run

import mineproof as mw
from mineproof.core.clues import EXACT, WITHHELD, ClueRule, register_clue_rule
from mineproof.core.demand import demand
from mineproof.core.rules import Rules, with_options
from mineproof.core.user_code import VARIABLE, load
from mineproof.inference.counting import Density, Known, count
from mineproof.inference.counting.density import estimate_density
from mineproof.inference.counting.reference import ReferenceFacts
from mineproof.match.isolated import Isolation
from mineproof.notation.game_id import format_game_id, parse_game_id
from mineproof.notation.records import read_records, write_records

FILE = Path(__file__).parents[2] / "examples" / "one_more.py"


@pytest.fixture(autouse=True)
def one_more() -> Iterator[ClueRule]:
    """Register the example's clue rule."""
    with forgotten_rules():
        load(str(FILE))
        yield ClueRule.parse("one-more")


@pytest.fixture
def small(one_more: ClueRule) -> Rules:
    """Return the rules of a small game that uses the example's clue rule."""
    return replace(Rules(6, 6, 6), clues=one_more)


def mineproof(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line without the clue rules that are registered in this process."""
    clean = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return subprocess.run(
        [sys.executable, "-m", "mineproof", *arguments],
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_what_the_rule_says_follows_from_its_chances(one_more: ClueRule) -> None:
    """The rule's weights, bounds, trust and shown numbers follow from its probabilities."""
    assert one_more.weights(2, 8) == (0, 1, 1, 0, 0, 0, 0, 0, 0)
    assert one_more.weights(3, 3) == (0, 0, 1, 2)
    assert one_more.bounds(2, 8) == (1, 2)
    assert one_more.bounds(0, 8) == (0, 0)
    assert not one_more.trusted
    shown = [one_more.show(seed, 5, 2, 8) for seed in range(1000)]
    assert set(shown) == {2, 3}
    assert 400 < shown.count(3) < 600
    assert all(one_more.show(seed, 5, 8, 8) == 8 for seed in range(50))


def test_the_game_shows_it_and_floods() -> None:
    """Every open cell shows the true clue or one more. A shown 0 opens its neighbours."""
    game = mw.Game(with_options(Rules(9, 9, 10), clues="one-more"), seed=3)
    game.play(mw.Move(mw.Action.OPEN, mw.Cell(0, 0)))
    board, seen = game.board, game.observation
    assert board is not None
    opened = [index for index, code in enumerate(seen.shown) if code < 9]
    assert opened
    for index in opened:
        assert seen.shown[index] - board.clues[index] in (0, 1)
        if seen.shown[index] == 0:
            assert all(seen.shown[near] < 9 for near in board.grid.neighbours(index))
    assert demand(game.rules, board, game.seed).bbbv > 0


@pytest.mark.parametrize("seed", range(60))
def test_risks_are_those_of_all_layouts(seed: int, one_more: ClueRule) -> None:
    """With either prior, the risks equal those found by trying every layout."""
    seen = random_position(seed, one_more)
    oracle = Oracle(seen, Known(seen.rules.mines or 0))
    if not seen.unopened:
        return
    found = mw.analyse(seen)
    assert found.layouts == len(oracle.layouts) == len(list(layouts(seen, trust=False)))
    columns = seen.rules.columns
    for index in seen.unopened:
        row, column = divmod(index, columns)
        assert found.risk[row][column] == pytest.approx(float(oracle.risk(index)))
    proved = same_in_all(seen, trust=False) or {}
    cells = {index: tuple(divmod(index, columns)) for index in proved}
    assert {cells[i] for i, mined in proved.items() if mined} == set(found.mined)
    assert {cells[i] for i, mined in proved.items() if not mined} == set(found.safe)
    unknown = Oracle(seen, Density(0.3))
    facts = count(seen, prior=Density(0.3))
    assert isinstance(facts, ReferenceFacts)
    for index in seen.unopened:
        assert facts.risk[index] == pytest.approx(float(unknown.risk(index)))


def test_proofs_say_what_a_clue_allows(one_more: ClueRule) -> None:
    """A 1 proves nothing, and a 0 proves its neighbours safe. Longer proofs state the range."""
    assert mw.explain("2x1x?\n1H\n", (0, 1), clues="one-more").proved is None
    assert mw.explain("2x1x?\n0H\n", (0, 1), clues="one-more").proved == "safe"
    texts = []
    for seed in range(80):
        seen = random_position(seed, one_more)
        if len(seen.unopened) <= MOST_UNOPENED:
            for index in same_in_all(seen, trust=False, mine_count=False) or {}:
                texts.append(mw.explain(seen, seen.grid.cell(index)).text)
    assert any("one to two mines" in text for text in texts)


@pytest.mark.parametrize("agent", ["exact", "sentences:clues=model"])
def test_agents_prove_nothing_false(agent: str, small: Rules) -> None:
    """In whole games, every proved move is right."""
    proved = 0
    for seed in range(12):
        _, decisions = play_game(agent, small, seed)
        proved += sum(decision.proved for decision in decisions)
    assert proved >= 10


def test_an_unknown_density_is_estimated() -> None:
    """The unknown density is estimated well on a small and on a large board."""
    for level in ("9x9/0.2", "60x60/0.2"):
        rules = with_options(
            Rules.parse(level), clues="one-more", mine_count="unknown", explosion="continue"
        )
        game = mw.Game(rules, 1)
        for index in range(0, rules.grid.size, 2):
            if game.observation.shown[index] == 9:
                game.play(mw.Move(mw.Action.OPEN, rules.grid.cell(index)))
        assert 0.1 < estimate_density(game.observation) < 0.3


def test_many_games_in_worker_processes() -> None:
    """The option --clue-rules names the file, and worker processes import the rule from it."""
    arguments = ("--level", "6x6/6", "--clues", "one-more", "--count", "6", "--agent", "exact")
    named = mineproof("--clue-rules", str(FILE), "games", *arguments, "--jobs", "2", "--json")
    assert named.returncode == 0, named.stderr
    announced = mineproof("games", *arguments, "--jobs", "1", "--json", **{VARIABLE: str(FILE)})
    assert announced.returncode == 0, announced.stderr
    results = [
        {game["index"]: game["result"] for game in map(json.loads, done.stdout.splitlines())}
        for done in (named, announced)
    ]
    assert len(results[0]) == 6
    assert results[0] == results[1]
    unknown = mineproof("games", *arguments)
    assert unknown.returncode == 2
    assert "expected clues exact, withheld:P, optimistic or cautious" in unknown.stderr
    helped = mineproof("--clue-rules", str(FILE), "games", "--help").stdout
    assert ", one-more." in " ".join(helped.split())


def test_isolated_agents_know_it(small: Rules) -> None:
    """An agent in a separate process can use the rule."""
    game = mw.Game(small, 2)
    game.play(mw.Move(mw.Action.OPEN, mw.Cell(0, 0)))
    agent = Isolation("exact").make()
    try:
        agent.start(game.rules.public(), 0)
        assert agent.decide(game.observation) is not None
    finally:
        agent.close()


def test_records_and_game_ids(tmp_path: Path, small: Rules) -> None:
    """Records with the rule can be saved, read and replayed, and ids can name the rule."""
    game = mw.Game(small, 4)
    record = mw.play(game, mw.make_agent("exact"))
    write_records(tmp_path / "games.jsonl", [record])
    (read,) = read_records(tmp_path / "games.jsonl")
    assert read == record
    assert read.replay().observation.shown == record.replay().observation.shown
    assert format_game_id(mw.Game(small, 7)) == "6x6/6:clues-one-more:s7"
    assert parse_game_id("6x6/6:clues-one-more:s7").rules == small
    with pytest.raises(mw.NotationError, match=r"expected clues exact.* got 'two-more'"):
        parse_game_id("6x6/6:clues-two-more:s7")


def test_the_page_offers_and_plays_it() -> None:
    """The page's `hello` message contains the rule's description, and a game can use the rule."""

    async def test(rig: Rig) -> None:
        offered = {rule["name"]: rule for rule in rig.sent[0]["clue_rules"]}
        assert offered["one-more"]["words"] == "are the truth or one more"
        assert offered["withheld"]["parameter"] == "Share of clues that are shown"
        view = (await rig.ask("new", level="6x6/6", clues="one-more", seed="7"))["view"]
        assert view["rules"]["clues"] == "one-more"
        view = (await rig.ask("open", cell=[3, 3]))["view"]
        assert (await rig.ask("risks", at=None))["risks"]

    run(test)


class Parametrised(ClueRule):
    """Shows the true clue with a given probability, and otherwise no clue."""

    name = "often"
    parameter_name = "P"
    words = "are often shown"

    def __init__(self, share: float) -> None:
        self.share = share

    @classmethod
    def from_parameter(cls, text: str) -> Parametrised:
        return cls(float(text))

    @property
    def parameter(self) -> str:
        return repr(self.share)

    def chances(self, truth: int, degree: int) -> Mapping[int, float]:
        return {truth: self.share, WITHHELD: 1 - self.share}


def test_a_rule_with_a_parameter(small: Rules) -> None:
    """A rule's parameter follows a colon, except in ids, which use a hyphen."""
    register_clue_rule(Parametrised)
    rule = ClueRule.parse("often:0.5")
    assert str(rule) == "often:0.5"
    assert rule == Parametrised(0.5)
    assert rule.trusted
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert parse_game_id("6x6/6:clues-often-0.5:s1").rules == replace(small, clues=rule)


def rule_of(chances: Mapping[int, object], name: str = "odd", **more: object) -> type:
    """Return a clue rule with the same probabilities for every cell."""
    given = {"chances": lambda _self, _truth, _degree: chances, "name": name, "words": "are odd"}
    return type("Odd", (ClueRule,), given | more)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (rule_of({0: 1}, "exact"), "expected a new name"),
        (rule_of({0: 1}, "Odd One"), "expected a new name"),
        (rule_of({0: 1}, words=""), "has no `words`"),
        (rule_of({0: Fraction(1, 2)}), "that add up to 1, got .*0.5"),
        (rule_of({9: 1}), "expected chances of the numbers 0 to 0 or of WITHHELD"),
        (rule_of({0: 1}, floods=True), "expected 0 to be shown only for a true 0"),
    ],
)
def test_a_rule_that_contradicts_itself_is_rejected(rule: type, message: str) -> None:
    """An invalid rule is rejected when it is registered, and the error says what is wrong."""
    with pytest.raises(mw.RulesError, match=message):
        register_clue_rule(rule)
    with pytest.raises(TypeError, match="expected a subclass of ClueRule, got <class 'int'>"):
        register_clue_rule(int)  # type: ignore[type-var]


def test_old_names_still_work() -> None:
    """Old names work for one more version, with a warning."""
    with pytest.warns(DeprecationWarning, match="ClueRule"):
        from mineproof.core.clues import ClueModel
    assert ClueModel.parse("exact") == EXACT
    with pytest.warns(DeprecationWarning, match="name"):
        assert EXACT.kind == "exact"
