"""Proofs in plain words: one sentence a step, and no cell or clue that is not needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mineproof.core.words import joined
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.proof.closure import FIRST_GROUP
from mineproof.proof.kinds import Clash, Deduction, Rule
from mineproof.proof.patterns import find_pattern
from mineproof.proof.phrases import (
    LISTED,
    are,
    between,
    counted,
    is_or_are,
    listed,
    meaning,
    named,
    named_all,
    number,
)
from mineproof.proof.statements import Reading, without_known

SUMMED = 3
"""Numbers of a step that adds up clues; one that names limits has two."""


class ProofWriter:
    """Writes the steps of a proof; it remembers what was said of which cell."""

    def __init__(self, reading: Reading) -> None:
        """Prepare for a position."""
        self.reading = reading
        self.known: dict[int, bool] = {}
        self.groups: dict[int, Statement] = {}
        self.depth = 0

    def write(self, step: Deduction) -> str:
        """Return the sentence of a step, which must come after those that it depends on."""
        text = self._reason(step)
        text += f"{', so' if self.depth else ':'} {self._conclusion(step)}"
        if step.mined is None:
            self.groups[step.group] = Statement(step.group, step.cells, *step.numbers)
        else:
            self.known.update(dict.fromkeys(step.cells, step.mined))
        return text

    def _conclusion(self, step: Deduction) -> str:
        cells = self._list(step.cells)
        if step.mined is None:
            least, most = step.numbers
            return f"{between(least, most)} {is_or_are(most)} among {cells}"
        if step.rule is Rule.TOGETHER:
            left, rest = step.numbers
            if not step.mined:
                return f"{counted(len(step.cells), 'cell')} {is_or_are(len(step.cells))} safe"
            mines = f"{counted(len(step.cells), 'mine')} {is_or_are(len(step.cells))} found"
            return f"{mines}, and {number(left)} {is_or_are(left)} left for {counted(rest, 'cell')}"
        return f"{cells} {are(step.cells, step.mined)}"

    def _reason(self, step: Deduction) -> str:
        ways: dict[Rule, Callable[[Deduction], str]] = {
            Rule.SATISFIED: self._satisfied,
            Rule.NEEDS_ALL: self._needs_all,
            Rule.INSIDE: self._inside,
            Rule.DIFFERENCE: self._difference,
            Rule.GROUP: self._group,
            Rule.CASES: self._cases,
            Rule.NESTED_CASES: self._cases,
            Rule.ARRANGEMENTS: self._limits,
            Rule.TOGETHER: lambda step: f"of {self._clues(step.clues)}",
            Rule.MINE_COUNT: self._sum if len(step.numbers) == SUMMED else self._limits,
        }
        return ways[step.rule](step)

    # ---- one clue

    def _satisfied(self, step: Deduction) -> str:
        clue = step.clues[0]
        if clue == MINE_COUNT:
            return (
                f"with {self._list(step.known)} no mine is left" if step.known else self._total(0)
            )
        name, shown = self._name(clue), self._shown(clue)
        if not step.known:
            mines = f"all its mines: {_shown_words(shown)}" if shown else "no mine around it"
            return f"{name} has {mines}"
        its = "its mine" if self._statement(clue).most == 1 and not shown else "all its mines"
        seen = f", with {_shown_words(shown)}" if shown else ""
        return f"{name} has {its} at {self._list(step.known)}{seen}"

    def _needs_all(self, step: Deduction) -> str:
        clue = step.clues[0]
        statement = self._left(clue, step.known)
        if clue == MINE_COUNT:
            left = statement.least
            return f"{_left_words(left)}, and only {counted(left, 'cell')} can hold {_them(left)}"
        wanted = counted(statement.least, "mine")
        needs = f"{self._name(clue)} needs {wanted}{' more' if self._shown(clue) else ''}"
        if step.known:
            without = self._list(step.known)
            left = len(statement.cells)
            return f"{needs} and, without {without}, has only {counted(left, 'cell')} left"
        return f"{needs} and has only {counted(len(statement.cells), 'unopened neighbour')}"

    # ---- two clues

    def _inside(self, step: Deduction) -> str:
        first, second = (self._left(clue, step.known) for clue in step.clues)
        one, other = map(self._name, step.clues)
        if MINE_COUNT in step.clues:
            return self._whole(step)
        there = self._meaning(second)
        text = f"all cells of {other}, with {there}, are cells of {one} too"
        if step.mined:
            rest = counted(len(first.cells) - len(second.cells), "other cell")
            text += f", which needs {number(first.least)} and has only {rest}"
        else:
            text += ", which has no other mine"
        return self._leaving(step) + text

    def _difference(self, step: Deduction) -> str:
        first, second = (self._left(clue, step.known) for clue in step.clues)
        one, other = map(self._name, step.clues)
        if MINE_COUNT in step.clues:
            return self._whole(step)
        shared = [cell for cell in first.cells if cell in second.cells]
        own, rest = len(first.cells) - len(shared), len(second.cells) - len(shared)
        text = f"{one} and {other} share {self._list(shared)}, "
        if step.mined:
            text += f"where {other} allows at most {counted(second.most, 'mine')}; "
            text += f"{one} needs {number(first.least)} and has only {counted(own, 'other cell')}"
        else:
            least = second.least - rest
            text += (
                f"where {other}, with {self._meaning(second)} and {counted(rest, 'other cell')}, "
            )
            text += f"has at least {counted(least, 'mine')}; {one} has no other mine"
        return self._leaving(step) + text

    def _group(self, step: Deduction) -> str:
        second = self._left(step.clues[1], step.known)
        one, other = map(self._name, step.clues)
        text = f"all cells of {other}, with {self._meaning(second)}, are cells of {one} too"
        return self._leaving(step) + text

    def _leaving(self, step: Deduction) -> str:
        """Say which known cells are left out, and which pattern is left."""
        pattern = find_pattern(self.reading, step, self.known)
        left = f"leave out {self._known(step.known)}; " if step.known else ""
        return f"{left}{pattern} pattern: " if pattern else left

    # ---- suppositions

    def _cases(self, step: Deduction) -> str:
        cell, value = step.cells[0], not step.mined
        name = self.reading.grid.cell(cell)
        before, groups = dict(self.known), dict(self.groups)
        self.known[cell] = value
        self.depth += 1
        written = [self.write(inner) for inner in step.inner]
        assert step.clash is not None
        clash = self._clash(step.clash)
        self.depth -= 1
        self.known, self.groups = before, groups
        again = "also " if self.depth else ""
        supposed = f"suppose {again}{name} were {'a mine' if value else 'safe'}"
        return f"{'; '.join([supposed, *written, clash])}, which cannot be"

    def _clash(self, clash: Clash) -> str:
        names = joined([self._name(clue) for clue in clash.clues])
        if len(clash.clues) > 1:
            return f"then {names} cannot both be met"
        clue = clash.clues[0]
        statement = self._statement(clue)
        room = counted(len(statement.cells) - len(clash.known), "cell")
        found = counted(len(clash.known), "mine")
        if clue == MINE_COUNT:
            left = counted(statement.most, "mine")
            if clash.too_many:
                return f"that makes {found} where only {left} can be"
            return f"then {left} would have {room} left"
        more = " more" if self._shown(clue) else ""
        if clash.too_many:
            return f"then {names} would have {found}{more}, {self._list(clash.known)}"
        return f"then {names} needs {counted(statement.least, 'mine')}{more} but has {room} left"

    # ---- the mine count

    def _whole(self, step: Deduction) -> str:
        """Tell a step that uses the mine count like a clue of all cells."""
        left = self._left(MINE_COUNT, step.known).most
        clue = next(clue for clue in step.clues if clue != MINE_COUNT)
        there = self._meaning(self._left(clue, step.known))
        rest = "every other cell must be a mine" if step.mined else "no other cell can be a mine"
        return f"{_left_words(left)}, and {self._name(clue)} has {there} around it, so {rest}"

    def _sum(self, step: Deduction) -> str:
        """Tell what clues that share no cell take of the mines."""
        taken, left, rest = step.numbers
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        parts = [] if step.known else [self._total(left)]
        if clues:
            amount = _them(left) if taken == left == 1 else number(taken)
            if taken == left > 1:
                amount = "all of them"
            which = "none of these cells" if step.known else "no cell"
            share = f"share {which} and take" if len(clues) > 1 else "takes"
            together = " together" if len(clues) > 1 else ""
            parts.append(f"{self._some(step, clues)} {share} {amount}{together}")
        if step.mined:
            cells = counted(rest, "other cell" if clues else "cell")
            what = "what is left" if clues else _them(left)
            parts.append(f"there {is_or_are(rest)} only {cells} for {what}")
        return "; ".join(parts) or "no mine is left"

    def _limits(self, step: Deduction) -> str:
        """Tell what no short chain of steps shows: which numbers of mines are possible."""
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        names = self._some(step, clues)
        if len(clues) == len(step.clues):
            return f"{names} allow no arrangement in which this is otherwise"
        return "; ".join(self._possible(step, names if clues else "no clue"))

    def _possible(self, step: Deduction, names: str) -> Iterator[str]:
        left = self._left(MINE_COUNT, step.known).most
        if not step.known:
            yield self._total(left)
        yield f"suppose {self._list(step.cells)} were {'safe' if step.mined else 'a mine'}"
        least, most = step.numbers or (0, left)
        where = "these cells" if step.known else "the board"
        if least > left:
            yield f"with {names}, {where} would then hold at least {counted(least, 'mine')}"
        elif most < left:
            yield f"with {names}, {where} would then hold at most {counted(most, 'mine')}"
        else:
            yield f"no arrangement that {names} allow would then have as many mines"

    def _some(self, step: Deduction, clues: Sequence[int]) -> str:
        """Name the clues of a step; after many clues, many are some of these."""
        if step.known and len(clues) > LISTED:
            return f"{number(len(clues))} of these clues"
        return self._clues(clues)

    # ---- small things

    def _statement(self, clue: int) -> Statement:
        return self.groups[clue] if clue >= FIRST_GROUP else self.reading.statement(clue)

    def _left(self, clue: int, known: Sequence[int]) -> Statement:
        """Return what a clue says when known cells are left out."""
        used = {cell: self.known.get(cell, False) for cell in known}
        return without_known(self._statement(clue), used)

    def _known(self, cells: Sequence[int]) -> str:
        parts = []
        for mined in (False, True):
            some = [cell for cell in cells if bool(self.known.get(cell)) is mined]
            if some:
                parts.append(f"{self._list(some)}, which {are(some, mined)}")
        return ", and ".join(parts)

    def _name(self, clue: int) -> str:
        if clue < FIRST_GROUP:
            return named(self.reading, clue)
        return f"the group {self._list(self.groups[clue].cells)}"

    def _meaning(self, statement: Statement) -> str:
        if statement.clue >= FIRST_GROUP:
            return between(statement.least, statement.most)
        return meaning(self.reading, statement)

    def _clues(self, clues: Sequence[int]) -> str:
        return named_all(clues, self._name)

    def _total(self, left: int) -> str:
        """Say how many mines there are, less those that are shown."""
        if self.reading.observation.hits or not left:
            return f"{_left_words(left)} on the board"
        return f"there {is_or_are(left)} {counted(left, 'mine')} on the board"

    def _list(self, cells: Sequence[int]) -> str:
        return listed(self.reading, cells)

    def _shown(self, clue: int) -> int:
        """Count the mines that are shown around a clue."""
        return 0 if clue >= FIRST_GROUP else self.reading.mines_shown(clue)


def _left_words(left: int) -> str:
    return f"{counted(left, 'mine')} {is_or_are(left)} left"


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


def _shown_words(shown: int) -> str:
    return "the mine that is shown" if shown == 1 else f"the {number(shown)} mines that are shown"
