"""Proofs in plain words: one sentence per step, naming only the cells and clues it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    only,
)
from mineproof.proof.statements import Reading, without_known

SUMMED = 3
"""A step that adds up clues has this many `numbers`. A step that states limits has two."""


class ProofWriter:
    """Writes the steps of one proof, in order. It remembers the value of each cell so far."""

    def __init__(self, reading: Reading) -> None:
        """Prepare for a position."""
        self.reading = reading
        self.known: dict[int, bool] = {}
        self.groups: dict[int, Statement] = {}
        self._depth = 0

    def write(self, step: Deduction) -> str:
        """Return the sentence for a step. The steps it depends on must be written first."""
        text = self._sentence(step)
        if step.mined is None:
            self.groups[step.group] = Statement(step.group, step.cells, *step.numbers)
        else:
            self.known.update(dict.fromkeys(step.cells, step.mined))
        return text

    def _sentence(self, step: Deduction) -> str:
        if step.rule is Rule.TOGETHER:
            return self._together(step)
        reasons: dict[Rule, Callable[[Deduction], str]] = {
            Rule.SATISFIED: self._satisfied,
            Rule.NEEDS_ALL: self._needs_all,
            Rule.INSIDE: self._inside,
            Rule.DIFFERENCE: self._difference,
            Rule.GROUP: self._group,
            Rule.CASES: self._cases,
            Rule.NESTED_CASES: self._cases,
            Rule.ARRANGEMENTS: self._limits,
            Rule.MINE_COUNT: self._sum if len(step.numbers) == SUMMED else self._limits,
        }
        cells = self._list(step.cells)
        if step.mined is None:
            conclusion = f"{cells} hold {between(*step.numbers)}"
        else:
            conclusion = f"{cells} {are(step.cells, step.mined)}"
        return f"{reasons[step.rule](step)}, so {conclusion}"

    # ---- one clue

    def _satisfied(self, step: Deduction) -> str:
        clue = step.clues[0]
        known = self._list(step.known) if step.known else ""
        if clue == MINE_COUNT:
            return f"with {known}, every mine is found" if known else self._total(0)
        name, shown = self._name(clue), self._shown(clue)
        if not shown:
            its = "its mine" if self._statement(clue).most == 1 else "all its mines"
            return f"{name} has {its} at {known}" if known else f"{name} has no mines around it"
        seen = f"{number(shown)} that {is_or_are(shown)} shown"
        return f"{name} already has all its mines: {f'{known}, plus ' if known else ''}{seen}"

    def _needs_all(self, step: Deduction) -> str:
        clue = step.clues[0]
        statement = self._left(clue, step.known)
        needed, cells = statement.least, len(statement.cells)
        if clue == MINE_COUNT:
            room = counted(cells, "cell")
            return f"{_left_words(needed)}, and only {room} can hold {_them(needed)}"
        needs = f"{self._name(clue)} needs {self._mines(clue, needed)}"
        if step.known:
            safe = self._list(step.known)
            return f"{needs}, and with {safe} safe it has only {counted(cells, 'cell')} left"
        return f"{needs} and has only {counted(cells, 'unopened neighbour')}"

    # ---- two clues

    def _inside(self, step: Deduction) -> str:
        first, second = (self._left(clue, step.known) for clue in step.clues)
        rest = len(first.cells) - len(second.cells)
        if MINE_COUNT in step.clues:
            return self._whole(step, first.most, self._meaning(second))
        if not step.mined:
            return f"{self._group(step)}, which has no other mines"
        needed = counted(first.least, "mine")
        return f"{self._group(step)}, which needs {needed} and has {only(rest, 'other cell')}"

    def _group(self, step: Deduction) -> str:
        """State that the cells of the second clue all belong to the first."""
        second = self._left(step.clues[1], step.known)
        one, other = map(self._name, step.clues)
        hold = f"the cells of {other} hold {self._meaning(second)}"
        return f"{self._apart_from(step)}{hold} and all belong to {one} too"

    def _difference(self, step: Deduction) -> str:
        first, second = (self._left(clue, step.known) for clue in step.clues)
        one, other = map(self._name, step.clues)
        shared = [cell for cell in first.cells if cell in second.cells]
        own = only(len(first.cells) - len(shared), "other cell")
        rest = len(second.cells) - len(shared)
        start = f"{self._apart_from(step)}{one} and {other} share {self._list(shared)}; {other} "
        if step.mined:
            allowed = f"allows at most {counted(second.most, 'mine')} there"
            return f"{start}{allowed}, and {one} needs {number(first.least)} but has {own}"
        least = f"at least {counted(second.least - rest, 'mine')}"
        has = f"has {self._meaning(second)} but {only(rest, 'other cell')}"
        return f"{start}{has}, which puts {least} in the shared cells, and {one} has no other mines"

    def _apart_from(self, step: Deduction) -> str:
        """Name the pattern, if there is one, and the known cells that the step leaves out."""
        pattern = find_pattern(self.reading, step, self.known)
        known = []
        for mined in (False, True):
            cells = [cell for cell in step.known if bool(self.known.get(cell)) is mined]
            if cells:
                known.append(f"{self._list(cells)}, which {are(cells, mined)}")
        start = f"{pattern} pattern: " if pattern else ""
        return f"{start}apart from {', and '.join(known)}, " if known else start

    # ---- assumptions

    def _cases(self, step: Deduction) -> str:
        cell, value = step.cells[0], not step.mined
        before, groups = dict(self.known), dict(self.groups)
        also = "also " if self._depth else ""
        parts = [f"{also}assume that {self._list([cell])} {are([cell], value)}"]
        self.known[cell] = value
        self._depth += 1
        parts += [self.write(inner) for inner in step.inner]
        assert step.clash is not None
        parts.append(self._clash(step.clash))
        self._depth -= 1
        self.known, self.groups = before, groups
        return "; ".join(parts)

    def _clash(self, clash: Clash) -> str:
        names = joined([self._name(clue) for clue in clash.clues])
        if len(clash.clues) > 1:
            return f"then {names} contradict each other"
        clue = clash.clues[0]
        statement = self._statement(clue)
        found = len(clash.known)
        room = only(len(statement.cells) - found, "cell")
        if clue == MINE_COUNT:
            if clash.too_many:
                limit = f"{only(statement.most, 'mine')} {is_or_are(statement.most)} left"
                return f"that makes {counted(found, 'mine')}, but {limit}"
            return f"then {room} can hold {counted(statement.most, 'mine')}, which is impossible"
        if clash.too_many:
            mines = self._mines(clue, found)
            return f"then {names} has {mines}, {self._list(clash.known)}, which is too many"
        needed = self._mines(clue, statement.least)
        return f"then {names} needs {needed} but has {room} left, which is impossible"

    # ---- the mine count

    def _together(self, step: Deduction) -> str:
        """State what many clues prove, if only the number of cells matters later."""
        names, count = self._clues(step.clues), len(step.cells)
        if not step.mined:
            cells = counted(count, "cell")
            return f"together, {names} prove that {cells} {is_or_are(count)} safe"
        left, rest = step.numbers
        mines = f"{counted(count, 'mine')}, which leaves {counted(left, 'mine')}"
        return f"together, {names} prove {mines} for {counted(rest, 'cell')}"

    def _whole(self, step: Deduction, left: int, there: str) -> str:
        """Use the mine count like a clue about all cells."""
        name = self._name(next(clue for clue in step.clues if clue != MINE_COUNT))
        if step.mined:
            return (
                f"{_left_words(left)}, {name} has {there}, "
                "and every other cell is needed for the rest"
            )
        them = "it" if left == 1 else "all of them"
        return f"{_left_words(left)}, and {name} accounts for {them}"

    def _sum(self, step: Deduction) -> str:
        """State how many mines are accounted for by clues that share no cell."""
        taken, left, rest = step.numbers
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        parts = [] if step.known else [self._total(left)]
        if clues:
            amount = f"{number(taken) if taken else 'none'} of them"
            if taken == left:
                amount = "it" if left == 1 else "all of them"
            which = "none of these cells" if step.known else "no cells"
            share = f"share {which} and account for" if len(clues) > 1 else "accounts for"
            parts.append(f"{self._some(step, clues)} {share} {amount}")
        if step.mined:
            cells = only(rest, "other cell" if clues else "cell")
            parts.append(f"{cells} can hold {'the rest' if clues else _them(left)}")
        return "; ".join(parts) or "no mines are left"

    def _limits(self, step: Deduction) -> str:
        """State which numbers of mines are possible, if no short chain of steps proves a cell."""
        clues = [clue for clue in step.clues if clue != MINE_COUNT]
        names = self._some(step, clues) if clues else "no clue"
        if len(clues) == len(step.clues):
            return f"every arrangement that fits {names} agrees"
        left = self._left(MINE_COUNT, step.known).most
        least, most = step.numbers or (0, left)
        board = "these cells hold" if step.known else "the board has"
        if least > left:
            then = f"then, given {names}, {board} at least {counted(least, 'mine')}"
        elif most < left:
            then = f"then, given {names}, {board} at most {counted(most, 'mine')}"
        else:
            then = f"then no arrangement that fits {names} has that many mines"
        assumed = f"assume that {self._list(step.cells)} {are(step.cells, not step.mined)}"
        return "; ".join([*([] if step.known else [self._total(left)]), assumed, then])

    def _some(self, step: Deduction, clues: Sequence[int]) -> str:
        """Name the clues of a step. If they were named before, state only how many there are."""
        if step.known and len(clues) > LISTED:
            return f"{number(len(clues))} of these clues"
        return self._clues(clues)

    # ---- names and numbers

    def _statement(self, clue: int) -> Statement:
        return self.groups[clue] if clue >= FIRST_GROUP else self.reading.statement(clue)

    def _left(self, clue: int, known: Sequence[int]) -> Statement:
        """Return what a clue says about the cells that are not in `known`."""
        used = {cell: self.known.get(cell, False) for cell in known}
        return without_known(self._statement(clue), used)

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
        """State how many mines there are, not counting those that are shown."""
        if self.reading.observation.hits or not left:
            return f"{_left_words(left)} on the board"
        return f"there {is_or_are(left)} {counted(left, 'mine')} on the board"

    def _list(self, cells: Sequence[int]) -> str:
        return listed(self.reading, cells)

    def _shown(self, clue: int) -> int:
        """Return the number of mines that are shown around a clue."""
        return 0 if clue >= FIRST_GROUP else self.reading.mines_shown(clue)

    def _mines(self, clue: int, count: int) -> str:
        """Return a number of mines as text; say `two more mines` if some are already shown."""
        return counted(count, "more mine" if self._shown(clue) else "mine")


def _left_words(left: int) -> str:
    return f"{counted(left, 'mine')} {is_or_are(left)} left"


def _them(count: int) -> str:
    return "it" if count == 1 else "them"
