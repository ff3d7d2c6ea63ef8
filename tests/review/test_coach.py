"""The coach: what was missed, what it cost, where time was lost, and what to practise."""

from __future__ import annotations

import json
import math
import random

import pytest

import mineproof as mw
from mineproof.backend import backend
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Game
from mineproof.core.random import Purpose, Stream
from mineproof.generate import DrillKind
from mineproof.generate.drills import drill_at
from mineproof.inference.counting import count
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.records import Record, Step, make_record
from mineproof.review.coach import GameReport, GuessLuck, MissedKind, coach, explain_mistake
from mineproof.review.coaching import Coaching, judge_luck
from mineproof.review.verdicts import review
from mineproof.search.winning import weigh_move, win_chances


def record_of(
    level: str, mines: tuple[int, ...], first: tuple[int, int], *moves: str, pace: float = 1.0
) -> Record:
    rules = mw.Rules.parse(level)
    board = mw.Board.from_mines(rules.rows, rules.columns, mines)
    game, steps = Game(rules, 0, mw.Cell(*first), board), []
    for number, move in enumerate(moves, 1):
        game.play(mw.Move.parse(move))
        steps.append(Step(mw.Move.parse(move), seconds=number * pace))
    return make_record(game, tuple(steps))


CORRIDOR = ("1x7/2", (2, 4), (0, 1))


def test_a_needless_guess_is_a_mistake_with_its_cost() -> None:
    found = coach(record_of(*CORRIDOR, "open 0,3", "open 0,2"))
    assert [one.missed for one in found.mistakes] == [MissedKind.ONE_CLUE]
    one = found.mistakes[0]
    assert (one.number, one.risk, one.least) == (2, 1.0, 0.0)
    assert (one.before, one.after, one.exact) == (1.0, 0.0, True)
    assert found.result == "loss"
    assert found.hits == 1
    assert found.cost == 1.0


def test_a_best_guess_is_no_mistake() -> None:
    found = coach(record_of(*CORRIDOR, "open 0,3", "open 0,0"))
    assert (found.mistakes, found.cost) == ((), 0.0)
    assert found.expected_hits == pytest.approx(0.25)
    assert found.luck == pytest.approx(0.75)
    assert Coaching((found,)).practise is None


def test_a_chord_counts_every_mine_that_it_may_hit() -> None:
    """With wrong flags on a 3x3 board, a chord hits the two mines that it is expected to hit."""
    flags = ("mark 0,0", "mark 0,1", "chord 1,1")
    found = coach(record_of("3x3/2", (6, 8), (1, 1), *flags))
    assert found.hits == 2
    assert found.expected_hits == pytest.approx(6 * 2 / 8)
    assert found.guesses[0].risk == pytest.approx(1 - 1 / 28)


def test_hits_match_the_expected_number_for_players_who_chord() -> None:
    """On average, the expected hits match the mines hit by guesses in 150 careless games."""
    guesses: list[GuessLuck] = []
    for seed in range(150):
        game, stream = Game(mw.Rules.parse("4x4/5"), seed), Stream(seed, Purpose.AGENT)
        game.play(mw.Move("open", (1, 1)))
        seen = game.observation
        closed = [i for i in seen.grid.neighbours(5) if seen.shown[i] == UNOPENED]
        for _ in range(seen.shown[5] if not game.is_over else 0):
            cell = closed.pop(stream.below(len(closed)))
            game.play(mw.Move("mark", seen.grid.cell(cell)))
        if closed and not game.is_over:
            game.play(mw.Move("chord", (1, 1)))
            guesses += coach(make_record(game, tuple(map(Step, game.moves)))).guesses
    gap = math.fsum(one.hits - one.expected for one in guesses)
    spread = math.sqrt(math.fsum(one.expected for one in guesses))
    assert abs(gap) < 4 * spread
    assert math.fsum(one.hits - one.risk for one in guesses) > 4 * spread  # several in one chord
    assert judge_luck(guesses) == "as expected"


def players_called(
    word: str, players: int, games: int, factor: float = 1.0, *, leaves: bool = False
) -> int:
    """Count the simulated players with this luck. They hit `factor` times as often as expected.

    A game ends at the first hit. A player who `leaves` stops as soon as the verdict changes.
    """
    rng, found = random.Random(f"{word} {factor} {leaves}"), 0
    for _ in range(players):
        guesses: list[GuessLuck] = []
        for _ in range(games):
            for _ in range(rng.randrange(1, 6)):
                risk = rng.choice((0.05, 0.1, 0.2, 0.35, 0.5))
                guesses.append(GuessLuck(1, 1, risk, risk, int(rng.random() < risk * factor)))
                if guesses[-1].hits:
                    break
            if leaves and judge_luck(guesses) == word:
                break
        found += judge_luck(guesses) == word
    return found


