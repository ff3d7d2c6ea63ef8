"""Call the core with valid and hostile arguments: `fuzz_border.py MODULE.so|wasm [ROUNDS]`.

`test_sanitizers.py` runs it with a core built to abort on any memory error, and in Pyodide with the
WebAssembly core. Valid calls must return what the Python version returns; wrong ones must raise one
of `REFUSALS`. To cover a new function with sensible arguments, add a generator of calls to
`SENSIBLE`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import struct
import sys
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

REFUSALS = (TypeError, ValueError, OverflowError, RuntimeError, MemoryError)
"""The exceptions that a call may raise: built-in ones, which `mineproof.core.errors` extends."""

HOSTILE: tuple[object, ...] = (
    *(None, True, 0, 1, -1, 2, 9, 16, 255, 256, 999, 1000, 1001, 2**31 - 1, -(2**31), 2**31),
    *(2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**40, 0.5, float("nan"), float("inf"), 1j),
    *("", "any", "safe", "opening", "given", "lose", "\0", "\ud800", "x" * 10_000, "9x9x10\n"),
    *(b"", b"\0", b"\x09" * 81, b"\x0b" * 9, b"\xff" * 64, bytearray(9), memoryview(b"\0" * 9)),
    *([], [0], [-1], [2**70], [None], [[0]], (), (0, 0), {}, {0: 0}, {1, 2}, range(3), object),
)


def noise(width: int, inner: int) -> bytes:
    """Return the data of an evaluation with random weights."""
    dice = random.Random(width)
    count = 1051 * width + inner * (width + 1) + inner + 1
    weights = (dice.gauss(0, 0.5) for _ in range(count))
    return b"MINEVAL3" + struct.pack(f"<2I{count}e", width, inner, *weights)


def load(path: str) -> ModuleType:
    """Load the core at this path instead of the installed one, or the WebAssembly core."""
    if path == "wasm":
        return importlib.import_module("mineproof.wasm")
    spec = importlib.util.spec_from_file_location("mineproof._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["mineproof._native"] = module
    return module


def fuzz_deal(core: ModuleType, dice: random.Random) -> None:
    """Deal a board of any kind. Python must deal the same one."""
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
    """Return a small board that shows arbitrary codes, mostly unopened cells."""
    rows, columns = dice.choice((1, 2, 3, 4, 6)), dice.choice((1, 2, 3, 5, 7))
    few = dice.choice((1, 2, 5))
    codes = [*range(12), *[9] * (12 * few), *[1] * few]
    return rows, columns, bytes(dice.choice(codes) for _ in range(rows * columns))


def any_prior(dice: random.Random, cells: int) -> tuple[str, float, float]:
    """Return a prior in the core's form."""
    mines = dice.randrange(cells + 1)
    ranges = ("known", mines, mines), ("range", mines, mines + dice.randrange(4))
    density = dice.choice((1e-9, 0.2, 0.5, 0.999))
    return dice.choice((*ranges, ("density", density, density)))


def fuzz_solve(core: ModuleType, dice: random.Random) -> None:
    """Solve consistent and random positions. Python must agree."""
    from mineproof.core.clues import ClueRule
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.inference.budget import Budget
    from mineproof.inference.counting import Density, Known, Range
    from mineproof.inference.counting.reference import ReferenceFacts
    from mineproof.inference.local import ImpossibleError

    rows, columns, shown = any_position(dice)
    clues = dice.choice(("exact", "withheld:0.5", "optimistic", "cautious"))
    kind, low, high = any_prior(dice, len(shown))
    priors = {"known": Known(int(low)), "range": Range(int(low), int(high))}
    prior: Any = priors.get(kind) or Density(low)
    model = ClueRule.parse(clues)
    solved = core.SolvedPosition(rows, columns, shown, model.name, (kind, low, high), core.Limits())
    try:
        rules = PublicRules(rows, columns, None, clues=model)
        facts = ReferenceFacts(Observation(rules, shown), prior, Budget())
    except ImpossibleError:
        assert solved.status == 1, (rows, columns, shown, clues, prior)
        return
    assert solved.status == 0, (rows, columns, shown, clues, prior)
    for index, (ours, risk) in enumerate(zip(array("d", solved.risks), facts.risk, strict=True)):
        assert ours == risk or abs(ours - risk) < 1e-12 or shown[index] != 9, (shown, index)
    assert [i for i, verdict in enumerate(solved.verdicts) if verdict == 1] == list(facts.safe)
    assert [i for i, verdict in enumerate(solved.verdicts) if verdict == 2] == list(facts.mined)


