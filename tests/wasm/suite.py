"""Run tests of the core in Pyodide: `suite.py PYTEST_ARGUMENTS`, called by run_python.mjs.

Tests that draw examples with hypothesis are skipped, because part of hypothesis is native code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest


def given(*_: object, **__: object) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Replace hypothesis's decorator."""

    def skip(function: Callable[..., Any]) -> Callable[..., None]:
        def skipped() -> None:
            pytest.skip("hypothesis does not run here")

        skipped.__name__, skipped.__doc__ = function.__name__, function.__doc__
        return skipped

    return skip


def unchanged(*_: object, **__: object) -> Callable[[Any], Any]:
    """Replace decorators that configure examples."""
    return lambda function: function


def main() -> int:
    """Run pytest without its plugins and this project's settings for them."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    hypothesis: Any = ModuleType("hypothesis")
    hypothesis.given, hypothesis.example, hypothesis.assume = given, unchanged, unchanged
    hypothesis.settings = MagicMock(side_effect=unchanged)
    hypothesis.HealthCheck, hypothesis.strategies = MagicMock(), MagicMock()
    hypothesis.__loader__ = None
    sys.modules["hypothesis"] = hypothesis
    import mineproof

    print("backend", mineproof.backend())
    options = ["-q", "-c", "/dev/null", "--rootdir", ".", "--import-mode=importlib"]
    return pytest.main([*options, "-p", "no:cacheprovider", "-p", "no:faulthandler", *sys.argv[1:]])


sys.exit(main())
