"""`mw.explain`: the contract, the rules of proofs, and their wording."""

from __future__ import annotations

import json
import re

import pytest
from layout_oracle import MODELS, random_position
from midgames import midgame, midgames

import mineproof as mw
from mineproof.core.clues import ClueRule
from mineproof.inference.clue_graph import MINE_COUNT
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.kinds import Deduction, Rule, count_steps, difficulty
from mineproof.proof.phrases import number

FIELDS = [
    "cell", "proved", "clues", "uses_mine_count", "smallest", "rule", "difficulty", "risk", "text",
    "steps",
]  # fmt: skip
WALL = "{width}x3x{mines}\n{unopened}\n{clues}\n{zeros}\n"


def wall(clues: str, mines: int) -> str:
    """Return clues along a row of unopened cells, with opened cells behind them."""
    width = len(clues)
    return WALL.format(
        width=width, mines=mines, unopened="H" * width, clues=clues, zeros="0" * width
    )


@pytest.mark.parametrize(
    ("text", "cell", "proved", "rule", "clues"),
    [
        ("3x1x1\n0H1\n", (0, 1), None, None, None),
        ("2x1x1\n1H\n", (0, 1), "mined", "needs-all", [(0, 0)]),
        ("3x2x1\n0HH\nHHH\n", (0, 1), "safe", "satisfied", [(0, 0)]),
        ("3x2x1\n1MH\n1HH\n", (1, 1), "safe", "satisfied", [(0, 0)]),
        (wall("-12-", 2), (0, 3), "mined", "difference", [(1, 1), (1, 2)]),
        ("4x2x2\nHHHH\n11HH\n", (0, 2), "safe", "inside", [(1, 0), (1, 1)]),
        ("4x1x1\nH1HH\n", (0, 3), "safe", "mine-count", [(0, 1)]),
        ("2x2x4\nHH\nHH\n", (0, 0), "mined", "mine-count", []),
    ],
)
def test_the_simplest_rule_is_named(
    text: str,
    cell: tuple[int, int],
    proved: str | None,
    rule: str | None,
    clues: list[tuple[int, int]] | None,
) -> None:
    """Each rule is named in a position that needs it."""
    if clues is None:
        with pytest.raises(mw.ContradictionError):
            mw.explain(text, cell)
        return
    found = mw.explain(text, cell)
    assert (found.proved, found.rule, list(found.clues)) == (proved, rule, clues)


@pytest.mark.parametrize(
    ("clues", "mines", "cell", "pattern"),
    [
        ("-12-", 2, (0, 3), "1-2 "),
        ("-121-", 2, (0, 2), "1-2-1 "),
        ("-1221-", 2, (0, 3), "1-2-2-1 "),
    ],
)
def test_patterns_are_named(clues: str, mines: int, cell: tuple[int, int], pattern: str) -> None:
    found = mw.explain(wall(clues, mines), cell)
    assert f"{pattern}pattern" in found.text.lower(), found.text
    assert pattern.strip() in [step.rule for step in found.steps]
    assert found.text.count("pattern") == 1


def test_the_1_1_pattern_is_named() -> None:
    """Two 1s at the end of a wall make the third cell safe."""
    found = mw.explain("4x2x2\nHHHH\n11HH\n", (0, 2))
    assert found.text == (
        "1-1 pattern: the cells of the 1 at (1, 0) hold one mine and all belong to the 1 at (1, 1) "
        "too, which has no other mines, so (0, 2) is safe."
    )
    assert [(step.rule, step.kind) for step in found.steps] == [("1-1", "two clues")]
    assert found.rule == "inside"