def fuzz_questions(core: ModuleType, dice: random.Random) -> None:
    """Ask a solved position every question, in any order."""
    rows, columns, shown = any_position(dice)
    clues = dice.choice(("exact", "optimistic", "cautious"))
    limits = core.Limits()
    solved = core.SolvedPosition(
        rows, columns, shown, clues, any_prior(dice, len(shown)), core.Limits()
    )
    if solved.status:
        assert survive(solved.layouts, (limits,))
        assert survive(solved.sample, (0,))
        return
    risk = array("d", solved.risks)
    for index, code in enumerate(shown):
        if code != 9:
            assert survive(solved.values, (index, limits))
            continue
        scarce = core.Limits(1_000_000, None, dice.choice((0, 40, 200, 1000, 5000)))
        survive(solved.values, (index, scarce))
        survive(solved.suppose, ([(index, dice.randrange(9))], scarce))
        survive(solved.guess, (core.GuessSettings(), scarce))
        assert abs(sum(solved.values(index, limits)) - (1 - risk[index])) < 1e-12
        solved.suppose([(index, dice.randrange(9))], limits)
        survive(solved.guess, (core.GuessSettings(), limits))
        survive(solved.win_chances, (20, True, core.Limits(500)))
        survive(solved.values, (index, core.Limits(0)))
        layout = solved.sample(dice.getrandbits(64))
        assert layout[index] in ((0,) if risk[index] == 0 else (1,) if risk[index] == 1 else (0, 1))
    assert all(sum(counts) > 0 for _, counts in solved.layouts(limits)[2])
    for name, proper in METHODS.items():
        bent = bent_calls(core, dice, proper)
        for call in (*hostile_calls(dice), *bent):
            survive(getattr(solved, name), call)


def fuzz_text(core: ModuleType, dice: random.Random) -> None:
    """Parse text with and without errors. Python must accept the same text as the core."""
    from mineproof.core.errors import NotationError
    from mineproof.notation.position_text import parse_position

    rows, columns, shown = any_position(dice)
    letters = "".join("012345678H-M"[code] for code in shown)
    lines = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    text = "\n".join([f"{columns}x{rows}x{dice.randrange(len(shown) + 1)}", *lines, ""])
    for _ in range(dice.choice((0, 0, 1, 2))):
        place = dice.randrange(len(text) + 1)
        inserted = dice.choice(("", "\n", " ", "\r", "H", "9", "x", "F?", "\0", "\ufeff", "é"))
        text = text[:place] + inserted + text[place + dice.choice((0, 0, 1)) :]
    solved = core.solve_text(text, core.Limits())
    if solved is None:
        return
    try:
        seen = parse_position(text)
    except NotationError as error:
        raise AssertionError(f"expected {text!r} to be rejected: {error}") from None
    expected = (seen.rules.rows, seen.rules.columns, seen.rules.mines, seen.shown)
    assert (solved.rows, solved.columns, solved.mines, solved.shown) == expected, text


