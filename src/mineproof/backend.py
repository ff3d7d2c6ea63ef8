"""The choice of the implementation: the C++ core (native or WebAssembly), or pure Python."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

VARIABLE = "MINEPROOF_BACKEND"
"""The environment variable that selects the implementation: `native`, `wasm` or `python`."""


CORES = {"native": "mineproof._native", "wasm": "mineproof.wasm"}
"""The modules of the C++ core, fastest first. WebAssembly exists only in browsers."""


def _load() -> ModuleType | None:
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "python", *CORES):
        raise ImportError(f"expected {VARIABLE}=native, wasm or python, got {wanted!r}")
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
    """Return the name of the implementation in use: `native`, `wasm` or `python`."""
    names = {module: name for name, module in CORES.items()}
    return "python" if native is None else names[native.__name__]