def test_json_has_the_fields_of_the_contract() -> None:
    """`to_json` writes exactly these fields, in this order."""
    found = mw.explain("2x1x1\n1H\n", (0, 1))
    plain = json.loads(found.to_json())
    assert list(plain) == FIELDS
    assert plain["cell"] == [0, 1]
    assert plain["clues"] == [[0, 0]]
    assert (plain["risk"], plain["difficulty"]) == (1.0, 1.0)
    assert plain["text"] == (
        "The 1 at (0, 0) needs one mine and has only one unopened neighbour, so (0, 1) is a mine."
    )
    [step] = plain["steps"]
    assert list(step)[:4] == ["rule", "clues", "cells", "text"]
    assert (step["rule"], step["clues"], step["cells"]) == ("needs-all", [[0, 0]], [[0, 1]])
    assert (step["proved"], step["kind"]) == ("mined", "one clue")
    assert plain["text"].lower() == f"{step['text']}.".lower()


@pytest.mark.parametrize(
    ("text", "cell", "proved", "words"),
    [
        ("2x1x1\n1H\n", (0, 0), "safe", "(0, 0) is open and shows 1."),
        ("2x1x1\n1M\n", (0, 1), "mined", "(0, 1) is a mine that is already shown."),
        ("2x1x1\n-M\n", (0, 0), "safe", "(0, 0) is open and shows no clue."),
    ],
)
def test_open_cells_say_what_they_show(
    text: str, cell: tuple[int, int], proved: str, words: str
) -> None:
    """An open cell needs no proof."""
    found = mw.explain(text, cell)
    assert (found.proved, found.rule, found.clues, found.text) == (proved, "given", (), words)


def test_a_guess_says_where_its_risk_comes_from() -> None:
    """The explanation of a risk counts arrangements and names the alternatives."""
    found = mw.explain("3x2x1\nHHH\n111\n", (0, 1))
    assert found.proved == "mined"
    found = mw.explain("2x2x1\nHH\n11\n", (0, 0))
    assert (found.proved, found.rule, found.risk) == (None, "guess", 0.5)
    assert found.text == (
        "(0, 0) is not proved. Its risk is 50.0\u00a0%. "
        "The 1 at (1, 0) and the 1 at (1, 1) leave two possible arrangements of two cells. "
        "It is a mine in one of them. "
        "All have the same number of mines, so they are equally likely. "
        "No cell is proved safe. "
        "No cell has a lower risk, and one other cell has the same."
    )


def test_a_cell_without_clues_states_the_expected_mines() -> None:
    """Cells that no clue touches share the mines left for them."""
    found = mw.explain("6x1x2\nH1HHHH\n", (0, 5))
    assert found.clues == ()
    assert "No clue touches it." in found.text
    assert "About 1.0 mines are expected in the three cells" in found.text


def test_flags_count_only_when_they_are_facts() -> None:
    """A flag is only a note unless `flags_are_mines` is set."""
    text = "3x1x1\nF1H\n"
    assert mw.explain(text, (0, 2)).proved is None
    assert mw.explain(text, (0, 2), flags_are_mines=True).proved == "safe"
    seen = mw.Observation(mw.PublicRules(1, 3, 1), bytes([9, 1, 9]), bytes([1, 0, 0]))
    assert mw.explain(seen, (0, 2), flags_are_mines=True).proved == "safe"


def test_clue_models_are_taken_into_account() -> None:
    """A cautious clue proves no mine, an optimistic one no safe cell."""
    text = "2x1x?\n1H\n"
    assert mw.explain(text, (0, 1)).proved == "mined"
    assert mw.explain(text, (0, 1), clues="cautious").proved is None
    assert mw.explain(text, (0, 1), clues="optimistic").proved == "mined"


def test_cells_off_the_board_are_refused() -> None:
    with pytest.raises(mw.InputError, match="expected a cell on the 1x2 board"):
        mw.explain("2x1x1\n1H\n", (1, 0))


def check_order(steps: tuple[Deduction, ...], known: set[int], groups: set[int]) -> None:
    """Check that every step depends only on earlier ones, even inside assumptions."""
    for step in steps:
        assert known >= set(step.known)
        assert groups >= {clue for clue in step.clues if clue >= FIRST_GROUP}
        if step.clash is not None:
            inside, made = known | set(step.cells), set(groups)
            check_order(step.inner, inside, made)
            assert inside >= set(step.clash.known)
        if step.mined is None:
            groups.add(step.group)
        else:
            known |= set(step.cells)


