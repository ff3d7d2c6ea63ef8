"""What a check is; each module of checks has a list of its own, `catalogue` joins them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mineproof.cs50check.case import Case

Body = Callable[[Case], None]


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


class Checks(list[Check]):
    """Checks in the order in which a student would mend what they find."""

    def add(self, name: str, behaviour: str, *, required: bool = True) -> Callable[[Body], Body]:
        """Add the decorated function as a check."""

        def register(body: Body) -> Body:
            self.append(Check(name, behaviour, body, required))
            return body

        return register
