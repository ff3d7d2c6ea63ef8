"""Throw good and hostile arguments at the native core: `fuzz_border.py MODULE.so [ROUNDS]`.

Run by `test_sanitizers.py` with a core built to abort on any memory error. What is right must
equal the Python twin; what is wrong must raise one of `REFUSALS`. To cover a new function with
arguments that make sense, add a generator of calls to `SENSIBLE`.
"""

from __future__ import annotations

import importlib.util
import random
import struct
import sys
from array import array
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

REFUSALS = (TypeError, ValueError, OverflowError, RuntimeError, MemoryError)
"""What a call may raise: builtins, or the classes of `mineproof.core.errors`, all of these."""

HOSTILE: tuple[object, ...] = (
    *(None, True, 0, 1, -1, 2, 9, 16, 255, 256, 999, 1000, 1001, 2**31 - 1, -(2**31), 2**31),
    *(2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**40, 0.5, float("nan"), float("inf"), 1j),
    *("", "any", "safe", "opening", "given", "lose", "\0", "\ud800", "x" * 10_000, "9x9x10\n"),
    *(b"", b"\0", b"\x09" * 81, b"\x0b" * 9, b"\xff" * 64, bytearray(9), memoryview(b"\0" * 9)),
    *([], [0], [-1], [2**70], [None], [[0]], (), (0, 0), {}, {0: 0}, {1, 2}, range(3), object),
)


def noise(width: int, inner: int) -> bytes:
    """Give the data of an evaluation with random weights."""
    dice = random.Random(width)
    count = 624 * width + inner * (width + 1) + inner + 1
    weights = (dice.gauss(0, 0.5) for _ in range(count))
    return b"MINEVAL1" + struct.pack(f"<2I{count}f", width, inner, *weights)


