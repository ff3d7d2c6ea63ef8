"""Which implementation runs: the C++ core, native or as WebAssembly, or its pure-Python twin."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

VARIABLE = "MINEPROOF_BACKEND"
"""Set to `python` to do without the C++ core, to `native` or `wasm` to insist on it."""


CORES = {"native": "mineproof._native", "wasm": "mineproof.wasm"}
"""The forms of the C++ core, the best first; the second is only in browsers."""


def _load() -> ModuleType | None:
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "python", *CORES):
        raise ImportError(f"expected {VARIABLE} native, wasm or python, got {wanted!r}")
    if wanted == "python":
        return None
    if wanted:
        return importlib.import_module(CORES[wanted])
    for name in CORES.values():
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


native: ModuleType | None = _load()
"""The C++ core, or None."""


def backend() -> str:
    """Give `native`, `wasm` or `python`."""
    names = {module: name for name, module in CORES.items()}
    return "python" if native is None else names[native.__name__]
