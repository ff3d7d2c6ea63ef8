"""The easiest proof: every step is sound, and no easier kind of reasoning proves the cell."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layout_oracle import MODELS, random_position
from midgames import midgames
from proof_oracle import ProofOracle
from sat_proofs import check_steps_by_sat

import mineproof as mw
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.grid import grid
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.notation.position_text import parse_position
from mineproof.proof.explainer import PositionExplainer
from mineproof.service.lessons import lessons

KINDS = ["one clue", "two clues", "several clues", "cases", "mine count"]
WALLS = 500
"""Positions in which to look for the rarer kinds of reasoning."""
SEEDS = st.integers(0, 2**32 - 1)


def kind_of(found: mw.Explanation) -> int:
    """Return the rank of the hardest kind of reasoning in a proof."""
    return max(KINDS.index(step.kind) for step in found.steps)


def check_sound(oracle: ProofOracle, found: mw.Explanation) -> None:
    """Check by brute force that each step follows from its clues and the earlier steps."""
    index = oracle.observation.grid.index
    known: dict[int, bool] = {}
    groups: set[int] = set()
    for step in found.steps:
        clues = groups | {index(clue) for clue in step.clues}
        if step.proved is None:
            groups = clues
            continue
        placements = oracle.knowing(known) & (oracle.counted if step.uses_mine_count else -1)
        for clue in clues:
            placements &= oracle.allowed[clue]
        concluded = {index(cell): step.proved == "mined" for cell in step.cells}
        assert placements
        assert concluded.items() <= oracle.follows(placements).items(), step
        known.update(concluded)
    assert known[index(found.cell)] == (found.proved == "mined")


def easiest_kinds(oracle: ProofOracle, exact: bool) -> dict[int, int]:
    """Return the rank of the easiest kind of reasoning that proves each cell."""
    closures = [oracle.closure(1), oracle.closure(2)]
    if exact:
        closures.append(oracle.group_closure())
    every = oracle.every
    for clue in oracle.allowed:
        every &= oracle.allowed[clue]
    kinds: dict[int, int] = dict.fromkeys(oracle.follows(every & oracle.counted), 4)
    kinds.update(dict.fromkeys(oracle.follows(every), 3))
    for kind in range(len(closures) - 1, -1, -1):
        kinds.update(dict.fromkeys(closures[kind], kind))
    return kinds


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_every_step_is_sound_and_nothing_easier_proves(model: ClueRule, seed: int) -> None:
    """On small boards, brute force confirms every step, and that no easier reasoning is enough."""
    seen = random_position(seed, model, most_unopened=9)
    oracle = ProofOracle(seen)
    exact = model.name in ("exact", "withheld")
    kinds = easiest_kinds(oracle, exact)
    explainer = PositionExplainer(seen)
    for cell in seen.unopened:
        found = explainer.explain(seen.grid.cell(cell))
        assert (found.proved is not None) == (cell in kinds)
        if found.proved is not None:
            check_sound(oracle, found)
            if exact or kinds[cell] < 2:
                assert kind_of(found) == kinds[cell], (found.text, kinds[cell])
            assert int(found.difficulty) == kind_of(found) + 1
            assert (kind_of(found) == 4) == found.uses_mine_count


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_the_easiest_of_all_safe_cells(seed: int) -> None:
    """A hint uses the easiest kind of reasoning that proves any cell safe."""
    seen = random_position(seed, MODELS[0], most_unopened=9)
    explainer = PositionExplainer(seen)
    found = explainer.easiest()
    kinds = easiest_kinds(ProofOracle(seen), True)
    safe = [kinds[cell] for cell in explainer.facts.safe]
    if found is None:
        assert not safe
    else:
        assert found.proved == "safe"
        assert kind_of(found) == min(safe)


def wall_position(seed: int) -> Observation:
    """Return clues along a hidden row with gaps. Such positions need harder kinds of reasoning."""
    source = random.Random(seed)
    rows, columns = source.choice([(3, 5), (3, 6), (3, 7), (4, 5)])
    size = rows * columns
    mined = set(source.sample(range(size), source.randint(3, size // 3)))
    shown = bytearray([UNOPENED]) * size
    near = grid(rows, columns).neighbours
    for index in range(size):
        likely = 1.0 if index // columns == rows - 1 else 0.35
        if index not in mined and source.random() < likely:
            shown[index] = sum(other in mined for other in near(index))
    return Observation(PublicRules(rows, columns, len(mined)), bytes(shown))


def test_the_harder_kinds_are_used_only_where_they_must_be() -> None:
    """In many small positions along a wall, harder kinds of reasoning are used only if needed."""
    kinds: Counter[int] = Counter()
    for seed in range(WALLS):
        seen = wall_position(seed)
        if len(seen.unopened) > 12:
            continue
        explainer = PositionExplainer(seen)
        found = {
            cell: explainer.explain(seen.grid.cell(cell))
            for cell in (*explainer.facts.safe, *explainer.facts.mined)
        }
        hard = {cell: one for cell, one in found.items() if 2 <= kind_of(one) <= 3}
        kinds.update(map(kind_of, found.values()))
        if hard:
            oracle = ProofOracle(seen)
            expected = easiest_kinds(oracle, True)
            for cell, one in hard.items():
                check_sound(oracle, one)
                assert kind_of(one) == expected[cell], one.text
    assert kinds.keys() >= {0, 1, 2, 4}


@pytest.mark.parametrize(("lesson", "kind"), [("several-clues", 2), ("cases", 3)])
def test_lessons_of_the_harder_kinds(lesson: str, kind: int) -> None:
    """Brute force confirms that no easier kind of reasoning proves the cells of these lessons."""
    (text,) = (one["position"] for one in lessons() if one["id"] == lesson)
    seen = parse_position(text)
    oracle = ProofOracle(seen)
    expected = easiest_kinds(oracle, True)
    explainer = PositionExplainer(seen)
    for cell, wanted in expected.items():
        found = explainer.explain(seen.grid.cell(cell))
        check_sound(oracle, found)
        assert kind_of(found) == wanted
    assert kind in expected.values()


def test_a_pattern_is_shown_before_a_contradiction() -> None:
    """After the first click of this game, two 1s at the edge prove a cell safe."""
    game = mw.Game(mw.BEGINNER, 7)
    game.play(mw.Move(mw.Action.OPEN, mw.Cell(0, 0)))
    found = PositionExplainer(game.observation).easiest()
    assert found is not None
    assert (found.cell, found.proved) == ((2, 2), "safe")
    assert [step.rule for step in found.steps] == ["1-1"]
    assert found.difficulty == 2.0


def test_a_sat_solver_confirms_every_step_of_expert_positions() -> None:
    kinds = set()
    for seen in midgames(6, seed=30):
        explainer = PositionExplainer(seen)
        for index in (*explainer.facts.safe, *explainer.facts.mined)[::3]:
            found = explainer.explain(seen.grid.cell(index))
            check_steps_by_sat(seen, found)
            kinds.add(kind_of(found))
    assert {0, 1} <= kinds


def test_a_hint_is_as_easy_as_any_proof() -> None:
    """A hint is as easy as the easiest explanation of any safe cell."""
    by_cases = [wall_position(seed) for seed in (1953, 3395, 5134)]  # proofs of different lengths
    for seen in (*midgames(5, seed=60), *by_cases):
        hint = PositionExplainer(seen).easiest()
        explainer = PositionExplainer(seen)
        every = [explainer.explain(seen.grid.cell(index)) for index in explainer.facts.safe]
        assert (hint is None) == (not every)
        if hint is not None:
            assert hint.difficulty == min(one.difficulty for one in every)


def test_the_nearest_of_equally_easy_proofs() -> None:
    """A hint near a cell is one of the easiest; if its proof has one step, it is the nearest."""
    for seen in midgames(3):
        explainer, grid = PositionExplainer(seen), seen.grid
        easiest = explainer.easiest()
        if easiest is None:
            continue
        every = [explainer.explain(grid.cell(index)) for index in explainer.facts.safe]
        for near in (0, grid.size - 1):
            found = PositionExplainer(seen).easiest(near)
            assert found is not None
            assert found.difficulty == easiest.difficulty
            if len(found.steps) == 1:
                equal = [one.cell for one in every if one.difficulty == found.difficulty]
                least = min(grid.distance(near, grid.index(cell)) for cell in equal)
                assert grid.distance(near, grid.index(found.cell)) == least
