"""Numbers in options: what is expected of them, and what came, in words."""

from __future__ import annotations

import math
from typing import Any

import click


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say which ones are possible."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a whole number {_bounds(self)}, got {value!r}", param, ctx)


class Number(click.FloatRange):
    """A number within bounds; nan, which no bounds keep out, is none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say which ones are possible."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):
            self.fail(f"expected a number {_bounds(self)}, got {value!r}", param, ctx)
        return number


def _bounds(kind: click.IntRange | click.FloatRange) -> str:
    low, high = kind.min, kind.max
    if high is not None:
        return f"from {low} to {high}"
    return f"above {low}" if kind.min_open else f"of at least {low}"
