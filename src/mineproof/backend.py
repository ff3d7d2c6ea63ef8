"""Which implementation runs: the native core, or its pure-Python twin."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

VARIABLE = "MINEPROOF_BACKEND"
"""Set to `python` to do without the native core, to `native` to insist on it."""


def _load() -> ModuleType | None:
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "native", "python"):
        raise ImportError(f"expected {VARIABLE} native or python, got {wanted!r}")
    if wanted == "python":
        return None
    try:
        return importlib.import_module("mineproof._native")
    except ImportError:
        if wanted == "native":
            raise
        return None


native: ModuleType | None = _load()
"""The native core, or None."""


def backend() -> str:
    """Give `native` or `python`."""
    return "python" if native is None else "native"
