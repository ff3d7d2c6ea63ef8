"""Features that only the native engine has: large boards, assumptions, signals and threads."""

from __future__ import annotations

import math
import random
import signal
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

import pytest
from conftest import Require
from layout_oracle import MODELS, expected_mines, random_position
from search_positions import guess_positions

from mineproof.backend import native
from mineproof.core.board import deal
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError
from mineproof.core.observation import Observation
from mineproof.core.rules import EXPERT, PublicRules, Rules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import (
    Density,
    Facts,
    Known,
    Prior,
    Range,
    count,
    count_text,
    reference,
)
from mineproof.inference.local import ImpossibleError, settle
from mineproof.notation.position_text import format_position, parse_position


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", native is not None, "the native core is not built")
    return native


@pytest.fixture(scope="module")
def engine(core: Any) -> ModuleType:
    """Return the adapter of the native engine."""
    from mineproof.inference.counting import native as adapter

    return adapter


def scattered(rules: Rules, opened: int, clues: str = "exact", seed: int = 1) -> Observation:
    """Open safe cells all over a board, without flooding."""
    board, model = deal(rules, seed, (0, 0)), ClueRule.parse(clues)
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    shown = bytearray([UNOPENED]) * len(board.mined)
    for index in random.Random(seed).sample(safe, opened):
        degree = len(board.grid.neighbours(index))
        shown[index] = model.show(seed, index, board.clues[index], degree)
    rules_seen = PublicRules(rules.rows, rules.columns, rules.mines, clues=model)
    return Observation(rules_seen, bytes(shown))


