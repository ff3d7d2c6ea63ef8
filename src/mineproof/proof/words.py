"""Proofs in plain sentences: one idea each, and no cell or clue that is not needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.core.clues import EXPLODED
from mineproof.proof.patterns import find_pattern
from mineproof.proof.phrases import (
    LISTED,
    are,
    counted,
    listed,
    meaning,
    named,
    named_all,
    number,
    upper,
)
from mineproof.proof.rules import Clash, Rule, Step
from mineproof.proof.statements import MINE_COUNT, Reading, Statement

SUMMED = 3
"""Numbers of a step that adds up clues; one that tells limits has two."""


class Teller:
    """Tells the steps of a proof; it remembers what was said of which cell."""

    def __init__(self, reading: Reading, pattern: str = "") -> None:
        """Prepare to tell of a position; a pattern that is named already is not named again."""
        self.reading = reading
        self.pattern = pattern
        self.known: dict[int, bool] = {}
        self.depth = 0

    def tell(self, steps: Sequence[Step]) -> list[str]:
        """Give the sentences of some steps."""
        sentences: list[str] = []
        for step in steps:
            if step.rule is Rule.TOGETHER:
                sentences += self._together(step)
                self.known.update(dict.fromkeys(step.cells, step.mined))
                continue
            sentences += self._reasons(step)
            self.known.update(dict.fromkeys(step.cells, step.mined))
            sentences.append(self._conclusion(step))
        return sentences

    def _conclusion(self, step: Step) -> str:
        return f"So {listed(self.reading, step.cells)} {are(step.cells, step.mined)}."

    def _reasons(self, step: Step) -> Iterator[str]:
        if step.rule in (Rule.CASES, Rule.NESTED_CASES):
            yield from self._cases(step)
        elif step.rule is Rule.ARRANGEMENTS:
            yield from self._limits(step)
        elif step.rule is Rule.MINE_COUNT:
            yield from self._sum(step) if len(step.numbers) == SUMMED else self._limits(step)
        elif MINE_COUNT in step.clues:
            yield from self._whole(step)
        elif step.rule is Rule.SATISFIED:
            yield self._satisfied(step)
        elif step.rule is Rule.NEEDS_ALL:
            yield self._needs_all(step)
        else:
            yield from self._pair(step)

    # ---- one clue

    def _satisfied(self, step: Step) -> str:
        clue = step.clues[0]
        statement, name = self.reading.statement(clue), upper(named(self.reading, clue))
        shown = self._shown(clue)
        if not step.known:
            if not shown:
                return f"{name} has no mine around it."
            return f"{name} has all its mines: {_shown_words(shown)}."
        if statement.most == 1 and not shown:
            return f"{name} has its mine at {listed(self.reading, step.known)}."
        found = listed(self.reading, step.known)
        seen = f", with {_shown_words(shown)}" if shown else ""
        return f"{name} has all its mines at {found}{seen}."

    def _needs_all(self, step: Step) -> str:
        clue = step.clues[0]
        statement = self.reading.statement(clue)
        left = len(statement.cells) - len(step.known)
        needs = f"{upper(named(self.reading, clue))} needs {self._wanted(statement)}"
        if step.known:
            without = f"without {self._list(step.known)}"
            return f"{needs}, and {without} has only {counted(left, 'cell')} left."
        return f"{needs} and has only {counted(left, 'unopened neighbour')}."

    # ---- two clues

    def _pair(self, step: Step) -> Iterator[str]:
        reading = self.reading
        first, second = (self._left(clue, step.known) for clue in step.clues)
        one, other = (named(reading, clue) for clue in step.clues)
        if step.known:
            yield f"Leave out {self._known(step.known)}."
        pattern = find_pattern(reading, step, self.known)
        if pattern and not self.pattern.startswith(pattern):
            yield f"{'What is left' if step.known else 'This'} is the {pattern} pattern."
        shared = tuple(cell for cell in first.cells if cell in second.cells)
        own, rest = len(first.cells) - len(shared), len(second.cells) - len(shared)
        if step.rule is Rule.INSIDE:
            every = "other unopened" if step.known else "unopened"
            yield f"Every {every} neighbour of {other} is also a neighbour of {one}."
            there = meaning(reading, second.least, second.most)
            yield f"{upper(other)} has {there} there."
        else:
            yield f"{upper(one)} and {other} share {self._list(shared)}."
            yield from self._shared(step, second, other, rest)
        yield self._rest(step, first, one, own)

    def _shared(self, step: Step, second: Statement, other: str, rest: int) -> Iterator[str]:
        if step.mined:
            yield f"{upper(other)} allows at most {counted(second.most, 'mine')} there."
            return
        least = second.least - rest
        wanted = counted(second.least, "mine")
        yield f"{upper(other)} needs {wanted} and has only {counted(rest, 'other cell')}."
        yield f"So at least {counted(least, 'mine')} {_is(least)} among the shared cells."

    def _rest(self, step: Step, first: Statement, one: str, own: int) -> str:
        if not step.mined:
            return f"That already makes all mines of {one}."
        wanted = counted(first.least, "mine")
        other = f"only {counted(own, 'other cell')}"
        return f"{upper(one)} needs {wanted} and has {other}."

    # ---- suppositions

    def _cases(self, step: Step) -> Iterator[str]:
        cell, value = step.cells[0], not step.mined
        name = self.reading.grid.cell(cell)
        again = "also " if self.depth else ""
        yield f"Suppose {again}{name} were {'a mine' if value else 'safe'}."
        before = dict(self.known)
        self.known[cell] = value
        self.depth += 1
        inner = self.tell(step.inner)
        yield from _then(inner)
        assert step.clash is not None
        yield self._clash(step.clash)
        self.depth -= 1
        self.known = before

    def _clash(self, clash: Clash) -> str:
        statement = self.reading.statement(clash.clue)
        room = counted(len(statement.cells) - len(clash.known), "cell")
        found = counted(len(clash.known), "mine")
        if clash.clue == MINE_COUNT:
            left = counted(statement.most, "mine")
            if clash.too_many:
                return f"That makes {found} where only {left} can be, which cannot be."
            return f"Then {left} would have {room} left, which cannot be."
        name = upper(named(self.reading, clash.clue))
        if clash.too_many:
            more = " more" if self._shown(clash.clue) else ""
            cells = self._list(clash.known)
            return f"{name} would have {found}{more}, {cells}, which cannot be."
        needs = f"{name} needs {self._wanted(statement)}"
        return f"{needs} but would have {room} left, which cannot be."

    # ---- the mine count

    def _whole(self, step: Step) -> Iterator[str]:
        """Tell a step that uses the mine count like a clue of all cells."""
        left = self._left(MINE_COUNT, step.known).most
        if step.rule is Rule.SATISFIED:
            yield "With these, no mine is left." if step.known else "No mine is left."
        elif step.rule is Rule.NEEDS_ALL:
            yield f"{_left_words(left)}, and only {counted(left, 'cell')} can hold {_them(left)}."
        else:
            clue = next(clue for clue in step.clues if clue != MINE_COUNT)
            second = self._left(clue, step.known)
            yield f"{_left_words(left)}."
            there = meaning(self.reading, second.least, second.most)
            more = "more " if len(second.cells) < len(self.reading.statement(clue).cells) else ""
            yield f"{upper(named(self.reading, clue))} has {there} {more}around it."
            yield (
                "Every other cell must be a mine." if step.mined else "No other cell can be a mine."
            )

    def _together(self, step: Step) -> Iterator[str]:
        """Tell how many mines many clues prove; the safe cells among theirs go without saying."""
        if step.mined:
            left, cells = step.numbers
            mines = counted(len(step.cells), "mine")
            yield f"{upper(named_all(self.reading, step.clues))} prove {mines}."
            rest = f"for the {counted(cells, 'cell')} that they do not decide"
            yield f"So {counted(left, 'mine')} {_is(left)} left {rest}."

    def _sum(self, step: Step) -> Iterator[str]:
        """Tell what clues that share no cell take of the mines."""
        taken, left, rest = step.numbers
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        if not step.known:
            yield self._total(left)
        if clues:
            amount = _them(left) if taken == left == 1 else number(taken)
            if taken == left > 1:
                amount = "all of them"
            which = "none of these cells" if step.known else "no cell"
            share = f"share {which} and take" if len(clues) > 1 else "takes"
            together = " together" if len(clues) > 1 else ""
            yield f"{upper(self._some(step, clues))} {share} {amount}{together}."
        if step.mined:
            cells = counted(rest, "other cell" if clues else "cell")
            what = "what is left" if clues else _them(left)
            yield f"There {_is(rest)} only {cells} for {what}."

    def _limits(self, step: Step) -> Iterator[str]:
        """Tell what no short chain of steps shows: which numbers of mines are possible."""
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        names = self._some(step, clues)
        if len(clues) == len(step.clues):
            yield f"{upper(names)} allow no arrangement in which this is otherwise."
            return
        left = self._left(MINE_COUNT, step.known).most
        if not step.known:
            yield self._total(left)
        yield f"Suppose {self._list(step.cells)} were {'safe' if step.mined else 'a mine'}."
        least, most = step.numbers or (0, left)
        place = "these cells" if step.known else "the board"
        if least > left:
            yield f"With {names}, {place} would then hold at least {counted(least, 'mine')}."
        elif most < left:
            yield f"With {names}, {place} would then hold at most {counted(most, 'mine')}."
        else:
            yield f"No arrangement that {names} allow would then have as many mines."

    def _some(self, step: Step, clues: Sequence[int]) -> str:
        """Name the clues of a step; after many clues, many are some of these."""
        if step.known and len(clues) > LISTED:
            return f"{number(len(clues))} of these clues"
        return named_all(self.reading, clues)

    # ---- small things

    def _left(self, clue: int, known: Sequence[int]) -> Statement:
        """Give what a clue says when known cells are left out."""
        statement = self.reading.statement(clue)
        used = set(known)
        cells = tuple(cell for cell in statement.cells if cell not in used)
        mines = sum(1 for c in statement.cells if c in used and self.known.get(c))
        return Statement(clue, cells, statement.least - mines, statement.most - mines)

    def _known(self, cells: Sequence[int]) -> str:
        safe = [cell for cell in cells if not self.known.get(cell)]
        mined = [cell for cell in cells if self.known.get(cell)]
        parts = []
        if safe:
            parts.append(f"{self._list(safe)}, which {are(safe, False)}")
        if mined:
            parts.append(f"{self._list(mined)}, which {are(mined, True)}")
        return ", and ".join(parts)

    def _total(self, left: int) -> str:
        """Say how many mines there are, less those that are shown."""
        if self.reading.observation.hits or not left:
            return f"{_left_words(left)} on the board."
        return f"There {_is(left)} {counted(left, 'mine')} on the board."

    def _wanted(self, statement: Statement) -> str:
        """Say how many mines a clue needs among its unopened neighbours."""
        wanted = counted(statement.least, "mine")
        return f"{wanted} more" if self._shown(statement.clue) else wanted

    def _list(self, cells: Sequence[int]) -> str:
        return listed(self.reading, cells)

    def _shown(self, clue: int) -> int:
        """Count the mines that are shown around a clue."""
        shown = self.reading.observation.shown
        return sum(1 for i in self.reading.grid.neighbours(clue) if shown[i] == EXPLODED)


def _left_words(left: int) -> str:
    return f"{upper(counted(left, 'mine'))} {_is(left)} left"


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _then(sentences: Sequence[str]) -> list[str]:
    """Begin what follows from a supposition with `then`."""
    if not sentences or sentences[0].startswith(("Suppose", "Leave")):
        return list(sentences)
    first = sentences[0]
    return [f"Then {first[0].lower()}{first[1:]}", *sentences[1:]]


def _shown_words(shown: int) -> str:
    return "the mine that is shown" if shown == 1 else f"the {number(shown)} mines that are shown"