def fuzz_play(core: ModuleType, dice: random.Random) -> None:
    """Play small boards of any shape to the end."""
    rows, columns = dice.choice((1, 2, 5, 9)), dice.choice((1, 3, 9, 20))
    cells = rows * columns
    mines = dice.randrange(cells)
    first, seed = dice.randrange(cells), dice.getrandbits(64)
    start = dice.choice(("any", "safe", "opening"))
    seeds = [(seed + i) % 2**64 for i in range(5)]
    boards = b"".join(core.deal(rows, columns, mines, start, first, s) for s in seeds)
    games = core.play_games(rows, columns, mines, boards, first)
    results = [result for result, *_ in games]
    summary = core.tally_games(rows, columns, mines, start, first, seed, 5)
    assert summary[:3] == (results.count("win"), results.count("loss"), results.count("stuck"))
    assert summary[3:5] == (sum(game[1] for game in games), sum(game[2] for game in games))
    assert summary[5] <= 5 * (cells - mines)


def fuzz_champion(core: ModuleType, dice: random.Random) -> None:
    """Play small boards with and without an evaluation. A simulation must play the same games."""
    rows, columns = dice.choice((1, 2, 5, 9)), dice.choice((1, 3, 9, 20))
    cells = rows * columns
    mines, first, seed = dice.randrange(cells), dice.randrange(cells), dice.getrandbits(64)
    start = dice.choice(("any", "safe", "opening"))
    seeds = [(seed + i) % 2**64 for i in range(4)]
    boards = b"".join(core.deal(rows, columns, mines, start, first, s) for s in seeds)
    evaluation = dice.choice((None, core.Evaluation(noise(dice.choice((1, 5)), 3))))
    layouts, margin = dice.choice((0, 20, 500)), dice.choice((0, 0.1))
    settings = core.GuessSettings(layouts=layouts, margin=margin, evaluation=evaluation)
    games = core.play_games(rows, columns, mines, boards, first, settings)
    traces = core.trace_games(rows, columns, mines, start, first, seed, 4, settings)
    names = ("win", "loss", "stuck")
    found = [(names[a], b, c) for a, b, c, *_ in struct.iter_unpack("<4I4f", traces)]
    assert found == [game[:3] for game in games], (rows, columns, mines, start, first, seed)


def fuzz_guess(core: ModuleType, dice: random.Random) -> None:
    """Guess in positions of all kinds. Python must make the same guess, or also reject the call.

    Python has no evaluation. With one, the guess must be one of the compared cells.
    """
    from mineproof.core.errors import InputError
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.inference.budget import Budget
    from mineproof.inference.counting import Density, Known
    from mineproof.inference.counting.reference import count
    from mineproof.inference.local import ImpossibleError
    from mineproof.search.choice import GuessSettings
    from mineproof.search.guessing import choose_in_python

    rows, columns, shown = any_position(dice)
    mines = dice.randrange(len(shown) + 1)
    known = dice.random() < 0.7
    prior = ("known", mines, mines) if known else ("density", 0.3, 0.3)
    usual = GuessSettings(layouts=dice.choice((0, 50)), margin=dice.choice((0, 0.2)))
    data = noise(4, 3) if known and dice.random() < 0.5 else None
    settings = core.GuessSettings(
        layouts=usual.layouts, margin=usual.margin, evaluation=data and core.Evaluation(data)
    )
    solved = core.SolvedPosition(rows, columns, shown, "exact", prior, core.Limits())
    arguments = (settings, core.Limits())
    try:
        seen = Observation(PublicRules(rows, columns, mines if known else None), shown)
        facts = count(seen, Known(mines) if known else Density(0.3), Budget())
    except (InputError, ImpossibleError):
        assert survive(solved.guess, arguments), (rows, columns, shown, prior)
        return
    if facts.safe:
        assert survive(solved.guess, arguments), (rows, columns, shown, prior)
        return
    answer = solved.guess(*arguments)
    if len(shown) <= 20:  # where the core takes three times as much work for the endgame
        usual = replace(usual, layouts=3 * usual.layouts, endgame_work=3 * usual.endgame_work)
    choice = choose_in_python(facts, usual)
    compared = [seen.grid.index(each.cell) for each in choice.candidates] if choice else [None]
    chosen = compared if data else compared[:1]
    assert (answer and answer[0]) in chosen, (rows, columns, shown, prior)