def load(path: str) -> ModuleType:
    """Load the core at this path in place of the installed one."""
    spec = importlib.util.spec_from_file_location("mineproof._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["mineproof._native"] = module
    return module


def fuzz_deal(core: ModuleType, dice: random.Random) -> None:
    """Deal a board of any kind; it must be the one that Python deals."""
    from mineproof.core.board import deal
    from mineproof.core.rules import Rules, Start

    rows, columns = dice.choice((1, 2, 3, 9, 40)), dice.choice((1, 2, 5, 30, 1000))
    cells = rows * columns
    mines = dice.choice((0, cells // 5, cells - 1, dice.randrange(cells)))
    start = dice.choice(("any", "safe", "opening", "given"))
    first, seed = dice.randrange(cells), dice.choice((0, 2**64 - 1, dice.getrandbits(64)))
    dealt = core.deal(rows, columns, mines, start, first, seed)
    rules = Rules(rows, columns, mines, Start.parse(start))
    assert dealt == deal(rules, seed, divmod(first, columns)).mined, (rules, first, seed)


def any_position(dice: random.Random) -> tuple[int, int, bytes]:
    """Give a small board that shows anything at all, mostly unopened cells."""
    rows, columns = dice.choice((1, 2, 3, 4, 6)), dice.choice((1, 2, 3, 5, 7))
    few = dice.choice((1, 2, 5))
    codes = [*range(12), *[9] * (12 * few), *[1] * few]
    return rows, columns, bytes(dice.choice(codes) for _ in range(rows * columns))


def any_prior(dice: random.Random, cells: int) -> tuple[str, float, float]:
    """Give a prior as the core takes it."""
    mines = dice.randrange(cells + 1)
    ranges = ("known", mines, mines), ("range", mines, mines + dice.randrange(4))
    density = dice.choice((1e-9, 0.2, 0.5, 0.999))
    return dice.choice((*ranges, ("density", density, density)))


def fuzz_solve(core: ModuleType, dice: random.Random) -> None:
    """Solve positions that mean something and such that do not; Python must agree."""
    from mineproof.core.clues import ClueModel
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.inference.counting import Density, Known, Range
    from mineproof.inference.counting.budget import Budget
    from mineproof.inference.counting.reference import ReferenceFacts
    from mineproof.inference.local import ImpossibleError

    rows, columns, shown = any_position(dice)
    clues = dice.choice(("exact", "withheld:0.5", "optimistic", "cautious"))
    kind, low, high = any_prior(dice, len(shown))
    priors = {"known": Known(int(low)), "range": Range(int(low), int(high))}
    prior = priors.get(kind) or Density(low)
    model = ClueModel.parse(clues)
    answer = core.solve(rows, columns, shown, model.kind.value, kind, low, high, 10**6, None)
    status, risks, verdicts, _ = answer
    try:
        rules = PublicRules(rows, columns, None, clues=model)
        facts = ReferenceFacts(Observation(rules, shown), prior, Budget())
    except ImpossibleError:
        assert status == 1, (rows, columns, shown, clues, prior)
        return
    assert status == 0, (rows, columns, shown, clues, prior)
    for index, (ours, risk) in enumerate(zip(array("d", risks), facts.risk, strict=True)):
        assert ours == risk or abs(ours - risk) < 1e-12 or shown[index] != 9, (shown, index)
    assert [i for i, verdict in enumerate(verdicts) if verdict == 1] == list(facts.safe)
    assert [i for i, verdict in enumerate(verdicts) if verdict == 2] == list(facts.mined)


def fuzz_posterior(core: ModuleType, dice: random.Random) -> None:
    """Ask a solved position all that can be asked, in any order."""
    rows, columns, shown = any_position(dice)
    clues = dice.choice(("exact", "optimistic", "cautious"))
    arguments = (rows, columns, shown, clues, *any_prior(dice, len(shown)), 10**6, None)
    status, risks, _, _ = core.solve(*arguments)
    if status:
        assert survive(core.Posterior, arguments)
        return
    posterior, risk = core.Posterior(*arguments), array("d", risks)
    for index, code in enumerate(shown):
        if code != 9:
            assert survive(posterior.values, (index,))
            continue
        assert abs(sum(posterior.values(index)) - (1 - risk[index])) < 1e-12
        posterior.suppose([(index, dice.randrange(9))])
        layout = posterior.sample(dice.getrandbits(64))
        assert layout[index] in ((0,) if risk[index] == 0 else (1,) if risk[index] == 1 else (0, 1))
    assert all(sum(counts) > 0 for _, counts in posterior.polynomials())
    for name in ("values", "suppose", "sample"):
        for call in hostile_calls(dice):
            survive(getattr(posterior, name), call)


def fuzz_text(core: ModuleType, dice: random.Random) -> None:
    """Read texts with a fault or none: what the core takes, Python takes, and alike."""
    from mineproof.core.errors import NotationError
    from mineproof.notation.position import parse_position

    rows, columns, shown = any_position(dice)
    letters = "".join("012345678H-M"[code] for code in shown)
    lines = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    text = "\n".join([f"{columns}x{rows}x{dice.randrange(len(shown) + 1)}", *lines, ""])
    for _ in range(dice.choice((0, 0, 1, 2))):
        place = dice.randrange(len(text) + 1)
        inserted = dice.choice(("", "\n", " ", "\r", "H", "9", "x", "F?", "\0", "\ufeff", "é"))
        text = text[:place] + inserted + text[place + dice.choice((0, 0, 1)) :]
    answer = core.solve_text(text, 10**6)
    if answer is None:
        return
    try:
        seen = parse_position(text)
    except NotationError as error:
        raise AssertionError(f"expected {text!r} to be refused: {error}") from None
    expected = (seen.rules.rows, seen.rules.columns, seen.rules.mines, seen.shown)
    assert answer[:4] == expected, text


def fuzz_play(core: ModuleType, dice: random.Random) -> None:
    """Play small boards of any shape to their ends."""
    rows, columns = dice.choice((1, 2, 5, 9)), dice.choice((1, 3, 9, 20))
    cells = rows * columns
    mines = dice.randrange(cells)
    first, seed = dice.randrange(cells), dice.getrandbits(64)
    start = dice.choice(("any", "safe", "opening"))
    seeds = [(seed + i) % 2**64 for i in range(5)]
    boards = b"".join(core.deal(rows, columns, mines, start, first, s) for s in seeds)
    games = core.play_exact(rows, columns, mines, boards, first)
    results = [result for result, *_ in games]
    summary = core.simulate_exact(rows, columns, mines, start, first, seed, 5)
    assert summary[:3] == (results.count("win"), results.count("loss"), results.count("stuck"))
    assert summary[3:5] == (sum(game[1] for game in games), sum(game[2] for game in games))
    assert summary[5] <= 5 * (cells - mines)


def fuzz_champion(core: ModuleType, dice: random.Random) -> None:
    """Play small boards with and without an evaluation; a simulation plays the same games."""
    rows, columns = dice.choice((1, 2, 5, 9)), dice.choice((1, 3, 9, 20))
    cells = rows * columns
    mines, first, seed = dice.randrange(cells), dice.randrange(cells), dice.getrandbits(64)
    start = dice.choice(("any", "safe", "opening"))
    seeds = [(seed + i) % 2**64 for i in range(4)]
    boards = b"".join(core.deal(rows, columns, mines, start, first, s) for s in seeds)
    settings = core.GuessSettings(layouts=dice.choice((0, 20, 500)), margin=dice.choice((0, 0.1)))
    evaluation = dice.choice((None, core.Evaluation(noise(dice.choice((1, 5)), 3))))
    games = core.play_champion(rows, columns, mines, boards, first, settings, evaluation)
    traces = core.simulate_champion(
        rows, columns, mines, start, first, seed, 4, settings, evaluation
    )
    names = ("win", "loss", "stuck")
    found = [(names[a], b, c) for a, b, c, *_ in struct.iter_unpack("<4I4f", traces)]
    assert found == [game[:3] for game in games], (rows, columns, mines, start, first, seed)


def fuzz_guess(core: ModuleType, dice: random.Random) -> None:
    """Guess in positions of all kinds: the twin in Python must guess the same, or refuse too."""
    from mineproof.core.errors import InputError
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.inference.counting import Density, Known
    from mineproof.inference.counting.reference import count
    from mineproof.search.evaluation import Evaluation
    from mineproof.search.guessing import choose_in_python
    from mineproof.search.settings import GuessSettings

    rows, columns, shown = any_position(dice)
    mines = dice.randrange(len(shown) + 1)
    known = dice.random() < 0.7
    prior = ("known", mines, mines) if known else ("density", 0.3, 0.3)
    usual = GuessSettings(layouts=dice.choice((0, 50)), margin=dice.choice((0, 0.2)))
    data = noise(4, 3) if known and dice.random() < 0.5 else None
    settings = core.GuessSettings(layouts=usual.layouts, margin=usual.margin)
    arguments = (rows, columns, shown, *prior, settings, data and core.Evaluation(data))
    try:
        seen = Observation(PublicRules(rows, columns, mines if known else None), shown)
        facts = count(seen, Known(mines) if known else Density(0.3))
    except InputError:
        assert survive(core.guess, arguments), (rows, columns, shown, prior)
        return
    if facts.safe:
        assert survive(core.guess, arguments), (rows, columns, shown, prior)
        return
    answer = core.guess(*arguments)
    choice = choose_in_python(facts, usual, data and Evaluation(data))
    assert (answer and answer[0]) == (choice and choice.index), (rows, columns, shown, prior)


def fuzz_endgame(core: ModuleType, dice: random.Random) -> None:
    """Search positions that mean something and such that do not; Python must agree."""
    from mineproof.core.errors import InputError
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.search.winning import WinLimits, search_in_core, search_in_python

    rows, columns, shown = any_position(dice)
    seen = Observation(PublicRules(rows, columns, dice.randrange(len(shown) + 1)), shown)
    limits = WinLimits(dice.choice((1, 20, 200)), dice.choice((0, 500, 20_000)))
    moves = dice.random() < 0.5
    try:
        twin = search_in_python(seen, limits, moves)
    except InputError:
        mines = seen.rules.mines
        assert survive(core.win_chances, (rows, columns, mines, shown, 9, 99, 10**6, moves, None))
        return
    ours = search_in_core(core, seen, limits, moves)
    assert (ours.exact, ours.best, ours.steps) == (twin.exact, twin.best, twin.steps), seen
    assert (ours.win is None) == (twin.win is None), seen
    assert abs((ours.win or 0.0) - (twin.win or 0.0)) < 1e-12, seen
    assert ours.moves.keys() == twin.moves.keys(), seen
    assert all(abs(chance - twin.moves[i]) < 1e-12 for i, chance in ours.moves.items()), seen


def fuzz_deep(core: ModuleType, dice: random.Random) -> None:
    """Play positions of all kinds on: alike on any number of cores, and never nonsense."""
    rows, columns, shown = any_position(dice)
    mines, seed = dice.randrange(len(shown) + 1), dice.getrandbits(64)
    settings = core.GuessSettings(layouts=dice.choice((0, 20)), margin=0.3, reach=0.7)
    evaluation = dice.choice((None, core.Evaluation(noise(3, 2))))
    limits = dice.choice((1, 4)), 0.05, dice.choice((1, 30)), 10.0, seed
    position = rows, columns, mines, shown
    arguments = (*position, *[settings] * 4, evaluation, *limits)
    guessed = (rows, columns, shown, "known", mines, mines, settings, evaluation)
    if survive(core.guess, guessed):
        assert survive(core.guess_deep, arguments), position
        return
    answer = core.guess_deep(*arguments, 1)
    assert answer == core.guess_deep(*arguments, 3), position
    assert (answer and answer[0]) == (core.guess(*guessed) or [None])[0], position
    cells = [each[0] for each in answer[2]] if answer else []
    assert all(shown[cell] == 9 for cell in cells), position
    for row in core.play_layouts(*position, cells, settings, evaluation, 5, 10.0, seed, 2):
        assert len(row) == len(cells)
        assert all(0 <= win <= 1 for win in row), position


SENSIBLE: tuple[Callable[[ModuleType, random.Random], None], ...] = (
    fuzz_deal,
    fuzz_solve,
    fuzz_posterior,
    fuzz_text,
    fuzz_play,
    fuzz_champion,
    fuzz_guess,
    fuzz_deep,
    fuzz_endgame,
)

SETTINGS = object()
"""Stands for settings of the core under test in a proper call."""
_POSITION = (3, 3, b"\x01" + b"\x09" * 8, "exact", "known", 2, 2, 1000, 1.0)
PROPER: dict[str, tuple[object, ...]] = {
    "deal": (9, 9, 10, "safe", 40, 7),
    "solve": _POSITION,
    "Posterior": _POSITION,
    "solve_text": ("3x3x2\n1HH\nHHH\nHHH\n", 1000),
    "time_text": ("3x3x2\n1HH\nHHH\nHHH\n", 1000, 2),
    "play_exact": (3, 3, 1, b"\x01" + bytes(8), 8, 1000),
    "simulate_exact": (9, 9, 10, "safe", 40, 7, 2, 1000),
    "win_chances": (3, 3, 2, b"\x01" + b"\x09" * 8, 50, 10_000, 1000, True, 1.0),
    "GuessSettings": (1e13, 500, 500, 60_000, 2_000_000, 0.9, 0.95, 0.0, 6),
    "Evaluation": (noise(2, 2),),
    "play_champion": (3, 3, 1, b"\x01" + bytes(8), 8, SETTINGS, None, 1000),
    "simulate_champion": (9, 9, 10, "safe", 40, 7, 2, SETTINGS, None, 1000),
    "guess": (3, 3, b"\x01" + b"\x09" * 8, "known", 2, 2, SETTINGS, None, 1000),
    "guess_deep": (
        *(3, 3, 2, b"\x01" + b"\x09" * 8, SETTINGS, SETTINGS, SETTINGS, SETTINGS, None),
        *(4, 0.1, 20, 1.0, 7, 2, None, 1000),
    ),
    "play_layouts": (
        *(3, 3, 2, b"\x01" + b"\x09" * 8, [8], SETTINGS, None, 5, 1.0, 7, 2, None, 1000),
    ),
}
"""A proper call of each function: one that is nearly so goes deeper than nonsense does."""


def functions(core: ModuleType) -> dict[str, Callable[..., Any]]:
    """Give all that can be called at the border, by name: functions and classes."""
    return {name: value for name, value in vars(core).items() if callable(value)}


def hostile_calls(dice: random.Random) -> Iterator[tuple[object, ...]]:
    """Give arguments that nobody would pass: few or many, of any kind and size."""
    for count in range(10):
        for _ in range(1 + 4 * count):
            yield tuple(dice.choice(HOSTILE) for _ in range(count))


def bent_calls(core: ModuleType, dice: random.Random, name: str) -> Iterator[tuple[object, ...]]:
    """Give the arguments of a proper call with one or two of them spoilt."""
    for _ in range(50):
        call = [core.GuessSettings() if each is SETTINGS else each for each in PROPER[name]]
        for _ in range(dice.choice((1, 1, 2))):
            call[dice.randrange(len(call))] = dice.choice(HOSTILE)
        yield tuple(call)


def survive(function: Callable[..., Any], arguments: tuple[object, ...]) -> bool:
    """Call a function; give whether it refused. Anything but an answer or a refusal is a bug."""
    try:
        function(*arguments)
    except REFUSALS:
        return True
    return False


def main(path: str, rounds: int = 20) -> None:
    """Fuzz the core and say how much was tried."""
    core = load(path)
    dice = random.Random(20)
    calls = refused = 0
    for _ in range(rounds):
        for name, function in functions(core).items():
            bent = bent_calls(core, dice, name) if name in PROPER else ()
            hostile = [*hostile_calls(dice), *bent]
            calls += len(hostile)
            refused += sum(survive(function, arguments) for arguments in hostile)
        for sensible in SENSIBLE:
            sensible(core, dice)
    assert refused > calls // 2, f"expected most hostile calls to be refused, got {refused}"
    print(f"{calls} hostile calls, {refused} refused; {rounds * len(SENSIBLE)} sensible ones")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
