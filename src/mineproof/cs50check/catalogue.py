"""All checks, from the simple to those that play whole games."""

from __future__ import annotations

from mineproof.cs50check import (
    file_checks,
    game_checks,
    knowledge_checks,
    move_checks,
    position_checks,
    sentence_checks,
)
from mineproof.cs50check.checks import Check

ALL_CHECKS: tuple[Check, ...] = (
    *file_checks.checks,
    *sentence_checks.checks,
    *knowledge_checks.checks,
    *move_checks.checks,
    *position_checks.checks,
    *game_checks.checks,
)