def used_by(steps: tuple[Deduction, ...]) -> set[int]:
    """Return the cells and groups that steps use, including those that contradict each other."""
    found: set[int] = set()
    for step in steps:
        found.update(step.known, step.clues, used_by(step.inner))
        if step.clash is not None:
            found.update(step.clash.known, step.clash.clues)
    return found


def check_needed(steps: tuple[Deduction, ...], target: int) -> None:
    """Check that every conclusion is used later, and that the last one is the target."""
    for place, step in enumerate(steps):
        later = used_by(steps[place + 1 :])
        if step.mined is None:
            assert step.group in later
        else:
            assert set(step.cells) <= later | {target}
    assert steps[-1].cells == (target,)


def test_steps_are_in_order_and_needed() -> None:
    """Every step is needed, uses only earlier steps, and names exactly the clues it uses."""
    hardest = set()
    for seen in midgames(8):
        explainer = PositionExplainer(seen)
        for index in (*explainer.facts.safe, *explainer.facts.mined):
            steps = explainer.proof(index)
            check_order(steps, set(), set())
            check_needed(steps, index)
            found = explainer.explain(seen.grid.cell(index))
            for step in found.steps:
                named = re.findall(r"the (\d) at \((\d+), (\d+)\)", step.text)
                assert all(seen[int(r), int(c)] == int(digit) for digit, r, c in named)
                if len(step.clues) <= 6:
                    assert {(int(r), int(c)) for _, r, c in named} == set(step.clues)
            end = "is safe." if found.proved == "safe" else "is a mine."
            assert found.text.endswith(f"{found.cell} {end}")
            hardest.add(found.rule)
    assert {"satisfied", "needs-all", "inside", "difference"} <= hardest


def test_an_endgame_summarises_the_proved_mines() -> None:
    """Clues all over the board are summarised by the mines they prove."""
    endgames = []
    for seed in (6, 151):
        seen = midgame(mw.EXPERT, seed)
        assert seen is not None
        explainer = PositionExplainer(seen)
        found = [explainer.explain(seen.grid.cell(index)) for index in explainer.facts.safe]
        endgames += [one for one in found if one.uses_mine_count]
    assert len(endgames) >= 2
    for one in endgames:
        *_, mines, last = one.steps
        assert (mines.rule, mines.proved, last.kind) == ("together", "mined", "mine count")
        left = 99 - len(mines.cells)
        assert f"prove {len(mines.cells)} mines, which leaves {number(left)} " in mines.text


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_cell_of_small_positions_is_explained(model: ClueRule) -> None:
    """Under every clue rule, explanations are found and match the facts."""
    for seed in range(40):
        seen = random_position(seed, model)
        explainer = PositionExplainer(seen)
        for cell in seen.grid.cells():
            found = explainer.explain(cell)
            assert found.text.endswith(".")
            assert str(cell) in found.text


def test_difficulty_grows_with_the_kind_and_the_steps() -> None:
    """A proof is as hard as its hardest step, and each further step adds a little."""
    easy = Deduction(Rule.SATISFIED, (1,), False)
    hard = Deduction(Rule.CASES, (2,), True, inner=(easy, easy))
    assert difficulty(()) == 0.0
    assert difficulty((easy,)) == 1.0
    assert difficulty((easy, easy)) == 1.1
    assert difficulty((easy, hard)) == 4.3
    assert count_steps((easy, hard)) == 4
    assert difficulty((easy,) * 50) < 2
    assert difficulty((Deduction(Rule.ARRANGEMENTS, (1,), False),)) == 4.9
    assert difficulty((Deduction(Rule.SATISFIED, (1,), False, (MINE_COUNT,)),)) == 5.0
