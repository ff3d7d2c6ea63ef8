"""What is measured of a game, and how many games are put together.

A metric is a ratio of two sums over games, `value / weight`: a mean has the weight 1, a share
a value of 0 or 1. Both are SQL over the columns of the parts; a NULL leaves the game out.
"""

from __future__ import annotations

from dataclasses import dataclass

PROBES = {
    "board": "3BV and efficiency",
    "luck": "needless guesses and the risk taken, judged by the exact engine",
    "completeness": "the share of provable cells that the agent had proved when it gave up",
    "chains": "the longest chain of influence and its reach",
    "stuck": "what a stuck position lacks",
}
"""What costs extra time, or keeps games out of the native core, and is asked for by name."""

GAME_COLUMNS = {
    "seed": "UBIGINT",
    "result": "VARCHAR",
    "guesses": "INTEGER",
    "steps": "INTEGER",
    "ms": "DOUBLE",
    "false_proofs": "INTEGER",
    "hits": "INTEGER",
    "false_marks": "INTEGER",
    "score": "DOUBLE",
    "opens": "INTEGER",
    "opened_share": "DOUBLE",
    "known_share": "DOUBLE",
    "kb": "INTEGER",
    "bbbv": "INTEGER",
    "efficiency": "DOUBLE",
    "needless": "INTEGER",
    "risk": "DOUBLE",
    "provable": "INTEGER",
    "proved": "INTEGER",
    "unsound": "INTEGER",
    "chain": "INTEGER",
    "reach": "INTEGER",
    "lack": "VARCHAR",
    "hasty": "INTEGER",
}
"""The columns of a part that say what became of a game, with their SQL types.

`false_proofs` are moves called proved that were not; `opens` are the agent's own opens;
`opened_share` is the share of safe cells open at the end, `known_share` that of all cells
opened or marked; `kb` is the largest size of the knowledge base; `hasty` are guesses of
`resolution` with a single literal at hand; `risk` is the chance that the game's guesses had to
hit a mine.
"""


@dataclass(frozen=True)
class Metric:
    """A figure of many games."""

    label: str
    value: str
    weight: str = "1"
    unit: str = ""
    is_share: bool = False
    """Whether the value is 0 or 1 for each game, so that Wilson's interval fits."""
    needs: str = ""
    """The probe that it needs."""

    @property
    def axis(self) -> str:
        """The text beside an axis."""
        if self.unit.startswith("a "):
            return f"{self.label} {self.unit}"
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def title(self) -> str:
        """What a sentence begins with."""
        short = self.label.partition(",")[0]
        step = " a step" if self.unit.endswith("a step") else ""
        return f"{short[:1].upper()}{short[1:]}{step}"

    @property
    def sign(self) -> str:
        """What stands behind its numbers."""
        return " %" if self.unit == "%" else " ms" if self.unit.startswith("ms") else ""

    @property
    def scale(self) -> float:
        """By what values are multiplied for display: per cent are shown as such."""
        return 100.0 if self.unit == "%" else 1.0


def _share(label: str, condition: str, weight: str = "1", needs: str = "") -> Metric:
    return Metric(label, f"({condition})::INTEGER", weight, "%", True, needs)


METRICS = {
    "won": _share("games won", "result = 'win'"),
    "lost": _share("games lost", "result = 'loss'"),
    "stuck": _share("games stuck", "result = 'stuck'"),
    "solved": _share("games won without a guess", "result = 'win' AND guesses = 0"),
    "stuck_nothing": _share(
        "games stuck where nobody can prove anything",
        "coalesce(lack = 'nothing', false)",
        needs="stuck",
    ),
    "stuck_mine_count": _share(
        "games stuck for want of the mine count",
        "coalesce(lack = 'mine-count', false)",
        needs="stuck",
    ),
    "stuck_reasoning": _share(
        "games stuck for want of reasoning", "coalesce(lack = 'reasoning', false)", needs="stuck"
    ),
    "score": Metric("score, mines safely marked", "score", unit="%"),
    "hits": Metric("mines hit", "hits", unit="a game"),
    "hit_chance": Metric("chance that an opened cell is a mine", "hits", "opens", "%"),
    "hit_share": Metric("mines hit, of all mines", "hits / mines", unit="%"),
    "false_marks": Metric("false marks", "false_marks", unit="a game"),
    "steps": Metric("steps", "steps", unit="a game"),
    "guesses": Metric("guesses", "guesses", unit="a game"),
    "needless": Metric("needless guesses", "needless", unit="a game", needs="luck"),
    "hasty": Metric("guesses with a single literal at hand", "hasty", "guesses", "%"),
    "risk": Metric("risk taken in a game", "risk", unit="%", needs="luck"),
    "completeness": Metric(
        "provable cells that were proved", "proved", "provable", "%", needs="completeness"
    ),
    "false_proofs": Metric("false proofs", "false_proofs", unit="a game"),
    "unsound": Metric(
        "cells taken for proved that are not", "unsound", unit="a game", needs="completeness"
    ),
    "known": Metric("cells opened or marked", "known_share", unit="%"),
    "known_stuck": Metric(
        "cells opened or marked when the game is stuck",
        "CASE WHEN result = 'stuck' THEN known_share END",
        unit="%",
    ),
    "opened": Metric("safe cells open at the end", "opened_share", unit="%"),
    "opened_lost": Metric(
        "safe cells open when the game is lost",
        "CASE WHEN result = 'loss' THEN opened_share END",
        unit="%",
    ),
    "ms": Metric("CPU time", "ms", unit="ms a game"),
    "ms_step": Metric("CPU time", "ms", "steps", "ms a step"),
    "kb": Metric("largest knowledge base", "kb", unit="sentences or clauses"),
    "chain": Metric("longest chain of influence", "chain", unit="conclusions", needs="chains"),
    "reach": Metric("reach of influence", "reach", unit="king's moves", needs="chains"),
    "bbbv": Metric("3BV", "bbbv", unit="clicks", needs="board"),
    "efficiency": Metric("efficiency, 3BV a click", "efficiency", needs="board"),
}
"""All metrics by name."""
