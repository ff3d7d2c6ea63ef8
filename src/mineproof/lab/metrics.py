"""The metrics of games, and the columns that they are computed from (`metrics.toml`).

A metric is a ratio of two sums over games, `value / weight`. For a mean, the weight is 1. For a
share, the value is also 0 or 1. Both are SQL expressions over the columns of the stored games.
Games with a NULL are left out.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from mineproof.core.words import NO_BREAK
from mineproof.notation.codec import from_plain


@dataclass(frozen=True)
class Metric:
    """A value computed from many games."""

    label: str
    value: str
    weight: str = "1"
    unit: str = ""
    is_share: bool = False
    """Whether the value of each game is 0 or 1, so that the interval is a Wilson interval."""
    needs: str = ""
    """The probe that measures the value, if it needs one."""

    @property
    def axis(self) -> str:
        """The label of an axis."""
        if self.unit.startswith("per "):
            return f"{self.label} {self.unit}"
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def title(self) -> str:
        """The name at the start of a sentence."""
        short = self.label.partition(" (")[0]
        step = " per step" if self.unit.endswith("per step") else ""
        return f"{short[:1].upper()}{short[1:]}{step}"

    @property
    def sign(self) -> str:
        """The unit after a number."""
        return f"{NO_BREAK}%" if self.unit == "%" else " ms" if self.unit.startswith("ms") else ""

    @property
    def scale(self) -> float:
        """The factor for displayed values: shares are shown as percentages."""
        return 100.0 if self.unit == "%" else 1.0


_TABLES = tomllib.loads(Path(__file__).with_name("metrics.toml").read_text(encoding="utf-8"))
PROBES = from_plain(dict[str, str], _TABLES["probes"])
"""Optional measurements by name, with a description."""
GAME_COLUMNS = from_plain(dict[str, str], _TABLES["columns"])
"""The stored columns with the results of a game, and their SQL types."""
METRICS = from_plain(dict[str, Metric], _TABLES["metrics"])
"""All metrics by name."""
