"""Sums up many games for the coach: what was missed most, what it cost and what to practise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from mineproof.core.words import counted, share
from mineproof.generate import DrillKind
from mineproof.generate.drills import Drill
from mineproof.review.coach import GameReport, GuessLuck, MissedKind, Mistake
from mineproof.review.verdicts import Kind

LUCK_LEVEL = 0.05
"""The maximum chance of calling a player lucky or unlucky although the luck was fair."""
TILTS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)
"""The bets of the luck test: how strongly each one depends on the mines hit."""


class MissedSum(NamedTuple):
    """How often a player missed a kind of reasoning, and what that cost."""

    missed: MissedKind
    times: int
    cost: float
    """The number of wins lost by missing this kind of reasoning, in all games together."""
    seconds: float
    """Seconds lost before moves that needed this kind of reasoning."""


@dataclass(frozen=True)
class Coaching:
    """The coach's summary of many games."""

    games: tuple[GameReport, ...]

    @cached_property
    def missed(self) -> tuple[MissedSum, ...]:
        """The kinds of reasoning that were missed or slow, the costliest first."""
        found = [self._sum(kind) for kind in MissedKind]
        used = [one for one in found if one.times or one.seconds]
        return tuple(sorted(used, key=lambda one: (-one.cost, -one.times, -one.seconds)))

    def _sum(self, kind: MissedKind) -> MissedSum:
        mistakes = [one for game in self.games for one in game.mistakes if one.missed is kind]
        pauses = [one for game in self.games for one in game.pauses if one.missed is kind]
        cost = sum(one.cost for one in mistakes)
        return MissedSum(kind, len(mistakes), cost, sum(one.seconds for one in pauses))

    @property
    def wins_lost(self) -> float:
        """The number of wins per 100 games that mistakes cost."""
        return 100 * sum(game.cost for game in self.games) / max(1, len(self.games))

    @property
    def practise(self) -> DrillKind | None:
        """The kind of drill to practise next.

        Mistakes of this kind cost the most wins or, if there is a tie, the most time.
        """
        kinds = {kind.value for kind in DrillKind}
        found = [one for one in self.missed if one.missed in kinds]
        return DrillKind(found[0].missed) if found else None

    @cached_property
    def drills(self) -> tuple[Drill, ...]:
        """Drills from the player's own positions, without repeats, the costliest kind first."""
        order = [one.missed.value for one in self.missed]
        every = [one.drill for game in self.games for one in game.mistakes]
        every += [pause.drill for game in self.games for pause in game.pauses]
        found = {drill.position.shown: drill for drill in every if drill is not None}
        return tuple(sorted(found.values(), key=lambda drill: order.index(drill.kind)))

    @cached_property
    def costliest(self) -> tuple[tuple[GameReport, Mistake], ...]:
        """All mistakes with their games, the costliest first."""
        found = [(game, one) for game in self.games for one in game.mistakes]
        return tuple(sorted(found, key=lambda pair: -pair[1].cost))

    def to_plain(self) -> dict[str, Any]:
        """Return the totals of all games as plain values for JSON."""
        timed = [game for game in self.games if game.seconds]
        seconds = sum(game.seconds or 0.0 for game in timed)
        clicks = sum(game.clicks for game in self.games)
        results = [game.result for game in self.games]
        return {
            "games": len(self.games),
            "won": results.count("win"),
            "lost": results.count("loss"),
            "totals": {
                kind.value: sum(game.totals[kind.value] for game in self.games) for kind in Kind
            },
            "missed": [{**one._asdict(), "words": one.missed.words} for one in self.missed],
            "wins_lost": self.wins_lost,
            "expected_hits": sum(game.expected_hits for game in self.games),
            "hits": sum(game.hits for game in self.games),
            "luck": judge_luck([one for game in self.games for one in game.guesses]),
            "seconds": seconds if timed else None,
            "seconds_lost": sum(game.lost for game in timed) if timed else None,
            "3bv_per_second": sum(game.solved for game in timed) / seconds if timed else None,
            "efficiency": sum(game.solved for game in self.games) / clicks if clicks else None,
            "practise": self.practise,
            "drills": len(self.drills),
        }

    def sentences(self) -> Iterator[str]:
        """Yield the summary, one sentence at a time."""
        sums = self.to_plain()
        yield f"{counted(len(self.games), 'game')}: {sums['won']} won, {sums['lost']} lost."
        if not self.games:
            return
        yield f"Avoidable risks cost you about {max(0.0, self.wins_lost):.1f} wins per 100 games."
        if sums["expected_hits"]:
            yield _luck_text(sums)
        if sums["seconds"] is not None:
            yield (
                f"You lost {sums['seconds_lost']:.0f} of {sums['seconds']:.0f} seconds on proved "
                f"moves. Your speed is {sums['3bv_per_second']:.2f} 3BV per second."
            )
        if sums["efficiency"] is not None:
            yield f"Your efficiency is {share(sums['efficiency'], 0)} (3BV per click)."
        yield self._advice()

    def _advice(self) -> str:
        easy = self.missed[:1] and self.missed[0].missed is MissedKind.ONE_CLUE
        look = "check every clue again before you guess"
        if self.practise is None:
            return f"Practise next: {look}." if easy else "There is nothing to practise."
        words = MissedKind(self.practise.value).words
        return f"Practise next: {words}. Also, {look}." if easy else f"Practise next: {words}."


def judge_luck(guesses: Sequence[GuessLuck]) -> str:
    """Return `lucky`, `unlucky` or `as expected`, from a test at the level `LUCK_LEVEL`.

    For each tilt, the product of exp(tilt * hits) / its mean is a fair bet on the guesses: with
    fair luck, its expected value stays at most 1. So the mean of these bets reaches
    1 / `LUCK_LEVEL` with a chance of at most `LUCK_LEVEL` (Ville, 1939), however the player guesses
    and whenever the games end.
    """
    bets = (math.fsum(t * one.hits - one.log_mean(t) for one in guesses) for t in TILTS)
    if math.fsum(math.exp(min(bet, 700.0)) for bet in bets) < len(TILTS) / LUCK_LEVEL:
        return "as expected"
    excess = math.fsum(one.hits - one.expected for one in guesses)
    return "unlucky" if excess > 0 else "lucky"


def _luck_text(sums: dict[str, Any]) -> str:
    """Compare the mines that the guesses hit with the expected number."""
    hits, expected = counted(sums["hits"], "mine"), f"{sums['expected_hits']:.1f}"
    if sums["luck"] == "as expected":
        return f"Your guesses hit {hits}, as expected (about {expected})."
    return (
        f"Your guesses hit {hits}, but the expected number is {expected}. "
        f"You were {sums['luck']} (tested at the {share(LUCK_LEVEL, 0)} level)."
    )