@pytest.mark.full
def test_luck_keeps_its_level_and_is_found() -> None:
    """Players with fair luck are rarely called lucky, even if they stop at the best moment."""
    for word in ("lucky", "unlucky"):
        # The level is 5 % for both words together. The limit is 4 standard errors above 5 %.
        assert players_called(word, 80, 40, leaves=True) <= 11
    assert players_called("unlucky", 20, 100, 1.5) >= 12
    assert players_called("lucky", 20, 100, 0.5) >= 16
    one = GuessLuck(1, 1, 0.1, 0.1, 1)
    assert judge_luck([one]) == judge_luck([]) == "as expected"


def test_time_is_lost_before_proved_moves_only() -> None:
    """A long pause before a guess does not count as lost time."""
    quick = record_of("3x8/1", (23,), (0, 7))
    assert coach(quick).seconds is None
    game = record_of(*CORRIDOR, "open 0,3", "open 0,0", "open 0,5", "open 0,6")
    times = (9.0, 9.5, 10.0, 15.0)
    steps = tuple(Step(step.move, seconds=at) for step, at in zip(game.steps, times, strict=True))
    slow = Record(game.rules, 0, game.first, game.mines, steps, game.outcome)
    found = coach(slow)
    assert [pause.number for pause in found.pauses] == [4]
    assert found.lost == pytest.approx(5.0 - 0.5)
    assert found.pauses[0].missed is MissedKind.ONE_CLUE
    assert (found.seconds, found.speed) == (15.0, found.solved / 15)


def pattern_game() -> Record:
    """Return a game with a guess in a position where a pattern of two clues proves a safe cell."""
    for seed in range(200):
        game = Game(mw.Rules.parse("9x9/10"), seed)
        game.play(mw.Move("open", (4, 4)))
        while not game.is_over:
            seen = game.observation
            drill, facts = drill_at(seen), count(seen)
            if drill is not None and drill.kind is DrillKind.PATTERN:
                risky = [i for i in seen.unopened if 0 < facts.risk[i] < 1]
                if risky:
                    game.play(mw.Move("open", seen.grid.cell(risky[0])))
                    steps = tuple(Step(move) for move in game.moves)
                    return make_record(game, steps)
            if not facts.safe:
                break
            game.play(mw.Move("open", seen.grid.cell(facts.safe[0])))
    raise AssertionError("no such game")


def test_what_was_missed_becomes_a_drill_of_the_players_own() -> None:
    """The position before a mistake, without flags, becomes a drill for the missed reasoning."""
    game = pattern_game()
    found = coach(game, "monday")
    assert found.mistakes[-1].missed is MissedKind.PATTERN
    sums = Coaching((found, found))
    assert sums.practise is DrillKind.PATTERN
    assert [drill.kind for drill in sums.drills] == [DrillKind.PATTERN]  # no repeats
    assert drill_at(sums.drills[0].position) == sums.drills[0]
    assert "was proved safe" in explain_mistake(game, found.mistakes[-1])
    assert sums.to_plain()["missed"][0]["times"] == 2
    said = list(sums.sentences())
    assert said[0].startswith("2 games: ")
    assert said[-1] == "Practise next: a pattern of two clues."


def test_reports_travel_as_plain_values() -> None:
    found = coach(pattern_game(), "monday")
    plain = json.loads(json.dumps(to_plain(found)))
    again = from_plain(GameReport, plain)
    assert json.loads(json.dumps(to_plain(again))) == plain
    assert Coaching((again,)).to_plain() == Coaching((found,)).to_plain()


def test_a_review_that_is_there_is_used() -> None:
    """The coach finds the same mistakes with an existing review as with its own."""
    game = pattern_game()
    assert coach(game, found=review(game)).mistakes == coach(game).mistakes


def test_weighing_agrees_with_best_play() -> None:
    """The win chance of a small endgame is exact. For a whole board, it is an estimate."""
    seen = mw.parse_position("5x2x2\nHHHHH\n11H11\n")
    facts = count(seen)
    exact = win_chances(facts)
    index = facts.mined[0] if facts.mined else seen.unopened[0]
    found = weigh_move(facts, index)
    assert found is not None
    assert found.exact
    assert found.best == exact.win
    whole = Game("expert", seed=3)
    whole.play(mw.Move("open", (8, 15)))
    facts = count(whole.observation)
    guess = max(whole.observation.unopened, key=lambda i: facts.risk[i] * (facts.risk[i] < 1))
    found = weigh_move(facts, guess)
    if backend() != "python":
        assert found is not None
        assert 0 <= found.chosen < found.best <= 1