def agree(facts: Facts, expected: Facts) -> None:
    """Check that two engines agree on a position."""
    assert facts.safe == expected.safe
    assert facts.mined == expected.mined
    assert facts.layouts == expected.layouts
    for ours, theirs in zip(facts.risk, expected.risk, strict=True):
        assert math.isnan(ours) == math.isnan(theirs)
        assert math.isnan(ours) or math.isclose(ours, theirs, rel_tol=1e-12)
    unopened = facts.observation.unopened
    for index in unopened[:: max(1, len(unopened) // 2)]:
        assert facts.values(index) == pytest.approx(expected.values(index), abs=1e-12)


LARGE: list[tuple[str, int, str]] = [
    ("40x40/300", 150, "exact"),  # many small components: the mixture is tilted
    ("60x60/40", 300, "exact"),
    ("40x40/1300", 80, "exact"),
    ("30x30/140", 30, "cautious"),
    ("2x200/80", 90, "optimistic"),
]


@pytest.mark.parametrize(("level", "opened", "clues"), LARGE)
@pytest.mark.parametrize("kind", ["known", "off", "range", "density"])
def test_large_boards(engine: ModuleType, level: str, opened: int, clues: str, kind: str) -> None:
    """On large boards, the numbers of layouts exceed the range of doubles."""
    seen = scattered(Rules.parse(level), opened, clues)
    mines = seen.rules.mines or 0
    priors: dict[str, Prior] = {
        "known": Known(mines),
        "off": Known(mines - mines // 8),
        "range": Range(mines - 5, mines + 5),
        "density": Density(0.13),
    }
    try:
        expected = reference.count(seen, priors[kind], Budget())
    except ImpossibleError:
        with pytest.raises(ImpossibleError):
            engine.count(seen, priors[kind], Budget())
        return
    agree(engine.count(seen, priors[kind], Budget()), expected)


def comb(columns: int, step: int, shown: int, clues: str) -> Observation:
    """Return three rows with a clue every few cells in the middle row, which form one component."""
    codes = bytearray([UNOPENED]) * (3 * columns)
    for column in range(1, columns, step):
        codes[columns + column] = shown
    rules = PublicRules(3, columns, None, clues=ClueRule.parse(clues))
    return Observation(rules, bytes(codes))


LONG: list[tuple[int, str, Prior]] = [
    (150, "exact", Density(0.01)),
    (150, "exact", Density(0.9)),
    (150, "exact", Range(0, 10**6)),
    (150, "exact", Known(110)),
    (370, "exact", Density(0.3)),  # the forward pass itself leaves the range of doubles
    (80, "optimistic", Density(0.3)),
    (60, "cautious", Range(0, 60)),
]


@pytest.mark.parametrize(("columns", "clues", "prior"), LONG)
def test_one_long_component(engine: ModuleType, columns: int, clues: str, prior: Prior) -> None:
    """A long component has more layouts than fit into a double."""
    seen = comb(columns, 2, 2, clues)
    facts, expected = (
        engine.count(seen, prior, Budget()),
        reference.count(seen, prior, Budget(nodes=10**9)),
    )
    assert facts.layouts == expected.layouts
    assert expected.layouts is not None
    assert expected.layouts.bit_length() > columns
    for ours, theirs in zip(facts.risk, expected.risk, strict=True):
        assert math.isnan(ours) or math.isclose(ours, theirs, rel_tol=1e-12)
    layout = facts.sample(5)
    assert all(
        sum(layout[other] for other in seen.grid.neighbours(index)) == 2
        for index, code in enumerate(seen.shown)
        if code != UNOPENED and clues == "exact"
    )


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_suppositions(core: Any, engine: ModuleType, model: ClueRule) -> None:
    """Assuming clues gives the same results as a position whose cells really show them."""
    tried = 0
    for seed in range(150):
        seen = random_position(seed, model)
        rules = seen.rules
        prior = ("density", 0.3, 0.3)
        if not (seed % 3 or rules.mines is None):
            prior = ("known", rules.mines, rules.mines)
        rest = (model.name, prior, core.Limits())
        solved = core.SolvedPosition(rules.rows, rules.columns, seen.shown, *rest)
        if solved.status:
            continue
        layout = solved.sample(seed)
        free = [index for index in seen.unopened if not layout[index]]
        for place in range(min(4, len(free))):
            wrong = seed % 4 == place  # otherwise, a possible clue
            clues = [
                (cell, sum(layout[near] for near in seen.grid.neighbours(cell)) + wrong)
                for cell in free[place : place + 1 + place % 3]
            ]
            opened = bytearray(seen.shown)
            for cell, clue in clues:
                opened[cell] = clue
            after = core.SolvedPosition(rules.rows, rules.columns, bytes(opened), *rest)
            supposed = solved.suppose(clues, core.Limits())
            assert (supposed is None) == (after.status == 1)
            if supposed is not None:
                tried += len(clues) > 1
                assert supposed[1] == after.verdicts
                assert array("d", supposed[0]) == pytest.approx(
                    array("d", after.risks), nan_ok=True
                )
    assert tried > 50


def questions(core: Any) -> dict[str, Any]:
    """Return all questions about a stuck position, by name, as functions of (position, number)."""
    limits, settings = core.Limits(), core.GuessSettings()
    deep = core.DeepSettings(*[core.GuessSettings(layouts=20)] * 4, 3, 0.05)
    return {
        "values": lambda solved, cell: solved.values(cell, limits),
        "suppose": lambda solved, cell: solved.suppose([(cell, 2)], limits),
        "sample": lambda solved, cell: solved.sample(cell),
        "layouts": lambda solved, cell: solved.layouts(limits),
        "guess": lambda solved, cell: solved.guess(settings, limits),
        "win": lambda solved, cell: solved.win_chances(500, True, core.Limits(20_000)),
        "deep": lambda solved, cell: solved.guess_deep(deep, 6, 9.0, cell, 1, None, limits),
        "play": lambda solved, cell: solved.play_layouts([cell], settings, 2, 9.0, cell),
        "risks": lambda solved, cell: (solved.risks, solved.verdicts),
    }


def with_hidden_mines() -> Observation:
    """Return a stuck position with proved mines that no single clue proves."""
    for seen in guess_positions():
        settled = settle(seen.shown, seen.grid, seen.rules.clues, None)
        if len(reference.count(seen, Known(seen.rules.mines or 0), Budget()).mined) > len(
            settled.mined
        ):
            return seen
    raise AssertionError("expected such a position among many")


@pytest.mark.parametrize("hidden", [False, True])
def test_questions_leave_no_trace(core: Any, hidden: bool) -> None:
    """The answers do not depend on earlier questions or their order."""
    seen = with_hidden_mines() if hidden else guess_positions()[0]
    rules, asked = seen.rules, questions(core)
    free = [i for i in seen.unopened if i not in count(seen).mined]

    def fresh() -> Any:
        prior = ("known", rules.mines, rules.mines)
        shape = (rules.rows, rules.columns, seen.shown)
        return core.SolvedPosition(*shape, "exact", prior, core.Limits())

    used, dice = fresh(), random.Random(5)
    for _ in range(80):
        name, cell = dice.choice(sorted(asked)), dice.choice(free)
        assert asked[name](used, cell) == asked[name](fresh(), cell), name
        if dice.random() < 0.3:  # a question that is interrupted
            with pytest.raises(core.WorkLimit):
                used.values(max(free, key=lambda i: len(seen.grid.neighbours(i))), core.Limits(0))


def test_a_position_can_be_asked_by_many_threads(core: Any) -> None:
    """While one thread is busy, another one gets the same answers."""
    seen, asked = guess_positions()[0], questions(core)
    rules = seen.rules
    prior = ("known", rules.mines, rules.mines)
    solved = core.SolvedPosition(
        rules.rows, rules.columns, seen.shown, "exact", prior, core.Limits()
    )
    expected = asked["guess"](solved, 0)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda cell: asked["guess"](solved, cell), range(40)))
    assert all(answer == expected for answer in answers)


def test_memory_is_bounded(core: Any) -> None:
    """Tables that exceed the memory limit raise the same error as too much work."""
    seen = scattered(EXPERT, 120)
    arguments = (16, 30, seen.shown, "exact", ("known", 99, 99))
    assert core.SolvedPosition(*arguments, core.Limits(memory=10**8)).status == 0
    assert core.SolvedPosition(*arguments, core.Limits(memory=1000)).status == 2


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2x1x1\nHH\n", True),
        ("2x1x1\nHH", True),
        ("\n \t\n2x1x1 \r\n HH\r\n\n\n", True),
        ("3x2x1\nF.?\n-1M\n", False),  # two mines are shown, but the header says one
        ("3x2x2\nF.?\n-2M\n", True),
        ("2x1x?\nHH\n", False),
        ("2x1x1\nHH\n\n2x1x1\nHH\n", False),
        ("2x1x1\nHHH\n", False),
        ("2x1x1\nH\n", False),
        ("2x1x1\nhH\n", False),
        ("2x2x1\nHH\n", False),
        ("2x1x3\nHH\n", False),
        ("2x1x1\n2H\n", False),  # more than the cell has neighbours
        ("2x1x1\n9H\n", False),
        ("0x0x0\n", False),
        ("1001x1x1\n" + "H" * 1001, False),
        ("2x1x0000000001\nHH\n", False),
        ("\ufeff2x1x1\nHH\n", False),
        ("", False),
    ],
)
def test_plain_texts(engine: ModuleType, text: str, plain: bool) -> None:
    """The core parses plain positions. Python parses all other positions."""
    facts = engine.count_text(text, Budget())
    assert (facts is not None) == plain
    if facts is not None:
        assert facts.observation == parse_position(text)
        assert facts.mines == facts.observation.rules.mines
        agree(facts, reference.count(facts.observation, facts.prior, Budget()))