def fuzz_endgame(core: ModuleType, dice: random.Random) -> None:
    """Search consistent and random positions. Python must agree."""
    from mineproof.core.errors import InputError
    from mineproof.core.observation import Observation
    from mineproof.core.rules import PublicRules
    from mineproof.inference.budget import Budget
    from mineproof.inference.counting import Known
    from mineproof.inference.counting.native import count
    from mineproof.search.choice import GuessSettings
    from mineproof.search.winning import search_in_python, win_chances

    rows, columns, shown = any_position(dice)
    seen = Observation(PublicRules(rows, columns, dice.randrange(len(shown) + 1)), shown)
    layouts, work = dice.choice((1, 20, 200)), dice.choice((0, 500, 20_000))
    limits = GuessSettings(layouts=layouts, endgame_work=work)
    moves = dice.random() < 0.5
    try:
        twin = search_in_python(seen, limits, moves)
    except InputError:
        prior = ("known", seen.rules.mines, seen.rules.mines)
        solved = core.SolvedPosition(rows, columns, shown, "exact", prior, core.Limits())
        assert survive(solved.win_chances, (9, moves, core.Limits(99)))
        return
    ours = win_chances(count(seen, Known(seen.rules.mines or 0), Budget()), limits, moves=moves)
    assert (ours.exact, ours.best, ours.steps) == (twin.exact, twin.best, twin.steps), seen
    assert (ours.win is None) == (twin.win is None), seen
    assert abs((ours.win or 0.0) - (twin.win or 0.0)) < 1e-12, seen
    assert ours.moves.keys() == twin.moves.keys(), seen
    assert all(abs(chance - twin.moves[i]) < 1e-12 for i, chance in ours.moves.items()), seen


def fuzz_deep(core: ModuleType, dice: random.Random) -> None:
    """Run playouts in positions of all kinds. The number of cores must not change the result."""
    rows, columns, shown = any_position(dice)
    mines, seed = dice.randrange(len(shown) + 1), dice.getrandbits(64)
    settings = core.GuessSettings(
        layouts=dice.choice((0, 20)),
        margin=0.3,
        reach=0.7,
        evaluation=dice.choice((None, core.Evaluation(noise(3, 2)))),
    )
    deep, limits = core.DeepSettings(*[settings] * 4, dice.choice((1, 4)), 0.05), core.Limits()
    position = rows, columns, shown, "exact", ("known", mines, mines)
    solved = core.SolvedPosition(*position, limits)
    arguments = deep, dice.choice((1, 30)), 10.0, seed
    if survive(solved.guess, (settings, limits)):
        assert survive(solved.guess_deep, (*arguments, 1, None, limits)), position
        return
    answer = solved.guess_deep(*arguments, 1, None, limits)
    assert answer == solved.guess_deep(*arguments, 3, None, limits), position
    assert (answer and answer[0]) == (solved.guess(settings, limits) or [None])[0], position
    cells = [each[0] for each in answer[2]] if answer else []
    assert all(shown[cell] == 9 for cell in cells), position
    for row in solved.play_layouts(cells, settings, 5, 10.0, seed, 2):
        assert len(row) == len(cells)
        assert all(0 <= win <= 1 for win in row), position


def vector_arrays(boards: int, cells: int) -> tuple[bytearray | array[Any], ...]:
    """Return the arrays that a vectorised environment writes to."""
    codes, ends = boards * cells, [bytearray(boards) for _ in range(3)]
    rewards, seeds = array("d", bytes(8 * boards)), array("Q", bytes(8 * boards))
    return bytearray(codes), bytearray(codes), rewards, *ends, seeds


