"""What a check is; checks of the file as a whole, and those that `contract.txt` has in steps."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files

from mineproof.cs50check.case import Case, ContractError, NotTriedError

Body = Callable[[Case], None]
ADVISED = " (advised)"
SIGNATURES = {
    "Minesweeper": {
        "__init__": ("height", "width", "mines"),
        "print": (),
        "is_mine": ("cell",),
        "nearby_mines": ("cell",),
        "won": (),
    },
    "Sentence": {
        "__init__": ("cells", "count"),
        "__eq__": ("other",),
        "__str__": (),
        "known_mines": (),
        "known_safes": (),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
    },
    "MinesweeperAI": {
        "__init__": ("height", "width"),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
        "add_knowledge": ("cell", "count"),
        "make_safe_move": (),
        "make_random_move": (),
    },
}
"""The functions of the contract with their parameters after `self`."""


@dataclass(frozen=True)
class Check:
    """One behaviour that is checked."""

    name: str
    """The function that it is about, such as `Sentence.known_mines`."""
    behaviour: str
    """What the function has to do, in words."""
    body: Body
    required: bool = True
    """Whether the contract asks for it; else it is advised."""

    @property
    def title(self) -> str:
        """Name the check as in every report."""
        return f"{self.name}: {self.behaviour}"


def contract_checks() -> Iterator[Check]:
    """Read the checks of `contract.txt`, in the order in which a student would mend."""
    text = (files("mineproof.cs50check") / "contract.txt").read_text(encoding="utf-8")
    for block in text.strip().split("\n\n")[1:]:
        title, *lines = (line.strip() for line in block.split("\n"))
        name, _, behaviour = title.removesuffix(ADVISED).partition(": ")
        yield Check(name, behaviour, partial(_follow, lines), not title.endswith(ADVISED))


def _follow(lines: list[str], case: Case) -> None:
    for line in lines:
        code, _, why = line.partition("  # ")
        _take(case, code, why)


def _take(case: Case, code: str, why: str) -> None:
    """Take one step: the cells of some are drawn, and some are looked at."""
    if found := re.fullmatch(r"ai = MinesweeperAI\(height=(\d+), width=(\d+)\)", code):
        case.ai(int(found[1]), int(found[2]))
    elif found := re.fullmatch(r"ai\.add_knowledge\((\(.+\)), (\d)\)", code):
        case.tell(literal_eval(found[1]), int(found[2]))
    elif found := re.fullmatch(r"sentence = Sentence\((\{.+\}), (\d)\)", code):
        case.sentence(literal_eval(found[1]), int(found[2]))
    elif found := re.fullmatch(r"(.+) -> (.+)", code):
        case.expect(found[1], literal_eval(found[2]), why)
    elif found := re.fullmatch(r"(.+) gives one of (\{.+\})", code):
        case.expect_one_of(found[1], literal_eval(found[2]), why)
    elif found := re.fullmatch(r"ai\.knowledge has (\{.+\}) = (\d)", code):
        case.expect_sentence(literal_eval(found[1]), int(found[2]), why)
    elif found := re.fullmatch(r"ai\.(mines|safes) has (\{.+\})", code):
        case.expect_members(found[1], literal_eval(found[2]), why)
    else:
        case.run(code)


def _functions(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        if not case.peek(f"isinstance({owner}, type)" if _has(case, owner) else "False"):
            raise ContractError(f"a class {owner}", "none")
        for name in functions:
            if case.parameters(f"{owner}.{name}") is None:
                raise ContractError(f"a function {owner}.{name}", "none")


def _has(case: Case, owner: str) -> bool:
    return bool(case.peek(f"{owner!r} in globals()"))


def _signatures(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        for name, wanted in functions.items():
            found = case.parameters(f"{owner}.{name}")
            if found is None:
                raise NotTriedError
            # Python's own __eq__ calls its parameter `value`; the name does not matter there.
            is_same = len(found) == 2 if name == "__eq__" else found[1:] == list(wanted)
            if not is_same:
                raise ContractError(
                    f"{owner}.{name}({', '.join(('self', *wanted))})",
                    f"({', '.join(found)})",
                    "Others call these functions as they are given: no other name, none more.",
                )


FILE_CHECKS = (
    Check("minesweeper.py", "has the three classes with all functions of the project", _functions),
    Check(
        "minesweeper.py", "leaves the parameters of the functions as they are given", _signatures
    ),
)
