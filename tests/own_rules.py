"""A context manager that isolates the clue rules that a test registers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mineproof.core import clues, user_code


@contextmanager
def forgotten_rules() -> Iterator[None]:
    """On exit, forget the rules registered in the block and the files that define them."""
    modules = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clues, "_RULES", dict(clues.BUILT_IN))
        patch.setattr(user_code, "_loaded", set())
        patch.setenv(user_code.VARIABLE, "")
        yield
    clues.ClueRule.parse.cache_clear()
    for name in set(sys.modules) - modules:
        if name.startswith("mineproof_user_"):
            del sys.modules[name]