def fuzz_vector(core: ModuleType, dice: random.Random) -> None:
    """Play small boards side by side. Each must equal a `Game` after the same moves."""
    from mineproof.core.game import Game
    from mineproof.core.rules import Rules, Start

    rows, columns, boards = dice.choice((1, 2, 5)), dice.choice((1, 3, 9)), dice.choice((1, 4))
    cells = rows * columns
    start = dice.choice(("any", "safe", "opening", "given:1"))
    rules = Rules(rows, columns, dice.randrange(cells), Start.parse(start))
    arrays = vector_arrays(boards, cells)
    shown, ended, cut, seeds = arrays[0], arrays[3], arrays[4], arrays[6]
    kind = "any" if rules.given_count else start
    many = core.VectorEnv(rows, columns, rules.mines, kind, rules.given_count, boards, arrays)
    many.reset(boards - 1, dice.getrandbits(64))
    games = [Game(rules, seed) for seed in seeds]
    for _ in range(3 * cells):
        moves = array("q", [dice.randrange(cells) for _ in games])
        ends = [a or b for a, b in zip(ended, cut, strict=True)]
        many.step(moves)
        for board, move in enumerate(moves):
            if ends[board]:
                games[board] = Game(rules, seeds[board])
            elif not games[board].is_over and move in games[board].observation.unopened:
                games[board].open(*divmod(move, columns))
            wanted = games[board].observation.shown
            assert bytes(shown[board * cells : (board + 1) * cells]) == wanted, (rules, seeds)


