"""The agents, one file each, and the code that registers, loads and creates them."""

import importlib
import sys
import warnings
from types import ModuleType
from typing import Any


class _Moved(ModuleType):
    """A module that has moved. Its old name works until version 0.4, with a warning."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(f"{__name__}.{old}")
        self._new = new

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        text = f"import {self._new} instead: {self.__name__} will be removed in version 0.4"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(self._new), name)


for _old, _new in {
    "counting": "mineproof.proof.counting",
    "searching": "mineproof.inference.clue_search",
}.items():
    sys.modules[f"{__name__}.{_old}"] = _Moved(_old, _new)