def test_texts_that_contradict_themselves(engine: ModuleType) -> None:
    """For clues that contradict each other, the error names the same clues as in Python."""
    text = "3x3x1\n1HH\n1H3\nHHH\n"
    with pytest.raises(ContradictionError) as ours:
        count_text(text, Budget())
    seen = parse_position(text)
    with pytest.raises(ContradictionError) as theirs:
        count(seen)
    assert (str(ours.value), ours.value.conflict) == (str(theirs.value), theirs.value.conflict)


class AlarmError(Exception):
    """An exception raised by the tests' signal handler."""


@contextmanager
def alarm(handler: Any, again: float = 0.0) -> Iterator[None]:
    """Call a signal handler once or repeatedly while the block runs."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


HOPELESS = scattered(Rules.parse("100x100/2000"), 5000, "optimistic")


def hopeless(core: Any, seconds: float | None) -> Any:
    """Solve a position that takes too long to count."""
    rules = HOPELESS.rules
    shape = (rules.rows, rules.columns, HOPELESS.shown)
    prior = ("density", 0.2, 0.2)
    return core.SolvedPosition(*shape, "optimistic", prior, core.Limits(10**12, seconds))


def test_a_signal_ends_a_long_count(core: Any) -> None:
    def raise_alarm(number: int, frame: FrameType | None) -> None:
        raise AlarmError

    with pytest.raises(AlarmError), alarm(raise_alarm):
        hopeless(core, None)


def solved_text(core: Any, text: str) -> tuple[bytes, bytes]:
    """Return the risks and verdicts of a plain position."""
    solved = core.solve_text(text, core.Limits())
    return solved.risks, solved.verdicts


def test_a_signal_handler_may_count_too(core: Any) -> None:
    text = format_position(scattered(EXPERT, 100))
    expected = solved_text(core, text)
    answers = []

    def count(number: int, frame: FrameType | None) -> None:
        answers.append(solved_text(core, text))

    with alarm(count, again=0.05):
        solved = hopeless(core, 0.3)
    assert (solved.status, solved.risks, solved.verdicts) == (2, b"", b"")
    assert answers
    assert all(answer == expected for answer in answers)
    assert solved_text(core, text) == expected


def test_threads_do_not_disturb_each_other(core: Any) -> None:
    texts = [format_position(scattered(EXPERT, 20 + seed, seed=seed)) for seed in range(60)]
    expected = [solved_text(core, text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: solved_text(core, text), texts * 3)) == expected * 3


@pytest.mark.parametrize("level", ["1x1/0", "1x1000/200", "1000x1/300", "2x2/1", "1000x1000/90000"])
def test_odd_sizes(engine: ModuleType, level: str) -> None:
    """On boards of one to a million cells, risks add up to the mine count and proofs are true."""
    rules = Rules.parse(level)
    opened = min(rules.rows * rules.columns - rules.mines, 3000) // 2
    seen = scattered(rules, opened)
    facts = engine.count(seen, Known(rules.mines), Budget())
    assert expected_mines(facts) == pytest.approx(rules.mines, rel=1e-12)
    mined = deal(rules, 1, (0, 0)).mined
    assert not any(mined[index] for index in facts.safe)
    assert all(mined[index] for index in facts.mined)
    layout = facts.sample(3)
    assert sum(layout) == rules.mines