def fuzz_no_guess(core: ModuleType, dice: random.Random) -> None:
    """Deal boards until one needs no guess. Python must reject and accept the same boards."""
    from mineproof.agents.loading import make_agent
    from mineproof.core.board import deal_attempt
    from mineproof.core.grid import Cell
    from mineproof.core.rules import NO_GUESS, Rules
    from mineproof.generate.no_guess import play_by_proofs

    rows, columns = dice.choice((1, 2, 4, 6)), dice.choice((1, 3, 5, 8))
    cells = rows * columns
    rules = Rules(rows, columns, dice.randrange(max(1, cells // 3)), NO_GUESS)
    index, seed = dice.randrange(cells), dice.getrandbits(64)
    first = Cell(*divmod(index, columns))
    dealer = core.NoGuessDealer(rows, columns, rules.mines, index)
    found, mined = dealer.find(seed, 0, 6)
    for attempt in range(min(found + 1, 6)):
        board = deal_attempt(rules, seed, first, attempt)
        game = play_by_proofs(make_agent("exact"), rules, board, first)
        assert dealer.solve(board.mined) == game.observation.shown, (rules, seed, attempt)
        assert dealer.is_no_guess(board.mined) == game.is_over == (attempt == found)
        assert attempt != found or mined == board.mined, (rules, seed, attempt)
    for name, proper in {"find": (7, 0, 3), "is_no_guess": (mined,), "solve": (mined,)}.items():
        for call in (*hostile_calls(dice), *bent_calls(core, dice, proper)):
            last = call[2] if name == "find" and len(call) == 3 else 0
            if not isinstance(last, int) or last < 99:  # otherwise the search would never end
                survive(getattr(dealer, name), call)


SENSIBLE: tuple[Callable[[ModuleType, random.Random], None], ...] = (
    fuzz_deal,
    fuzz_solve,
    fuzz_questions,
    fuzz_text,
    fuzz_play,
    fuzz_champion,
    fuzz_guess,
    fuzz_deep,
    fuzz_endgame,
    fuzz_vector,
    fuzz_no_guess,
)
NEEDED: dict[Callable[..., None], str] = {fuzz_vector: "VectorEnv", fuzz_no_guess: "NoGuessDealer"}
"""Functions that some cores lack."""

SETTINGS, DEEP, LIMITS = object(), object(), object()
"""Placeholders for objects of the core under test."""
PROPER: dict[str, tuple[object, ...]] = {
    "deal": (9, 9, 10, "safe", 40, 7),
    "Limits": (1000, 1.0, 10**6),
    "SolvedPosition": (3, 3, b"\x01" + b"\x09" * 8, "exact", ("known", 2, 2), LIMITS),
    "solve_text": ("3x3x2\n1HH\nHHH\nHHH\n", LIMITS),
    "time_text": ("3x3x2\n1HH\nHHH\nHHH\n", 1000, 2),
    "play_games": (3, 3, 1, b"\x01" + bytes(8), 8, SETTINGS, 1000),
    "tally_games": (9, 9, 10, "safe", 40, 7, 2, SETTINGS, 1000),
    "trace_games": (9, 9, 10, "safe", 40, 7, 2, SETTINGS, 1000),
    "GuessSettings": (1e13, 500, 500, 60_000, 2_000_000, 0.9, 0.95, 0.0, 6, None),
    "DeepSettings": (SETTINGS, SETTINGS, SETTINGS, SETTINGS, 4, 0.1),
    "Evaluation": (noise(2, 2),),
    "NoGuessDealer": (9, 9, 10, 40, 1000),
    "VectorEnv": (3, 3, 2, "safe", 0, 1, vector_arrays(1, 9)),
}
"""A valid call of each function. Calls that are almost valid reach more code than random ones."""
METHODS: dict[str, tuple[object, ...]] = {
    "layouts": (LIMITS,),
    "values": (8, LIMITS),
    "suppose": ([(0, 1)], LIMITS),
    "sample": (7,),
    "win_chances": (50, True, LIMITS),
    "guess": (SETTINGS, LIMITS),
    "guess_deep": (DEEP, 20, 0.1, 7, 2, None, LIMITS),
    "play_layouts": ([0], SETTINGS, 5, 0.1, 7, 2, None),
}
"""A valid call of each method of a solved position."""


def functions(core: ModuleType) -> dict[str, Callable[..., Any]]:
    """Return all functions and classes of the core, by name."""
    named = vars(core).items()
    return {name: value for name, value in named if callable(value) and name[0] != "_"}


def hostile_calls(dice: random.Random) -> Iterator[tuple[object, ...]]:
    """Return arguments that no one would pass: too few or too many, of any type and size."""
    for count in range(10):
        for _ in range(1 + 4 * count):
            yield tuple(dice.choice(HOSTILE) for _ in range(count))


def bent_calls(
    core: ModuleType, dice: random.Random, proper: tuple[object, ...]
) -> Iterator[tuple[object, ...]]:
    """Return the arguments of a valid call with one or two of them damaged."""
    settings = core.GuessSettings()
    objects = {
        SETTINGS: settings,
        LIMITS: core.Limits(1000, 1.0),
        DEEP: core.DeepSettings(*[settings] * 4, 4, 0.1),
    }
    for _ in range(50):
        call = [objects[each] if type(each) is object else each for each in proper]
        for _ in range(dice.choice((1, 1, 2))):
            call[dice.randrange(len(call))] = dice.choice(HOSTILE)
        yield tuple(call)


def survive(function: Callable[..., Any], arguments: tuple[object, ...]) -> bool:
    """Call a function. Return whether it rejected the call. Any other exception is a bug."""
    try:
        function(*arguments)
    except REFUSALS:
        return True
    return False


def main(path: str, rounds: int = 20) -> None:
    """Fuzz the core and print the number of calls."""
    core = load(path)
    seed = os.environ.get("MINEPROOF_FUZZ_SEED", "20")
    print(f"MINEPROOF_FUZZ_SEED={seed}", flush=True)
    dice = random.Random(int(seed))
    calls = rejected = 0
    sensible = [each for each in SENSIBLE if hasattr(core, NEEDED.get(each, "deal"))]
    for _ in range(rounds):
        for name, function in functions(core).items():
            bent = bent_calls(core, dice, PROPER[name]) if name in PROPER else ()
            hostile = [*hostile_calls(dice), *bent]
            calls += len(hostile)
            rejected += sum(survive(function, arguments) for arguments in hostile)
        for fuzz in sensible:
            fuzz(core, dice)
    assert rejected > calls // 2, f"expected most hostile calls to be rejected, got {rejected}"
    print(f"{calls} hostile calls, {rejected} rejected; {rounds * len(sensible)} sensible ones")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
