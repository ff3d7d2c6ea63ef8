"""A learner's progress through drills: which kind comes next, and a rating.

Drills are scheduled with the Leitner system (1972). Each kind of drill is in a numbered box. A
correct answer moves it up one box; a wrong answer moves it back to box 0. A kind in box b comes
up again after 2**b other drills. Missed positions come back after some days.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from mineproof.core.errors import InputError
from mineproof.generate import DrillKind
from mineproof.notation.codec import from_plain

LAST_BOX = 5
"""The highest box. A kind of drill in this box comes up again after 32 other drills."""
START_RATING = 1000.0
START_LEVELS = {kind: 700.0 + 150 * rank for rank, kind in enumerate(DrillKind)}
"""The first rating of each kind of drill, the easiest first."""
FIRST_STEP, LAST_STEP, SETTLING = 80.0, 16.0, 10
"""The steps of a player's rating: large for about `SETTLING` drills, then ever smaller."""
LEVEL_STEP = 4.0
"""The step of a drill's rating."""
DAYS = (1, 3, 7, 21)
"""Days until a missed position is asked again: after the miss, then after each correct answer."""
MOST_MISSED = 40
"""Maximum number of missed positions to remember."""


class Missed(NamedTuple):
    """A puzzle that was answered wrongly. It comes back after the number of days for its box."""

    position: str
    """The position as `.mine` text, without flags."""
    box: int
    day: int
    """The day on which it is due, as `date.toordinal` counts days."""


class Progress(NamedTuple):
    """A learner's progress through the drills, which the page calls puzzles."""

    done: int
    """Number of drills answered so far."""
    boxes: dict[DrillKind, tuple[int, int]]
    """For each kind of drill, its box and the number of answers after which it is due."""
    rating: float = START_RATING
    levels: dict[DrillKind, float] = START_LEVELS
    """The rating of each kind of drill. It falls when drills of this kind are solved."""
    streak: int = 0
    best: int = 0
    """The longest streak ever."""
    missed: tuple[Missed, ...] = ()

    @property
    def score(self) -> dict[str, float]:
        """What a player sees of the progress."""
        return {name: getattr(self, name) for name in ("done", "rating", "streak", "best")}

    @property
    def next_kind(self) -> DrillKind:
        """The kind of drill that is due first; the easiest if there is a tie."""
        return min(DrillKind, key=lambda kind: self.boxes[kind][1])

    def due_again(self, today: int) -> str | None:
        """Return the position that was missed and is due on a day, if there is one."""
        return next((one.position for one in self.missed if one.day <= today), None)

    def days_until(self, position: str, today: int) -> int | None:
        """Return the days until a missed position comes back, or None if it was not missed."""
        days = (one.day - today for one in self.missed if one.position == position)
        return next(days, None)

    def answered(
        self, kind: DrillKind, right: bool, position: str = "", today: int = 0
    ) -> Progress:
        """Return the progress after one more answer.

        After a wrong answer, the kind comes back soon.
        """
        box = min(LAST_BOX, self.boxes[kind][0] + 1) if right else 0
        due = self.done + 1 + 2**box
        streak = self.streak + 1 if right else 0
        rating, levels = self._rated(kind, right)
        return Progress(
            done=self.done + 1,
            boxes={**self.boxes, kind: (box, due)},
            rating=rating,
            levels=levels,
            streak=streak,
            best=max(self.best, streak),
            missed=_missed_after(self.missed, position, right, today),
        )

    def _rated(self, kind: DrillKind, right: bool) -> tuple[float, dict[DrillKind, float]]:
        """Return both ratings after an answer, as Elo (1978) changes them after a game.

        Levels change more slowly. Their mean stays the same, so that ratings keep their meaning.
        """
        surprise = right - chance_to_solve(self.rating, self.levels[kind])
        step = LAST_STEP + (FIRST_STEP - LAST_STEP) / (1 + self.done / SETTLING)
        fall = LEVEL_STEP * surprise
        levels = {one: level + fall / len(DrillKind) for one, level in self.levels.items()}
        levels[kind] -= fall
        return self.rating + step * surprise, levels


def chance_to_solve(rating: float, level: float) -> float:
    """Return the chance, by Elo's formula, that a player solves a puzzle of a level."""
    return float(1 / (1 + 10 ** ((level - rating) / 400)))


def _missed_after(
    missed: tuple[Missed, ...], position: str, right: bool, today: int
) -> tuple[Missed, ...]:
    """Return the positions that come back after an answer, in the order in which they are due."""
    before = next((one for one in missed if one.position == position), None)
    others = [one for one in missed if one is not before]
    box = before.box + 1 if before is not None and right else 0
    if position and (not right or before is not None) and box < len(DAYS):
        others.append(Missed(position, box, today + DAYS[box]))
    return tuple(sorted(others, key=lambda one: one.day)[-MOST_MISSED:])


def read_progress(value: Any) -> Progress:
    """Return the progress stored in the settings, or a fresh start if it is not valid."""
    with suppress(InputError):
        found = from_plain(Progress, value)
        if len(found.boxes) == len(found.levels) == len(DrillKind):
            return found
    # A new learner starts with the easiest kind; the others come due one by one.
    return Progress(0, {kind: (0, due) for due, kind in enumerate(DrillKind)})
